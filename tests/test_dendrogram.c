/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/agglomerate.h"
#include "cluster/dendrogram.h"
#include "cluster/linkage.h"
#include "dendrogram_oracle.h"
#include "failing_memory.h"

static assay_dendrogram *average_tree(const assay_vectors *x)
{
    assay_dendrogram *tree;

    assert_int_equal(assay_dendrogram_fit(x, NULL, &tree), ASSAY_OK);
    return tree;
}

static void assert_merges(const assay_dendrogram *tree, const size_t *children,
                          const double *heights)
{
    for (size_t t = 0; t + 1 < assay_dendrogram_n(tree); t++) {
        size_t pair[2];
        double height;

        assay_dendrogram_merge(tree, t, pair, &height);
        assert_int_equal(pair[0], children[2 * t]);
        assert_int_equal(pair[1], children[2 * t + 1]);
        assert_true(fabs(height - heights[t]) < 1e-14); /* a few roundings of numbers near 1 */
    }
}

/* By hand: d12 = .2, d13 = 1, d23 = .4. */
static void three_vectors_merge_as_by_hand(void **state)
{
    const double x[] = { 1, 0, .8, .6, 0, 1 };
    const size_t children[] = { 0, 1, 3, 2 };
    const double average[] = { .2, .7 }, complete[] = { .2, 1 }, single[] = { .2, .4 };
    const double *heights[] = { average, complete, single };
    assay_vectors *vectors = vectors_of(x, 3, 2);
    assay_dendrogram_options options;

    (void)state;
    for (int linkage = 0; linkage < 3; linkage++) {
        assay_dendrogram *tree;

        assay_dendrogram_options_init(&options, sizeof options);
        options.linkage = (assay_linkage)linkage;
        assert_int_equal(assay_dendrogram_fit(vectors, &options, &tree), ASSAY_OK);
        assert_merges(tree, children, heights[linkage]);
        assert_int_equal(assay_dendrogram_n_tied(tree), 0);
        assay_dendrogram_free(tree);
    }
    assay_vectors_free(vectors);
}

