/* SPDX-License-Identifier: Apache-2.0 */
/* Real leaderboards against the numbers of BenchScope and of an independent NumPy program, at the
   digits that were printed. The data are not part of the project: without them these are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/read.h"
#include "assay/signals.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static assay_signals *fit_file(const char *name, const assay_read_options *reading,
                               int64_t permutations)
{
    char path[512];
    assay_signals_options options;
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;
    assay_signals *fit = NULL;

    snprintf(path, sizeof path, "%s/%s", ASSAY_SHARED_FOLDER, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", name);
        skip();
    }
    assay_signals_options_init(&options, sizeof options);
    options.permutations = permutations;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, reading), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_int_equal(assay_signals_fit(matrix, &options, &fit), ASSAY_OK);
    assay_matrix_free(matrix);
    assay_results_free(results);
    return fit;
}

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.13g, not %.13g +- %g", what, got, want, tolerance);
}

struct published {
    const char *file, *drop;
    /* Half a unit of the last digit shown is the tolerance. */
    double task, task_tolerance, pc1, model, model_tolerance, both, both_tolerance;
    double over_null, over_null_tolerance, standardised, standardised_tolerance;
    int kaiser;
};

static const struct published boards[] = {
    { "data/matrices/swebench_verified.csv", NULL, 7.896, 5e-4, 34.4, 3.811, 5e-4, 30.76, 5e-3,
      .0747, 5e-5, 10.07, 5e-3, 27 },
    { "data/matrices/livecodebench_gen400.csv", NULL, 3.171, 5e-4, 55.3, 3.886, 5e-4, 15.97, 5e-3,
      .0491, 5e-5, 3.74, 5e-3, 7 },
    { "data/matrices/livecodebench_gen880.csv", NULL, 4.228, 5e-4, 47.2, 3.194, 5e-4, 10.35, 5e-3,
      .151, 5e-4, 6.57, 5e-3, 3 },
    { "data/matrices/bfcl_20240811.csv.gz", NULL, 13.09, 5e-3, 23.9, 8.929, 5e-4, 23.97, 5e-3, .192,
      5e-4, 11.46, 5e-3, 16 },
    { "data/matrices/bfcl_20240811_categories.csv", NULL, 2.365, 5e-4, 62.0, 3.111, 5e-4, 3.523,
      5e-4, .230, 5e-4, 2.43, 5e-3, 2 },
    { "data/matrices/bfcl_v4_categories.csv", NULL, 3.556, 5e-4, 44.8, 1.528, 5e-4, 4.177, 5e-4,
      .194, 5e-4, 3.71, 5e-3, 4 },
    { "data/matrices/alpacaeval2.csv", NULL, 3.485, 5e-4, 52.6, 6.239, 5e-4, 16.12, 5e-3, .0644,
      5e-5, 2.78, 5e-3, 8 },
    { "data/matrices/alpacaeval1.csv", NULL, 8.588, 5e-4, 31.8, 11.48, 5e-3, 27.91, 5e-3, .173,
      5e-4, 7.61, 5e-3, 13 },
    { "data/matrices/open_llm_leaderboard_v2_raw.csv", "average,params_b,exact", 1.661, 5e-4, 75.7,
      1.793, 5e-4, 2.231, 5e-4, .277, 5e-4, 1.79, 5e-3, 1 },
    { "data/matrices/open_llm_leaderboard_v2.csv", "average,params_b", 1.668, 5e-4, 75.6, 1.339,
      5e-4, 2.521, 5e-4, .278, 5e-4, 1.78, 5e-3, 1 },
};

static void every_board_has_its_published_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        const struct published *board = &boards[i];
        assay_read_options reading;
        assay_signals *fit;

        assay_read_options_init(&reading, sizeof reading);
        reading.drop = board->drop;
        fit = fit_file(board->file, &reading, 0);
        print_message("%s\n", board->file);
        assert_near("task", assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK), board->task,
                    board->task_tolerance);
        assert_near("pc1", 100.0 * assay_signals_value(fit, ASSAY_SIGNALS_PC1_SHARE), board->pc1,
                    .05);
        assert_near("model", assay_signals_value(fit, ASSAY_SIGNALS_ED_MODEL), board->model,
                    board->model_tolerance);
        assert_near("double", assay_signals_value(fit, ASSAY_SIGNALS_ED_DOUBLE), board->both,
                    board->both_tolerance);
        assert_near("over null", assay_signals_value(fit, ASSAY_SIGNALS_ED_OVER_NULL),
                    board->over_null, board->over_null_tolerance);
        assert_near("standardised", assay_signals_value(fit, ASSAY_SIGNALS_ED_STANDARDISED),
                    board->standardised, board->standardised_tolerance);
        assert_near("kaiser", assay_signals_value(fit, ASSAY_SIGNALS_KAISER), board->kaiser, 0.0);
        assay_signals_free(fit);
    }
}

