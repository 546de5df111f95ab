/* SPDX-License-Identifier: Apache-2.0 */
/* The likelihood with the items integrated out, against sums written down naively and against differences;
   the prior of effects against its definition; the mode and its evidence against integration over a plane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "stats/linalg.h"
#include "template_fits.h"
#include "templates/marginal_mode.h"

enum { I = 4, J = 6 };

/* A grid of 0 and 1 with holes, drawn by a seed. */
static assay_grid *drawn(uint64_t seed, double filled)
{
    double scores[I * J];
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t k = 0; k < I * J; k++) {
        double u = assay_random_uniform(&random), y = assay_random_uniform(&random) < 0.6;

        scores[k] = u < filled ? (k % 5 == 3 ? 0.1 + 0.7 * y : y) : NAN; /* some are between */
    }
    scores[0] = 1.0;
    return grid_of(scores, I, J);
}

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* l(theta), item by item and node by node, from the grid itself. */
static double naive(const assay_grid *grid, const assay_item_prior *items, const double *theta)
{
    double sum = 0.0;

    for (size_t j = 0; j < J; j++) {
        double of_item = 0.0;

        for (size_t k = 0; k < ASSAY_NODES; k++) {
            double product = items->weight[k];

            for (size_t i = 0; i < I; i++) {
                double y = assay_grid_score(grid, i, j), p = logistic(theta[i] + items->effect[k]);

                if (!isnan(y)) product *= pow(p, y) * pow(1.0 - p, 1.0 - y);
            }
            of_item += product;
        }
        sum += log(of_item);
    }
    return sum;
}

static void the_likelihood_is_the_naive_sum(void **state)
{
    const double theta[I] = { 0.3, -1.2, 2.0, 0.0 };

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assay_grid *grid = drawn(seed, 0.7);
        assay_marginal_cells cells;
        assay_marginal_point point;
        assay_item_prior items;

        assay_item_prior_set(1.7, &items);
        assert_ok(assay_marginal_cells_new(grid, NULL, NULL, &cells));
        assert_ok(assay_marginal_point_new(&cells, &point));
        assay_marginal_evaluate(&cells, &items, theta, &point);
        /* Two orders of a few dozen factors. */
        assert_near(point.log_likelihood, naive(grid, &items, theta), 1e-12);
        assay_marginal_point_free(&point);
        assay_marginal_cells_free(&cells);
        assay_grid_free(grid);
    }
}

/* Central differences of step 1e-5, of l and of its gradient, err by a third derivative times 1e-10 and by
   rounding of about 1e-11. */
static void slopes_are_differences(void **state)
{
    const double theta[I] = { 0.3, -1.2, 2.0, 0.0 }, step = 1e-5;
    assay_grid *grid = drawn(7, 0.8);
    assay_marginal_cells cells;
    assay_marginal_point point;
    assay_item_prior items;
    double gradient[I], information[I * I], up[I], down[I], unused[I * I], moved[I];

    (void)state;
    assay_item_prior_set(2.7, &items);
    assert_ok(assay_marginal_cells_new(grid, NULL, NULL, &cells));
    assert_ok(assay_marginal_point_new(&cells, &point));
    assay_marginal_evaluate(&cells, &items, theta, &point);
    assert_ok(assay_marginal_slope(&cells, &point, gradient, information));
    for (size_t i = 0; i < I; i++) {
        memcpy(moved, theta, sizeof moved);
        moved[i] = theta[i] + step;
        assay_marginal_evaluate(&cells, &items, moved, &point);
        assert_ok(assay_marginal_slope(&cells, &point, up, unused));
        double above = point.log_likelihood;

        moved[i] = theta[i] - step;
        assay_marginal_evaluate(&cells, &items, moved, &point);
        assert_ok(assay_marginal_slope(&cells, &point, down, unused));
        assert_near(gradient[i], (above - point.log_likelihood) / (2.0 * step), 1e-8);
        for (size_t k = 0; k <= i; k++)
            assert_near(information[i * I + k], (down[k] - up[k]) / (2.0 * step), 1e-8);
    }
    assay_marginal_point_free(&point);
    assay_marginal_cells_free(&cells);
    assay_grid_free(grid);
}

