/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns of a suite (tasks, categories, items) say the same: correlations of pairs, groups,
   and whether a new column adds something. Method: docs/signals.md */
#ifndef ASSAY_REDUNDANCY_H
#define ASSAY_REDUNDANCY_H

#include "assay/dendrogram.h"
#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The correlations of all pairs of columns. Opaque; free with assay_redundancy_free(). */
typedef struct assay_redundancy assay_redundancy;

/* Start from assay_redundancy_options_init(); later versions add fields only at the end. */
typedef struct assay_redundancy_options {
    size_t struct_size;  /* sizeof this struct as the caller was compiled */
    uint64_t seed;       /* of the resamples; default 1 */
    double level;        /* of the intervals, in (0, 1); default 0.95 */
    int64_t resamples;   /* of the models, behind the intervals; 0 none; -1, the default: 1,000,
                           fewer where there are many cells, none where 100 are too many */
    size_t max_columns;  /* more are refused; at most 2,000; default 1,000 */
    const double *given; /* a number of each model of the matrix, NaN where there is none: partial
                            correlations are those with it held fixed; NULL, the default, for none.
                            Borrowed for the call */
    int threads; /* 0, the default, is all of OpenMP's; the result is the same for any number */
    assay_progress progress;
} assay_redundancy_options;

ASSAY_API void assay_redundancy_options_init(assay_redundancy_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_redundancy_options_check(const assay_redundancy_options *options);

/**
 * Pearson's and Spearman's correlation of every two columns, each over the models that have both,
 * with percentile bootstrap intervals over models; with a covariate z, the partial ones too,
 *
 *     (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2) (1 - r_yz^2)),
 *
 * of the scores (Pearson) and of their mid-ranks (Spearman), over the models that have all three.
 *
 * The intervals take the models for independent draws: versions of one system make them too short.
 *
 * @param matrix   borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE with more than max_columns columns; ASSAY_E_VALUE for options and
 *         for an infinite covariate; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 *
 * Cost: O(T^2 N) for T columns and N models, times the resamples; memory O(T^2 + TN) and a byte for
 * each resample of each model. Safe to call from any thread.
 * Source: BenchScope, arXiv:2603.29357; Efron (1979) for the percentile interval.
 */
ASSAY_API assay_status assay_redundancy_fit(const assay_matrix *matrix,
                                            const assay_redundancy_options *options,
                                            assay_redundancy **out);
ASSAY_API void assay_redundancy_free(assay_redundancy *fit); /* NULL is fine */

ASSAY_API size_t assay_redundancy_n_columns(const assay_redundancy *fit);

/* Resamples that were made, and why there are none (a literal sentence) or NULL. */
ASSAY_API size_t assay_redundancy_resamples(const assay_redundancy *fit);
ASSAY_API const char *assay_redundancy_no_resamples(const assay_redundancy *fit);

/**
 * The numbers of a covariate of the models, for the option given.
 *
 * @param covariate  which of the table's (assay_results_n_covariates()).
 * @param as_log     1: their natural logarithms.
 * @param given      of each model of the matrix; NaN where the cell has no number, or none that
 *                   has a logarithm.
 * @param n_without  how many NaN there are.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE when no model has one.
 */
ASSAY_API assay_status assay_redundancy_covariate(const assay_results *results,
                                                  const assay_matrix *matrix, size_t covariate,
                                                  int as_log, double *given, size_t *n_without);

/* An estimate and its interval. What cannot be estimated is NaN, and then there is a reason, a
   literal sentence: for the value, or, where that is there, for its interval. */
typedef struct assay_correlation {
    double value, low, high;
    const char *reason;
} assay_correlation;

/* Of two columns. */
typedef struct assay_pair {
    size_t n; /* models that have both */
    assay_correlation pearson, spearman;
    size_t n_given; /* of these, with a covariate; 0 where none was given */
    assay_correlation partial_pearson, partial_spearman;
} assay_pair;

/* Of columns a /= b, in either order. O(1). */
ASSAY_API assay_pair assay_redundancy_pair(const assay_redundancy *fit, size_t a, size_t b);

/* sqrt((1 + rho) / 2): no score whatever can correlate better than this with both of two columns
   whose correlation is rho; their standardised sum does as well. NaN for NaN. */
ASSAY_API double assay_composite_ceiling(double rho);

/**
 * Groups of columns: hierarchical clustering on 1 - Pearson, cut where r falls below the threshold.
 *
 * Two columns whose correlation cannot be estimated count as uncorrelated.
 *
 * @param threshold  r, -1 to 1: clusters are merged while 1 - r of their linkage is no larger than
 *                   1 - threshold.
 * @param labels     of each column, numbered by first appearance. Room for n_columns.
 * @param n_groups   how many there are.
 * @return ASSAY_OK; ASSAY_E_VALUE; ASSAY_E_NOMEM.
 * Cost: O(T^2).
 * Source: our reading of BenchScope's "effective groups"; see docs/signals.md.
 */
ASSAY_API assay_status assay_redundancy_groups(const assay_redundancy *fit, assay_linkage linkage,
                                               double threshold, size_t *labels, size_t *n_groups);

/* Whether a column adds something to others. */
typedef struct assay_admission {
    int admitted;               /* 1: |rho| with the nearest is below the limit */
    size_t nearest;             /* of the others, the one with the largest |rho|, Spearman's */
    assay_correlation spearman; /* with that one */
    size_t n_others;            /* that it was compared with */
    size_t n_unknown;           /* of these, without a correlation: they cannot refuse it */
    size_t n_models;            /* that it and the nearest have both; 0 with a reason */
    const char *reason;         /* why nothing can be said (then it is not admitted), or NULL */
} assay_admission;

/**
 * Admission of a column into a suite: only when it correlates with none of the others too well.
 *
 * @param is_other  by column, n_columns: what it is compared with where not 0; the column itself
 *                  does not count.
 * @param limit     0 to 1, as the paper's .7.
 * @return ASSAY_OK; ASSAY_E_VALUE.
 * Cost: O(T).
 */
ASSAY_API assay_status assay_redundancy_admit(const assay_redundancy *fit, size_t column,
                                              const unsigned char *is_other, double limit,
                                              assay_admission *out);

#ifdef __cplusplus
}
#endif
#endif
