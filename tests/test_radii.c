/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/dbscan.h"
#include "cluster/radii.h"
#include "dendrogram_oracle.h"

enum { MOST = 40 };

static size_t n_clusters_of(const size_t *labels, size_t n)
{
    size_t most = 0;

    for (size_t i = 0; i < n; i++) most = labels[i] > most ? labels[i] : most;
    return most + 1;
}

static void radii_ascend_until_all_are_together(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 4, 1, 0);
    for (int trial = 0; trial < 40; trial++) {
        size_t n = 2 + (size_t)assay_random_below(&random, MOST - 1), n_radii, few;
        size_t min_samples = 1 + (size_t)assay_random_below(&random, 5);
        assay_vectors *vectors = random_vectors(&random, n, 4, trial % 2 ? 0 : 3);
        double radius[2 * MOST], thinned[5];
        size_t *labels = malloc(2 * MOST * n * sizeof *labels);

        assert_int_equal(assay_dbscan_radii(vectors, min_samples, 1, 2 * MOST, radius, &n_radii),
                         ASSAY_OK);
        assert_true(radius[0] == 0.0 && n_radii <= 2 * n);
        for (size_t k = 1; k < n_radii; k++) assert_true(radius[k] > radius[k - 1] + 1e-12);
        assay_dbscan_options options = { radius, n_radii, min_samples, 1, { 0 } };
        assert_int_equal(assay_dbscan(vectors, &options, labels, NULL), ASSAY_OK);
        if (min_samples <= n)
            assert_int_equal(n_clusters_of(labels + (n_radii - 1) * n, n), 1);
        else
            assert_int_equal(n_radii, 1);
        assert_int_equal(assay_dbscan_radii(vectors, min_samples, 2, 5, thinned, &few), ASSAY_OK);
        assert_int_equal(few, n_radii < 5 ? n_radii : 5);
        assert_true(thinned[0] == 0.0 && thinned[few - 1] == radius[n_radii - 1]);
        free(labels);
        assay_vectors_free(vectors);
    }
}

/* Every radius between all pairs' distances tried: the partitions of core vectors that occur are no
   more than those at the radii chosen. Vectors at an edge may change between, so only min_samples
   of 1 and 2, where none is both not core and within reach. */
static void no_partition_of_core_vectors_is_missed(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 5, 1, 0);
    for (int trial = 0; trial < 30; trial++) {
        size_t n = 2 + (size_t)assay_random_below(&random, 10), n_radii, n_all = 0;
        size_t min_samples = 1 + (size_t)trial % 2;
        assay_vectors *vectors = random_vectors(&random, n, 3, 0);
        double radius[2 * MOST], all[66];
        size_t chosen[24 * 11], every[66 * 11];

        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++) all[n_all++] = oracle_distance(vectors, i, j);
        assert_int_equal(assay_dbscan_radii(vectors, min_samples, 1, 2 * MOST, radius, &n_radii),
                         ASSAY_OK);
        assay_dbscan_options options = { radius, n_radii, min_samples, 1, { 0 } };
        assert_int_equal(assay_dbscan(vectors, &options, chosen, NULL), ASSAY_OK);
        options.radius = all;
        options.n_radii = n_all;
        assert_int_equal(assay_dbscan(vectors, &options, every, NULL), ASSAY_OK);
        for (size_t k = 0; k < n_all; k++) {
            size_t at = 0;
            while (at < n_radii && memcmp(chosen + at * n, every + k * n, n * sizeof *chosen) != 0)
                at++;
            assert_true(at < n_radii);
        }
        assay_vectors_free(vectors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radii_ascend_until_all_are_together),
        cmocka_unit_test(no_partition_of_core_vectors_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
