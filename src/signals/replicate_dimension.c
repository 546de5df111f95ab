/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/replicate_dimension.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "signals/cluster_moments.h"
#include "signals/disjoint.h"
#include "signals/jackknife.h"
#include "signals/replicates.h"
#include "stats/distributions.h"
#include "stats/linalg.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

static const char too_few[] =
    "needs 4 models and 2 items with two replicates in every cell, and has fewer";
static const char alike[] =
    "the replicates of every cell are the same: copies (temperature 0, say) show no noise";
static const char no_signal[] = "no signal: the models do not differ on items beyond the noise";
static const char no_shared_signal[] = "no signal: items have nothing in common beyond the noise";
static const char no_interval[] = "an interval needs 5 models and 3 items";
static const char no_stable_interval[] = "without some model or item there is no signal";
static const char no_numbers[] = "the scores are too far apart for their squares";

/* Standard errors of A, B or log ED. */
struct spread {
    double models, items; /* by the jackknife over each */
    double shared;        /* of what both of these count */
    double reach;         /* half of the interval's width */
    double df;
};

static assay_status find_moments(const assay_replicates *replicates, int threads,
                                 assay_disjoint_moments *moments);
static assay_status moments_of_runs(const assay_replicates *replicates,
                                    assay_disjoint_moments *moments);
static assay_status moments_of_templates(const assay_replicates *replicates, int threads,
                                         assay_disjoint_moments *moments);
static void estimate(const assay_disjoint_moments *moments, double level,
                     assay_replicate_dimension *out);

assay_status assay_replicate_dimension_fit(const assay_replicates *replicates, double level,
                                           int threads, assay_replicate_dimension *out)
{
    assay_disjoint_moments moments = { 0 };
    assay_replicate_dimension made = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, 0 };
    size_t n_models = replicates->count[ASSAY_REPLICATES_N_MODELS];
    size_t n_items = replicates->count[ASSAY_REPLICATES_N_ITEMS];
    assay_status status = ASSAY_OK;

    if (!(level > 0.0 && level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "replicates: level is %g, expected between 0 and 1",
                          level);
    if (threads < 0 || threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "replicates: threads is %d, expected 0 to 1024", threads);
    if (n_models < 4 || n_items < 2 || replicates->count[ASSAY_REPLICATES_LEAST] < 2) {
        made.reason = too_few;
    } else if (replicates->are_alike) {
        made.reason = alike;
    } else {
        threads = assay_threads(threads);
        assay_blas_hold();
        status = assay_disjoint_moments_new(n_models, n_items, &moments);
        if (status == ASSAY_OK) status = find_moments(replicates, threads, &moments);
        assay_blas_release();
        if (status == ASSAY_OK) estimate(&moments, level, &made);
        assay_disjoint_moments_free(&moments);
    }
    if (status == ASSAY_OK) *out = made;
    return status;
}

/* ---- moments of each kind of replicates ---- */

static assay_status find_moments(const assay_replicates *replicates, int threads,
                                 assay_disjoint_moments *moments)
{
    switch (replicates->source) {
    case ASSAY_REPLICATES_RUNS: return moments_of_runs(replicates, moments);
    case ASSAY_REPLICATES_TEMPLATES: return moments_of_templates(replicates, threads, moments);
    case ASSAY_REPLICATES_CLUSTERS: return assay_cluster_moments(replicates, moments);
    }
    return ASSAY_OK;
}

/* Errors of two cells are independent, so that the means of all runs serve everywhere but on one
   cell. */
static assay_status moments_of_runs(const assay_replicates *replicates,
                                    assay_disjoint_moments *moments)
{
    size_t n_cells = moments->n_models * moments->n_items;
    const double *p = replicates->scores;
    double *square = assay_alloc(n_cells, sizeof *square);
    assay_disjoint_table table = { moments->n_models, moments->n_items, p, p, square };
    assay_status status;

    if (!square) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu cells", n_cells);
    for (size_t k = 0; k < n_cells; k++) square[k] = p[k] * p[k] - replicates->noise[k];
    status = assay_disjoint_add(&table, moments);
    free(square);
    return status;
}

