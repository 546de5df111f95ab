/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of promptfoo in their three forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"
#include "samples.h"

/* A result as version 3 writes it. */
static int add_result(char *to, size_t size, int test, int column, const char *provider,
                      const char *label, const char *question, const char *assertion, double score,
                      int reason, const char *output)
{
    return snprintf(
        to, size,
        "{\"testIdx\":%d,\"promptIdx\":%d,\"prompt\":{\"raw\":\"Ask: %s\",\"label\":\"%s\"},"
        "\"provider\":{\"id\":\"p:%s\",\"label\":\"%s\"},\"vars\":{\"q\":\"%s\",\"_conversation\":"
        "[%d]},\"testCase\":{\"assert\":[{\"type\":\"contains\",\"value\":\"%s\"}]},"
        "\"success\":%s,\"score\":%g,\"namedScores\":{\"tone\":%g},\"failureReason\":%d,"
        "\"error\":\"why\",\"gradingResult\":null,\"response\":{\"output\":\"%s\"}}",
        test, column, question, label, provider, provider, question, test, assertion,
        reason == 0 ? "true" : "false", score, score / 2, reason, output);
}

/* Two tests, each once more, of two providers under one prompt; in the order of completion, and the
   second provider fails on the second test. */
static void make_rows(char *to, size_t size, const char *between, int same)
{
    static const struct {
        int test, column;
        double score;
        int reason;
    } rows[] = { { 3, 1, 0, 2 }, { 0, 0, 1, 0 }, { 2, 0, 0.5, 1 }, { 1, 0, 0, 1 },
                 { 3, 0, 1, 0 }, { 0, 1, 1, 0 }, { 1, 1, 1, 0 },   { 2, 1, 0, 2 } };
    size_t n = 0;

    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char output[16];

        snprintf(output, sizeof output, "%s%d", "o", same ? 0 : rows[k].test);
        if (k > 0) n += (size_t)snprintf(to + n, size - n, "%s", between);
        n += (size_t)add_result(to + n, size - n, rows[k].test, rows[k].column,
                                rows[k].column ? "B" : "A", "Ask: {{q}}",
                                rows[k].test < 2 ? "one" : "two", "x", rows[k].score,
                                rows[k].reason, output);
    }
    assert_true(n < size);
}

/* Every cell, by names, as text. */
static void list_cells(const assay_results *results, char *to, size_t size)
{
    static const char *const states[] = { "", "missing", "errored", "unscored", "" };
    size_t n = 0;

    to[0] = '\0';
    for (size_t i = 0; i < assay_results_n_items(results); i++)
        for (size_t m = 0; m < assay_results_n_models(results); m++)
            for (size_t u = 0; u < assay_results_n_runs(results); u++)
                for (size_t t = 0; t < assay_results_n_templates(results); t++)
                    for (size_t r = 0; r < assay_results_n_records(results); r++) {
                        assay_record record = assay_results_record(results, r);
                        double score;
                        assay_score_state state;

                        if (record.model != m || record.run != u || record.template_index != t)
                            continue;
                        state = assay_results_cell(results, r, i, &score);
                        if (state == ASSAY_ABSENT) continue;
                        n += (size_t)snprintf(to + n, size - n, "%s %s %.8s %s %s%g\n",
                                              assay_results_item(results, i),
                                              assay_results_model(results, m),
                                              assay_results_template(results, t),
                                              assay_results_run(results, u), states[state], score);
                    }
    assert_true(n < size);
}

static int compare_lines(const void *a, const void *b)
{
    char *const *p = a, *const *q = b;
    return strcmp(*p, *q);
}

/* The same in one order. */
static void sort_cells(char *text)
{
    char copy[8192], *lines[64];
    size_t n = 0;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) lines[n++] = line;
    qsort(lines, n, sizeof *lines, compare_lines);
    text[0] = '\0';
    for (size_t k = 0; k < n; k++) strcat(strcat(text, lines[k]), "\n");
}

static void cells_of(const char *path, char cells[8192])
{
    assay_results *results = read_ok(path, NULL);

    list_cells(results, cells, 8192);
    sort_cells(cells);
    assay_results_free(results);
}

