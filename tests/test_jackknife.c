/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of ED by leaving a model out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "signals_fits.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The closed form against refitting without each model. Complete data: there it is exact. */
static void jackknife_equals_refitting_without_each_model(void **state)
{
    const size_t shapes[][2] = { { 12, 30 }, { 30, 12 } };

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        size_t n = shapes[s][0], t = shapes[s][1];
        double *scores = random_scores(n, t, s ? REALS : BITS, 11),
               *left = malloc(n * t * sizeof *left);
        double mean = 0.0, squares = 0.0, *logs = malloc(n * sizeof *logs), reach;
        assay_signals *fit = fit_scores(scores, n, t, NULL);
        double ed = assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK);

        for (size_t m = 0; m < n; m++) {
            memcpy(left, scores, m * t * sizeof *left);
            memcpy(left + m * t, scores + (m + 1) * t, (n - 1 - m) * t * sizeof *left);
            logs[m] = log(slow_ed(left, n - 1, t, TASK));
            mean += logs[m] / (double)n;
        }
        for (size_t m = 0; m < n; m++) squares += (logs[m] - mean) * (logs[m] - mean);
        reach = sqrt(squares * (double)(n - 1) / (double)n) *
                assay_student_quantile(0.975, (double)(n - 1));
        assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_LOW), ed * exp(-reach), 1e-10);
        assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_HIGH), ed * exp(reach), 1e-10);
        assay_signals_free(fit);
        free(scores);
        free(left);
        free(logs);
    }
}

/* One model ten thousand times as far out as the others: without it the dimension is theirs. The cells
   of G keep about 16 - 12 digits of it. */
static void an_outlier_does_not_spoil_the_jackknife(void **state)
{
    const size_t shapes[][2] = { { 12, 30 }, { 30, 12 } };

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        size_t n = shapes[s][0], t = shapes[s][1];
        double *scores = random_scores(n, t, REALS, 61), *ratio = malloc(n * sizeof *ratio);
        double *left = malloc(n * t * sizeof *left), want;
        double squares = 0.0, mean = 0.0, reach, ed;
        assay_signals *fit;

        for (size_t i = 0; i < t; i++) scores[i] += 1e4 * (double)(i % 3);
        for (size_t m = 0; m < n; m++) {
            memcpy(left, scores, m * t * sizeof *left);
            memcpy(left + m * t, scores + (m + 1) * t, (n - 1 - m) * t * sizeof *left);
            ratio[m] = log(slow_ed(left, n - 1, t, TASK));
            mean += ratio[m] / (double)n;
        }
        for (size_t m = 0; m < n; m++) squares += (ratio[m] - mean) * (ratio[m] - mean);
        reach = sqrt(squares * (double)(n - 1) / (double)n) *
                assay_student_quantile(0.975, (double)(n - 1));
        fit = fit_scores(scores, n, t, NULL);
        ed = assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK);
        want = fmin(ed * exp(reach), (double)(n - 1 < t ? n - 1 : t));
        assert_relative(assay_signals_value(fit, ASSAY_SIGNALS_ED_HIGH), want, 1e-3);
        assert_near(assay_signals_value(fit, ASSAY_SIGNALS_ED_LOW), fmax(ed * exp(-reach), 1.0),
                    1e-3);
        assay_signals_free(fit);
        free(scores);
        free(ratio);
        free(left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jackknife_equals_refitting_without_each_model),
        cmocka_unit_test(an_outlier_does_not_spoil_the_jackknife),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
