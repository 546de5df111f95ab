/* SPDX-License-Identifier: Apache-2.0 */
/* The published estimators: hand cases and properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "template_fits.h"
#include "templates/design.h"

/* ---- by hand ---- */

/* One cell, right: theta = b by symmetry, and w = C (1 - p) with p = sigmoid(2 w). */
static void one_cell_by_hand(void **state)
{
    const double right = 1.0;
    assay_grid *grid = grid_of(&right, 1, 1);
    assay_templates_options options = defaults();
    assay_templates *fit = fit_grid(grid, &options);
    size_t n;
    double w = assay_templates_theta(fit, &n)[0];

    (void)state;
    assert_int_equal(n, 1);
    assert_near(assay_templates_beta(fit, &n)[0], w, 1e-12);
    assert_near(w, 100.0 / (1.0 + exp(2.0 * w)), 1e-9);
    assert_near(score(fit, 0), 1.0, 0.0); /* the one item was seen */
    assay_templates_free(fit);

    /* Released: no item's effect, and the only label is flipped: w = -C sigmoid(w). */
    options.faithful = 1;
    fit = fit_grid(grid, &options);
    w = assay_templates_theta(fit, &n)[0];
    assert_near(w, -100.0 / (1.0 + exp(-w)), 1e-9);
    assert_near(score(fit, 0), 1.0, 0.0);
    assay_templates_free(fit);
    assay_grid_free(grid);
}

static void averages_by_hand(void **state)
{
    const double y[] = { 1, 0.4, NAN, NAN, NAN, NAN, 0, NAN, NAN };
    assay_grid *grid = grid_of(y, 3, 3);
    assay_templates_options options = defaults();
    assay_templates *fit;
    size_t n;

    (void)state;
    options.method = ASSAY_TEMPLATES_AVG;
    fit = fit_grid(grid, &options);
    assert_near(score(fit, 0), 0.7, 1e-15);
    assert_near(score(fit, 1), 1.4 / 3.0, 1e-15); /* no cell: the mean over all */
    assert_near(score(fit, 2), 0.0, 0.0);
    assert_near(assay_templates_mean(fit), (0.7 + 1.4 / 3.0) / 3.0, 1e-15);
    assert_null(assay_templates_theta(fit, &n));
    assert_null(assay_templates_beta(fit, &n));
    assert_null(assay_templates_weights(fit, &n));
    assert_int_equal(n, 0);
    assert_true(assay_templates_converged(fit));
    assert_int_equal(assay_templates_iterations(fit), 0);
    assay_templates_free(fit);
    options.faithful = 1;
    fit = fit_grid(grid, &options);
    assert_near(score(fit, 0), (1.4 + 1e-10) / (2.0 + 1e-10), 1e-15);
    assert_near(score(fit, 1), 1.0, 0.0);
    assert_near(score(fit, 2), 1e-10, 1e-19);
    assay_templates_free(fit);
    assay_grid_free(grid);
}

/* Judges: .5 is right in the fit, and enters S as it is. */
static void scores_of_judges_are_rounded_for_the_fit_alone(void **state)
{
    const double judged[] = { 0.5, 0.2, NAN, 0.9, NAN, 0.49 }, rounded[] = { 1, 0, NAN, 1, NAN, 0 };
    assay_grid *a = grid_of(judged, 2, 3), *b = grid_of(rounded, 2, 3);
    assay_templates_options options = defaults();
    assay_templates *one = fit_grid(a, &options), *two = fit_grid(b, &options);
    size_t n;
    const double *v = assay_templates_weights(one, &n), *w = assay_templates_weights(two, &n);

    (void)state;
    assert_memory_equal(v, w, n * sizeof *w);
    assert_near(score(one, 0), score(two, 0) + (0.7 - 1.0) / 3.0, 1e-15);
    assert_near(score(one, 1), score(two, 1) + (1.39 - 1.0) / 3.0, 1e-15);
    assay_templates_free(one);
    assay_templates_free(two);
    assay_grid_free(a);
    assay_grid_free(b);
}

