/* SPDX-License-Identifier: Apache-2.0 */
/* Every way to the merges against the loop that defines them, ties and all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/agglomerate.h"
#include "cluster/dendrogram.h"
#include "cluster/linkage.h"
#include "core/threads.h"
#include "dendrogram_oracle.h"

static const assay_linkage linkages[] = { ASSAY_LINKAGE_AVERAGE, ASSAY_LINKAGE_COMPLETE,
                                          ASSAY_LINKAGE_SINGLE };

static assay_dendrogram *fitted(const assay_vectors *x, assay_linkage linkage, uint64_t tie_order,
                                int threads)
{
    assay_dendrogram_options options;
    assay_dendrogram *tree;

    assay_dendrogram_options_init(&options, sizeof options);
    options.linkage = linkage;
    options.tie_order = tie_order;
    options.threads = threads;
    assert_int_equal(assay_dendrogram_fit(x, &options, &tree), ASSAY_OK);
    return tree;
}

/* The route of many vectors, taken for few. */
static assay_dendrogram *fitted_by_sums(const assay_vectors *x, uint64_t tie_order, int threads)
{
    assay_slot_merge *merges = malloc(x->n * sizeof *merges);
    size_t *order = malloc(x->n * sizeof *order);
    assay_dendrogram *tree;

    assay_tie_order(1, tie_order, x->n, order);
    assert_int_equal(assay_agglomerate_sums(x, order, threads, (assay_progress){ 0 }, merges),
                     ASSAY_OK);
    assert_int_equal(assay_dendrogram_from_merges(merges, order, x->n, &tree), ASSAY_OK);
    free(order);
    free(merges);
    return tree;
}

static void assert_equal_trees(const assay_dendrogram *a, const assay_dendrogram *b,
                               double tolerance)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->children, b->children, 2 * (a->n - 1) * sizeof *a->children);
    for (size_t t = 0; t + 1 < a->n; t++)
        assert_true(fabs(a->height[t] - b->height[t]) <= tolerance);
}

static void check_all_routes(const assay_vectors *x, uint64_t tie_order)
{
    size_t *order = malloc(x->n * sizeof *order);
    assay_vectors *sparse = sparse_copy(x);

    assay_tie_order(1, tie_order, x->n, order);
    for (size_t k = 0; k < 3; k++) {
        oracle_tree expected = oracle(x, linkages[k], order);
        assay_dendrogram *tree = fitted(x, linkages[k], tie_order, 2);
        assay_dendrogram *of_sparse = fitted(sparse, linkages[k], tie_order, 2);

        oracle_settle(&expected);
        assert_same_tree(tree, &expected);
        assert_equal_trees(tree, of_sparse, 0.0);
        assay_dendrogram_free(of_sparse);
        assay_dendrogram_free(tree);
        if (linkages[k] == ASSAY_LINKAGE_AVERAGE) {
            tree = fitted_by_sums(x, tie_order, 2);
            assert_same_tree(tree, &expected);
            assay_dendrogram_free(tree);
        }
        oracle_free(&expected);
    }
    assay_vectors_free(sparse);
    free(order);
}

static void every_route_is_the_loop_where_almost_all_distances_tie(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 11, ASSAY_PURPOSE_TIE_ORDER, 0);
    for (size_t trial = 0; trial < 400; trial++) {
        size_t n = 1 + (size_t)assay_random_below(&random, 40);
        size_t d = 1 + (size_t)assay_random_below(&random, 6);
        unsigned levels = 2 + (unsigned)assay_random_below(&random, 2);
        assay_vectors *x = random_vectors(&random, n, d, levels);

        check_all_routes(x, trial % 3);
        assay_vectors_free(x);
    }
}

static void every_route_is_the_loop_on_larger_sets_with_ties(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 12, ASSAY_PURPOSE_TIE_ORDER, 0);
    for (size_t trial = 0; trial < 4; trial++) {
        assay_vectors *x = random_vectors(&random, 150, 3 + trial, 3);

        check_all_routes(x, trial);
        assay_vectors_free(x);
    }
}

static void every_route_is_the_loop_without_ties(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 13, ASSAY_PURPOSE_TIE_ORDER, 0);
    for (size_t trial = 0; trial < 6; trial++) {
        assay_vectors *x = random_vectors(&random, 120, 2 + 7 * trial, 0);

        check_all_routes(x, trial % 2);
        assay_vectors_free(x);
    }
}

/* Templates: few fields, topics within them, many exact copies, and copies whose last bits moved, as
   an encoder's batches do. */
static assay_vectors *template_vectors(assay_random *random, size_t n, size_t d)
{
    double *x = assay_alloc_aligned(n * d, sizeof *x);
    assay_vectors *vectors;

    for (size_t i = 0; i < n; i++) {
        size_t other = i ? (size_t)assay_random_below(random, i) : 0;
        uint64_t kind = i ? assay_random_below(random, 5) : 4;

        for (size_t k = 0; k < d; k++) {
            double noise = assay_random_normal(random), base = x[other * d + k];

            x[i * d + k] = kind == 0   ? base
                           : kind == 1 ? base * (1.0 + 1e-15 * noise)
                           : kind == 2 ? base + 1e-4 * noise
                           : kind == 3 ? base + 0.3 * noise
                                       : noise;
        }
    }
    assert_int_equal(assay_vectors_from_dense(x, n, d, &vectors), ASSAY_OK);
    return vectors;
}

