/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/dbscan.h"
#include "dendrogram_oracle.h"
#include "failing_memory.h"

/* By hand: directions at 0, 10, 20, 50 and 90 degrees; within 15 degrees of the second are three. */
static void a_chain_and_two_outliers_are_as_by_hand(void **state)
{
    const double degree = 3.14159265358979323846 / 180.0, angle[] = { 50, 0, 10, 20, 90 };
    const double radius[] = { 1.0 - cos(15.0 * degree), 1.0 - cos(35.0 * degree) };
    const size_t expected[2][5] = { { 0, 1, 1, 1, 2 }, { 0, 0, 0, 0, 1 } };
    const assay_dbscan_options options = { radius, 2, 3, 1, { 0 } };
    size_t labels[2][5], n_noise[2];
    double x[10];

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        x[2 * i] = cos(angle[i] * degree);
        x[2 * i + 1] = sin(angle[i] * degree);
    }
    assay_vectors *vectors = vectors_of(x, 5, 2);
    assert_int_equal(assay_dbscan(vectors, &options, labels[0], n_noise), ASSAY_OK);
    assert_memory_equal(labels, expected, sizeof expected);
    assert_int_equal(n_noise[0], 2);
    assert_int_equal(n_noise[1], 1);
    assay_vectors_free(vectors);
}

/* As scikit-learn goes about it: from each unlabelled core vector in turn, to all that can be reached
   through core ones. */
static void flood(const assay_vectors *x, double radius, size_t min_samples, size_t *label)
{
    size_t n = x->n, *stack = malloc((n * n + 1) * sizeof *stack), n_stack, n_labels = 0;
    unsigned char *core = calloc(n, 1);

    for (size_t i = 0; i < n; i++) {
        size_t within = 0;

        for (size_t j = 0; j < n; j++) within += oracle_distance(x, i, j) <= radius + 1e-12;
        core[i] = within >= min_samples;
        label[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        if (label[i] != SIZE_MAX || !core[i]) continue;
        n_stack = 0;
        stack[n_stack++] = i;
        while (n_stack > 0) {
            size_t at = stack[--n_stack];

            if (label[at] != SIZE_MAX) continue;
            label[at] = n_labels;
            for (size_t j = 0; core[at] && j < n; j++)
                if (label[j] == SIZE_MAX && oracle_distance(x, at, j) <= radius + 1e-12)
                    stack[n_stack++] = j;
        }
        n_labels++;
    }
    for (size_t i = 0; i < n; i++)
        if (label[i] == SIZE_MAX) label[i] = n_labels++;
    free(core);
    free(stack);
}

static void assert_same_partition(const size_t *a, const size_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) assert_int_equal(a[i] == a[j], b[i] == b[j]);
}

static void partitions_are_those_of_a_flood_fill(void **state)
{
    const double radius[] = { 0, .05, .1, .2, .3, .5, 1, 2 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 41, ASSAY_PURPOSE_K_MEANS, 0);
    for (size_t trial = 0; trial < 24; trial++) {
        assay_vectors *x = random_vectors(&random, 40, 3, trial % 2 ? 4 : 0);
        assay_dbscan_options options = { radius, 8, 1 + trial / 2 % 6, 2, { 0 } };
        size_t labels[8][40], expected[40];

        assert_int_equal(assay_dbscan(x, &options, labels[0], NULL), ASSAY_OK);
        for (size_t k = 0; k < 8; k++) {
            size_t seen = 0;

            flood(x, radius[k], options.min_samples, expected);
            assert_same_partition(labels[k], expected, 40);
            for (size_t i = 0; i < 40; i++) {
                assert_true(labels[k][i] <= seen);
                seen += labels[k][i] == seen;
            }
        }
        assay_vectors_free(x);
    }
}

