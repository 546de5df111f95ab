/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "signals_fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by hand ---- */

/* The centred identity has n - 1 equal eigenvalues; exact in binary, so no tolerance but rounding.
 */
static void identity_has_all_axes(void **state)
{
    const double identity[16] = { [0] = 1, [5] = 1, [10] = 1, [15] = 1 };
    assay_signals_options options = with_permutations(0);
    assay_signals *fit = fit_scores(identity, 4, 4, &options);
    const double *spectrum;
    size_t n;

    (void)state;
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK), 3.0, 1e-14);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_ED_MODEL), 3.0, 1e-14);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_PC1_SHARE), 1.0 / 3.0, 1e-14);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_KAISER), 3.0, 0.0);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_MARCHENKO_PASTUR), 2.0, 0.0);
    spectrum = assay_signals_spectrum(fit, &n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < 3; i++) assert_near(spectrum[i], 1.0, 1e-14);
    assert_near(spectrum[3], 0.0, 1e-14);
    assay_signals_free(fit);
}

/* Every item orders the models alike, scaled: one axis. */
static void one_profile_is_one_signal(void **state)
{
    const double scores[] = { 1, 2, 3, 2, 4, 6, 5, 10, 15, 0, 0, 0 };
    assay_signals *fit = fit_scores(scores, 4, 3, NULL);

    (void)state;
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK), 1.0, 1e-12);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_ED_STANDARDISED), 1.0, 1e-12);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_PC1_SHARE), 1.0, 1e-12);
    assay_signals_free(fit);
}

static void one_item_is_one_signal_and_says_what_it_cannot(void **state)
{
    const double scores[] = { 1, 0, 1 };
    assay_signals *fit = fit_scores(scores, 3, 1, NULL);

    (void)state;
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK), 1.0, 1e-15);
    assert_true(isnan(assay_signals_value(fit, ASSAY_SIGNALS_ED_MODEL)));
    assert_non_null(assay_signals_reason(fit, ASSAY_SIGNALS_ED_MODEL));
    assert_null(assay_signals_reason(fit, ASSAY_SIGNALS_ED_TASK));
    assay_signals_free(fit);
}

static void constant_items_are_counted_and_change_no_dimension(void **state)
{
    enum { N = 9, T = 14 };
    double *with = random_scores(N, T, BITS, 2), without[N * (T - 1)];
    assay_signals *a, *b;

    (void)state;
    for (size_t m = 0; m < N; m++) {
        memcpy(without + m * (T - 1), with + m * T, (T - 1) * sizeof *with);
        with[m * T + T - 1] = 1.0;
    }
    a = fit_scores(with, N, T, NULL);
    b = fit_scores(without, N, T - 1, NULL);
    assert_near(assay_signals_value(a, ASSAY_SIGNALS_CONSTANT_ITEMS),
                assay_signals_value(b, ASSAY_SIGNALS_CONSTANT_ITEMS) + 1.0, 0.0);
    assert_relative(assay_signals_value(a, ASSAY_SIGNALS_ED_TASK),
                    assay_signals_value(b, ASSAY_SIGNALS_ED_TASK), 1e-12);
    assert_relative(assay_signals_value(a, ASSAY_SIGNALS_ED_STANDARDISED),
                    assay_signals_value(b, ASSAY_SIGNALS_ED_STANDARDISED), 1e-12);
    assay_signals_free(a);
    assay_signals_free(b);
    free(with);
}

/* ---- against the slow reference ---- */

/* Tolerance: sums of up to 130 x 700 products in double, two orders above their rounding. */
static void three_centrings_equal_the_slow_reference(void **state)
{
    const size_t shapes[][2] = { { 5, 9 }, { 9, 5 }, { 64, 64 }, { 130, 700 }, { 200, 67 } };
    assay_signals_options options = with_permutations(0);

    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
            size_t n = shapes[s][0], t = shapes[s][1];
            double *scores = random_scores(n, t, (enum score_kind)kind, 7 + s);
            assay_signals *fit = fit_scores(scores, n, t, &options);

            assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK),
                            slow_ed(scores, n, t, TASK), 1e-11);
            assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_MODEL),
                            slow_ed(scores, n, t, MODEL), 1e-11);
            assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_DOUBLE),
                            slow_ed(scores, n, t, BOTH), 1e-11);
            assay_signals_free(fit);
            free(scores);
        }
    }
}

