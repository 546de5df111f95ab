/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/redundancy.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/random.h"
#include "core/threads.h"
#include "data/matrix.h"
#include "signals/correlations.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char few_models[] = "fewer than 3 models have both";
static const char constant[] = "one of the two is the same for all models that have both";
static const char few_with_given[] = "fewer than 4 models have both and the covariate";
static const char decided[] =
    "one of the two, or the covariate, is constant, or the covariate decides one of the two";
static const char not_asked[] = "no resamples were asked for";
static const char too_many[] = "not even 100 resamples of so many pairs and models are affordable";
static const char few_for_interval[] = "fewer than 10 models";
static const char no_spread[] = "in more than a tenth of the resamples there is no correlation";

enum { LEAST_FOR_INTERVAL = 10, MOST_COLUMNS = 2000 };

/* About 3 seconds of one core, in models of pairs of resamples. */
static const double affordable = 5e8;

/* A thread's own. */
struct desk {
    assay_panel panel, given_panel;
    double *draws[4]; /* pearson, spearman, and both given the covariate; a number a resample */
};

struct work {
    const assay_redundancy_options *options;
    size_t n_models, n_columns;
    assay_column *columns; /* the matrix's, then the covariate */
    assay_redundancy *fit;
    unsigned char *count; /* resamples x models: how often one was drawn */
    struct desk *desks;
    int threads;
};

static assay_status resolve_options(const assay_redundancy_options *given,
                                    assay_redundancy_options *options);
static assay_status read_columns(const assay_matrix *matrix, struct work *work);
static assay_status draw_models(struct work *work);
static assay_status desks_new(struct work *work);
static assay_status row_of_pairs(void *user, size_t a, int thread);
static void finish(struct work *work);

assay_status assay_redundancy_fit(const assay_matrix *matrix, const assay_redundancy_options *given,
                                  assay_redundancy **out)
{
    assay_redundancy_options options;
    struct work work = { .options = &options };
    size_t t;
    assay_status status;

    *out = NULL;
    if ((status = resolve_options(given, &options)) != ASSAY_OK) return status;
    t = matrix->n_items;
    if (t > options.max_columns)
        return assay_fail(ASSAY_E_SHAPE, "correlations of %zu columns, of which there may be %zu",
                          t, options.max_columns);
    work.n_models = matrix->n_models;
    work.n_columns = t;
    work.threads = assay_threads(options.threads);
    if ((size_t)work.threads > t) work.threads = (int)t;
    work.fit = assay_alloc_zero(1, sizeof *work.fit);
    if (work.fit) work.fit->pair = assay_alloc_zero(t * (t - 1) / 2, sizeof(assay_pair));
    if (!work.fit || !work.fit->pair) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the pairs of %zu columns", t);
        goto done;
    }
    work.fit->n_columns = t;
    if ((status = read_columns(matrix, &work)) != ASSAY_OK) goto done;
    if ((status = draw_models(&work)) != ASSAY_OK) goto done;
    if ((status = desks_new(&work)) != ASSAY_OK) goto done;
    status =
        assay_do_pieces(t - 1, work.threads, "correlations", options.progress, row_of_pairs, &work);
    if (status != ASSAY_OK) goto done;
    *out = work.fit;
    work.fit = NULL;
done:
    finish(&work);
    return status;
}

void assay_redundancy_free(assay_redundancy *fit)
{
    if (!fit) return;
    free(fit->pair);
    free(fit);
}

