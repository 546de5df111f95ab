/* SPDX-License-Identifier: Apache-2.0 */
/* What ED and the spectrum look like when models carry nothing: each item's scores shuffled. */
#ifndef ASSAY_SIGNALS_NULL_H
#define ASSAY_SIGNALS_NULL_H

#include "signals/centred.h"

/* ED of pure noise of this shape (Marchenko and Pastur): T N / (T + N). */
double assay_marchenko_pastur(size_t n_models, size_t n_items);

/* ED at the exact mean of ||G||_F^2 over all shuffles. O(T). */
double assay_permutation_ed_at_mean(const assay_centred *z);

/* The same from the sums over items of d_t and of d_t^2. */
double assay_permutation_ed_of_spread(double sum, double squares, size_t n_models);

typedef struct assay_permutation_null {
    size_t n;                   /* replicates */
    double mean_ed, mean_ed_se; /* NaN with fewer than 2 */
    double *q95;                /* of each of the R eigenvalues, largest first */
} assay_permutation_null;

/* How many replicates to make when the user leaves it open: a matter of the shape alone. */
size_t assay_permutations_affordable(const assay_centred *z);

/**
 * Shuffle each item's scores among the models n times and collect ED and spectrum.
 *
 * Replicate r uses the random stream (seed, ASSAY_PURPOSE_PERMUTATION, r), so that the result does
 * not depend on the threads. The caller holds BLAS.
 *
 * @return ASSAY_OK; ASSAY_E_NOMEM; ASSAY_E_CANCELLED; ASSAY_E_DEGENERATE if LAPACK fails. Free
 * null->q95. Cost: O(R^2 L + R^3) a replicate; memory n R doubles, and R (L + R) a thread.
 */
assay_status assay_permutation_null_new(const assay_centred *z, size_t n, uint64_t seed,
                                        int threads, assay_progress progress,
                                        assay_permutation_null *null);

#endif
