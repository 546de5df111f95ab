/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/dimension_stream.h"
#include "core/random.h"
#include "failing_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Both ways sum some thousand products in doubles, in different orders: 1e-12 of the answer is what
   the stream promises. */
static const double tolerance = 1e-12;

/* ---- tables of many kinds ---- */

enum kind { BITS, REALS, HOLES, MIXED, ADDITIVE, LARGE, N_KINDS };

/* items x models. A Rasch-like table, of which some items are constant. */
static double *draw(enum kind kind, size_t n, size_t t, uint64_t seed)
{
    double *x = malloc(n * t * sizeof *x), *ability = malloc(n * sizeof *ability);
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t m = 0; m < n; m++) ability[m] = assay_random_normal(&random);
    for (size_t i = 0; i < t; i++) {
        double difficulty = assay_random_normal(&random);
        int is_real = kind == REALS || (kind == MIXED && i % 3 == 1);

        for (size_t m = 0; m < n; m++) {
            double *cell = &x[i * n + m], noise = assay_random_uniform(&random);

            *cell = noise < 1.0 / (1.0 + exp(difficulty - ability[m]));
            if (is_real) *cell = ability[m] - difficulty + noise;
            if (kind == ADDITIVE) *cell = ability[m] - difficulty + 1e-6 * noise;
            if (kind == LARGE) *cell = (noise - 0.5) * ldexp(1.0, 900 + (int)(i / 2));
            if (i % 7 == 3) *cell = kind == REALS ? 0.3 : (double)(i % 2);
            if ((kind == HOLES || (kind == MIXED && i % 5 == 2)) &&
                assay_random_uniform(&random) < 0.2)
                *cell = NAN;
        }
    }
    free(ability);
    return x;
}

static assay_matrix *matrix_of(const double *x, size_t n, size_t t)
{
    double *turned = malloc(n * t * sizeof *turned);
    assay_matrix *matrix = NULL;

    for (size_t i = 0; i < t; i++)
        for (size_t m = 0; m < n; m++) turned[m * t + i] = x[i * n + m];
    assert_int_equal(assay_matrix_from_scores(turned, n, t, &matrix), ASSAY_OK);
    free(turned);
    return matrix;
}

/* In parts of so many items. */
static assay_streamed_dimensions stream_of(const double *x, size_t n, size_t t, size_t part,
                                           size_t block, int threads)
{
    assay_dimension_stream_options options;
    assay_dimension_stream *stream = NULL;
    assay_streamed_dimensions out;

    assay_dimension_stream_options_init(&options, sizeof options);
    options.threads = threads;
    options.block_items = block;
    assert_int_equal(assay_dimension_stream_new(n, &options, &stream), ASSAY_OK);
    for (size_t i = 0; i < t; i += part) {
        size_t left = t - i < part ? t - i : part;

        assert_int_equal(assay_dimension_stream_add_items(stream, left, x + i * n), ASSAY_OK);
    }
    assert_int_equal(assay_dimension_stream_result(stream, &out), ASSAY_OK);
    assay_dimension_stream_free(stream);
    return out;
}

static void check_near(double found, double expected, double within)
{
    if (isnan(expected))
        assert_true(isnan(found));
    else if (!(fabs(found - expected) <= within * fabs(expected)))
        fail_msg("%.17g, expected %.17g", found, expected);
}

/* Against the matrix in memory, which has references of its own in test_signals.c. */
static void check_against_matrix(const double *x, size_t n, size_t t, double within)
{
    assay_matrix *matrix = matrix_of(x, n, t);
    assay_signals_options options;
    assay_signals *fit = NULL;
    assay_dimensions ed;
    assay_streamed_dimensions found = stream_of(x, n, t, 5, 512, 2);

    assert_int_equal(assay_effective_dimensions(matrix, 2, &ed), ASSAY_OK);
    check_near(found.ed.task, ed.task, within);
    check_near(found.ed.model, ed.model, within);
    check_near(found.ed.both, ed.both, within);
    assert_int_equal(found.n_models, assay_matrix_n_models(matrix));
    assert_int_equal(found.n_items, assay_matrix_n_items(matrix));
    assert_int_equal(found.n_models_left_out, n - assay_matrix_n_models(matrix));
    assert_int_equal(found.n_items_left_out, t - assay_matrix_n_items(matrix));
    assert_int_equal(found.n_observed, assay_matrix_n_observed(matrix));

    assay_signals_options_init(&options, sizeof options);
    options.permutations = 0;
    assert_int_equal(assay_signals_fit(matrix, &options, &fit), ASSAY_OK);
    check_near((double)found.n_constant, assay_signals_value(fit, ASSAY_SIGNALS_CONSTANT_ITEMS),
               0.0);
    check_near(found.marchenko_pastur, assay_signals_value(fit, ASSAY_SIGNALS_MARCHENKO_PASTUR),
               0.0);
    check_near(found.ed_over_null, assay_signals_value(fit, ASSAY_SIGNALS_ED_OVER_NULL), within);
    check_near(found.permutation_ed_at_mean,
               assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN), within);
    check_near(found.ed_over_permutation,
               assay_signals_value(fit, ASSAY_SIGNALS_ED_OVER_PERMUTATION), within);
    assay_signals_free(fit);
    assay_matrix_free(matrix);
}

