/* SPDX-License-Identifier: Apache-2.0 */
/* How a tree is drawn: its leaves from left to right, and how probable each cut of it is. */
#ifndef ASSAY_TREE_CUTS_H
#define ASSAY_TREE_CUTS_H

#include "assay/dendrogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The leaves from left to right, so that no branches cross: the first child of every merge to the left.
   leaves has room for n. ASSAY_OK; ASSAY_E_NOMEM. O(n log n). */
ASSAY_API assay_status assay_tree_leaves(const assay_dendrogram *tree, size_t *leaves);

/* The cut into so many clusters, made anywhere between two heights. */
typedef struct assay_tree_cut {
    size_t clusters;
    double p;
    double low, high; /* of the merges below and above; of one cluster high is INFINITY */
} assay_tree_cut;

/* The cuts whose probability is above least, the finest last. post[s - 1] is that of s clusters, s = 1 ..
   n; cuts has room for n. Returns how many there are. O(n). */
ASSAY_API size_t assay_tree_cuts_find(const assay_dendrogram *tree, const double *post,
                                      double least, assay_tree_cut *cuts);

#ifdef __cplusplus
}
#endif
#endif
