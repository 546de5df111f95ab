/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/write.h"
#include "core/random.h"
#include "data/results.h"
#include "reading.h"

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

/* ---- what is written reads back ---- */

/* A name of hostile characters. Readers take spaces and tabs off the ends of names, hence the x and
   y; what is not UTF-8 has no place in a table that was read. */
static void random_name(assay_random *random, char out[64], size_t number)
{
    static const char *const pieces[] = {
        ",", ";",  "\t",   "\n",     "\r",   "\"",       "\"\"",         " ",
        "'", "\\", "\x01", "\x1b[m", "\x7f", "\xc2\x9b", "\xe2\x80\xa8", "\xf0\x9f\x98\x80",
        "a", "{",  "#",    "\r\n"
    };
    size_t n = (size_t)assay_random_below(random, 8);

    strcpy(out, "x");
    for (size_t i = 0; i < n; i++) strcat(out, pieces[assay_random_below(random, 20)]);
    sprintf(out + strlen(out), "%zuy", number);
}

static double any_score(assay_random *random)
{
    uint64_t kind = assay_random_below(random, 4);

    if (kind == 0) return assay_random_normal(random);
    if (kind == 1)
        return ldexp(assay_random_uniform(random), (int)assay_random_below(random, 999) - 500);
    return (double)assay_random_below(random, 2);
}

/* roles: bit 0 templates, bit 1 runs, bit 2 clusters and texts, bit 3 failed runs */
static assay_results *random_results(assay_random *random, unsigned roles)
{
    enum { MOST = 9 };
    char names[4][MOST][64], text[64];
    assay_results *results = new_results();

    for (size_t k = 0; k < 4 * MOST; k++) random_name(random, names[k / MOST][k % MOST], k % MOST);
    for (int k = 0; k < 80; k++) {
        size_t at[4];
        assay_observation said = { .score = any_score(random) };

        for (size_t part = 0; part < 4; part++)
            at[part] = (size_t)assay_random_below(random, part < 2 ? MOST : 3);
        said.model = names[0][at[0]];
        said.item = names[1][at[1]];
        if (roles & 1 && at[2]) said.template_id = names[2][at[2]];
        if (roles & 2 && at[3]) said.run = names[3][at[3]];
        if (k % 6 == 0) said.state = roles & 8 && k % 12 ? ASSAY_ERRORED : ASSAY_MISSING;
        if (assay_results_add(results, &said) != ASSAY_OK) /* the cell has another score already */
            assert_non_null(strstr(assay_last_error(), " before"));
    }
    for (size_t i = 0; roles & 4 && i < assay_results_n_items(results); i += 2) {
        random_name(random, text, i);
        assert_int_equal(assay_results_set_item_cluster(results, i, text, strlen(text)), ASSAY_OK);
        random_name(random, text, i);
        assert_int_equal(assay_results_set_item_text(results, i, text, strlen(text)), ASSAY_OK);
    }
    return results;
}

/* The record of back that is called like record r of results; its number of records if none. */
static size_t same_record(const assay_results *results, size_t r, const assay_results *back)
{
    assay_record a = assay_results_record(results, r);
    size_t n = assay_results_n_records(back), k = 0;

    for (; k < n; k++) {
        assay_record b = assay_results_record(back, k);

        if (strcmp(assay_results_model(results, a.model), assay_results_model(back, b.model)) ==
                0 &&
            strcmp(assay_results_template(results, a.template_index),
                   assay_results_template(back, b.template_index)) == 0 &&
            strcmp(assay_results_run(results, a.run), assay_results_run(back, b.run)) == 0)
            break;
    }
    return k;
}

/* No layout tells a reader why a score is missing, and a wide one not even that it was absent. */
static assay_score_state after_reading(assay_score_state state, assay_layout layout)
{
    if (state == ASSAY_SCORED) return state;
    return state == ASSAY_ABSENT && layout != ASSAY_LAYOUT_WIDE ? ASSAY_ABSENT : ASSAY_MISSING;
}

static void assert_same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_string_equal(a, b);
}

static void assert_reads_back(const assay_results *results, const assay_results *back,
                              assay_layout layout)
{
    size_t n_records = assay_results_n_records(results), n_items = assay_results_n_items(results);

    assert_int_equal(assay_results_n_records(back), n_records);
    assert_int_equal(assay_results_n_items(back), n_items);
    assert_int_equal(assay_results_n_models(back), assay_results_n_models(results));
    for (size_t i = 0; i < n_items; i++) {
        const char *item = assay_results_item(results, i);
        size_t k = find(n_items, assay_results_item, back, item);

        for (size_t r = 0; r < n_records; r++) {
            size_t q = same_record(results, r, back);
            double want, got;
            assay_score_state state = assay_results_cell(results, r, i, &want);

            assert_true(q < n_records);
            assert_int_equal(assay_results_cell(back, q, k, &got), after_reading(state, layout));
            assert_true(got == want || state != ASSAY_SCORED);
        }
        if (layout == ASSAY_LAYOUT_WIDE) continue;
        assert_same_text(assay_results_item_cluster(results, i),
                         assay_results_item_cluster(back, k));
        assert_same_text(assay_results_item_text(results, i), assay_results_item_text(back, k));
    }
}

static void random_tables_read_back_cell_by_cell(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (unsigned trial = 0; trial < 192; trial++) {
        assay_results *results = random_results(&random, trial / 4 % 16), *back;

        for (int layout = 0; layout < 3; layout++) {
            const char *path = write_text("out", "");
            FILE *to = fopen(path, "w");

            assert_non_null(to);
            assert_int_equal(assay_write(results, (assay_layout)layout, trial % 2 ? ',' : '\t',
                                         (assay_progress){ 0 }, to),
                             ASSAY_OK);
            assert_int_equal(fclose(to), 0);
            back = read_ok(path, NULL);
            assert_reads_back(results, back, (assay_layout)layout);
            assay_results_free(back);
            empty_folder(NULL);
        }
        assay_results_free(results);
    }
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
        cmocka_unit_test_teardown(random_tables_read_back_cell_by_cell, empty_folder),
    };

    return cmocka_run_group_tests_name("write", tests, enter_folder, leave_folder);
}