static const char table_of_rows[] =
    "Description,q,[A] Ask: {{q}},Status,Score,Named Scores,Grader Reason,Comment,"
    "[B] Ask: {{q}},Reasoning,Status,Score,Named Scores,Metric: tone,Grader Reason,Comment\r\n"
    "first,one,o0,PASS,1.00,\"{\"\"tone\"\":0.5}\",,,o0,,PASS,1.00,,0.50,,\r\n"
    "first,one,o1,FAIL,0.00,\"{\"\"tone\"\":0}\",why,,o1,,PASS,1.00,,0.50,,\r\n"
    ",two,o2,FAIL,0.50,,,,,,ERROR,0.00,,,,\r\n"
    ",two,o3,PASS,1.00,,,,,,ERROR,0.00,,,,\r\n";

static void t57_repeats_are_runs_in_the_order_of_tests(void **state)
{
    char rows[8192], document[8400];
    assay_results *results;
    assay_coverage seen;
    const char *item;

    (void)state;
    make_rows(rows, sizeof rows, ",", 0);
    snprintf(document, sizeof document,
             "{\"evalId\":\"e\",\"results\":{\"version\":3,\"prompts\":"
             "[{\"id\":1}],\"results\":[%s],\"stats\":{}},\"config\":{\"results\":[1]}}",
             rows);
    results = read_text(document, NULL);
    seen = assay_results_coverage(results);
    assert_int_equal(seen.rows, 8);
    assert_int_equal(seen.used, 6);
    assert_int_equal(seen.errored, 2); /* T58: never 0 */
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(assay_results_n_models(results), 2);
    assert_int_equal(assay_results_n_templates(results), 1);
    assert_int_equal(assay_results_n_runs(results), 2);
    item = assay_results_item(results, 1); /* results are put by variables, in the file's order */
    if (score_of(results, "A", assay_results_template(results, 0), "1", item) != 1.0)
        item = assay_results_item(results, 0);
    assert_true(score_of(results, "A", assay_results_template(results, 0), "1", item) == 1.0);
    assert_true(score_of(results, "A", assay_results_template(results, 0), "2", item) == 0.0);
    assert_true(has_note(results, "--metric chooses another score: success, tone"));
    assert_false(has_note(results, "cache"));
    assay_results_free(results);
}

static void three_forms_of_a_run_are_one(void **state)
{
    char rows[8192], document[8400], json[8192], lines[8192], table[8192];

    (void)state;
    make_rows(rows, sizeof rows, ",", 0);
    snprintf(document, sizeof document,
             "{\"evalId\":\"e\",\"results\":{\"version\":3,\"prompts\":[],\"results\":[%s]}}",
             rows);
    cells_of(write_text("a.json", document), json);
    make_rows(rows, sizeof rows, "\n", 0);
    cells_of(write_text("a.jsonl", rows), lines);
    cells_of(write_text("a.csv", table_of_rows), table);
    assert_string_equal(json, lines);
    assert_string_equal(json, table);
}

static void old_documents_have_their_results_in_an_array(void **state)
{
    static const char *const documents[] = {
        "{\"version\":1,\"results\":[%s],\"table\":{\"head\":{}},\"stats\":{}}",
        "{\"version\":2,\"results\":{\"version\":2,\"results\":[%s],\"stats\":{}}}",
    };
    static const char rows[] =
        "{\"provider\":\"openai:m\",\"prompt\":{\"raw\":\"Q one\",\"label\":\"Q {{q}}\"},"
        "\"vars\":{\"q\":\"one\"},\"success\":true,\"score\":1,\"error\":null},"
        "{\"provider\":\"openai:m\",\"prompt\":{\"raw\":\"Q one\",\"label\":\"Q {{q}}\"},"
        "\"vars\":{\"q\":\"one\"},\"success\":false,\"score\":0,\"error\":\"bad\","
        "\"gradingResult\":{\"pass\":false}},"
        "{\"provider\":\"openai:m\",\"prompt\":{\"raw\":\"Q one\",\"label\":\"Q {{q}}\"},"
        "\"vars\":{\"q\":\"one\"},\"success\":false,\"score\":0,\"error\":\"no answer\"}";

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        char document[2048];
        assay_results *results;

        snprintf(document, sizeof document, documents[k], rows);
        results = read_text(document, NULL);
        assert_int_equal(assay_results_coverage(results).used, 2);
        assert_int_equal(assay_results_coverage(results).errored, 1);
        assert_int_equal(assay_results_n_items(results), 1);
        assert_int_equal(assay_results_n_runs(results), 3);
        assert_string_equal(assay_results_model(results, 0), "openai:m");
        assert_string_equal(assay_results_item_text(results, 0), "Q one");
        assay_results_free(results);
    }
}

