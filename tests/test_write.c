/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/write.h"
#include "data/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_results *new_results(void)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    return results;
}

static void add(assay_results *results, const char *model, const char *item, double score)
{
    const assay_observation said = { model,
                                     item,
                                     NULL,
                                     NULL,
                                     isnan(score) ? 0.0 : score,
                                     isnan(score) ? ASSAY_MISSING : ASSAY_SCORED };

    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
}

static void assert_written(const assay_results *results, assay_layout layout, char delimiter,
                           const char *want)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    assert_non_null(to);
    assert_int_equal(assay_write(results, layout, delimiter, (assay_progress){ 0 }, to), ASSAY_OK);
    assert_int_equal(ferror(to), 0);
    fclose(to);
    assert_string_equal(text, want);
    free(text);
}

/* ---- by hand ---- */

static void a_plain_table_has_only_the_columns_that_it_needs(void **state)
{
    assay_results *results = new_results();

    (void)state;
    add(results, "m1", "q1", 1.0);
    add(results, "m1", "q2", 0.0);
    add(results, "m2", "q2", 0.1);
    add(results, "m2", "q3", NAN);
    assert_written(results, ASSAY_LAYOUT_WIDE, ',', "model,q1,q2,q3\nm1,1,0,\nm2,,0.1,\n");
    assert_written(results, ASSAY_LAYOUT_WIDE, '\t',
                   "model\tq1\tq2\tq3\nm1\t1\t0\t\nm2\t\t0.1\t\n");
    assert_written(results, ASSAY_LAYOUT_LONG, ',',
                   "model,item,score\nm1,q1,1\nm1,q2,0\nm2,q2,0.1\nm2,q3,\n");
    assert_written(results, ASSAY_LAYOUT_LONG, '\t',
                   "model\titem\tscore\nm1\tq1\t1\nm1\tq2\t0\nm2\tq2\t0.1\nm2\tq3\t\n");
    assert_written(results, ASSAY_LAYOUT_JSONL, ',',
                   "{\"model\":\"m1\",\"item\":\"q1\",\"score\":1}\n"
                   "{\"model\":\"m1\",\"item\":\"q2\",\"score\":0}\n"
                   "{\"model\":\"m2\",\"item\":\"q2\",\"score\":0.1}\n"
                   "{\"model\":\"m2\",\"item\":\"q3\",\"score\":null}\n");
    assay_results_free(results);
}

static void every_column_stands_in_its_order(void **state)
{
    static const assay_observation said[] = {
        { "m", "q1", "t", "1", 1.0, ASSAY_SCORED },    { "m", "q2", "t", "1", 0.0, ASSAY_ERRORED },
        { "m", "q1", "t", "2", 0.0, ASSAY_UNSCORED },  { "m", "q2", NULL, NULL, 0.5, ASSAY_SCORED },
        { "m", "q1", NULL, NULL, 0.0, ASSAY_MISSING },
    };
    assay_results *results = new_results();

    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        assert_int_equal(assay_results_add(results, &said[i]), ASSAY_OK);
    assert_int_equal(assay_results_set_item_cluster(results, 0, "c,d", 3), ASSAY_OK);
    assert_int_equal(assay_results_set_item_text(results, 1, "two\nlines", 9), ASSAY_OK);
    assert_written(results, ASSAY_LAYOUT_WIDE, ',',
                   "model,template,run,q1,q2\nm,t,1,1,\nm,t,2,,\nm,,,,0.5\n");
    assert_written(results, ASSAY_LAYOUT_LONG, ',',
                   "model,template,run,item,score,state,cluster,text\n"
                   "m,t,1,q1,1,ok,\"c,d\",\n"
                   "m,t,1,q2,,error,,\"two\nlines\"\n"
                   "m,t,2,q1,,unscored,\"c,d\",\n"
                   "m,,,q1,,missing,\"c,d\",\n"
                   "m,,,q2,0.5,ok,,\"two\nlines\"\n");
    assert_written(
        results, ASSAY_LAYOUT_JSONL, ',',
        "{\"model\":\"m\",\"template\":\"t\",\"run\":\"1\",\"item\":\"q1\",\"score\":1,"
        "\"state\":\"ok\",\"cluster\":\"c,d\",\"text\":null}\n"
        "{\"model\":\"m\",\"template\":\"t\",\"run\":\"1\",\"item\":\"q2\",\"score\":null,"
        "\"state\":\"error\",\"cluster\":null,\"text\":\"two\\nlines\"}\n"
        "{\"model\":\"m\",\"template\":\"t\",\"run\":\"2\",\"item\":\"q1\",\"score\":null,"
        "\"state\":\"unscored\",\"cluster\":\"c,d\",\"text\":null}\n"
        "{\"model\":\"m\",\"template\":\"\",\"run\":\"\",\"item\":\"q1\",\"score\":null,"
        "\"state\":\"missing\",\"cluster\":\"c,d\",\"text\":null}\n"
        "{\"model\":\"m\",\"template\":\"\",\"run\":\"\",\"item\":\"q2\",\"score\":0.5,"
        "\"state\":\"ok\",\"cluster\":null,\"text\":\"two\\nlines\"}\n");
    assay_results_free(results);
}

