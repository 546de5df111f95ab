/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/dendrogram.h"

#include "cluster/distances.h"
#include "cluster/labels.h"
#include "core/error.h"
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>

static void prune_nodes(const assay_dendrogram *from, size_t *node, assay_dendrogram *to);

assay_status assay_dendrogram_new(size_t n, assay_dendrogram **out)
{
    assay_dendrogram *tree = assay_alloc_zero(1, sizeof *tree);

    *out = NULL;
    if (tree) {
        tree->n = n;
        tree->children = n <= SIZE_MAX / 2 ? assay_alloc_zero(2 * (n - 1), sizeof(size_t)) : NULL;
        tree->height = assay_alloc_zero(n - 1, sizeof(double));
    }
    if (!tree || !tree->children || !tree->height) {
        assay_dendrogram_free(tree);
        return assay_fail(ASSAY_E_NOMEM, "no memory for a dendrogram of %zu leaves", n);
    }
    *out = tree;
    return ASSAY_OK;
}

void assay_dendrogram_free(assay_dendrogram *dendrogram)
{
    if (!dendrogram) return;
    free(dendrogram->children);
    free(dendrogram->height);
    free(dendrogram);
}

size_t assay_dendrogram_n(const assay_dendrogram *dendrogram)
{
    return dendrogram->n;
}

void assay_dendrogram_merge(const assay_dendrogram *dendrogram, size_t t, size_t children[2],
                            double *height)
{
    children[0] = dendrogram->children[2 * t];
    children[1] = dendrogram->children[2 * t + 1];
    *height = dendrogram->height[t];
}

size_t assay_dendrogram_n_tied(const assay_dendrogram *dendrogram)
{
    return dendrogram->n_tied;
}

/* A node's cluster is found from above: the last of the merges names its whole subtree first. */
assay_status assay_dendrogram_labels(const assay_dendrogram *dendrogram, size_t n_clusters,
                                     size_t *labels)
{
    size_t n = dendrogram->n, n_merges = n - n_clusters, *cluster;

    if (n_clusters < 1 || n_clusters > n)
        return assay_fail(ASSAY_E_VALUE, "a cut into %zu clusters was asked for, expected 1 to %zu",
                          n_clusters, n);
    cluster = assay_alloc(2 * n, sizeof *cluster);
    if (!cluster) return assay_fail(ASSAY_E_NOMEM, "no memory for the labels of %zu leaves", n);
    for (size_t c = 0; c < n + n_merges; c++) cluster[c] = c;
    for (size_t t = n_merges; t-- > 0;)
        for (size_t side = 0; side < 2; side++)
            cluster[dendrogram->children[2 * t + side]] = cluster[n + t];
    for (size_t i = 0; i < n; i++) labels[i] = cluster[i];
    assay_labels_renumber(labels, n, cluster, n + n_merges);
    free(cluster);
    return ASSAY_OK;
}

assay_status assay_dendrogram_prune(const assay_dendrogram *dendrogram, const unsigned char *keep,
                                    size_t *kept, assay_dendrogram **out)
{
    size_t n = dendrogram->n, n_kept = 0, *node = NULL;
    assay_dendrogram *tree = NULL;
    assay_status status;

    *out = NULL;
    for (size_t i = 0; i < n; i++) n_kept += keep[i] != 0;
    if (n_kept == 0) return assay_fail(ASSAY_E_SHAPE, "no leaf of a dendrogram of %zu is kept", n);
    if ((status = assay_dendrogram_new(n_kept, &tree)) != ASSAY_OK) return status;
    node = assay_alloc(2 * n, sizeof *node);
    if (!node) {
        assay_dendrogram_free(tree);
        return assay_fail(ASSAY_E_NOMEM, "no memory for a dendrogram of %zu leaves", n);
    }
    n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        node[i] = SIZE_MAX;
        if (!keep[i]) continue;
        if (kept) kept[n_kept] = i;
        node[i] = n_kept++;
    }
    prune_nodes(dendrogram, node, tree);
    assay_dendrogram_settle(tree, node);
    free(node);
    *out = tree;
    return ASSAY_OK;
}

/* node[c] is what became of node c: a node of the new tree, its only kept child's, or SIZE_MAX. */
static void prune_nodes(const assay_dendrogram *from, size_t *node, assay_dendrogram *to)
{
    size_t n_merges = 0;

    for (size_t t = 0; t + 1 < from->n; t++) {
        size_t a = node[from->children[2 * t]], b = node[from->children[2 * t + 1]];

        node[from->n + t] = a == SIZE_MAX ? b : a;
        if (a == SIZE_MAX || b == SIZE_MAX) continue;
        to->children[2 * n_merges] = a;
        to->children[2 * n_merges + 1] = b;
        to->height[n_merges] = from->height[t];
        node[from->n + t] = to->n + n_merges++;
    }
}

void assay_dendrogram_settle(assay_dendrogram *dendrogram, size_t *least)
{
    size_t n = dendrogram->n;

    for (size_t i = 0; i < n; i++) least[i] = i;
    dendrogram->n_tied = 0;
    for (size_t t = 0; t + 1 < n; t++) {
        size_t *pair = dendrogram->children + 2 * t, a = pair[0], b = pair[1];
        int swapped = least[b] < least[a];

        pair[0] = swapped ? b : a;
        pair[1] = swapped ? a : b;
        least[n + t] = least[pair[0]];
        if (t > 0 && dendrogram->height[t] - dendrogram->height[t - 1] <= ASSAY_SAME_DISTANCE)
            dendrogram->n_tied++;
    }
}
