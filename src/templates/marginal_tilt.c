/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/marginal_tilt.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/dot.h"
#include "templates/marginal_cavity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = ASSAY_LAW_POINTS, PARTS = ASSAY_PRIOR_PARTS };

static assay_status make_room(size_t n, assay_tilt *tilt);
static void find_points(const double *information, size_t n, assay_tilt *tilt);
static assay_status find_laws(const assay_marginal_cells *cells, const double *gradient,
                              const double *information, assay_tilt *tilt);

assay_status assay_tilt_find(const assay_marginal_cells *cells, const assay_effect_kernel *kernel,
                             const double *gradient, const double *information, double *density,
                             assay_tilt *tilt)
{
    assay_status status = make_room(cells->n_templates, tilt);

    if (status == ASSAY_OK) status = assay_tilt_cavities(kernel, gradient, information, tilt);
    if (status == ASSAY_OK) {
        find_points(information, cells->n_templates, tilt);
        assay_tilt_densities(tilt, cells->n_templates, density);
        status = find_laws(cells, gradient, information, tilt);
    }
    tilt->density = NULL;
    return status;
}

static assay_status make_room(size_t n, assay_tilt *tilt)
{
    double **one[] = { &tilt->sd,  &tilt->mean, &tilt->variance,
                       &tilt->low, &tilt->step, &tilt->law_mean };
    int is_whole = 1;

    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
        is_whole &= (*one[k] = assay_alloc(n, sizeof **one[k])) != NULL;
    tilt->likelihood = assay_alloc(n, POINTS * sizeof *tilt->likelihood);
    tilt->law = assay_alloc(n, POINTS * sizeof *tilt->law);
    tilt->joint = assay_alloc(n, PARTS * sizeof *tilt->joint);
    if (!is_whole || !tilt->likelihood || !tilt->law || !tilt->joint)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the laws of %zu templates", n);
    return ASSAY_OK;
}

void assay_tilt_free(assay_tilt *tilt)
{
    double *all[] = { tilt->mode,     tilt->factor, tilt->sd,      tilt->mean,
                      tilt->variance, tilt->low,    tilt->step,    tilt->likelihood,
                      tilt->joint,    tilt->law,    tilt->law_mean };

    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    *tilt = (assay_tilt){ 0 };
}

/* ---- points ---- */

/* Points over all that the cells and the prior leave possible. */
static void find_points(const double *information, size_t n, assay_tilt *tilt)
{
    const double wide = 4.5, wider = 8.0;

    for (size_t i = 0; i < n; i++) {
        double of_prior = wide * fmax(tilt->sd[i], tilt->own_sd);
        double of_cells = wider / sqrt(fmax(information[i], 1e-6));
        double low = fmin(tilt->mode[i], tilt->mean[i]) - of_prior;
        double high = fmax(tilt->mode[i], tilt->mean[i]) + of_prior;

        low = fmax(low, tilt->mode[i] - of_cells);
        high = fmin(high, tilt->mode[i] + of_cells);
        tilt->low[i] = low;
        tilt->step[i] = (high - low) / (POINTS - 1);
    }
}

void assay_tilt_densities(assay_tilt *tilt, size_t n, double *density)
{
    tilt->density = density;
    for (size_t i = 0; i < n; i++)
        assay_part_densities(tilt->low[i], tilt->step[i], tilt->mean[i], tilt->variance[i],
                             tilt->own_sd, density + i * POINTS * PARTS);
}

/* ---- the laws ---- */

void assay_law_chances(double low, double step, const assay_item_prior *items, double *chance)
{
    double ratio = exp(-step), square = ratio * ratio, by = square * square, odds[POINTS];

    odds[0] = exp(-low);
    odds[1] = odds[0] * ratio;
    odds[2] = odds[0] * square;
    odds[3] = odds[1] * square;
    for (size_t t = 4; t < POINTS; t++) odds[t] = odds[t - 4] * by;
    for (size_t k = 0; k < ASSAY_NODES; k++)
        for (size_t t = 0; t < POINTS; t++)
            chance[k * POINTS + t] = 1.0 / (1.0 + odds[t] * items->odds[k]);
}

static void mix_between(double y, const double *weights, const double *chances, double *sums)
{
    for (size_t t = 0; t < POINTS; t++) sums[t] = 0.0;
    for (size_t k = 0; k < ASSAY_NODES; k++) {
        const double *at = chances + k * POINTS;

        for (size_t t = 0; t < POINTS; t++)
            sums[t] += weights[k] * assay_score_likelihood(y, at[t], 1.0 - at[t]);
    }
}

