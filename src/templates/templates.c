/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/templates.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "stats/linalg.h"
#include "stats/quantile.h"
#include "templates/covariates.h"
#include "templates/design.h"
#include "templates/grid.h"
#include "templates/marginal.h"
#include "templates/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status resolve_options(const assay_templates_options *given,
                                    assay_templates_options *options);
static assay_status check_covariates(const assay_grid *grid,
                                     const assay_templates_options *options);
static void average(const assay_grid *grid, int faithful, assay_templates *fit);
static void sort_scores(assay_templates *fit);
static double mean_of(const double *scores, size_t n);
static assay_status regress(const assay_grid *grid, const assay_templates_options *options,
                            assay_templates *fit);
static assay_status effects(const assay_grid *grid, const assay_templates_options *options,
                            const assay_design *design, assay_templates *fit);

assay_status assay_templates_fit(const assay_grid *grid, const assay_templates_options *given,
                                 assay_templates **out)
{
    assay_templates_options options;
    assay_templates *fit = NULL;
    assay_status status;

    *out = NULL;
    if ((status = resolve_options(given, &options)) != ASSAY_OK) goto done;
    if ((status = check_covariates(grid, &options)) != ASSAY_OK) goto done;
    fit = assay_alloc_zero(1, sizeof *fit);
    if (fit) fit->scores = assay_alloc_zero(grid->n_templates, sizeof *fit->scores);
    if (fit) fit->sorted = assay_alloc(grid->n_templates, sizeof *fit->sorted);
    if (!fit || !fit->scores || !fit->sorted) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu templates", grid->n_templates);
        goto done;
    }
    fit->n_templates = grid->n_templates;
    fit->n_cells = grid->n_cells;
    fit->method = options.method;
    fit->converged = 1;
    if (options.method == ASSAY_TEMPLATES_MARGINAL)
        status = assay_marginal_fit(grid, &options, fit);
    else if (options.method == ASSAY_TEMPLATES_AVG)
        average(grid, options.faithful, fit);
    else
        status = regress(grid, &options, fit);
    if (status != ASSAY_OK) goto done;
    if (options.method != ASSAY_TEMPLATES_MARGINAL) sort_scores(fit);
    if (options.method != ASSAY_TEMPLATES_MARGINAL)
        fit->mean = mean_of(fit->scores, fit->n_templates);
    *out = fit;
    fit = NULL;
done:
    assay_templates_free(fit);
    return status;
}

void assay_templates_free(assay_templates *fit)
{
    if (!fit) return;
    free(fit->scores);
    free(fit->theta);
    free(fit->beta);
    free(fit->weights);
    free(fit->sorted);
    free(fit->score_intervals);
    free(fit->sorted_draws);
    free(fit->band);
    free(fit);
}

/* ---- options ---- */

