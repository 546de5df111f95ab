/* SPDX-License-Identifier: Apache-2.0 */
/* SWE-bench: what its lists say of each instance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "samples.h"

#define REPORT                                                                                   \
    "{\"total_instances\":6,\"submitted_instances\":5,\"resolved_instances\":1,"                 \
    "\"completed_ids\":[\"a-1\",\"a-2\"],\"incomplete_ids\":[\"f-6\"],"                          \
    "\"empty_patch_ids\":[\"d-4\"],\"submitted_ids\":[\"a-1\",\"a-2\",\"d-4\",\"e-5\",\"g-7\"]," \
    "\"resolved_ids\":[\"a-1\"],\"unresolved_ids\":[\"a-2\"],\"error_ids\":[\"e-5\"],"           \
    "\"schema_version\":2}"
#define NAME "org__gpt-4.1.my_run.json"

static assay_score_state state_of(const assay_results *results, const char *item)
{
    double score;

    return assay_results_cell(
        results, 0, find(assay_results_n_items(results), assay_results_item, results, item),
        &score);
}

static void a_run_report_says_what_became_of_each(void **state)
{
    assay_results *results = read_log(NAME, REPORT, NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 6);
    assert_true(score_of(results, "org__gpt-4.1", "", "my_run", "a-1") == 1.0);
    assert_true(score_of(results, "org__gpt-4.1", "", "my_run", "a-2") == 0.0);
    assert_true(score_of(results, "org__gpt-4.1", "", "my_run", "d-4") == 0.0);
    assert_true(score_of(results, "org__gpt-4.1", "", "my_run", "g-7") ==
                0.0); /* in no list else */
    assert_int_equal(state_of(results, "e-5"), ASSAY_ERRORED);
    assert_int_equal(state_of(results, "f-6"), ASSAY_MISSING);
    assert_coverage(results, 4, 1, 1, 0);
    assert_true(has_note(results, NAME ": 1 errored and 1 never submitted are not counted as "
                                       "wrong; SWE-bench itself counts 1 of 6"));
    assay_results_free(results);
}

static void the_leaderboards_policy_is_a_metric(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;
    size_t n;

    (void)state;
    options.metric = "resolved_of_total";
    results = read_log(NAME, REPORT, &options);
    assert_true(mean_of(results, "org__gpt-4.1", &n) == 1.0 / 6.0);
    assert_int_equal(n, 6);
    assay_results_free(results);
    options.metric = "passed";
    assert_log_fails(NAME, REPORT, &options, ASSAY_E_VALUE,
                     NAME ": no score \"passed\" (--metric); there are: resolved, "
                          "resolved_of_total");
    options.metric = NULL;
    options.filter = "x";
    assert_log_fails(NAME, REPORT, &options, ASSAY_E_VALUE,
                     NAME ": no filter \"x\" (--filter): such a log has none");
}

/* As of "cat *.json": the second document was lost without a word. */
static void t29_what_stands_behind_the_document_is_told(void **state)
{
    static const char *const rests[] = { REPORT, "x" };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        char text[4096];
        assay_results *results;

        snprintf(text, sizeof text, "%s\n%s", REPORT, rests[k]);
        results = read_log(NAME, text, NULL);
        assert_true(has_note(results, NAME ":2: something stands behind the log's one object, and "
                                           "was not read"));
        assert_true(assay_results_damaged(results));
        assay_results_free(results);
        n_written--;
    }
    n_written++;
}

static void a_total_that_the_lists_do_not_reach_is_told(void **state)
{
    assay_results *results = read_log("m.r.json",
                                      "{\"total_instances\":500,\"resolved_ids\":[\"a\"],"
                                      "\"unresolved_ids\":[\"b\"]}",
                                      NULL);

    (void)state;
    assert_coverage(results, 2, 0, 0, 0);
    assert_true(has_note(results, "m.r.json: total_instances is 500, its lists name 2"));
    assay_results_free(results);
}

