/* SPDX-License-Identifier: Apache-2.0 */
/* Means of numbers whose sum is no double, alone and where methods take them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/ageing.h"
#include "assay/replicate_dimension.h"
#include "assay/windows.h"
#include "parts_reference.h"
#include "stats/mean.h"
#include "stats/unit.h"

#include <stdio.h>
#include <stdlib.h>

static double mean_of(const double *values, size_t n)
{
    assay_mean mean = { 0 };

    for (size_t i = 0; i < n; i++) assay_mean_add(&mean, values[i]);
    return assay_mean_of(&mean);
}

/* Where no sum overflows the mean is the plain one to the bit; where one does, by hand. */
static void means_by_hand(void **state)
{
    const double plain[] = { .1, .7, -3.3, 1e-300, 2e17 };
    const double largest[] = { DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX };
    const double cancels[] = { 1.5e308, 1.5e308, -1.5e308, -1.5e308, 1e308 };
    const double lowest[] = { -0x1p1023, -0x1p1023, -0x1p1022, -0x1p1022 };
    double sum = 0.0;

    (void)state;
    for (size_t i = 0; i < 5; i++) sum += plain[i];
    assert_true(mean_of(plain, 5) == sum / 5.0);
    for (size_t n = 1; n <= 7; n++) assert_true(fabs(mean_of(largest, n) / DBL_MAX - 1.0) < 1e-15);
    assert_true(fabs(mean_of(cancels, 5) / 2e307 - 1.0) < 1e-15);
    assert_true(mean_of(lowest, 4) == -0x1.8p1022); /* powers of 2: exact */
    assert_true(isnan(mean_of(plain, 0)));
}

static void means_are_joined(void **state)
{
    assay_mean left = { 0 }, right = { 0 };

    (void)state;
    assay_mean_add(&left, 0x1p1023);
    assay_mean_add(&left, 0x1p1023);
    assay_mean_add(&right, -0x1p1023);
    assay_mean_join(&left, &right);
    assert_int_equal(left.n, 3);
    assert_true(fabs(assay_mean_of(&left) / (0x1p1023 / 3.0) - 1.0) < 1e-15);
}

static void units_are_powers_of_two_near_the_largest(void **state)
{
    const double values[] = { 1.0, NAN, -6.0, 5.0 };

    (void)state;
    assert_true(assay_unit_of(values, 4) == 4.0);
    assert_true(assay_unit_of(values, 1) == 1.0);
    assert_true(assay_unit_of(values, 0) == 1.0 && assay_unit_near(0.0) == 1.0);
    assert_true(assay_unit_near(DBL_MAX) == 0x1p1023);
}

/* ---- methods: what a power of 2 does to the scores it does to the answer, and no more ---- */

enum { N = 12, T = 9 };

/* random_scores() of 0 to 1, all near the largest double. */
static assay_matrix *huge_matrix(double *scores)
{
    for (size_t k = 0; k < (size_t)N * T; k++) scores[k] = ldexp(scores[k], 1023);
    return matrix_of(scores, N, T);
}

static void mean_scores_of_models_do_not_overflow(void **state)
{
    double *scores = random_scores(N, T, REALS_WITH_HOLES, 3), want[N];
    assay_matrix *matrix = matrix_of(scores, N, T);

    (void)state;
    for (size_t m = 0; m < N; m++) want[m] = ldexp(assay_matrix_mean_score(matrix, m), 1023);
    assay_matrix_free(matrix);
    matrix = huge_matrix(scores);
    for (size_t m = 0; m < N; m++)
        assert_true(fabs(assay_matrix_mean_score(matrix, m) / want[m] - 1.0) < 1e-15);
    assay_matrix_free(matrix);
    free(scores);
}

