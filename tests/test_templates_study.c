/* SPDX-License-Identifier: Apache-2.0 */
/* Plans, fits and distances together, against a study that another program made of the same data: mean
   W1 over 20 seeds on the one real matrix of PromptEval and on ten of Qwen2.5, faithful throughout. The
   data are not part of the project: without them these are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/sampling.h"
#include "prompteval_golden.h"
#include "template_fits.h"

enum { SEEDS = 20, BUDGETS = 4, METHODS = 3, QWEN_I = 40, QWEN_J = 100, QWEN_D = 16 };
static const size_t budgets[BUDGETS] = { 200, 400, 800, 1600 };
static const char *const names[METHODS] = { "avg", "PE-Rasch", "PE-discrete" };

/* A full matrix, its covariates and the true scores. */
struct matrix {
    assay_grid *full;
    size_t n_templates, n_items, n_x;
    const double *x;
    double truth[GOLDEN_I];
};

static struct matrix matrix_of(const double *y, size_t n_templates, size_t n_items, const double *x,
                               size_t n_x)
{
    struct matrix m = { grid_of(y, n_templates, n_items), n_templates, n_items, n_x, x, { 0.0 } };

    for (size_t k = 0; k < n_templates * n_items; k++)
        m.truth[k / n_items] += y[k] / (double)n_items;
    return m;
}

static double w1_of(const struct matrix *m, const assay_grid *seen, int method)
{
    assay_templates_options options = defaults();
    assay_templates *fit;
    double w1;
    size_t n;

    options.faithful = 1;
    if (method == 0) options.method = ASSAY_TEMPLATES_AVG;
    if (method == 2) options.x = m->x, options.n_x = m->n_x;
    fit = fit_grid(seen, &options);
    assert_int_equal(
        assay_scores_w1(assay_templates_scores(fit, &n), m->truth, m->n_templates, &w1), ASSAY_OK);
    assay_templates_free(fit);
    return w1;
}

/* One seed: a plan that grows through the budgets, all methods on its cells. Adds to sums. */
static void run_seed(const struct matrix *m, uint64_t seed, double sum[BUDGETS][METHODS])
{
    assay_plan_options options;
    assay_plan *plan;

    assay_plan_options_init(&options, sizeof options);
    options.seed = seed;
    assert_int_equal(assay_plan_new(m->n_templates, m->n_items, &options, &plan), ASSAY_OK);
    for (size_t b = 0; b < BUDGETS; b++) {
        const size_t *templates, *items;
        assay_grid *seen;
        size_t n;

        assert_int_equal(assay_plan_extend(plan, budgets[b]), ASSAY_OK);
        n = assay_plan_cells(plan, &templates, &items);
        assert_int_equal(assay_grid_take(m->full, n, templates, items, &seen), ASSAY_OK);
        for (int k = 0; k < METHODS; k++) sum[b][k] += w1_of(m, seen, k);
        assay_grid_free(seen);
    }
    assay_plan_free(plan);
}

/* Means over n matrices, which share the plans, and 20 seeds against the other program's, which have seeds of their own: four
   standard errors of the difference, and half a unit of the last digit printed. */
static void compare(const struct matrix *m, size_t n, const double want[METHODS][BUDGETS])
{
    double mean[BUDGETS][METHODS] = { { 0.0 } }, square[BUDGETS][METHODS] = { { 0.0 } };

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double sum[BUDGETS][METHODS] = { { 0.0 } };

        for (size_t k = 0; k < n; k++) run_seed(&m[k], seed, sum);
        for (int b = 0; b < BUDGETS; b++) {
            for (int k = 0; k < METHODS; k++) {
                double w1 = sum[b][k] / (double)n;

                mean[b][k] += w1 / SEEDS;
                square[b][k] += w1 * w1 / SEEDS;
            }
        }
    }
    for (int k = 0; k < METHODS; k++) {
        print_message("%-12s", names[k]);
        for (int b = 0; b < BUDGETS; b++) {
            double sd = sqrt(fmax(0.0, square[b][k] - mean[b][k] * mean[b][k]));

            print_message("  %.4f (%.4f, sd %.4f)", mean[b][k], want[k][b], sd);
            assert_near(mean[b][k], want[k][b], 4.0 * sd * sqrt(2.0 / (SEEDS - 1)) + 5e-5);
        }
        print_message("\n");
    }
}

static void on_mmlu(void **state)
{
    static const double want[METHODS][BUDGETS] = { { .2333, .1510, .1016, .0668 },
                                                   { .1592, .0747, .0408, .0338 },
                                                   { .2200, .1074, .0334, .0152 } };
    double *x = golden_covariates(), *y = golden_matrix();
    struct matrix m = matrix_of(y, GOLDEN_I, GOLDEN_J, x, GOLDEN_D);

    (void)state;
    compare(&m, 1, want);
    assay_grid_free(m.full);
    free(x);
    free(y);
}

static void on_qwen(void **state)
{
    static const double sensitive[METHODS][BUDGETS] = { { .1268, .0804, .0502, .0280 },
                                                        { .0968, .0624, .0335, .0179 },
                                                        { .0812, .0419, .0277, .0177 } };
    static const double robust[METHODS][BUDGETS] = { { .1310, .0854, .0514, .0269 },
                                                     { .0639, .0516, .0279, .0132 },
                                                     { .0610, .0294, .0153, .0087 } };
    double *x = read_table("data/templates/qwen25_templates_X_disc.csv", QWEN_I, QWEN_D, 0, 0);
    double *y = read_table("data/templates/qwen25_mmlu_40x100_x10.csv", 10 * QWEN_I, QWEN_J, 1, 3);
    struct matrix m[10];

    (void)state;
    for (size_t k = 0; k < 10; k++)
        m[k] = matrix_of(y + k * QWEN_I * QWEN_J, QWEN_I, QWEN_J, x, QWEN_D);
    compare(m, 6, sensitive);
    compare(m + 6, 4, robust);
    for (size_t k = 0; k < 10; k++) assay_grid_free(m[k].full);
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_mmlu),
        cmocka_unit_test(on_qwen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
