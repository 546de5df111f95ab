/* SPDX-License-Identifier: Apache-2.0 */
/* What all other cells say of a template: the normal approximation without its own cells and
   effect. */
#ifndef ASSAY_TEMPLATES_MARGINAL_CAVITY_H
#define ASSAY_TEMPLATES_MARGINAL_CAVITY_H

#include "templates/marginal_tilt.h"

/*
 * Fills in sd, mean, variance and level_variance of a tilt with a mode, factor, s and f; gradient
 * and information are as for assay_tilt_find(). With h_i = H_ii, y_i = theta_i + g_i / h_i the
 * normal that stands for the own cells, d_i = 1 / h_i + own_sd^2 and A = (shared + diag(d))^-1,
 *   mean_i = y_i - (A y)_i / A_ii,   variance_i = 1 / A_ii - d_i,   level_variance = 1 / 1'A1.
 * Without covariates these are, with w_k = 1 / d_k and sums over all k but i,
 *   variance_i = 1 / (1 / 9 + sum w_k),   mean_i = variance_i sum w_k y_k,
 *   level_variance = 9 + 1 / sum of all w_k.
 * ASSAY_OK; ASSAY_E_DEGENERATE; ASSAY_E_NOMEM. O(n^3).
 */
assay_status assay_tilt_cavities(const assay_effect_kernel *kernel, const double *gradient,
                                 const double *information, assay_tilt *tilt);

#endif
