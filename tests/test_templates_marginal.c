/* SPDX-License-Identifier: Apache-2.0 */
/* Our own estimator of all templates' scores: against its slow reference, order, intervals, thin data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "template_fits.h"

enum { I = 24, J = 40 };

static assay_templates_options marginal(size_t n_draws)
{
    assay_templates_options options = defaults();

    options.method = ASSAY_TEMPLATES_MARGINAL;
    options.n_draws = n_draws;
    return options;
}

/* ---- the reference ---- */

/* What bench/marginal_reference.py prints for random_grid(I, J, .3, 5), without and with the covariates
   cos(i), sin(3 i). Expected scores are the same sums in another order; the distribution is read from a
   histogram of 4,096 bins and laws of 40 points here, and from smooth ones there: where few templates
   are a step of a law is a few thousandths of the score. */
static const double scores_without[I] = {
    0.6593391919, 0.3313500309, 0.6009465478, 0.7360780775, 0.5887568715, 0.4081284332,
    0.4907499918, 0.5806203752, 0.6258678036, 0.6213584421, 0.5324834399, 0.5987905408,
    0.5852585376, 0.6996237073, 0.5816280366, 0.5666193709, 0.6904326215, 0.6758494701,
    0.5504813226, 0.5595549732, 0.6085324284, 0.5744870788, 0.5852165223, 0.3997501759,
};
static const double distribution_without[I] = {
    0.2811, 0.3620, 0.4155, 0.4541, 0.4824, 0.5043, 0.5221, 0.5375, 0.5511, 0.5636, 0.5752, 0.5863,
    0.5970, 0.6076, 0.6182, 0.6289, 0.6400, 0.6516, 0.6641, 0.6779, 0.6937, 0.7129, 0.7390, 0.7865,
};
static const double scores_with[I] = {
    0.6554239285, 0.3373162229, 0.6014676198, 0.7352507056, 0.5897069672, 0.4124289447,
    0.4898787272, 0.5799108989, 0.6234036395, 0.6247055217, 0.5343714699, 0.5998340409,
    0.5799473898, 0.6954095964, 0.5791385455, 0.5711131970, 0.6889798229, 0.6756533368,
    0.5485150044, 0.5582569836, 0.6058764542, 0.5770267635, 0.5874705290, 0.4031698582,
};
static const double distribution_with[I] = {
    0.2850, 0.3658, 0.4189, 0.4567, 0.4842, 0.5055, 0.5230, 0.5380, 0.5514, 0.5636, 0.5750, 0.5859,
    0.5965, 0.6069, 0.6173, 0.6279, 0.6388, 0.6503, 0.6626, 0.6762, 0.6918, 0.7107, 0.7365, 0.7834,
};

static void compare(const assay_templates *fit, const double *scores, const double *distribution)
{
    size_t n;
    const double *got = assay_templates_distribution(fit, &n);

    assert_int_equal(n, I);
    for (size_t i = 0; i < I; i++) {
        assert_near(score(fit, i), scores[i], 1e-8);
        assert_near(got[i], distribution[i], 3e-3);
    }
}

static void agrees_with_the_reference(void **state)
{
    double *y = random_grid(I, J, 0.3, 5), x[I * 2];
    assay_grid *grid = grid_of(y, I, J);
    assay_templates_options options = marginal(0);
    assay_templates *fit = fit_grid(grid, &options);

    (void)state;
    compare(fit, scores_without, distribution_without);
    assay_templates_free(fit);
    for (size_t i = 0; i < I; i++) {
        x[2 * i] = cos((double)i);
        x[2 * i + 1] = sin(3.0 * (double)i);
    }
    options.x = x;
    options.n_x = 2;
    fit = fit_grid(grid, &options);
    compare(fit, scores_with, distribution_with);
    assay_templates_free(fit);
    assay_grid_free(grid);
    free(y);
}

/* ---- order ---- */

