/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/dendrogram.h"
#include "core/random.h"
#include "failing_memory.h"
#include "report/leaf_order.h"

#include <stdlib.h>

/* Random merges of random nodes: not canonical, but trees. */
static assay_dendrogram *random_tree(size_t n, uint64_t seed)
{
    size_t *left = malloc(n * sizeof *left), n_left = n;
    assay_dendrogram *tree;
    assay_random random;

    assert_non_null(left);
    assert_int_equal(assay_dendrogram_new(n, &tree), ASSAY_OK);
    assay_random_start(&random, seed, ASSAY_PURPOSE_TIE_ORDER, n);
    for (size_t i = 0; i < n; i++) left[i] = i;
    for (size_t t = 0; t + 1 < n; t++) {
        for (size_t c = 0; c < 2; c++) {
            size_t at = assay_random_below(&random, n_left);

            tree->children[2 * t + c] = left[at];
            left[at] = left[--n_left];
        }
        tree->height[t] = (double)t / (double)n;
        left[n_left++] = n + t;
    }
    free(left);
    return tree;
}

/* parent[node], the merge that takes it up; SIZE_MAX for the root. */
static void find_parents(const assay_dendrogram *tree, size_t *parent)
{
    size_t n = tree->n;

    parent[2 * n - 2] = SIZE_MAX;
    for (size_t t = 0; t + 1 < n; t++)
        for (size_t c = 0; c < 2; c++) parent[tree->children[2 * t + c]] = t;
}

/* By climbing: merges are numbered upwards, so the lower of two nodes climbs first. */
static size_t common_merge(size_t n, const size_t *parent, size_t a, size_t b)
{
    while (a != b) {
        if (parent[a] < parent[b])
            a = n + parent[a];
        else
            b = n + parent[b];
    }
    return a - n;
}

static void assert_subtrees_stand_together(const assay_dendrogram *tree,
                                           const assay_leaf_order *order)
{
    size_t n = tree->n, *first = malloc(2 * n * sizeof *first),
           *size = malloc(2 * n * sizeof *size);
    size_t *last = malloc(2 * n * sizeof *last);

    assert_true(first && last && size);
    for (size_t i = 0; i < n; i++) first[i] = SIZE_MAX;
    for (size_t k = 0; k < n; k++) {
        assert_true(order->leaf[k] < n && first[order->leaf[k]] == SIZE_MAX); /* each once */
        first[order->leaf[k]] = last[order->leaf[k]] = k;
        size[order->leaf[k]] = 1;
    }
    for (size_t t = 0; t + 1 < n; t++) {
        size_t a = tree->children[2 * t], b = tree->children[2 * t + 1];

        first[n + t] = first[a] < first[b] ? first[a] : first[b];
        last[n + t] = last[a] > last[b] ? last[a] : last[b];
        size[n + t] = size[a] + size[b];
        assert_int_equal(last[n + t] - first[n + t] + 1, size[n + t]);
    }
    free(first);
    free(last);
    free(size);
}

static void every_subtree_is_contiguous(void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 4, 5, 8, 33, 600 };

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            assay_dendrogram *tree = random_tree(sizes[s], seed);
            assay_leaf_order order;

            assert_int_equal(assay_leaf_order_new(tree, &order), ASSAY_OK);
            assert_int_equal(order.n, sizes[s]);
            assert_subtrees_stand_together(tree, &order);
            assay_leaf_order_free(&order);
            assay_dendrogram_free(tree);
        }
}

static void the_merge_of_two_places_is_their_lowest_common_ancestor(void **state)
{
    static const size_t sizes[] = { 2, 3, 4, 7, 8, 9, 64, 150 };
    size_t parent[300];

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t n = sizes[s];
        assay_dendrogram *tree = random_tree(n, 9);
        assay_leaf_order order;

        find_parents(tree, parent);
        assert_int_equal(assay_leaf_order_new(tree, &order), ASSAY_OK);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                if (a != b)
                    assert_int_equal(assay_leaf_order_merge(&order, a, b),
                                     common_merge(n, parent, order.leaf[a], order.leaf[b]));
        assay_leaf_order_free(&order);
        assay_dendrogram_free(tree);
    }
}

/* A tree as deep as it has leaves: nothing recurses. */
static void a_deep_tree_is_walked_too(void **state)
{
    enum { N = 100000 };
    assay_dendrogram *tree;
    assay_leaf_order order;

    (void)state;
    assert_int_equal(assay_dendrogram_new(N, &tree), ASSAY_OK);
    for (size_t t = 0; t + 1 < N; t++) {
        tree->children[2 * t] = t == 0 ? 0 : N + t - 1;
        tree->children[2 * t + 1] = t + 1;
        tree->height[t] = 0.0;
    }
    assert_int_equal(assay_leaf_order_new(tree, &order), ASSAY_OK);
    for (size_t k = 0; k < N; k++) assert_int_equal(order.leaf[k], k);
    assert_int_equal(assay_leaf_order_merge(&order, 0, N - 1), N - 2);
    assert_int_equal(assay_leaf_order_merge(&order, 5, 3), 4);
    assay_leaf_order_free(&order);
    assay_dendrogram_free(tree);
}

static assay_status make(void *context)
{
    assay_leaf_order order;
    assay_status status = assay_leaf_order_new(context, &order);

    assay_leaf_order_free(&order);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    assay_dendrogram *tree = random_tree(5, 1);

    (void)state;
    assert_int_equal(fail_every_allocation(make, tree), 4);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_subtree_is_contiguous),
        cmocka_unit_test(the_merge_of_two_places_is_their_lowest_common_ancestor),
        cmocka_unit_test(a_deep_tree_is_walked_too),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
