/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/lighteval_place.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "parquet_writer.h"
#include "samples.h"

#define DATE "2026-01-02T03-04-05.000006"

static void fails(const char *path, const assay_read_options *options, assay_status status,
                  const char *sentence)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, options), status);
    assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
}

/* ---- where a file lies ---- */

static void paths_say_model_and_task(void **state)
{
    static const struct {
        const char *path, *task, *model, *from;
    } cases[] = {
        { "out/details/org/m-1/" DATE "/details_lighteval|gsm8k|5_" DATE ".parquet",
          "lighteval|gsm8k|5", "org/m-1", "the folder" },
        { "details/m/" DATE "/details_a_b:c|0_" DATE ".parquet", "a_b:c|0", "m", "the folder" },
        { "/details/details/m/" DATE "/details_t_" DATE ".parquet", "t", "m", "the folder" },
        { "details/" DATE "/details_t_" DATE ".parquet", "t", NULL, "the file's name" },
        { "details/m/run1/details_t_" DATE ".parquet", "t", NULL, "the file's name" },
        { "details_t_" DATE ".parquet", "t", NULL, "the file's name" },
        { "details_" DATE ".parquet", NULL, NULL, "the file's name" },
        { "details_t.parquet", NULL, NULL, "the file's name" },
        { "mydetails/m/" DATE "/details_t_2026-01-02X.parquet", NULL, NULL, "the file's name" },
        { "x.parquet", NULL, NULL, "the file's name" },
    };
    const assay_read_options options = defaults();

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const assay_table table = { .options = &options, .path = cases[k].path };
        assay_lighteval_place place;

        assert_int_equal(assay_lighteval_place_find(&place, &table), ASSAY_OK);
        assert_int_equal(place.task.text != NULL, cases[k].task != NULL);
        assert_true(!cases[k].task || assay_name_is(place.task, cases[k].task));
        assert_int_equal(place.model.text != NULL, cases[k].model != NULL);
        assert_true(!cases[k].model || assay_name_is(place.model, cases[k].model));
        assert_string_equal(place.model_is_from, cases[k].from);
        assay_lighteval_place_free(&place);
    }
}

static void a_results_file_beside_says_the_model(void **state)
{
    const assay_read_options options = defaults();
    const assay_table table = { .options = &options,
                                .path = "logs/details_t_" DATE ".snappy.parquet" };
    assay_lighteval_place place;

    (void)state;
    write_log("logs/results_" DATE ".json",
              "{\"config_general\":{\"model_name\":\"org/m\"},\"results\":{}}");
    assert_int_equal(assay_lighteval_place_find(&place, &table), ASSAY_OK);
    assert_true(assay_name_is(place.model, "org/m"));
    assert_string_equal(place.model_is_from, "the results file");
    assay_lighteval_place_free(&place);
    n_written--;
    write_log("logs/results_" DATE ".json", "{\"config_general\":{");
    assert_int_equal(assay_lighteval_place_find(&place, &table), ASSAY_OK);
    assert_null(place.model.text);
    assay_lighteval_place_free(&place);
}

/* T14: means of tasks, and means of such means, are no rows. */
static void t14_results_are_refused(void **state)
{
    static const char sentence[] =
        "results_" DATE ".json: results of lighteval, which hold means of tasks (and means of "
        "these, \"all\" and \"_average\") and no items; give "
        "details/MODEL/DATE/details_TASK_DATE.parquet, which --save-details writes";

    (void)state;
    assert_log_fails("results_" DATE ".json",
                     "{\"config_general\":{\"lighteval_sha\":\"?\",\"model_name\":\"m\"},"
                     "\"results\":{\"mmlu:a|5\":{\"acc\":0.5,\"acc_stderr\":0.1},"
                     "\"mmlu:_average|5\":{\"acc\":0.5},\"all\":{\"acc\":0.5}},\"versions\":{}}",
                     NULL, ASSAY_E_FORMAT, sentence);
    n_written--;
    assert_log_fails("results_" DATE ".json",
                     "{\"config_general\":{\"model_name\":\"m\"},\"results\":{\"all\":{\"acc\":1}},"
                     "\"versions\":{},\"config_tasks\":{},\"summary_tasks\":{},"
                     "\"summary_general\":{}}",
                     NULL, ASSAY_E_FORMAT, sentence);
}

/* ---- the three layouts ---- */

static const char head[] = "details/org/m/" DATE "/details_lighteval|t_x|0_" DATE ".parquet";

/* Its folders, and the file. */
static const char *write_details(const char *path, const char *query)
{
    write_log(path, "");
    n_written--;
    return write_parquet(path, query);
}

