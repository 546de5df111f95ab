/* SPDX-License-Identifier: Apache-2.0 */
/* Test runs of DeepEval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"
#include "samples.h"

#define METRIC(name, score, error)                                                \
    "{\"name\":\"" name "\",\"threshold\":0.5,\"success\":false,\"score\":" score \
    ",\"error\":" error "}"
#define CASES                                                                                      \
    "{\"name\":\"test_case_0\",\"input\":\"2+2?\",\"actualOutput\":\"4\",\"expectedOutput\":"      \
    "\"4\",\"success\":true,\"metricsData\":[" METRIC("Right [GEval]", "0.9", "null") "," METRIC(  \
        "Short", "1", "null") "]},{\"name\":\"test_case_1\",\"input\":\"3+3?\","                   \
                              "\"actualOutput\":\"7\",\"expectedOutput\":\"6\",\"success\":false," \
                              "\"metricsData\":[" METRIC(                                          \
                                  "Right [GEval]", "null",                                         \
                                  "\"rate limit\"") "]},{\"name\":\"test_case_2\","                \
                                                    "\"input\":\"4+4?\",\"actualOutput\":\"8\","   \
                                                    "\"success\":false,\"metricsData\":[" METRIC(  \
                                                        "Right [GEval]", "null", "null") "]}"
#define RUN                                                                            \
    "{\"testFile\":\"t.py\",\"testCases\":[" CASES "],\"conversationalTestCases\":[]," \
    "\"hyperparameters\":{\"model\":\"m\"}}"

static void errors_and_nulls_are_no_zeros(void **state)
{
    assay_results *results = read_text(RUN, NULL);
    assay_coverage seen = assay_results_coverage(results);

    (void)state;
    assert_int_equal(seen.rows, 3);
    assert_int_equal(seen.used, 1);
    assert_int_equal(seen.errored, 1);
    assert_int_equal(seen.unscored, 1);
    assert_string_equal(assay_results_model(results, 0), "m");
    assert_string_equal(assay_results_item_text(results, 0), "2+2?");
    assert_int_equal(strlen(assay_results_item(results, 0)), 16);
    assert_true(has_note(results, "--metric chooses another score: Short"));
    assay_results_free(results);
}

static void a_metric_is_chosen_by_name(void **state)
{
    static const char *const names[] = { "Right", "Right [GEval]", "Short" };
    static const double scores[] = { 0.9, 0.9, 1.0 };
    assay_read_options options = defaults();

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        assay_results *results;
        double score;

        options.metric = names[k];
        results = read_text(RUN, &options);
        assert_int_equal(assay_results_cell(results, 0, 0, &score), ASSAY_SCORED);
        assert_true(score == scores[k]);
        assert_int_equal(assay_results_coverage(results).unscored, k < 2 ? 1 : 2);
        assay_results_free(results);
    }
    options.metric = "Rig";
    assert_fails(RUN, &options, ASSAY_E_VALUE,
                 "f.csv: no metric \"Rig\" (--metric); there are: Right [GEval], Short");
}

static void copies_of_a_run_count_once(void **state)
{
    assay_results *results = NULL;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text("a.json", "{\"testRunData\":" RUN "}"), NULL),
                     ASSAY_OK);
    assert_int_equal(assay_read(results, write_text("20260101_000000", RUN), NULL), ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_int_equal(assay_results_coverage(results).duplicate, 3);
    assert_int_equal(assay_results_n_models(results), 1);
    assert_int_equal(assay_results_n_runs(results), 1);
    assay_results_free(results);
}

static void copies_without_a_model_count_once_too(void **state)
{
    assay_results *results = NULL;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results,
                                write_text("a.json", "{\"testCases\":[" CASES "],"
                                                     "\"metricsScores\":[]}"),
                                NULL),
                     ASSAY_OK);
    assert_int_equal(
        assay_read(results, write_text("b.json", "{\"testRunData\":{\"testCases\":[" CASES "]}}"),
                   NULL),
        ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).duplicate, 3);
    assert_int_equal(assay_results_n_models(results), 1);
    assay_results_free(results);
}

static void another_run_of_a_model_is_a_further_run(void **state)
{
    static const char other[] =
        "{\"testCases\":[{\"input\":\"2+2?\",\"actualOutput\":\"5\",\"expectedOutput\":\"4\","
        "\"metricsData\":[" METRIC("Right [GEval]", "0",
                                   "null") "]}],\"conversationalTestCases\":"
                                           "[],\"hyperparameters\":{\"model\":\"m\"}}";
    assay_results *results = NULL;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text("a.json", RUN), NULL), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text("b.json", other), NULL), ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_int_equal(assay_results_n_runs(results), 2);
    assay_results_free(results);
}

static void a_dump_of_evaluate_has_snake_case(void **state)
{
    static const char test_result[] =
        "{\"name\":\"test_case_0\",\"success\":true,\"metrics_data\":[" METRIC(
            "Right", "1.0", "null") "],\"conversational\":false,\"input\":\"2+2?\","
                                    "\"actual_output\":\"4\",\"expected_output\":\"4\"}";
    char text[1024];
    assay_results *camel = read_text(RUN, NULL), *results;

    (void)state;
    for (int bare = 0; bare < 2; bare++) {
        snprintf(text, sizeof text,
                 bare ? "[%s]" : "{\"test_results\":[%s],\"confident_link\":null}", test_result);
        results = read_text(text, NULL);
        assert_int_equal(assay_results_coverage(results).used, 1);
        assert_string_equal(assay_results_item(results, 0), assay_results_item(camel, 0));
        assert_memory_equal(assay_results_model(results, 0), "test run ", 9);
        assay_results_free(results);
    }
    assay_results_free(camel);
}

static void an_item_that_comes_again_is_a_further_run(void **state)
{
    assay_results *results =
        read_text("{\"testCases\":[" CASES "," CASES "],\"conversationalTestCases\":[]}", NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 3);
    assert_int_equal(assay_results_n_runs(results), 2);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assay_results_free(results);
}

static void conversations_are_items_by_scenario_or_turns(void **state)
{
    assay_results *results = read_text(
        "{\"testCases\":[],\"conversationalTestCases\":[{\"scenario\":\"s\",\"expectedOutcome\":"
        "\"o\",\"turns\":[{\"role\":\"user\",\"content\":\"hi\"}],\"metricsData\":[" METRIC(
            "Kept", "0.5",
            "null") "]},{\"turns\":[{\"role\":\"user\",\"content\":\"hi\"},{"
                    "\"role\":\"assistant\",\"content\":\"yes\"}],\"metricsData\":[" METRIC(
                        "Kept", "0.25", "null") "]}]}",
        NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_string_equal(assay_results_item_text(results, 0), "s");
    assert_string_equal(assay_results_item_text(results, 1), "hi");
    assay_results_free(results);
    assert_fails("{\"testCases\":[{\"name\":\"n\"}],\"conversationalTestCases\":[]}", NULL,
                 ASSAY_E_FORMAT,
                 "f.csv:1: a test case without input, scenario and turns, expected one of them");
    assert_fails("{\"testCases\":[],\"conversationalTestCases\":[]}", NULL, ASSAY_E_FORMAT,
                 "f.csv: a test run of DeepEval without test cases");
}

static void the_sample_has_one_error_of_three(void **state)
{
    char path[512];
    assay_results *results;
    double score;

    (void)state;
    if (!find_sample("synthetic/SYNTHETIC_deepeval_latest_test_run.json", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).rows, 3);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_int_equal(assay_results_coverage(results).errored, 1);
    assert_string_equal(assay_results_model(results, 0), "m");
    assert_int_equal(assay_results_n_items(results), 3);
    assert_int_equal(assay_results_cell(results, 0, 1, &score), ASSAY_SCORED);
    assert_true(score == 0.1);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(errors_and_nulls_are_no_zeros, empty_folder),
        cmocka_unit_test_teardown(a_metric_is_chosen_by_name, empty_folder),
        cmocka_unit_test_teardown(copies_of_a_run_count_once, empty_folder),
        cmocka_unit_test_teardown(copies_without_a_model_count_once_too, empty_folder),
        cmocka_unit_test_teardown(another_run_of_a_model_is_a_further_run, empty_folder),
        cmocka_unit_test_teardown(a_dump_of_evaluate_has_snake_case, empty_folder),
        cmocka_unit_test_teardown(an_item_that_comes_again_is_a_further_run, empty_folder),
        cmocka_unit_test_teardown(conversations_are_items_by_scenario_or_turns, empty_folder),
        cmocka_unit_test_teardown(the_sample_has_one_error_of_three, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
