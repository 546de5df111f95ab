/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/kmeans.h"
#include "dendrogram_oracle.h"
#include "failing_memory.h"

static const assay_kmeans_options usual = { .seed = 1, .restarts = 10, .threads = 2 };

/* The sum of cosines with the direction of each group's sum, which is the length of that sum. */
static double objective_of(const assay_vectors *x, const size_t *labels, size_t n_clusters)
{
    double *sum = malloc((x->d + 1) * sizeof *sum), total = 0.0;

    for (size_t c = 0; c < n_clusters; c++) {
        double square = 0.0;

        for (size_t k = 0; k <= x->d; k++) sum[k] = 0.0;
        for (size_t i = 0; i < x->n; i++) {
            if (labels[i] != c) continue;
            if (assay_vectors_is_zero(x, i)) sum[x->d] += 1.0;
            for (size_t k = 0; k < x->d; k++) sum[k] += x->dense[i * x->d + k];
        }
        for (size_t k = 0; k <= x->d; k++) square += sum[k] * sum[k];
        total += sqrt(square);
    }
    free(sum);
    return total;
}

/* Labels below n_clusters, all of them used, first met in ascending order. */
static void assert_is_partition(const size_t *labels, size_t n, size_t n_clusters)
{
    size_t seen = 0;

    for (size_t i = 0; i < n; i++) {
        assert_true(labels[i] <= seen);
        seen += labels[i] == seen;
    }
    assert_int_equal(seen, n_clusters);
}

static void clear_groups_are_found(void **state)
{
    const double x[] = { 0, 1, 1, 0, .1, 1, 1, .1, 0, 0, -1, 0, -1, .1, 0, 0 };
    const size_t expected[] = { 0, 1, 0, 1, 2, 3, 3, 2 };
    assay_vectors *vectors = vectors_of(x, 8, 2);
    size_t labels[8];
    double objective;

    (void)state;
    assert_int_equal(assay_kmeans(vectors, 4, &usual, labels, &objective), ASSAY_OK);
    assert_memory_equal(labels, expected, sizeof expected);
    /* Three pairs at the angle atan(.1), each 2 cos of its half, and the two zero vectors. */
    assert_true(fabs(objective - (6.0 * cos(atan(.1) / 2.0) + 2.0)) < 1e-12);
    assay_vectors_free(vectors);
}

/* The best of all partitions into three of nine vectors, by going through all 3^9 labellings. */
static void the_best_partition_of_few_vectors_is_found(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 31, ASSAY_PURPOSE_K_MEANS, 0);
    for (size_t trial = 0; trial < 10; trial++) {
        assay_vectors *x = random_vectors(&random, 9, 3, 0);
        size_t labels[9], found[9];
        double best = 0.0, objective;

        for (size_t code = 0; code < 19683; code++) {
            double reached;

            for (size_t i = 0, rest = code; i < 9; i++, rest /= 3) labels[i] = rest % 3;
            reached = objective_of(x, labels, 3);
            if (reached > best) best = reached;
        }
        /* Restarts climb to local optima; 200 of them have met the best in every trial. */
        assay_kmeans_options many = usual;
        many.restarts = 200;
        assert_int_equal(assay_kmeans(x, 3, &many, found, &objective), ASSAY_OK);
        assert_true(fabs(objective - best) < 1e-12);
        assert_true(fabs(objective_of(x, found, 3) - objective) < 1e-12);
        assay_vectors_free(x);
    }
}

static void any_number_of_groups_is_a_partition_even_of_copies(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 32, ASSAY_PURPOSE_K_MEANS, 0);
    assay_vectors *x = random_vectors(&random, 30, 3, 2);
    for (size_t n_clusters = 1; n_clusters <= 30; n_clusters++) {
        size_t labels[30];
        double objective;

        assert_int_equal(assay_kmeans(x, n_clusters, &usual, labels, &objective), ASSAY_OK);
        assert_is_partition(labels, 30, n_clusters);
        assert_true(fabs(objective - objective_of(x, labels, n_clusters)) < 1e-12);
    }
    assay_vectors_free(x);
}

