/* SPDX-License-Identifier: Apache-2.0 */
/*
 * logit P(y_ij = 1) = theta_i + b_j,  b_j ~ N(0, r^2),
 * theta = level + s (sqrt(1 - f) own + sqrt(f) of the covariates),  level ~ N(0, 9).
 *
 * 1. Items are integrated out on a grid of nodes (marginal_items): the joint mode over templates and
 *    items would be biased, as every item has few cells.
 * 2. The mode of theta and Laplace's evidence (marginal_mode) for every spread s of a list and
 *    share f of the covariates; r is where the evidence is highest. Priors: s half-Cauchy(1),
 *    log r ~ N(log 2.5, .8^2).
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

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double spreads[] = { .1, .2, .35, .6, 1.0, 1.7, 2.8, 4.5 }; /* s */
static const double item_spreads[] = { .5, 1.0, 1.7, 2.7, 4.2 };         /* r */
static const double shares[] = { 0.0, .4, .8 };                          /* f */
enum { SPREADS = 8, ITEM_SPREADS = 5, SHARES = 3, FIRST_ITEM_SPREAD = 3 };

/* How far an (s, f) may be below the best before its tilt: laws far from normal gain several. */
static const double window_without = 10.0, window_with = 6.0;

/* How far spreads are followed past the best while only that is sought. */
static const double window_search = 1.0;

/* The mode at one (r, s, f), and what a tilt needs of the climb that found it. */
typedef struct mode {
    int is_found;
    double evidence;                        /* with the priors of r and s */
    double *theta, *gradient, *information; /* n each: of l there, of its Hessian the diagonal */
    double *factor; /* n x n: of the Hessian; NULL once there will be no tilt */
} mode;

typedef struct work {
    assay_marginal_cells cells;
    assay_effect_kernel kernel;
    assay_effect_prior prior;
    assay_item_prior items;
    assay_marginal_point point;
    double *gradient, *information, *density;
    double *start; /* where Newton's method begins */
    double *at;    /* where the point, gradient and information are, with item spread at_r */
    size_t at_r;
    mode modes[ITEM_SPREADS][SPREADS][SHARES];
    size_t r; /* the item spread chosen */
    assay_tilt tilts[SPREADS * SHARES];
    size_t n_tilts;
    assay_progress progress;
    int n_climbs;
} work;

static assay_status take_known(const assay_grid *grid, const assay_templates_options *options,
                               assay_templates *fit);
static assay_status make_room(const assay_grid *grid, const assay_templates_options *options,
                              work *w);
static void free_room(work *w);
static assay_status choose_item_spread(work *w);
static assay_status find_tilts(work *w);
static void weigh(work *w);
static assay_status estimate(work *w, const assay_templates_options *options, assay_templates *fit);

assay_status assay_marginal_fit(const assay_grid *grid, const assay_templates_options *options,
                                assay_templates *fit)
{
    work w = { .progress = options->progress };
    assay_status status;

    if (grid->n_cells == grid->n_templates * grid->n_items) return take_known(grid, options, fit);
    status = make_room(grid, options, &w);
    assay_blas_hold();
    if (status == ASSAY_OK) status = choose_item_spread(&w);
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
    double mean = 0.5, *x = NULL;

    if (status == ASSAY_OK) status = assay_marginal_point_new(&w->cells, &w->point);
    if (status == ASSAY_OK && options->x) {
        x = reorder(options->x, options->n_x, &w->cells);
        if (!x) status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu covariates", options->n_x);
    }
    if (status == ASSAY_OK) status = assay_effect_kernel_new(x, n, options->n_x, &w->kernel);
    free(x);
    w->prior.precision = assay_alloc(n, n * sizeof(double));
    w->gradient = assay_alloc(n, sizeof(double));
    w->information = assay_alloc(n, n * sizeof(double));
    w->density = assay_alloc(n, (size_t)ASSAY_LAW_POINTS * ASSAY_PRIOR_PARTS * sizeof(double));
    w->start = assay_alloc(n, sizeof(double));
    w->at = assay_alloc(n, sizeof(double));
    w->at_r = ITEM_SPREADS;
    if (status != ASSAY_OK) return status;
    if (!w->prior.precision || !w->gradient || !w->information || !w->density || !w->start ||
        !w->at)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the covariance of %zu templates", n);
    for (size_t c = 0; c < w->cells.n; c++) mean += w->cells.y[c];
    mean /= (double)w->cells.n + 1.0;
    for (size_t i = 0; i < n; i++) w->start[i] = log(mean / (1.0 - mean));
    return ASSAY_OK;
}

