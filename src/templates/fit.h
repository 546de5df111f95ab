/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a fit: what the methods fill in. */
#ifndef ASSAY_TEMPLATES_FIT_H
#define ASSAY_TEMPLATES_FIT_H

#include "assay/templates.h"

struct assay_templates {
    assay_templates_method method;
    size_t n_templates, n_items, n_cells, n_weights;
    double *scores, *sorted; /* of each template; and their distribution, ascending */
    double mean;
    double *theta, *beta, *weights; /* NULL for AVG; weights NULL for MARGINAL as well */
    double constant, objective;
    int iterations, converged;
    /* MARGINAL with draws: what intervals are read from. */
    double level;
    size_t n_draws;
    double *score_intervals; /* of each template: low, high */
    double mean_interval[2];
    double *sorted_draws; /* n_draws rows of scores, each ascending */
    double *band;         /* of each rank: low, high */
};

#endif
