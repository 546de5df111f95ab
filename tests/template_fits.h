/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of templates share: fits, random grids, and the scores by their definition. */
#ifndef TESTS_TEMPLATE_FITS_H
#define TESTS_TEMPLATE_FITS_H

#include "assay/templates.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct shape {
    size_t n_templates, n_items;
    double share;
};

static inline void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g is not %.17g +- %g", got, want, tolerance);
}

static inline void assert_ok(assay_status status)
{
    if (status != ASSAY_OK) fail_msg("%s", assay_last_error());
}

static inline assay_templates_options defaults(void)
{
    assay_templates_options options;

    assay_templates_options_init(&options, sizeof options);
    return options;
}

static inline assay_grid *grid_of(const double *y, size_t n_templates, size_t n_items)
{
    assay_grid *grid;

    assert_int_equal(assay_grid_from_scores(y, n_templates, n_items, &grid), ASSAY_OK);
    return grid;
}

static inline assay_templates *fit_grid(const assay_grid *grid,
                                        const assay_templates_options *options)
{
    assay_templates *fit;

    assert_int_equal(assay_templates_fit(grid, options, &fit), ASSAY_OK);
    return fit;
}

static inline double score(const assay_templates *fit, size_t i)
{
    size_t n;
    const double *scores = assay_templates_scores(fit, &n);

    assert_true(i < n);
    return scores[i];
}

/* A Rasch grid with holes; at least one cell. */
static inline double *random_grid(size_t n_templates, size_t n_items, double share, uint64_t seed)
{
    double *y = malloc(n_templates * n_items * sizeof *y), *ease = malloc(n_items * sizeof *ease);
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t j = 0; j < n_items; j++) ease[j] = 1.5 * assay_random_normal(&random);
    for (size_t i = 0; i < n_templates; i++) {
        double theta = 0.5 * assay_random_normal(&random);

        for (size_t j = 0; j < n_items; j++) {
            double p = 1.0 / (1.0 + exp(-theta - ease[j]));
            double right = assay_random_uniform(&random) < p;

            y[i * n_items + j] = assay_random_uniform(&random) < share ? right : NAN;
        }
    }
    if (isnan(y[0])) y[0] = 1.0;
    free(ease);
    return y;
}

static inline double *random_covariates(size_t n, size_t d, uint64_t seed)
{
    double *x = malloc(n * d * sizeof *x);
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t k = 0; k < n * d; k++) x[k] = assay_random_normal(&random);
    return x;
}

/* By the definition: the mean of what was seen and of the sigmoid where it was not. */
static inline double slow_score(const double *y, size_t n_items, const assay_templates *fit,
                                size_t i)
{
    size_t n;
    const double *theta = assay_templates_theta(fit, &n), *beta = assay_templates_beta(fit, &n);
    double sum = 0.0;

    for (size_t j = 0; j < n_items; j++) {
        double logit = theta[i] + beta[j] + assay_templates_constant(fit);

        logit = fmax(-30.0, fmin(30.0, logit));
        sum += isnan(y[i * n_items + j]) ? 1.0 / (1.0 + exp(-logit)) : y[i * n_items + j];
    }
    return sum / (double)n_items;
}

#endif