/* Reversed templates and items, with keys that say so: the same bits, reversed. */
static void keys_make_order_immaterial(void **state)
{
    double *y = random_grid(I, J, 0.3, 9), reversed[I * J];
    uint64_t templates[I], items[J], no_templates[I], no_items[J];
    assay_templates_options options = marginal(100), back = marginal(100);
    assay_grid *grid, *turned;
    const double *intervals, *intervals_back;
    assay_templates *fit, *other;

    (void)state;
    for (size_t k = 0; k < I * J; k += 3) y[k] *= 0.1 + 0.013 * (double)(k % 7);
    for (size_t i = 0; i < I; i++)
        for (size_t j = 0; j < J; j++) reversed[i * J + j] = y[(I - 1 - i) * J + (J - 1 - j)];
    for (size_t i = 0; i < I; i++) no_templates[I - 1 - i] = templates[i] = 7 * i + 3;
    for (size_t j = 0; j < J; j++) no_items[J - 1 - j] = items[j] = 5 * j;
    grid = grid_of(y, I, J);
    turned = grid_of(reversed, I, J);
    options.template_keys = templates;
    options.item_keys = items;
    back.template_keys = no_templates;
    back.item_keys = no_items;
    fit = fit_grid(grid, &options);
    other = fit_grid(turned, &back);
    assert_true(assay_templates_mean(fit) == assay_templates_mean(other));
    assert_ok(assay_templates_score_intervals(fit, &intervals));
    assert_ok(assay_templates_score_intervals(other, &intervals_back));
    for (size_t i = 0; i < I; i++) {
        assert_true(score(fit, i) == score(other, I - 1 - i));
        assert_true(intervals[2 * i] == intervals_back[2 * (I - 1 - i)]);
        assert_true(intervals[2 * i + 1] == intervals_back[2 * (I - 1 - i) + 1]);
    }
    assay_templates_free(fit);
    assay_templates_free(other);
    assay_grid_free(grid);
    assay_grid_free(turned);
    free(y);
}

/* ---- intervals ---- */

static void intervals_hold_what_they_are_of(void **state)
{
    double *y = random_grid(I, J, 0.4, 3), mean[2], wider[2], quantile[2];
    assay_grid *grid = grid_of(y, I, J);
    assay_templates_options options = marginal(400);
    assay_templates *fit = fit_grid(grid, &options), *same = fit_grid(grid, &options), *other;
    const double *scores, *band, *distribution;
    size_t n;

    (void)state;
    distribution = assay_templates_distribution(fit, &n);
    assert_ok(assay_templates_score_intervals(fit, &scores));
    assert_ok(assay_templates_band(fit, &band));
    for (size_t i = 0; i < I; i++) {
        assert_true(0.0 <= scores[2 * i] && scores[2 * i] < scores[2 * i + 1]);
        assert_true(scores[2 * i + 1] <= 1.0);
        assert_true(scores[2 * i] < score(fit, i) && score(fit, i) < scores[2 * i + 1]);
        assert_true(band[2 * i] < distribution[i] && distribution[i] < band[2 * i + 1]);
        assert_true(i == 0 || distribution[i] >= distribution[i - 1]);
    }
    assert_ok(assay_templates_mean_interval(fit, mean));
    assert_true(mean[0] < assay_templates_mean(fit) && assay_templates_mean(fit) < mean[1]);
    assert_ok(assay_templates_quantile_interval(fit, 0.5, ASSAY_QUANTILE_PROTOCOL, quantile));
    assert_true(quantile[0] < distribution[I / 2] && distribution[I / 2] < quantile[1]);
    assert_true(band[2 * (I / 2)] <= quantile[0]); /* of all ranks at once */

    /* The same seed, the same bits; another, other draws; a higher level, wider. */
    for (size_t i = 0; i < I; i++) {
        const double *again;

        assert_ok(assay_templates_score_intervals(same, &again));
        assert_true(again[2 * i] == scores[2 * i]);
    }
    options.seed = 2;
    options.level = 0.97;
    other = fit_grid(grid, &options);
    assert_ok(assay_templates_mean_interval(other, wider));
    assert_true(wider[0] < mean[0] && wider[1] > mean[1]);
    assay_templates_free(fit);
    assay_templates_free(same);
    assay_templates_free(other);
    assay_grid_free(grid);
    free(y);
}

/* Where cells are few the scores vary by what was drawn: an interval for the mean of 12 x 200 Rasch grids must
   hold about as often as it says. 100 grids at .9 have a standard deviation of .03: at least .8, and not
   always. */
