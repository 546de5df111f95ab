/* SPDX-License-Identifier: Apache-2.0 */
/* The published estimators: an independent look at the optimum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "template_fits.h"

/* ---- an independent look at the optimum ---- */

/* The features of a cell as the method's definition has them, in the order of the weights. */
static void features_of(const assay_templates_options *options, size_t n_templates, size_t n_items,
                        size_t i, size_t j, double *f, size_t n_weights)
{
    size_t at = options->x ? options->n_x : n_templates;
    int items = options->method == ASSAY_TEMPLATES_PE;

    memset(f, 0, n_weights * sizeof *f);
    if (options->x)
        memcpy(f, options->x + i * options->n_x, options->n_x * sizeof *f);
    else
        f[i] = 1.0;
    if (options->z)
        memcpy(f + at, options->z + j * options->n_z, options->n_z * sizeof *f);
    else if (items && at + j < n_weights) /* the last is left out where one is missing */
        f[at + j] = 1.0;
    if (options->x && (options->z || !items)) f[n_weights - 1] = 1.0;
    (void)n_items;
}

/* Objective and gradient in long double, a cell and a feature at a time; returns max |gradient|. */
static double slow_gradient(const double *y, size_t n_templates, size_t n_items,
                            const assay_templates_options *options, const double *w, size_t n,
                            double *objective)
{
    long double sum = 0.0L, *gradient = calloc(n, sizeof *gradient);
    double *f = malloc(n * sizeof *f), most = 0.0;

    for (size_t k = 0; k < n; k++) {
        sum += 0.5L * (long double)w[k] * (long double)w[k];
        gradient[k] = (long double)w[k];
    }
    for (size_t c = 0; c < n_templates * n_items; c++) {
        long double logit = 0.0L, sign = y[c] >= 0.5 ? 1.0L : -1.0L;

        if (isnan(y[c])) continue;
        features_of(options, n_templates, n_items, c / n_items, c % n_items, f, n);
        for (size_t k = 0; k < n; k++) logit += (long double)f[k] * (long double)w[k];
        sum += (long double)options->c * log1pl(expl(-sign * logit));
        for (size_t k = 0; k < n; k++)
            gradient[k] -=
                (long double)options->c * sign * (long double)f[k] / (1.0L + expl(sign * logit));
    }
    for (size_t k = 0; k < n; k++) most = fmax(most, fabs((double)gradient[k]));
    *objective = (double)sum;
    free(gradient);
    free(f);
    return most;
}

/* The gradient is what rounding leaves of sums of 100 x cells; the objective's own rounding is of
   1e-16 times its value, up to 1e4. */
static void check_optimum(const struct shape *shape, const assay_templates_options *options,
                          uint64_t seed)
{
    double *y = random_grid(shape->n_templates, shape->n_items, shape->share, seed);
    assay_grid *grid = grid_of(y, shape->n_templates, shape->n_items);
    assay_templates *fit = fit_grid(grid, options);
    double objective, gradient;
    size_t n;
    const double *w = assay_templates_weights(fit, &n);

    assert_true(assay_templates_converged(fit));
    gradient = slow_gradient(y, shape->n_templates, shape->n_items, options, w, n, &objective);
    assert_near(gradient, 0.0, 1e-6);
    assert_near(assay_templates_objective(fit), objective, 1e-9 * objective);
    for (size_t i = 0; i < shape->n_templates; i++)
        assert_near(score(fit, i), slow_score(y, shape->n_items, fit, i), 1e-13);
    assay_templates_free(fit);
    assay_grid_free(grid);
    free(y);
}

static void optimum_has_no_gradient(void **state)
{
    static const struct shape shapes[] = {
        { 12, 30, 0.3 },  { 30, 12, 0.3 }, { 20, 20, 0.5 }, { 20, 40, 0.05 },
        { 40, 20, 0.05 }, { 9, 200, 1.0 }, { 200, 9, 1.0 },
    };

    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        double *x = random_covariates(shapes[s].n_templates, 4, s);
        double *z = random_covariates(shapes[s].n_items, 3, s + 100);

        for (int setup = 0; setup < 12; setup++) {
            assay_templates_options options = defaults();
            int logreg = setup / 2 % 3 == 2;

            if (logreg) options.method = ASSAY_TEMPLATES_LOGREG;
            options.faithful = setup % 2 && !logreg;
            options.x = setup >= 6 ? x : NULL;
            options.n_x = 4;
            options.z = setup / 2 % 3 == 1 ? z : NULL;
            options.n_z = 3;
            options.c = setup == 0 ? 1e4 : setup == 6 ? 0.01 : 100.0;
            check_optimum(&shapes[s], &options, s);
        }
        free(x);
        free(z);
    }
}

/* Away from the optimum, found with few iterations, the objective is larger by all that the slope
   allows: central differences of the objective agree with the gradient that is claimed to be 0. */
static void no_direction_goes_down(void **state)
{
    double *y = random_grid(6, 9, 0.6, 5), w[15], objective, up, down;
    assay_grid *grid = grid_of(y, 6, 9);
    assay_templates_options options = defaults();
    assay_templates *fit = fit_grid(grid, &options);
    size_t n;
    const double *found = assay_templates_weights(fit, &n);

    (void)state;
    assert_int_equal(n, 15);
    memcpy(w, found, sizeof w);
    slow_gradient(y, 6, 9, &options, w, n, &objective);
    for (size_t k = 0; k < n; k++) {
        w[k] = found[k] + 1e-3;
        slow_gradient(y, 6, 9, &options, w, n, &up);
        w[k] = found[k] - 1e-3;
        slow_gradient(y, 6, 9, &options, w, n, &down);
        w[k] = found[k];
        assert_true(up > objective && down > objective);
        assert_near((up - down) / 2e-3, 0.0, 1e-4); /* third derivatives of up to 100 x 1e-6 */
    }
    assay_templates_free(fit);
    assay_grid_free(grid);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimum_has_no_gradient),
        cmocka_unit_test(no_direction_goes_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