static void a_metric_names_a_named_score(void **state)
{
    char rows[8192];
    assay_read_options options = defaults();
    assay_results *results;
    static const double sums[] = { 2.25, 4.0 }; /* half of 4.5; halves are exact */
    static const char *const metrics[] = { "tone", "success" };

    (void)state;
    make_rows(rows, sizeof rows, "\n", 0);
    for (size_t k = 0; k < 2; k++) {
        double sum = 0.0;

        options.metric = metrics[k];
        results = read_text(rows, &options);
        for (size_t r = 0; r < assay_results_n_records(results); r++)
            for (size_t i = 0; i < assay_results_n_items(results); i++) {
                double score;

                if (assay_results_cell(results, r, i, &score) == ASSAY_SCORED) sum += score;
            }
        assert_true(sum == sums[k]);
        assert_int_equal(assay_results_coverage(results).errored, 2);
        assay_results_free(results);
    }
    options.metric = "style";
    assert_fails(rows, &options, ASSAY_E_VALUE,
                 "f.csv: no score \"style\" (--metric); there are: score, success, tone");
}

static void identical_repeats_are_noted(void **state)
{
    char rows[8192];
    assay_results *results;

    (void)state;
    make_rows(rows, sizeof rows, "\n", 1);
    results = read_text(rows, NULL);
    assert_true(has_note(results, "all repetitions of a cell gave the same answer byte for byte (4 "
                                  "cells)"));
    assay_results_free(results);
}

static void assertions_tell_tests_of_equal_variables_apart(void **state)
{
    char rows[4096];
    size_t n = 0;
    assay_results *results;

    (void)state;
    n += (size_t)add_result(rows, sizeof rows, 0, 0, "A", "P", "one", "x", 1, 0, "o");
    rows[n++] = '\n';
    add_result(rows + n, sizeof rows - n, 1, 0, "A", "P", "one", "y", 0, 1, "o");
    results = read_text(rows, NULL);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(assay_results_n_runs(results), 1);
    assert_int_equal(strlen(assay_results_item(results, 0)), 33);
    assay_results_free(results);
}

static void providers_of_one_name_are_two_models(void **state)
{
    char rows[4096];
    size_t n = 0;
    assay_results *results;

    (void)state;
    n += (size_t)add_result(rows, sizeof rows, 0, 1, "A", "P", "one", "x", 0, 1, "o");
    rows[n++] = '\n';
    add_result(rows + n, sizeof rows - n, 0, 0, "A", "P", "one", "x", 1, 0, "o");
    results = read_text(rows, NULL);
    assert_int_equal(assay_results_n_models(results), 2);
    assert_true(score_of(results, "A", assay_results_template(results, 0), "1",
                         assay_results_item(results, 0)) == 1.0);
    assert_true(score_of(results, "A #2", assay_results_template(results, 0), "1",
                         assay_results_item(results, 0)) == 0.0);
    assay_results_free(results);
}

/* Variables by name, whatever their order, kinds and spaces. */
static void variables_are_hashed_by_name(void **state)
{
    static const char *const vars[] = {
        "{\"a\":\"1\",\"b\":{\"x\":[1,true]}}",
        "{ \"b\" : {\"x\" : [1, true]}, \"a\":1, \"c\":null}",
        "{\"sessionId\":\"s\",\"a\":\"1\",\"b\":\"{\\\"x\\\":[1,true]}\",\"c\":\"\"}",
        "{\"a\":\"1\",\"b\":{\"x\":[1,false]}}",
    };
    char first[64] = "";

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        char row[512];
        assay_results *results;

        snprintf(row, sizeof row,
                 "{\"testIdx\":0,\"promptIdx\":0,\"provider\":\"p\",\"vars\":%s,\"score\":1,"
                 "\"failureReason\":0}",
                 vars[k]);
        results = read_text(row, NULL);
        if (k == 0) snprintf(first, sizeof first, "%s", assay_results_item(results, 0));
        if (k < 3)
            assert_string_equal(assay_results_item(results, 0), first);
        else
            assert_string_not_equal(assay_results_item(results, 0), first);
        assay_results_free(results);
    }
}