static void either_state_brings_the_column(void **state)
{
    static const struct {
        assay_score_state state;
        const char *want;
    } cases[] = { { ASSAY_ERRORED, "model,item,score,state\nm,q,,error\n" },
                  { ASSAY_UNSCORED, "model,item,score,state\nm,q,,unscored\n" },
                  { ASSAY_MISSING, "model,item,score\nm,q,\n" } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const assay_observation said = { "m", "q", NULL, NULL, 1.0, cases[k].state };
        assay_results *results = new_results();

        assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
        assert_written(results, ASSAY_LAYOUT_LONG, ',', cases[k].want);
        assay_results_free(results);
    }
}

static void hostile_names_are_quoted_in_csv_and_escaped_in_json(void **state)
{
    static const struct {
        const char *name, *field, *json;
    } cases[] = {
        { "a b", "a b", "a b" },
        { "a,b", "\"a,b\"", "a,b" },
        { "a;b", "\"a;b\"", "a;b" },
        { "a\tb", "\"a\tb\"", "a\\tb" },
        { "\"", "\"\"\"\"", "\\\"" },
        { "say \"hi\"", "\"say \"\"hi\"\"\"", "say \\\"hi\\\"" },
        { "a\nb", "\"a\nb\"", "a\\nb" },
        { "a\r", "\"a\r\"", "a\\r" },
        { " lead", "\" lead\"", " lead" },
        { "trail ", "\"trail \"", "trail " },
        { "\x01\x1b[m\x7f", "\x01\x1b[m\x7f", "\\u0001\\u001b[m\\u007f" },
        { "\xc2\x9b", "\xc2\x9b", "\\u009b" },
        { "\xff", "\xff", "\xef\xbf\xbd" },
        { "\\n", "\\n", "\\\\n" },
        { "=1+2", "=1+2", "=1+2" },
        { "\xe4\xb8\xad", "\xe4\xb8\xad", "\xe4\xb8\xad" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *field = cases[k].field, *json = cases[k].json;
        assay_results *results = new_results();
        char want[256];

        add(results, cases[k].name, cases[k].name, 1.0);
        snprintf(want, sizeof want, "model,%s\n%s,1\n", field, field);
        assert_written(results, ASSAY_LAYOUT_WIDE, ',', want);
        snprintf(want, sizeof want, "model\titem\tscore\n%s\t%s\t1\n", field, field);
        assert_written(results, ASSAY_LAYOUT_LONG, '\t', want);
        snprintf(want, sizeof want, "{\"model\":\"%s\",\"item\":\"%s\",\"score\":1}\n", json, json);
        assert_written(results, ASSAY_LAYOUT_JSONL, ',', want);
        assay_results_free(results);
    }
}

static void covariates_are_not_written(void **state)
{
    assay_results *results = new_results();
    size_t covariate;

    (void)state;
    add(results, "m", "q", 1.0);
    assert_int_equal(assay_results_name_covariate(results, "params", 6, &covariate), ASSAY_OK);
    assert_int_equal(assay_results_set_covariate(results, covariate, 0, "7B", 2), ASSAY_OK);
    assert_written(results, ASSAY_LAYOUT_WIDE, ',', "model,q\nm,1\n");
    assert_written(results, ASSAY_LAYOUT_LONG, ',', "model,item,score\nm,q,1\n");
    assay_results_free(results);
}

static void an_empty_table_is_a_header(void **state)
{
    assay_results *results = new_results();

    (void)state;
    assert_written(results, ASSAY_LAYOUT_WIDE, ',', "model\n");
    assert_written(results, ASSAY_LAYOUT_LONG, ',', "model,item,score\n");
    assert_written(results, ASSAY_LAYOUT_JSONL, ',', "");
    assay_results_free(results);
}

static void another_layout_or_delimiter_is_refused_and_nothing_is_written(void **state)
{
    assay_results *results = new_results();
    char *text = NULL;
    size_t length = 1;
    FILE *to = open_memstream(&text, &length);

    (void)state;
    add(results, "m", "q", 1.0);
    assert_int_equal(assay_write(results, ASSAY_LAYOUT_LONG, ';', (assay_progress){ 0 }, to),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "write: delimiter is ';', expected a comma or a tab");
    assert_int_equal(assay_write(results, ASSAY_LAYOUT_WIDE, '\n', (assay_progress){ 0 }, to),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "write: delimiter is '\\x0a', expected a comma or a tab");
    assert_int_equal(assay_write(results, (assay_layout)3, ',', (assay_progress){ 0 }, to),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "write: there is no layout 3");
    fclose(to);
    assert_int_equal(length, 0);
    free(text);
    assay_results_free(results);
}

static void a_failed_write_is_seen_by_the_stream(void **state)
{
    FILE *to = fopen("/dev/full", "w");
    assay_results *results;

    (void)state;
    if (!to) skip();
    results = new_results();
    add(results, "m", "q", 1.0);
    for (int layout = 0; layout < 3; layout++) {
        clearerr(to);
        assert_int_equal(assay_write(results, (assay_layout)layout, ',', (assay_progress){ 0 }, to),
                         ASSAY_OK);
        fflush(to);
        assert_true(ferror(to));
    }
    fclose(to);
    assay_results_free(results);
}

/* ---- names that have no place in a wide header ---- */

static void assert_no_place(const assay_results *results, const char *sentence)
{
    char *text = NULL;
    size_t length = 1;
    FILE *to = open_memstream(&text, &length);

    assert_non_null(to);
    assert_int_equal(assay_write(results, ASSAY_LAYOUT_WIDE, ',', (assay_progress){ 0 }, to),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), sentence);
    fclose(to);
    assert_int_equal(length, 0);
    free(text);
}