/* likelihood[t] of the score y of one cell of template i at each point, its item known by its other
   cells; and the inverse of that where the items were evaluated. */
static double likelihood_of_cell(const assay_marginal_point *point, size_t i, size_t item, double y,
                                 const double *chances, double *likelihood)
{
    const double least_own = 1e-9, least = 1e-30;
    const double *p = point->p + i * ASSAY_NODES, *q = point->q + i * ASSAY_NODES;
    const double *r = point->posterior + item * ASSAY_NODES, *own = y == 1.0 ? p : q;
    double others[ASSAY_NODES], between[ASSAY_NODES], sum = 0.0;
    int is_between = y != 0.0 && y != 1.0;

    if (is_between) {
        for (size_t k = 0; k < ASSAY_NODES; k++) between[k] = assay_score_likelihood(y, p[k], q[k]);
        own = between;
    }
    for (size_t k = 0; k < ASSAY_NODES; k++)
        others[k] = r[k] / (own[k] > least_own ? own[k] : least_own);
    for (size_t k = 0; k < ASSAY_NODES; k++) sum += others[k];
    for (size_t k = 0; k < ASSAY_NODES; k++) others[k] /= sum;
    if (is_between)
        mix_between(y, others, chances, likelihood);
    else
        assay_mix_of_eights(ASSAY_NODES, others, POINTS, chances, likelihood);
    for (size_t t = 0; t < POINTS; t++) {
        double found = y == 0.0 ? 1.0 - likelihood[t] : likelihood[t];

        likelihood[t] = found > least ? found : least;
    }
    return sum;
}

/* of /= its largest; the logarithm of that. */
static double scale_to_one(double *of)
{
    double most = 0.0;

    for (size_t t = 0; t < POINTS; t++) most = of[t] > most ? of[t] : most;
    for (size_t t = 0; t < POINTS; t++) of[t] /= most;
    return log(most);
}

/* L_i(t) = prod over its cells, largest 1; log L_i where the items were evaluated, on the same
   scale. Both are scaled each eight cells: factors of 1e-30 and 1e9 do not leave the range of
   doubles. */
static double find_likelihood(const assay_marginal_cells *cells, const assay_marginal_point *point,
                              size_t i, const double *chances, assay_tilt *tilt)
{
    double of_cell[POINTS], *product = tilt->likelihood + i * POINTS, at = 1.0, log_at = 0.0;
    size_t begin = cells->start[i], end = cells->start[i + 1];

    for (size_t t = 0; t < POINTS; t++) product[t] = 1.0;
    for (size_t c = begin; c < end; c++) {
        at *= likelihood_of_cell(point, i, cells->item[c], cells->y[c], chances, of_cell);
        for (size_t t = 0; t < POINTS; t++) product[t] *= of_cell[t];
        if ((c - begin) % 8 == 7 || c + 1 == end) {
            log_at -= log(at) + scale_to_one(product);
            at = 1.0;
        }
    }
    return log_at;
}

/* log of int L_i N over int of the normal N for what Laplace puts in place of L_i:
   L_i(theta) exp(g (t - theta) - h (t - theta)^2 / 2); both by the same points. */
static double correct_laplace(const assay_tilt *tilt, size_t i, double log_at, double g, double h)
{
    const double *likelihood = tilt->likelihood + i * POINTS;
    double variance = tilt->variance[i] + tilt->own_sd * tilt->own_sd, most = -INFINITY;
    double prior[POINTS], laplace[POINTS], own = 0.0, others = 0.0;

    for (size_t t = 0; t < POINTS; t++) {
        double x = tilt->low[i] + (double)t * tilt->step[i], away = x - tilt->mean[i];

        prior[t] = -0.5 * away * away / variance;
        away = x - tilt->mode[i];
        laplace[t] = prior[t] + log_at + g * away - 0.5 * h * away * away;
        most = laplace[t] > most ? laplace[t] : most;
    }
    for (size_t t = 0; t < POINTS; t++) {
        own += likelihood[t] * exp(prior[t] - most);
        others += exp(laplace[t] - most);
    }
    return log(own / others);
}

/* joint[m] = int L_i(t) density_m(t) dt, up to a factor of the template's own. */
static void find_joint(assay_tilt *tilt, size_t i)
{
    assay_mix_of_eights(POINTS, tilt->likelihood + i * POINTS, PARTS,
                        tilt->density + i * POINTS * PARTS, tilt->joint + i * PARTS);
}