/* precision times (9 11' + s^2 ((1 - f) I + f Kx)) is the unit matrix, and the determinant is by Cholesky. */
static void the_prior_is_its_definition(void **state)
{
    const double x[I * 2] = { 1, 0, 0, 1, 2, 2, -1, 0.5 }, s = 0.7, f = 0.4;
    double centred[I * 2], covariance[I * I], shared[I * I], trace = 0.0, log_determinant = 0.0;
    assay_effect_kernel kernel;
    assay_effect_prior prior = { .precision = (double[I * I]){ 0.0 } };

    (void)state;
    for (size_t c = 0; c < 2; c++) {
        double mean = 0.0;

        for (size_t i = 0; i < I; i++) mean += x[2 * i + c] / I;
        for (size_t i = 0; i < I; i++) centred[2 * i + c] = x[2 * i + c] - mean;
    }
    for (size_t k = 0; k < I * 2; k++) trace += centred[k] * centred[k];
    for (size_t i = 0; i < I; i++)
        for (size_t k = 0; k < I; k++) {
            double inner =
                centred[2 * i] * centred[2 * k] + centred[2 * i + 1] * centred[2 * k + 1];

            shared[i * I + k] = 9.0 + s * s * f * inner * I / trace;
            covariance[i * I + k] = shared[i * I + k] + (i == k ? s * s * (1.0 - f) : 0.0);
        }
    assert_ok(assay_effect_kernel_new(x, I, 2, &kernel));
    assert_int_equal(kernel.rank, 2);
    assay_effect_prior_set(&kernel, s, f, &prior);
    for (size_t i = 0; i < I; i++)
        for (size_t k = 0; k < I; k++) {
            double product = 0.0;

            for (size_t l = 0; l < I; l++)
                product += prior.precision[i * I + l] * covariance[l * I + k];
            assert_near(product, i == k, 1e-10); /* the condition is about 100 */
        }
    assert_int_equal(assay_linalg_factor_definite(I, covariance), 0);
    for (size_t i = 0; i < I; i++) log_determinant += 2.0 * log(covariance[i * I + i]);
    assert_near(prior.log_determinant, log_determinant, 1e-10);
    assay_effect_prior_shared(&kernel, s, f, covariance);
    for (size_t k = 0; k < I * I; k++) assert_near(covariance[k], shared[k], 1e-12);
    assay_effect_kernel_free(&kernel);
}

/* Covariates that do not vary say nothing. */
static void constant_covariates_make_no_kernel(void **state)
{
    const double x[I] = { 2, 2, 2, 2 };
    assay_effect_kernel kernel;

    (void)state;
    assert_ok(assay_effect_kernel_new(x, I, 1, &kernel));
    assert_int_equal(kernel.rank, 0);
    assay_effect_kernel_free(&kernel);
}

/* Two templates with 40 items each: the integral over the plane by a fine rule. Laplace's evidence is right to
   its next term, of the order of 1 / 40. */
static void the_evidence_is_the_integral(void **state)
{
    enum { N = 40, FINE = 400 };
    double scores[2 * N], gradient[2], information[4], factor[4], theta[2] = { 0.0, 0.0 };
    double evidence, again, sum = 0.0, step = 12.0 / FINE;
    assay_grid *grid;
    assay_marginal_cells cells;
    assay_marginal_point point;
    assay_item_prior items;
    assay_effect_kernel kernel;
    assay_effect_prior prior = { .precision = (double[4]){ 0.0 } };

    (void)state;
    for (size_t k = 0; k < 2 * N; k++) scores[k] = k % 3 != 0 || (k > N && k % 2);
    grid = grid_of(scores, 2, N);
    assay_item_prior_set(1.0, &items);
    assert_ok(assay_marginal_cells_new(grid, NULL, NULL, &cells));
    assert_ok(assay_marginal_point_new(&cells, &point));
    assert_ok(assay_effect_kernel_new(NULL, 2, 0, &kernel));
    assay_effect_prior_set(&kernel, 0.6, 0.0, &prior);
    assert_ok(assay_marginal_mode(&cells, &items, &prior, 0, theta, &point, gradient, information,
                                  factor, &evidence));
    /* At the mode already: no step, and nothing is found again. */
    assert_ok(assay_marginal_mode(&cells, &items, &prior, 1, theta, &point, gradient, information,
                                  factor, &again));
    assert_true(again == evidence);
    for (int a = 0; a < FINE; a++)
        for (int b = 0; b < FINE; b++) {
            double at[2] = { -6.0 + (a + 0.5) * step, -6.0 + (b + 0.5) * step }, square;

            square = prior.precision[0] * at[0] * at[0] + prior.precision[3] * at[1] * at[1] +
                     2.0 * prior.precision[1] * at[0] * at[1];
            assay_marginal_evaluate(&cells, &items, at, &point);
            sum += exp(point.log_likelihood - evidence - 0.5 * square);
        }
    sum *= step * step / 6.28318530717958648 * exp(-0.5 * prior.log_determinant);
    assert_near(log(sum), 0.0, 0.02);
    assay_effect_kernel_free(&kernel);
    assay_marginal_point_free(&point);
    assay_marginal_cells_free(&cells);
    assay_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_likelihood_is_the_naive_sum),
        cmocka_unit_test(slopes_are_differences),
        cmocka_unit_test(the_prior_is_its_definition),
        cmocka_unit_test(constant_covariates_make_no_kernel),
        cmocka_unit_test(the_evidence_is_the_integral),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
