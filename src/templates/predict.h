/* SPDX-License-Identifier: Apache-2.0 */
/* From effects of templates and items to the templates' scores. */
#ifndef ASSAY_TEMPLATES_PREDICT_H
#define ASSAY_TEMPLATES_PREDICT_H

#include "assay/grid.h"

/* S_i = (observed scores + sigmoid(theta_i + constant + beta_j) elsewhere) / J, into scores; the
   logit is held within -30..30. ASSAY_OK; ASSAY_E_NOMEM. O(IJ). */
assay_status assay_predict_scores(const assay_grid *grid, const double *theta, const double *beta,
                                  double constant, double *scores);

#endif
