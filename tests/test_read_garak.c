/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of garak as assay_read() meets them; test_garak.c has what is read of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/prompts.h"

#include "reading.h"

#include <sys/stat.h>

#define SETUP                                                                 \
    "{\"entry_type\":\"start_run setup\",\"plugins.target_type\":\"openai\"," \
    "\"plugins.target_name\":\"m\",\"run.eval_threshold\":0.5}\n"
#define ATTEMPT                                                                   \
    "{\"entry_type\":\"attempt\",\"uuid\":\"u\",\"seq\":0,\"status\":2,"          \
    "\"probe_classname\":\"p.P\",\"prompt\":\"hello\",\"outputs\":[\"a\",\"b\"]," \
    "\"detector_results\":{\"d.One\":[0,1],\"d.Two\":[1,1]}}\n"
#define HIT                                                                              \
    "{\"goal\":\"x\",\"prompt\":\"y\",\"output\":\"z\",\"score\":1.0,\"attempt_idx\":0," \
    "\"probe\":\"p.P\",\"generations_per_prompt\":2}\n"
#define ITEM "p.P/2cf24dba5fb0a30e" /* sha256 of hello */

static void a_report_is_recognised_among_json(void **state)
{
    assay_results *results = read_text(SETUP ATTEMPT, NULL);
    assay_prompts *prompts;

    (void)state;
    assert_true(score_of(results, "openai:m", "", "1", ITEM) == 1.0);
    assert_true(score_of(results, "openai:m", "", "2", ITEM) == 0.0);
    assert_int_equal(assay_results_n_inputs(results), 1);
    assert_int_equal(assay_results_input(results, 0).rows, 2);
    assert_int_equal(assay_prompts_from_results(results, &prompts), ASSAY_OK);
    assert_string_equal(assay_prompts_text(prompts, 0), "hello");
    assert_string_equal(assay_prompts_cluster(prompts, 0), "p.P");
    assay_prompts_free(prompts);
    assay_results_free(results);
}

static void a_metric_chooses_the_detector(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.metric = "d.Two";
    results = read_text(SETUP ATTEMPT, &options);
    assert_true(score_of(results, "openai:m", "", "1", ITEM) == 0.0);
    assay_results_free(results);
    options.metric = "d.Three";
    assert_fails(SETUP ATTEMPT, &options, ASSAY_E_VALUE,
                 "f.csv: no detector \"d.Three\" (--metric); there are: d.One, d.Two");
}

static void a_metric_is_none_of_other_inputs(void **state)
{
    static const char *const others[] = { "item,score\na,1\n", "{\"item\":\"a\",\"score\":1}\n" };
    assay_read_options options = defaults();

    (void)state;
    options.metric = "d.One";
    for (size_t k = 0; k < 2; k++)
        assert_fails(others[k], &options, ASSAY_E_FORMAT,
                     "f.csv: is no tool's log, of whose scores --metric names one; --score names a "
                     "column");
}

#define INSTANCE                                                       \
    "{\"evaluation_id\":\"e\",\"model_id\":\"m\",\"sample_id\":\"s\"," \
    "\"interaction_type\":\"single_turn\"}"

/* An option that did nothing would be taken for one that did. */
static void a_filter_is_none_of_logs_without_any(void **state)
{
    static const char *const logs[] = {
        SETUP ATTEMPT,
        "{\"status\":\"success\",\"eval\":{\"task\":\"t\",\"created\":\"c\"}}",
        "{\"run_id\":\"R\",\"event_id\":0,\"sample_id\":\"s\",\"created_by\":\"\"}",
        "{\"testCases\":[],\"metricsScores\":[]}",
        "{\"results\":{\"version\":3,\"prompts\":[],\"results\":[]}}",
        "{\"doc_id\":0,\"metrics\":{\"a\":1},\"model_output\":[],\"task_hash\":\"h\"}",
        INSTANCE,
        "{\"subject_id\":\"m\",\"responses\":{\"i\":1}}",
    };
    static const char *const others[] = { "item,score\na,1\n", "{\"item\":\"a\",\"score\":1}\n" };
    assay_read_options options = defaults();

    (void)state;
    options.filter = "x";
    for (size_t k = 0; k < sizeof logs / sizeof logs[0]; k++)
        assert_fails(logs[k], &options, ASSAY_E_VALUE,
                     "f.csv: no filter \"x\" (--filter): such a log has none");
    for (size_t k = 0; k < 2; k++)
        assert_fails(others[k], &options, ASSAY_E_FORMAT,
                     "f.csv: is no tool's log, of whose rows --filter names some");
}

