/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/marginal_search.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double item_spreads[ASSAY_ITEM_SPREADS] = { .5, 1.0, 1.7, 2.7, 4.2 };
static const double spreads[ASSAY_EFFECT_SPREADS] = { .1, .2, .35, .6, 1.0, 1.7, 2.8, 4.5 };
static const double shares[ASSAY_SHARES] = { 0.0, .4, .8 };
enum { FIRST_ITEM_SPREAD = 3 };

/* How far an (s, f) may be below the best before its tilt: laws far from normal gain several. */
static const double window_without = 10.0, window_with = 6.0;

/* How far spreads are followed past the best while only that is sought. */
static const double window_search = 1.0;

assay_status assay_mode_search_new(const assay_marginal_cells *cells,
                                   const assay_effect_kernel *kernel, assay_progress progress,
                                   assay_mode_search *search)
{
    size_t n = cells->n_templates;
    double mean = 0.5;
    assay_status status;

    *search = (assay_mode_search){
        .cells = cells, .kernel = kernel, .progress = progress, .at_r = ASSAY_ITEM_SPREADS
    };
    status = assay_marginal_point_new(cells, &search->point);
    search->prior.precision = assay_alloc(n, n * sizeof(double));
    search->gradient = assay_alloc(n, sizeof(double));
    search->information = assay_alloc(n, n * sizeof(double));
    search->start = assay_alloc(n, sizeof(double));
    search->at = assay_alloc(n, sizeof(double));
    if (status != ASSAY_OK) return status;
    if (!search->prior.precision || !search->gradient || !search->information || !search->start ||
        !search->at)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the covariance of %zu templates", n);
    for (size_t c = 0; c < cells->n; c++) mean += cells->y[c];
    mean /= (double)cells->n + 1.0;
    for (size_t i = 0; i < n; i++) search->start[i] = log(mean / (1.0 - mean));
    return ASSAY_OK;
}

static void free_mode(assay_found_mode *found)
{
    free(found->theta);
    free(found->gradient);
    free(found->information);
    free(found->factor);
}

void assay_mode_search_free(assay_mode_search *search)
{
    for (size_t r = 0; r < ASSAY_ITEM_SPREADS; r++)
        for (size_t s = 0; s < ASSAY_EFFECT_SPREADS; s++)
            for (size_t f = 0; f < ASSAY_SHARES; f++) free_mode(&search->modes[r][s][f]);
    assay_marginal_point_free(&search->point);
    free(search->prior.precision);
    free(search->gradient);
    free(search->information);
    free(search->start);
    free(search->at);
}

assay_status assay_mode_search_step(assay_mode_search *search)
{
    double about = search->kernel->rank > 0 ? 40.0 : 16.0; /* climbs and tilts */
    double done = search->n_steps++ / about;

    if (search->progress.step &&
        search->progress.step(search->progress.user, "templates", fmin(done, 0.95)))
        return assay_fail(ASSAY_E_CANCELLED, "cancelled in templates");
    return ASSAY_OK;
}

static double log_prior_spread(double s)
{
    return log(s) - log1p(s * s);
}

static double log_prior_item_spread(double r)
{
    double z = log(r / 2.5) / 0.8;

    return -0.5 * z * z;
}

/* Newton's method from found->theta on. Of r, s and f only r changes l: where the climb before
   ended at that theta, what was found there is not found again. */
static assay_status climb(assay_mode_search *search, size_t r, size_t s, size_t f,
                          assay_found_mode *found)
{
    size_t n = search->cells->n_templates;
    int is_there =
        search->at_r == r && memcmp(search->at, found->theta, n * sizeof *search->at) == 0;
    assay_status status = assay_mode_search_step(search);

    if (status != ASSAY_OK) return status;
    assay_item_prior_set(item_spreads[r], &search->items);
    assay_effect_prior_set(search->kernel, spreads[s], shares[f], &search->prior);
    status = assay_marginal_mode(search->cells, &search->items, &search->prior, is_there,
                                 found->theta, &search->point, search->gradient,
                                 search->information, found->factor, &found->evidence);
    if (status != ASSAY_OK) return status;
    found->evidence += log_prior_spread(spreads[s]) + log_prior_item_spread(item_spreads[r]);
    memcpy(search->at, found->theta, n * sizeof *search->at);
    search->at_r = r;
    memcpy(found->gradient, search->gradient, n * sizeof *found->gradient);
    for (size_t i = 0; i < n; i++) found->information[i] = search->information[i * n + i];
    return ASSAY_OK;
}

