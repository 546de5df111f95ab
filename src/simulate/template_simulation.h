/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated grid of templates from the inside. */
#ifndef ASSAY_SIMULATE_TEMPLATE_SIMULATION_H
#define ASSAY_SIMULATE_TEMPLATE_SIMULATION_H

#include "assay/simulate_templates.h"

struct assay_template_simulation {
    assay_simulate_templates_options options;
    assay_grid *grid;
    double *easiness; /* p_j */
    size_t *group;    /* g(i) */
};

#endif
