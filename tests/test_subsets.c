/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/subsets.h"
#include "failing_memory.h"
#include "parts_reference.h"

#include <string.h>

static assay_subsets_options with_draws(size_t draws, int threads)
{
    assay_subsets_options options;

    assay_subsets_options_init(&options, sizeof options);
    options.draws = draws;
    options.threads = threads;
    return options;
}

/* Four items have three splits into halves, all as likely: means within 5 Monte Carlo errors. */
static void halves_are_means_over_splits(void **state)
{
    static const size_t splits[3][4] = { { 0, 1, 2, 3 }, { 0, 2, 1, 3 }, { 0, 3, 1, 2 } };
    double *scores = random_scores(15, 4, REALS, 21), mean = 0.0, apart = 0.0;
    assay_matrix *matrix = matrix_of(scores, 15, 4);
    assay_subsets_options options = with_draws(4000, 0);
    assay_split_half got;

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        double a = slow_part_ed(scores, 4, NULL, 15, splits[k], 2, TASK);
        double b = slow_part_ed(scores, 4, NULL, 15, splits[k] + 2, 2, TASK);

        mean += (a + b) / 6.0;
        apart += fabs(a - b) / 3.0;
    }
    assert_int_equal(assay_split_halves(matrix, &options, &got), ASSAY_OK);
    assert_null(got.items.reason);
    assert_int_equal(got.items.draws, 4000);
    /* An sd of the |difference| is at most its mean times 1.5 with three values. */
    assert_near(got.items.mean, mean, 5.0 * got.items.sd / sqrt(4000.0));
    assert_near(got.items.difference, apart, 5.0 * 1.5 * apart / sqrt(4000.0));
    assert_near(got.items.agreement, 1.0 - got.items.difference / got.items.mean, 1e-15);
    assert_null(got.models.reason);
    assay_matrix_free(matrix);
    free(scores);
}

/* One item has no half; three models leave one alone, which has no ED. */
static void halves_that_cannot_be(void **state)
{
    double *scores = random_scores(3, 1, REALS, 5);
    assay_matrix *matrix = matrix_of(scores, 3, 1);
    assay_split_half got;

    (void)state;
    assert_int_equal(assay_split_halves(matrix, NULL, &got), ASSAY_OK);
    assert_non_null(got.items.reason);
    assert_true(isnan(got.items.mean) && isnan(got.items.agreement));
    assert_non_null(got.models.reason);
    assay_matrix_free(matrix);
    free(scores);
}