static void a_hitlog_is_refused_by_name(void **state)
{
    (void)state;
    assert_fails(HIT, NULL, ASSAY_E_FORMAT,
                 "f.csv: a garak hitlog, which lists only the attacks that worked, so that no "
                 "rate follows; give the report.jsonl of the same run");
}

/* The lines of such a log have their own items and scores. */
static void rows_with_an_attempt_of_their_own_are_no_hitlog(void **state)
{
    assay_results *results = read_text("{\"item\":\"a\",\"attempt_idx\":0,\"score\":1}\n", NULL);

    (void)state;
    assert_true(score_of(results, "t.csv", "", "", "a") == 1.0);
    assay_results_free(results);
}

static void formats_that_are_given_decide(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.format = ASSAY_FORMAT_JSONL;
    assert_fails(SETUP ATTEMPT, &options, ASSAY_E_FORMAT,
                 "f.csv:1: no key is known to hold the item: choose with --item; there are: "
                 "entry_type, plugins.target_type, plugins.target_name, run.eval_threshold");
    options.format = ASSAY_FORMAT_GARAK;
    assert_fails(
        "{\"item\":\"a\",\"score\":1}\n", &options, ASSAY_E_FORMAT,
        "f.csv:1: an entry without \"entry_type\", expected a garak report; read as a garak "
        "report, as --format says");
    options.format = ASSAY_N_FORMATS;
    assert_fails(SETUP, &options, ASSAY_E_VALUE, "read: format is 25, expected 0 to 24");
}

static void an_option_that_names_a_column_has_no_place(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.item = "uuid";
    assert_fails(
        SETUP ATTEMPT, &options, ASSAY_E_VALUE,
        "f.csv: is a garak report, of which --item can name no column; --metric chooses its "
        "score");
    options.score = "status"; /* then the lines are rows like any other */
    results = read_text(ATTEMPT, &options);
    assert_true(score_of(results, "t.csv", "", "", "u") == 2.0);
    assay_results_free(results);
    options = defaults();
    options.drop = "a";
    assert_fails(SETUP ATTEMPT, &options, ASSAY_E_VALUE,
                 "f.csv: is a garak report: --columns and --drop choose among the items of a wide "
                 "table");
}

static void of_a_folder_the_report_is_read_and_the_hitlog_left_out(void **state)
{
    assay_results *results;

    (void)state;
    assert_int_equal(mkdir("run", 0777), 0);
    write_text("run/x.hitlog.jsonl", HIT);
    write_text("run/x.report.jsonl", SETUP ATTEMPT);
    results = read_ok("run", NULL);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_true(has_note(results, "left out: run/x.hitlog.jsonl: a garak hitlog"));
    assay_results_free(results);
    empty_folder(NULL);
    assert_int_equal(rmdir("run"), 0);
}

static void samples_are_read_as_they_are(void **state)
{
    static const char *const names[] = { "report_test", "test", "test_with_ci" };
    assay_results *results;
    char path[512];
    struct stat about;

    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        snprintf(path, sizeof path, "%s/samples/garak/%s.report.jsonl", ASSAY_SHARED_FOLDER,
                 names[k]);
        if (stat(path, &about) != 0) {
            print_message("no samples beside this checkout\n");
            skip();
        }
        results = read_ok(path, NULL);
        assert_int_equal(assay_results_coverage(results).used, k < 2 ? 8 : 4);
        assert_true(has_note(results, "garak report, "));
        assay_results_free(results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_report_is_recognised_among_json, empty_folder),
        cmocka_unit_test_teardown(a_metric_chooses_the_detector, empty_folder),
        cmocka_unit_test_teardown(a_metric_is_none_of_other_inputs, empty_folder),
        cmocka_unit_test_teardown(a_filter_is_none_of_logs_without_any, empty_folder),
        cmocka_unit_test_teardown(a_hitlog_is_refused_by_name, empty_folder),
        cmocka_unit_test_teardown(rows_with_an_attempt_of_their_own_are_no_hitlog, empty_folder),
        cmocka_unit_test_teardown(formats_that_are_given_decide, empty_folder),
        cmocka_unit_test_teardown(an_option_that_names_a_column_has_no_place, empty_folder),
        cmocka_unit_test_teardown(of_a_folder_the_report_is_read_and_the_hitlog_left_out,
                                  empty_folder),
        cmocka_unit_test_teardown(samples_are_read_as_they_are, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
