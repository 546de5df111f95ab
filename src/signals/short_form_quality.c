/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/short_form.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/threads.h"
#include "data/matrix.h"
#include "signals/correlations.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>

enum { RANDOM_SETS = 20, LEAST_MODELS = 10 };

static const char few_models[] = "fewer than 10 models";
static const char no_splits[] = "no splits were asked for";

/* ---- how well some items rank the models ---- */

struct sums {
    assay_column part, whole;
    assay_panel panel;
};

static assay_status sums_new(size_t n_models, struct sums *s)
{
    *s = (struct sums){ 0 };
    s->part.value = assay_alloc_zero(n_models, sizeof *s->part.value);
    s->part.order = assay_alloc(n_models, sizeof *s->part.order);
    s->whole.value = assay_alloc_zero(n_models, sizeof *s->whole.value);
    s->whole.order = assay_alloc(n_models, sizeof *s->whole.order);
    if (s->part.value && s->part.order && s->whole.value && s->whole.order)
        return assay_panel_new(n_models, 2, &s->panel);
    return assay_fail(ASSAY_E_NOMEM, "no memory for the sums of %zu models", n_models);
}

static void sums_free(struct sums *s)
{
    free(s->part.value);
    free(s->part.order);
    free(s->whole.value);
    free(s->whole.order);
    assay_panel_free(&s->panel);
}

/* Sums that are equal but for the rounding of their terms are ties: a grid of 2^-40 of the
   largest. */
static void round_sums(double *sum, size_t n)
{
    double largest = 0.0;

    for (size_t m = 0; m < n; m++) largest = fmax(largest, fabs(sum[m]));
    for (size_t m = 0; m < n && largest > 0.0; m++)
        sum[m] = round(ldexp(sum[m], 40 - ilogb(largest)));
}

assay_status assay_short_form_agreement(const assay_deviations *z, const size_t *items,
                                        size_t n_items, double *spearman)
{
    struct sums s;
    const assay_column *columns[] = { &s.part, &s.whole };
    assay_status status = sums_new(z->n_models, &s);

    for (size_t m = 0; status == ASSAY_OK && m < z->n_models; m++) {
        const double *row = z->cell + m * z->n_items;

        for (size_t k = 0; k < n_items; k++) s.part.value[m] += row[items[k]];
        for (size_t t = 0; t < z->n_items; t++) s.whole.value[m] += row[t];
    }
    if (status == ASSAY_OK) {
        round_sums(s.part.value, z->n_models);
        round_sums(s.whole.value, z->n_models);
        status = assay_column_settle(&s.part, z->n_models);
    }
    if (status == ASSAY_OK) status = assay_column_settle(&s.whole, z->n_models);
    if (status == ASSAY_OK) {
        assay_panel_fill(&s.panel, columns, z->n_models);
        *spearman = assay_panel_correlate(&s.panel, NULL).spearman;
        if (isnan(*spearman)) *spearman = 0.0;
    }
    sums_free(&s);
    return status;
}

/* ---- splits ---- */

struct work {
    const assay_matrix *matrix;
    const assay_short_form_options *options;
    size_t n_items;        /* to choose */
    const size_t *varying; /* the items that are not constant */
    size_t n_varying;
    double *chosen, *random; /* of half h of split s at 2 s + h */
};

static void shuffle(assay_random *random, size_t *list, size_t n, size_t n_first)
{
    for (size_t i = 0; i < n_first && i + 1 < n; i++) {
        size_t other = i + (size_t)assay_random_below(random, n - i), swapped = list[i];

        list[i] = list[other];
        list[other] = swapped;
    }
}

/* The mean agreement of random items on a half; list holds the varying ones, in any order. */
static assay_status by_chance(const struct work *work, const assay_deviations *z, size_t half,
                              size_t *list)
{
    double sum = 0.0;

    for (size_t k = 0; k < RANDOM_SETS; k++) {
        double spearman;
        assay_random random;
        assay_status status;

        assay_random_start(&random, work->options->seed, ASSAY_PURPOSE_RANDOM_ITEMS,
                           half * RANDOM_SETS + k);
        for (size_t t = 0; t < work->n_varying; t++) list[t] = work->varying[t];
        shuffle(&random, list, work->n_varying, work->n_items);
        status = assay_short_form_agreement(z, list, work->n_items, &spearman);
        if (status != ASSAY_OK) return status;
        sum += spearman;
    }
    work->random[half] = sum / RANDOM_SETS;
    return ASSAY_OK;
}

/* Chosen by the models of one half, measured on those of the other. In a half fewer items may vary
   than are to be chosen. */