/* Half of the instances were submitted: the score is that of those, and the coverage says it. */
static void t55_a_partial_run_is_scored_on_what_was_submitted(void **state)
{
    assay_results *results =
        read_log("m.r.json",
                 "{\"total_instances\":4,\"submitted_ids\":[\"a\",\"b\"],\"completed_ids\":[\"a\","
                 "\"b\"],\"incomplete_ids\":[\"c\",\"d\"],\"resolved_ids\":[\"a\"]}",
                 NULL);
    size_t n;

    (void)state;
    assert_true(mean_of(results, "m", &n) == 0.5);
    assert_int_equal(n, 2);
    assert_coverage(results, 2, 2, 0, 0);
    assay_results_free(results);
}

static void a_perfect_report_is_read_and_a_list_of_successes_is_not(void **state)
{
    assay_results *results =
        read_log("m.r.json", "{\"total_instances\":2,\"resolved_ids\":[\"a\",\"b\"]}", NULL);
    size_t n;

    (void)state;
    assert_true(mean_of(results, "m", &n) == 1.0);
    assert_int_equal(n, 2);
    assay_results_free(results);
    assert_log_fails("n.r.json", "{\"total_instances\":9,\"resolved_ids\":[\"a\",\"b\"]}", NULL,
                     ASSAY_E_FORMAT,
                     "n.r.json: names no instance but resolved ones (2), so that no rate follows; "
                     "give the run report (MODEL.RUN_ID.json), which lists all");
    assert_log_fails("o/results.json", "{\"no_logs\":[],\"resolved\":[\"a\",\"b\"]}", NULL,
                     ASSAY_E_FORMAT,
                     "o/results.json: names no instance but resolved ones (2), so that no rate "
                     "follows; give the run report (MODEL.RUN_ID.json), which lists all");
    assert_log_fails("p/results.json", "{\"no_logs\":[],\"resolved\":[]}", NULL, ASSAY_E_FORMAT,
                     "p/results.json: names no instance");
    assert_log_fails("q/results.json", "{\"no_logs\":[7],\"resolved\":[\"a\"]}", NULL,
                     ASSAY_E_FORMAT,
                     "q/results.json:1: \"no_logs\" holds what is no instance's id");
}

static void lists_without_a_total_know_only_what_they_list(void **state)
{
    static const char text[] =
        "{\"no_generation\":[\"n\"],\"generated\":[\"a\",\"b\",\"c\"],\"with_logs\":[\"a\"],"
        "\"no_apply\":[\"b\"],\"applied\":[\"a\"],\"test_timeout\":[\"c\"],\"resolved\":[\"a\"]}";
    assay_results *results = read_log("2024_agent/results/results.json", text, NULL);

    (void)state;
    assert_true(score_of(results, "2024_agent", "", "", "a") == 1.0);
    assert_true(score_of(results, "2024_agent", "", "", "b") == 0.0);
    assert_true(score_of(results, "2024_agent", "", "", "n") == 0.0);
    assert_int_equal(state_of(results, "c"), ASSAY_ERRORED);
    assert_true(has_note(results, "it says no total: only the 4 instances that it lists are "
                                  "known, of which 1 are resolved"));
    assay_results_free(results);
}

static void instances_have_reports_of_their_own(void **state)
{
    assay_results *results;

    (void)state;
    write_log("logs/r1/m.1/a-1/report.json",
              "{\"a-1\":{\"patch_exists\":true,\"resolved\":true,\"tests_status\":{}}}");
    write_log("logs/r1/m.1/a-2/report.json",
              "{\"a-2\":{\"patch_exists\":true,\"resolved\":false}}");
    write_log("logs/r1/m.1/a-3/report.json", "{\"a-3\":{\"patch_exists\":true,\"resolved\":null}}");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    for (size_t k = 0; k < n_written; k++)
        assert_int_equal(assay_read(results, written[k], NULL), ASSAY_OK);
    assert_true(score_of(results, "m.1", "", "r1", "a-1") == 1.0);
    assert_true(score_of(results, "m.1", "", "r1", "a-2") == 0.0);
    assert_coverage(results, 2, 0, 0, 1);
    assert_int_equal(assay_results_n_models(results), 1);
    assay_results_free(results);
}

