/* SPDX-License-Identifier: Apache-2.0 */
/* Cosine distances of all pairs. */
#ifndef ASSAY_CLUSTER_DISTANCES_H
#define ASSAY_CLUSTER_DISTANCES_H

#include "text/vectors.h"

/* Distances closer than this are equal, and one below it is 0. */
#define ASSAY_SAME_DISTANCE 1e-12

/* All distances of this many vectors take 2 GiB, and no more are computed. */
enum { ASSAY_MOST_PAIRWISE = 23170 };

/* The GiB that the distances of n vectors take, for the sentence that says so. */
double assay_distances_gigabytes(size_t n);

/* 1 - the similarity; 0 where that is rounding, and within [0, 2]. */
double assay_distance_from_similarity(double similarity);

/* How many doubles the distances of n vectors take, the unused first one included; SIZE_MAX where
   that does not fit. */
size_t assay_distances_count(size_t n);

/* The distance of i and j > i is at this place + j; place 0 stays empty, so that none is negative. */
static inline size_t assay_distances_row(size_t n, size_t i)
{
    return i == 0 ? 0 : i * (2 * n - i - 3) / 2;
}

/*
 * The distances of all pairs i < j, row after row. Those between a zero vector and another are 1,
 * and among zero vectors 0; of vectors that are compared turn by turn it is the largest. The same
 * bits for any number of threads and on every machine.
 * out is owned by the caller, NULL on failure. ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(n^2 d), or for sparse rows the sum over columns of the square of their entries;
 * turn by turn (cluster/distances_turns.h) the sum of that over the turns.
 */
assay_status assay_distances_new(const assay_vectors *vectors, int threads, assay_progress progress,
                                 double **out);

#endif