/* Heights to 1e-12: both routes are exact but for rounding, and no tie is wider. */
static void the_sums_give_the_tree_of_the_distances(void **state)
{
    static const size_t sizes[] = { 300, 700, 1200, 1900 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 14, ASSAY_PURPOSE_TIE_ORDER, 0);
    for (size_t k = 0; k < 4; k++) {
        assay_vectors *sets[3] = { random_vectors(&random, sizes[k], 40, 0),
                                   random_vectors(&random, sizes[k], 12, 3),
                                   template_vectors(&random, sizes[k], 48) };

        for (size_t s = 0; s < 3; s++) {
            assay_dendrogram *a = fitted(sets[s], ASSAY_LINKAGE_AVERAGE, s, 2);
            assay_dendrogram *b = fitted_by_sums(sets[s], s, 2);

            assert_equal_trees(a, b, 1e-12);
            assay_dendrogram_free(a);
            assay_dendrogram_free(b);
            assay_vectors_free(sets[s]);
        }
    }
}

static void threads_make_no_difference(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 15, ASSAY_PURPOSE_TIE_ORDER, 0);
    assay_vectors *x = template_vectors(&random, 600, 31), *sparse = sparse_copy(x);
    for (size_t k = 0; k < 3; k++) {
        assay_dendrogram *one = fitted(x, linkages[k], 0, 1);

        for (int threads = 2; threads <= 7; threads += 5) {
            assay_dendrogram *several = fitted(x, linkages[k], 0, threads);
            assay_dendrogram *of_sparse = fitted(sparse, linkages[k], 0, threads);

            assert_equal_trees(one, several, 0.0);
            assert_equal_trees(one, of_sparse, 0.0);
            assay_dendrogram_free(several);
            assay_dendrogram_free(of_sparse);
        }
        assay_dendrogram_free(one);
    }
    assay_vectors_free(sparse);
    assay_vectors_free(x);
}

/* In few dimensions neighbours are merged away from each other's lists over and over; lists of several
   clusters meet. */
static void the_sums_give_the_tree_of_the_distances_where_lists_run_out(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 18, ASSAY_PURPOSE_TIE_ORDER, 0);
    for (size_t trial = 0; trial < 40; trial++) {
        assay_vectors *x = random_vectors(&random, 100 + 15 * trial, 2 + trial % 4, 0);
        assay_dendrogram *a = fitted(x, ASSAY_LINKAGE_AVERAGE, 0, 1);
        assay_dendrogram *b = fitted_by_sums(x, 0, 1);

        assert_equal_trees(a, b, 1e-12);
        assay_dendrogram_free(a);
        assay_dendrogram_free(b);
        assay_vectors_free(x);
    }
}

/* So many and so long that the threads share each kind of comparison. */
static void threads_make_no_difference_to_the_sums(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 17, ASSAY_PURPOSE_TIE_ORDER, 0);
    assay_vectors *x = template_vectors(&random, 1100, 1000);
    assay_dendrogram *one = fitted_by_sums(x, 0, 1);
    for (int threads = 2; threads <= 7; threads += 5) {
        assay_dendrogram *several = fitted_by_sums(x, 0, threads);

        assert_equal_trees(one, several, 0.0);
        assay_dendrogram_free(several);
    }
    assay_dendrogram_free(one);
    assay_vectors_free(x);
}

static void several_orders_at_once_are_those_taken_alone(void **state)
{
    assay_dendrogram_options options;
    assay_dendrogram *trees[4];
    assay_random random;

    (void)state;
    assay_random_start(&random, 16, ASSAY_PURPOSE_TIE_ORDER, 0);
    assay_vectors *x = random_vectors(&random, 60, 4, 3);
    assay_dendrogram_options_init(&options, sizeof options);
    assert_int_equal(assay_dendrogram_fit_orders(x, &options, 4, trees), ASSAY_OK);
    for (size_t k = 0; k < 4; k++) {
        assay_dendrogram *alone = fitted(x, ASSAY_LINKAGE_AVERAGE, k, 1);

        assert_equal_trees(trees[k], alone, 0.0);
        assay_dendrogram_free(alone);
        assay_dendrogram_free(trees[k]);
    }
    assay_vectors_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_route_is_the_loop_where_almost_all_distances_tie),
        cmocka_unit_test(every_route_is_the_loop_on_larger_sets_with_ties),
        cmocka_unit_test(every_route_is_the_loop_without_ties),
        cmocka_unit_test(the_sums_give_the_tree_of_the_distances),
        cmocka_unit_test(the_sums_give_the_tree_of_the_distances_where_lists_run_out),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(threads_make_no_difference_to_the_sums),
        cmocka_unit_test(several_orders_at_once_are_those_taken_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
