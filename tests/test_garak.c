/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/results.h"
#include "failing_memory.h"
#include "logs/garak.h"

#include "reading.h"

#include <math.h>
#include <sys/stat.h>

/* A report as a file of its own, read into results. */
static assay_status read_report(const char *path, const char *metric,
                                const assay_read_options *options, assay_results *results)
{
    assay_read_options opt = options ? *options : defaults();
    char mapping[ASSAY_TABLE_NOTE_SIZE] = "";
    assay_table table = { .results = results, .options = &opt, .mapping = mapping };
    const assay_log_head head = { 0 };
    assay_status status = assay_input_open(path, &opt.progress, &table.input);

    if (status != ASSAY_OK) return status;
    table.path = assay_input_name(table.input);
    opt.metric = metric;
    status = assay_garak_read(&table, &head);
    assay_input_close(table.input);
    return status;
}

static assay_results *read_lines(const char *text, const char *metric)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    if (read_report(write_text("r.jsonl", text), metric, NULL, results) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return results;
}

static void assert_report_fails(const char *text, const char *metric, assay_status status,
                                const char *sentence)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(read_report(write_text("r.jsonl", text), metric, NULL, results), status);
    if (sentence) assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
}

#define SETUP                                                                 \
    "{\"entry_type\":\"start_run setup\",\"plugins.target_type\":\"openai\"," \
    "\"plugins.target_name\":\"m\",\"run.eval_threshold\":0.5}\n"
#define ATTEMPT(seq, status, prompt, outputs, results)                              \
    "{\"entry_type\":\"attempt\",\"uuid\":\"u\",\"seq\":" seq ",\"status\":" status \
    ",\"probe_classname\":\"p.P\",\"prompt\":" prompt ",\"outputs\":" outputs       \
    ",\"detector_results\":" results "}\n"

/* ---- what is read ---- */

static void every_output_is_a_run_and_a_hit_scores_zero(void **state)
{
    assay_results *results = read_lines(
        SETUP ATTEMPT("0", "1", "\"hello\"", "[\"a\",\"b\",\"c\",null]", "{}")
            ATTEMPT("0", "2", "\"hello\"", "[\"a\",\"b\",\"c\",null]",
                    "{\"d.D\":[0.0,1.0,null,null]}") "{\"entry_type\":\"eval\",\"passed\":1}\n",
        NULL);
    assay_coverage coverage = assay_results_coverage(results);
    const char *item = "p.P/2cf24dba5fb0a30e"; /* sha256 of hello */
    double score;

    (void)state;
    assert_int_equal(assay_results_n_items(results), 1);
    assert_string_equal(assay_results_item(results, 0), item);
    assert_string_equal(assay_results_item_text(results, 0), "hello");
    assert_string_equal(assay_results_item_cluster(results, 0), "p.P");
    assert_true(score_of(results, "openai:m", "", "1", item) == 1.0);
    assert_true(score_of(results, "openai:m", "", "2", item) == 0.0);
    assert_int_equal(assay_results_cell(results, 2, 0, &score), ASSAY_UNSCORED);
    assert_int_equal(assay_results_cell(results, 3, 0, &score), ASSAY_ERRORED);
    assert_int_equal(coverage.rows, 4);
    assert_int_equal(coverage.used, 2);
    assert_true(has_note(results, "garak report, 1 attempt;"));
    assert_int_equal(assay_results_n_notes(results), 1);
    assay_results_free(results);
}

