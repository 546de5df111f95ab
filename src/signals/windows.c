/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/windows.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "signals/parts.h"
#include "stats/linalg.h"
#include "stats/mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char too_few_models[] = "fewer models with a score than a window takes";
static const char no_two[] = "needs two windows in which something varies";

struct assay_windows {
    size_t n, size, step, n_models;
    assay_window *at;
    assay_windows_summary summary[2];
};

struct scored {
    double score;
    size_t model;
};

struct work {
    assay_windows_options options;
    assay_parts parts;
    int threads;
    size_t *order; /* the models with a score, weakest first */
    assay_windows *windows;
    size_t *drawn; /* a window of models a thread */
    double *ed;    /* of the draws: least and last, a pair for each scale */
};

static assay_status resolve_options(const assay_windows_options *given,
                                    assay_windows_options *options);
static assay_status sort_models(const assay_matrix *matrix, const double *score, struct work *work,
                                struct scored *scored);
static assay_status place_windows(const struct scored *scored, struct work *work);
static assay_status one_window(void *user, size_t k, int thread);
static void find_least(assay_windows *windows, int scale);
static assay_status draw_again(void *user, size_t k, int thread);
static void count_above(struct work *work);

assay_status assay_windows_fit(const assay_matrix *matrix, const double *score,
                               const assay_windows_options *options, assay_windows **out)
{
    struct work work = { 0 };
    struct scored *scored = NULL;
    assay_status status = resolve_options(options, &work.options);

    *out = NULL;
    if (status != ASSAY_OK) return status;
    work.threads = assay_threads(work.options.threads);
    assay_blas_hold();
    scored = assay_alloc(matrix->n_models, sizeof *scored);
    work.order = assay_alloc(matrix->n_models, sizeof *work.order);
    work.windows = assay_alloc_zero(1, sizeof *work.windows);
    if (!scored || !work.order || !work.windows) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to sort %zu models", matrix->n_models);
        goto done;
    }
    if ((status = sort_models(matrix, score, &work, scored)) != ASSAY_OK) goto done;
    if ((status = place_windows(scored, &work)) != ASSAY_OK) goto done;
    if ((status = assay_parts_new(matrix, &work.parts)) != ASSAY_OK) goto done;
    status = assay_do_pieces(work.windows->n, work.threads, "windows", work.options.progress,
                             one_window, &work);
    if (status != ASSAY_OK) goto done;
    find_least(work.windows, 0);
    find_least(work.windows, 1);
    if (work.windows->n > 1)
        status = assay_do_pieces(work.options.draws, work.threads, "windows drawn again",
                                 work.options.progress, draw_again, &work);
    if (status != ASSAY_OK) goto done;
    count_above(&work);
    *out = work.windows;
    work.windows = NULL;
done:
    assay_blas_release();
    assay_parts_free(&work.parts);
    assay_windows_free(work.windows);
    free(scored);
    free(work.order);
    free(work.drawn);
    free(work.ed);
    return status;
}