/* What NumPy 1.24 gives. */
static void the_flipped_label_is_numpys(void **state)
{
    static const size_t known[][2] = {
        { 1, 0 },
        { 2, 0 },
        { 3, 0 },
        { 4, 0 },
        { 5, 4 },
        { 10, 5 },
        { 17, 12 },
        { 100, 44 },
        { 200, 172 },
        { 257, 172 },
        { 400, 172 },
        { 800, 684 },
        { 1600, 684 },
        { 65536, 2732 },
        { 54500, 2732 },
        { 100000, 68268 },
        { 5000000, 4500015 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_int_equal(assay_numpy_choice_of_0(known[k][0]), known[k][1]);
}

/* Ten right cells in row order: the released code fits with the sixth (index 5) wrong. */
static void constant_labels_are_flipped_where_asked(void **state)
{
    const double right[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    double flipped[] = { 1, 1, 1, 1, 1, 0, 1, 1, 1, 1 };
    assay_grid *a = grid_of(right, 2, 5), *b = grid_of(flipped, 2, 5);
    assay_templates_options options = defaults();
    assay_templates *plain, *one, *two;
    size_t n;

    (void)state;
    plain = fit_grid(a, &options);
    options.faithful = 1;
    one = fit_grid(a, &options);
    two = fit_grid(b, &options);
    assert_memory_equal(assay_templates_weights(one, &n), assay_templates_weights(two, &n),
                        6 * sizeof(double));
    assert_int_equal(n, 6);
    assert_near(assay_templates_theta(plain, &n)[1], assay_templates_theta(plain, &n)[0], 1e-12);
    assert_true(assay_templates_theta(one, &n)[1] < assay_templates_theta(one, &n)[0]);
    assay_templates_free(plain);
    assay_templates_free(one);
    assay_templates_free(two);
    assay_grid_free(a);
    assay_grid_free(b);
}

/* Without covariates the ablation is a mean a template, and the released code adds the last one's
   coefficient to all. */
static void ablation_adds_the_last_coefficient_where_asked(void **state)
{
    const double y[] = { 1, 1, 0, NAN, 0, 0, 1, NAN };
    assay_grid *grid = grid_of(y, 2, 4);
    assay_templates_options options = defaults();
    assay_templates *plain, *released;
    size_t n;
    const double *v, *w;

    (void)state;
    options.method = ASSAY_TEMPLATES_LOGREG;
    plain = fit_grid(grid, &options);
    options.faithful = 1;
    released = fit_grid(grid, &options);
    v = assay_templates_theta(plain, &n);
    w = assay_templates_theta(released, &n);
    assert_int_equal(n, 2);
    assert_memory_equal(v, w, n * sizeof *w);
    assert_near(v[0], -v[1], 1e-12);
    assert_near(score(plain, 0), (2.0 + 1.0 / (1.0 + exp(-v[0]))) / 4.0, 1e-15);
    assert_near(score(released, 0), (2.0 + 1.0 / (1.0 + exp(-v[0] - v[1]))) / 4.0, 1e-15);
    assert_near(assay_templates_constant(released), v[1], 0.0);
    assay_templates_free(plain);
    assay_templates_free(released);
    assay_grid_free(grid);
}

/* ---- properties ---- */

/* Unless faithful, the order of the items does not matter. */
static void order_of_items_does_not_matter(void **state)
{
    double *y = random_grid(7, 11, 0.5, 9), turned[77];
    assay_grid *a, *b;
    assay_templates_options options = defaults();
    assay_templates *one, *two;

    (void)state;
    for (size_t k = 0; k < 77; k++) turned[k] = y[k / 11 * 11 + 10 - k % 11];
    a = grid_of(y, 7, 11);
    b = grid_of(turned, 7, 11);
    one = fit_grid(a, &options);
    two = fit_grid(b, &options);
    for (size_t i = 0; i < 7; i++) assert_near(score(one, i), score(two, i), 1e-9);
    assay_templates_free(one);
    assay_templates_free(two);
    assay_grid_free(a);
    assay_grid_free(b);
    free(y);
}

/* A rotation of covariates changes nothing, the penalty being round. */
static void rotated_covariates_give_the_same(void **state)
{
    double *y = random_grid(15, 20, 0.4, 4), *x = random_covariates(15, 2, 4), turned[30];
    assay_grid *grid = grid_of(y, 15, 20);
    assay_templates_options options = defaults();
    assay_templates *one, *two;

    (void)state;
    for (size_t i = 0; i < 15; i++) {
        turned[2 * i] = 0.6 * x[2 * i] - 0.8 * x[2 * i + 1];
        turned[2 * i + 1] = 0.8 * x[2 * i] + 0.6 * x[2 * i + 1];
    }
    options.n_x = 2;
    options.x = x;
    one = fit_grid(grid, &options);
    options.x = turned;
    two = fit_grid(grid, &options);
    for (size_t i = 0; i < 15; i++) assert_near(score(one, i), score(two, i), 1e-9);
    assay_templates_free(one);
    assay_templates_free(two);
    assay_grid_free(grid);
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cell_by_hand),
        cmocka_unit_test(averages_by_hand),
        cmocka_unit_test(scores_of_judges_are_rounded_for_the_fit_alone),
        cmocka_unit_test(the_flipped_label_is_numpys),
        cmocka_unit_test(constant_labels_are_flipped_where_asked),
        cmocka_unit_test(ablation_adds_the_last_coefficient_where_asked),
        cmocka_unit_test(order_of_items_does_not_matter),
        cmocka_unit_test(rotated_covariates_give_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
