/* SPDX-License-Identifier: Apache-2.0 */
/* The published estimators on the one real matrix of PromptEval, against the exact optimum of the
   released code's objective on the masks it drew, and on a tiny grid for every set-up of covariates.
   The data are not part of the project: without them these are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/covariates.h"
#include "assay/templates.h"
#include "prompteval_golden.h"

#include <math.h>

static const char *const methods[] = { "avg", "PE-Rasch", "PE-discrete", "PE-discrete-logreg" };
static const unsigned budgets[] = { 200, 400, 800, 1600 };

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.13g, not %.13g +- %g", what, got, want, tolerance);
}

struct fixture {
    double *y, *x, truth[GOLDEN_I];
    assay_grid *full;
};

static struct fixture set_up(void)
{
    struct fixture data;

    data.x = golden_covariates();
    data.y = golden_matrix();
    assert_int_equal(assay_grid_from_scores(data.y, GOLDEN_I, GOLDEN_J, &data.full), ASSAY_OK);
    for (size_t i = 0; i < GOLDEN_I; i++) {
        data.truth[i] = 0.0;
        for (size_t j = 0; j < GOLDEN_J; j++) data.truth[i] += data.y[i * GOLDEN_J + j] / GOLDEN_J;
    }
    return data;
}

static void tear_down(struct fixture *data)
{
    free(data->x);
    free(data->y);
    assay_grid_free(data->full);
}

static assay_templates *fit_method(const assay_grid *grid, const char *method, const double *x)
{
    assay_templates_options options;
    assay_templates *fit;

    assay_templates_options_init(&options, sizeof options);
    options.faithful = 1;
    if (strcmp(method, "avg") == 0) options.method = ASSAY_TEMPLATES_AVG;
    if (strstr(method, "logreg")) options.method = ASSAY_TEMPLATES_LOGREG;
    if (strstr(method, "discrete")) {
        options.x = x;
        options.n_x = GOLDEN_D;
    }
    assert_int_equal(assay_templates_fit(grid, &options, &fit), ASSAY_OK);
    assert_true(assay_templates_converged(fit));
    return fit;
}

static assay_grid *masked(const struct fixture *data, unsigned budget)
{
    size_t templates[GOLDEN_CELLS], items[GOLDEN_CELLS];
    assay_grid *grid;

    golden_mask(budget, templates, items);
    assert_int_equal(assay_grid_take(data->full, budget, templates, items, &grid), ASSAY_OK);
    return grid;
}

/* Every S_i: the stored ones have 12 digits. */
static void scores_are_those_of_the_exact_optimum(void **state)
{
    struct fixture data = set_up();
    double worst = 0.0;

    (void)state;
    for (size_t b = 0; b < 4; b++) {
        assay_grid *grid = masked(&data, budgets[b]);

        for (size_t m = 0; m < 4; m++) {
            assay_templates *fit = fit_method(grid, methods[m], data.x);
            double want[GOLDEN_I];
            size_t n;
            const double *got = assay_templates_scores(fit, &n);

            assert_int_equal(n, GOLDEN_I);
            golden_scores(budgets[b], methods[m], want);
            for (size_t i = 0; i < n; i++) {
                assert_near(methods[m], got[i], want[i], 1e-10);
                worst = fmax(worst, fabs(got[i] - want[i]));
            }
            assay_templates_free(fit);
        }
        assay_grid_free(grid);
    }
    print_message("largest difference of a score: %.2g\n", worst);
    tear_down(&data);
}

/* One line of the expected numbers: W1, then five quantiles by two rules. */
static void check_line(const struct fixture *data, const char *line)
{
    static const double p[] = { 0.05, 0.25, 0.5, 0.75, 0.95 };
    unsigned seed, budget;
    char method[64], *at;
    double w1, want, got;
    int used;

    assert_int_equal(sscanf(line, "%u,%u,%63[^,],%lf,%*f%n", &seed, &budget, method, &want, &used),
                     4);
    at = strchr(line + used, ',');
    assay_grid *grid = masked(data, budget);
    assay_templates *fit = fit_method(grid, method, data->x);
    size_t n;
    const double *scores = assay_templates_scores(fit, &n);

    assert_int_equal(assay_scores_w1(scores, data->truth, n, &w1), ASSAY_OK);
    assert_near("W1", w1, want, 1e-9);
    for (int k = 0; k < 10; k++) {
        want = strtod(at + 1, &at);
        assert_int_equal(
            assay_scores_quantile(scores, n, p[k % 5],
                                  k < 5 ? ASSAY_QUANTILE_LINEAR : ASSAY_QUANTILE_PROTOCOL, &got),
            ASSAY_OK);
        assert_near("quantile", got, want, 1e-9);
    }
    assay_templates_free(fit);
    assay_grid_free(grid);
}

static void distances_and_quantiles_are_the_stored_ones(void **state)
{
    gzFile file = open_golden("golden/prompteval/hs_psych_expected.csv");
    struct fixture data = set_up();
    char line[512];
    int n = 0;

    (void)state;
    assert_non_null(gzgets(file, line, sizeof line));
    for (; gzgets(file, line, sizeof line); n++) check_line(&data, line);
    assert_int_equal(n, 16);
    gzclose(file);
    tear_down(&data);
}