static void the_interval_of_the_mean_holds(void **state)
{
    enum { GRIDS = 100, N = 12, M = 200 };
    int n_held = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= GRIDS; seed++) {
        double *full = random_grid(N, M, 1.0, seed), truth = 0.0, interval[2];
        assay_templates_options options = marginal(100);
        assay_random random;
        assay_templates *fit;
        assay_grid *grid;

        assay_random_start(&random, seed, ASSAY_PURPOSE_PLAN, 0);
        for (size_t k = 0; k < N * M; k++) {
            truth += full[k] / (N * M);
            if (assay_random_uniform(&random) > 0.1) full[k] = NAN;
        }
        grid = grid_of(full, N, M);
        fit = fit_grid(grid, &options);
        assert_ok(assay_templates_mean_interval(fit, interval));
        n_held += interval[0] <= truth && truth <= interval[1];
        assay_templates_free(fit);
        assay_grid_free(grid);
        free(full);
    }
    assert_in_range(n_held, 80, 99);
}

static void no_interval_without_grounds(void **state)
{
    enum { MANY = 201 };
    double *y = random_grid(MANY, 4, 0.5, 3), few[MANY], interval[2];
    assay_grid *grid = grid_of(y, MANY, 4), *thin;
    assay_templates_options options = marginal(100);
    assay_templates *fit = fit_grid(grid, &options);
    const double *pairs;

    (void)state;
    assert_ok(assay_templates_mean_interval(fit, interval));
    assert_ok(assay_templates_score_intervals(fit, &pairs));
    assert_int_equal(assay_templates_band(fit, &pairs), ASSAY_E_DEGENERATE);
    assert_null(pairs);
    assert_int_equal(assay_templates_quantile_interval(fit, 0.5, ASSAY_QUANTILE_LINEAR, interval),
                     ASSAY_E_DEGENERATE);
    assert_non_null(strstr(assay_last_error(), "200 templates"));
    assay_templates_free(fit);

    for (size_t i = 0; i < MANY; i++) few[i] = i % 3 ? (double)(i % 2) : NAN;
    thin = grid_of(few, MANY, 1);
    fit = fit_grid(thin, &options);
    assert_int_equal(assay_templates_score_intervals(fit, &pairs), ASSAY_E_DEGENERATE);
    assert_non_null(strstr(assay_last_error(), "fewer cells than templates"));
    assay_templates_free(fit);

    options.n_draws = 0;
    fit = fit_grid(grid, &options);
    assert_int_equal(assay_templates_mean_interval(fit, interval), ASSAY_E_DEGENERATE);
    assert_non_null(strstr(assay_last_error(), "draws"));
    assay_templates_free(fit);

    options.method = ASSAY_TEMPLATES_PE;
    fit = fit_grid(grid, &options);
    assert_int_equal(assay_templates_mean_interval(fit, interval), ASSAY_E_DEGENERATE);
    assert_non_null(strstr(assay_last_error(), "published"));
    assay_templates_free(fit);
    assay_grid_free(grid);
    assay_grid_free(thin);
    free(y);
}

/* ---- thin data ---- */

static void check_sane(const double *y, size_t n_templates, size_t n_items)
{
    assay_grid *grid = grid_of(y, n_templates, n_items);
    assay_templates_options options = marginal(100);
    assay_templates *fit = fit_grid(grid, &options);
    size_t n;
    const double *distribution = assay_templates_distribution(fit, &n);

    for (size_t i = 0; i < n_templates; i++) {
        assert_true(score(fit, i) >= 0.0 && score(fit, i) <= 1.0);
        assert_true(distribution[i] >= 0.0 && distribution[i] <= 1.0);
        if (assay_templates_theta(fit, &n))
            assert_true(isfinite(assay_templates_theta(fit, &n)[i]));
    }
    assert_true((n == 0) == (assay_grid_n_cells(grid) == n_templates * n_items)); /* all is known */
    for (size_t j = 0; j < n_items && n > 0; j++)
        assert_true(isfinite(assay_templates_beta(fit, &n)[j]));
    assay_templates_free(fit);
    assay_grid_free(grid);
}

