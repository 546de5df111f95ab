/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/greedy.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beside its signal an item has noise of this share of its variance. */
static const double noise_share = 0.3;

static assay_status go_on(assay_progress progress, size_t k, size_t n)
{
    if (!progress.step || progress.step(progress.user, "choosing", (double)k / (double)n) == 0)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_CANCELLED, "cancelled in choosing");
}

/* ---- ED ---- */

/*
 * Of a set S of items: tr = sum of d_t, F = ||G_SS||_F^2 and, for every item, q_t = the sum over u
 * in S of G_tu^2. Then ED(S + t) = (tr + d_t)^2 / (F + 2 q_t + d_t^2), and once u is in S,
 * q_t += G_tu^2 needs column u of G alone.
 */
struct ed_state {
    double trace, squares;
    double *q, *weight, *product;
};

static assay_status ed_state_new(const assay_deviations *z, struct ed_state *s)
{
    *s = (struct ed_state){ 0 };
    s->q = assay_alloc_aligned(z->n_items, sizeof *s->q);
    s->weight = assay_alloc(z->n_models, sizeof *s->weight);
    s->product = assay_alloc_aligned(z->n_items, sizeof *s->product);
    if (s->q && s->weight && s->product) return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "no memory to choose among %zu items", z->n_items);
}

static void ed_state_free(struct ed_state *s)
{
    free(s->q);
    free(s->weight);
    free(s->product);
}

static double ed_with(const struct ed_state *s, const assay_deviations *z, size_t t)
{
    double d = z->squares[t], trace = s->trace + d;

    return trace * trace / (s->squares + 2.0 * s->q[t] + d * d);
}

/* Take item u in; returns the ED. */
static double ed_take(struct ed_state *s, const assay_deviations *z, size_t u, int threads)
{
    double d = z->squares[u];

    s->squares += 2.0 * s->q[u] + d * d;
    s->trace += d;
    assay_deviations_gram_column(z, u, threads, s->weight, s->product);
    for (size_t t = 0; t < z->n_items; t++) s->q[t] += s->product[t] * s->product[t];
    return s->trace * s->trace / s->squares;
}

/* Every first item has an ED of 1, so that the one with the largest variance is taken. */
static size_t best_by_ed(const struct ed_state *s, const assay_deviations *z,
                         const unsigned char *taken)
{
    double most = -1.0;
    size_t best = 0;

    for (size_t t = 0; t < z->n_items; t++) {
        double gain;

        if (taken[t] || !(z->squares[t] > 0.0)) continue;
        gain = s->trace > 0.0 ? ed_with(s, z, t) : z->squares[t];
        if (!(gain > most)) continue;
        most = gain;
        best = t;
    }
    return best;
}

assay_status assay_greedy_ed(const assay_deviations *z, size_t n_items, int threads,
                             assay_progress progress, size_t *items, double *ed)
{
    unsigned char *taken = assay_alloc_zero(z->n_items, 1);
    struct ed_state s;
    assay_status status = ed_state_new(z, &s);

    if (status == ASSAY_OK && !taken)
        status = assay_fail(ASSAY_E_NOMEM, "no memory to choose among %zu items", z->n_items);
    for (size_t k = 0; k < n_items && status == ASSAY_OK; k++) {
        double value;

        if ((status = go_on(progress, k, n_items)) != ASSAY_OK) break;
        items[k] = best_by_ed(&s, z, taken);
        taken[items[k]] = 1;
        value = ed_take(&s, z, items[k], threads);
        if (ed) ed[k] = value;
    }
    ed_state_free(&s);
    free(taken);
    return status;
}

assay_status assay_ed_of_first(const assay_deviations *z, const size_t *items, size_t n_items,
                               int threads, double *ed)
{
    struct ed_state s;
    assay_status status = ed_state_new(z, &s);

    for (size_t k = 0; k < n_items && status == ASSAY_OK; k++)
        ed[k] = ed_take(&s, z, items[k], threads);
    ed_state_free(&s);
    return status;
}

/* ---- ranking ---- */

/*
 * What is left of G once the items u_1 .. u_k are seen, each with noise, is Z P Z' with
 * P = I - sum_j w_j w_j': column u of it is Z v, v = z_u - sum_j w_j (w_j'z_u), and
 * w_{k+1} = v / sqrt(G_uu + noise). So only vectors over models are kept, and of G its diagonal and
 * its row sums.
 */