/* Abilities and difficulties that add up, and a little of something else: what is left after both
   means are out is that little, to its own digits. 1e-7 of the scores keeps 9 of the 16 digits. */
static void nearly_additive_scores_keep_their_own_dimension(void **state)
{
    const double sizes[] = { 1e-2, 1e-4, 1e-7 };
    const size_t shapes[][2] = { { 20, 30 }, { 30, 20 } };

    (void)state;
    for (size_t k = 0; k < 6; k++) {
        size_t n = shapes[k % 2][0], t = shapes[k % 2][1];
        double *noise = random_scores(n, t, REALS, 19), *scores = malloc(n * t * sizeof *scores);
        assay_signals_options options = with_permutations(0);
        assay_signals *fit;

        for (size_t i = 0; i < n * t; i++)
            scores[i] = (double)(i / t) + sqrt((double)(i % t)) + sizes[k / 2] * noise[i];
        fit = fit_scores(scores, n, t, &options);
        assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_DOUBLE),
                        slow_ed(noise, n, t, BOTH), 1e-7);
        assay_signals_free(fit);
        free(noise);
        free(scores);
    }
}

static void the_dimensions_alone_are_those_of_the_fit(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        double *scores = random_scores(31, 47, (enum score_kind)kind, 53);
        assay_signals_options options = with_permutations(0);
        assay_signals *fit = fit_scores(scores, 31, 47, &options);
        assay_matrix *matrix;
        assay_dimensions ed;

        assert_int_equal(assay_matrix_from_scores(scores, 31, 47, &matrix), ASSAY_OK);
        assert_int_equal(assay_effective_dimensions(matrix, 2, &ed), ASSAY_OK);
        assert_true(ed.task == assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK));
        assert_true(ed.model == assay_signals_value(fit, ASSAY_SIGNALS_ED_MODEL));
        assert_true(ed.both == assay_signals_value(fit, ASSAY_SIGNALS_ED_DOUBLE));
        assay_matrix_free(matrix);
        assay_signals_free(fit);
        free(scores);
    }
}

/* A power of two changes no digit of a ratio, however large or small the scores become. */
static void the_size_of_the_scores_does_not_matter(void **state)
{
    const int exponents[] = { 1000, -960, 40 };
    double *scores = random_scores(12, 18, REALS, 59), scaled[12 * 18];
    assay_signals_options options = with_permutations(5);
    assay_signals *fit = fit_scores(scores, 12, 18, &options);

    (void)state;
    for (size_t e = 0; e < 3; e++) {
        assay_signals *other;

        for (size_t k = 0; k < 12 * 18; k++) scaled[k] = ldexp(scores[k], exponents[e]);
        other = fit_scores(scaled, 12, 18, &options);
        for (int i = 0; i < ASSAY_SIGNALS_N_NUMBERS; i++)
            assert_near(assay_signals_value(other, (assay_signals_number)i),
                        assay_signals_value(fit, (assay_signals_number)i), 0.0);
        assay_signals_free(other);
    }
    assay_signals_free(fit);
    free(scores);
}

static void standardised_is_the_dimension_of_scaled_items(void **state)
{
    enum { N = 40, T = 25 };
    double *scores = random_scores(N, T, REALS, 3);
    assay_signals_options options = with_permutations(0);
    assay_signals *fit = fit_scores(scores, N, T, &options);

    (void)state;
    assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_STANDARDISED),
                    slow_ed(scores, N, T, UNIT), 1e-11);
    assay_signals_free(fit);
    free(scores);
}