/* Fewer models than a tile, a tile, more; fewer items than a word, a panel, and several of each. */
static void test_equals_the_matrix(void **state)
{
    static const size_t shapes[][2] = {
        { 2, 9 }, { 5, 63 }, { 64, 130 }, { 67, 1100 }, { 150, 40 }
    };

    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int kind = 0; kind < N_KINDS; kind++) {
            size_t n = shapes[s][0], t = shapes[s][1];
            double *x = draw((enum kind)kind, n, kind == LARGE ? 30 : t, s + 1);

            /* What is left of nearly additive scores has lost 6 digits by then, in either way. */
            check_against_matrix(x, n, kind == LARGE ? 30 : t,
                                 kind == ADDITIVE ? 1e-10 : tolerance);
            free(x);
        }
    }
}

/* The sums are the same to the last bit, however the items come and are counted. */
static void test_parts_blocks_and_threads(void **state)
{
    static const size_t parts[] = { 1, 7, 64, 3000 }, blocks[] = { 1, 512, 1024, 32256 };
    const size_t n = 70, t = 3000;

    (void)state;
    for (int kind = 0; kind < LARGE; kind++) {
        double *x = draw((enum kind)kind, n, t, 9);
        assay_streamed_dimensions first = stream_of(x, n, t, t, 32256, 1);

        for (size_t k = 0; k < 4; k++) {
            for (int threads = 1; threads <= 4; threads++) {
                assay_streamed_dimensions again = stream_of(x, n, t, parts[k], blocks[k], threads);

                assert_memory_equal(&again.ed, &first.ed, sizeof first.ed);
            }
        }
        free(x);
    }
}

static void test_bytes_are_scores(void **state)
{
    const size_t n = 67, t = 900;
    double *x = draw(BITS, n, t, 4);
    unsigned char *bytes = malloc(n * t);
    assay_dimension_stream *stream = NULL;
    assay_streamed_dimensions out, expected = stream_of(x, n, t, t, 512, 1);

    (void)state;
    for (size_t k = 0; k < n * t; k++) bytes[k] = (unsigned char)x[k];
    assert_int_equal(assay_dimension_stream_new(n, NULL, &stream), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_add_bits(stream, t, bytes), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_result(stream, &out), ASSAY_OK);
    assert_memory_equal(&out.ed, &expected.ed, sizeof out.ed);
    bytes[n + 3] = 2;
    assert_int_equal(assay_dimension_stream_add_bits(stream, 2, bytes), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "stream: bits[1, 3] is 2, expected 0 or 1");
    assay_dimension_stream_free(stream);
    free(bytes);
    free(x);
}

/* Asking in between changes nothing but the last digits. */
static void test_result_in_between(void **state)
{
    const size_t n = 20, t = 1200;
    double *x = draw(MIXED, n, t, 5);
    assay_dimension_stream *stream = NULL;
    assay_streamed_dimensions half, out, expected = stream_of(x, n, t, t, 512, 1);
    assay_streamed_dimensions first = stream_of(x, n, 500, 500, 512, 1);

    (void)state;
    assert_int_equal(assay_dimension_stream_new(n, NULL, &stream), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_add_items(stream, 500, x), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_result(stream, &half), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_add_items(stream, t - 500, x + 500 * n), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_result(stream, &out), ASSAY_OK);
    assert_memory_equal(&half, &first, sizeof half.ed);
    check_near(out.ed.task, expected.ed.task, tolerance);
    check_near(out.ed.model, expected.ed.model, tolerance);
    check_near(out.ed.both, expected.ed.both, tolerance);
    assay_dimension_stream_free(stream);
    free(x);
}

