/* SPDX-License-Identifier: Apache-2.0 */
/* What is written reads back, cell by cell; or is refused. */
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

/* A name of hostile characters, also at its ends; what is not UTF-8 has no place in a table that
   was read. */
static void random_name(assay_random *random, char out[64], size_t number)
{
    static const char *const pieces[] = {
        ",", ";",  "\t",   "\n",     "\r",   "\"",       "\"\"",         " ",
        "'", "\\", "\x01", "\x1b[m", "\x7f", "\xc2\x9b", "\xe2\x80\xa8", "\xf0\x9f\x98\x80",
        "a", "{",  "#",    "\r\n"
    };
    size_t n = (size_t)assay_random_below(random, 8);

    out[0] = '\0';
    for (size_t i = 0; i < n; i++) strcat(out, pieces[assay_random_below(random, 20)]);
    sprintf(out + strlen(out), "%zu", number);
    if (n > 4) strcat(out, pieces[assay_random_below(random, 20)]);
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

/* Whether a wide table has a header of its own meaning, asked of the reader itself. */
static int reads_back(const char *const *items, size_t n, int has_template)
{
    assay_results *results = new_results();
    const char *path = write_text("wide.csv", "");
    FILE *to = fopen(path, "w");
    int same;

    fprintf(to, has_template ? "model,template" : "model");
    for (size_t i = 0; i < n; i++) fprintf(to, ",%s", items[i]);
    fprintf(to, has_template ? "\nm,t" : "\nm");
    for (size_t i = 0; i < n; i++) fprintf(to, ",1");
    fprintf(to, "\n");
    fclose(to);
    same = assay_read(results, path, NULL) == ASSAY_OK && assay_results_n_items(results) == n &&
           assay_results_n_templates(results) == 1 && *assay_results_run(results, 0) == '\0' &&
           strcmp(assay_results_template(results, 0), has_template ? "t" : "") == 0;
    assay_results_free(results);
    empty_folder(NULL);
    return same;
}

static void the_wide_layout_is_refused_exactly_where_it_would_not_read_back(void **state)
{
    static const char *const names[] = { "q",    "r",   "model", "Model",   "template", "variant",
                                         "run",  "id",  "score", "acc",     "item_id",  "seed",
                                         "text", "llm", "group", "model_id" };
    size_t n_refused = 0;
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int trial = 0; trial < 600; trial++) {
        const char *items[4];
        size_t n = 0, most = 1 + (size_t)assay_random_below(&random, 4);
        int has_template = trial % 2;
        assay_results *results = new_results();
        char *text = NULL;
        size_t length;
        FILE *to = open_memstream(&text, &length);
        assay_status status;

        while (n < most) {
            const char *name = names[assay_random_below(&random, 16)];
            const assay_observation said = { "m",  name, has_template ? "t" : NULL,
                                             NULL, 1.0,  ASSAY_SCORED };
            size_t before = assay_results_n_items(results);

            assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
            if (assay_results_n_items(results) > before) items[n++] = name;
        }
        status = assay_write(results, ASSAY_LAYOUT_WIDE, ',', (assay_progress){ 0 }, to);
        fclose(to);
        free(text);
        assert_int_equal(status, reads_back(items, n, has_template) ? ASSAY_OK : ASSAY_E_VALUE);
        n_refused += status != ASSAY_OK;
        assay_results_free(results);
    }
    assert_in_range(n_refused, 100, 500); /* both kinds came up */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(random_tables_read_back_cell_by_cell, empty_folder),
        cmocka_unit_test_teardown(the_wide_layout_is_refused_exactly_where_it_would_not_read_back,
                                  empty_folder),
    };

    return cmocka_run_group_tests_name("write back", tests, enter_folder, leave_folder);
}
