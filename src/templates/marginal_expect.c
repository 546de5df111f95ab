/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "stats/dot.h"
#include "templates/marginal_estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = ASSAY_LAW_POINTS, PARTS = ASSAY_PRIOR_PARTS, BINS = 4096 };

/* What the items hold, by node: all of them, and one template's own. */
typedef struct work {
    assay_marginal_point point;
    double everywhere[ASSAY_NODES];
    double *mass; /* BINS + 1: of scores, over 0..1 */
} work;

static void add_tilt(const assay_marginal_mixture *mixture, const assay_tilt *tilt, work *w,
                     double *scores, double *theta, double *effects);
static void read_quantiles(const double *mass, size_t n, double *sorted);

assay_status assay_marginal_expect(const assay_marginal_mixture *mixture, double *scores,
                                   double *theta, double *effects, double *sorted)
{
    const assay_marginal_cells *cells = mixture->cells;
    work w = { .mass = assay_alloc_zero(BINS + 1, sizeof(double)) };
    assay_status status = assay_marginal_point_new(cells, &w.point);

    if (status == ASSAY_OK && !w.mass) status = assay_fail(ASSAY_E_NOMEM, "no memory");
    memset(scores, 0, cells->n_templates * sizeof *scores);
    memset(theta, 0, cells->n_templates * sizeof *theta);
    memset(effects, 0, cells->n_seen * sizeof *effects);
    for (size_t k = 0; k < mixture->n && status == ASSAY_OK; k++)
        add_tilt(mixture, &mixture->tilts[k], &w, scores, theta, effects);
    for (size_t i = 0; i < cells->n_templates; i++)
        if (scores[i] > 1.0) scores[i] = 1.0; /* rounding */
    if (status == ASSAY_OK) read_quantiles(w.mass, cells->n_templates, sorted);
    assay_marginal_point_free(&w.point);
    free(w.mass);
    return status;
}

/* ---- scores ---- */

/* The law of a template's effect once the variance of the level is taken out. */
static void law_without_level(const assay_tilt *tilt, size_t i, double *law)
{
    const double least = 1e-6;
    double variance = tilt->variance[i] - tilt->level_variance, density[PARTS * POINTS];
    double sum = 0.0;

    assay_part_densities(tilt->low[i], tilt->step[i], tilt->mean[i],
                         variance > least ? variance : least, tilt->own_sd, density);
    for (size_t t = 0; t < POINTS; t++)
        law[t] = assay_dot_of_fours(tilt->part, density + t * PARTS, PARTS);
    for (size_t t = 0; t < POINTS; t++) sum += law[t] *= tilt->likelihood[i * POINTS + t];
    for (size_t t = 0; t < POINTS; t++)
        law[t] = sum > 0.0 ? law[t] / sum : tilt->law[i * POINTS + t];
}

/* How many items not run by template i are expected at each node. */
static void count_items(const assay_marginal_mixture *mixture, const work *w, size_t i,
                        double *left)
{
    const assay_marginal_cells *cells = mixture->cells;

    memcpy(left, w->everywhere, sizeof w->everywhere);
    for (size_t c = cells->start[i]; c < cells->start[i + 1]; c++) {
        const double *own = w->point.posterior + cells->item[c] * (size_t)ASSAY_NODES;

        for (size_t k = 0; k < ASSAY_NODES; k++) left[k] -= own[k];
    }
    for (size_t k = 0; k < ASSAY_NODES; k++) left[k] = left[k] > 0.0 ? left[k] : 0.0;
}

/* S_i and its variance at all points of the law of theta_i. */
static void find_scores(const assay_marginal_mixture *mixture, const assay_tilt *tilt, size_t i,
                        const double *left, double *mean, double *variance)
{
    double n_items = (double)mixture->cells->n_items, chances[ASSAY_NODES * POINTS];

    assay_law_chances(tilt->low[i], tilt->step[i], &tilt->items, chances);
    for (size_t t = 0; t < POINTS; t++) mean[t] = variance[t] = 0.0;
    for (size_t k = 0; k < ASSAY_NODES; k++) {
        for (size_t t = 0; t < POINTS; t++) {
            double right = left[k] * chances[k * POINTS + t];

            mean[t] += right;
            variance[t] += right * (1.0 - chances[k * POINTS + t]);
        }
    }
    for (size_t t = 0; t < POINTS; t++) {
        mean[t] = (mixture->cells->observed[i] + mean[t]) / n_items;
        variance[t] = (variance[t] > 0.0 ? variance[t] : 0.0) / (n_items * n_items);
    }
}

/* Weight at x, shared among the two nearest bins. */
static void add_mass(double *mass, double x, double weight)
{
    double at = (x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x) * BINS, fraction;
    size_t bin = (size_t)at;

    if (bin == BINS) bin = BINS - 1;
    fraction = at - (double)bin;
    mass[bin] += weight * (1.0 - fraction);
    mass[bin + 1] += weight * fraction;
}

static void add_template(const assay_marginal_mixture *mixture, const assay_tilt *tilt, work *w,
                         size_t i, double *score)
{
    double left[ASSAY_NODES], law[POINTS], mean[POINTS], variance[POINTS];

    count_items(mixture, w, i, left);
    law_without_level(tilt, i, law);
    find_scores(mixture, tilt, i, left, mean, variance);
    *score += tilt->weight * assay_dot_of_fours(tilt->law + i * POINTS, mean, POINTS);
    /* A normal by its three-point Gauss-Hermite rule. */
    for (size_t t = 0; t < POINTS; t++) {
        double away = sqrt(3.0 * variance[t]), weight = tilt->weight * law[t];

        add_mass(w->mass, mean[t] - away, weight / 6.0);
        add_mass(w->mass, mean[t], weight * 4.0 / 6.0);
        add_mass(w->mass, mean[t] + away, weight / 6.0);
    }
}

static void add_tilt(const assay_marginal_mixture *mixture, const assay_tilt *tilt, work *w,
                     double *scores, double *theta, double *effects)
{
    const assay_marginal_cells *cells = mixture->cells;
    double unseen = (double)(cells->n_items - cells->n_seen);

    assay_marginal_evaluate(cells, &tilt->items, tilt->law_mean, &w->point);
    for (size_t k = 0; k < ASSAY_NODES; k++) w->everywhere[k] = unseen * tilt->items.weight[k];
    for (size_t j = 0; j < cells->n_seen; j++) {
        const double *r = w->point.posterior + j * ASSAY_NODES;

        for (size_t k = 0; k < ASSAY_NODES; k++) {
            w->everywhere[k] += r[k];
            effects[j] += tilt->weight * r[k] * tilt->items.effect[k];
        }
    }
    for (size_t i = 0; i < cells->n_templates; i++) {
        theta[i] += tilt->weight * tilt->law_mean[i];
        add_template(mixture, tilt, w, i, &scores[i]);
    }
}

/* ---- the distribution ---- */

static void read_quantiles(const double *mass, size_t n, double *sorted)
{
    double all = 0.0, below = 0.0;
    size_t r = 0;

    for (size_t b = 0; b <= BINS; b++) all += mass[b];
    for (size_t b = 0; b <= BINS && r < n; below += mass[b++]) {
        /* A bin's mass is spread from half a bin before it to half a bin after. */
        for (; r < n; r++) {
            double target = all * ((double)r + 0.5) / (double)n, x;

            if (target > below + mass[b] && b < BINS) break;
            x = ((double)b - 0.5 + (mass[b] > 0.0 ? (target - below) / mass[b] : 0.5)) / BINS;
            sorted[r] = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
        }
    }
}