static void a_wide_header_that_would_read_back_as_another_is_refused(void **state)
{
    static const struct {
        const char *items[3], *sentence;
    } cases[] = {
        { { "q", "model" },
          "write: as a column of a wide table, item \"model\" would have the name of a key; use "
          "the "
          "long layout" },
        { { "Prompt ID", "q" },
          "write: as a column of a wide table, item \"Prompt ID\" would be read as a key of the "
          "row; "
          "use the long layout" },
        { { "seed" },
          "write: as a column of a wide table, item \"seed\" would be read as a key of the row; "
          "use "
          "the long layout" },
        { { "q", "score", "task-id" },
          "write: items \"task-id\" and \"score\" would make a wide table look like a long one; "
          "use "
          "the long layout" },
    };
    static const char *const fine[] = { "q", "seed", "template", "score", "Model" };
    const assay_observation keyed = { "m", "q", "t", NULL, 1.0, ASSAY_SCORED };
    assay_results *results;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        results = new_results();
        for (size_t i = 0; i < 3 && cases[k].items[i]; i++)
            add(results, "m", cases[k].items[i], 1.0);
        assert_no_place(results, cases[k].sentence);
        assay_results_free(results);
    }
    results = new_results();
    for (size_t i = 0; i < 5; i++) add(results, "m", fine[i], 1.0);
    assert_written(results, ASSAY_LAYOUT_WIDE, ',',
                   "model,q,seed,template,score,Model\nm,1,1,1,1,1\n");
    assert_int_equal(assay_results_add(results, &keyed),
                     ASSAY_OK); /* and now there are templates */
    assert_no_place(results, "write: as a column of a wide table, item \"template\" would have the "
                             "name of a key; use the long layout");
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_table_has_only_the_columns_that_it_needs),
        cmocka_unit_test(every_column_stands_in_its_order),
        cmocka_unit_test(either_state_brings_the_column),
        cmocka_unit_test(hostile_names_are_quoted_in_csv_and_escaped_in_json),
        cmocka_unit_test(covariates_are_not_written),
        cmocka_unit_test(an_empty_table_is_a_header),
        cmocka_unit_test(another_layout_or_delimiter_is_refused_and_nothing_is_written),
        cmocka_unit_test(a_failed_write_is_seen_by_the_stream),
        cmocka_unit_test(a_wide_header_that_would_read_back_as_another_is_refused),
    };

    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