/* Of the same conversation: 0.11's string, 0.13's object, 0.14's null with conversations. */
static void all_versions_of_a_prompt_are_one_item(void **state)
{
    static const char *const prompts[] = {
        "\"hello\"",
        "{\"turns\":[{\"role\":\"user\",\"content\":{\"text\":\"hello\",\"lang\":\"en\"}}],"
        "\"notes\":null}",
        "{\"turns\":[{\"role\":\"system\",\"content\":{\"text\":\"be good\"}},"
        "{\"role\":\"user\",\"content\":{\"text\":\"first\"}},"
        "{\"role\":\"assistant\",\"content\":{\"text\":\"yes\"}},"
        "{\"role\":\"user\",\"content\":{\"text\":\"hello\"}},"
        "{\"role\":\"assistant\",\"content\":{\"text\":\"bye\"}}]}",
        "null,\"conversations\":[{\"turns\":[{\"role\":\"user\",\"content\":{\"text\":\"hello\"}},"
        "{\"role\":\"assistant\",\"content\":{\"text\":\"x\"}}]},{\"turns\":[]}]",
    };

    (void)state;
    for (size_t k = 0; k < sizeof prompts / sizeof prompts[0]; k++) {
        char text[2048];
        assay_results *results;

        snprintf(text, sizeof text,
                 SETUP "{\"entry_type\":\"attempt\",\"uuid\":\"u\",\"seq\":0,\"status\":2,"
                       "\"probe_classname\":\"p.P\",\"prompt\":%s,"
                       "\"outputs\":[{\"text\":\"a\",\"notes\":{}}],"
                       "\"detector_results\":{\"detector.d.D\":[0.2]}}\n",
                 prompts[k]);
        results = read_lines(text, "d.D");
        assert_string_equal(assay_results_item(results, 0), "p.P/2cf24dba5fb0a30e");
        assert_string_equal(assay_results_item_text(results, 0), "hello");
        assert_true(score_of(results, "openai:m", "", "1", "p.P/2cf24dba5fb0a30e") == 1.0);
        assay_results_free(results);
        empty_folder(NULL);
    }
}

static void an_attempt_without_a_prompt_is_called_by_its_seq(void **state)
{
    assay_results *results = read_lines(
        SETUP ATTEMPT("7", "2", "null,\"conversations\":[]", "[\"a\"]", "{\"d\":[0]}"), NULL);

    (void)state;
    assert_string_equal(assay_results_item(results, 0), "p.P/#7");
    assert_null(assay_results_item_text(results, 0));
    assay_results_free(results);
}

static void the_set_up_line_names_model_and_threshold(void **state)
{
    assay_results *results =
        read_lines("{\"entry_type\":\"start_run setup\",\"plugins.model_type\":\"test\","
                   "\"plugins.model_name\":null,\"run.eval_threshold\":0.8}\n" ATTEMPT(
                       "0", "2", "\"hello\"", "[\"a\",\"b\"]", "{\"d\":[0.79,0.8]}"),
                   NULL);

    (void)state;
    assert_true(score_of(results, "test", "", "1", "p.P/2cf24dba5fb0a30e") == 1.0);
    assert_true(score_of(results, "test", "", "2", "p.P/2cf24dba5fb0a30e") == 0.0);
    assay_results_free(results);
    results = read_lines(ATTEMPT("0", "2", "\"hello\"", "[\"a\"]", "{\"d\":[0.6]}"), NULL);
    assert_true(score_of(results, "r.jsonl", "", "1", "p.P/2cf24dba5fb0a30e") == 0.0);
    assay_results_free(results);
}

/* ---- several detectors ---- */

static void two_detectors_are_never_put_together(void **state)
{
    static const char text[] =
        SETUP ATTEMPT("0", "2", "\"hello\"", "[\"a\",\"b\"]", "{\"d.D\":[0,1],\"m.M\":[1,null]}")
            ATTEMPT("1", "2", "\"world\"", "[\"a\"]", "{\"d.D\":[1]}");
    const char *hello = "p.P/2cf24dba5fb0a30e", *world = "p.P/486ea46224d1bb4f";
    assay_results *results = read_lines(text, NULL);

    (void)state;
    assert_true(score_of(results, "openai:m", "", "1", hello) == 1.0);
    assert_true(score_of(results, "openai:m", "", "2", hello) == 0.0);
    assert_true(score_of(results, "openai:m", "", "1", world) == 0.0);
    assert_true(has_note(results, "--metric chooses another: d.D, m.M"));
    assay_results_free(results);

    results = read_lines(text, "m.M");
    assert_true(score_of(results, "openai:m", "", "1", hello) == 0.0);
    assert_int_equal(assay_results_n_items(results), 1);
    assert_int_equal(assay_results_coverage(results).unscored, 1);
    assert_true(has_note(results, "attempts without detector m.M, left out: 1"));
    assert_false(has_note(results, "--metric"));
    assay_results_free(results);

    assert_report_fails(text, "x.X", ASSAY_E_VALUE,
                        "r.jsonl: no detector \"x.X\" (--metric); there are: d.D, m.M");
}

