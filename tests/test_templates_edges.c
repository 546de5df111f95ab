/* SPDX-License-Identifier: Apache-2.0 */
/* The published estimators: lopsided and thin data, faults, and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "template_fits.h"
#include "templates/predict.h"

/* ---- edges ---- */

/* All right, all wrong, a template and items without a cell, rows that a plane separates. */
static void lopsided_data_have_an_answer(void **state)
{
    const double all_right[] = { 1, 1, NAN, NAN, NAN, NAN, 1, NAN, NAN };
    const double all_wrong[] = { 0, 0, NAN, NAN, NAN, NAN, 0, NAN, NAN };
    const double separable[] = { 1, 1, 1, NAN, NAN, NAN, 0, 0, 0 };
    const double *const cases[] = { all_right, all_wrong, separable };

    (void)state;
    for (int k = 0; k < 12; k++) {
        assay_grid *grid = grid_of(cases[k % 3], 3, 3);
        assay_templates_options options = defaults();
        assay_templates *fit;
        size_t n;

        options.faithful = k / 3 % 2;
        if (k >= 6) options.method = ASSAY_TEMPLATES_LOGREG;
        fit = fit_grid(grid, &options);
        assert_true(assay_templates_converged(fit));
        for (size_t i = 0; i < 3; i++) assert_true(score(fit, i) >= 0.0 && score(fit, i) <= 1.0);
        assert_near(assay_templates_theta(fit, &n)[1], 0.0, 0.0); /* no cell */
        if (k % 3 == 2) assert_near(score(fit, 0) - score(fit, 2), 1.0, 0.0);
        assay_templates_free(fit);
        assay_grid_free(grid);
    }
}

static void small_and_thin_grids_have_an_answer(void **state)
{
    static const struct shape shapes[] = {
        { 1, 1, 1.0 }, { 1, 30, 0.5 }, { 30, 1, 0.5 }, { 2, 2, 0.2 }, { 300, 40, 0.003 },
    };

    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int faithful = 0; faithful < 2; faithful++) {
            assay_templates_options options = defaults();
            double *y = random_grid(shapes[s].n_templates, shapes[s].n_items, shapes[s].share, s);
            assay_grid *grid = grid_of(y, shapes[s].n_templates, shapes[s].n_items);
            assay_templates *fit;

            options.faithful = faithful;
            fit = fit_grid(grid, &options);
            assert_true(assay_templates_converged(fit));
            for (size_t i = 0; i < shapes[s].n_templates; i++)
                assert_near(score(fit, i), slow_score(y, shapes[s].n_items, fit, i), 1e-13);
            assay_templates_free(fit);
            assay_grid_free(grid);
            free(y);
        }
    }
}

/* A logit of -100, and one beyond single exponentials, count as -30, and likewise above. */
static void logits_are_held_within_thirty(void **state)
{
    static const double steep[] = { 100.0, 400.0, 1e5 };
    double y[27], beta[9] = { 0.0 }, scores[3];
    const double least = 1.0 / (1.0 + exp(30.0));
    assay_grid *grid;

    (void)state;
    for (size_t k = 0; k < 27; k++) y[k] = k < 26 ? NAN : 0.0;
    grid = grid_of(y, 3, 9);
    for (int k = 0; k < 3; k++) {
        const double theta[] = { -steep[k], steep[k], 0.0 };

        assert_int_equal(assay_predict_scores(grid, theta, beta, 0.0, scores), ASSAY_OK);
        assert_near(scores[0] / least, 1.0, 1e-12);
        assert_near(scores[1], 1.0 / (1.0 + exp(-30.0)), 1e-15);
        assert_near(scores[2], 4.0 / 9.0, 1e-15);
    }
    assay_grid_free(grid);
}

/* Thousands of templates are on the side that is eliminated. */
static void thousands_of_templates_are_fitted(void **state)
{
    double *y = random_grid(5000, 60, 0.1, 1);
    assay_grid *grid = grid_of(y, 5000, 60);
    assay_templates_options options = defaults();
    assay_templates *fit = fit_grid(grid, &options);

    (void)state;
    assert_true(assay_templates_converged(fit));
    for (size_t i = 0; i < 5000; i += 499)
        assert_near(score(fit, i), slow_score(y, 60, fit, i), 1e-13);
    assay_templates_free(fit);
    assay_grid_free(grid);
    free(y);
}

/* With C so large that effects leave the range of single exponentials, S stays what it is defined
   as; and few iterations are told of. */
static void extremes_are_held(void **state)
{
    double *y = random_grid(4, 6, 0.7, 2), x[] = { 400.0, -1.0, 2.0, -401.0 };
    assay_grid *grid = grid_of(y, 4, 6);
    assay_templates_options options = defaults();
    assay_templates *fit;

    (void)state;
    options.c = 1e12;
    fit = fit_grid(grid, &options);
    for (size_t i = 0; i < 4; i++) assert_near(score(fit, i), slow_score(y, 6, fit, i), 1e-13);
    assay_templates_free(fit);
    options.c = 100.0;
    options.x = x;
    options.n_x = 1;
    fit = fit_grid(grid, &options);
    for (size_t i = 0; i < 4; i++) assert_near(score(fit, i), slow_score(y, 6, fit, i), 1e-13);
    assay_templates_free(fit);
    options.max_iterations = 1;
    fit = fit_grid(grid, &options);
    assert_false(assay_templates_converged(fit));
    assert_int_equal(assay_templates_iterations(fit), 1);
    assay_templates_free(fit);
    assay_templates_free(NULL);
    assay_grid_free(grid);
    free(y);
}