/* Pairs of templates s < t, numbered. Each has moments of its own, which are added in order. */
struct pairs {
    const assay_replicates *replicates;
    size_t n_templates, first; /* of the batch */
    assay_disjoint_moments *moments;
    double *square; /* a table a thread */
};

static void pair_of(size_t k, size_t n_templates, size_t *s, size_t *t)
{
    *s = 0;
    while (k >= n_templates - 1 - *s) k -= n_templates - 1 - (*s)++;
    *t = *s + 1 + k;
}

static assay_status moments_of_pair(void *user, size_t k, int thread)
{
    const struct pairs *pairs = user;
    assay_disjoint_moments *moments = &pairs->moments[k];
    size_t n_cells = moments->n_models * moments->n_items, s, t;
    double *square = pairs->square + (size_t)thread * n_cells;
    const double *x, *y;

    pair_of(pairs->first + k, pairs->n_templates, &s, &t);
    x = pairs->replicates->scores + s * n_cells;
    y = pairs->replicates->scores + t * n_cells;
    for (size_t c = 0; c < n_cells; c++) square[c] = x[c] * y[c];
    return assay_disjoint_add(
        &(assay_disjoint_table){ moments->n_models, moments->n_items, x, y, square }, moments);
}

static void add_moments(assay_disjoint_moments *to, const assay_disjoint_moments *more)
{
    to->all.a += more->all.a;
    to->all.b += more->all.b;
    for (size_t k = 0; k < to->n_models; k++) {
        to->without_model[k].a += more->without_model[k].a;
        to->without_model[k].b += more->without_model[k].b;
    }
    for (size_t k = 0; k < to->n_items; k++) {
        to->without_item[k].a += more->without_item[k].a;
        to->without_item[k].b += more->without_item[k].b;
    }
    for (size_t k = 0; k < to->n_items * to->n_models; k++) {
        to->without_both[k].a += more->without_both[k].a;
        to->without_both[k].b += more->without_both[k].b;
    }
}

/* Every pair of templates counts alike. Sums instead of means: the ratio is the same. */
static assay_status moments_of_templates(const assay_replicates *replicates, int threads,
                                         assay_disjoint_moments *moments)
{
    enum { BATCH = 64 };
    size_t n = replicates->count[ASSAY_REPLICATES_LEAST], n_pairs = n * (n - 1) / 2;
    assay_disjoint_moments batch[BATCH] = { 0 };
    struct pairs pairs = { replicates, n, 0, batch, NULL };
    assay_status status = ASSAY_OK;

    pairs.square =
        assay_alloc((size_t)threads * moments->n_models * moments->n_items, sizeof(double));
    if (!pairs.square) return assay_fail(ASSAY_E_NOMEM, "no memory for pairs of templates");
    for (; pairs.first < n_pairs && status == ASSAY_OK; pairs.first += BATCH) {
        size_t left = n_pairs - pairs.first, n_batch = left < BATCH ? left : BATCH;

        for (size_t k = 0; k < n_batch && status == ASSAY_OK; k++)
            status = assay_disjoint_moments_new(moments->n_models, moments->n_items, &batch[k]);
        if (status == ASSAY_OK)
            status = assay_do_pieces(n_batch, threads, "replicates", (assay_progress){ 0 },
                                     moments_of_pair, &pairs);
        for (size_t k = 0; k < n_batch; k++) {
            if (status == ASSAY_OK) add_moments(moments, &batch[k]);
            assay_disjoint_moments_free(&batch[k]);
        }
    }
    free(pairs.square);
    return status;
}

/* ---- estimate and interval ---- */

enum figure { A, B, LOG_RATIO };

static double figure_of(assay_moment_pair pair, enum figure figure)
{
    return figure == A ? pair.a : figure == B ? pair.b : log(pair.a / pair.b);
}

/* (n - 1) / n times the sum of squares of what leaving out one does. */
static double jackknife(const assay_moment_pair *without, size_t n, enum figure figure)
{
    double mean = 0.0, squares = 0.0;

    for (size_t k = 0; k < n; k++) mean += figure_of(without[k], figure) / (double)n;
    for (size_t k = 0; k < n; k++) {
        double d = figure_of(without[k], figure) - mean;

        squares += d * d;
    }
    return squares * ((double)n - 1.0) / (double)n;
}