/* ---- attempts that come twice ---- */

static void identical_judged_lines_count_once(void **state)
{
    assay_results *results =
        read_lines(SETUP ATTEMPT("0", "2", "\"hello\"", "[\"a\",\"b\"]", "{\"d\":[0,1]}")
                       ATTEMPT("0", "2", "\"hello\"", "[\"a\",\"b\"]", "{\"d\":[0,1]}"),
                   NULL);

    (void)state;
    assert_int_equal(assay_results_n_records(results), 2);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_int_equal(assay_results_coverage(results).duplicate, 2);
    assert_true(has_note(results, "lines that repeat an attempt, counted once: 1"));
    assay_results_free(results);
}

/* Aggregated reports: one uuid, seq from 0 again. */
static void other_outputs_under_the_same_key_are_further_runs(void **state)
{
    static const char text[] = SETUP ATTEMPT("0", "2", "\"hello\"", "[\"a\"]", "{\"d\":[0]}")
        ATTEMPT("0", "2", "\"hello\"", "[\"b\"]", "{\"d\":[1]}")
            ATTEMPT("0", "2", "\"world\"", "[\"a\"]", "{\"d\":[1]}");
    assay_results *results = read_lines(text, NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "openai:m", "", "1", "p.P/2cf24dba5fb0a30e") == 1.0);
    assert_true(score_of(results, "openai:m", "", "2", "p.P/2cf24dba5fb0a30e") == 0.0);
    assert_true(has_note(results, "whose outputs are further runs of it: 1"));
    assay_results_free(results);
}

static void an_attempt_that_was_never_judged_is_said(void **state)
{
    assay_results *results =
        read_lines(SETUP ATTEMPT("0", "1", "\"hello\"", "[\"a\"]", "{}")
                       ATTEMPT("1", "1", "\"world\"", "[\"a\"]", "{}")
                           ATTEMPT("1", "2", "\"world\"", "[\"a\"]", "{\"d\":[0]}"),
                   NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 1);
    assert_true(has_note(results, "attempts never finished, left out: 1"));
    assay_results_free(results);
}

static void the_same_target_twice_conflicts_unless_runs_are_repeats(void **state)
{
    static const char first[] = SETUP ATTEMPT("0", "2", "\"hello\"", "[\"a\"]", "{\"d\":[0]}");
    static const char second[] = SETUP ATTEMPT("0", "2", "\"hello\"", "[\"z\"]", "{\"d\":[1]}");
    assay_read_options options = defaults();
    const char *end = "; with --repeats such rows count as further runs, with --force the first "
                      "stays";
    assay_results *results = NULL;

    (void)state;
    write_text("1.jsonl", first);
    write_text("2.jsonl", second);
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(read_report("1.jsonl", NULL, NULL, results), ASSAY_OK);
    assert_int_equal(read_report("2.jsonl", NULL, NULL, results), ASSAY_E_CONFLICT);
    assert_memory_equal(assay_last_error(), "2.jsonl:2: ", 11);
    assert_string_equal(assay_last_error() + strlen(assay_last_error()) - strlen(end), end);
    assay_results_free(results);

    options.repeats = 1;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(read_report("1.jsonl", NULL, &options, results), ASSAY_OK);
    assert_int_equal(read_report("2.jsonl", NULL, &options, results), ASSAY_OK);
    assert_true(score_of(results, "openai:m", "", "2", "p.P/2cf24dba5fb0a30e") == 0.0);
    assay_results_free(results);
}

/* ---- hostile and damaged ---- */

static void control_characters_stay_data_and_never_reach_a_message(void **state)
{
    static const char prompt[] = "\"\\u001b[2J\\u0007\\u0000x\"";
    char text[1024];
    assay_results *results;

    (void)state;
    snprintf(text, sizeof text, SETUP ATTEMPT("0", "2", "%s", "[\"a\"]", "{\"\\u001bd\":[0]}"),
             prompt);
    results = read_lines(text, NULL);
    assert_memory_equal(assay_results_item_text(results, 0), "\x1b[2J\a", 5);
    for (const char *c = assay_results_item(results, 0); *c; c++) assert_true(*c >= 0x20);
    for (size_t k = 0; k < assay_results_n_notes(results); k++)
        for (const char *c = assay_results_note(results, k); *c; c++)
            assert_true((unsigned char)*c >= 0x20);
    assay_results_free(results);
    assert_report_fails(text, "x", ASSAY_E_VALUE,
                        "r.jsonl: no detector \"x\" (--metric); there are: \\x1bd");
}