struct ranking_state {
    double *diagonal, *sums; /* of what is left of G */
    double *product, *weight;
    double *w; /* n_items x n_models */
};

static assay_status ranking_state_new(const assay_deviations *z, size_t n_items, int threads,
                                      struct ranking_state *s)
{
    s->diagonal = assay_alloc(z->n_items, sizeof *s->diagonal);
    s->sums = assay_alloc_aligned(z->n_items, sizeof *s->sums);
    s->product = assay_alloc_aligned(z->n_items, sizeof *s->product);
    s->weight = assay_alloc_zero(z->n_models, sizeof *s->weight);
    s->w = assay_alloc(n_items * z->n_models, sizeof *s->w);
    if (!s->diagonal || !s->sums || !s->product || !s->weight || !s->w)
        return assay_fail(ASSAY_E_NOMEM, "no memory to choose among %zu items", z->n_items);
    memcpy(s->diagonal, z->squares, z->n_items * sizeof *s->diagonal);
    for (size_t m = 0; m < z->n_models; m++)
        for (size_t t = 0; t < z->n_items; t++) s->weight[m] += z->cell[m * z->n_items + t];
    assay_deviations_product(z, s->weight, threads, s->sums);
    return ASSAY_OK;
}

static void ranking_state_free(struct ranking_state *s)
{
    free(s->diagonal);
    free(s->sums);
    free(s->product);
    free(s->weight);
    free(s->w);
}

static size_t best_for_ranking(const struct ranking_state *s, const assay_deviations *z,
                               const unsigned char *taken)
{
    double most = -1.0;
    size_t best = 0;

    for (size_t t = 0; t < z->n_items; t++) {
        double d = z->squares[t], gain;

        if (taken[t] || !(d > 0.0)) continue;
        gain = s->sums[t] * s->sums[t] / (fmax(s->diagonal[t], 0.0) + noise_share * d);
        if (!(gain > most)) continue;
        most = gain;
        best = t;
    }
    return best;
}

/* v, in weight. */
static void what_is_left(struct ranking_state *s, const assay_deviations *z, size_t k, size_t u)
{
    size_t n = z->n_models;

    for (size_t m = 0; m < n; m++) s->weight[m] = z->cell[m * z->n_items + u];
    for (size_t j = 0; j < k; j++) {
        const double *w = s->w + j * n;
        double along = 0.0;

        for (size_t m = 0; m < n; m++) along += w[m] * z->cell[m * z->n_items + u];
        for (size_t m = 0; m < n; m++) s->weight[m] -= along / z->divisor * w[m];
    }
}

/* Item u is the k-th, from 0. */
static void ranking_take(struct ranking_state *s, const assay_deviations *z, size_t k, size_t u,
                         int threads)
{
    double left, whole;

    what_is_left(s, z, k, u);
    assay_deviations_product(z, s->weight, threads, s->product);
    left = s->product[u] + noise_share * z->squares[u];
    whole = s->sums[u];
    for (size_t m = 0; m < z->n_models; m++) s->w[k * z->n_models + m] = s->weight[m] / sqrt(left);
    for (size_t t = 0; t < z->n_items; t++) {
        s->sums[t] -= s->product[t] * whole / left;
        s->diagonal[t] -= s->product[t] * s->product[t] / left;
    }
}

assay_status assay_greedy_ranking(const assay_deviations *z, size_t n_items, int threads,
                                  assay_progress progress, size_t *items)
{
    unsigned char *taken = assay_alloc_zero(z->n_items, 1);
    struct ranking_state s;
    assay_status status = ranking_state_new(z, n_items, threads, &s);

    if (status == ASSAY_OK && !taken)
        status = assay_fail(ASSAY_E_NOMEM, "no memory to choose among %zu items", z->n_items);
    for (size_t k = 0; k < n_items && status == ASSAY_OK; k++) {
        if ((status = go_on(progress, k, n_items)) != ASSAY_OK) break;
        items[k] = best_for_ranking(&s, z, taken);
        taken[items[k]] = 1;
        ranking_take(&s, z, k, items[k], threads);
    }
    ranking_state_free(&s);
    free(taken);
    return status;
}