static assay_status one_way(const struct work *work, const assay_deviations *by,
                            const assay_deviations *on, size_t half, size_t *list)
{
    size_t n = work->n_items < by->n_varying ? work->n_items : by->n_varying;
    assay_short_form_options options = *work->options;
    assay_status status;

    options.threads = 1;
    options.progress = (assay_progress){ 0 };
    if ((status = assay_short_form_pick(by, &options, n, list, NULL)) != ASSAY_OK) return status;
    status = assay_short_form_agreement(on, list, n, &work->chosen[half]);
    return status == ASSAY_OK ? by_chance(work, on, half, list) : status;
}

static assay_status split(void *user, size_t k, int thread)
{
    const struct work *work = user;
    size_t n = work->matrix->n_models, half = n / 2;
    size_t *models = assay_alloc(n, sizeof *models);
    size_t *list = assay_alloc(work->n_varying, sizeof *list);
    assay_deviations a = { 0 }, b = { 0 };
    assay_random random;
    assay_status status = ASSAY_OK;

    (void)thread;
    if (!models || !list) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to split %zu models", n);
        goto done;
    }
    for (size_t m = 0; m < n; m++) models[m] = m;
    assay_random_start(&random, work->options->seed, ASSAY_PURPOSE_HALVES, k);
    shuffle(&random, models, n, n);
    if ((status = assay_deviations_new(work->matrix, models, half, &a)) != ASSAY_OK) goto done;
    status = assay_deviations_new(work->matrix, models + half, n - half, &b);
    if (status == ASSAY_OK) status = one_way(work, &a, &b, 2 * k, list);
    if (status == ASSAY_OK) status = one_way(work, &b, &a, 2 * k + 1, list);
done:
    assay_deviations_free(&a);
    assay_deviations_free(&b);
    free(models);
    free(list);
    return status;
}

/* The halves of all threads together take no more than 2 GiB. */
static int threads_of(const struct work *work)
{
    double bytes = (double)work->matrix->n_models * (double)work->matrix->n_items * sizeof(double);
    int threads = assay_threads(work->options->threads),
        most = (int)fmin(2147483648.0 / bytes, 1024.0);

    if (most < 1) most = 1;
    return threads < most ? threads : most;
}

/* Halves of the same models are not independent: over J random halves, a training half to a test
   half, the mean of a difference with variance s^2 varies by (1 / J + 1) s^2 (Nadeau and Bengio). */
static void find_gain(const struct work *work, size_t n, assay_short_form_quality *quality)
{
    double squares = 0.0, half_width;

    quality->gain = quality->held_out - quality->random;
    for (size_t h = 0; h < n; h++) {
        double off = work->chosen[h] - work->random[h] - quality->gain;

        squares += off * off;
    }
    half_width = assay_student_quantile(0.5 + work->options->level / 2.0, (double)(n - 1)) *
                 sqrt((1.0 / (double)n + 1.0) * squares / (double)(n - 1));
    quality->gain_low = quality->gain - half_width;
    quality->gain_high = quality->gain + half_width;
}

static void summarise(const struct work *work, assay_short_form_quality *quality)
{
    size_t n = 2 * work->options->splits;
    double squares = 0.0;

    quality->n_splits = work->options->splits;
    quality->held_out = quality->random = 0.0;
    for (size_t h = 0; h < n; h++) {
        quality->held_out += work->chosen[h] / (double)n;
        quality->random += work->random[h] / (double)n;
    }
    for (size_t h = 0; h < n; h++) {
        double off = work->chosen[h] - quality->held_out;

        squares += off * off;
    }
    quality->held_out_sd = sqrt(squares / (double)(n - 1));
    find_gain(work, n, quality);
}

assay_status assay_short_form_measure(const assay_matrix *matrix, const assay_deviations *z,
                                      const assay_short_form_options *options,
                                      assay_short_form *form)
{
    assay_short_form_quality *quality = &form->quality;
    struct work work = { .matrix = matrix, .options = options, .n_items = form->n };
    size_t *varying = NULL;
    assay_status status;

    *quality = (assay_short_form_quality){ NAN, NAN, NAN, NAN, 0, NULL, NAN, NAN, NAN };
    status = assay_short_form_agreement(z, form->items, form->n, &quality->spearman);
    if (status != ASSAY_OK) return status;
    if (matrix->n_models < LEAST_MODELS || options->splits == 0) {
        quality->reason = options->splits ? few_models : no_splits;
        return ASSAY_OK;
    }
    varying = assay_alloc(z->n_varying, sizeof *varying);
    work.chosen = assay_alloc(2 * options->splits, sizeof *work.chosen);
    work.random = assay_alloc(2 * options->splits, sizeof *work.random);
    if (varying && work.chosen && work.random) {
        for (size_t t = 0; t < z->n_items; t++)
            if (z->squares[t] > 0.0) varying[work.n_varying++] = t;
        work.varying = varying;
        status = assay_do_pieces(options->splits, threads_of(&work), "splits", options->progress,
                                 split, &work);
    } else {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu splits", options->splits);
    }
    if (status == ASSAY_OK) summarise(&work, quality);
    free(varying);
    free(work.chosen);
    free(work.random);
    return status;
}