void assay_templates_options_init(assay_templates_options *options, size_t struct_size)
{
    const assay_templates_options defaults = {
        .struct_size = struct_size,
        .method = ASSAY_TEMPLATES_PE,
        .c = 100.0,
        .max_iterations = 100,
        .tolerance = 1e-4,
        .seed = 1,
        .n_draws = 200,
        .level = 0.9,
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* Draws: at most; and how many at least are to lie beyond an interval, five on either side. */
enum { MOST_DRAWS = 1000000, LEAST_BEYOND = 10 };

static assay_status resolve_options(const assay_templates_options *given,
                                    assay_templates_options *options)
{
    double least_draws;
    assay_status status;

    assay_templates_options_init(options, sizeof *options);
    status = assay_options_take("templates", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if ((unsigned)options->method > ASSAY_TEMPLATES_MARGINAL)
        return assay_fail(ASSAY_E_VALUE, "templates: there is no method %d", (int)options->method);
    if (!(options->c > 0.0 && options->c <= 1e12))
        return assay_fail(ASSAY_E_VALUE, "templates: C is %g, expected above 0, to 1e12",
                          options->c);
    if (options->max_iterations < 1)
        return assay_fail(ASSAY_E_VALUE, "templates: max_iterations is %d, expected 1 or more",
                          options->max_iterations);
    if (!(options->tolerance > 0.0))
        return assay_fail(ASSAY_E_VALUE, "templates: tolerance is %g, expected above 0",
                          options->tolerance);
    if (options->z && options->method != ASSAY_TEMPLATES_PE)
        return assay_fail(ASSAY_E_VALUE, "templates: covariates of items are for PE only");
    if (!(options->level > 0.0 && options->level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "templates: the level is %g, expected above 0, below 1",
                          options->level);
    least_draws = ceil(LEAST_BEYOND / (1.0 - options->level) - 1e-6);
    if (options->n_draws > MOST_DRAWS ||
        (options->n_draws > 0 && (double)options->n_draws < least_draws))
        return assay_fail(ASSAY_E_VALUE,
                          "templates: %zu draws for intervals at the level %g, expected 0, or %.0f "
                          "to %d",
                          options->n_draws, options->level, least_draws, MOST_DRAWS);
    if (options->x && options->method == ASSAY_TEMPLATES_AVG)
        return assay_fail(ASSAY_E_VALUE, "templates: the average has no use for covariates");
    return ASSAY_OK;
}

static assay_status check_matrix(const char *name, const double *x, size_t n, size_t d, int rank)
{
    if (!x) return ASSAY_OK;
    if (d == 0) return assay_fail(ASSAY_E_SHAPE, "the covariates of %s have no column", name);
    for (size_t k = 0; k < n * d; k++)
        if (!isfinite(x[k]))
            return assay_fail(ASSAY_E_VALUE, "covariate %zu of %s %zu is %g", k % d, name, k / d,
                              x[k]);
    return rank ? assay_check_full_rank(name, x, n, d) : ASSAY_OK;
}

static assay_status check_covariates(const assay_grid *grid, const assay_templates_options *options)
{
    int rank = options->method == ASSAY_TEMPLATES_PE;
    assay_status status =
        check_matrix("templates", options->x, grid->n_templates, options->n_x, rank);

    if (status != ASSAY_OK) return status;
    return check_matrix("items", options->z, grid->n_items, options->n_z, rank);
}

/* ---- methods ---- */

static double mean_of(const double *scores, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) sum += scores[i];
    return sum / (double)n;
}

static void sort_scores(assay_templates *fit)
{
    memcpy(fit->sorted, fit->scores, fit->n_templates * sizeof *fit->sorted);
    assay_sort_numbers(fit->sorted, fit->n_templates);
}

/* A template without a cell gets the mean over all cells, and 1 from the released formula. */
static void average(const assay_grid *grid, int faithful, assay_templates *fit)
{
    double all = 0.0, small = faithful ? 1e-10 : 0.0;

    for (size_t k = 0; k < grid->n_cells; k++) all += grid->score[k];
    for (size_t i = 0; i < grid->n_templates; i++) {
        double n = (double)(grid->start[i + 1] - grid->start[i]), sum = 0.0;

        for (size_t k = grid->start[i]; k < grid->start[i + 1]; k++) sum += grid->score[k];
        fit->scores[i] =
            n > 0.0 || faithful ? (sum + small) / (n + small) : all / (double)grid->n_cells;
    }
}

static assay_status regress(const assay_grid *grid, const assay_templates_options *options,
                            assay_templates *fit)
{
    assay_logistic_fit solved = { 0 };
    assay_design design;
    assay_status status = assay_design_new(grid, options, &design);
    size_t n_kept = design.problem.n_kept, n_levels = design.problem.n_levels;
    int levels_first = design.eliminated == ASSAY_ELIMINATE_TEMPLATES;

    if (status != ASSAY_OK) goto done;
    fit->n_weights = n_kept + n_levels;
    fit->weights = assay_alloc(fit->n_weights, sizeof *fit->weights);
    if (!fit->weights) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu coefficients", fit->n_weights);
        goto done;
    }
    solved.kept = fit->weights + (levels_first ? n_levels : 0);
    solved.levels = fit->weights + (levels_first ? 0 : n_kept);
    assay_blas_hold();
    status =
        assay_logistic_solve(&design.problem, options->max_iterations, options->tolerance, &solved);
    assay_blas_release();
    if (status != ASSAY_OK) goto done;
    fit->iterations = solved.iterations;
    fit->converged = solved.converged;
    fit->objective = solved.objective;
    status = effects(grid, options, &design, fit);
done:
    assay_design_free(&design);
    return status;
}

/* n effects: x_i'w, or w itself and 0 beyond its end. */
static void effects_of(const double *x, size_t n, const double *w, size_t d, double *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = !x && i < d ? w[i] : 0.0;
        for (size_t k = 0; x && k < d; k++) out[i] += x[i * d + k] * w[k];
    }
}

static assay_status effects(const assay_grid *grid, const assay_templates_options *options,
                            const assay_design *design, assay_templates *fit)
{
    size_t n_t = design->n_template_effects, n_i = design->n_item_effects;

    fit->n_items = grid->n_items;
    fit->theta = assay_alloc(grid->n_templates, sizeof *fit->theta);
    fit->beta = assay_alloc(grid->n_items, sizeof *fit->beta);
    if (!fit->theta || !fit->beta)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the effects of %zu templates and %zu items",
                          grid->n_templates, grid->n_items);
    effects_of(options->x, grid->n_templates, fit->weights, n_t, fit->theta);
    effects_of(options->z, grid->n_items, fit->weights + n_t, n_i, fit->beta);
    if (design->has_constant) fit->constant = fit->weights[n_t + n_i];
    if (options->faithful && options->method == ASSAY_TEMPLATES_LOGREG && !options->x)
        fit->constant = fit->weights[n_t - 1];
    return assay_predict_scores(grid, fit->theta, fit->beta, fit->constant, fit->scores);
}

/* ---- getters ---- */

const double *assay_templates_scores(const assay_templates *fit, size_t *n)
{
    *n = fit->n_templates;
    return fit->scores;
}

const double *assay_templates_distribution(const assay_templates *fit, size_t *n)
{
    *n = fit->n_templates;
    return fit->sorted;
}

double assay_templates_mean(const assay_templates *fit)
{
    return fit->mean;
}

const double *assay_templates_theta(const assay_templates *fit, size_t *n)
{
    *n = fit->theta ? fit->n_templates : 0;
    return fit->theta;
}

const double *assay_templates_beta(const assay_templates *fit, size_t *n)
{
    *n = fit->beta ? fit->n_items : 0;
    return fit->beta;
}

double assay_templates_constant(const assay_templates *fit)
{
    return fit->constant;
}

const double *assay_templates_weights(const assay_templates *fit, size_t *n)
{
    *n = fit->n_weights;
    return fit->weights;
}

int assay_templates_iterations(const assay_templates *fit)
{
    return fit->iterations;
}

int assay_templates_converged(const assay_templates *fit)
{
    return fit->converged;
}

double assay_templates_objective(const assay_templates *fit)
{
    return fit->objective;
}