/* ---- faults ---- */

static void expect(const assay_templates_options *options, assay_status want, const char *sentence)
{
    const double y[] = { 1, 0, 1, NAN, 0, 1 };
    assay_grid *grid = grid_of(y, 3, 2);
    assay_templates *fit;

    assert_int_equal(assay_templates_fit(grid, options, &fit), want);
    assert_null(fit);
    if (!strstr(assay_last_error(), sentence)) fail_msg("%s", assay_last_error());
    assay_grid_free(grid);
}

static void faults_are_named(void **state)
{
    const double good[] = { 1, 2, 3 }, bad[] = { 1, INFINITY, 3 }, same[] = { 2, 2, 2 };
    const double dependent[] = { 1, 2, 2, 4, 5, 10 }, wide[] = { 1, 2, 3, 4, 5, 7, 9, 1, 4 };
    assay_templates_options options = defaults();

    (void)state;
    options.method = (assay_templates_method)4;
    expect(&options, ASSAY_E_VALUE, "there is no method 4");
    options = defaults();
    options.c = 0.0;
    expect(&options, ASSAY_E_VALUE, "C is 0");
    options = defaults();
    options.max_iterations = 0;
    expect(&options, ASSAY_E_VALUE, "max_iterations is 0");
    options = defaults();
    options.tolerance = NAN;
    expect(&options, ASSAY_E_VALUE, "tolerance is nan");
    options = defaults();
    options.struct_size = 3;
    expect(&options, ASSAY_E_VALUE, "struct_size 3");
    options = defaults();
    options.x = good;
    expect(&options, ASSAY_E_SHAPE, "the covariates of templates have no column");
    options.n_x = 1;
    options.method = ASSAY_TEMPLATES_AVG;
    expect(&options, ASSAY_E_VALUE, "no use for covariates");
    options.method = ASSAY_TEMPLATES_PE;
    options.x = bad;
    expect(&options, ASSAY_E_VALUE, "covariate 0 of templates 1 is inf");
    options.x = same;
    expect(&options, ASSAY_E_DEGENERATE, "the 1 covariates of 3 templates are not independent");
    options.x = dependent;
    options.n_x = 2;
    expect(&options, ASSAY_E_DEGENERATE, "not above 1e-06");
    options.x = wide;
    options.n_x = 3;
    expect(&options, ASSAY_E_DEGENERATE, "the 3 covariates of 3 templates are not independent");
    options = defaults();
    options.z = same;
    options.n_z = 1;
    expect(&options, ASSAY_E_DEGENERATE, "covariates of 2 items");
    options.method = ASSAY_TEMPLATES_LOGREG;
    expect(&options, ASSAY_E_VALUE, "covariates of items are for PE only");
}

/* The ablation's regression is defined whatever the covariates: the penalty sees to that. */
static void the_ablation_asks_for_no_rank(void **state)
{
    const double y[] = { 1, 0, 1, NAN, 0, 1 }, dependent[] = { 1, 2, 2, 4, 5, 10 };
    assay_grid *grid = grid_of(y, 3, 2);
    assay_templates_options options = defaults();

    (void)state;
    options.method = ASSAY_TEMPLATES_LOGREG;
    options.x = dependent;
    options.n_x = 2;
    assay_templates_free(fit_grid(grid, &options));
    assay_grid_free(grid);
}

struct fault {
    const assay_grid *grid;
    assay_templates_options options;
};

static assay_status fit_and_free(void *context)
{
    struct fault *fault = context;
    assay_templates *fit;
    assay_status status = assay_templates_fit(fault->grid, &fault->options, &fit);

    assay_templates_free(fit);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    double *y = random_grid(6, 8, 0.6, 1), *x = random_covariates(6, 2, 1),
           *z = random_covariates(8, 2, 2);
    struct fault fault = { .grid = grid_of(y, 6, 8) };

    (void)state;
    for (int k = 0; k < 6; k++) {
        fault.options = defaults();
        fault.options.x = k & 1 ? x : NULL;
        fault.options.z = k & 2 ? z : NULL;
        fault.options.n_x = fault.options.n_z = 2;
        if (k >= 4) fault.options.method = ASSAY_TEMPLATES_LOGREG;
        assert_true(fail_every_allocation(fit_and_free, &fault) > 8);
    }
    assay_grid_free((assay_grid *)(uintptr_t)fault.grid);
    free(x);
    free(y);
    free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lopsided_data_have_an_answer),
        cmocka_unit_test(small_and_thin_grids_have_an_answer),
        cmocka_unit_test(logits_are_held_within_thirty),
        cmocka_unit_test(thousands_of_templates_are_fitted),
        cmocka_unit_test(extremes_are_held),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(the_ablation_asks_for_no_rank),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
