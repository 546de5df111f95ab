/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of openai/evals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"
#include "samples.h"

#define SPEC                                                                              \
    "{\"spec\":{\"completion_fns\":[\"gpt-x\"],\"eval_name\":\"e.s.v0\",\"split\":\"s\"," \
    "\"run_config\":{},\"run_id\":\"R\"}}\n"
#define EVENT(sample, type, data)                                                    \
    "{\"run_id\":\"R\",\"event_id\":0,\"sample_id\":\"" sample "\",\"type\":\"" type \
    "\",\"data\":" data ",\"created_by\":\"\"}\n"
#define REPORT "{\"final_report\":{\"accuracy\":0.5}}\n"

static void a_report_may_come_before_the_events(void **state)
{
    assay_results *results =
        read_text(SPEC REPORT EVENT("e.0", "sampling", "{\"prompt\":\"Q0\",\"sampled\":\"x\"}")
                      EVENT("e.0", "match", "{\"correct\":true}")
                          EVENT("e.1", "match", "{\"correct\":false,\"n\":3}"),
                  NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(score_of(results, "gpt-x", "", "R", "e.s.v0/e.0") == 1.0);
    assert_true(score_of(results, "gpt-x", "", "R", "e.s.v0/e.1") == 0.0);
    assert_string_equal(assay_results_item_text(results, 0), "Q0");
    assert_string_equal(assay_results_item_cluster(results, 0), "e.s.v0");
    assert_false(has_note(results, "--metric"));
    assay_results_free(results);
}

static void several_matches_of_a_sample_are_runs(void **state)
{
    assay_results *results = read_text(SPEC EVENT("e.0", "match", "{\"correct\":true}")
                                           EVENT("e.0", "match", "{\"correct\":false}")
                                               EVENT("e.1", "match", "{\"correct\":true}"),
                                       NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "gpt-x", "", "R", "e.s.v0/e.0") == 1.0);
    assert_true(score_of(results, "gpt-x", "", "R.2", "e.s.v0/e.0") == 0.0);
    assert_true(has_note(results, "samples with several scores, which are runs of them: 1"));
    assay_results_free(results);
}

static void samples_without_a_verdict_are_no_zeros(void **state)
{
    assay_results *results =
        read_text(SPEC EVENT("e.0", "match", "{\"correct\":true}")
                      EVENT("e.1", "error", "{\"message\":\"m\"}")
                          EVENT("e.2", "sampling",
                                "{\"prompt\":[{\"role\":\"system\",\"content\":"
                                "\"S\"},{\"role\":\"user\",\"content\":\"Q2\"}]}")
                              EVENT("e.3", "match", "{\"correct\":null}"),
                  NULL);
    assay_coverage seen = assay_results_coverage(results);

    (void)state;
    assert_int_equal(seen.used, 1);
    assert_int_equal(seen.errored, 1);
    assert_int_equal(seen.unscored, 2);
    assert_string_equal(
        assay_results_item_text(results, find(4, assay_results_item, results, "e.s.v0/e.2")), "Q2");
    assay_results_free(results);
}

static void numbers_of_metrics_events_are_scores(void **state)
{
    static const char log[] =
        SPEC EVENT("e.0", "metrics", "{\"f1\":0.5,\"exact\":true,\"s\":\"t\"}")
            EVENT("e.1", "metrics", "{\"f1\":1,\"exact\":false}")
                EVENT("e.1", "other", "{\"k\":9}");
    assay_read_options options = defaults();
    assay_results *results = read_text(log, NULL);

    (void)state;
    assert_true(score_of(results, "gpt-x", "", "R", "e.s.v0/e.0") == 0.5);
    assert_true(has_note(results, "--metric chooses another score: exact"));
    assay_results_free(results);
    options.metric = "exact";
    results = read_text(log, &options);
    assert_true(score_of(results, "gpt-x", "", "R", "e.s.v0/e.0") == 1.0);
    assert_true(score_of(results, "gpt-x", "", "R", "e.s.v0/e.1") == 0.0);
    assay_results_free(results);
    options.metric = "k";
    assert_fails(log, &options, ASSAY_E_VALUE,
                 "f.csv: no score \"k\" (--metric); there are: f1, exact");
}

/* Numbers of a line that is no sample's were taken for the first sample's. */
static void numbers_beside_a_spec_are_no_scores(void **state)
{
    assay_results *results =
        read_text("{\"spec\":{\"model_name\":\"m\",\"eval_name\":\"e\",\"run_config\":{}},"
                  "\"data\":{\"f1\":1}}\n" EVENT("e.0", "metrics", "{\"f1\":0.5}"),
                  NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).rows, 1);
    assert_true(score_of(results, "m", "", "R", "e/e.0") == 0.5);
    assay_results_free(results);
}

static void without_a_spec_the_file_is_the_model(void **state)
{
    assay_results *results = read_text(EVENT("e.0", "match", "{\"correct\":true}"), NULL);

    (void)state;
    assert_true(score_of(results, "t.csv", "", "R", "e.0") == 1.0);
    assay_results_free(results);
    assert_fails(SPEC REPORT, NULL, ASSAY_E_FORMAT,
                 "f.csv: a log of openai/evals without events of samples; a final report says "
                 "nothing of its items");
}

static void t28_a_cut_log_keeps_its_events(void **state)
{
    assay_results *results = read_text(
        SPEC EVENT("e.0", "match", "{\"correct\":true}") "{\"run_id\":\"R\",\"event_id\":1,\"samp",
        NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_true(assay_results_damaged(results));
    assert_true(has_note(results, "t.csv:3: cut short; the 2 rows before were read"));
    assay_results_free(results);
}

static void the_sample_is_one_of_three(void **state)
{
    char path[512];
    assay_results *results;

    (void)state;
    if (!find_sample("openai-evals/test-match_230417220821DPM75QNS.jsonl", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).rows, 3);
    assert_int_equal(assay_results_coverage(results).used, 3);
    assert_string_equal(assay_results_model(results, 0), "auto_gpt_completion_fn");
    assert_true(score_of(results, "auto_gpt_completion_fn", "", "230417220821DPM75QNS",
                         "test-match.s1.simple-v0/test-match.s1.1") == 1.0);
    assert_true(score_of(results, "auto_gpt_completion_fn", "", "230417220821DPM75QNS",
                         "test-match.s1.simple-v0/test-match.s1.2") == 0.0);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_report_may_come_before_the_events, empty_folder),
        cmocka_unit_test_teardown(several_matches_of_a_sample_are_runs, empty_folder),
        cmocka_unit_test_teardown(samples_without_a_verdict_are_no_zeros, empty_folder),
        cmocka_unit_test_teardown(numbers_of_metrics_events_are_scores, empty_folder),
        cmocka_unit_test_teardown(numbers_beside_a_spec_are_no_scores, empty_folder),
        cmocka_unit_test_teardown(without_a_spec_the_file_is_the_model, empty_folder),
        cmocka_unit_test_teardown(t28_a_cut_log_keeps_its_events, empty_folder),
        cmocka_unit_test_teardown(the_sample_is_one_of_three, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
