/* SPDX-License-Identifier: Apache-2.0 */
/* Agglomerative clustering of vectors by cosine distance. Method: docs/score.md */
#ifndef ASSAY_DENDROGRAM_H
#define ASSAY_DENDROGRAM_H

#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_linkage {
    ASSAY_LINKAGE_AVERAGE = 0,
    ASSAY_LINKAGE_COMPLETE = 1,
    ASSAY_LINKAGE_SINGLE = 2
} assay_linkage;

/* Start from assay_dendrogram_options_init(); later versions add fields only at the end. */
typedef struct assay_dendrogram_options {
    size_t struct_size;    /* sizeof this struct as the caller was compiled */
    assay_linkage linkage; /* default ASSAY_LINKAGE_AVERAGE */
    int threads;           /* 0, the default, is all of OpenMP's; the same tree for any number */
    uint64_t tie_seed;     /* of the random orders; default 1 */
    uint64_t tie_order; /* which order decides where distances tie: 0, the default, is that of the
                              vectors; k > 0 is the k-th random order of tie_seed */
    assay_progress progress;
} assay_dendrogram_options;

ASSAY_API void assay_dendrogram_options_init(assay_dendrogram_options *options, size_t struct_size);

/* A binary tree over n leaves. Opaque and unchanging; free with assay_dendrogram_free(). */
typedef struct assay_dendrogram assay_dendrogram;

/**
 * Agglomerative clustering of the vectors by cosine distance.
 *
 * The distance of two vectors is 1 minus their cosine; below 1e-12 it is 0; a zero vector is at 1 from
 * the others and at 0 from another zero vector. The two nearest clusters are merged until one is
 * left. Distances within 1e-12 are equal, and then the pair is taken whose first cluster, and then
 * whose second, has the smallest leaf. The merges are the same on every machine.
 *
 * @param vectors  n >= 1 of them; borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      the tree, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_VALUE for options; ASSAY_E_SHAPE where the distances of all pairs would
 *         take more than 2 GiB (n > 23,170) and cannot be done without: sparse vectors,
 *         ASSAY_TURNS_MAX, or complete or single linkage; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 *
 * Cost: O(n^2 d) time and 4 n^2 bytes. Average linkage of 2,000 dense vectors or more works on the sums
 * of the clusters instead, in O(n d) memory: 12 n d bytes beside the vectors.
 */
ASSAY_API assay_status assay_dendrogram_fit(const assay_vectors *vectors,
                                            const assay_dendrogram_options *options,
                                            assay_dendrogram **out);
ASSAY_API void assay_dendrogram_free(assay_dendrogram *dendrogram); /* NULL is fine */

ASSAY_API size_t assay_dendrogram_n(const assay_dendrogram *dendrogram);

/* Merge t (0 .. n - 2, in order) joins these two nodes into node n + t, at this distance. Nodes
   0 .. n - 1 are the leaves. */
ASSAY_API void assay_dendrogram_merge(const assay_dendrogram *dendrogram, size_t t,
                                      size_t children[2], double *height);

/* How many merges are tied: as near, within 1e-12, as the merge before. Their order is a convention. */
ASSAY_API size_t assay_dendrogram_n_tied(const assay_dendrogram *dendrogram);

/* labels[i] of the cut into n_clusters (1 .. n), numbered by first appearance: the first
   n - n_clusters merges. ASSAY_OK; ASSAY_E_VALUE; ASSAY_E_NOMEM. */
ASSAY_API assay_status assay_dendrogram_labels(const assay_dendrogram *dendrogram,
                                               size_t n_clusters, size_t *labels);

#ifdef __cplusplus
}
#endif
#endif