void assay_redundancy_options_init(assay_redundancy_options *options, size_t struct_size)
{
    const assay_redundancy_options defaults = {
        .struct_size = struct_size, .seed = 1, .level = 0.95, .resamples = -1, .max_columns = 1000
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_redundancy_options_check(const assay_redundancy_options *options)
{
    assay_redundancy_options resolved;

    return resolve_options(options, &resolved);
}

static assay_status resolve_options(const assay_redundancy_options *given,
                                    assay_redundancy_options *options)
{
    assay_status status;

    assay_redundancy_options_init(options, sizeof *options);
    status = assay_options_take("redundancy", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (!(options->level > 0.0 && options->level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "redundancy: level is %g, expected between 0 and 1",
                          options->level);
    if (options->resamples < -1 || options->resamples > 1000000)
        return assay_fail(ASSAY_E_VALUE, "redundancy: resamples is %lld, expected -1 to 1000000",
                          (long long)options->resamples);
    if (options->max_columns > MOST_COLUMNS)
        return assay_fail(ASSAY_E_VALUE, "redundancy: max_columns is %zu, expected 0 to %d",
                          options->max_columns, MOST_COLUMNS);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "redundancy: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

/* ---- what the pairs are made of ---- */

static assay_status column_new(size_t n_models, assay_column *column)
{
    column->value = assay_alloc(n_models, sizeof *column->value);
    column->order = assay_alloc(n_models, sizeof *column->order);
    if (column->value && column->order) return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "no memory for a column of %zu models", n_models);
}

static assay_status check_covariate(const double *covariate, size_t n_models)
{
    for (size_t m = 0; m < n_models; m++)
        if (isinf(covariate[m]))
            return assay_fail(ASSAY_E_VALUE, "redundancy: the covariate of model %zu is %g", m,
                              covariate[m]);
    return ASSAY_OK;
}

/* Scores are finite: the matrix has seen to that. */
static assay_status read_columns(const assay_matrix *matrix, struct work *work)
{
    size_t n = matrix->n_models, t = matrix->n_items;
    const double *covariate = work->options->given;
    assay_status status = covariate ? check_covariate(covariate, n) : ASSAY_OK;

    if (status != ASSAY_OK) return status;
    work->columns = assay_alloc_zero(t + 1, sizeof *work->columns);
    if (!work->columns) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu columns", t);
    for (size_t c = 0; c < t + (covariate != NULL); c++) {
        if ((status = column_new(n, &work->columns[c])) != ASSAY_OK) return status;
        for (size_t m = 0; m < n; m++)
            work->columns[c].value[m] = c < t ? assay_matrix_score(matrix, m, c) : covariate[m];
        if ((status = assay_column_settle(&work->columns[c], n)) != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

static size_t resamples_of(const struct work *work, const char **reason)
{
    size_t t = work->fit->n_columns;
    double cells = 0.5 * (double)t * (double)(t - 1) * (double)work->n_models;
    int64_t asked = work->options->resamples;

    *reason = NULL;
    if (work->options->given) cells *= 2.0;
    if (asked < 0) asked = 1000.0 * cells <= affordable ? 1000 : (int64_t)(affordable / cells);
    if (work->options->resamples < 0 && asked < 100) {
        asked = 0;
        *reason = too_many;
    }
    if (work->options->resamples == 0) *reason = not_asked;
    if (work->n_models < LEAST_FOR_INTERVAL) {
        asked = 0;
        *reason = few_for_interval;
    }
    return (size_t)asked;
}

/* A model that is drawn 255 times in a resample, of which no one will live to see the first, stays
   at that. */
static assay_status draw_models(struct work *work)
{
    size_t n = work->n_models, b = resamples_of(work, &work->fit->no_resamples);

    work->fit->n_resamples = b;
    work->count = assay_alloc_zero(b * n, 1);
    if (!work->count) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu resamples", b);
    for (size_t r = 0; r < b; r++) {
        unsigned char *count = work->count + r * n;
        assay_random random;

        assay_random_start(&random, work->options->seed, ASSAY_PURPOSE_RESAMPLE_MODELS, r);
        for (size_t i = 0; i < n; i++) {
            size_t m = (size_t)assay_random_below(&random, n);

            if (count[m] < 255) count[m]++;
        }
    }
    return ASSAY_OK;
}

static assay_status desks_new(struct work *work)
{
    assay_status status = ASSAY_OK;

    work->desks = assay_alloc_zero((size_t)work->threads, sizeof *work->desks);
    if (!work->desks) return assay_fail(ASSAY_E_NOMEM, "no memory for the pairs of columns");
    for (int i = 0; i < work->threads && status == ASSAY_OK; i++) {
        struct desk *desk = &work->desks[i];

        status = assay_panel_new(work->n_models, 2, &desk->panel);
        if (status == ASSAY_OK && work->options->given)
            status = assay_panel_new(work->n_models, 3, &desk->given_panel);
        for (size_t k = 0; k < 4 && status == ASSAY_OK; k++) {
            desk->draws[k] = assay_alloc(work->fit->n_resamples, sizeof(double));
            if (!desk->draws[k])
                status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu resamples",
                                    work->fit->n_resamples);
        }
    }
    return status;
}

static void finish(struct work *work)
{
    for (size_t c = 0; work->columns && c < work->n_columns + 1; c++) {
        free(work->columns[c].value);
        free(work->columns[c].order);
    }
    for (int i = 0; work->desks && i < work->threads; i++) {
        assay_panel_free(&work->desks[i].panel);
        assay_panel_free(&work->desks[i].given_panel);
        for (size_t k = 0; k < 4; k++) free(work->desks[i].draws[k]);
    }
    free(work->columns);
    free(work->count);
    free(work->desks);
    assay_redundancy_free(work->fit);
}

/* ---- a pair ---- */

/* The percentile interval from the draws that there are. */
static void interval(const struct work *work, size_t n, double *draws, assay_correlation *to)
{
    size_t b = work->fit->n_resamples, kept = 0;
    double tail = (1.0 - work->options->level) / 2.0;

    if (isnan(to->value)) return;
    if (b == 0 || n < LEAST_FOR_INTERVAL) {
        to->reason = b == 0 ? work->fit->no_resamples : few_for_interval;
        return;
    }
    for (size_t r = 0; r < b; r++)
        if (!isnan(draws[r])) draws[kept++] = draws[r];
    if (10 * kept < 9 * b) {
        to->reason = no_spread;
        return;
    }
    to->low = assay_quantile(draws, kept, tail);
    to->high = assay_quantile(draws, kept, 1.0 - tail);
}

/* The two correlations of a panel, their intervals, and why there is none. */
static void estimate(const struct work *work, assay_panel *panel, double *const draws[2],
                     const char *reason, assay_correlation *const to[2])
{
    size_t b = work->fit->n_resamples, n = panel->n, least = panel->n_columns + 1;
    assay_two_correlations r = { NAN, NAN };

    if (n >= least) r = assay_panel_correlate(panel, NULL);
    *to[0] = (assay_correlation){ r.pearson, NAN, NAN, isnan(r.pearson) ? reason : NULL };
    *to[1] = (assay_correlation){ r.spearman, NAN, NAN, isnan(r.spearman) ? reason : NULL };
    if (isnan(r.pearson) && isnan(r.spearman)) return;
    for (size_t k = 0; k < b && n >= LEAST_FOR_INTERVAL; k++) {
        r = assay_panel_correlate(panel, work->count + k * work->n_models);
        draws[0][k] = r.pearson;
        draws[1][k] = r.spearman;
    }
    interval(work, n, draws[0], to[0]);
    interval(work, n, draws[1], to[1]);
}

static void pair_of(const struct work *work, size_t a, size_t b, struct desk *desk)
{
    size_t t = work->fit->n_columns;
    assay_pair *pair = &work->fit->pair[assay_pair_place(t, a, b)];
    const assay_column *columns[] = { &work->columns[a], &work->columns[b], &work->columns[t] };
    assay_correlation *plain[] = { &pair->pearson, &pair->spearman };
    assay_correlation *given[] = { &pair->partial_pearson, &pair->partial_spearman };

    assay_panel_fill(&desk->panel, columns, work->n_models);
    pair->n = desk->panel.n;
    estimate(work, &desk->panel, desk->draws, pair->n < 3 ? few_models : constant, plain);
    *given[0] = *given[1] = (assay_correlation){ NAN, NAN, NAN, "no covariate was given" };
    if (!work->options->given) return;
    assay_panel_fill(&desk->given_panel, columns, work->n_models);
    pair->n_given = desk->given_panel.n;
    estimate(work, &desk->given_panel, desk->draws + 2,
             pair->n_given < 4 ? few_with_given : decided, given);
}

static assay_status row_of_pairs(void *user, size_t a, int thread)
{
    const struct work *work = user;

    for (size_t b = a + 1; b < work->fit->n_columns; b++) pair_of(work, a, b, &work->desks[thread]);
    return ASSAY_OK;
}

/* ---- what can be asked ---- */

size_t assay_redundancy_n_columns(const assay_redundancy *fit)
{
    return fit->n_columns;
}

size_t assay_redundancy_resamples(const assay_redundancy *fit)
{
    return fit->n_resamples;
}

const char *assay_redundancy_no_resamples(const assay_redundancy *fit)
{
    return fit->no_resamples;
}

assay_pair assay_redundancy_pair(const assay_redundancy *fit, size_t a, size_t b)
{
    return fit->pair[assay_pair_place(fit->n_columns, a, b)];
}

double assay_composite_ceiling(double rho)
{
    return sqrt((1.0 + rho) / 2.0);
}