/* ---- the tiny grid ---- */

/* The n numbers that follow a key of a JSON text, brackets or not. */
static void numbers_after(const char *text, const char *key, size_t n, double *out)
{
    char *at = strstr(text, key);

    assert_non_null(at);
    at += strlen(key);
    for (size_t k = 0; k < n; k++) {
        at += strcspn(at, "-.0123456789");
        out[k] = strtod(at, &at);
    }
}

enum { TINY_I = 8, TINY_J = 10, TINY_X = 2, TINY_Z = 3 };

/* One set-up: its weights, its objective and its scores. */
static void check_tiny(const char *text, const char *name, const assay_grid *grid, const double *x,
                       const double *z, size_t n_weights)
{
    const char *found = strstr(text, name);
    double want[TINY_I + TINY_J];
    assay_templates_options options;
    assay_templates *fit;
    const double *got;
    size_t n;

    assert_non_null(found);
    assay_templates_options_init(&options, sizeof options);
    options.faithful = 1;
    options.x = x;
    options.n_x = TINY_X;
    options.z = z;
    options.n_z = TINY_Z;
    assert_int_equal(assay_templates_fit(grid, &options, &fit), ASSAY_OK);
    got = assay_templates_weights(fit, &n);
    assert_int_equal(n, n_weights);
    numbers_after(found, "\"w\":", n, want);
    for (size_t k = 0; k < n; k++) assert_near(name, got[k], want[k], 1e-7);
    numbers_after(found, "\"objective\":", 1, want);
    assert_near(name, assay_templates_objective(fit), want[0], 1e-8);
    got = assay_templates_scores(fit, &n);
    numbers_after(found, "\"S_hat\":", n, want);
    for (size_t i = 0; i < n; i++) assert_near(name, got[i], want[i], 1e-8);
    assay_templates_free(fit);
}

static void every_setup_of_covariates_on_a_tiny_grid(void **state)
{
    gzFile file = open_golden("golden/prompteval/tiny.json");
    double x[TINY_I * TINY_X], z[TINY_J * TINY_Z], y[TINY_I * TINY_J], mask[TINY_I * TINY_J];
    char text[1 << 13] = "";
    assay_grid *grid;

    (void)state;
    assert_true(gzread(file, text, sizeof text - 1) > 0);
    gzclose(file);
    numbers_after(text, "\"X\":", TINY_I * TINY_X, x);
    numbers_after(text, "\"Z\":", TINY_J * TINY_Z, z);
    numbers_after(text, "\"Y\":", TINY_I * TINY_J, y);
    numbers_after(text, "\"mask\":", TINY_I * TINY_J, mask);
    for (size_t k = 0; k < TINY_I * TINY_J; k++)
        if (mask[k] == 0.0) y[k] = NAN;
    assert_int_equal(assay_grid_from_scores(y, TINY_I, TINY_J, &grid), ASSAY_OK);
    check_tiny(text, "\"none\": {", grid, NULL, NULL, TINY_I + TINY_J - 1);
    check_tiny(text, "\"X\": {", grid, x, NULL, TINY_X + TINY_J);
    check_tiny(text, "\"Z\": {", grid, NULL, z, TINY_I + TINY_Z);
    check_tiny(text, "\"XZ\": {", grid, x, z, TINY_X + TINY_Z + 1);
    assay_grid_free(grid);
}

/* The factors of the 100 templates, one-hot and rotated, against the 21 stored columns: each is the
   same up to its sign, as long as its variance stands apart from its neighbours'; all of them have
   the same products between templates. */
static void factors_become_the_stored_covariates(void **state)
{
    double *codes = read_table("data/templates/mmlu_templates_100.csv", GOLDEN_I, 3, 1, 1);
    double *want = golden_covariates(), *one_hot, *got;
    size_t factors[GOLDEN_I * 3], d, m;

    (void)state;
    for (size_t k = 0; k < GOLDEN_I * 3; k++) factors[k] = (size_t)codes[k];
    assert_int_equal(assay_covariates_one_hot(factors, GOLDEN_I, 3, &one_hot, &d), ASSAY_OK);
    assert_int_equal(d, 24);
    assert_int_equal(assay_covariates_rotate(one_hot, GOLDEN_I, d, &got, &m), ASSAY_OK);
    assert_int_equal(m, GOLDEN_D);
    for (size_t a = 0; a < GOLDEN_I; a++) {
        for (size_t b = 0; b < GOLDEN_I; b++) {
            double x = 0.0, y = 0.0;

            for (size_t k = 0; k < m; k++) {
                x += got[a * m + k] * got[b * m + k];
                y += want[a * m + k] * want[b * m + k];
            }
            assert_near("product", x, y, 1e-12);
        }
    }
    for (size_t a = 0; a < GOLDEN_I; a++)
        assert_near("first component", fabs(got[a * m]), fabs(want[a * m]), 1e-12);
    free(codes);
    free(want);
    free(one_hot);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_exact_optimum),
        cmocka_unit_test(distances_and_quantiles_are_the_stored_ones),
        cmocka_unit_test(every_setup_of_covariates_on_a_tiny_grid),
        cmocka_unit_test(factors_become_the_stored_covariates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
