/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of Every Eval Ever: read, and written and read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/every_eval_ever.h"
#include "data/results.h"
#include "failing_memory.h"
#include "reading.h"
#include "samples.h"

#include <math.h>

#define LINES "u_samples.jsonl"
#define LINE(name, result, id, evaluation, more)                                                 \
    "{\"schema_version\":\"0.3.0\",\"evaluation_id\":\"e\",\"model_id\":\"org/m\","              \
    "\"evaluation_name\":\"" name "\"" result ",\"sample_id\":\"" id "\",\"sample_hash\":\"h" id \
    "\",\"interaction_type\":\"single_turn\",\"input\":{\"raw\":\"Q" id                          \
    "\",\"reference\":[\"4\"]},\"output\":{\"raw\":[\"4\"]},\"answer_attribution\":[],"          \
    "\"evaluation\":{" evaluation "}" more "}\n"
#define RESULT(id) ",\"evaluation_result_id\":\"" id "\""
#define RIGHT "\"score\":1.0,\"is_correct\":true"
#define WRONG "\"score\":0.0,\"is_correct\":false"

static assay_results *read_lines(const char *text, const assay_read_options *options)
{
    return read_ok(write_text(LINES, text), options);
}

static void assert_lines_fail(const char *text, const assay_read_options *options,
                              assay_status status, const char *part)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text(LINES, text), options), status);
    if (!strstr(assay_last_error(), part)) fail_msg("%s", assay_last_error());
    assay_results_free(results);
}

static void an_instance_is_a_cell(void **state)
{
    assay_results *results = read_lines(
        LINE("g", "", "1", RIGHT, "") LINE("g", "", "2", WRONG, ",\"metadata\":{\"subject\":\"x\"}")
            LINE("g", "", "3", "\"score\":0.25,\"is_correct\":false", ""),
        NULL);

    (void)state;
    assert_true(score_of(results, "org/m", "", "", "g/1") == 1.0);
    assert_true(score_of(results, "org/m", "", "", "g/3") == 0.25);
    assert_string_equal(assay_results_item_text(results, 0), "Q1");
    assert_string_equal(assay_results_item_cluster(results, 1), "g");
    assert_false(has_note(results, "several metrics"));
    assay_results_free(results);
}

#define TWO_METRICS                            \
    LINE("g", RESULT("g.acc"), "1", RIGHT, "") \
    LINE("g", RESULT("g.f1"), "1", WRONG, "")  \
    LINE("g", RESULT("g.acc"), "2", WRONG, "") LINE("g", RESULT("g.f1"), "2", WRONG, "")

static void metrics_are_no_items(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = read_lines(TWO_METRICS, NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "org/m", "", "", "g/1") == 1.0);
    assert_true(has_note(results, "several metrics a sample, one is read and 2 lines of others are "
                                  "left out; --metric chooses: g.acc, g.f1"));
    assay_results_free(results);
    options.metric = "g.f1";
    results = read_lines(TWO_METRICS, &options);
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(score_of(results, "org/m", "", "", "g/1") == 0.0);
    assay_results_free(results);
    options.metric = "bleu";
    assert_lines_fail(TWO_METRICS, &options, ASSAY_E_VALUE,
                      "no metric \"bleu\" (--metric); there are: g.acc, g.f1");
}

/* Where the name of the evaluation says the metric, the sample's digest tells that it is one
 * sample. */
static void metrics_in_the_names_are_no_items_either(void **state)
{
    assay_results *results =
        read_lines(LINE("g acc", "", "1", RIGHT, "") LINE("g f1", "", "1", WRONG, ""), NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 1);
    assert_true(score_of(results, "org/m", "", "", "g acc/1") == 1.0);
    assay_results_free(results);
}

