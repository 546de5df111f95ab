/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical merges. Clusters are known by their slot, which is the place of their first leaf in
   the order that decides ties: of two merged clusters the earlier slot stays. */
#ifndef ASSAY_CLUSTER_AGGLOMERATE_H
#define ASSAY_CLUSTER_AGGLOMERATE_H

#include "assay/dendrogram.h"

typedef struct assay_slot_merge {
    size_t first, second; /* first < second */
    double distance;
} assay_slot_merge;

/*
 * Merge n leaves by the distances of all pairs, laid out as in cluster/distances.h and overwritten.
 * merges holds n - 1. Every linkage, canonical by construction: the nearest pair is taken n - 1
 * times. O(n^2) time but for crowds of ties. ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 */
assay_status assay_agglomerate(double *distance, size_t n, assay_linkage linkage,
                               assay_progress progress, assay_slot_merge *merges);

/*
 * The same merges by average linkage without the distances, in O(n d) memory: the mean similarity
 * of clusters A and B is s_A . s_B / (|A| |B|), s being the sum of a cluster's vectors.
 * order[slot] is the vector of a slot (NULL: its own number); the vectors are dense, and
 * not compared turn by turn.
 */
assay_status assay_agglomerate_sums(const assay_vectors *vectors, const size_t *order, int threads,
                                    assay_progress progress, assay_slot_merge *merges);

#endif
