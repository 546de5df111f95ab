/* SPDX-License-Identifier: Apache-2.0 */
/* The most probable effects of the templates under a normal prior, and the evidence for the prior. */
#ifndef ASSAY_TEMPLATES_MARGINAL_MODE_H
#define ASSAY_TEMPLATES_MARGINAL_MODE_H

#include "templates/marginal_items.h"

/* theta ~ N(0, K), K = 9 11' + s^2 ((1 - f) I + f Kx): a level common to all, an effect of the
   covariates and an own effect. */
typedef struct assay_effect_prior {
    double s, f;
    double *precision; /* K^-1, all of it */
    double log_determinant;
} assay_effect_prior;

/* Variance of the common level. */
#define ASSAY_LEVEL_VARIANCE 9.0

/* The eigenvectors of Kx = Xc Xc' / mean of its diagonal, Xc the covariates less their means, that
   do not vanish: Kx = sum of value_k vector_k vector_k'. */
typedef struct assay_effect_kernel {
    size_t n, rank;
    double *values, *vectors; /* rank, rank x n */
} assay_effect_kernel;

/* x is n x d; NULL, or covariates that do not vary, make a kernel of rank 0. ASSAY_OK;
   ASSAY_E_NOMEM; ASSAY_E_DEGENERATE. O(n d m + m^3), m the smaller of n and d. */
assay_status assay_effect_kernel_new(const double *x, size_t n, size_t d,
                                     assay_effect_kernel *kernel);
void assay_effect_kernel_free(assay_effect_kernel *kernel);

/* prior->precision is room for n x n. O(n^2 rank). */
void assay_effect_prior_set(const assay_effect_kernel *kernel, double s, double f,
                            assay_effect_prior *prior);

/* out (n x n) = 9 11' + s^2 f Kx: what templates have in common. */
void assay_effect_prior_shared(const assay_effect_kernel *kernel, double s, double f, double *out);

/* Newton's method for the maximum of l(theta) - theta'K^-1 theta / 2 from theta on, which is
   overwritten; steps are halved until they climb, a thousandfold at most. It ends where a step
   would move no effect by 3e-3, at most after 30. Where is_known, point, gradient and information
   are those of l at theta already, as a call leaves them. factor (n x n) gets the Cholesky
   factor, lower, of the Hessian there, and evidence Laplace's log of the integral over theta.
   What is in gradient and information, room for n and n x n, are those of l. ASSAY_OK;
   ASSAY_E_DEGENERATE; ASSAY_E_NOMEM. O(n^3) and as assay_marginal_slope() a step. */
assay_status assay_marginal_mode(const assay_marginal_cells *cells, const assay_item_prior *items,
                                 const assay_effect_prior *prior, int is_known, double *theta,
                                 assay_marginal_point *point, double *gradient, double *information,
                                 double *factor, double *evidence);

#endif