/* all - item - model + both; of logarithms in one. */
static double second_difference(assay_moment_pair all, assay_moment_pair item,
                                assay_moment_pair model, assay_moment_pair both, enum figure figure)
{
    if (figure == A) return all.a - item.a - model.a + both.a;
    if (figure == B) return all.b - item.b - model.b + both.b;
    return log(all.a * both.a * item.b * model.b / (all.b * both.b * item.a * model.a));
}

/* The same for what leaving out a model and an item does beyond leaving out the one and the other:
   the part of a cell, such as its noise, which is in both jackknives. */
static double jackknife_of_cells(const assay_disjoint_moments *moments, enum figure figure)
{
    size_t n = moments->n_models, m = moments->n_items;
    double squares = 0.0;

    for (size_t a = 0; a < m; a++) {
        for (size_t k = 0; k < n; k++) {
            double d =
                second_difference(moments->all, moments->without_item[a], moments->without_model[k],
                                  moments->without_both[a * n + k], figure);

            squares += d * d;
        }
    }
    return squares * ((double)n - 1.0) / (double)n * ((double)m - 1.0) / (double)m;
}

/* Two-way: models plus items less what is in both. */
static struct spread spread_of(const assay_disjoint_moments *moments, enum figure figure,
                               double level)
{
    double n = (double)moments->n_models, m = (double)moments->n_items;
    double of_models = jackknife(moments->without_model, moments->n_models, figure);
    double of_items = jackknife(moments->without_item, moments->n_items, figure);
    double of_cells = jackknife_of_cells(moments, figure);
    double all = fmax(of_models + of_items - of_cells, fmax(of_models, of_items));
    double df = all * all / (of_models * of_models / (n - 1.0) + of_items * of_items / (m - 1.0));

    return (struct spread){
        .models = sqrt(of_models),
        .items = sqrt(of_items),
        .shared = sqrt(of_models + of_items - all),
        .reach = -sqrt(all) * assay_student_quantile(0.5 - 0.5 * level, fmax(df, 1.0)),
        .df = fmax(df, 1.0),
    };
}

/* Whether the interval of A or B stays above 0, where only cells vary: what models and items add to
   it grows and falls with the signal itself, and would hide a plain one among few models. */
static int is_above_noise(const assay_disjoint_moments *moments, enum figure figure, double level)
{
    double se = sqrt(jackknife_of_cells(moments, figure));

    return figure_of(moments->all, figure) > assay_normal_quantile(0.5 + 0.5 * level) * se;
}

/* Without an interval the sign of A and B has to do. */
static const char *find_signal(const assay_disjoint_moments *moments, int has_interval,
                               double level)
{
    if (!isfinite(moments->all.a) || !isfinite(moments->all.b)) return no_numbers;
    if (!(moments->all.a > 0.0)) return no_signal;
    if (has_interval && !is_above_noise(moments, A, level)) return no_signal;
    if (!(moments->all.b > 0.0)) return no_shared_signal;
    if (has_interval && !is_above_noise(moments, B, level)) return no_shared_signal;
    return NULL;
}

static void estimate(const assay_disjoint_moments *moments, double level,
                     assay_replicate_dimension *out)
{
    int has_interval = moments->n_models > 4 && moments->n_items > 2;
    struct spread spread;

    out->reason = find_signal(moments, has_interval, level);
    out->no_signal = out->reason == no_signal || out->reason == no_shared_signal;
    if (out->reason) return;
    out->value = moments->all.a / moments->all.b;
    out->reason = has_interval ? NULL : no_interval;
    if (!has_interval) return;
    spread = spread_of(moments, LOG_RATIO, level);
    if (!isfinite(spread.reach)) {
        out->reason = no_stable_interval;
        return;
    }
    out->low = fmax(out->value * exp(-spread.reach), 1.0);
    out->high = fmax(out->value * exp(spread.reach), 1.0);
    out->se_models = spread.models;
    out->se_items = spread.items;
    out->se_shared = spread.shared;
    out->df = spread.df;
}
