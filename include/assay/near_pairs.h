/* SPDX-License-Identifier: Apache-2.0 */
/* Prompts that are nearly the same. Method: docs/audit.md */
#ifndef ASSAY_NEAR_PAIRS_H
#define ASSAY_NEAR_PAIRS_H

#include "assay/dendrogram.h"
#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_near_pair {
    size_t a, b; /* a < b */
    double similarity;
} assay_near_pair;

/**
 * The pairs of prompts whose cosine is at least so large: the nearest first, equal ones by a
 * and then by b.
 *
 * Of up to 5,000 prompts all pairs are compared. Of more, each is compared with as many that come after it
 * in the tree's order as make 12.5 million pairs: what is nearly the same stands close there, but a pair
 * may be missed.
 *
 * @param least    a cosine; pairs at it count.
 * @param most     room in out: of more pairs only the first are kept.
 * @param n        how many are in out.
 * @param n_found  how many there are.
 * @return ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(n^2 d) time and 4 n^2 bytes for n <= 5,000; 12.5 million products at most beyond.
 */
ASSAY_API assay_status assay_near_pairs_find(const assay_vectors *vectors,
                                             const assay_dendrogram *tree, double least,
                                             size_t most, int threads, assay_progress progress,
                                             assay_near_pair *out, size_t *n, size_t *n_found);

#ifdef __cplusplus
}
#endif
#endif