/* The moments of the spectrum are those of the Gram matrix. */
static void spectrum_has_the_moments_of_the_dimension(void **state)
{
    double *scores = random_scores(30, 80, BITS, 5);
    assay_signals *fit = fit_scores(scores, 30, 80, NULL);
    double sum = 0.0, squares = 0.0;
    size_t n;
    const double *spectrum = assay_signals_spectrum(fit, &n);

    (void)state;
    assert_int_equal(n, 30);
    for (size_t i = 0; i < n; i++) {
        sum += spectrum[i];
        squares += spectrum[i] * spectrum[i];
        if (i) assert_true(spectrum[i] <= spectrum[i - 1]);
    }
    assert_relative(sum * sum / squares, assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK), 1e-12);
    assay_signals_free(fit);
    free(scores);
}

/* ---- the contract ---- */

static void the_same_bits_for_any_number_of_threads(void **state)
{
    const int threads[] = { 1, 2, 7 };

    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        double *scores = random_scores(70, 150, (enum score_kind)kind, 29);
        assay_signals *first = NULL;

        for (size_t k = 0; k < 3; k++) {
            assay_signals_options options = with_permutations(20);
            assay_signals *fit;
            const double *spectra[2];
            size_t n;

            options.threads = threads[k];
            fit = fit_scores(scores, 70, 150, &options);
            if (!first) {
                first = fit;
                continue;
            }
            for (int i = 0; i < ASSAY_SIGNALS_N_NUMBERS; i++) {
                double a = assay_signals_value(first, (assay_signals_number)i);
                double b = assay_signals_value(fit, (assay_signals_number)i);
                assert_memory_equal(&a, &b, sizeof a);
            }
            spectra[0] = assay_signals_spectrum(first, &n);
            spectra[1] = assay_signals_spectrum(fit, &n);
            assert_memory_equal(spectra[0], spectra[1], n * sizeof(double));
            spectra[0] = assay_signals_null_q95(first, &n);
            spectra[1] = assay_signals_null_q95(fit, &n);
            assert_memory_equal(spectra[0], spectra[1], n * sizeof(double));
            assay_signals_free(fit);
        }
        assay_signals_free(first);
        free(scores);
    }
}

static void the_order_of_models_and_items_does_not_matter(void **state)
{
    enum { N = 20, T = 33 };
    double *scores = random_scores(N, T, REALS, 31), turned[N * T];
    assay_signals_options options = with_permutations(0);
    assay_signals *a = fit_scores(scores, N, T, &options), *b;

    (void)state;
    for (size_t k = 0; k < N * T; k++) turned[k] = scores[N * T - 1 - k];
    b = fit_scores(turned, N, T, &options);
    assert_relative(assay_signals_value(a, ASSAY_SIGNALS_ED_TASK),
                    assay_signals_value(b, ASSAY_SIGNALS_ED_TASK), 1e-12);
    assay_signals_free(a);
    assay_signals_free(b);
    free(scores);
}

static assay_status status_of(const double *scores, size_t n, size_t t,
                              const assay_signals_options *options)
{
    assay_matrix *matrix = NULL;
    assay_signals *fit = (assay_signals *)&matrix; /* must be overwritten with NULL */
    assay_status status;

    assert_int_equal(assay_matrix_from_scores(scores, n, t, &matrix), ASSAY_OK);
    status = assay_signals_fit(matrix, options, &fit);
    assert_null(fit);
    assay_matrix_free(matrix);
    return status;
}