static double of_parts(const double *joint, const double *weights)
{
    double sum = assay_dot_of_fours(joint, weights, PARTS);

    return sum > 1e-300 ? sum : 1e-300;
}

/* w_m = (sum_i P(m | i) + strength w0_m) / (n + strength), over and over. by is room for n. */
static void find_parts(assay_tilt *tilt, size_t n, double *by)
{
    double start[PARTS], sum[PARTS];

    assay_part_start(start);
    memcpy(tilt->part, start, sizeof start);
    for (int step = 0; step < ASSAY_PART_STEPS; step++) {
        for (size_t i = 0; i < n; i++) by[i] = 1.0 / of_parts(tilt->joint + i * PARTS, tilt->part);
        assay_mix_of_eights(n, by, PARTS, tilt->joint, sum);
        for (size_t m = 0; m < PARTS; m++)
            tilt->part[m] = (tilt->part[m] * sum[m] + ASSAY_PRIOR_STRENGTH * start[m]) /
                            ((double)n + ASSAY_PRIOR_STRENGTH);
    }
}

static void find_law(assay_tilt *tilt, size_t i)
{
    const double *likelihood = tilt->likelihood + i * POINTS;
    const double *density = tilt->density + i * POINTS * PARTS;
    double *law = tilt->law + i * POINTS, sum = 0.0, mean = 0.0;

    for (size_t t = 0; t < POINTS; t++)
        law[t] = assay_dot_of_fours(tilt->part, density + t * PARTS, PARTS);
    for (size_t t = 0; t < POINTS; t++) sum += law[t] *= likelihood[t];
    if (!(sum > 0.0)) { /* prior and cells contradict each other beyond all digits */
        memcpy(law, likelihood, POINTS * sizeof *law);
        for (size_t t = 0; t < POINTS; t++) sum += law[t];
    }
    for (size_t t = 0; t < POINTS; t++) mean += law[t] / sum * (double)t;
    for (size_t t = 0; t < POINTS; t++) law[t] /= sum;
    tilt->law_mean[i] = tilt->low[i] + mean * tilt->step[i];
}

static double gain_of_parts(const assay_tilt *tilt, size_t n)
{
    double start[PARTS], gain = 0.0;

    assay_part_start(start);
    for (size_t i = 0; i < n; i++) {
        const double *joint = tilt->joint + i * PARTS;

        gain += log(of_parts(joint, tilt->part) / of_parts(joint, start));
    }
    return gain;
}

/* Twice: items are known by the mode, then by the means of the laws. */
static assay_status find_laws(const assay_marginal_cells *cells, const double *gradient,
                              const double *information, assay_tilt *tilt)
{
    enum { PASSES = 2, CHANCES = ASSAY_NODES * POINTS };
    const double cost_of_parts = 1.0;
    size_t n = cells->n_templates;
    double *chances = assay_alloc(n, CHANCES * sizeof *chances), gain;
    assay_marginal_point point;
    assay_status status = assay_marginal_point_new(cells, &point);

    if (!chances) status = assay_fail(ASSAY_E_NOMEM, "no memory for the laws of %zu templates", n);
    memcpy(tilt->law_mean, tilt->mode, n * sizeof *tilt->law_mean);
    for (size_t i = 0; i < n && status == ASSAY_OK; i++)
        assay_law_chances(tilt->low[i], tilt->step[i], &tilt->items, chances + i * CHANCES);
    for (int pass = 0; pass < PASSES && status == ASSAY_OK; pass++) {
        assay_marginal_evaluate(cells, &tilt->items, tilt->law_mean, &point);
        for (size_t i = 0; i < n; i++) {
            double log_at = find_likelihood(cells, &point, i, chances + i * CHANCES, tilt);

            if (pass == 0)
                tilt->evidence += correct_laplace(tilt, i, log_at, gradient[i], information[i]);
            find_joint(tilt, i);
        }
        find_parts(tilt, n, tilt->law); /* laws are found next: there is room */
        for (size_t i = 0; i < n; i++) find_law(tilt, i);
    }
    if (status == ASSAY_OK) {
        gain = gain_of_parts(tilt, n) - cost_of_parts;
        tilt->evidence += gain > 0.0 ? gain : 0.0;
    }
    assay_marginal_point_free(&point);
    free(chances);
    return status;
}