/* V5 of the reference: three copies, two copies, and one between. */
static void ties_go_to_the_smallest_leaves(void **state)
{
    const double x[] = { 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1 };
    const size_t children[] = { 0, 2, 6, 4, 1, 3, 7, 5, 9, 8 };
    const double heights[] = { 0, 0, 0, 0.29289321881345254, 0.8232233047033631 };
    const size_t cut3[] = { 0, 1, 0, 1, 0, 2 }, cut5[] = { 0, 1, 0, 2, 3, 4 };
    assay_vectors *vectors = vectors_of(x, 6, 2);
    assay_dendrogram *tree = average_tree(vectors);
    size_t labels[6];

    (void)state;
    assert_merges(tree, children, heights);
    assert_int_equal(assay_dendrogram_n_tied(tree), 2);
    assert_int_equal(assay_dendrogram_labels(tree, 3, labels), ASSAY_OK);
    assert_memory_equal(labels, cut3, sizeof cut3);
    assert_int_equal(assay_dendrogram_labels(tree, 5, labels), ASSAY_OK);
    assert_memory_equal(labels, cut5, sizeof cut5);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

/* Zero vectors are together before anything that differs, and at 1 from the rest. */
static void zero_vectors_are_alike_and_unlike_all_others(void **state)
{
    const double x[] = { 0, 0, 1, 0, 0, 0, .8, .6 };
    const size_t children[] = { 0, 2, 1, 3, 4, 5 };
    const double heights[] = { 0, .2, 1 };
    assay_vectors *vectors = vectors_of(x, 4, 2);
    assay_dendrogram *tree = average_tree(vectors);

    (void)state;
    assert_merges(tree, children, heights);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

static void one_vector_is_a_tree_of_one_leaf(void **state)
{
    const double x[] = { 3, 4 };
    assay_vectors *vectors = vectors_of(x, 1, 2);
    assay_dendrogram *tree = average_tree(vectors);
    size_t label = 7;

    (void)state;
    assert_int_equal(assay_dendrogram_n(tree), 1);
    assert_int_equal(assay_dendrogram_labels(tree, 1, &label), ASSAY_OK);
    assert_int_equal(label, 0);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

/* A cut into S has S labels, first met in the order 0, 1, ..., and joining two of them gives S - 1. */
static void cuts_are_nested_and_numbered_by_first_appearance(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 21, ASSAY_PURPOSE_TIE_ORDER, 0);
    assay_vectors *vectors = random_vectors(&random, 50, 3, 3);
    assay_dendrogram *tree = average_tree(vectors);
    size_t fine[50], coarse[50];
    for (size_t n_clusters = 50; n_clusters > 1; n_clusters--) {
        size_t seen = 0;

        assert_int_equal(assay_dendrogram_labels(tree, n_clusters, fine), ASSAY_OK);
        assert_int_equal(assay_dendrogram_labels(tree, n_clusters - 1, coarse), ASSAY_OK);
        for (size_t i = 0; i < 50; i++) {
            assert_true(fine[i] <= seen);
            seen += fine[i] == seen;
            for (size_t j = 0; j < i; j++)
                if (fine[i] == fine[j]) assert_int_equal(coarse[i], coarse[j]);
        }
        assert_int_equal(seen, n_clusters);
    }
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

static void pruning_drops_leaves_and_splices_nodes(void **state)
{
    const double x[] = { 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1 };
    const unsigned char keep[] = { 0, 1, 1, 0, 1, 1 };
    const size_t children[] = { 1, 2, 4, 3, 0, 5 }, which[] = { 1, 2, 4, 5 };
    const double heights[] = { 0, 0.29289321881345254, 0.8232233047033631 };
    assay_vectors *vectors = vectors_of(x, 6, 2);
    assay_dendrogram *tree = average_tree(vectors), *pruned;
    size_t kept[4];

    (void)state;
    assert_int_equal(assay_dendrogram_prune(tree, keep, kept, &pruned), ASSAY_OK);
    assert_int_equal(assay_dendrogram_n(pruned), 4);
    assert_merges(pruned, children, heights);
    assert_memory_equal(kept, which, sizeof which);
    assay_dendrogram_free(pruned);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

/* Two leaves are first together in the same merge, at the same height, as in the whole tree. */
static void a_pruned_tree_joins_its_leaves_as_the_whole_one(void **state)
{
    enum { N = 40 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 22, ASSAY_PURPOSE_TIE_ORDER, 0);
    assay_vectors *vectors = random_vectors(&random, N, 5, 0);
    assay_dendrogram *tree = average_tree(vectors), *pruned;
    unsigned char keep[N];
    size_t kept[N], all[N], few[N];
    for (size_t i = 0; i < N; i++)
        keep[i] = (unsigned char)(i == 3 || assay_random_below(&random, 2));
    assert_int_equal(assay_dendrogram_prune(tree, keep, kept, &pruned), ASSAY_OK);
    /* Right after the whole tree's merge of some height, the pruned one has made as many merges as
       have at most that height, and the leaves lie together alike. */
    for (size_t t = 0; t + 1 < N; t++) {
        size_t n_made = 0, n = assay_dendrogram_n(pruned);

        while (n_made + 1 < n && pruned->height[n_made] <= tree->height[t]) n_made++;
        assert_int_equal(assay_dendrogram_labels(tree, N - t - 1, all), ASSAY_OK);
        assert_int_equal(assay_dendrogram_labels(pruned, n - n_made, few), ASSAY_OK);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < a; b++)
                assert_int_equal(few[a] == few[b], all[kept[a]] == all[kept[b]]);
    }
    assay_dendrogram_free(pruned);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

static void assert_refused(assay_status status, assay_status expected, const char *sentence)
{
    assert_int_equal(status, expected);
    assert_string_equal(assay_last_error(), sentence);
}

static void what_cannot_be_done_is_refused_in_a_sentence(void **state)
{
    const double x[] = { 1, 0, .8, .6, 0, 1 };
    const unsigned char none[] = { 0, 0, 0 };
    assay_vectors *vectors = vectors_of(x, 3, 2),
                  many = { .n = 50000, .d = 384, .dense = vectors->dense };
    assay_dendrogram_options options;
    assay_dendrogram *tree = average_tree(vectors), *other = tree;
    size_t labels[3];

    (void)state;
    assert_refused(assay_dendrogram_labels(tree, 0, labels), ASSAY_E_VALUE,
                   "a cut into 0 clusters was asked for, expected 1 to 3");
    assert_refused(assay_dendrogram_labels(tree, 4, labels), ASSAY_E_VALUE,
                   "a cut into 4 clusters was asked for, expected 1 to 3");
    assert_refused(assay_dendrogram_prune(tree, none, NULL, &other), ASSAY_E_SHAPE,
                   "no leaf of a dendrogram of 3 is kept");
    assert_null(other);
    assay_dendrogram_options_init(&options, sizeof options);
    options.linkage = (assay_linkage)3;
    assert_refused(assay_dendrogram_fit(vectors, &options, &other), ASSAY_E_VALUE,
                   "dendrogram: linkage is 3, expected 0 to 2");
    options.linkage = ASSAY_LINKAGE_SINGLE;
    options.threads = -1;
    assert_refused(assay_dendrogram_fit(vectors, &options, &other), ASSAY_E_VALUE,
                   "dendrogram: threads is -1, expected 0 to 1024");
    options.threads = 0;
    options.struct_size = 1;
    assert_refused(assay_dendrogram_fit(vectors, &options, &other), ASSAY_E_VALUE,
                   "dendrogram: struct_size 1 is not understood");
    options.struct_size = sizeof options;
    assert_refused(
        assay_dendrogram_fit(&many, &options, &other), ASSAY_E_SHAPE,
        "single linkage of 50000 dense vectors needs the distances of all pairs, 9.3 GiB; "
        "the most are 23170 vectors, and average linkage of dense vectors has no limit");
    assert_null(other);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

static int stop_when_asked(void *user, const char *stage, double fraction)
{
    size_t *left = user;

    assert_non_null(stage);
    assert_true(fraction >= 0.0 && fraction <= 1.0);
    return (*left)-- == 0;
}

/* At whichever call it says so; by the distances of all pairs and by sums. */
static void progress_can_cancel(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 23, ASSAY_PURPOSE_TIE_ORDER, 0);
    assay_vectors *vectors = random_vectors(&random, 600, 6, 0);
    assay_slot_merge *merges = malloc(600 * sizeof *merges);
    size_t order[600], n_cancelled = 0;
    assay_tie_order(1, 0, 600, order);
    for (size_t calls = 0;; calls++) {
        size_t left = calls;
        assay_dendrogram_options options;
        assay_dendrogram *tree;
        assay_status status;

        assay_dendrogram_options_init(&options, sizeof options);
        options.threads = 1;
        options.progress = (assay_progress){ stop_when_asked, &left };
        status = assay_dendrogram_fit(vectors, &options, &tree);
        assay_dendrogram_free(tree);
        if (status == ASSAY_OK) break;
        assert_int_equal(status, ASSAY_E_CANCELLED);
        n_cancelled++;
    }
    assert_true(n_cancelled > 5);
    for (size_t calls = 0; calls < 4; calls++) {
        size_t left = calls;
        assay_progress progress = { stop_when_asked, &left };

        assert_int_equal(assay_agglomerate_sums(vectors, order, 1, progress, merges),
                         ASSAY_E_CANCELLED);
    }
    free(merges);
    assay_vectors_free(vectors);
}

static assay_status fit_freely(void *context)
{
    assay_dendrogram_options options;
    assay_dendrogram *trees[2];
    assay_status status;

    assay_dendrogram_options_init(&options, sizeof options);
    options.threads = 2;
    status = assay_dendrogram_fit_orders(context, &options, 2, trees);
    if (status == ASSAY_OK) {
        size_t labels[20];
        unsigned char keep[20] = { 0, 1, 1, 1 };
        assay_dendrogram *pruned = NULL;

        status = assay_dendrogram_labels(trees[0], 5, labels);
        if (status == ASSAY_OK) status = assay_dendrogram_prune(trees[1], keep, NULL, &pruned);
        assay_dendrogram_free(pruned);
    }
    assay_dendrogram_free(trees[0]);
    assay_dendrogram_free(trees[1]);
    return status;
}

static assay_status fit_by_sums_freely(void *context)
{
    assay_slot_merge merges[20];
    size_t order[20];

    assay_tie_order(1, 0, 20, order);
    return assay_agglomerate_sums(context, order, 2, (assay_progress){ 0 }, merges);
}

static void every_allocation_may_fail(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 24, ASSAY_PURPOSE_TIE_ORDER, 0);
    assay_vectors *vectors = random_vectors(&random, 20, 3, 2), *sparse = sparse_copy(vectors);
    assert_true(fail_every_allocation(fit_freely, vectors) > 10);
    assert_true(fail_every_allocation(fit_freely, sparse) > 10);
    assert_true(fail_every_allocation(fit_by_sums_freely, vectors) > 10);
    assay_vectors_free(vectors);
    assay_vectors_free(sparse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_vectors_merge_as_by_hand),
        cmocka_unit_test(ties_go_to_the_smallest_leaves),
        cmocka_unit_test(zero_vectors_are_alike_and_unlike_all_others),
        cmocka_unit_test(one_vector_is_a_tree_of_one_leaf),
        cmocka_unit_test(cuts_are_nested_and_numbered_by_first_appearance),
        cmocka_unit_test(pruning_drops_leaves_and_splices_nodes),
        cmocka_unit_test(a_pruned_tree_joins_its_leaves_as_the_whole_one),
        cmocka_unit_test(what_cannot_be_done_is_refused_in_a_sentence),
        cmocka_unit_test(progress_can_cancel),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
