/* SPDX-License-Identifier: Apache-2.0 */
/* What the report draws of prompts: near pairs, the map, the tree's cuts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/near_pairs.h"
#include "assay/prompt_map.h"
#include "assay/tree_cuts.h"
#include "core/memory.h"
#include "failing_memory.h"
#include "stats/linalg.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const assay_progress none;

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static assay_vectors *vectors_of(const double *values, size_t n, size_t d)
{
    double *dense = assay_alloc_aligned(n * d, sizeof *dense);
    assay_vectors *vectors;

    assert_non_null(dense);
    memcpy(dense, values, n * d * sizeof *dense);
    assert_int_equal(assay_vectors_from_dense(dense, n, d, &vectors), ASSAY_OK);
    return vectors;
}

static assay_vectors *random_vectors(size_t n, size_t d, uint64_t seed)
{
    double *values = malloc(n * d * sizeof *values);
    assay_vectors *vectors;

    assert_non_null(values);
    for (size_t k = 0; k < n * d; k++) values[k] = uniform(&seed) - 0.2;
    vectors = vectors_of(values, n, d);
    free(values);
    return vectors;
}

static assay_dendrogram *tree_of(const assay_vectors *vectors)
{
    assay_dendrogram *tree;

    assert_int_equal(assay_dendrogram_fit(vectors, NULL, &tree), ASSAY_OK);
    return tree;
}

/* ---- near pairs ---- */

static void near_pairs_as_brute_force_has_them(void **state)
{
    enum { N = 120, MOST = 50 };
    const double least = 0.9;
    assay_vectors *vectors = random_vectors(N, 4, 11);
    assay_dendrogram *tree = tree_of(vectors);
    assay_near_pair all[N * N], few[MOST];
    size_t n, n_found, expected = 0, n_few, n_found_few;

    (void)state;
    assert_int_equal(assay_near_pairs_find(vectors, tree, least, N * N, 0, none, all, &n, &n_found),
                     ASSAY_OK);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++) expected += assay_vectors_dot(vectors, i, j) >= least;
    assert_true(expected > MOST && n == expected && n_found == expected);
    for (size_t k = 0; k < n; k++) {
        assert_true(all[k].a < all[k].b);
        /* 1 less a distance that is 1 less a product: two roundings near 1 */
        assert_true(fabs(all[k].similarity - assay_vectors_dot(vectors, all[k].a, all[k].b)) <
                    1e-15 * 4);
        if (k > 0) assert_true(all[k - 1].similarity >= all[k].similarity);
    }
    assert_int_equal(
        assay_near_pairs_find(vectors, tree, least, MOST, 1, none, few, &n_few, &n_found_few),
        ASSAY_OK);
    assert_true(n_few == MOST && n_found_few == expected);
    assert_memory_equal(few, all, sizeof few);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

/* 5,200 prompts, of which every tenth is there twice, next to each other in the tree: all copies are
   found beyond the size to which all pairs are compared. */
static void copies_among_many_are_found(void **state)
{
    enum { N = 5200, D = 16, COPIES = N / 10 };
    double *values = malloc(sizeof(double[N * D]));
    uint64_t seed = 2;
    assay_vectors *vectors;
    assay_dendrogram *tree;
    assay_near_pair *got = malloc(sizeof(assay_near_pair[2 * COPIES]));
    size_t n, n_found;

    (void)state;
    assert_true(values && got);
    for (size_t k = 0; k < (size_t)N * D; k++) values[k] = uniform(&seed) - 0.5;
    for (size_t c = 0; c < COPIES; c++)
        memcpy(values + (10 * c + 7) * D, values + (10 * c) * D, D * sizeof *values);
    vectors = vectors_of(values, N, D);
    tree = tree_of(vectors);
    assert_int_equal(
        assay_near_pairs_find(vectors, tree, 1.0, (size_t)2 * COPIES, 0, none, got, &n, &n_found),
        ASSAY_OK);
    assert_int_equal(n_found, COPIES);
    for (size_t k = 0; k < n; k++)
        assert_true(got[k].a == 10 * k && got[k].b == 10 * k + 7 && got[k].similarity == 1.0);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
    free(values);
    free(got);
}

/* ---- the map ---- */

/* Against the eigenvalues of the covariance: the places' variances along both axes are the two largest, which
   the power method has to 1e-6 of the first after 200 steps here. */