static void metrics_in_no_order_must_be_chosen(void **state)
{
    (void)state;
    assert_lines_fail(LINE("g", RESULT("a"), "1", RIGHT, "") LINE("g", RESULT("b"), "1", RIGHT, "")
                          LINE("g", RESULT("b"), "2", RIGHT, "")
                              LINE("g", RESULT("a"), "2", RIGHT, ""),
                      NULL, ASSAY_E_VALUE,
                      LINES ":4: samples are scored by \"a\" and \"b\", now one first and now the "
                            "other: choose with --metric");
}

static void repeats_are_runs_where_they_say_so(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = read_lines(
        LINE("g", "", "1", RIGHT, ",\"metadata\":{\"run\":\"1\",\"template\":\"p\"}")
            LINE("g", "", "1", WRONG, ",\"metadata\":{\"run\":\"2\",\"template\":\"p\"}"),
        NULL);

    (void)state;
    assert_true(score_of(results, "org/m", "p", "1", "g/1") == 1.0);
    assert_true(score_of(results, "org/m", "p", "2", "g/1") == 0.0);
    assay_results_free(results);
    assert_lines_fail(LINE("g", "", "1", RIGHT, "") LINE("g", "", "1", WRONG, ""), NULL,
                      ASSAY_E_CONFLICT, "with --repeats such rows count as further runs");
    options.repeats = 1;
    results = read_lines(LINE("g", "", "1", RIGHT, "") LINE("g", "", "1", WRONG, ""), &options);
    assert_int_equal(assay_results_n_runs(results), 2);
    assay_results_free(results);
}

static void errors_and_unknowns_are_no_zeros(void **state)
{
    assay_results *results;
    assay_coverage coverage;

    (void)state;
    write_text("u.json", "{\"evaluation_results\":[{\"evaluation_name\":\"g\",\"metric_config\":"
                         "{\"lower_is_better\":true,\"has_unknown_level\":true}}]}");
    results = read_lines(LINE("g", "", "1", WRONG,
                              ",\"error\":\"timeout\"") LINE("g", "", "2", RIGHT, ",\"error\":null")
                             LINE("g", "", "3", "\"score\":-1,\"is_correct\":false", "")
                                 LINE("g", "", "4", "\"score\":NaN,\"is_correct\":false", "")
                                     LINE("g", "", "5", "\"is_correct\":true", "")
                                         LINE("g", "", "6", "\"score\":0,\"is_correct\":true", ""),
                         NULL);
    coverage = assay_results_coverage(results);
    assert_int_equal(coverage.errored, 1);
    assert_int_equal(coverage.unscored, 2);
    assert_true(score_of(results, "org/m", "", "", "g/5") == 1.0);
    assert_true(score_of(results, "org/m", "", "", "g/6") == 0.0);
    assert_true(has_note(results, "of \"g\", lower is better"));
    assert_true(has_note(results, "lines without a score, is_correct serves: 1"));
    assert_true(has_note(results, "is_correct says otherwise: 1"));
    assay_results_free(results);
}

static void a_metric_may_be_called_as_the_aggregate_does(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    write_text("u.json", "{\"evaluation_results\":[{\"evaluation_result_id\":\"g.acc\","
                         "\"metric_config\":{\"metric_name\":\"Accuracy\"}},{"
                         "\"evaluation_result_id\":\"g.f1\",\"metric_config\":{\"metric_id\":"
                         "\"f1_macro\"}}]}");
    options.metric = "f1_macro";
    results = read_lines(TWO_METRICS, &options);
    assert_true(score_of(results, "org/m", "", "", "g/1") == 0.0);
    assay_results_free(results);
    options.metric = "Accuracy";
    results = read_lines(TWO_METRICS, &options);
    assert_true(score_of(results, "org/m", "", "", "g/1") == 1.0);
    assay_results_free(results);
}

static void a_broken_aggregate_is_passed_by(void **state)
{
    assay_results *results;

    (void)state;
    write_text("u.json", "{\"evaluation_results\":[");
    results = read_lines(LINE("g", "", "1", RIGHT, ""), NULL);
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_true(has_note(results, "passed by: u.json:1:"));
    assay_results_free(results);
}

