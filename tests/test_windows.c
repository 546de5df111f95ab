/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/plot.h"
#include "assay/windows.h"
#include "failing_memory.h"
#include "parts_reference.h"
#include "svg_checks.h"

#include <stdio.h>

static assay_windows_options with(size_t window, size_t step, size_t draws, int threads)
{
    assay_windows_options options;

    assay_windows_options_init(&options, sizeof options);
    options.window = window;
    options.step = step;
    options.draws = draws;
    options.threads = threads;
    return options;
}

static assay_windows *fit_windows(const assay_matrix *matrix, const double *score,
                                  assay_windows_options options)
{
    assay_windows *windows = NULL;

    assert_int_equal(assay_windows_fit(matrix, score, &options, &windows), ASSAY_OK);
    return windows;
}

/* Scores fall with the model's number, two have none, two are equal. */
static void windows_are_by_the_definition(void **state)
{
    enum { MODELS = 23, ITEMS = 6, SIZE = 8, STEP = 3 };

    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        double *scores = random_scores(MODELS, ITEMS, (enum score_kind)kind, 17), score[MODELS];
        assay_matrix *matrix = matrix_of(scores, MODELS, ITEMS);
        size_t order[MODELS], n = 0, least[2] = { 0, 0 };
        assay_windows *windows;

        for (size_t m = 0; m < MODELS; m++) score[m] = -(double)m;
        score[4] = score[5];
        score[7] = score[20] = NAN;
        for (size_t m = MODELS; m-- > 0;) {
            if (m == 7 || m == 20 || m == 4) continue;
            if (m == 5) order[n++] = 4; /* equal scores keep the order of the matrix */
            order[n++] = m;
        }
        windows = fit_windows(matrix, score, with(SIZE, STEP, 5, 0));
        assert_int_equal(assay_windows_n_models(windows), 21);
        assert_int_equal(assay_windows_size(windows), SIZE);
        assert_int_equal(assay_windows_n(windows), 5); /* from 13, 10, 7, 4, 1 */
        for (size_t k = 0; k < 5; k++) {
            assay_window window = assay_windows_at(windows, k);
            double mean = 0.0;

            assert_int_equal(window.first, 1 + STEP * k);
            for (size_t i = 0; i < SIZE; i++) mean += score[order[window.first + i]] / SIZE;
            assert_near(window.score_mean, mean, 1e-12);
            assert_near(window.score_from, score[order[window.first]], 0.0);
            assert_near(window.score_to, score[order[window.first + SIZE - 1]], 0.0);
            for (int scale = 0; scale < 2; scale++) {
                double want = slow_part_ed(scores, ITEMS, order + window.first, SIZE, NULL, ITEMS,
                                           scale ? UNIT : TASK);

                assert_near(window.ed[scale], want, 1e-11 * want);
                if (window.ed[scale] < assay_windows_at(windows, least[scale]).ed[scale])
                    least[scale] = k;
            }
        }
        for (int scale = 0; scale < 2; scale++) {
            assay_windows_summary summary =
                assay_windows_summarise(windows, (assay_windows_scale)scale);

            assert_null(summary.reason);
            assert_int_equal(summary.at_least, least[scale]);
            assert_true(summary.least == assay_windows_at(windows, least[scale]).ed[scale]);
            assert_true(summary.first == assay_windows_at(windows, 0).ed[scale]);
            assert_true(summary.last == assay_windows_at(windows, 4).ed[scale]);
        }
        assay_windows_free(windows);
        assay_matrix_free(matrix);
        free(scores);
    }
}

/* Weak models that differ along one line only, good ones along three: P is 1; and where both
   windows are of one kind it is about as often above a half as below. */
static void bootstrap_tells_what_differs(void **state)
{
    enum { MODELS = 60 };
    double scores[MODELS * 3], score[MODELS];
    assay_random random;
    assay_matrix *matrix;
    assay_windows *windows;
    assay_windows_summary summary;
    int above = 0;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t m = 0; m < MODELS; m++) {
        double line = assay_random_normal(&random);

        score[m] = (double)m;
        for (size_t i = 0; i < 3; i++)
            scores[m * 3 + i] =
                (m < 30 ? line : 0.0) + (m < 30 ? 0.1 : 1.0) * assay_random_normal(&random);
    }
    matrix = matrix_of(scores, MODELS, 3);
    windows = fit_windows(matrix, score, with(30, 30, 400, 0));
    summary = assay_windows_summarise(windows, ASSAY_WINDOWS_AS_IT_IS);
    assert_int_equal(summary.at_least, 0);
    assert_near(summary.p_last_above, 1.0, 0.0);
    assay_windows_free(windows);
    assay_matrix_free(matrix);
    for (uint64_t seed = 0; seed < 40; seed++) {
        double *same = random_scores(MODELS, 4, REALS, 200 + seed);

        matrix = matrix_of(same, MODELS, 4);
        windows = fit_windows(matrix, score, with(30, 30, 50, 0));
        summary = assay_windows_summarise(windows, ASSAY_WINDOWS_AS_IT_IS);
        above += isnan(summary.p_last_above) == 0;
        assay_windows_free(windows);
        assay_matrix_free(matrix);
        free(same);
    }
    assert_true(above > 8 && above < 32); /* 20 +- 3.2, within 3.7 of that */
}

