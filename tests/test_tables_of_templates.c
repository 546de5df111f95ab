/* SPDX-License-Identifier: Apache-2.0 */
/* Published tables of templates, and lists of templates that are no results; tables of SWE-bench
   in every layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/matrix.h"
#include "assay/spread.h"

#include "reading.h"

#include "log_reading.h"
#include "samples.h"

enum { TEMPLATES = 187, MODELS = 11 };

/* Ranges, SD and winners as the case counts them; templates where two models share the first place
   have no winner. */
static void t59_the_best_model_changes_with_the_template(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;
    assay_matrix *matrix = NULL;
    char path[512];
    int wins[MODELS] = { 0 }, n_winners = 0;

    (void)state;
    if (!find_sample("multi-template/bbh_causal_judgement_accuracies.csv", path)) skip();
    options.rows = ASSAY_ROWS_ITEMS; /* a row is a wording, and a column a model */
    results = read_ok(path, &options);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_int_equal(assay_matrix_n_models(matrix), MODELS);
    assert_int_equal(assay_matrix_n_items(matrix), TEMPLATES);
    for (size_t m = 0; m < MODELS; m++) {
        const char *model = assay_matrix_model(matrix, m);
        double low = 1.0, high = 0.0, squares = 0.0, mean = assay_matrix_mean_score(matrix, m);

        for (size_t i = 0; i < TEMPLATES; i++) {
            double score = assay_matrix_score(matrix, m, i);

            low = score < low ? score : low;
            high = score > high ? score : high;
            squares += (score - mean) * (score - mean);
        }
        if (strcmp(model, "vicuna-13b_acc") == 0) {
            assert_true(low == 0.52 && high == 0.69);
            assert_true(fabs(sqrt(squares / (TEMPLATES - 1)) - 0.028) < 5e-4);
        }
        if (strcmp(model, "minotaur-15b_acc") == 0) assert_true(low == 0.0 && high == 0.44);
    }
    for (size_t i = 0; i < TEMPLATES; i++) {
        size_t best = 0, ties = 0;

        for (size_t m = 1; m < MODELS; m++) {
            double above = assay_matrix_score(matrix, m, i) - assay_matrix_score(matrix, best, i);

            if (above > 0.0)
                best = m, ties = 0;
            else if (above == 0.0)
                ties++;
        }
        if (ties == 0) wins[best]++;
    }
    for (size_t m = 0; m < MODELS; m++) n_winners += wins[m] > 0;
    assert_int_equal(n_winners, 7);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

/* Templates that are all alike: what their observed means differ by is the noise of few items. The
   variance without it averages 0, and is never below. */
static void t60_the_noise_of_few_items_is_taken_off(void **state)
{
    enum { I = 50, J = 8, STUDIES = 400 };
    double cells[I * J], observed = 0.0, signed_sum = 0.0, worst = 0.0;
    uint64_t random = 1;

    (void)state;
    for (size_t s = 0; s < STUDIES; s++) {
        assay_grid *grid = NULL;
        assay_spread spread;

        for (size_t k = 0; k < (size_t)I * J; k++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            cells[k] = (double)(random >> 63);
        }
        assert_int_equal(assay_grid_from_scores(cells, I, J, &grid), ASSAY_OK);
        assert_int_equal(assay_grid_spread(grid, &spread), ASSAY_OK);
        assert_true(spread.any_items >= 0.0 && spread.these_items >= 0.0);
        observed += spread.observed;
        signed_sum += spread.any_signed;
        worst = spread.any_items > worst ? spread.any_items : worst;
        assay_grid_free(grid);
    }
    assert_true(fabs(observed / STUDIES - 0.25 / J) < 0.002); /* 0.031: all of it noise */
    /* The standard deviation of a study's estimate is some 0.25 / J sqrt(2 / (I - 1)) = 0.0063; the
       mean of 400 is within 4 standard errors of 0. */
    assert_true(fabs(signed_sum / STUDIES) < 4.0 * 0.0063 / 20.0);
    assert_true(worst < 0.03);
}

static void lists_of_templates_are_no_results(void **state)
{
    static const char *const files[] = { "multi-template/bbh_causal_judgement_paraphrases.csv",
                                         "prompts/bbh_navigate_templates.csv",
                                         "prompts/lmentry_all_words_templates.csv" };

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        assay_results *results = NULL;
        char path[512];

        if (!find_sample(files[k], path)) skip();
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
        assert_non_null(strstr(assay_last_error(), "the first column is called \"prompt idx\", "
                                                   "which does not say what the rows are"));
        assay_results_free(results);
    }
}

/* One table in three layouts: the counts of the case T01. */
static void t01_layouts_of_a_table_agree(void **state)
{
    static const int totals[] = { 396, 396, 394, 388, 387, 384, 384, 382, 378 };
    assay_results *wide, *some, *items;
    char path[512];
    size_t n, m;

    (void)state;
    if (!find_sample("matrix/swebench_verified_wide.csv", path)) skip();
    wide = read_ok(path, NULL);
    assert_true(find_sample("matrix/swebench_verified_top12_long.csv", path));
    some = read_ok(path, NULL);
    assert_true(find_sample("matrix/swebench_verified_top12_wide_items_as_rows.tsv", path));
    items = read_ok(path, NULL);
    assert_int_equal(assay_results_n_models(wide), 134);
    assert_int_equal(assay_results_n_items(wide), 500);
    assert_int_equal(assay_results_n_models(some), 12);
    assert_string_equal(cluster_of(some, "astropy__astropy-12907"), "astropy");
    for (size_t k = 0; k < 12; k++) {
        const char *model = assay_results_model(some, k);
        double mean = mean_of(some, model, &n);

        if (k < 9) assert_int_equal((int)lround(mean * 500.0), totals[k]);
        assert_true(mean == mean_of(wide, model, &m) && n == m && n == 500);
        assert_true(mean == mean_of(items, model, &m) && n == m);
    }
    assay_results_free(wide);
    assay_results_free(some);
    assay_results_free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t59_the_best_model_changes_with_the_template),
        cmocka_unit_test(t60_the_noise_of_few_items_is_taken_off),
        cmocka_unit_test(lists_of_templates_are_no_results),
        cmocka_unit_test(t01_layouts_of_a_table_agree),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