static void drop_factor(assay_found_mode *found)
{
    free(found->factor);
    found->factor = NULL;
}

/* At an item spread: the factors, which are large, of those too far below the best to have a
   tilt. */
static void drop_hopeless(assay_mode_search *search, size_t r)
{
    double without = -INFINITY, all = -INFINITY;

    for (size_t s = 0; s < ASSAY_EFFECT_SPREADS; s++) {
        for (size_t f = 0; f < ASSAY_SHARES; f++) {
            const assay_found_mode *found = &search->modes[r][s][f];

            if (!found->is_found) continue;
            if (f == 0 && found->evidence > without) without = found->evidence;
            if (found->evidence > all) all = found->evidence;
        }
    }
    for (size_t f = 0; f < ASSAY_SHARES; f++) {
        double least = f == 0 ? without - window_without : all - window_with;

        for (size_t s = 0; s < ASSAY_EFFECT_SPREADS; s++)
            if (search->modes[r][s][f].evidence < least) drop_factor(&search->modes[r][s][f]);
    }
}

/* The mode at (r, s, f), found once; it begins at theta. */
static assay_status find_mode(assay_mode_search *search, size_t r, size_t s, size_t f,
                              const double *theta)
{
    size_t n = search->cells->n_templates;
    assay_found_mode *found = &search->modes[r][s][f];
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
    found->r = item_spreads[r];
    found->s = spreads[s];
    found->f = shares[f];
    status = climb(search, r, s, f, found);
    if (status == ASSAY_OK) drop_hopeless(search, r);
    return status;
}

/* Spreads at an item spread, each from the mode before, until one is below the best by window:
   wider ones are more so. The best of them. */
static assay_status find_spreads(assay_mode_search *search, size_t r, double window, size_t *best)
{
    const double *from = search->start;
    assay_status status = ASSAY_OK;

    *best = 0;
    for (size_t s = 0; s < ASSAY_EFFECT_SPREADS && status == ASSAY_OK; s++) {
        status = find_mode(search, r, s, 0, from);
        from = search->modes[r][s][0].theta;
        if (search->modes[r][s][0].evidence > search->modes[r][*best][0].evidence) *best = s;
        if (search->modes[r][s][0].evidence < search->modes[r][*best][0].evidence - window) break;
    }
    return status;
}

/* From the item spread search->r up, or else down, as long as the evidence rises. */
static assay_status climb_item_spreads(assay_mode_search *search, size_t s, size_t *best)
{
    assay_status status = ASSAY_OK;

    *best = search->r;
    for (int is_up = 1; is_up >= 0 && *best == search->r; is_up--) {
        while (status == ASSAY_OK && (is_up ? *best + 1 < ASSAY_ITEM_SPREADS : *best > 0)) {
            size_t next = is_up ? *best + 1 : *best - 1;

            status = find_mode(search, next, s, 0, search->modes[*best][s][0].theta);
            if (!(search->modes[next][s][0].evidence > search->modes[*best][s][0].evidence)) break;
            *best = next;
        }
    }
    return status;
}

/* By coordinates, twice at most: the best spread, then the best item spread at it. */
assay_status assay_mode_search_run(assay_mode_search *search)
{
    enum { ROUNDS = 2 };
    assay_status status = ASSAY_OK;

    search->r = FIRST_ITEM_SPREAD;
    for (int round = 0; round < ROUNDS && status == ASSAY_OK; round++) {
        size_t s, best = search->r;

        status = find_spreads(search, search->r, window_search, &s);
        if (status == ASSAY_OK) status = climb_item_spreads(search, s, &best);
        if (status == ASSAY_OK)
            memcpy(search->start, search->modes[best][s][0].theta,
                   search->cells->n_templates * sizeof *search->start);
        if (best == search->r) break;
        search->r = best;
    }
    /* Covariates begin at the modes without, of all spreads. */
    if (status == ASSAY_OK)
        status = find_spreads(search, search->r,
                              search->kernel->rank > 0 ? INFINITY : window_without, &(size_t){ 0 });
    for (size_t f = 1; f < ASSAY_SHARES && search->kernel->rank > 0; f++)
        for (size_t s = 0; s < ASSAY_EFFECT_SPREADS && status == ASSAY_OK; s++)
            status = find_mode(search, search->r, s, f, search->modes[search->r][s][0].theta);
    for (size_t r = 0; r < ASSAY_ITEM_SPREADS; r++)
        for (size_t s = 0; s < ASSAY_EFFECT_SPREADS && r != search->r; s++)
            drop_factor(&search->modes[r][s][0]);
    return status;
}
