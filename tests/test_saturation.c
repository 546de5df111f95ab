/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/plot.h"
#include "assay/saturation.h"
#include "failing_memory.h"
#include "parts_reference.h"
#include "svg_checks.h"

#include <stdio.h>
#include <string.h>

/* ---- fits ---- */

enum { N = 10 };
static const double sizes[N] = { 8, 13, 20, 32, 50, 80, 126, 199, 316, 500 };

/* A curve as random subsets of a leaderboard give it. */
static const double ed[N] = { 3.7414, 4.7879, 5.8209, 6.4046, 6.7889,
                              7.2596, 7.5180, 7.7420, 7.7816, 7.8958 };
static const double weights[N] = { 1, 2, 3, 4, 5, 5, 4, 3, 2, 9 };

struct golden {
    assay_saturation_form form;
    const double *weight;
    double ed_inf, b, c, rmse;
};

/* scipy.optimize.least_squares() of SciPy 1.10.1 with all its tolerances at 1e-15. */
static const struct golden golden[] = {
    { ASSAY_SATURATION_HYPERBOLA, NULL, 8.044702468064, 8.628047427787, NAN, 0.0852959853414 },
    { ASSAY_SATURATION_HYPERBOLA, weights, 8.025026706442, 8.393422120618, NAN, 0.0887793764064 },
    { ASSAY_SATURATION_EXPONENTIAL, NULL, 7.500193719985, 13.24736688491, NAN, 0.307054620673 },
    { ASSAY_SATURATION_EXPONENTIAL, weights, 7.558578574775, 14.63696539178, NAN, 0.331357693375 },
    { ASSAY_SATURATION_POWER, NULL, 8.244524286455, 17.55246496817, .6489241915219,
      0.065694705154 },
    { ASSAY_SATURATION_POWER, weights, 8.204671844607, 18.20197943305, .6669576142815,
      0.0671462969133 },
};

/* A minimum is flat: its place is known to about the root of the 1e-16 of the sum. */
static void fits_are_scipys(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
        assay_saturation_fit fit;

        assert_int_equal(
            assay_saturation_fit_form(golden[k].form, sizes, ed, golden[k].weight, N, &fit),
            ASSAY_OK);
        assert_null(fit.reason);
        assert_near(fit.ed_inf / golden[k].ed_inf, 1.0, 1e-7);
        assert_near(fit.b / golden[k].b, 1.0, 1e-6);
        assert_near(fit.c, golden[k].c, 1e-6);
        assert_near(fit.rmse / golden[k].rmse, 1.0, 1e-7); /* not at its least where weighted */
    }
}

/* Points on a curve give it back, whatever the scale of the sizes. */
static void exact_curves_are_found(void **state)
{
    (void)state;
    for (int form = 0; form < ASSAY_SATURATION_N_FORMS; form++) {
        for (double scale = 1e-3; scale < 1e4; scale *= 1e3) {
            assay_saturation_fit truth = { 12.5, 40.0, 0.7, 0.0, NULL }, fit;
            double at[N], y[N];

            for (size_t k = 0; k < N; k++) {
                at[k] = sizes[k] * scale;
                y[k] = assay_saturation_at((assay_saturation_form)form, &truth, sizes[k]);
            }
            assert_int_equal(
                assay_saturation_fit_form((assay_saturation_form)form, at, y, NULL, N, &fit),
                ASSAY_OK);
            assert_null(fit.reason);
            assert_near(fit.ed_inf, 12.5, 1e-5);
            assert_near(fit.rmse, 0.0, 1e-7);
        }
    }
}

/* No sum of squares near by is lower: a check that needs no other program. */
static void fits_are_least(void **state)
{
    (void)state;
    for (int form = 0; form < ASSAY_SATURATION_N_FORMS; form++) {
        assay_saturation_fit fit, other;
        double least = 0.0;

        assay_saturation_fit_form((assay_saturation_form)form, sizes, ed, weights, N, &fit);
        for (int step = -1; step < 6; step++) {
            double squares = 0.0;

            other = fit;
            if (step >= 0) {
                double factor = step % 2 ? 0.999 : 1.001;

                *(step < 2 ? &other.ed_inf : step < 4 ? &other.b : &other.c) *= factor;
            }
            for (size_t k = 0; k < N; k++) {
                double off =
                    ed[k] - assay_saturation_at((assay_saturation_form)form, &other, sizes[k]);

                squares += weights[k] * off * off;
            }
            if (step < 0)
                least = squares;
            else
                assert_true(squares >= least || isnan(squares));
        }
    }
}

