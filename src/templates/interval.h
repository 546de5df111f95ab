/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of scores from draws of all of them. */
#ifndef ASSAY_TEMPLATES_INTERVAL_H
#define ASSAY_TEMPLATES_INTERVAL_H

#include "templates/fit.h"

/* Read intervals, and the distribution as medians of the ranks, from n_draws x n_templates draws,
   whose columns are the templates template_at[0], ... ASSAY_OK; ASSAY_E_NOMEM. O(n_draws
   n_templates log n_templates). */
assay_status assay_templates_take_draws(assay_templates *fit, const double *draws,
                                        const size_t *template_at,
                                        const assay_templates_options *options);

#endif
