/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What the parts, the dates and the skill of real leaderboards say, against an independent NumPy
   program and the figures of BenchScope. The data are not part of the project: without them these
   are skipped. */
#include "assay/ageing.h"
#include "assay/attribute_auc.h"
#include "assay/dates.h"
#include "assay/model_column.h"
#include "assay/read.h"
#include "assay/saturation.h"
#include "assay/subsets.h"
#include "assay/windows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void path_of(const char *name, char path[512])
{
    snprintf(path, 512, "%s/data/matrices/%s", ASSAY_SHARED_FOLDER, name);
    if (access(path, R_OK) == 0) return;
    print_message("skipped: %s is not there\n", name);
    skip();
}

static assay_matrix *read_matrix(const char *name, const char *drop, assay_results **results)
{
    char path[512];
    assay_read_options options;
    assay_matrix *matrix = NULL;

    path_of(name, path);
    assay_read_options_init(&options, sizeof options);
    options.drop = drop;
    assert_int_equal(assay_results_new(0, results), ASSAY_OK);
    assert_int_equal(assay_read(*results, path, &options), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(*results, &matrix), ASSAY_OK);
    return matrix;
}

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.13g, not %.13g +- %g", what, got, want, tolerance);
}

/* By NumPy and SciPy with 20 subsets a size, of which the mean has an error of about .15 at sizes
   below 100 (an sd of .7 there): twice that is the tolerance of what is fitted to them. */
static void saturation_of_swebench(void **state)
{
    static const double items[3] = { 8.0, 7.5, 8.2 }, models[3] = { 8.4, 7.6, 8.7 };
    assay_results *results = NULL;
    assay_matrix *matrix = read_matrix("swebench_verified.csv", NULL, &results);
    assay_saturation got;

    (void)state;
    assert_int_equal(assay_saturation_curves(matrix, NULL, &got), ASSAY_OK);
    for (int form = 0; form < 3; form++) {
        assert_near("ED_inf of items", got.items.fit[form].ed_inf, items[form], 0.3);
        assert_near("ED_inf of models", got.models.fit[form].ed_inf, models[form], 0.3);
    }
    assay_matrix_free(matrix);
    assay_results_free(results);
}