static void a_cut_report_keeps_the_whole_attempts(void **state)
{
    assay_results *results =
        read_lines(SETUP ATTEMPT("0", "2", "\"hello\"", "[\"a\"]",
                                 "{\"d\":[0]}") "{\"entry_type\":\"attempt\",\"uu",
                   NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_true(assay_results_damaged(results));
    assert_true(has_note(results, "r.jsonl:3: cut short; the 1 attempts before were read"));
    assay_results_free(results);
}

static void what_is_no_report_is_refused(void **state)
{
    (void)state;
    assert_report_fails("{\"goal\":\"x\",\"prompt\":\"p\",\"attempt_idx\":3}\n", NULL,
                        ASSAY_E_FORMAT,
                        "r.jsonl:1: a garak hitlog, which lists only the attacks that worked, so "
                        "that no rate follows; give the report.jsonl of the same run");
    assert_report_fails(SETUP "{\"goal\":\"x\"}\n", NULL, ASSAY_E_FORMAT,
                        "r.jsonl:2: an entry without \"entry_type\", expected a garak report");
    assert_report_fails("[1]", NULL, ASSAY_E_FORMAT,
                        "r.jsonl:1: a JSON value that is not an object, expected garak's entries");
    assert_report_fails(SETUP ATTEMPT("0", "1", "\"hello\"", "[\"a\"]", "{}"), NULL, ASSAY_E_FORMAT,
                        "r.jsonl: a garak report without a finished attempt (status 2)");
    assert_report_fails("{\"entry_type\":\"attempt\",\"status\":2}\n", NULL, ASSAY_E_FORMAT,
                        "r.jsonl:1: the probe_classname is blank, expected a name");
}

static void odd_shapes_are_passed_over(void **state)
{
    assay_results *results = read_lines(
        SETUP ATTEMPT("0", "2", "{\"turns\":[3,{\"role\":null,\"content\":\"hello\"}],\"n\":[]}",
                      "[{\"data\":1},[\"nested\"]]", "{\"d\":[true,{}],\"e\":7}")
            ATTEMPT("1", "2", "[\"hello\"]", "{}", "[]"),
        NULL);

    (void)state;
    assert_true(score_of(results, "openai:m", "", "1", "p.P/2cf24dba5fb0a30e") == 0.0);
    assert_int_equal(assay_results_coverage(results).unscored, 1);
    assay_results_free(results);
}

static void logs_are_recognised_by_their_first_line(void **state)
{
    static const struct {
        const char *text;
        int is_report, is_hitlog;
    } cases[] = {
        { "{\"entry_type\": \"init\"}\n", 1, 0 },
        { "{\"uuid\": 1, \"entry_type\":\"attempt\"", 1, 0 }, /* cut off */
        { "{\"goal\": \"x\", \"attempt_idx\": 3}\n", 0, 1 },
        { "{\"item\": \"a\", \"attempt_idx\": 3, \"score\": 1}\n", 0, 0 },
        { "{\"item\": \"a\", \"score\": 1}\n{\"entry_type\": \"init\"}", 0, 0 },
        { "{\"text\": \"{\\\"entry_type\\\":1}\"}", 0, 0 },
        { "", 0, 0 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assay_log_head head;

        assert_int_equal(assay_log_head_read(&head, "f", cases[k].text, strlen(cases[k].text)),
                         ASSAY_OK);
        assert_int_equal(assay_garak_is_report(&head), cases[k].is_report);
        assert_int_equal(assay_garak_is_hitlog(&head), cases[k].is_hitlog);
        assay_log_head_free(&head);
    }
}

/* ---- real reports ---- */

static assay_results *read_sample(const char *name)
{
    assay_results *results = NULL;
    struct stat about;
    char path[512];

    snprintf(path, sizeof path, "%s/samples/%s", ASSAY_SHARED_FOLDER, name);
    if (stat(path, &about) != 0) {
        print_message("no samples beside this checkout\n");
        return NULL;
    }
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    if (read_report(path, NULL, NULL, results) != ASSAY_OK) fail_msg("%s", assay_last_error());
    return results;
}

static void samples_give_as_many_attempts_as_garak_counted(void **state)
{
    static const struct {
        const char *name, *model;
        size_t items, used;
    } samples[] = {
        { "garak/report_test.report.jsonl", "openai.OpenAICompatible:qwen2", 8, 8 },
        { "garak/test.report.jsonl", "test", 8, 8 },
        { "garak/test_with_ci.report.jsonl", "test", 4, 4 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        assay_results *results = read_sample(samples[k].name);

        if (!results) skip();
        assert_int_equal(assay_results_n_items(results), samples[k].items);
        assert_int_equal(assay_results_coverage(results).used, samples[k].used);
        assert_int_equal(assay_results_coverage(results).rows, samples[k].used);
        assert_string_equal(assay_results_model(results, 0), samples[k].model);
        for (size_t i = 0; i < samples[k].items; i++) {
            double score;
            assert_int_equal(assay_results_cell(results, 0, i, &score), ASSAY_SCORED);
            assert_true(score == 1.0); /* always.Pass */
        }
        assay_results_free(results);
    }
}

static void the_sample_of_version_0_9_scores_by_its_first_detector(void **state)
{
    assay_results *results = read_sample("synthetic/SYNTHETIC_garak_v0.9_report.jsonl");

    (void)state;
    if (!results) skip();
    assert_int_equal(assay_results_n_items(results), 1);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_true(has_note(results, "dan.DAN, mitigation.MitigationBypass"));
    assay_results_free(results);
}

/* ---- memory ---- */

static assay_status read_some(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = read_report(context, NULL, NULL, results);
    assay_results_free(results);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[] = "r.jsonl";

    (void)state;
    write_text(path, SETUP ATTEMPT(
                         "0", "1", "{\"turns\":[{\"role\":\"user\",\"content\":\"hello\"}]}",
                         "[\"a\"]", "{}") ATTEMPT("0", "2", "\"hello\"", "[\"a\",{\"text\":\"b\"}]",
                                                  "{\"d\":[0,1],\"e\":[0,1]}"));
    assert_true(fail_every_allocation(read_some, path) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_output_is_a_run_and_a_hit_scores_zero, empty_folder),
        cmocka_unit_test_teardown(all_versions_of_a_prompt_are_one_item, empty_folder),
        cmocka_unit_test_teardown(an_attempt_without_a_prompt_is_called_by_its_seq, empty_folder),
        cmocka_unit_test_teardown(the_set_up_line_names_model_and_threshold, empty_folder),
        cmocka_unit_test_teardown(two_detectors_are_never_put_together, empty_folder),
        cmocka_unit_test_teardown(identical_judged_lines_count_once, empty_folder),
        cmocka_unit_test_teardown(other_outputs_under_the_same_key_are_further_runs, empty_folder),
        cmocka_unit_test_teardown(an_attempt_that_was_never_judged_is_said, empty_folder),
        cmocka_unit_test_teardown(the_same_target_twice_conflicts_unless_runs_are_repeats,
                                  empty_folder),
        cmocka_unit_test_teardown(control_characters_stay_data_and_never_reach_a_message,
                                  empty_folder),
        cmocka_unit_test_teardown(a_cut_report_keeps_the_whole_attempts, empty_folder),
        cmocka_unit_test_teardown(what_is_no_report_is_refused, empty_folder),
        cmocka_unit_test_teardown(odd_shapes_are_passed_over, empty_folder),
        cmocka_unit_test_teardown(logs_are_recognised_by_their_first_line, empty_folder),
        cmocka_unit_test_teardown(samples_give_as_many_attempts_as_garak_counted, empty_folder),
        cmocka_unit_test_teardown(the_sample_of_version_0_9_scores_by_its_first_detector,
                                  empty_folder),
        cmocka_unit_test_teardown(every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