/* Parts of the full size are the matrix; of 2 x 2 of a 3 x 3 there are nine. */
static void matched_is_the_mean_over_parts(void **state)
{
    static const size_t pairs[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
    double *scores = random_scores(9, 3, REALS, 6), mean = 0.0;
    assay_matrix *matrix = matrix_of(scores, 9, 3);
    assay_subsets_options options = with_draws(4000, 0);
    assay_matched got;

    (void)state;
    assert_int_equal(assay_matched_dimension(matrix, 3, 9, &options, &got), ASSAY_OK);
    assert_near(got.mean, slow_part_ed(scores, 3, NULL, 9, NULL, 3, TASK), 1e-11);
    assert_near(got.sd, 0.0, 1e-11);
    for (size_t k = 0; k < 3; k++)
        mean += slow_part_ed(scores, 3, NULL, 9, pairs[k], 2, TASK) / 3.0;
    assert_int_equal(assay_matched_dimension(matrix, 2, 9, &options, &got), ASSAY_OK);
    assert_near(got.mean, mean, 5.0 * got.sd / sqrt(4000.0));
    assert_int_equal(assay_matched_dimension(matrix, 4, 2, &options, &got), ASSAY_OK);
    assert_non_null(got.reason);
    assert_true(isnan(got.mean));
    assert_int_equal(assay_matched_dimension(matrix, 1, 9, &options, &got), ASSAY_OK);
    assert_near(got.mean, 1.0, 1e-12); /* one item is one signal */
    assert_int_equal(assay_matched_dimension(matrix, 0, 2, &options, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_matched_dimension(matrix, 1, 1, &options, &got), ASSAY_E_VALUE);
    assay_matrix_free(matrix);
    free(scores);
}

/* Four models have six halves, of which each ED of two models is 1: no width. Of six models there
   are 20 halves of three: the interval's ends are quantiles of these, moved. */
static void half_samples_by_hand(void **state)
{
    double *scores = random_scores(6, 8, REALS, 7), values[20], mean = 0.0, ed;
    assay_matrix *matrix = matrix_of(scores, 6, 8), *four = matrix_of(scores, 4, 8);
    assay_subsets_options options = with_draws(20000, 0);
    assay_half_sample got;
    size_t n = 0;

    (void)state;
    for (size_t a = 0; a < 6; a++)
        for (size_t b = a + 1; b < 6; b++)
            for (size_t c = b + 1; c < 6; c++)
                values[n++] = slow_part_ed(scores, 8, (size_t[]){ a, b, c }, 3, NULL, 8, TASK);
    for (size_t k = 0; k < 20; k++) mean += values[k] / 20.0;
    for (size_t k = 1; k < 20; k++)
        for (size_t j = k; j > 0 && values[j] < values[j - 1]; j--) {
            double swapped = values[j];

            values[j] = values[j - 1];
            values[j - 1] = swapped;
        }
    ed = slow_part_ed(scores, 8, NULL, 6, NULL, 8, TASK);
    assert_int_equal(assay_half_sample_interval(matrix, 0.95, &options, &got), ASSAY_OK);
    assert_null(got.reason);
    /* Of 20 equally likely values the first is below a .025 quantile, the last above that of .975.
       */
    assert_near(got.mean, mean, 0.02);
    assert_near(got.low, fmax(ed + values[0] - got.mean, 1.0), 1e-11);
    assert_near(got.high, fmin(ed + values[19] - got.mean, 5.0), 1e-11);
    assert_int_equal(assay_half_sample_interval(four, 0.95, &options, &got), ASSAY_OK);
    assert_near(got.low, got.high, 1e-11);
    assay_matrix_free(matrix);
    assay_matrix_free(four);
    free(scores);
}

static void half_samples_that_cannot_be(void **state)
{
    static const double same[] = { 1, 0, 1, 0, 1, 0, 1, 0 };
    assay_matrix *matrix = matrix_of(same, 4, 2), *three = matrix_of(same, 3, 2);
    assay_half_sample got;

    (void)state;
    assert_int_equal(assay_half_sample_interval(matrix, 0.95, NULL, &got), ASSAY_OK);
    assert_non_null(got.reason);
    assert_true(isnan(got.low) && isnan(got.high));
    assert_int_equal(assay_half_sample_interval(three, 0.95, NULL, &got), ASSAY_OK);
    assert_non_null(got.reason);
    assert_int_equal(assay_half_sample_interval(matrix, 1.0, NULL, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_half_sample_interval(matrix, NAN, NULL, &got), ASSAY_E_VALUE);
    assay_matrix_free(matrix);
    assay_matrix_free(three);
}

static void threads_do_not_matter(void **state)
{
    double *scores = random_scores(20, 40, BITS, 9);
    assay_matrix *matrix = matrix_of(scores, 20, 40);
    assay_subsets_options one = with_draws(50, 1), many = with_draws(50, 6);
    assay_split_half halves[2];
    assay_matched matched[2];
    assay_half_sample half[2];

    (void)state;
    for (int k = 0; k < 2; k++) {
        const assay_subsets_options *options = k ? &many : &one;

        assert_int_equal(assay_split_halves(matrix, options, &halves[k]), ASSAY_OK);
        assert_int_equal(assay_matched_dimension(matrix, 10, 11, options, &matched[k]), ASSAY_OK);
        assert_int_equal(assay_half_sample_interval(matrix, .9, options, &half[k]), ASSAY_OK);
    }
    assert_true(halves[0].items.mean == halves[1].items.mean);
    assert_true(halves[0].models.difference == halves[1].models.difference);
    assert_true(matched[0].mean == matched[1].mean && matched[0].sd == matched[1].sd);
    assert_true(half[0].low == half[1].low && half[0].high == half[1].high);
    assay_matrix_free(matrix);
    free(scores);
}

static void option_errors(void **state)
{
    double *scores = random_scores(5, 6, BITS, 1);
    assay_matrix *matrix = matrix_of(scores, 5, 6), *single = matrix_of(scores, 1, 6);
    assay_subsets_options options = with_draws(2000000, 0);
    assay_split_half got;

    (void)state;
    assert_int_equal(assay_split_halves(matrix, &options, &got), ASSAY_E_VALUE);
    options = with_draws(1, 5000);
    assert_int_equal(assay_split_halves(matrix, &options, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_split_halves(single, NULL, &got), ASSAY_E_SHAPE);
    assay_matrix_free(matrix);
    assay_matrix_free(single);
    free(scores);
}

static assay_status all_of_it(void *matrix)
{
    assay_subsets_options options = with_draws(2, 1);
    assay_split_half halves;
    assay_matched matched;
    assay_half_sample half;
    assay_status status = assay_split_halves(matrix, &options, &halves);

    if (status == ASSAY_OK) status = assay_matched_dimension(matrix, 2, 3, &options, &matched);
    if (status == ASSAY_OK) status = assay_half_sample_interval(matrix, .9, &options, &half);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    double *scores = random_scores(5, 6, BITS, 8);
    assay_matrix *matrix = matrix_of(scores, 5, 6);

    (void)state;
    assert_true(fail_every_allocation(all_of_it, matrix) > 5);
    assay_matrix_free(matrix);
    free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_means_over_splits),
        cmocka_unit_test(halves_that_cannot_be),
        cmocka_unit_test(matched_is_the_mean_over_parts),
        cmocka_unit_test(half_samples_by_hand),
        cmocka_unit_test(half_samples_that_cannot_be),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(option_errors),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