static void thin_data_have_answers(void **state)
{
    const double one = 1.0, none_of_the_second[4] = { 1, 0, NAN, NAN };
    const double judged[6] = { 0.5, 0.2, NAN, 0.9, NAN, 0.49 };
    double same[300];

    (void)state;
    check_sane(&one, 1, 1);
    check_sane(none_of_the_second, 2, 2);
    check_sane(judged, 2, 3);
    for (int right = 0; right < 2; right++) {
        for (size_t k = 0; k < 300; k++) same[k] = k % 4 ? (double)NAN : right;
        check_sane(same, 30, 10); /* all right, all wrong: also every template and item */
        check_sane(same, 1, 300);
        check_sane(same, 300, 1);
    }
    for (size_t k = 0; k < 300; k++) same[k] = k < 150; /* a line separates them */
    check_sane(same, 30, 10);
}

/* A judge's scores about .72, all of them above .5: what was not run is expected there, too. The mean of 60 x
   100 such scores, 600 of them seen, is known to about .01. */
static void scores_between_are_taken_as_they_are(void **state)
{
    enum { N = 60, M = 100 };
    double y[N * M], truth = 0.0;
    assay_templates_options options = marginal(0);
    assay_templates *fit;
    assay_random random;
    assay_grid *grid;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t k = 0; k < N * M; k++) {
        y[k] = 0.55 + 0.34 * assay_random_uniform(&random);
        truth += y[k] / (N * M);
        if (assay_random_uniform(&random) > 0.1) y[k] = NAN;
    }
    grid = grid_of(y, N, M);
    fit = fit_grid(grid, &options);
    assert_near(assay_templates_mean(fit), truth, 0.02);
    assay_templates_free(fit);
    assay_grid_free(grid);
}

/* All cells run: the scores are what was seen, and intervals have no width but rounding. */
static void full_grids_are_known(void **state)
{
    double *y = random_grid(I, J, 1.0, 3);
    assay_grid *grid = grid_of(y, I, J);
    assay_templates_options options = marginal(100);
    assay_templates *fit = fit_grid(grid, &options);
    const double *pairs;

    (void)state;
    assert_ok(assay_templates_score_intervals(fit, &pairs));
    for (size_t i = 0; i < I; i++) {
        double mean = 0.0;

        for (size_t j = 0; j < J; j++) mean += y[i * J + j] / J;
        assert_near(score(fit, i), mean, 1e-9);
        assert_near(pairs[2 * i], mean, 1e-9);
        assert_near(pairs[2 * i + 1], mean, 1e-9);
    }
    assay_templates_free(fit);
    assay_grid_free(grid);
    free(y);
}

/* Thousands of cells a template: as good as the plain means, one broken template or none. The sd of a mean of
   3,000 scores is .009. */
static void rich_data_are_read_as_plainly(void **state)
{
    enum { N = 20, M = 6000 };
    assay_templates_options options = marginal(100);

    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        double *y = random_grid(N, M, 1.0, 4), error = 0.0, plain = 0.0;
        double truth[N] = { 0.0 }, mean[N] = { 0.0 }, seen[N] = { 0.0 };
        assay_random random;
        assay_templates *fit;
        assay_grid *grid;

        assay_random_start(&random, 7, ASSAY_PURPOSE_PLAN, 0);
        for (size_t k = 0; k < N * (size_t)M; k++) {
            size_t i = k / M;

            if (broken && i == 0) y[k] = 0.0;
            truth[i] += y[k] / M;
            if (assay_random_uniform(&random) < 0.5) {
                y[k] = NAN;
            } else {
                mean[i] += y[k];
                seen[i] += 1.0;
            }
        }
        grid = grid_of(y, N, M);
        fit = fit_grid(grid, &options);
        for (size_t i = 0; i < N; i++) {
            error += pow(score(fit, i) - truth[i], 2.0);
            plain += pow(mean[i] / seen[i] - truth[i], 2.0);
        }
        assert_true(error < plain);
        if (broken) assert_near(score(fit, 0), 0.0, 2e-3);
        assay_templates_free(fit);
        assay_grid_free(grid);
        free(y);
    }
}

