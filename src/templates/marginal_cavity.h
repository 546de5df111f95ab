/* SPDX-License-Identifier: Apache-2.0 */
/* What all other cells say of a template: the normal approximation without its own cells and
   effect. */
#ifndef ASSAY_TEMPLATES_MARGINAL_CAVITY_H
#define ASSAY_TEMPLATES_MARGINAL_CAVITY_H

#include "templates/marginal_tilt.h"

/*
 * Fills in sd, mean, variance and level_variance of a tilt with a mode, factor, s and f; gradient
 * and information as for assay_tilt_find(). With h_i = H_ii and y_i = theta_i + g_i / h_i the normal
 * that stands for the own cells, d_i = 1 / h_i + own_sd^2, and A = (shared + diag(d))^-1: without its
 * own cells and own effect theta_i has mean y_i - (A y)_i / A_ii and variance 1 / A_ii - d_i; that of
 * the level is 1 / 1'A1. Without covariates this is, with w_k = 1 / d_k and sums over all k but i,
 * variance 1 / (1 / 9 + sum w_k), and mean that times sum w_k y_k; the level's is 9 + 1 / sum of all.
 * ASSAY_OK; ASSAY_E_DEGENERATE; ASSAY_E_NOMEM. O(n^3).
 */
assay_status assay_tilt_cavities(const assay_effect_kernel *kernel, const double *gradient,
                                 const double *information, assay_tilt *tilt);

#endif
