/* SPDX-License-Identifier: Apache-2.0 */
/* The leaves of a dendrogram from left to right, so that no two branches cross. */
#ifndef ASSAY_REPORT_LEAF_ORDER_H
#define ASSAY_REPORT_LEAF_ORDER_H

#include "assay/dendrogram.h"

typedef struct assay_leaf_order {
    size_t n;
    size_t *leaf; /* which leaf stands at each place */
    size_t *join; /* the merge that joins the leaves at places k and k + 1 */
    size_t *most; /* most[j * n + k]: the largest of join[k] .. join[k + 2^j - 1] */
} assay_leaf_order;

/* ASSAY_OK or ASSAY_E_NOMEM; free it in either case. O(n log n). */
assay_status assay_leaf_order_new(const assay_dendrogram *tree, assay_leaf_order *order);
void assay_leaf_order_free(assay_leaf_order *order);

/* The merge that joins the leaves at two different places. O(1). */
size_t assay_leaf_order_merge(const assay_leaf_order *order, size_t a, size_t b);

#endif