static void halves_and_windows_take_huge_scores(void **state)
{
    double *scores = random_scores(N, T, REALS, 5), mean[N];
    assay_ageing_options ageing_options;
    assay_windows_options windows_options;
    assay_ageing small, large;
    assay_windows *windows[2];
    assay_matrix *matrix[2] = { matrix_of(scores, N, T) };

    (void)state;
    matrix[1] = huge_matrix(scores);
    assay_ageing_options_init(&ageing_options, sizeof ageing_options);
    ageing_options.permutations = 49;
    assay_windows_options_init(&windows_options, sizeof windows_options);
    windows_options.window = 6;
    windows_options.step = 2;
    windows_options.draws = 20;
    for (size_t k = 0; k < 2; k++) {
        for (size_t m = 0; m < N; m++) mean[m] = assay_matrix_mean_score(matrix[k], m);
        assert_int_equal(assay_ageing_fit(matrix[k], mean, &ageing_options, k ? &large : &small),
                         ASSAY_OK);
        assert_int_equal(assay_windows_fit(matrix[k], mean, &windows_options, &windows[k]),
                         ASSAY_OK);
    }
    assert_true(isfinite(large.solve_rate.early) && isfinite(large.solve_rate.late));
    assert_true(fabs(large.solve_rate.late / ldexp(small.solve_rate.late, 1023) - 1.0) < 1e-15);
    assert_true(large.solve_rate.p == small.solve_rate.p);
    assert_true(large.ed[0].task.late == small.ed[0].task.late);
    for (size_t w = 0; w < assay_windows_n(windows[0]); w++) {
        assay_window a = assay_windows_at(windows[0], w), b = assay_windows_at(windows[1], w);

        assert_true(fabs(b.score_mean / ldexp(a.score_mean, 1023) - 1.0) < 1e-15);
        assert_true(a.ed[0] == b.ed[0]);
    }
    for (size_t k = 0; k < 2; k++) {
        assay_windows_free(windows[k]);
        assay_matrix_free(matrix[k]);
    }
    free(scores);
}

/* Runs and templates of scores from -2^1023 to 2^1023: differences of two are no double. */
static void replicates_take_huge_scores(void **state)
{
    enum { RUNS = 3 };
    double *x = random_scores(N, T * RUNS, REALS, 7);
    assay_replicate_dimension got[2][2];

    (void)state;
    for (size_t k = 0; k < (size_t)N * T * RUNS; k++) x[k] = 2.0 * x[k] - .6;
    for (size_t huge = 0; huge < 2; huge++) {
        assay_replicates *replicates[2] = { NULL, NULL };

        for (size_t k = 0; huge && k < (size_t)N * T * RUNS; k++) x[k] = ldexp(x[k], 1023);
        assert_int_equal(assay_replicates_from_runs(x, N, T, RUNS, &replicates[0]), ASSAY_OK);
        assert_int_equal(assay_replicates_from_templates(x, RUNS, N, T, &replicates[1]), ASSAY_OK);
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(assay_replicate_dimension_fit(replicates[k], .95, 1, &got[huge][k]),
                             ASSAY_OK);
            assay_replicates_free(replicates[k]);
        }
    }
    for (size_t k = 0; k < 2; k++)
        assert_true(got[0][k].no_signal ? got[1][k].no_signal : got[0][k].value == got[1][k].value);
    free(x);
}

/* The same by way of a table of results, where a third of the scores are runs or templates. */
static void results_take_huge_scores(void **state)
{
    enum { REPEATS = 3 };
    const assay_replicate_source sources[] = { ASSAY_REPLICATES_RUNS, ASSAY_REPLICATES_TEMPLATES };
    double *x = random_scores(N, T * REPEATS, REALS, 11);

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        assay_replicate_dimension got[2];

        for (int huge = 0; huge < 2; huge++) {
            assay_results *results;
            assay_replicates *replicates;

            assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
            for (size_t k = 0; k < (size_t)N * T * REPEATS; k++) {
                char model[24], item[24], repeat[24];
                assay_observation put = { .model = model, .item = item, .state = ASSAY_SCORED };

                snprintf(model, sizeof model, "m%zu", k / REPEATS / T);
                snprintf(item, sizeof item, "i%zu", k / REPEATS % T);
                snprintf(repeat, sizeof repeat, "r%zu", k % REPEATS);
                *(s ? &put.template_id : &put.run) = repeat;
                put.score = ldexp(2.0 * x[k] - .6, huge ? 1023 : 0);
                assert_int_equal(assay_results_add(results, &put), ASSAY_OK);
            }
            assert_int_equal(assay_replicates_from_results(results, sources[s], NULL, &replicates),
                             ASSAY_OK);
            assert_int_equal(assay_replicate_dimension_fit(replicates, .95, 1, &got[huge]),
                             ASSAY_OK);
            assay_replicates_free(replicates);
            assay_results_free(results);
        }
        assert_true(got[0].no_signal ? got[1].no_signal : got[0].value == got[1].value);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_by_hand),
        cmocka_unit_test(means_are_joined),
        cmocka_unit_test(units_are_powers_of_two_near_the_largest),
        cmocka_unit_test(mean_scores_of_models_do_not_overflow),
        cmocka_unit_test(halves_and_windows_take_huge_scores),
        cmocka_unit_test(replicates_take_huge_scores),
        cmocka_unit_test(results_take_huge_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