/* By hand: each model solves an item of its own. Z has N - 1 equal eigenvalues, and so has Y; D is
   Z, as the identity's rows and columns all have the mean 1/N. */
static void test_identity(void **state)
{
    const double identity[] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    assay_streamed_dimensions out = stream_of(identity, 4, 4, 4, 512, 1);

    (void)state;
    check_near(out.ed.task, 3.0, 1e-15);
    check_near(out.ed.model, 3.0, 1e-15);
    check_near(out.ed.both, 3.0, 1e-15);
    assert_int_equal(out.n_constant, 0);
}

/* Scores that are exactly additive leave nothing when both means are out. */
static void test_nothing_left(void **state)
{
    const double additive[] = { 0.5, 1.5, 2.5, 1.5, 2.5, 3.5, 2.5, 3.5, 4.5 };
    const double models[] = { 1, 0, 1, 0, 1, 0, 1, 0, 1, 0 };
    assay_streamed_dimensions out = stream_of(additive, 3, 3, 1, 512, 1);

    (void)state;
    check_near(out.ed.task, 1.0, 1e-15);
    assert_true(isnan(out.ed.both));
    out = stream_of(models, 2, 5, 1, 512, 1); /* two models that differ, items that do not */
    check_near(out.ed.task, 1.0, 1e-15);
    assert_true(isnan(out.ed.model));
    assert_true(isnan(out.ed.both));
}

/* A model and an item without a score are no part of the table. */
static void test_without_a_score(void **state)
{
    double x[] = { 1, NAN, 0, 0.5, NAN, NAN, NAN, NAN, 0, NAN, 0.25, 1, 1, NAN, 0.5, 0 };

    (void)state;
    check_against_matrix(x, 4, 4, tolerance);
}

static void test_refusals(void **state)
{
    const double constant[] = { 1, 1, 1, 0.5, 0.5, NAN }, infinite[] = { 1, -INFINITY, 0 };
    const double alone[] = { 1, NAN, NAN };
    assay_dimension_stream_options options;
    assay_dimension_stream *stream = NULL;
    assay_streamed_dimensions out;

    (void)state;
    assert_int_equal(assay_dimension_stream_new(1, NULL, &stream), ASSAY_E_SHAPE);
    assert_int_equal(assay_dimension_stream_new(SIZE_MAX, NULL, &stream), ASSAY_E_SHAPE);
    assay_dimension_stream_options_init(&options, sizeof options);
    options.threads = -1;
    assert_int_equal(assay_dimension_stream_new(3, &options, &stream), ASSAY_E_VALUE);
    options.threads = 0;
    options.block_items = 0;
    assert_int_equal(assay_dimension_stream_new(3, &options, &stream), ASSAY_E_VALUE);
    assert_null(stream);
    assert_int_equal(assay_dimension_stream_new(3, NULL, &stream), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_result(stream, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_dimension_stream_add_items(stream, 1, alone), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_result(stream, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_dimension_stream_add_items(stream, 2, constant), ASSAY_OK);
    assert_int_equal(assay_dimension_stream_result(stream, &out), ASSAY_E_DEGENERATE);
    assert_int_equal(assay_dimension_stream_add_items(stream, 1, infinite), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "stream: the score of model 1 is -inf");
    assay_dimension_stream_free(stream);
    assay_dimension_stream_free(NULL);
}

static assay_status stream_mixed(void *context)
{
    const double *x = context;
    assay_dimension_stream *stream = NULL;
    assay_streamed_dimensions out;
    assay_status status = assay_dimension_stream_new(6, NULL, &stream);

    if (status == ASSAY_OK) status = assay_dimension_stream_add_items(stream, 20, x);
    if (status == ASSAY_OK) status = assay_dimension_stream_result(stream, &out);
    assay_dimension_stream_free(stream);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    double *x = draw(MIXED, 6, 20, 2);

    (void)state;
    assert_true(fail_every_allocation(stream_mixed, x) >= 20);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_matrix),
        cmocka_unit_test(test_parts_blocks_and_threads),
        cmocka_unit_test(test_bytes_are_scores),
        cmocka_unit_test(test_result_in_between),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_nothing_left),
        cmocka_unit_test(test_without_a_score),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
