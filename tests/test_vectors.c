/* SPDX-License-Identifier: Apache-2.0 */
#include "text/vectors.h"

#include "core/memory.h"
#include "core/random.h"
#include "failing_memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, expected %.17g", value, expected);
}

static assay_status take(const double *values, size_t n, size_t d, assay_vectors **out)
{
    double *dense = assay_alloc_aligned(n * d, sizeof *dense);

    if (!dense) return ASSAY_E_NOMEM;
    memcpy(dense, values, n * d * sizeof *dense);
    return assay_vectors_from_dense(dense, n, d, out);
}

static void test_rows_get_length_one_and_zero_rows_stay(void **state)
{
    static const double values[] = { 3, 4, 0, 0, -6, 8, 0.3, 0.4 };
    assay_vectors *v;

    (void)state;
    assert_int_equal(take(values, 4, 2, &v), ASSAY_OK);
    assert_int_equal(assay_vectors_n(v), 4);
    assert_int_equal(assay_vectors_dimensions(v), 2);
    assert_int_equal(assay_vectors_n_zero(v), 1);
    assert_null(assay_vectors_term(v, 0));
    for (size_t i = 0; i < 4; i++) assert_int_equal(assay_vectors_is_zero(v, i), i == 1);
    assert_near(v->dense[0], 0.6, 0);
    assert_near(v->dense[5], 0.8, 0);
    assert_near(assay_vectors_dot(v, 0, 2), 0.28, 2.3e-16);
    assert_near(assay_vectors_dot(v, 1, 2), 0, 0);
    assay_vectors_free(v);
    assay_vectors_free(NULL);
}

/* Squares of these overflow or vanish; the directions are those of (1, 1), (3, 4) and (1, 0). */
static void test_no_size_of_numbers_is_too_large_or_small(void **state)
{
    static const double values[] = { 1.7e308, 1.7e308, 3e-320, 4e-320, 5e-324, 0, 1e200, 1e-200 };
    assay_vectors *v;

    (void)state;
    assert_int_equal(take(values, 4, 2, &v), ASSAY_OK);
    assert_int_equal(assay_vectors_n_zero(v), 0);
    assert_near(v->dense[0], sqrt(0.5), 2e-16);
    assert_near(v->dense[2], 0.6, 1e-3); /* subnormal numbers have few digits */
    assert_near(v->dense[3], 0.8, 1e-3);
    assert_near(v->dense[4], 1, 0);
    assert_near(v->dense[6], 1, 0);
    assert_near(v->dense[7], 0, 0);
    assay_vectors_free(v);
}

static void test_rows_that_differ_in_the_sign_of_a_zero_are_one(void **state)
{
    static const double values[] = { 0.0, 1, -0.0, 1, 0.0, -0.0, -0.0, 0.0, 1, 0, 2, -0.0, -1, 0 };
    assay_vectors *v;

    (void)state;
    assert_int_equal(take(values, 7, 2, &v), ASSAY_OK);
    assert_int_equal(assay_vectors_n_distinct(v), 4); /* up, zero, right, left */
    assert_int_equal(assay_vectors_n_zero(v), 2);
    for (size_t k = 0; k < 14; k++) assert_false(v->dense[k] == 0 && signbit(v->dense[k]));
    assay_vectors_free(v);
}

/* Against comparing every pair, for rows of few values among which many agree. */
static void test_distinct_rows_are_counted_as_by_comparing_all_pairs(void **state)
{
    enum { N = 120, D = 3 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int round = 0; round < 50; round++) {
        double values[N * D];
        size_t expected = 0;
        assay_vectors *v;

        for (size_t k = 0; k < N * D; k++) values[k] = (double)assay_random_below(&random, 4) - 1;
        assert_int_equal(take(values, N, D, &v), ASSAY_OK);
        for (size_t i = 0; i < N; i++) {
            size_t j = 0;
            while (memcmp(v->dense + j * D, v->dense + i * D, D * sizeof(double)) != 0) j++;
            expected += i == j;
        }
        assert_int_equal(assay_vectors_n_distinct(v), expected);
        assay_vectors_free(v);
    }
}

/* The same rows, dense and sparse: equal counts, and equal dot products to the last bit, because a
   product with 0 adds nothing. */
static void test_sparse_rows_give_what_dense_ones_give(void **state)
{
    enum { N = 30, D = 12 };
    static double values[N * D];
    static const char *texts[N];
    static char letters[N][64];
    assay_random random;
    assay_vectors *sparse, *dense;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t i = 0; i < N; i++) {
        const size_t n_words = (size_t)assay_random_below(&random, 8);

        for (size_t k = 0; k < n_words; k++) {
            const char c = (char)('a' + assay_random_below(&random, D));
            const char word[] = { c, c, ' ', '\0' };
            strcat(letters[i], word);
        }
        texts[i] = letters[i];
    }
    assert_int_equal(assay_vectors_tfidf(texts, N, NULL, &sparse), ASSAY_OK);
    assert_int_equal(assay_vectors_dimensions(sparse), D);
    for (size_t i = 0; i < N; i++)
        for (size_t e = sparse->start[i]; e < sparse->start[i + 1]; e++)
            values[i * D + sparse->column[e]] = sparse->value[e];
    assert_int_equal(take(values, N, D, &dense), ASSAY_OK);
    memcpy(dense->dense, values, sizeof values); /* as they were before their second scaling */
    assert_int_equal(dense->n_zero, sparse->n_zero);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            assert_near(assay_vectors_dot(sparse, i, j), assay_vectors_dot(dense, i, j), 0);
    assay_vectors_free(sparse);
    assay_vectors_free(dense);
}

static void test_what_is_no_number_or_no_row_is_refused(void **state)
{
    static const double values[] = { 1, 2, 3, NAN, 5, INFINITY };
    assay_vectors *v;

    (void)state;
    assert_int_equal(take(values, 3, 2, &v), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "vectors: [1, 1] is nan, expected a number");
    assert_null(v);
    assert_int_equal(take(values + 4, 1, 2, &v), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "vectors: [0, 1] is inf, expected a number");
    assert_int_equal(take(values, 0, 2, &v), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "vectors: 0 x 2, expected at least 1 x 1");
    assert_int_equal(take(values, 2, 0, &v), ASSAY_E_SHAPE);
    assert_null(v);
}

static assay_status take_some(void *context)
{
    static const double values[] = { 1, 2, 3, 4 };
    assay_vectors *v = NULL;
    assay_status status = take(values, 2, 2, &v);

    (void)context;
    assay_vectors_free(v);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_every_allocation(take_some, NULL), 4); /* the array, and three inside */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_get_length_one_and_zero_rows_stay),
        cmocka_unit_test(test_no_size_of_numbers_is_too_large_or_small),
        cmocka_unit_test(test_rows_that_differ_in_the_sign_of_a_zero_are_one),
        cmocka_unit_test(test_distinct_rows_are_counted_as_by_comparing_all_pairs),
        cmocka_unit_test(test_sparse_rows_give_what_dense_ones_give),
        cmocka_unit_test(test_what_is_no_number_or_no_row_is_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
