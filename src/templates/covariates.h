/* SPDX-License-Identifier: Apache-2.0 */
/* Principal components of covariates, as the released code uses them. */
#ifndef ASSAY_TEMPLATES_COVARIATES_H
#define ASSAY_TEMPLATES_COVARIATES_H

#include "assay/base.h"

/* The components of n x d covariates: means (d), unit directions (d x d, a row each) and the share
   of the variance that each has (d), largest first; 0 shares where nothing varies. ASSAY_OK;
   ASSAY_E_NOMEM. O(n d^2 + d^3). */
assay_status assay_principal_components(const double *x, size_t n, size_t d, double *means,
                                        double *directions, double *shares);

/* What PE asks of covariates, called name in the sentence: every component of the centred matrix
   with more than 1e-6 of the variance. ASSAY_OK; ASSAY_E_DEGENERATE; ASSAY_E_NOMEM. */
assay_status assay_check_full_rank(const char *name, const double *x, size_t n, size_t d);

#endif