/* Cut between heights and at them. */
static void single_linkage_cut_at_the_radius_is_dbscan_without_noise(void **state)
{
    enum { N = 45 };
    assay_dendrogram_options single;
    assay_random random;

    (void)state;
    assay_random_start(&random, 42, ASSAY_PURPOSE_K_MEANS, 0);
    assay_dendrogram_options_init(&single, sizeof single);
    single.linkage = ASSAY_LINKAGE_SINGLE;
    for (size_t trial = 0; trial < 10; trial++) {
        assay_vectors *x = random_vectors(&random, N, 4, trial % 2 ? 3 : 0);
        assay_dendrogram *tree;

        assert_int_equal(assay_dendrogram_fit(x, &single, &tree), ASSAY_OK);
        for (size_t t = 0; t + 1 < N; t++) {
            size_t cut[N], labels[N], n_made = 0, n_noise, children[2];
            double height, radius;

            assay_dendrogram_merge(tree, t, children, &radius);
            for (size_t s = 0; s + 1 < N; s++) {
                assay_dendrogram_merge(tree, s, children, &height);
                n_made += height <= radius + 1e-12;
            }
            const assay_dbscan_options options = { &radius, 1, 1, 1, { 0 } };
            assert_int_equal(assay_dbscan(x, &options, labels, &n_noise), ASSAY_OK);
            assert_int_equal(assay_dendrogram_labels(tree, N - n_made, cut), ASSAY_OK);
            assert_memory_equal(labels, cut, sizeof cut);
            assert_int_equal(n_noise, 0);
        }
        assay_dendrogram_free(tree);
        assay_vectors_free(x);
    }
}

static void threads_make_no_difference(void **state)
{
    const double radius[] = { .1, .3 };
    size_t one[400], other[400];
    assay_random random;

    (void)state;
    assay_random_start(&random, 43, ASSAY_PURPOSE_K_MEANS, 0);
    assay_vectors *x = random_vectors(&random, 200, 4, 0);
    assay_dbscan_options options = { radius, 2, 4, 1, { 0 } };
    assert_int_equal(assay_dbscan(x, &options, one, NULL), ASSAY_OK);
    for (options.threads = 2; options.threads <= 7; options.threads += 5) {
        assert_int_equal(assay_dbscan(x, &options, other, NULL), ASSAY_OK);
        assert_memory_equal(one, other, sizeof one);
    }
    assay_vectors_free(x);
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    (void)fraction;
    return 1;
}

static void what_cannot_be_done_is_refused_in_a_sentence(void **state)
{
    const double x[] = { 1, 0, .8, .6, 0, 1 }, radius = .1, wrong = 3;
    assay_vectors *vectors = vectors_of(x, 3, 2), many = { .n = 50000, .d = 384 };
    assay_dbscan_options options = { &radius, 1, 1, 1, { 0 } };
    size_t labels[3];

    (void)state;
    assert_int_equal(assay_dbscan(&many, &options, labels, NULL), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(),
                        "DBSCAN of 50000 vectors needs the distances of all pairs, 9.3 GiB; the "
                        "most are 23170 vectors");
    options.min_samples = 0;
    assert_int_equal(assay_dbscan(vectors, &options, labels, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "DBSCAN: min_samples is 0, expected 1 or more");
    options.min_samples = 1;
    options.threads = 0;
    assert_int_equal(assay_dbscan(vectors, &options, labels, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "DBSCAN: threads is 0, expected 1 or more");
    options.threads = 1;
    options.radius = &wrong;
    assert_int_equal(assay_dbscan(vectors, &options, labels, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "DBSCAN: a radius is 3, expected 0 to 2");
    options.radius = &radius;
    options.progress.step = stop;
    assert_int_equal(assay_dbscan(vectors, &options, labels, NULL), ASSAY_E_CANCELLED);
    assay_vectors_free(vectors);
}

static assay_status cluster_freely(void *context)
{
    const double radius = .2;
    const assay_dbscan_options options = { &radius, 1, 2, 1, { 0 } };
    size_t labels[12];

    return assay_dbscan(context, &options, labels, NULL);
}

static void every_allocation_may_fail(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 44, ASSAY_PURPOSE_K_MEANS, 0);
    assay_vectors *x = random_vectors(&random, 12, 3, 0);
    assert_true(fail_every_allocation(cluster_freely, x) >= 4);
    assay_vectors_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_and_two_outliers_are_as_by_hand),
        cmocka_unit_test(partitions_are_those_of_a_flood_fill),
        cmocka_unit_test(single_linkage_cut_at_the_radius_is_dbscan_without_noise),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(what_cannot_be_done_is_refused_in_a_sentence),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
