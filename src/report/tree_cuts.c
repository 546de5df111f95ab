/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/tree_cuts.h"

#include "report/leaf_order.h"

#include <math.h>
#include <string.h>

assay_status assay_tree_leaves(const assay_dendrogram *tree, size_t *leaves)
{
    assay_leaf_order order;
    assay_status status = assay_leaf_order_new(tree, &order);

    if (status == ASSAY_OK) memcpy(leaves, order.leaf, order.n * sizeof *leaves);
    assay_leaf_order_free(&order);
    return status;
}

/* The cut into s lies between the merges n - s - 1 and n - s. */
size_t assay_tree_cuts_find(const assay_dendrogram *tree, const double *post, double least,
                            assay_tree_cut *cuts)
{
    size_t n = assay_dendrogram_n(tree), n_cuts = 0, children[2];

    for (size_t s = 1; s <= n; s++) {
        assay_tree_cut cut = { s, post[s - 1], 0.0, INFINITY };

        if (!(cut.p > least)) continue;
        if (s > 1) assay_dendrogram_merge(tree, n - s, children, &cut.high);
        if (s < n) assay_dendrogram_merge(tree, n - s - 1, children, &cut.low);
        cuts[n_cuts++] = cut;
    }
    return n_cuts;
}