static void no_vector_would_rather_be_elsewhere(void **state)
{
    enum { N = 80, D = 6, K = 7 };
    double centre[K][D] = { 0 };
    size_t labels[N];
    assay_random random;

    (void)state;
    assay_random_start(&random, 33, ASSAY_PURPOSE_K_MEANS, 0);
    assay_vectors *x = random_vectors(&random, N, D, 0);
    assert_int_equal(assay_kmeans(x, K, &usual, labels, NULL), ASSAY_OK);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < D; k++) centre[labels[i]][k] += x->dense[i * D + k];
    for (size_t i = 0; i < N; i++) {
        double cosine[K];

        for (size_t c = 0; c < K; c++) {
            double product = 0.0, square = 0.0;

            for (size_t k = 0; k < D; k++) {
                product += centre[c][k] * x->dense[i * D + k];
                square += centre[c][k] * centre[c][k];
            }
            cosine[c] = product / sqrt(square);
        }
        for (size_t c = 0; c < K; c++) assert_true(cosine[c] <= cosine[labels[i]] + 1e-12);
    }
    assay_vectors_free(x);
}

static void threads_and_storage_make_no_difference_and_the_seed_does(void **state)
{
    enum { N = 900, K = 60 }; /* enough for the threads to be used */
    size_t one[N], other[N];
    assay_kmeans_options options = { .seed = 1, .restarts = 2, .threads = 1 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 34, ASSAY_PURPOSE_K_MEANS, 0);
    assay_vectors *x = random_vectors(&random, N, 20, 0), *sparse = sparse_copy(x);
    assert_int_equal(assay_kmeans(x, K, &options, one, NULL), ASSAY_OK);
    for (options.threads = 2; options.threads <= 7; options.threads += 5) {
        assert_int_equal(assay_kmeans(x, K, &options, other, NULL), ASSAY_OK);
        assert_memory_equal(one, other, sizeof one);
        assert_int_equal(assay_kmeans(sparse, K, &options, other, NULL), ASSAY_OK);
        assert_memory_equal(one, other, sizeof one);
    }
    options.seed = 2;
    assert_int_equal(assay_kmeans(x, K, &options, other, NULL), ASSAY_OK);
    assert_memory_not_equal(one, other, sizeof one);
    assay_vectors_free(sparse);
    assay_vectors_free(x);
}

static int stop_at_third(void *user, const char *stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return ++*(size_t *)user == 3;
}

static void what_cannot_be_done_is_refused_in_a_sentence(void **state)
{
    const double x[] = { 1, 0, .8, .6, 0, 1 };
    assay_vectors *vectors = vectors_of(x, 3, 2);
    assay_kmeans_options options = usual;
    size_t labels[3], calls = 0;

    (void)state;
    assert_int_equal(assay_kmeans(vectors, 0, &options, labels, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "k-means: 0 clusters were asked for, expected 1 to 3");
    assert_int_equal(assay_kmeans(vectors, 4, &options, labels, NULL), ASSAY_E_VALUE);
    options.restarts = 0;
    assert_int_equal(assay_kmeans(vectors, 2, &options, labels, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "k-means: 0 restarts were asked for, expected 1 or more");
    options = usual;
    options.threads = 0;
    assert_int_equal(assay_kmeans(vectors, 2, &options, labels, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "k-means: threads is 0, expected 1 or more");
    options = usual;
    options.progress = (assay_progress){ stop_at_third, &calls };
    assert_int_equal(assay_kmeans(vectors, 2, &options, labels, NULL), ASSAY_E_CANCELLED);
    assert_int_equal(calls, 3);
    assay_vectors_free(vectors);
}

static assay_status cluster_freely(void *context)
{
    size_t labels[12];

    return assay_kmeans(context, 4, &usual, labels, NULL);
}

static void every_allocation_may_fail(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 35, ASSAY_PURPOSE_K_MEANS, 0);
    assay_vectors *x = random_vectors(&random, 12, 3, 0);
    assert_true(fail_every_allocation(cluster_freely, x) >= 6);
    assay_vectors_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_groups_are_found),
        cmocka_unit_test(the_best_partition_of_few_vectors_is_found),
        cmocka_unit_test(any_number_of_groups_is_a_partition_even_of_copies),
        cmocka_unit_test(no_vector_would_rather_be_elsewhere),
        cmocka_unit_test(threads_and_storage_make_no_difference_and_the_seed_does),
        cmocka_unit_test(what_cannot_be_done_is_refused_in_a_sentence),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
