/* SPDX-License-Identifier: Apache-2.0 */
/* One table in every form that it can have, and real ones. */
#include "core/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

enum { N_MODELS = 6, N_ITEMS = 70, TABLE_SIZE = 1 << 16 };

/* ---- the same table in every form ---- */

typedef struct forms {
    char wide[TABLE_SIZE], items[TABLE_SIZE], lines[TABLE_SIZE], json[TABLE_SIZE];
} forms;

static size_t put(char *out, size_t used, const char *a, const char *b, const char *c,
                  const char *d, const char *e)
{
    return used + (size_t)snprintf(out + used, TABLE_SIZE - used, "%s%s%s%s%s", a, b, c, d, e);
}

static void write_forms(forms *f, const char *cells[N_MODELS][N_ITEMS])
{
    size_t w = put(f->wide, 0, "model", "", "", "", ""),
           t = put(f->items, 0, "item", "", "", "", ""),
           l = put(f->lines, 0, "score;item;model\n", "", "", "", ""), j = 0;
    char models[N_MODELS][8], items[N_ITEMS][8];

    for (int m = 0; m < N_MODELS; m++) snprintf(models[m], 8, "m%d", m);
    for (int i = 0; i < N_ITEMS; i++) snprintf(items[i], 8, "q%d", i);
    for (int i = 0; i < N_ITEMS; i++) w = put(f->wide, w, ",", items[i], "", "", "");
    for (int m = 0; m < N_MODELS; m++) t = put(f->items, t, "\t", models[m], "", "", "");
    for (int m = 0; m < N_MODELS; m++) {
        w = put(f->wide, w, "\n", models[m], "", "", "");
        for (int i = 0; i < N_ITEMS; i++) {
            w = put(f->wide, w, ",", cells[m][i], "", "", "");
            l = put(f->lines, l, cells[m][i], ";", items[i], ";", models[m]);
            l = put(f->lines, l, "\r\n", "", "", "", "");
            j = put(f->json, j, "{\"item\":\"", items[i], "\",\"model\":\"", models[m], "\",");
            j = put(f->json, j, "\"score\":\"", cells[m][i], "\"}\n", "", "");
        }
    }
    for (int i = 0; i < N_ITEMS; i++) {
        t = put(f->items, t, "\n", items[i], "", "", "");
        for (int m = 0; m < N_MODELS; m++) t = put(f->items, t, "\t", cells[m][i], "", "", "");
    }
    assert_true(w < TABLE_SIZE && t < TABLE_SIZE && l < TABLE_SIZE && j < TABLE_SIZE);
}

static void assert_holds(const assay_results *results, const char *cells[N_MODELS][N_ITEMS])
{
    for (int m = 0; m < N_MODELS; m++)
        for (int i = 0; i < N_ITEMS; i++) {
            char model[8], item[8], *end;
            double score, expected;

            snprintf(model, 8, "m%d", m);
            snprintf(item, 8, "q%d", i);
            score = score_of(results, model, "", "", item);
            expected = strtod(cells[m][i], &end);
            if (*cells[m][i] == '\0')
                assert_true(isnan(score));
            else
                assert_true(score == expected);
        }
}

/* Cells come in long stretches of bits and in mixtures, so that both ways to read a wide row meet;
   items come in the table's order and, read after another table, in another one. */
static void test_every_form_gives_the_same_table(void **state)
{
    static const char *const words[] = { "0", "1", "", "0.25", "1e-3", "-2", "1.0" };
    forms *f = calloc(1, sizeof *f);
    assay_random random;

    (void)state;
    assert_non_null(f);
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t trial = 0; trial < 30; trial++) {
        const char *cells[N_MODELS][N_ITEMS];
        size_t other_every = 1 + assay_random_below(&random, 100);
        const char *texts[4] = { f->wide, f->items, f->lines, f->json };

        for (int m = 0; m < N_MODELS; m++)
            for (int i = 0; i < N_ITEMS; i++)
                cells[m][i] = words[assay_random_below(
                    &random, assay_random_below(&random, other_every) ? 2 : 7)];
        write_forms(f, cells);
        for (size_t k = 0; k < 4; k++) {
            assay_results *results = NULL;

            assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
            if (trial % 2) { /* items q69 and q3 first */
                const char *first = write_text("first.csv", "model,q69,q3,z\nother,1,0,1\n");
                assert_int_equal(assay_read(results, first, NULL), ASSAY_OK);
            }
            assert_int_equal(assay_read(results, write_text("t.csv", texts[k]), NULL), ASSAY_OK);
            assert_holds(results, cells);
            assert_int_equal(assay_results_coverage(results).rows,
                             N_MODELS * N_ITEMS + (trial % 2 ? 3 : 0));
            assay_results_free(results);
            empty_folder(NULL);
        }
    }
    free(f);
}

