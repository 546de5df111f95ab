/* SPDX-License-Identifier: Apache-2.0 */
/* Dendrograms of the same vectors in several tie orders. */
#ifndef ASSAY_CLUSTER_LINKAGE_H
#define ASSAY_CLUSTER_LINKAGE_H

#include "assay/dendrogram.h"

/* As assay_dendrogram_fit() for the orders tie_order, tie_order + 1, ... of the options, n of them,
   with the distances computed once. out[0 .. n - 1], owned by the caller; NULL on failure, all. */
assay_status assay_dendrogram_fit_orders(const assay_vectors *vectors,
                                         const assay_dendrogram_options *options, size_t n_orders,
                                         assay_dendrogram **out);

/* order[slot] is the vector that comes at this place in tie order k. */
void assay_tie_order(uint64_t seed, uint64_t k, size_t n, size_t *order);

/* The tree of n - 1 merges of slots, in terms of vectors. */
struct assay_slot_merge;
assay_status assay_dendrogram_from_merges(const struct assay_slot_merge *merges,
                                          const size_t *order, size_t n, assay_dendrogram **out);

#endif