/* Twelve digits of an SVD in double: they agree to 1e-9 at the least. */
static void swe_bench_verified_agrees_with_numpy(void **state)
{
    assay_signals *fit = fit_file("data/matrices/swebench_verified.csv", NULL, 200);
    double mean = assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_MEAN);
    double se = assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_MEAN_SE);

    (void)state;
    assert_near("task", assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK), 7.895810582316, 1e-9);
    assert_near("model", assay_signals_value(fit, ASSAY_SIGNALS_ED_MODEL), 3.810672085450, 1e-9);
    assert_near("double", assay_signals_value(fit, ASSAY_SIGNALS_ED_DOUBLE), 30.758795050779, 1e-9);
    assert_near("pc1", assay_signals_value(fit, ASSAY_SIGNALS_PC1_SHARE), .344031920344, 1e-9);
    assert_near("null", assay_signals_value(fit, ASSAY_SIGNALS_MARCHENKO_PASTUR), 105.678, 5e-4);
    assert_near("at mean", assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN), 98.8396,
                5e-5);
    assert_near("constant", assay_signals_value(fit, ASSAY_SIGNALS_CONSTANT_ITEMS), 32.0, 0.0);
    assert_near("parallel", assay_signals_value(fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS), 3.0, 0.0);
    /* The reference's 98.8392 +- .008 and ours are both Monte Carlo: 5 joint standard errors. */
    assert_near("mean", mean, 98.8392, 5.0 * sqrt(se * se + .008 * .008));
    assay_signals_free(fit);
}

/* Seeded counts of sequential parallel analysis: those of the reference, and one beside where the
   reference itself moved with its seed (alpacaeval1, and bfcl near its threshold). */
static void parallel_analysis_is_within_its_noise(void **state)
{
    static const struct {
        const char *file;
        double low, high;
    } counts[] = {
        { "data/matrices/livecodebench_gen400.csv", 3, 3 },
        { "data/matrices/livecodebench_gen880.csv", 2, 2 },
        { "data/matrices/bfcl_20240811.csv.gz", 7, 9 },
        { "data/matrices/bfcl_20240811_categories.csv", 2, 2 },
        { "data/matrices/bfcl_v4_categories.csv", 2, 2 },
        { "data/matrices/alpacaeval2.csv", 3, 3 },
        { "data/matrices/alpacaeval1.csv", 5, 6 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assay_signals *fit = fit_file(counts[i].file, NULL, 100);
        double found = assay_signals_value(fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS);

        if (found < counts[i].low || found > counts[i].high)
            fail_msg("%s: %g, not %g to %g", counts[i].file, found, counts[i].low, counts[i].high);
        assay_signals_free(fit);
    }
}

/* The columns that are not items change the answer when they are read as items: the trap is real.
 */
static void columns_that_are_not_items_would_change_the_answer(void **state)
{
    assay_signals *fit = fit_file("data/matrices/open_llm_leaderboard_v2.csv", NULL, 0);

    (void)state;
    assert_near("task", assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK), 1.9478, 5e-5);
    assay_signals_free(fit);
}

static void the_transposed_file_gives_the_same(void **state)
{
    assay_read_options reading;
    assay_signals *wide = fit_file("samples/matrix/swebench_verified_wide.csv", NULL, 0);
    assay_signals *top, *turned;

    (void)state;
    assay_read_options_init(&reading, sizeof reading);
    top = fit_file("samples/matrix/swebench_verified_top12_long.csv", &reading, 0);
    reading.rows = ASSAY_ROWS_ITEMS;
    turned = fit_file("samples/matrix/swebench_verified_top12_wide_items_as_rows.tsv", &reading, 0);
    assert_near("wide", assay_signals_value(wide, ASSAY_SIGNALS_ED_TASK), 7.895810582316, 1e-9);
    for (int i = 0; i < ASSAY_SIGNALS_N_NUMBERS; i++) {
        double a = assay_signals_value(top, (assay_signals_number)i);
        double b = assay_signals_value(turned, (assay_signals_number)i);
        if (!isnan(a) || !isnan(b)) assert_near("number", a, b, 1e-10 * fabs(b));
    }
    assay_signals_free(wide);
    assay_signals_free(top);
    assay_signals_free(turned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_board_has_its_published_numbers),
        cmocka_unit_test(swe_bench_verified_agrees_with_numpy),
        cmocka_unit_test(parallel_analysis_is_within_its_noise),
        cmocka_unit_test(columns_that_are_not_items_would_change_the_answer),
        cmocka_unit_test(the_transposed_file_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