static void tables_that_cannot_be_read_are_refused_by_name(void **state)
{
    (void)state;
    assert_fails(
        "q,[A] P,Grader Reason,Comment\none,[PASS] x,,\n", NULL, ASSAY_E_FORMAT,
        "f.csv: a table of an older promptfoo, which holds verdict and answer in one cell; "
        "give the run's JSON (promptfoo export eval, or -o FILE.json)");
    assert_fails("[A] P,Status,Score,Named Scores,Grader Reason,Comment\nx,PASS,1.00,,,\n", NULL,
                 ASSAY_E_FORMAT,
                 "f.csv:1: a promptfoo table without variables, by which alone it tells its tests "
                 "apart; give the run's JSON (promptfoo export eval, or -o FILE.json)");
    assert_fails(
        "q,[A] P,Status,Score,Named Scores,Grader Reason,Comment\none,x,PASS,high,,,\n", NULL,
        ASSAY_E_FORMAT,
        "f.csv:2: column \"Score\" has \"high\", expected a score (a number, a percentage, "
        "true/false, pass/fail, correct/incorrect, yes/no, or empty for missing)");
}

/* Groups may lack the named scores; a provider that did not run a test has blanks. */
static void a_table_may_have_less_columns_and_cells(void **state)
{
    assay_results *results =
        read_text("q,[A] P,Status,Score,Grader Reason,Comment,[B] P,Status,Score\n"
                  "one,x,PASS,1.00,,,,,\ntwo,y,FAIL,0.00,,,z,PASS,0.75\n",
                  NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).rows, 3);
    assert_int_equal(assay_results_coverage(results).used, 3);
    assert_int_equal(assay_results_n_models(results), 2);
    assay_results_free(results);
    assert_fails("q,[A] P,Status,Score,Grader Reason\none,x,PASS,1,\ntwo,x,PASS\n", NULL,
                 ASSAY_E_FORMAT, "f.csv:3: 3 fields, expected 5");
}

static void t57_t58_the_samples_give_the_same_cells(void **state)
{
    static const char *const names[] = { "promptfoo/promptfoo_0.121.20_repeat2.json",
                                         "promptfoo/promptfoo_0.121.20_repeat2.jsonl",
                                         "promptfoo/promptfoo_0.121.20_repeat2.csv" };
    char path[512], first[8192] = "", cells[8192];
    assay_results *results;
    assay_coverage seen;

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        if (!find_sample(names[k], path)) skip();
        results = read_ok(path, NULL);
        seen = assay_results_coverage(results);
        assert_int_equal(seen.rows, 24); /* 3 tests x 2 prompts x 2 providers x 2 */
        assert_int_equal(seen.used, 20);
        assert_int_equal(seen.errored, 4);
        assert_int_equal(assay_results_n_items(results), 3);
        assert_int_equal(assay_results_n_models(results), 2);
        assert_int_equal(assay_results_n_templates(results), 2);
        assert_int_equal(assay_results_n_runs(results), 2);
        assay_results_free(results);
        cells_of(path, k == 0 ? first : cells);
        if (k > 0) assert_string_equal(cells, first);
    }
    if (!find_sample("promptfoo", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).used, 20);
    assert_int_equal(assay_results_coverage(results).errored, 4);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_true(has_note(results, "the table of a promptfoo run that"));
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t57_repeats_are_runs_in_the_order_of_tests, empty_folder),
        cmocka_unit_test_teardown(three_forms_of_a_run_are_one, empty_folder),
        cmocka_unit_test_teardown(old_documents_have_their_results_in_an_array, empty_folder),
        cmocka_unit_test_teardown(a_metric_names_a_named_score, empty_folder),
        cmocka_unit_test_teardown(identical_repeats_are_noted, empty_folder),
        cmocka_unit_test_teardown(assertions_tell_tests_of_equal_variables_apart, empty_folder),
        cmocka_unit_test_teardown(providers_of_one_name_are_two_models, empty_folder),
        cmocka_unit_test_teardown(variables_are_hashed_by_name, empty_folder),
        cmocka_unit_test_teardown(tables_that_cannot_be_read_are_refused_by_name, empty_folder),
        cmocka_unit_test_teardown(a_table_may_have_less_columns_and_cells, empty_folder),
        cmocka_unit_test_teardown(t57_t58_the_samples_give_the_same_cells, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