/* Each says of a system whether one of its ids is 1, 0 or none. */
static void samples_are_read_as_they_are(void **state)
{
    char path[512];
    assay_results *results;
    size_t n;

    (void)state;
    if (!find_sample("synthetic/SYNTHETIC_swebench_run_report_v2.json", path)) skip();
    results = read_ok(path, NULL);
    assert_coverage(results, 3, 1, 1, 0);
    assert_true(mean_of(results, path, &n) == 1.0 / 3.0);
    assay_results_free(results);
    assert_true(find_sample("synthetic/SYNTHETIC_swebench_experiments_results.json", path));
    results = read_ok(path, NULL);
    assert_true(mean_of(results, path, &n) == 0.5);
    assert_int_equal(n, 2);
    assay_results_free(results);
}

static void a_damaged_report_ends_in_words(void **state)
{
    (void)state;
    cut_anywhere(NAME, REPORT);
    assert_true(fail_every_allocation(read_and_free, NAME) > 20);
}

/* Two models that resolve one instance write the same bytes. */
static void t72_the_same_report_of_two_models_counts_twice(void **state)
{
    static const char text[] = "{\"a-1\":{\"patch_exists\":true,\"resolved\":true}}";
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.repeats = 1;
    for (int repeats = 0; repeats < 2; repeats++) {
        results = read_log("run/m1/a-1/report.json", text, repeats ? &options : NULL);
        assert_int_equal(assay_read(results, write_log("run/m2/a-1/report.json", text),
                                    repeats ? &options : NULL),
                         ASSAY_OK);
        assert_coverage(results, 2, 0, 0, 0);
        assert_true(has_note(results, "run/m2/a-1/report.json: the same content as "
                                      "run/m1/a-1/report.json; its place makes it another model's "
                                      "or run's"));
        assert_int_equal(assay_read(results, "run/m2/a-1/report.json", repeats ? &options : NULL),
                         repeats ? ASSAY_E_CONFLICT : ASSAY_OK);
        if (repeats)
            assert_string_equal(assay_last_error(),
                                "run/m2/a-1/report.json: has the same content as "
                                "run/m2/a-1/report.json: with --repeats its rows would count as "
                                "further runs; give it once");
        else
            assert_true(has_note(results, "run/m2/a-1/report.json: the same content as "
                                          "run/m2/a-1/report.json; counted once"));
        assay_results_free(results);
        n_written -= 2;
    }
    n_written += 2;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t72_the_same_report_of_two_models_counts_twice, empty_log_folder),
        cmocka_unit_test_teardown(a_run_report_says_what_became_of_each, empty_log_folder),
        cmocka_unit_test_teardown(the_leaderboards_policy_is_a_metric, empty_log_folder),
        cmocka_unit_test_teardown(t29_what_stands_behind_the_document_is_told, empty_log_folder),
        cmocka_unit_test_teardown(a_total_that_the_lists_do_not_reach_is_told, empty_log_folder),
        cmocka_unit_test_teardown(t55_a_partial_run_is_scored_on_what_was_submitted,
                                  empty_log_folder),
        cmocka_unit_test_teardown(a_perfect_report_is_read_and_a_list_of_successes_is_not,
                                  empty_log_folder),
        cmocka_unit_test_teardown(lists_without_a_total_know_only_what_they_list, empty_log_folder),
        cmocka_unit_test_teardown(instances_have_reports_of_their_own, empty_log_folder),
        cmocka_unit_test(samples_are_read_as_they_are),
        cmocka_unit_test_teardown(a_damaged_report_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