/* By NumPy: the means of 100 or so halves of sd .35 and .91, and of 30 parts of sd 1.2. */
static void parts_of_swebench(void **state)
{
    assay_results *results = NULL;
    assay_matrix *matrix = read_matrix("swebench_verified.csv", NULL, &results);
    assay_split_half halves;
    assay_matched matched;

    (void)state;
    assert_int_equal(assay_split_halves(matrix, NULL, &halves), ASSAY_OK);
    assert_near("halves of items", halves.items.mean, 7.77, 0.1);
    assert_near("their sd", halves.items.sd, 0.35, 0.1);
    assert_near("their agreement", halves.items.agreement, 0.93, 0.02);
    assert_near("halves of models", halves.models.mean, 7.59, 0.3);
    assert_near("their sd", halves.models.sd, 0.91, 0.2);
    assert_near("their agreement", halves.models.agreement, 0.81, 0.04);
    assert_int_equal(assay_matched_dimension(matrix, 300, 50, NULL, &matched), ASSAY_OK);
    assert_near("matched 300 x 50", matched.mean, 7.3, 0.4);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

/* Half a unit of the last digit that NumPy printed. */
static void ageing_of_swebench(void **state)
{
    static const double changes[3][3] = { { 20.5, -16.7, -8.5 }, { -16, 10, -11 }, { 1, 7, -9 } };
    static const size_t items[3] = { 500, 216, 81 };
    char path[512];
    assay_results *results = NULL;
    assay_matrix *matrix = read_matrix("swebench_verified.csv", NULL, &results);
    assay_model_column *dates = NULL;
    assay_attribute_auc auc;
    assay_ageing got;
    double when[134];
    int kind[134];

    (void)state;
    path_of("swebench_verified_dates.csv", path);
    assert_int_equal(assay_model_column_find(results, path, ASSAY_COLUMN_DATE, &dates), ASSAY_OK);
    for (size_t m = 0; m < 134; m++) {
        const char *text = assay_model_column_text(dates, m);

        assert_int_equal(assay_date_days(text, &when[m]), ASSAY_OK);
        kind[m] = strncmp(text, "2025", 4) == 0 ? 1 : strncmp(text, "2024", 4) == 0 ? 0 : -1;
    }
    assert_int_equal(assay_ageing_fit(matrix, when, NULL, &got), ASSAY_OK);
    assert_int_equal(got.n_half, 67);
    assert_near("solve rate", got.solve_rate.early, .395, 5e-4);
    assert_near("solve rate", got.solve_rate.late, .635, 5e-4);
    assert_near("pairwise r", got.pairwise_r.early, .430, 5e-4);
    assert_near("pairwise r", got.pairwise_r.late, .554, 5e-4);
    assert_near("task", got.ed[0].task.early, 9.543, 5e-4);
    assert_near("task", got.ed[0].task.late, 11.495, 5e-4);
    assert_near("model", got.ed[0].model.early, 3.697, 5e-4);
    assert_near("model", got.ed[0].model.late, 3.079, 5e-4);
    for (int f = 0; f < 3; f++) {
        double half = f ? 0.5 : 0.05;

        assert_int_equal(got.ed[f].n_items, items[f]);
        assert_near("task %", 100.0 * got.ed[f].task.share, changes[f][0], half);
        assert_near("model %", 100.0 * got.ed[f].model.share, changes[f][1], half);
        assert_near("double %", 100.0 * got.ed[f].both.share, changes[f][2], half);
    }
    assert_int_equal(assay_attribute_auc_fit(matrix, kind, 0, &auc), ASSAY_OK);
    assert_near("AUC of PC1", auc.component[0].auc, .89, 5e-3);
    assert_near("AUC of PC2", auc.component[1].auc, .71, 5e-3);
    assay_model_column_free(dates);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

/* BenchScope has 1.40 and 2.52. NumPy's windows begin at the weakest model, ours end at the best: a
   window differs by a model, which is 1e-2 with unit variance. */
static void skill_on_the_open_llm_leaderboard(void **state)
{
    assay_results *results = NULL;
    assay_matrix *matrix =
        read_matrix("open_llm_leaderboard_v2_raw.csv", "average,params_b,exact", &results);
    size_t n = assay_matrix_n_models(matrix);
    double *score = malloc(n * sizeof *score);
    assay_model_column *average = NULL;
    assay_windows *windows = NULL;
    assay_windows_summary plain, unit;

    (void)state;
    assert_int_equal(assay_model_column_find(results, "average", ASSAY_COLUMN_NUMBER, &average),
                     ASSAY_OK);
    for (size_t m = 0; m < n; m++) score[m] = atof(assay_model_column_text(average, m));
    assert_int_equal(assay_windows_fit(matrix, score, NULL, &windows), ASSAY_OK);
    plain = assay_windows_summarise(windows, ASSAY_WINDOWS_AS_IT_IS);
    unit = assay_windows_summarise(windows, ASSAY_WINDOWS_UNIT_VARIANCE);
    assert_near("least", plain.least, 1.38, 5e-3);
    assert_near("last", plain.last, 2.51, 5e-3);
    assert_near("P", plain.p_last_above, 1.0, 0.0);
    assert_near("first, unit variance", unit.first, 4.97, 2e-2);
    assert_near("least, unit variance", unit.least, 2.19, 2e-2);
    assert_near("last, unit variance", unit.last, 3.79, 2e-2);
    assay_windows_free(windows);
    assay_model_column_free(average);
    assay_matrix_free(matrix);
    assay_results_free(results);
    free(score);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturation_of_swebench),
        cmocka_unit_test(parts_of_swebench),
        cmocka_unit_test(ageing_of_swebench),
        cmocka_unit_test(skill_on_the_open_llm_leaderboard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
