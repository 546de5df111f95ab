/* SPDX-License-Identifier: Apache-2.0 */
/*
 * logit P(y_ij = 1) = theta_i + b_j,  b_j ~ N(0, r^2),
 * theta = level + s (sqrt(1 - f) own + sqrt(f) of the covariates),  level ~ N(0, 9).
 *
 * 1. Items are integrated out on a grid of nodes (marginal_items): the joint mode over templates and
 *    items would be biased, as every item has few cells.
 * 2. The mode of theta and Laplace's evidence (marginal_mode) for every spread s of a list and
 *    share f of the covariates, at the r where it is highest (marginal_search).
 * 3. Each template's own law (marginal_tilt), and a prior of the own effects of any shape.
 * 4. Averages over all (s, f): expectations (marginal_expect) and draws (marginal_draws).
 */
#include "templates/marginal.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"
#include "stats/quantile.h"
#include "templates/grid.h"
#include "templates/interval.h"
#include "templates/marginal_estimates.h"
#include "templates/marginal_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    assay_marginal_cells cells;
    assay_effect_kernel kernel;
    assay_mode_search search;
    double *density; /* room for those of a tilt */
    assay_tilt tilts[ASSAY_EFFECT_SPREADS * ASSAY_SHARES];
    size_t n_tilts;
} work;

static assay_status take_known(const assay_grid *grid, const assay_templates_options *options,
                               assay_templates *fit);
static assay_status make_room(const assay_grid *grid, const assay_templates_options *options,
                              work *w);
static void free_room(work *w);
static assay_status find_tilts(work *w);
static void weigh(work *w);
static assay_status estimate(work *w, const assay_templates_options *options, assay_templates *fit);

assay_status assay_marginal_fit(const assay_grid *grid, const assay_templates_options *options,
                                assay_templates *fit)
{
    work w = { 0 };
    assay_status status;

    if (grid->n_cells == grid->n_templates * grid->n_items) return take_known(grid, options, fit);
    status = make_room(grid, options, &w);
    assay_blas_hold();
    if (status == ASSAY_OK) status = assay_mode_search_run(&w.search);
    if (status == ASSAY_OK) status = find_tilts(&w);
    if (status == ASSAY_OK) weigh(&w);
    if (status == ASSAY_OK) status = estimate(&w, options, fit);
    assay_blas_release();
    free_room(&w);
    return status;
}

/* Every cell was run: the scores are known, and so are all draws of them. */
static assay_status take_known(const assay_grid *grid, const assay_templates_options *options,
                               assay_templates *fit)
{
    assay_marginal_cells cells;
    size_t n = grid->n_templates, n_draws = options->n_draws;
    double *draws = NULL;
    assay_status status =
        assay_marginal_cells_new(grid, options->template_keys, options->item_keys, &cells);

    for (size_t i = 0; i < n && status == ASSAY_OK; i++) {
        double score = cells.observed[i] / (double)grid->n_items;

        fit->sorted[i] = fit->scores[cells.template_at[i]] = score;
        fit->mean += score / (double)n;
    }
    if (status == ASSAY_OK) assay_sort_numbers(fit->sorted, n);
    if (status == ASSAY_OK && n_draws) {
        draws = assay_alloc(n_draws, n * sizeof *draws);
        if (!draws) status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu scores", n);
    }
    for (size_t k = 0; draws && k < n_draws * n; k++)
        draws[k] = cells.observed[k % n] / (double)grid->n_items;
    if (draws) status = assay_templates_take_draws(fit, draws, cells.template_at, options);
    free(draws);
    assay_marginal_cells_free(&cells);
    return status;
}

/* The covariates in the order of the cells. */
static double *reorder(const double *x, size_t d, const assay_marginal_cells *cells)
{
    double *out = assay_alloc(cells->n_templates, d * sizeof *out);

    for (size_t i = 0; out && i < cells->n_templates; i++)
        memcpy(out + i * d, x + cells->template_at[i] * d, d * sizeof *out);
    return out;
}

static assay_status make_room(const assay_grid *grid, const assay_templates_options *options,
                              work *w)
{
    assay_status status =
        assay_marginal_cells_new(grid, options->template_keys, options->item_keys, &w->cells);
    size_t n = w->cells.n_templates;
    double *x = NULL;

    if (status == ASSAY_OK && options->x) {
        x = reorder(options->x, options->n_x, &w->cells);
        if (!x) status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu covariates", options->n_x);
    }
    if (status == ASSAY_OK) status = assay_effect_kernel_new(x, n, options->n_x, &w->kernel);
    free(x);
    if (status == ASSAY_OK)
        status = assay_mode_search_new(&w->cells, &w->kernel, options->progress, &w->search);
    if (status != ASSAY_OK) return status;
    w->density = assay_alloc(n, (size_t)ASSAY_LAW_POINTS * ASSAY_PRIOR_PARTS * sizeof(double));
    return w->density ? ASSAY_OK
                      : assay_fail(ASSAY_E_NOMEM, "no memory for the laws of %zu templates", n);
}