static void too_few_models(void **state)
{
    double *scores = random_scores(5, 4, REALS, 2), score[] = { 1, 2, NAN, 3, 4 };
    assay_matrix *matrix = matrix_of(scores, 5, 4);
    assay_windows *windows = fit_windows(matrix, score, with(5, 1, 5, 0));
    char *svg = NULL;
    size_t length;
    FILE *to;

    (void)state;
    assert_int_equal(assay_windows_n(windows), 0);
    assert_non_null(assay_windows_summarise(windows, ASSAY_WINDOWS_AS_IT_IS).reason);
    assert_true(isnan(assay_windows_summarise(windows, ASSAY_WINDOWS_UNIT_VARIANCE).least));
    to = open_memstream(&svg, &length);
    assay_plot_windows(windows, "score", NULL, to);
    fclose(to);
    assert_sound(svg);
    free(svg);
    assay_windows_free(windows);
    windows = fit_windows(matrix, score, with(4, 1, 5, 0));
    assert_int_equal(assay_windows_n(windows), 1);
    assert_non_null(assay_windows_summarise(windows, ASSAY_WINDOWS_AS_IT_IS).reason);
    assay_windows_free(windows);
    assay_matrix_free(matrix);
    free(scores);
}

static void figure_is_sound(void **state)
{
    double *scores = random_scores(30, 4, REALS, 2), score[30];
    assay_matrix *matrix = matrix_of(scores, 30, 4);
    assay_windows *windows;
    char *svg = NULL;
    size_t length;
    FILE *to;

    (void)state;
    for (size_t m = 0; m < 30; m++) score[m] = (double)(m * m);
    windows = fit_windows(matrix, score, with(8, 2, 5, 0));
    to = open_memstream(&svg, &length);
    assay_plot_windows(windows, "<x>\x1b", "a & b", to);
    fclose(to);
    assert_sound(svg);
    free(svg);
    assay_windows_free(windows);
    assay_matrix_free(matrix);
    free(scores);
}

static void threads_do_not_matter(void **state)
{
    double *scores = random_scores(40, 12, BITS, 9), score[40];
    assay_matrix *matrix = matrix_of(scores, 40, 12);
    assay_windows *a, *b;

    (void)state;
    for (size_t m = 0; m < 40; m++) score[m] = (double)(m * 7 % 40);
    a = fit_windows(matrix, score, with(15, 4, 100, 1));
    b = fit_windows(matrix, score, with(15, 4, 100, 5));
    for (int scale = 0; scale < 2; scale++) {
        assay_windows_summary x = assay_windows_summarise(a, (assay_windows_scale)scale);
        assay_windows_summary y = assay_windows_summarise(b, (assay_windows_scale)scale);

        assert_true(x.least == y.least && x.last == y.last);
        assert_true(x.p_last_above == y.p_last_above ||
                    (isnan(x.p_last_above) && isnan(y.p_last_above)));
    }
    assay_windows_free(a);
    assay_windows_free(b);
    assay_matrix_free(matrix);
    free(scores);
}

/* A third of the models, 3 to 500, and a twentieth of that, 1 to 25: 40 have windows of 13 by 1,
   1,200 of 400 by 20, and the Open LLM Leaderboard's 4,576 those of the paper. */
static void sizes_follow_from_the_models(void **state)
{
    static const size_t want[][3] = { { 5, 3, 1 },       { 40, 13, 1 },     { 134, 44, 2 },
                                      { 1200, 400, 20 }, { 1500, 500, 25 }, { 4576, 500, 25 } };

    (void)state;
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        size_t n = want[k][0];
        double *scores = random_scores(n + 1, 2, BITS, 3), *score = calloc(n + 1, sizeof *score);
        assay_matrix *matrix = matrix_of(scores, n + 1, 2);
        assay_windows *windows;

        assert_non_null(score);
        for (size_t m = 0; m < n; m++) score[m] = (double)m;
        score[n] = NAN; /* without one a model does not count */
        windows = fit_windows(matrix, score, with(0, 0, 0, 0));
        assert_int_equal(assay_windows_size(windows), want[k][1]);
        assert_int_equal(assay_windows_step(windows), want[k][2]);
        assert_int_equal(assay_windows_n(windows), (n - want[k][1]) / want[k][2] + 1);
        assay_windows_free(windows);
        assay_matrix_free(matrix);
        free(scores);
        free(score);
    }
}

static void errors(void **state)
{
    double *scores = random_scores(5, 4, BITS, 2), score[] = { 1, 2, INFINITY, 3, 4 };
    assay_matrix *matrix = matrix_of(scores, 5, 4);
    const assay_windows_options bad[] = { with(2, 1, 1, 0), with(1, 1, 1, 0),
                                          with(3, 1, 2000000, 0), with(3, 1, 1, -1) };
    assay_windows *windows = NULL;

    (void)state;
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(assay_windows_fit(matrix, score, &bad[k], &windows), ASSAY_E_VALUE);
    assert_int_equal(assay_windows_fit(matrix, score, NULL, &windows), ASSAY_E_VALUE);
    assert_null(windows);
    assay_windows_free(NULL);
    assay_matrix_free(matrix);
    free(scores);
}

static assay_status fit(void *matrix)
{
    static const double score[] = { 3, 1, 2, 5, 4 };
    assay_windows_options options = with(3, 1, 2, 1);
    assay_windows *windows = NULL;
    assay_status status = assay_windows_fit(matrix, score, &options, &windows);

    assay_windows_free(windows);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    double *scores = random_scores(5, 6, BITS, 8);
    assay_matrix *matrix = matrix_of(scores, 5, 6);

    (void)state;
    assert_true(fail_every_allocation(fit, matrix) > 8);
    assay_matrix_free(matrix);
    free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_by_the_definition),
        cmocka_unit_test(bootstrap_tells_what_differs),
        cmocka_unit_test(too_few_models),
        cmocka_unit_test(figure_is_sound),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(sizes_follow_from_the_models),
        cmocka_unit_test(errors),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