static void names_are_whole_and_utf8(void **state)
{
    (void)state;
    assert_lines_fail(LINE("g\\u0000h", "", "1", RIGHT, ""), NULL, ASSAY_E_FORMAT,
                      LINES ":1: the task has a NUL character after \"g\"");
    assert_lines_fail(LINE("g", "", "1", RIGHT, ",\"metadata\":{\"run\":\"1\\u0000\"}"), NULL,
                      ASSAY_E_FORMAT, LINES ":1: the run has a NUL character after \"1\"");
}

static void aggregates_and_schemas_are_refused(void **state)
{
    (void)state;
    assert_fails("{\"schema_version\":\"0.3.0\",\"evaluation_id\":\"e\",\"retrieved_timestamp\":"
                 "\"1\",\"source_metadata\":{},\"model_info\":{},\"evaluation_results\":[]}",
                 NULL, ASSAY_E_FORMAT,
                 "f.csv: an aggregate of Every Eval Ever, which holds scores of whole evaluations "
                 "and no items; give the UUID_samples.jsonl beside it");
    assert_fails("{\"$schema\":\"x\",\"properties\":{\"evaluation_id\":{},\"source_metadata\":{}}}",
                 NULL, ASSAY_E_FORMAT,
                 "f.csv: a schema of Every Eval Ever, which describes results and holds none; give "
                 "a UUID_samples.jsonl");
}

/* ---- written, and read back ---- */

static void add(assay_results *results, const char *model, const char *template_id, const char *run,
                const char *item, double score, assay_score_state state)
{
    const assay_observation cell = { model, item, template_id, run, score, state };

    assert_int_equal(assay_results_add(results, &cell), ASSAY_OK);
}

static void assert_same_text(const char *a, const char *b)
{
    if (a && b)
        assert_string_equal(a, b);
    else
        assert_ptr_equal(a, b);
}

static void assert_same_cells(const assay_results *a, const assay_results *b)
{
    for (size_t r = 0; r < assay_results_n_records(a); r++)
        for (size_t i = 0; i < assay_results_n_items(a); i++) {
            double x, y;

            assert_int_equal(assay_results_cell(a, r, i, &x), assay_results_cell(b, r, i, &y));
            assert_true(x == y || (isnan(x) && isnan(y)));
        }
}

static void assert_same_table(const assay_results *a, const assay_results *b)
{
    assert_int_equal(assay_results_n_models(a), assay_results_n_models(b));
    assert_int_equal(assay_results_n_items(a), assay_results_n_items(b));
    assert_int_equal(assay_results_n_records(a), assay_results_n_records(b));
    for (size_t i = 0; i < assay_results_n_items(a); i++) {
        assert_string_equal(assay_results_item(a, i), assay_results_item(b, i));
        assert_same_text(assay_results_item_text(a, i), assay_results_item_text(b, i));
        assert_same_text(assay_results_item_cluster(a, i), assay_results_item_cluster(b, i));
    }
    for (size_t r = 0; r < assay_results_n_records(a); r++) {
        assay_record x = assay_results_record(a, r), y = assay_results_record(b, r);

        assert_string_equal(assay_results_model(a, x.model), assay_results_model(b, y.model));
        assert_string_equal(assay_results_run(a, x.run), assay_results_run(b, y.run));
        assert_string_equal(assay_results_template(a, x.template_index),
                            assay_results_template(b, y.template_index));
    }
    assert_same_cells(a, b);
}

static assay_results *write_and_read(const assay_results *results)
{
    const assay_progress none = { NULL, NULL };
    FILE *to = fopen(LINES, "wb");

    assert_non_null(to);
    assert_int_equal(assay_write_every_eval_ever(results, none, to), ASSAY_OK);
    assert_int_equal(fclose(to), 0);
    snprintf(written[n_written++], PATH_SIZE, "%s", LINES);
    return read_ok(LINES, NULL);
}