static void free_room(work *w)
{
    for (size_t k = 0; k < w->n_tilts; k++) assay_tilt_free(&w->tilts[k]);
    assay_mode_search_free(&w->search);
    assay_effect_kernel_free(&w->kernel);
    assay_marginal_cells_free(&w->cells);
    free(w->density);
}

/* ---- tilts ---- */

/* A tilt owns its mode and factor: it takes those found. */
static assay_status find_tilt(work *w, assay_found_mode *found, assay_tilt *tilt)
{
    assay_status status = assay_mode_search_step(&w->search);

    *tilt = (assay_tilt){ .s = found->s, .f = found->f, .evidence = found->evidence };
    tilt->own_sd = tilt->s * sqrt(1.0 - tilt->f);
    assay_item_prior_set(found->r, &tilt->items);
    tilt->mode = found->theta;
    tilt->factor = found->factor;
    found->theta = found->factor = NULL;
    if (status != ASSAY_OK) return status;
    return assay_tilt_find(&w->cells, &w->kernel, found->gradient, found->information, w->density,
                           tilt);
}

static assay_status find_tilts(work *w)
{
    assay_status status = ASSAY_OK;

    for (size_t f = 0; f < ASSAY_SHARES; f++) {
        for (size_t s = 0; s < ASSAY_EFFECT_SPREADS && status == ASSAY_OK; s++) {
            assay_found_mode *found = &w->search.modes[w->search.r][s][f];

            if (found->factor) status = find_tilt(w, found, &w->tilts[w->n_tilts++]);
        }
    }
    return status;
}

/* weight += share exp(evidence - the highest) / sum of them, of tilts without covariates or of all; those
   below a hundredth of the highest get none. */
static void add_weights(work *w, int only_without, double share)
{
    double most = -INFINITY, sum = 0.0;

    for (size_t k = 0; k < w->n_tilts; k++)
        if ((!only_without || w->tilts[k].f == 0.0) && w->tilts[k].evidence > most)
            most = w->tilts[k].evidence;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < w->n_tilts; k++) {
            double weight = exp(w->tilts[k].evidence - most);

            if ((only_without && w->tilts[k].f > 0.0) || weight <= 0.01) continue;
            if (pass == 0)
                sum += weight;
            else
                w->tilts[k].weight += share * weight / sum;
        }
    }
}

/* With covariates half of the weight stays on none: they are not to be relied upon alone. */
static void weigh(work *w)
{
    size_t kept = 0;

    add_weights(w, 1, w->kernel.rank > 0 ? 0.5 : 1.0);
    if (w->kernel.rank > 0) add_weights(w, 0, 0.5);
    for (size_t k = 0; k < w->n_tilts; k++) {
        if (w->tilts[k].weight > 0.0)
            w->tilts[kept++] = w->tilts[k];
        else
            assay_tilt_free(&w->tilts[k]);
    }
    w->n_tilts = kept;
}

/* ---- estimates ---- */

static assay_status estimate(work *w, const assay_templates_options *options, assay_templates *fit)
{
    const assay_marginal_cells *cells = &w->cells;
    const assay_marginal_mixture mixture = { cells, w->tilts, w->n_tilts };
    size_t n = cells->n_templates;
    double *scores = assay_alloc(n, sizeof *scores), *theta = assay_alloc(n, sizeof *theta);
    double *effects = assay_alloc(cells->n_seen, sizeof *effects), *draws = NULL;
    assay_status status = ASSAY_OK;

    fit->n_items = cells->n_items;
    fit->theta = assay_alloc(n, sizeof *fit->theta);
    fit->beta = assay_alloc_zero(cells->n_items, sizeof *fit->beta);
    if (options->n_draws) draws = assay_alloc(options->n_draws, n * sizeof *draws);
    if (!scores || !theta || !effects || !fit->theta || !fit->beta || (options->n_draws && !draws))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the scores of %zu templates", n);
    if (status == ASSAY_OK)
        status = assay_marginal_expect(&mixture, scores, theta, effects, fit->sorted);
    for (size_t i = 0; i < n && status == ASSAY_OK; i++) {
        fit->scores[cells->template_at[i]] = scores[i];
        fit->theta[cells->template_at[i]] = theta[i];
        fit->mean += scores[i] / (double)n; /* in the order of the keys */
    }
    for (size_t j = 0; j < cells->n_seen && status == ASSAY_OK; j++)
        fit->beta[cells->item_at[j]] = effects[j];
    if (status == ASSAY_OK && draws)
        status = assay_marginal_draw(&mixture, options->n_draws, options->seed, draws);
    if (status == ASSAY_OK && draws)
        status = assay_templates_take_draws(fit, draws, cells->template_at, options);
    free(scores);
    free(theta);
    free(effects);
    free(draws);
    return status;
}