/* .1 ten times has a mean that is not .1: what is left of it is no covariate. */
static void constant_covariates_change_nothing(void **state)
{
    double *y = random_grid(10, J, 0.3, 3), x[10];
    assay_grid *grid = grid_of(y, 10, J);
    assay_templates_options options = marginal(100);
    assay_templates *plain = fit_grid(grid, &options), *fit;

    (void)state;
    for (size_t i = 0; i < 10; i++) x[i] = 0.1;
    options.x = x;
    options.n_x = 1;
    fit = fit_grid(grid, &options);
    for (size_t i = 0; i < 10; i++) assert_true(score(fit, i) == score(plain, i));
    assay_templates_free(plain);
    assay_templates_free(fit);
    for (size_t i = 0; i < 10; i++) x[i] = 1e-170 * (double)(i % 3); /* however small, or large */
    fit = fit_grid(grid, &options);
    for (size_t i = 0; i < 10; i++) x[i] = 1e200 * (double)(i % 3);
    plain = fit_grid(grid, &options);
    for (size_t i = 0; i < 10; i++) assert_near(score(fit, i), score(plain, i), 1e-9);
    assay_templates_free(plain);
    assay_templates_free(fit);
    assay_grid_free(grid);
    free(y);
}

/* As many covariates as there are items: by the smaller Gram matrix. */
static void many_covariates_are_those_that_span(void **state)
{
    double *y = random_grid(10, J, 0.3, 3), *x = random_covariates(10, 3, 5), wide[10 * 12];
    assay_grid *grid = grid_of(y, 10, J);
    assay_templates_options options = marginal(0);
    assay_templates *narrow, *fit;

    (void)state;
    for (size_t i = 0; i < 10; i++)
        for (size_t c = 0; c < 12; c++) wide[i * 12 + c] = x[i * 3 + c % 3];
    options.x = x;
    options.n_x = 3;
    narrow = fit_grid(grid, &options);
    options.x = wide;
    options.n_x = 12;
    fit = fit_grid(grid, &options);
    for (size_t i = 0; i < 10; i++) assert_near(score(fit, i), score(narrow, i), 1e-9);
    assay_templates_free(narrow);
    assay_templates_free(fit);
    assay_grid_free(grid);
    free(y);
    free(x);
}

/* ---- faults ---- */

static void expect_refused(const assay_templates_options *options, const char *word)
{
    const double y[4] = { 1, 0, 0, 1 }, *const all = y;
    assay_grid *grid = grid_of(all, 2, 2);
    assay_templates *fit;

    assert_int_equal(assay_templates_fit(grid, options, &fit), ASSAY_E_VALUE);
    assert_null(fit);
    assert_non_null(strstr(assay_last_error(), word));
    assay_grid_free(grid);
}

static void options_out_of_range_are_refused(void **state)
{
    const double z[2] = { 1, 2 };
    assay_templates_options options = marginal(1);

    (void)state;
    expect_refused(&options, "draws");
    options = marginal(2000000);
    expect_refused(&options, "draws");
    options = marginal(100);
    options.level = 1.0;
    expect_refused(&options, "level");
    options = marginal(100);
    options.z = z;
    options.n_z = 1;
    expect_refused(&options, "items");
}

static assay_status fit_and_free(void *context)
{
    const double *x = context;
    const double y[8] = { 1, NAN, 0, 1, NAN, NAN, 0, 1 };
    assay_templates_options options = marginal(100);
    assay_templates *fit = NULL;
    assay_grid *grid = NULL;
    assay_status status = assay_grid_from_scores(y, 4, 2, &grid);

    options.x = x;
    options.n_x = 1;
    if (status == ASSAY_OK) status = assay_templates_fit(grid, &options, &fit);
    assay_templates_free(fit);
    assay_grid_free(grid);
    return status;
}

static void memory_may_fail(void **state)
{
    double x[4] = { 0, 1, 0, 2 };

    (void)state;
    assert_true(fail_every_allocation(fit_and_free, x) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_reference),
        cmocka_unit_test(keys_make_order_immaterial),
        cmocka_unit_test(intervals_hold_what_they_are_of),
        cmocka_unit_test(the_interval_of_the_mean_holds),
        cmocka_unit_test(no_interval_without_grounds),
        cmocka_unit_test(thin_data_have_answers),
        cmocka_unit_test(scores_between_are_taken_as_they_are),
        cmocka_unit_test(full_grids_are_known),
        cmocka_unit_test(rich_data_are_read_as_plainly),
        cmocka_unit_test(constant_covariates_change_nothing),
        cmocka_unit_test(many_covariates_are_those_that_span),
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(memory_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
