/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "stats/dot.h"
#include "stats/linalg.h"
#include "templates/marginal_estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = ASSAY_LAW_POINTS, PARTS = ASSAY_PRIOR_PARTS };

/* Room for one draw. */
typedef struct work {
    assay_marginal_point point;
    double *normal, *weight, *share, *theta; /* of each template */
    unsigned char *node;                     /* of each item seen */
    double *density;                         /* of the tilt that is drawn from */
    double part[PARTS];
} work;

static assay_status make_room(const assay_marginal_cells *cells, work *w);
static void free_room(work *w);
static assay_tilt *choose_tilt(const assay_marginal_mixture *mixture, double at);
static void draw_effects(const assay_tilt *tilt, size_t n, assay_random *random, work *w);
static void draw_scores(const assay_marginal_cells *cells, const assay_tilt *tilt,
                        assay_random *random, work *w, double *scores);

assay_status assay_marginal_draw(const assay_marginal_mixture *mixture, size_t n_draws,
                                 uint64_t seed, double *scores)
{
    size_t n = mixture->cells->n_templates;
    const assay_tilt *before = NULL;
    work w = { 0 };
    assay_status status = make_room(mixture->cells, &w);

    for (size_t d = 0; d < n_draws && status == ASSAY_OK; d++) {
        assay_tilt *tilt = choose_tilt(mixture, ((double)d + 0.5) / (double)n_draws);
        assay_random random;

        if (tilt != before)
            assay_tilt_densities(tilt, n, w.density); /* tilts come one after another */
        before = tilt;

        assay_random_start(&random, seed, ASSAY_PURPOSE_TEMPLATE_SCORES, d);
        draw_effects(tilt, n, &random, &w);
        draw_scores(mixture->cells, tilt, &random, &w, scores + d * n);
    }
    free_room(&w);
    return status;
}

static assay_status make_room(const assay_marginal_cells *cells, work *w)
{
    size_t n = cells->n_templates;
    assay_status status = assay_marginal_point_new(cells, &w->point);

    w->normal = assay_alloc(n, sizeof *w->normal);
    w->weight = assay_alloc(n, sizeof *w->weight);
    w->share = assay_alloc(n, sizeof *w->share);
    w->theta = assay_alloc(n, sizeof *w->theta);
    w->node = assay_alloc(cells->n_seen, sizeof *w->node);
    w->density = assay_alloc(n, (size_t)POINTS * PARTS * sizeof *w->density);
    if (status == ASSAY_OK &&
        (!w->density || !w->normal || !w->weight || !w->share || !w->theta || !w->node))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for draws of %zu templates", n);
    return status;
}

static void free_room(work *w)
{
    assay_marginal_point_free(&w->point);
    free(w->density);
    free(w->normal);
    free(w->weight);
    free(w->share);
    free(w->theta);
    free(w->node);
}

/* Systematic: each has its share of the draws, to one. */
static assay_tilt *choose_tilt(const assay_marginal_mixture *mixture, double at)
{
    size_t k = 0;
    double sum = mixture->tilts[0].weight;

    while (k + 1 < mixture->n && sum < at) sum += mixture->tilts[++k].weight;
    return &mixture->tilts[k];
}

/* ---- effects ---- */

static double exponential(assay_random *random)
{
    return -log1p(-assay_random_uniform(random));
}

/* A Dirichlet process of strength 1 around the normal law, times its Gamma(1) mass: sticks broken at
   uniform places, each at a part drawn by the normal weights. */
static void draw_base(assay_random *random, const double *start, double *base)
{
    const double left_out = 1e-9;
    double stick = ASSAY_PRIOR_STRENGTH * exponential(random), least = left_out * stick;

    for (size_t m = 0; m < PARTS; m++) base[m] = 0.0;
    while (stick > least) {
        double broken = stick * assay_random_uniform(random), u = assay_random_uniform(random);
        size_t m = 0;

        while (m + 1 < PARTS && u >= start[m]) u -= start[m++];
        base[m] += broken;
        stick -= broken;
    }
}

/* The parts' weights for templates of exponential weights: find_parts() of the tilt on such data. */
static void draw_parts(const assay_tilt *tilt, size_t n, assay_random *random, work *w)
{
    double start[PARTS], base[PARTS], all = 0.0;

    for (size_t i = 0; i < n; i++) all += w->weight[i] = exponential(random);
    for (size_t i = 0; i < n; i++) w->weight[i] *= (double)n / all;
    assay_part_start(start);
    draw_base(random, start, base);
    memcpy(w->part, start, sizeof start);
    for (int step = 0; step < ASSAY_PART_STEPS; step++) {
        double sum[PARTS], total = 0.0;

        for (size_t i = 0; i < n; i++) {
            double likelihood = assay_dot_of_fours(tilt->joint + i * PARTS, w->part, PARTS);

            w->share[i] = w->weight[i] / (likelihood > 1e-300 ? likelihood : 1e-300);
        }
        assay_mix_of_eights(n, w->share, PARTS, tilt->joint, sum);
        for (size_t m = 0; m < PARTS; m++) total += w->part[m] = w->part[m] * sum[m] + base[m];
        for (size_t m = 0; m < PARTS; m++) w->part[m] /= total;
    }
}