static void the_map_has_the_first_components(void **state)
{
    enum { N = 60, D = 5 };
    assay_vectors *vectors = random_vectors(N, D, 4);
    double x[N], y[N], share, mean[D] = { 0 }, covariance[D * D] = { 0 }, value[D], total = 0.0;
    double along_x = 0.0, along_y = 0.0, across = 0.0;

    (void)state;
    assert_int_equal(assay_prompt_map_find(vectors, x, y, &share), ASSAY_OK);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < D; k++) mean[k] += vectors->dense[i * D + k] / N;
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < D; k++)
            for (size_t l = 0; l < D; l++)
                covariance[k * D + l] +=
                    (vectors->dense[i * D + k] - mean[k]) * (vectors->dense[i * D + l] - mean[l]);
        along_x += x[i] * x[i];
        along_y += y[i] * y[i];
        across += x[i] * y[i];
    }
    for (size_t k = 0; k < D; k++) total += covariance[k * D + k];
    assert_int_equal(assay_linalg_eigenvectors(D, covariance, value), ASSAY_OK);
    assert_true(fabs(along_x - fmax(value[0], value[D - 1])) < 1e-6 * along_x);
    assert_true(fabs(along_y - fmax(value[1], value[D - 2])) < 1e-6 * along_x);
    assert_true(fabs(across) < 1e-6 * along_x);
    assert_true(fabs(share - (along_x + along_y) / total) < 1e-9);
    assay_vectors_free(vectors);
}

static void alike_prompts_stand_at_one_place(void **state)
{
    static const double alike[] = { 1, 0, 1, 0, 1, 0 };
    assay_vectors *vectors = vectors_of(alike, 3, 2);
    double x[3], y[3], share;

    (void)state;
    assert_int_equal(assay_prompt_map_find(vectors, x, y, &share), ASSAY_OK);
    for (size_t i = 0; i < 3; i++) assert_true(x[i] == 0.0 && y[i] == 0.0);
    assert_true(isnan(share));
    assay_vectors_free(vectors);
}

/* ---- the tree ---- */

/* The tree's own heights are what cuts are held to; the tree is tested elsewhere. */
static void cuts_lie_between_merges(void **state)
{
    static const double post[] = { 0.2, 0.0, 0.5, 0.3 };
    assay_vectors *vectors = random_vectors(4, 3, 8);
    assay_dendrogram *tree = tree_of(vectors);
    size_t leaves[4], seen[4] = { 0 }, children[2];
    double height[3];
    assay_tree_cut cuts[4];

    (void)state;
    for (size_t t = 0; t < 3; t++) assay_dendrogram_merge(tree, t, children, &height[t]);
    assert_int_equal(assay_tree_cuts_find(tree, post, 1e-6, cuts), 3);
    assert_true(cuts[0].clusters == 1 && cuts[0].low == height[2] && isinf(cuts[0].high));
    assert_true(cuts[1].clusters == 3 && cuts[1].low == height[0] && cuts[1].high == height[1]);
    assert_true(cuts[2].clusters == 4 && cuts[2].low == 0.0 && cuts[2].high == height[0]);
    assert_true(cuts[1].p == 0.5);
    assert_int_equal(assay_tree_leaves(tree, leaves), ASSAY_OK);
    for (size_t k = 0; k < 4; k++) seen[leaves[k]]++;
    for (size_t k = 0; k < 4; k++) assert_int_equal(seen[k], 1);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
}

static assay_status do_all(void *data)
{
    assay_vectors *vectors = data;
    double x[30], y[30], share;
    assay_near_pair pairs[10];
    size_t n, n_found, leaves[30];
    assay_dendrogram *tree;
    assay_status status = assay_dendrogram_fit(vectors, NULL, &tree);

    if (status == ASSAY_OK) status = assay_prompt_map_find(vectors, x, y, &share);
    if (status == ASSAY_OK)
        status = assay_near_pairs_find(vectors, tree, 0.5, 10, 1, none, pairs, &n, &n_found);
    if (status == ASSAY_OK) status = assay_tree_leaves(tree, leaves);
    assay_dendrogram_free(tree);
    return status;
}

static void memory_may_fail(void **state)
{
    assay_vectors *vectors = random_vectors(30, 3, 1);

    (void)state;
    assert_true(fail_every_allocation(do_all, vectors) > 6);
    assay_vectors_free(vectors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_pairs_as_brute_force_has_them),
        cmocka_unit_test(copies_among_many_are_found),
        cmocka_unit_test(the_map_has_the_first_components),
        cmocka_unit_test(alike_prompts_stand_at_one_place),
        cmocka_unit_test(cuts_lie_between_merges),
        cmocka_unit_test(memory_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