static void each_failure_has_its_code_and_sentence(void **state)
{
    const double flat[] = { 1, 0, 1, 0 }, good[] = { 1, 0, 0, 1 };
    assay_signals_options options = with_permutations(0);

    (void)state;
    assert_int_equal(status_of(good, 1, 4, NULL), ASSAY_E_SHAPE);
    assert_non_null(strstr(assay_last_error(), "2 models or more"));
    assert_int_equal(status_of(flat, 2, 2, NULL), ASSAY_E_DEGENERATE);
    assert_non_null(strstr(assay_last_error(), "all 2 items"));
    options.level = 1.0;
    assert_int_equal(status_of(good, 2, 2, &options), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "level is 1"));
    options = with_permutations(-2);
    assert_int_equal(status_of(good, 2, 2, &options), ASSAY_E_VALUE);
    options = with_permutations(-1);
    options.most_permutations = -1;
    assert_int_equal(status_of(good, 2, 2, &options), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "most_permutations is -1"));
    options = with_permutations(0);
    options.threads = -1;
    assert_int_equal(status_of(good, 2, 2, &options), ASSAY_E_VALUE);
    options.struct_size = 3;
    assert_int_equal(status_of(good, 2, 2, &options), ASSAY_E_VALUE);
}

static int stop_at_once(void *user, const char *stage, double fraction)
{
    (void)fraction;
    return strcmp(stage, user) == 0;
}

static void a_progress_callback_can_cancel_each_stage(void **state)
{
    static char stages[][16] = { "dimension", "spectrum", "permutations" };
    double *scores = random_scores(10, 20, BITS, 37);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assay_signals_options options = with_permutations(50);

        options.threads = 1;
        options.progress = (assay_progress){ stop_at_once, stages[i] };
        assert_int_equal(status_of(scores, 10, 20, &options), ASSAY_E_CANCELLED);
        assert_non_null(strstr(assay_last_error(), stages[i]));
    }
    free(scores);
}

/* ABI: a caller compiled before later fields existed still gets their defaults. */
static void an_older_options_struct_is_accepted(void **state)
{
    const double scores[] = { 1, 0, 0, 1, 1, 1 };
    assay_signals_options old;
    assay_signals *fit;

    (void)state;
    memset(&old, 0xff, sizeof old);
    assay_signals_options_init(&old, offsetof(assay_signals_options, permutations));
    fit = fit_scores(scores, 3, 2, &old);
    assert_near(assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATIONS), 1000.0, 0.0);
    assay_signals_free(fit);
}

struct sweep {
    double *scores;
    size_t n, t;
};

static assay_status fit_once(void *context)
{
    struct sweep *sweep = context;
    assay_signals_options options = with_permutations(3);
    assay_matrix *matrix = NULL;
    assay_signals *fit = NULL;
    assay_status status = assay_matrix_from_scores(sweep->scores, sweep->n, sweep->t, &matrix);

    options.threads = 1;
    if (status == ASSAY_OK) status = assay_signals_fit(matrix, &options, &fit);
    if (status != ASSAY_OK) assert_null(fit);
    assay_signals_free(fit);
    assay_matrix_free(matrix);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        struct sweep wide = { random_scores(6, 9, (enum score_kind)kind, 41), 6, 9 };
        struct sweep tall = { random_scores(9, 6, (enum score_kind)kind, 41), 9, 6 };

        assert_true(fail_every_allocation(fit_once, &wide) > 10);
        assert_true(fail_every_allocation(fit_once, &tall) > 10);
        free(wide.scores);
        free(tall.scores);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identity_has_all_axes),
        cmocka_unit_test(one_profile_is_one_signal),
        cmocka_unit_test(one_item_is_one_signal_and_says_what_it_cannot),
        cmocka_unit_test(constant_items_are_counted_and_change_no_dimension),
        cmocka_unit_test(three_centrings_equal_the_slow_reference),
        cmocka_unit_test(nearly_additive_scores_keep_their_own_dimension),
        cmocka_unit_test(the_dimensions_alone_are_those_of_the_fit),
        cmocka_unit_test(the_size_of_the_scores_does_not_matter),
        cmocka_unit_test(standardised_is_the_dimension_of_scaled_items),
        cmocka_unit_test(spectrum_has_the_moments_of_the_dimension),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(the_order_of_models_and_items_does_not_matter),
        cmocka_unit_test(each_failure_has_its_code_and_sentence),
        cmocka_unit_test(a_progress_callback_can_cancel_each_stage),
        cmocka_unit_test(an_older_options_struct_is_accepted),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