static void free_mode(mode *found)
{
    free(found->theta);
    free(found->gradient);
    free(found->information);
    free(found->factor);
}

static void free_room(work *w)
{
    for (size_t r = 0; r < ITEM_SPREADS; r++)
        for (size_t s = 0; s < SPREADS; s++)
            for (size_t f = 0; f < SHARES; f++) free_mode(&w->modes[r][s][f]);
    for (size_t k = 0; k < w->n_tilts; k++) assay_tilt_free(&w->tilts[k]);
    assay_marginal_cells_free(&w->cells);
    assay_marginal_point_free(&w->point);
    assay_effect_kernel_free(&w->kernel);
    free(w->prior.precision);
    free(w->gradient);
    free(w->information);
    free(w->density);
    free(w->start);
    free(w->at);
}

/* ---- modes ---- */

static double log_prior_spread(double s)
{
    return log(s) - log1p(s * s);
}

static double log_prior_item_spread(double r)
{
    double z = log(r / 2.5) / 0.8;

    return -0.5 * z * z;
}

/* Newton's method from found->theta on. Item spreads alone change l: where the climb before ended at
   that theta, what was found there is not found again. */
static assay_status climb(work *w, size_t r, size_t s, size_t f, mode *found)
{
    const double about = 25.0; /* climbs in all */
    double done = w->n_climbs++ / about;
    size_t n = w->cells.n_templates;
    int is_there = w->at_r == r && memcmp(w->at, found->theta, n * sizeof *w->at) == 0;
    assay_status status;

    if (w->progress.step && w->progress.step(w->progress.user, "templates", fmin(done, 0.95)))
        return assay_fail(ASSAY_E_CANCELLED, "cancelled in templates");
    assay_item_prior_set(item_spreads[r], &w->items);
    assay_effect_prior_set(&w->kernel, spreads[s], shares[f], &w->prior);
    status = assay_marginal_mode(&w->cells, &w->items, &w->prior, is_there, found->theta, &w->point,
                                 w->gradient, w->information, found->factor, &found->evidence);
    if (status != ASSAY_OK) return status;
    found->evidence += log_prior_spread(spreads[s]) + log_prior_item_spread(item_spreads[r]);
    memcpy(w->at, found->theta, n * sizeof *w->at);
    w->at_r = r;
    memcpy(found->gradient, w->gradient, n * sizeof *found->gradient);
    for (size_t i = 0; i < n; i++) found->information[i] = w->information[i * n + i];
    return ASSAY_OK;
}

static void drop_factor(mode *found)
{
    free(found->factor);
    found->factor = NULL;
}

/* Of those at an item spread that are too far below the best found to have a tilt: the factors, which
   are large. */
static void drop_hopeless(work *w, size_t r)
{
    double without = -INFINITY, all = -INFINITY;

    for (size_t s = 0; s < SPREADS; s++) {
        for (size_t f = 0; f < SHARES; f++) {
            const mode *found = &w->modes[r][s][f];

            if (!found->is_found) continue;
            if (f == 0 && found->evidence > without) without = found->evidence;
            if (found->evidence > all) all = found->evidence;
        }
    }
    for (size_t f = 0; f < SHARES; f++) {
        double least = f == 0 ? without - window_without : all - window_with;

        for (size_t s = 0; s < SPREADS; s++)
            if (w->modes[r][s][f].evidence < least) drop_factor(&w->modes[r][s][f]);
    }
}

/* The mode at (r, s, f), found once; it begins at theta. */
static assay_status find_mode(work *w, size_t r, size_t s, size_t f, const double *theta)
{
    size_t n = w->cells.n_templates;
    mode *found = &w->modes[r][s][f];
    assay_status status;

    if (found->is_found) return ASSAY_OK;
    found->theta = assay_alloc(n, sizeof *found->theta);
    found->gradient = assay_alloc(n, sizeof *found->gradient);
    found->information = assay_alloc(n, sizeof *found->information);
    found->factor = assay_alloc(n, n * sizeof *found->factor);
    if (!found->theta || !found->gradient || !found->information || !found->factor)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the covariance of %zu templates", n);
    memcpy(found->theta, theta, n * sizeof *found->theta);
    found->is_found = 1;
    status = climb(w, r, s, f, found);
    if (status == ASSAY_OK) drop_hopeless(w, r);
    return status;
}