/* The u-quantile of a template's law under the drawn parts: linear between the middles of points. */
static double invert_law(const assay_tilt *tilt, size_t i, const double *part, double u)
{
    const double *likelihood = tilt->likelihood + i * POINTS;
    const double *density = tilt->density + i * POINTS * PARTS;
    double law[POINTS], all = 0.0, below = 0.0, before = 0.0, at = 0.0;
    size_t t = 0;

    for (size_t k = 0; k < POINTS; k++)
        law[k] = assay_dot_of_fours(part, density + k * PARTS, PARTS);
    for (size_t k = 0; k < POINTS; k++) all += law[k] *= likelihood[k];
    if (!(all > 0.0)) { /* as in the tilt */
        memcpy(law, tilt->law + i * POINTS, sizeof law);
        all = 1.0;
    }
    for (t = 0; t < POINTS; t++) {
        at = (below + 0.5 * law[t]) / all;
        if (at >= u && t > 0) break;
        if (t + 1 == POINTS) break;
        before = at;
        below += law[t];
    }
    at = at > before ? (u - before) / (at - before) : 0.5;
    at = at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at;
    return tilt->low[i] + ((double)t - 1.0 + at) * tilt->step[i];
}

/* The normal law of all effects has them move together; each is then put at the same probability of
   its own law. */
static void draw_effects(const assay_tilt *tilt, size_t n, assay_random *random, work *w)
{
    for (size_t i = 0; i < n; i++) w->normal[i] = assay_random_normal(random);
    assay_linalg_solve_transposed(n, tilt->factor, 1, w->normal);
    draw_parts(tilt, n, random, w);
    for (size_t i = 0; i < n; i++) {
        double u = 0.5 * erfc(-w->normal[i] / tilt->sd[i] * 0.70710678118654752440);

        w->theta[i] = invert_law(tilt, i, w->part, u);
    }
}

/* ---- scores ---- */

static size_t draw_node(const double *weights, double u)
{
    size_t k = 0;

    while (k + 1 < ASSAY_NODES && u >= weights[k]) u -= weights[k++];
    return k;
}

/* Every item gets a node: those seen by their cells, the others by the prior. */
static void draw_items(const assay_marginal_cells *cells, const assay_tilt *tilt,
                       assay_random *random, work *w, double *n_at)
{
    for (size_t k = 0; k < ASSAY_NODES; k++) n_at[k] = 0.0;
    for (size_t j = 0; j < cells->n_seen; j++) {
        const double *r = w->point.posterior + j * ASSAY_NODES;

        w->node[j] = (unsigned char)draw_node(r, assay_random_uniform(random));
        n_at[w->node[j]] += 1.0;
    }
    for (size_t j = cells->n_seen; j < cells->n_items; j++)
        n_at[draw_node(tilt->items.weight, assay_random_uniform(random))] += 1.0;
}

/* S_i: the observed scores and a normal for the sum of the cells that were not run. */
static void draw_scores(const assay_marginal_cells *cells, const assay_tilt *tilt,
                        assay_random *random, work *w, double *scores)
{
    double n_at[ASSAY_NODES];

    assay_marginal_evaluate(cells, &tilt->items, w->theta, &w->point);
    draw_items(cells, tilt, random, w, n_at);
    for (size_t i = 0; i < cells->n_templates; i++) {
        const double *p = w->point.p + i * ASSAY_NODES;
        double mean = 0.0, variance = 0.0, sum;
        double most = (double)(cells->n_items - (cells->start[i + 1] - cells->start[i]));

        for (size_t k = 0; k < ASSAY_NODES; k++) {
            mean += n_at[k] * p[k];
            variance += n_at[k] * p[k] * (1.0 - p[k]);
        }
        for (size_t c = cells->start[i]; c < cells->start[i + 1]; c++) {
            double own = p[w->node[cells->item[c]]];

            mean -= own;
            variance -= own * (1.0 - own);
        }
        sum = mean + sqrt(variance > 0.0 ? variance : 0.0) * assay_random_normal(random);
        sum = sum < 0.0 ? 0.0 : sum > most ? most : sum;
        scores[i] = (cells->observed[i] + sum) / (double)cells->n_items;
    }
}
