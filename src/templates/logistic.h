/* SPDX-License-Identifier: Apache-2.0 */
/* Ridge logistic regression whose cells have a row of one design and a level of another, one-hot one:
   Newton's method with a Schur complement. */
#ifndef ASSAY_TEMPLATES_LOGISTIC_H
#define ASSAY_TEMPLATES_LOGISTIC_H

#include "assay/base.h"

/*
 * min over a (n_kept) and b (n_levels) of
 *     0.5 (|a|^2 + |b|^2) + c sum over cells of log(1 + exp(-(2 y - 1) f)),  f = x_row'a + b_level.
 * Cells stand by level, and by row within one. Row r of the design is design + r n_kept, or where
 * design is NULL the unit vector of a_r; then rows from n_kept on, and levels from n_levels on
 * always, are nothing: such cells stand last within their level, and last of all.
 */
typedef struct assay_logistic {
    size_t n, n_rows, n_kept, n_levels;
    const uint32_t *row, *level; /* n of each */
    const unsigned char *y;      /* 0 or 1 */
    const double *design;
    double c;
} assay_logistic;

typedef struct assay_logistic_fit {
    double *kept, *levels; /* a and b: the caller's room */
    double objective;
    int iterations, converged;
} assay_logistic_fit;

/* From 0 on, until a step is shorter than the tolerance in the metric of the Hessian (and then that
   step is taken) or the iterations are used up. ASSAY_OK; ASSAY_E_NOMEM. */
assay_status assay_logistic_solve(const assay_logistic *problem, int max_iterations,
                                  double tolerance, assay_logistic_fit *fit);

#endif