/* Spreads at an item spread, each from the mode before, until one is past the best and by window below it: wider
   ones are more so. The best of them. */
static assay_status find_spreads(work *w, size_t r, double window, size_t *best)
{
    const double *from = w->start;
    assay_status status = ASSAY_OK;

    *best = 0;
    for (size_t s = 0; s < SPREADS && status == ASSAY_OK; s++) {
        status = find_mode(w, r, s, 0, from);
        from = w->modes[r][s][0].theta;
        if (w->modes[r][s][0].evidence > w->modes[r][*best][0].evidence) *best = s;
        if (w->modes[r][s][0].evidence < w->modes[r][*best][0].evidence - window) break;
    }
    return status;
}

/* From the item spread w->r up, or else down, as long as the evidence rises. */
static assay_status climb_item_spreads(work *w, size_t s, size_t *best)
{
    assay_status status = ASSAY_OK;

    *best = w->r;
    for (int is_up = 1; is_up >= 0 && *best == w->r; is_up--) {
        while (status == ASSAY_OK && (is_up ? *best + 1 < ITEM_SPREADS : *best > 0)) {
            size_t next = is_up ? *best + 1 : *best - 1;

            status = find_mode(w, next, s, 0, w->modes[*best][s][0].theta);
            if (!(w->modes[next][s][0].evidence > w->modes[*best][s][0].evidence)) break;
            *best = next;
        }
    }
    return status;
}

/* By coordinates, twice at most: the best spread, then the best item spread at it. */
static assay_status choose_item_spread(work *w)
{
    enum { ROUNDS = 2 };
    assay_status status = ASSAY_OK;

    w->r = FIRST_ITEM_SPREAD;
    for (int round = 0; round < ROUNDS && status == ASSAY_OK; round++) {
        size_t s, best = w->r;

        status = find_spreads(w, w->r, window_search, &s);
        if (status == ASSAY_OK) status = climb_item_spreads(w, s, &best);
        if (status == ASSAY_OK)
            memcpy(w->start, w->modes[best][s][0].theta, w->cells.n_templates * sizeof *w->start);
        if (best == w->r) break;
        w->r = best;
    }
    /* Covariates begin at the modes without, of all spreads. */
    if (status == ASSAY_OK)
        status =
            find_spreads(w, w->r, w->kernel.rank > 0 ? INFINITY : window_without, &(size_t){ 0 });
    for (size_t f = 1; f < SHARES && w->kernel.rank > 0; f++)
        for (size_t s = 0; s < SPREADS && status == ASSAY_OK; s++)
            status = find_mode(w, w->r, s, f, w->modes[w->r][s][0].theta);
    for (size_t r = 0; r < ITEM_SPREADS; r++)
        for (size_t s = 0; s < SPREADS && r != w->r; s++) drop_factor(&w->modes[r][s][0]);
    return status;
}

/* ---- tilts ---- */

/* A tilt owns its mode and factor: it takes those found. */
static assay_status find_tilt(work *w, size_t s, size_t f, assay_tilt *tilt)
{
    mode *found = &w->modes[w->r][s][f];

    *tilt = (assay_tilt){ .s = spreads[s], .f = shares[f], .evidence = found->evidence };
    tilt->own_sd = tilt->s * sqrt(1.0 - tilt->f);
    assay_item_prior_set(item_spreads[w->r], &tilt->items);
    tilt->mode = found->theta;
    tilt->factor = found->factor;
    found->theta = found->factor = NULL;
    return assay_tilt_find(&w->cells, &w->kernel, found->gradient, found->information, w->density,
                           tilt);
}

/* Where the evidence is not hopeless. */
static assay_status find_tilts(work *w)
{
    assay_status status = ASSAY_OK;

    drop_hopeless(w, w->r);
    for (size_t f = 0; f < SHARES; f++)
        for (size_t s = 0; s < SPREADS && status == ASSAY_OK; s++)
            if (w->modes[w->r][s][f].factor) status = find_tilt(w, s, f, &w->tilts[w->n_tilts++]);
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