/* Two documents that ask the same are told apart by their choices; else by their order. */
static void structs_are_read(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;
    const char *item;

    (void)state;
    if (!has_duckdb()) skip();
    results = read_ok(
        write_details(head, "select {'query': 'Q' || (i // 3), 'choices': ['A', if(i = 1, 'B', "
                            "'C')], 'task_name': 'n'} doc, {'n': ['x'], 'acc': i % 2, 'em': "
                            "if(i = 3, NULL, 0.5)} metric, {'text': ['a']} model_response from "
                            "range(6) t(i) order by i"),
        NULL);
    assert_int_equal(assay_results_n_items(results), 6);
    item = assay_results_item(results, 0);
    assert_memory_equal(item, "lighteval|t_x|0/", 16);
    assert_int_equal(strlen(item), 32);
    assert_string_equal(assay_results_item(results, 2) + 32, ".2"); /* row 2 asks what row 0 did */
    assert_string_equal(text_of(results, item), "Q0");
    assert_string_equal(cluster_of(results, item), "lighteval|t_x|0");
    assert_string_equal(assay_results_model(results, 0), "org/m");
    assert_true(score_of(results, "org/m", "", "", item) == 0.0);
    assert_coverage(results, 6, 0, 0, 0);
    assert_true(has_note(results, "details of lighteval; model from the folder, task from the "
                                  "file's name, item = hash of doc.query, score = \"acc\""));
    assert_true(has_note(results, "scored by \"acc\"; --metric chooses another: em"));
    assay_results_free(results);
    options.metric = "em";
    results = read_ok(head, &options);
    assert_coverage(results, 5, 0, 0, 1);
    assay_results_free(results);
}

static void flat_columns_are_read(void **state)
{
    assay_results *results;

    (void)state;
    if (!has_duckdb()) skip();
    results = read_ok(write_details(head, "select 'E' || i example, 'P' || i full_prompt, ['A'] "
                                          "choices, {'acc': i, 'f1': 0.5} metrics, ['p'] "
                                          "predictions from range(2) t(i) order by i"),
                      NULL);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_string_equal(assay_results_item_text(results, 1), "E1");
    assert_coverage(results, 2, 0, 0, 0);
    assay_results_free(results);
}

static void python_cells_are_read(void **state)
{
    static const char query[] =
        "select * from (values ('P0', '{''acc'': 1, ''em'': np.float64(0.5)}', '[]'), ('P1', "
        "'{''acc'': 0, ''em'': nan}', '[]'), ('', '{''acc'': True}', '[]'), ('P3', NULL, '[]')) "
        "t(full_prompt, metrics, predictions)";
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    if (!has_duckdb()) skip();
    results = read_ok(write_details(head, query), NULL);
    assert_coverage(results, 3, 0, 0, 1);
    assert_true(score_of(results, "org/m", "", "", "lighteval|t_x|0/#2") == 1.0);
    assert_true(has_note(results, "1 rows ask nothing, and are called by their order"));
    assay_results_free(results);
    options.metric = "em";
    results = read_ok(head, &options);
    assert_coverage(results, 1, 0, 0, 3);
    assay_results_free(results);
}

/* The models of two versions of lighteval meet at what they ask. */
static void versions_are_joined_by_what_they_ask(void **state)
{
    assay_results *results;

    (void)state;
    if (!has_duckdb()) skip();
    write_details("details/a/" DATE "/details_t|0_" DATE ".parquet",
                  "select {'query': 'Q' || i, 'choices': ['A', 'B']} doc, {'acc': 1} metric from "
                  "range(3) t(i)");
    write_details("details/b/" DATE "/details_t|0_" DATE ".parquet",
                  "select 'Q' || i example, '[''A'', ''B'']' choices, '{''acc'': 0}' metrics, '[]' "
                  "predictions from range(3) t(i)");
    results = read_ok("details", NULL);
    assert_int_equal(assay_results_n_models(results), 2);
    assert_int_equal(assay_results_n_items(results), 3);
    assay_results_free(results);
}

