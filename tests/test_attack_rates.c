/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of garak's reports, whose own intervals are empty at 0 and N and take the outputs of one
   prompt for as many prompts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/intervals.h"
#include "assay/prompts.h"
#include "assay/trials.h"

#include "reading.h"

#include "log_reading.h"
#include "samples.h"

enum { REPORT_SIZE = 100000 };

static size_t add(char *report, size_t at, const char *text)
{
    int n = snprintf(report + at, REPORT_SIZE - at, "%s", text);

    assert_true(n >= 0 && at + (size_t)n < REPORT_SIZE);
    return at + (size_t)n;
}

/* n prompts of a probe, of which the first k resisted, with so many outputs each, all alike. */
static const char *report_of(size_t n, size_t k, size_t outputs)
{
    static char report[REPORT_SIZE];
    char line[600];
    size_t at = add(report, 0,
                    "{\"entry_type\":\"start_run setup\",\"plugins.target_type\":\"t\","
                    "\"plugins.target_name\":\"m\",\"run.eval_threshold\":0.5}\n");

    for (size_t i = 0; i < n; i++) {
        snprintf(line, sizeof line,
                 "{\"entry_type\":\"attempt\",\"uuid\":\"%zu\",\"seq\":%zu,\"status\":2,"
                 "\"probe_classname\":\"p.P\",\"prompt\":\"prompt %zu\",\"outputs\":[",
                 i, i, i);
        at = add(report, at, line);
        for (size_t g = 0; g < outputs; g++) at = add(report, at, g ? ",\"x\"" : "\"x\"");
        at = add(report, at, "],\"detector_results\":{\"d.D\":[");
        for (size_t g = 0; g < outputs; g++) {
            at = add(report, at, g ? "," : "");
            at = add(report, at, i < k ? "0" : "1");
        }
        at = add(report, at, "]}}\n");
    }
    return report;
}

/* The rates of the prompts of the only model. */
static size_t rates_of(const assay_results *results, double rates[100])
{
    assay_prompts *prompts = NULL;
    assay_trials *trials = NULL;
    size_t n;

    assert_int_equal(assay_prompts_from_results(results, &prompts), ASSAY_OK);
    assert_int_equal(assay_trials_count(results, prompts, &trials), ASSAY_OK);
    n = assay_trials_n_prompts(trials);
    assert_int_equal(assay_trials_n_models(trials), 1);
    assert_true(n <= 100);
    for (size_t i = 0; i < n; i++)
        rates[i] = assay_trials_successes(trials)[i] / assay_trials_trials(trials)[i];
    assay_trials_free(trials);
    assay_prompts_free(prompts);
    return n;
}

/* Bounds as the case has them, to 3 digits. */
static void t41_none_and_all_have_an_interval(void **state)
{
    static const struct rate {
        size_t n, k;
        double low, high;
    } rates[] = {
        { 10, 0, 0.0, 0.278 },
        { 10, 10, 0.722, 1.0 },
        { 50, 0, 0.0, 0.071 },
        { 64, 64, 0.943, 1.0 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
        assay_results *results = read_log("r.jsonl", report_of(rates[k].n, rates[k].k, 1), NULL);
        double of[100], bounds[2], x = 0.0;
        size_t n = rates_of(results, of);

        assert_int_equal(n, rates[k].n);
        for (size_t i = 0; i < n; i++) x += of[i];
        assert_int_equal(assay_interval(ASSAY_INTERVAL_WILSON, x, (double)n, 0.95, bounds),
                         ASSAY_OK);
        assert_true(fabs(bounds[0] - rates[k].low) < 5e-4);
        assert_true(fabs(bounds[1] - rates[k].high) < 5e-4);
        assay_results_free(results);
        n_written--;
    }
    n_written++;
}

/* 5 outputs of each prompt that are all alike say no more than one: counted as 100 independent
   ones, they would make the error sqrt(5) times too small, to within n / (n - 1). */
static void t42_outputs_of_a_prompt_are_runs_of_it(void **state)
{
    assay_results *results = read_log("r.jsonl", report_of(20, 10, 5), NULL);
    double of[100], outputs[100];
    size_t labels[100], n = rates_of(results, of);
    assay_clustered prompts, alone, together;

    (void)state;
    assert_int_equal(n, 20);
    assert_coverage(results, 100, 0, 0, 0);
    for (size_t i = 0; i < 100; i++) outputs[i] = of[i / 5], labels[i] = i / 5;
    assert_int_equal(assay_clustered_mean(outputs, labels, 100, 0.95, &together), ASSAY_OK);
    for (size_t i = 0; i < 20; i++) labels[i] = i;
    assert_int_equal(assay_clustered_mean(of, labels, 20, 0.95, &prompts), ASSAY_OK);
    for (size_t i = 0; i < 100; i++) labels[i] = i;
    assert_int_equal(assay_clustered_mean(outputs, labels, 100, 0.95, &alone), ASSAY_OK);
    assert_true(fabs(prompts.plain - together.inspect) < 1e-15);
    assert_true(fabs(prompts.plain / alone.plain - sqrt(5.0) * sqrt(99.0 / 95.0)) < 1e-12);
    assay_results_free(results);
}

static void t43_an_attempt_that_is_sent_and_judged_counts_once(void **state)
{
    assay_results *results;
    char path[512];

    (void)state;
    if (!find_sample("garak/report_test.report.jsonl", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).rows, 8);
    assert_true(has_note(results, "garak report, 8 attempts;"));
    assay_results_free(results);
}

static void t44_a_judged_attempt_that_is_written_twice_counts_once(void **state)
{
    char *twice = malloc(2 * REPORT_SIZE);
    const char *report = report_of(3, 1, 2);
    const char *first = strchr(report, '\n') + 1;
    assay_results *results;

    (void)state;
    assert_non_null(twice);
    snprintf(twice, 2 * (size_t)REPORT_SIZE, "%s%.*s", report,
             (int)(strchr(first, '\n') + 1 - first), first);
    results = read_log("r.jsonl", twice, NULL);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_int_equal(assay_results_coverage(results).used, 6);
    assert_int_equal(assay_results_coverage(results).duplicate, 2);
    assert_true(has_note(results, "lines that repeat an attempt, counted once: 1"));
    assay_results_free(results);
    free(twice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t41_none_and_all_have_an_interval, empty_log_folder),
        cmocka_unit_test_teardown(t42_outputs_of_a_prompt_are_runs_of_it, empty_log_folder),
        cmocka_unit_test(t43_an_attempt_that_is_sent_and_judged_counts_once),
        cmocka_unit_test_teardown(t44_a_judged_attempt_that_is_written_twice_counts_once,
                                  empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