void assay_windows_options_init(assay_windows_options *options, size_t struct_size)
{
    const assay_windows_options defaults = { .struct_size = struct_size, .seed = 1, .draws = 1000 };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_windows_options *given,
                                    assay_windows_options *options)
{
    assay_status status;

    assay_windows_options_init(options, sizeof *options);
    status = assay_options_take("windows", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->window == 1 || options->window == 2)
        return assay_fail(ASSAY_E_VALUE, "windows: window is %zu, expected 3 or more",
                          options->window);
    if (options->draws > 1000000)
        return assay_fail(ASSAY_E_VALUE, "windows: draws is %zu, expected 0 to 1000000",
                          options->draws);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "windows: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

/* ---- who stands in which window ---- */

/* Of many models the paper's 500 by 25; of few a third of them. */
static void settle_windows(const assay_windows_options *options, assay_windows *windows)
{
    enum { LEAST = 3, MOST = 500, MOST_STEP = 25 };
    size_t third = windows->n_models / 3, step;

    windows->size = options->window ? options->window
                    : third < LEAST ? LEAST
                    : third > MOST  ? MOST
                                    : third;
    step = windows->size / 20;
    windows->step = options->step      ? options->step
                    : step < 1         ? 1
                    : step > MOST_STEP ? MOST_STEP
                                       : step;
}

static int weaker(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;

    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    return (x->model > y->model) - (x->model < y->model);
}

static assay_status sort_models(const assay_matrix *matrix, const double *score, struct work *work,
                                struct scored *scored)
{
    size_t n = 0;

    for (size_t m = 0; m < matrix->n_models; m++) {
        if (isinf(score[m]))
            return assay_fail(ASSAY_E_VALUE, "windows: the score of model %zu is infinite", m);
        if (!isnan(score[m])) scored[n++] = (struct scored){ score[m], m };
    }
    qsort(scored, n, sizeof *scored, weaker);
    for (size_t i = 0; i < n; i++) work->order[i] = scored[i].model;
    work->windows->n_models = n;
    settle_windows(&work->options, work->windows);
    return ASSAY_OK;
}

/* From the best downwards, and the weakest of them first. */
static assay_status place_windows(const struct scored *scored, struct work *work)
{
    assay_windows *windows = work->windows;
    size_t size = windows->size, spare;

    if (windows->n_models < size) return ASSAY_OK;
    spare = windows->n_models - size;
    windows->n = spare / windows->step + 1;
    windows->at = assay_alloc(windows->n, sizeof *windows->at);
    work->drawn = assay_alloc((size_t)work->threads * size, sizeof *work->drawn);
    work->ed = assay_alloc(4 * work->options.draws, sizeof *work->ed);
    if (!windows->at || !work->drawn || !work->ed)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu windows", windows->n);
    for (size_t k = 0; k < windows->n; k++) {
        size_t first = spare - (windows->n - 1 - k) * windows->step;
        assay_window *window = &windows->at[k];

        assay_mean mean = { 0 };

        for (size_t i = first; i < first + size; i++) assay_mean_add(&mean, scored[i].score);
        *window = (assay_window){ .first = first,
                                  .score_from = scored[first].score,
                                  .score_to = scored[first + size - 1].score,
                                  .score_mean = assay_mean_of(&mean) };
    }
    return ASSAY_OK;
}

static assay_status both_scales(const assay_parts *parts, assay_part part, double *as_it_is,
                                double *unit_variance)
{
    assay_status status = assay_part_ed(parts, part, as_it_is);

    return status == ASSAY_OK ? assay_part_unit_ed(parts, part, unit_variance) : status;
}

static assay_status one_window(void *user, size_t k, int thread)
{
    const struct work *work = user;
    assay_window *window = &work->windows->at[k];
    assay_part part = { .models = work->order + window->first, .n_models = work->windows->size };

    (void)thread;
    return both_scales(&work->parts, part, &window->ed[0], &window->ed[1]);
}

static void find_least(assay_windows *windows, int scale)
{
    assay_windows_summary *summary = &windows->summary[scale];
    size_t have = 0;

    *summary = (assay_windows_summary){ NAN, NAN, NAN, 0, NAN, NULL };
    summary->reason = windows->n == 0 ? too_few_models : no_two;
    for (size_t k = 0; k < windows->n; k++) {
        double ed = windows->at[k].ed[scale];

        if (isnan(ed)) continue;
        if (have++ > 0 && !(ed < summary->least)) continue;
        summary->least = ed;
        summary->at_least = k;
    }
    if (have < 2) {
        summary->least = NAN;
        summary->at_least = 0;
        return;
    }
    summary->reason = NULL;
    summary->first = windows->at[0].ed[scale];
    summary->last = windows->at[windows->n - 1].ed[scale];
}

/* ---- windows drawn again ---- */

static void resample(const struct work *work, size_t window, assay_random *random, size_t *drawn)
{
    size_t size = work->windows->size;
    const size_t *from = work->order + work->windows->at[window].first;

    for (size_t i = 0; i < size; i++) drawn[i] = from[assay_random_below(random, size)];
}

static assay_status draw_again(void *user, size_t k, int thread)
{
    const struct work *work = user;
    const assay_windows *windows = work->windows;
    size_t *drawn = work->drawn + (size_t)thread * windows->size;
    assay_part part = { .models = drawn, .n_models = windows->size, .models_repeat = 1 };
    double *ed = work->ed + 4 * k;
    assay_random random;
    assay_status status = ASSAY_OK;

    assay_random_start(&random, work->options.seed, ASSAY_PURPOSE_WINDOW, k);
    resample(work, windows->n - 1, &random, drawn);
    status = both_scales(&work->parts, part, &ed[1], &ed[3]);
    for (int scale = 0; scale < 2 && status == ASSAY_OK; scale++) {
        resample(work, windows->summary[scale].at_least, &random, drawn);
        status = scale ? assay_part_unit_ed(&work->parts, part, &ed[2])
                       : assay_part_ed(&work->parts, part, &ed[0]);
    }
    return status;
}

static void count_above(struct work *work)
{
    assay_windows *windows = work->windows;

    for (size_t scale = 0; scale < 2; scale++) {
        assay_windows_summary *summary = &windows->summary[scale];
        double above = 0.0, n = 0.0;

        if (summary->reason || summary->at_least + 1 == windows->n || isnan(summary->last))
            continue;
        for (size_t k = 0; k < work->options.draws; k++) {
            const double *pair = work->ed + 4 * k + 2 * scale;

            if (isnan(pair[0]) || isnan(pair[1])) continue;
            above += pair[1] > pair[0] ? 1.0 : pair[1] == pair[0] ? 0.5 : 0.0;
            n += 1.0;
        }
        if (n > 0.0) summary->p_last_above = above / n;
    }
}

/* ---- getters ---- */

size_t assay_windows_n(const assay_windows *windows)
{
    return windows->n;
}

assay_window assay_windows_at(const assay_windows *windows, size_t k)
{
    return windows->at[k];
}

size_t assay_windows_n_models(const assay_windows *windows)
{
    return windows->n_models;
}

size_t assay_windows_size(const assay_windows *windows)
{
    return windows->size;
}

size_t assay_windows_step(const assay_windows *windows)
{
    return windows->step;
}

assay_windows_summary assay_windows_summarise(const assay_windows *windows,
                                              assay_windows_scale scale)
{
    return windows->summary[scale == ASSAY_WINDOWS_UNIT_VARIANCE];
}

void assay_windows_free(assay_windows *windows)
{
    if (!windows) return;
    free(windows->at);
    free(windows);
}
