/* SPDX-License-Identifier: Apache-2.0 */
/* A dendrogram from the inside. */
#ifndef ASSAY_CLUSTER_DENDROGRAM_H
#define ASSAY_CLUSTER_DENDROGRAM_H

#include "assay/dendrogram.h"

/* Merge t joins children[2 t] and children[2 t + 1] (node ids, in the order of their smallest leaves)
   into node n + t at height[t]; n - 1 merges, in canonical order (docs/score.md). */
struct assay_dendrogram {
    size_t n;
    size_t *children;
    double *height;
    size_t n_tied;
};

/* An empty one for n >= 1 leaves, its merges to be filled in. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_dendrogram_new(size_t n, assay_dendrogram **out);

/* Once the merges are filled in: put the children of each in the order of their smallest leaves and
   count the tied merges. least is room for 2 n numbers. */
void assay_dendrogram_settle(assay_dendrogram *dendrogram, size_t *least);

/* The tree of the leaves for which keep[i] is not 0 (at least one of them): absent leaves dropped, nodes
   of one child spliced out, merges in their order. kept[j] (or NULL) is which leaf the j-th of the new
   tree was. ASSAY_OK; ASSAY_E_SHAPE when none is kept; ASSAY_E_NOMEM. */
assay_status assay_dendrogram_prune(const assay_dendrogram *dendrogram, const unsigned char *keep,
                                    size_t *kept, assay_dendrogram **out);

#endif