/* Items of every kind: in their cluster, in another one, in none, without a name behind the
 * cluster. */
static void what_is_written_reads_back_the_same(void **state)
{
    static const char *const items[] = { "g/1", "g/\"2\"\n", "plain", "g/", "other/3", "h/x/y" };
    static const char *const clusters[] = { "g", "g", NULL, "g", "c", "h/x" };
    assay_results *results = NULL, *back;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    for (size_t i = 0; i < 6; i++) {
        add(results, "org/m", "p", "1", items[i], (double)i / 3.0, ASSAY_SCORED);
        add(results, "org/m", "p", "2", items[i], 0.0, (assay_score_state)(i % 4));
        add(results, "n:\x1b[31m", NULL, NULL, items[i], -1e300, ASSAY_SCORED);
        if (clusters[i])
            assay_results_set_item_cluster(results, i, clusters[i], strlen(clusters[i]));
        if (i % 2 == 0) assay_results_set_item_text(results, i, items[i], strlen(items[i]));
    }
    back = write_and_read(results);
    assert_same_table(results, back);
    assert_int_equal(assay_results_coverage(back).errored, assay_results_coverage(results).errored);
    assay_results_free(results);
    assay_results_free(back);
}

static void an_id_depends_on_model_and_inputs(void **state)
{
    assay_results *results = read_text("item,score\na,1\n", NULL);
    char *a = assay_every_eval_ever_id(results, "m"), *b = assay_every_eval_ever_id(results, "m");
    char *c = assay_every_eval_ever_id(results, "n");

    (void)state;
    assert_string_equal(a, b);
    assert_memory_equal(a, "assay/m/", 8);
    assert_int_equal(strlen(a), 8 + 16);
    assert_string_not_equal(a, c);
    free(a);
    free(b);
    free(c);
    assay_results_free(results);
}

/* ---- memory and real files ---- */

static assay_status read_some(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = assay_read(results, context, NULL);
    assay_results_free(results);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[] = LINES;

    (void)state;
    write_text("u.json", "{\"evaluation_results\":[{\"evaluation_result_id\":\"g.acc\"}]}");
    write_text(path, TWO_METRICS);
    assert_true(fail_every_allocation(read_some, path) > 30);
}

static void samples_are_read_as_they_are(void **state)
{
    static const char *const others[] = { "98ea850e-7019-4728-a558-8b1819ec47c2.json",
                                          "f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json",
                                          "eval.schema.json", "instance_level_eval.schema.json" };
    assay_results *results = NULL;
    char path[512], name[100];

    (void)state;
    if (!find_sample("every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl", path))
        skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_true(score_of(results, "demo-org/demo-model", "", "",
                         "demo-source.demo_bench/demo_0001") == 1.0);
    assert_string_equal(assay_results_item_text(results, 0), "What is 2 + 2?");
    assay_results_free(results);
    for (size_t k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "every_eval_ever/%s", others[k]);
        assert_true(find_sample(name, path));
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
        assert_non_null(strstr(assay_last_error(), "of Every Eval Ever, which"));
        assay_results_free(results);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_instance_is_a_cell),
        TEST(metrics_are_no_items),
        TEST(metrics_in_the_names_are_no_items_either),
        TEST(metrics_in_no_order_must_be_chosen),
        TEST(repeats_are_runs_where_they_say_so),
        TEST(errors_and_unknowns_are_no_zeros),
        TEST(a_metric_may_be_called_as_the_aggregate_does),
        TEST(a_broken_aggregate_is_passed_by),
        TEST(names_are_whole_and_utf8),
        TEST(aggregates_and_schemas_are_refused),
        TEST(what_is_written_reads_back_the_same),
        TEST(an_id_depends_on_model_and_inputs),
        TEST(every_allocation_may_fail),
        TEST(samples_are_read_as_they_are),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
