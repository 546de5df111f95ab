/* SPDX-License-Identifier: Apache-2.0 */
/* How many independent signals a score matrix gives (BenchScope). Method: docs/signals.md */
#ifndef ASSAY_SIGNALS_H
#define ASSAY_SIGNALS_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A fitted result. Opaque; free with assay_signals_free(). */
typedef struct assay_signals assay_signals;

/* Start from assay_signals_options_init(); later versions add fields only at the end. */
typedef struct assay_signals_options {
    size_t struct_size;   /* sizeof this struct as the caller was compiled */
    uint64_t seed;        /* of the permutations; default 1 */
    double level;         /* of the interval, in (0, 1); default 0.95 */
    int64_t permutations; /* replicates of the null; 0 none; -1, the default: 1,000, fewer where the
                             matrix is large, none where not even 100 are affordable */
    int threads; /* 0, the default, is all of OpenMP's; the result is the same for any number */
    assay_progress progress;
    int64_t most_permutations; /* where their number is left to the size: no more than this; 0, the
                                  default, is no limit */
} assay_signals_options;

ASSAY_API void assay_signals_options_init(assay_signals_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_signals_options_check(const assay_signals_options *options);

/**
 * Effective dimensionality (ED) of a models x items matrix, its nulls and its interval.
 *
 * With X the items x models scores, Z the same after each item's mean over models is taken out and
 * l_1 >= l_2 >= ... the eigenvalues of Z'Z, ED = (sum l)^2 / sum l^2: 1 when one axis explains
 * every difference between models, at most min(N - 1, T). It is computed as (tr G)^2 / ||G||_F^2
 * from the smaller of the two Gram matrices, without a decomposition; for complete 0/1 data G comes
 * from integer bit counts. On single runs ED is an upper bound for screening, not a sample size:
 * most of it may be noise of the outcomes.
 *
 * A missing cell is treated as its item's mean (0 in Z), in every quantity.
 *
 * @param matrix   borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      the fit, owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE with fewer than 2 models; ASSAY_E_DEGENERATE when no item tells
 *         two models apart; ASSAY_E_VALUE for options; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 *
 * Cost, with N models, T items, R the smaller and L the larger: O(R^2 L) for ED, 64 cells an
 * operation where 0/1; O(R^3) for the spectrum; O(R^2 L + R^3) a permutation. Memory O(R^2 + NT).
 * Safe to call from any thread.
 * Source: BenchScope, arXiv:2603.29357; see docs/signals.md for what is inferred.
 */
ASSAY_API assay_status assay_signals_fit(const assay_matrix *matrix,
                                         const assay_signals_options *options, assay_signals **out);
ASSAY_API void assay_signals_free(assay_signals *fit); /* NULL is fine */

/* ED under the three centrings; NaN where nothing varies once those means are taken out. */
typedef struct assay_dimensions {
    double task;  /* each item's mean over models taken out: the headline */
    double model; /* each model's mean over items taken out instead */
    double both;
} assay_dimensions;

/**
 * ED alone, without spectrum, interval or nulls: for large matrices, and for many of them.
 *
 * @param threads  0 is all of OpenMP's; the result is the same for any number.
 * @return as assay_signals_fit(), and out is left alone on failure.
 * Cost: O(R^2 L), 64 cells an operation where 0/1; memory O(R^2).
 */
ASSAY_API assay_status assay_effective_dimensions(const assay_matrix *matrix, int threads,
                                                  assay_dimensions *out);

/* The numbers of a fit. Part of the ABI: never renumber. */
typedef enum assay_signals_number {
    ASSAY_SIGNALS_ED_TASK = 0,   /* each item's mean over models taken out: the headline */
    ASSAY_SIGNALS_ED_MODEL = 1,  /* each model's mean over items taken out instead */
    ASSAY_SIGNALS_ED_DOUBLE = 2, /* both */
    ASSAY_SIGNALS_ED_LOW = 3,    /* interval of the task-centred ED: delete-one jackknife over */
    ASSAY_SIGNALS_ED_HIGH = 4,   /* models, on log ED, Student's t with N - 1 degrees of freedom */
    ASSAY_SIGNALS_ED_STANDARDISED = 5,   /* every non-constant item scaled to variance 1 */
    ASSAY_SIGNALS_PC1_SHARE = 6,         /* l_1 / sum l */
    ASSAY_SIGNALS_KAISER = 7,            /* how many l exceed the mean of all min(T, N) of them */
    ASSAY_SIGNALS_PARALLEL_ANALYSIS = 8, /* leading l above the 95 % quantile of the permutation
                                            null at their rank, up to the first that is not */
    ASSAY_SIGNALS_MARCHENKO_PASTUR = 9,  /* ED of pure noise of this shape: TN / (T + N) */
    ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN = 10, /* ED at the exact mean of ||G||_F^2 when each item's
                                            scores are shuffled among models; by Jensen a lower
                                            bound on the mean ED of the shuffled matrices */
    ASSAY_SIGNALS_PERMUTATION_MEAN = 11, /* the mean ED of the shuffled matrices, by Monte Carlo */
    ASSAY_SIGNALS_PERMUTATION_MEAN_SE = 12, /* its Monte Carlo standard error */
    ASSAY_SIGNALS_ED_OVER_NULL = 13,        /* ED_TASK / MARCHENKO_PASTUR */
    ASSAY_SIGNALS_CONSTANT_ITEMS = 14,      /* items with the same score for every model */
    ASSAY_SIGNALS_PERMUTATIONS = 15,        /* replicates that were made */
    ASSAY_SIGNALS_ED_OVER_PERMUTATION = 16, /* ED_TASK / PERMUTATION_ED_AT_MEAN */
    ASSAY_SIGNALS_N_NUMBERS = 17
} assay_signals_number;

/* One number; NaN where it cannot be estimated, and then the reason is a literal sentence. */
ASSAY_API double assay_signals_value(const assay_signals *fit, assay_signals_number number);
ASSAY_API const char *assay_signals_reason(const assay_signals *fit, assay_signals_number number);

/* The eigenvalues l of Z'Z, min(T, N) of them, largest first; owned by the fit. */
ASSAY_API const double *assay_signals_spectrum(const assay_signals *fit, size_t *n);

/* The 95 % quantile of each eigenvalue under the permutation null; *n is 0 without permutations. */
ASSAY_API const double *assay_signals_null_q95(const assay_signals *fit, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
