/* SPDX-License-Identifier: Apache-2.0 */
#include "report/leaf_order.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

static void walk(const assay_dendrogram *tree, size_t *stack, assay_leaf_order *order);
static void make_table(assay_leaf_order *order);

static size_t levels_of(size_t n)
{
    size_t levels = 1;

    while ((size_t)1 << levels <= n) levels++;
    return levels;
}

assay_status assay_leaf_order_new(const assay_dendrogram *tree, assay_leaf_order *order)
{
    size_t n = assay_dendrogram_n(tree), *stack = assay_alloc(2 * n, sizeof *stack);

    *order = (assay_leaf_order){ .n = n };
    order->leaf = assay_alloc(n, sizeof *order->leaf);
    order->join = assay_alloc_zero(n, sizeof *order->join);
    order->most = assay_alloc(levels_of(n) * n, sizeof *order->most);
    if (!stack || !order->leaf || !order->join || !order->most) {
        free(stack);
        return assay_fail(ASSAY_E_NOMEM, "no memory for the order of %zu leaves", n);
    }
    walk(tree, stack, order);
    make_table(order);
    free(stack);
    return ASSAY_OK;
}

void assay_leaf_order_free(assay_leaf_order *order)
{
    free(order->leaf);
    free(order->join);
    free(order->most);
    *order = (assay_leaf_order){ 0 };
}

/* Depth first, the first child to the left. Between its two children a node leaves its own number (n +
   its merge) on the stack a second time: as the join of the places on both sides. */
static void walk(const assay_dendrogram *tree, size_t *stack, assay_leaf_order *order)
{
    size_t n = order->n, depth = 0, places = 0, n_nodes = 2 * n - 1;

    stack[depth++] = n_nodes - 1;
    while (depth > 0) {
        size_t node = stack[--depth], children[2];
        double height;

        if (node >= n_nodes) { /* a mark */
            order->join[places - 1] = node - n_nodes - n;
        } else if (node < n) {
            order->leaf[places++] = node;
        } else {
            assay_dendrogram_merge(tree, node - n, children, &height);
            stack[depth++] = children[1];
            stack[depth++] = n_nodes + node;
            stack[depth++] = children[0];
        }
    }
}

static void make_table(assay_leaf_order *order)
{
    size_t n = order->n, levels = levels_of(n);

    for (size_t k = 0; k < n; k++) order->most[k] = order->join[k];
    for (size_t j = 1; j < levels; j++) {
        const size_t *half = order->most + (j - 1) * n;

        for (size_t k = 0; k < n; k++) {
            size_t other = k + ((size_t)1 << (j - 1)) < n ? half[k + ((size_t)1 << (j - 1))] : 0;
            order->most[j * n + k] = half[k] > other ? half[k] : other;
        }
    }
}

/* Merges are numbered upwards, so that the common ancestor is the largest join between two places. */
size_t assay_leaf_order_merge(const assay_leaf_order *order, size_t a, size_t b)
{
    size_t from = a < b ? a : b, length = a < b ? b - a : a - b, j = 0, first, second;

    while ((size_t)2 << j <= length) j++;
    first = order->most[j * order->n + from];
    second = order->most[j * order->n + from + length - ((size_t)1 << j)];
    return first > second ? first : second;
}