/* ---- real files ---- */

static assay_results *read_shared(const char *name, const assay_read_options *options)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", ASSAY_SHARED_FOLDER, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not here\n", path);
        skip();
    }
    return read_ok(path, options);
}

/* The 12 models of the long file are among the 134 of the wide one. */
static void test_real_tables_agree_in_every_form(void **state)
{
    assay_results *lines = read_shared("samples/matrix/swebench_verified_top12_long.csv", NULL),
                  *items = read_shared(
                      "samples/matrix/swebench_verified_top12_wide_items_as_rows.tsv", NULL),
                  *wide = read_shared("samples/matrix/swebench_verified_wide.csv", NULL);

    (void)state;
    assert_int_equal(assay_results_n_models(wide), 134);
    assert_int_equal(assay_results_n_models(lines), 12);
    assert_int_equal(assay_results_n_models(items), 12);
    assert_int_equal(assay_results_n_items(lines), 500);
    assert_string_equal(assay_results_item_cluster(lines, 0), "astropy");
    for (size_t m = 0; m < 12; m++) {
        const char *model = assay_results_model(lines, m);

        for (size_t i = 0; i < 500; i += 7) {
            const char *item = assay_results_item(lines, i);
            double score = score_of(lines, model, "", "", item);

            assert_true(score == 0.0 || score == 1.0);
            assert_true(score_of(wide, model, "", "", item) == score);
            assert_true(score_of(items, model, "", "", item) == score);
        }
    }
    assay_results_free(lines);
    assay_results_free(items);
    assay_results_free(wide);
}

/* Sizes and missing cells as the files' own description states them. */
static void test_real_matrices_have_their_stated_sizes(void **state)
{
    static const struct {
        const char *name;
        size_t n_models, n_items, missing;
    } cases[] = {
        { "swebench_verified.csv", 134, 500, 0 },
        { "bfcl_20240811.csv.gz", 71, 1700, 0 },
        { "bfcl_20240811_categories.csv", 71, 12, 0 },
        { "bfcl_v4_categories.csv", 109, 22, 0 },
        { "livecodebench_gen400.csv", 77, 400, 0 },
        { "livecodebench_gen880.csv", 29, 880, 0 },
        { "alpacaeval2.csv", 58, 805, 10 },
        { "alpacaeval1.csv", 53, 805, 61 },
    };
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char name[128];

        snprintf(name, sizeof name, "data/matrices/%s", cases[k].name);
        results = read_shared(name, NULL);
        assert_int_equal(assay_results_n_models(results), cases[k].n_models);
        assert_int_equal(assay_results_n_items(results), cases[k].n_items);
        assert_int_equal(assay_results_coverage(results).missing, cases[k].missing);
        assert_int_equal(assay_results_coverage(results).rows,
                         cases[k].n_models * cases[k].n_items);
        assay_results_free(results);
    }
    options.drop = "average,params_b";
    results = read_shared("data/matrices/open_llm_leaderboard_v2.csv", &options);
    assert_int_equal(assay_results_n_models(results), 4576);
    assert_int_equal(assay_results_n_items(results), 6);
    assert_string_equal(assay_results_covariate_value(results, 1, 0), "78.0");
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_every_form_gives_the_same_table, empty_folder),
        cmocka_unit_test_teardown(test_real_tables_agree_in_every_form, empty_folder),
        cmocka_unit_test_teardown(test_real_matrices_have_their_stated_sizes, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
