/* SPDX-License-Identifier: Apache-2.0 */
/* ED and components of shuffled models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "signals/null.h"
#include "signals_fits.h"

#include <math.h>
#include <stdlib.h>

/* All 6^3 ways to shuffle three items among three models: the mean of ||G||_F^2 / (tr G)^2, by enumeration. */
static void permutation_mean_is_exact_by_enumeration(void **state)
{
    static const size_t orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                         { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    const double scores[9] = { 1, 5, 2, 0, 3, 7, 4, 4, 1 };
    assay_signals_options options = with_permutations(0);
    assay_signals *fit = fit_scores(scores, 3, 3, &options);
    double squares = 0.0, x[9];

    (void)state;
    for (size_t k = 0; k < 216; k++) {
        const size_t *order[3] = { orders[k % 6], orders[k / 6 % 6], orders[k / 36] };

        for (size_t m = 0; m < 3; m++)
            for (size_t i = 0; i < 3; i++) x[m * 3 + i] = scores[order[i][m] * 3 + i];
        squares += 1.0 / slow_ed(x, 3, 3, TASK) / 216.0; /* the trace is that of all */
    }
    assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN), 1.0 / squares,
                    1e-13);
    assay_signals_free(fit);
}

/* The value at the mean is a lower bound on the mean (Jensen); at 30 x 200 they nearly agree:
   within 5 standard errors plus 1 % for the gap. */
static void monte_carlo_mean_agrees_with_the_closed_form(void **state)
{
    double *scores = random_scores(30, 200, BITS, 17);
    assay_signals_options options = with_permutations(400);
    assay_signals *fit = fit_scores(scores, 30, 200, &options);
    double closed = assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN);
    double mean = assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_MEAN);
    double se = assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_MEAN_SE);

    (void)state;
    assert_true(se > 0.0);
    assert_true(mean > closed - 5.0 * se);
    assert_true(mean < 1.01 * closed + 5.0 * se);
    assay_signals_free(fit);
    free(scores);
}

/* Two planted axes stand far above the null, and the null eigenvalue that centring leaves never
   counts, though it is 0 in the data and in every shuffle. */
static void parallel_analysis_finds_planted_axes(void **state)
{
    enum { N = 40, T = 120 };
    double scores[N * T];
    assay_random random;
    assay_signals_options options = with_permutations(200);
    assay_signals *fit;

    (void)state;
    assay_random_start(&random, 23, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t m = 0; m < N; m++) {
        double first = assay_random_normal(&random), second = assay_random_normal(&random);

        for (size_t i = 0; i < T; i++)
            scores[m * T + i] = (i < T / 2 ? first : second) + 0.5 * assay_random_normal(&random);
    }
    fit = fit_scores(scores, N, T, &options);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS), 2.0, 0.0);
    assay_signals_free(fit);
}

/* Without any structure: about one data set in twenty has a first eigenvalue above the quantile, by
   its definition. 100 data sets: the count of 12 or more has probability .004 (binomial). */
static void parallel_analysis_finds_nothing_in_noise(void **state)
{
    assay_signals_options options = with_permutations(60);
    size_t found = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        double scores[12 * 20];
        assay_random random;
        assay_signals *fit;

        assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, 1);
        for (size_t k = 0; k < 240; k++) scores[k] = assay_random_normal(&random);
        fit = fit_scores(scores, 12, 20, &options);
        if (assay_signals_value(fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS) > 0.0) found++;
        assay_signals_free(fit);
    }
    assert_true(found < 12);
}

static void no_default_permutations_where_they_would_take_minutes(void **state)
{
    assay_centred small = { .n_models = 134, .n_items = 500, .n_rows = 134, .n_columns = 500 };
    assay_centred large = {
        .n_models = 4576, .n_items = 20000, .n_rows = 4576, .n_columns = 20000
    };

    (void)state;
    assert_int_equal(assay_permutations_affordable(&small), 1000);
    assert_int_equal(assay_permutations_affordable(&large), 0);
}

/* The limit is on what the size decides, and on nothing that was asked for. */
static void there_may_be_a_limit_to_default_permutations(void **state)
{
    static const struct {
        int64_t asked, most;
        double made;
    } cases[] = { { -1, 7, 7 }, { -1, 0, 1000 }, { -1, 5000, 1000 }, { 30, 7, 30 }, { 0, 7, 0 } };
    const double scores[] = { 1, 0, 0, 1, 1, 1 };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assay_signals_options options = with_permutations(cases[k].asked);
        assay_signals *fit;

        options.most_permutations = cases[k].most;
        fit = fit_scores(scores, 3, 2, &options);
        assert_near(assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATIONS), cases[k].made, 0.0);
        assay_signals_free(fit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutation_mean_is_exact_by_enumeration),
        cmocka_unit_test(monte_carlo_mean_agrees_with_the_closed_form),
        cmocka_unit_test(parallel_analysis_finds_planted_axes),
        cmocka_unit_test(parallel_analysis_finds_nothing_in_noise),
        cmocka_unit_test(no_default_permutations_where_they_would_take_minutes),
        cmocka_unit_test(there_may_be_a_limit_to_default_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
