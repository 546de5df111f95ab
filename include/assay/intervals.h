/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of a proportion, and standard errors of a mean of clustered scores. */
#ifndef ASSAY_INTERVALS_H
#define ASSAY_INTERVALS_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Part of the ABI: never renumber. */
typedef enum assay_interval_kind {
    ASSAY_INTERVAL_WALD = 0,            /* p +/- z sqrt(p (1 - p) / n): of width 0 at 0 and n */
    ASSAY_INTERVAL_WILSON = 1,          /* the score test's */
    ASSAY_INTERVAL_CLOPPER_PEARSON = 2, /* exact: covers at least at its level */
    ASSAY_INTERVAL_JEFFREYS = 3,        /* Beta(1/2, 1/2); from 0 when x = 0, to 1 when x = n */
    ASSAY_INTERVAL_UNIFORM = 4          /* Beta(1, 1) */
} assay_interval_kind;

/**
 * An interval for the probability behind x successes of n.
 *
 * @param x       0 <= x <= n; both may be fractional, n > 0.
 * @param level   in (0, 1).
 * @param bounds  lower and upper; within [0, 1] but for Wald's.
 * @return ASSAY_OK; ASSAY_E_VALUE naming what is out of its range.
 */
ASSAY_API assay_status assay_interval(assay_interval_kind kind, double x, double n, double level,
                                      double bounds[2]);

/* The mean of n scores that come in clusters, and its standard errors. */
typedef struct assay_clustered {
    double mean;
    double plain;      /* sqrt(sum (s - mean)^2 / (n (n - 1))): as if no two were related */
    double miller;     /* sqrt(sum_c (sum_{i in c} (s_i - mean))^2) / n (Miller 2024) */
    double inspect;    /* miller times sqrt(C / (C - 1)), as Inspect has it */
    double t;          /* Student's quantile of the level with C - 1 degrees of freedom */
    double bounds[2];  /* mean -/+ t inspect */
    size_t n_clusters; /* C */
} assay_clustered;

/**
 * @param scores  n >= 1 finite numbers.
 * @param labels  which cluster each is in: any numbers below n.
 * @return ASSAY_OK, with NaN for what one cluster (or one score) cannot estimate; ASSAY_E_SHAPE for
 *         n = 0; ASSAY_E_VALUE for a score, a label or the level; ASSAY_E_NOMEM.
 * Cost: O(n).
 */
ASSAY_API assay_status assay_clustered_mean(const double *scores, const size_t *labels, size_t n,
                                            double level, assay_clustered *out);

#ifdef __cplusplus
}
#endif
#endif