static void options_are_refused_that_have_no_place(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;
    char sentence[512];

    (void)state;
    if (!has_duckdb()) skip();
    write_details(head, "select {'query': 'Q', 'choices': ['A', 'B']} doc, {'acc': 1} metric");
    options.metric = "f1";
    snprintf(sentence, sizeof sentence, "%s: no score \"f1\" (--metric); there are: acc", head);
    fails(head, &options, ASSAY_E_VALUE, sentence);
    options.metric = NULL;
    options.filter = "f";
    snprintf(sentence, sizeof sentence, "%s: no filter \"f\" (--filter): such a log has none",
             head);
    fails(head, &options, ASSAY_E_VALUE, sentence);
    options.filter = NULL;
    options.item = "doc.query";
    options.format = ASSAY_FORMAT_LIGHTEVAL;
    snprintf(sentence, sizeof sentence,
             "%s: is lighteval's, of which --item can name no column; --metric chooses its score, "
             "--format parquet reads it as a table",
             head);
    fails(head, &options, ASSAY_E_VALUE, sentence);
    options.format = ASSAY_FORMAT_AUTO; /* an option that names a column makes it a table */
    options.score = "metric.acc";
    results = read_ok(head, &options);
    assert_true(score_of(results, head, "", "", "Q") == 1.0);
    assay_results_free(results);
    options = defaults();
    options.format = ASSAY_FORMAT_LIGHTEVAL;
    write_details("t.parquet", "select 'a' item, 1 score");
    fails("t.parquet", &options, ASSAY_E_FORMAT,
          "t.parquet: no details of lighteval, expected the columns doc and metric, or metrics "
          "beside example or full_prompt");
}

static void metrics_that_are_no_dict_are_an_error(void **state)
{
    char sentence[512];

    (void)state;
    if (!has_duckdb()) skip();
    write_details(head, "select 'Q' example, '[1]' metrics, '[]' predictions");
    snprintf(sentence, sizeof sentence, "%s:1: metrics that are no dict, expected one", head);
    fails(head, NULL, ASSAY_E_FORMAT, sentence);
    n_written--;
    write_details(head, "select 'Q' example, '{''a'': exec(1, 2)}' metrics, '[]' predictions");
    snprintf(sentence, sizeof sentence,
             "%s:1: no value of Python at \", 2)}\", expected one value in a call", head);
    fails(head, NULL, ASSAY_E_FORMAT, sentence);
    assert_int_equal(n_written, 1);
}

static assay_status read_head(void *context)
{
    (void)context;
    return read_and_free((void *)(uintptr_t)head);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    if (!has_duckdb()) skip();
    write_details(head, "select 'Q' || i example, '{''acc'': 1}' metrics, '[]' predictions from "
                        "range(3) t(i)");
    assert_true(fail_every_allocation(read_head, NULL) > 30);
}

/* ---- real files ---- */

/* DuckDB's own sum of acc is 33 in 50 rows of each; the three compressions are one file. */
static void samples_are_read_as_they_are(void **state)
{
    static const char *const names[] = { "snappy", "uncompressed", "zstd" };
    assay_results *results = NULL;
    char path[512], name[256];
    size_t n;

    (void)state;
    if (!find_sample("lighteval", path) || !has_duckdb()) skip();
    for (size_t k = 0; k < 3; k++) {
        snprintf(name, sizeof name,
                 "lighteval/SYNTHETIC_details_mmlu_abstract_algebra|5_2026-01-01T00-00-00.000000.%s"
                 ".parquet",
                 names[k]);
        assert_true(find_sample(name, path));
        results = read_ok(path, NULL);
        assert_int_equal(assay_results_n_models(results), 1);
        assert_int_equal(assay_results_n_items(results), 50);
        assert_memory_equal(assay_results_item(results, 0), "mmlu_abstract_algebra|5/", 24);
        assert_coverage(results, 50, 0, 0, 0);
        assert_true(fabs(mean_of(results, path, &n) - 33.0 / 50.0) < 1e-12);
        assay_results_free(results);
    }
    assert_true(find_sample("lighteval/SYNTHETIC_v0.6_details_leaderboard|arc:challenge|25_2024-10-"
                            "23T00-00-00.000000.parquet",
                            path));
    results = read_ok(path, NULL);
    assert_memory_equal(assay_results_item(results, 0), "leaderboard|arc:challenge|25/", 29);
    assert_coverage(results, 50, 0, 0, 0);
    assert_true(fabs(mean_of(results, path, &n) - 33.0 / 50.0) < 1e-12);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_say_model_and_task),
        cmocka_unit_test_teardown(a_results_file_beside_says_the_model, empty_log_folder),
        cmocka_unit_test_teardown(t14_results_are_refused, empty_log_folder),
        cmocka_unit_test_teardown(structs_are_read, empty_log_folder),
        cmocka_unit_test_teardown(flat_columns_are_read, empty_log_folder),
        cmocka_unit_test_teardown(python_cells_are_read, empty_log_folder),
        cmocka_unit_test_teardown(versions_are_joined_by_what_they_ask, empty_log_folder),
        cmocka_unit_test_teardown(options_are_refused_that_have_no_place, empty_log_folder),
        cmocka_unit_test_teardown(metrics_that_are_no_dict_are_an_error, empty_log_folder),
        cmocka_unit_test_teardown(memory_may_run_out, empty_log_folder),
        cmocka_unit_test(samples_are_read_as_they_are),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