static void curves_without_an_end_say_so(void **state)
{
    double straight[N], logarithm[N], flat[N], falling[N];
    assay_saturation_fit fit;

    (void)state;
    for (size_t k = 0; k < N; k++) {
        straight[k] = 0.1 * sizes[k];
        logarithm[k] = log(sizes[k]);
        flat[k] = 3.0;
        falling[k] = 3.0 + 20.0 / sizes[k];
    }
    for (int form = 0; form < ASSAY_SATURATION_N_FORMS; form++) {
        assay_saturation_fit_form((assay_saturation_form)form, sizes, straight, NULL, N, &fit);
        assert_non_null(fit.reason);
        assert_true(isnan(fit.ed_inf) && isnan(fit.rmse));
    }
    assay_saturation_fit_form(ASSAY_SATURATION_POWER, sizes, logarithm, NULL, N, &fit);
    assert_non_null(fit.reason);
    assay_saturation_fit_form(ASSAY_SATURATION_POWER, sizes, falling, NULL, N, &fit);
    assert_non_null(fit.reason);
    assay_saturation_fit_form(ASSAY_SATURATION_EXPONENTIAL, sizes, flat, NULL, N, &fit);
    assert_near(fit.ed_inf, 3.0, 1e-9);
}

static void fit_errors(void **state)
{
    double bad[N];
    assay_saturation_fit fit;

    (void)state;
    assert_int_equal(assay_saturation_fit_form(ASSAY_SATURATION_POWER, sizes, ed, NULL, 3, &fit),
                     ASSAY_E_SHAPE);
    assert_int_equal(assay_saturation_fit_form((assay_saturation_form)9, sizes, ed, NULL, N, &fit),
                     ASSAY_E_VALUE);
    memcpy(bad, ed, sizeof bad);
    bad[4] = NAN;
    assert_int_equal(assay_saturation_fit_form(ASSAY_SATURATION_POWER, sizes, bad, NULL, N, &fit),
                     ASSAY_E_VALUE);
    memcpy(bad, sizes, sizeof bad);
    bad[0] = 0.0;
    assert_int_equal(assay_saturation_fit_form(ASSAY_SATURATION_POWER, bad, ed, NULL, N, &fit),
                     ASSAY_E_VALUE);
    memcpy(bad, weights, sizeof bad);
    bad[9] = -1.0;
    assert_int_equal(assay_saturation_fit_form(ASSAY_SATURATION_POWER, sizes, ed, bad, N, &fit),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_saturation_form_name(ASSAY_SATURATION_POWER), "power");
    assert_string_equal(assay_saturation_form_name((assay_saturation_form)-1), "");
}

/* ---- curves ---- */

static assay_saturation_options with_draws(size_t draws, int threads)
{
    assay_saturation_options options;

    assay_saturation_options_init(&options, sizeof options);
    options.draws = draws;
    options.threads = threads;
    return options;
}

/* The mean over random pairs of 3 items is within 5 Monte Carlo errors of the mean over all 3
   pairs; the last point is the matrix itself. */
static void curves_are_means_over_subsets(void **state)
{
    static const size_t pairs[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
    double *scores = random_scores(12, 3, REALS, 2), mean = 0.0;
    assay_matrix *matrix = matrix_of(scores, 12, 3);
    assay_saturation_options options = with_draws(4000, 0);
    assay_saturation got;

    (void)state;
    for (size_t k = 0; k < 3; k++)
        mean += slow_part_ed(scores, 3, NULL, 12, pairs[k], 2, TASK) / 3.0;
    assert_int_equal(assay_saturation_curves(matrix, &options, &got), ASSAY_OK);
    assert_int_equal(got.items.n, 2);
    assert_near(got.items.size[0], 2.0, 0.0);
    assert_near(got.items.mean[0], mean, 5.0 * got.items.sd[0] / sqrt(4000.0));
    assert_int_equal(got.items.subsets[0], 4000);
    assert_int_equal(got.items.subsets[1], 1);
    assert_near(got.items.mean[1], slow_part_ed(scores, 3, NULL, 12, NULL, 3, TASK), 1e-11);
    assert_true(isnan(got.items.sd[1]));
    for (int form = 0; form < 3; form++) assert_non_null(got.items.fit[form].reason);
    assert_near(got.models.mean[got.models.n - 1], got.items.mean[1], 1e-11);
    assay_matrix_free(matrix);
    free(scores);
}

static void sizes_go_from_eight_to_all(void **state)
{
    double *scores = random_scores(134, 500, BITS, 2);
    assay_matrix *matrix = matrix_of(scores, 134, 500);
    assay_saturation_options options = with_draws(2, 0);
    assay_saturation got;

    (void)state;
    assert_int_equal(assay_saturation_curves(matrix, &options, &got), ASSAY_OK);
    assert_int_equal(got.items.n, 10);
    for (size_t k = 0; k < 10; k++) assert_near(got.items.size[k], sizes[k], 0.0);
    assert_near(got.models.size[0], 8.0, 0.0);
    assert_near(got.models.size[9], 134.0, 0.0);
    assay_matrix_free(matrix);
    free(scores);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    for (int kind = BITS; kind <= REALS; kind += REALS - BITS) {
        double *scores = random_scores(20, 40, (enum score_kind)kind, 9);
        assay_matrix *matrix = matrix_of(scores, 20, 40);
        assay_saturation_options one = with_draws(30, 1), many = with_draws(30, 5);
        assay_saturation a, b;

        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        assert_int_equal(assay_saturation_curves(matrix, &one, &a), ASSAY_OK);
        assert_int_equal(assay_saturation_curves(matrix, &many, &b), ASSAY_OK);
        assert_memory_equal(a.items.mean, b.items.mean, sizeof a.items.mean);
        assert_memory_equal(a.models.mean, b.models.mean, sizeof a.models.mean);
        assert_memory_equal(&a.models.fit[0].ed_inf, &b.models.fit[0].ed_inf, sizeof(double));
        one.seed = 2;
        assert_int_equal(assay_saturation_curves(matrix, &one, &b), ASSAY_OK);
        assert_true(a.items.mean[2] != b.items.mean[2]);
        assay_matrix_free(matrix);
        free(scores);
    }
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)fraction;
    return strcmp(stage, "saturation") == 0;
}

static void curve_errors(void **state)
{
    double *scores = random_scores(5, 6, BITS, 1);
    assay_matrix *matrix = matrix_of(scores, 5, 6), *single = matrix_of(scores, 1, 6);
    assay_saturation_options options = with_draws(0, 0);
    assay_saturation got;

    (void)state;
    assert_int_equal(assay_saturation_curves(matrix, &options, &got), ASSAY_E_VALUE);
    options = with_draws(10, -1);
    assert_int_equal(assay_saturation_curves(matrix, &options, &got), ASSAY_E_VALUE);
    options = with_draws(10, 0);
    options.progress.step = stop;
    assert_int_equal(assay_saturation_curves(matrix, &options, &got), ASSAY_E_CANCELLED);
    assert_int_equal(assay_saturation_curves(single, NULL, &got), ASSAY_E_SHAPE);
    assay_matrix_free(matrix);
    assay_matrix_free(single);
    free(scores);
}

/* Equal models: no subset has an ED. */
static void nothing_is_invented(void **state)
{
    static const double same[] = { 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1 };
    assay_matrix *matrix = matrix_of(same, 4, 3);
    assay_saturation got;
    char *svg = NULL;
    size_t length;
    FILE *to;

    (void)state;
    assert_int_equal(assay_saturation_curves(matrix, NULL, &got), ASSAY_OK);
    assert_true(isnan(got.items.mean[0]) && isnan(got.models.mean[0]));
    assert_int_equal(got.items.subsets[0], 0);
    assert_non_null(got.models.fit[0].reason);
    to = open_memstream(&svg, &length);
    assay_plot_saturation(&got, NULL, to);
    fclose(to);
    assert_sound(svg);
    free(svg);
    assay_matrix_free(matrix);
}

static void figure_is_sound(void **state)
{
    double *scores = random_scores(20, 40, BITS, 6);
    assay_matrix *matrix = matrix_of(scores, 20, 40);
    assay_saturation got;
    char *svg = NULL;
    size_t length;
    FILE *to;

    (void)state;
    assert_int_equal(assay_saturation_curves(matrix, NULL, &got), ASSAY_OK);
    to = open_memstream(&svg, &length);
    assay_plot_saturation(&got, "<b>&\"\x1b", to);
    fclose(to);
    assert_sound(svg);
    assert_int_equal(count(svg, "<circle"), got.items.n + got.models.n);
    free(svg);
    assay_matrix_free(matrix);
    free(scores);
}

static assay_status fit_curves(void *matrix)
{
    assay_saturation_options options = with_draws(2, 1);
    assay_saturation got;

    return assay_saturation_curves(matrix, &options, &got);
}

static void every_allocation_may_fail(void **state)
{
    double *scores = random_scores(5, 6, REALS, 8);
    assay_matrix *matrix = matrix_of(scores, 5, 6);

    (void)state;
    assert_true(fail_every_allocation(fit_curves, matrix) > 5);
    assay_matrix_free(matrix);
    free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_are_scipys),
        cmocka_unit_test(exact_curves_are_found),
        cmocka_unit_test(fits_are_least),
        cmocka_unit_test(curves_without_an_end_say_so),
        cmocka_unit_test(fit_errors),
        cmocka_unit_test(curves_are_means_over_subsets),
        cmocka_unit_test(sizes_go_from_eight_to_all),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(curve_errors),
        cmocka_unit_test(nothing_is_invented),
        cmocka_unit_test(figure_is_sound),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
