/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/saturation.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "signals/parts.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char too_few_sizes[] = "needs 4 sizes or more at which a subset has an ED";

/* One subset: so many of one side, with all of the other. */
struct task {
    int of_models;
    size_t size, draw;
};

struct work {
    assay_saturation_options options;
    assay_parts parts;
    struct task *tasks;
    size_t n_tasks;
    double *ed;     /* of each task */
    size_t *orders; /* a row of max(N, T) a thread */
    size_t longest;
};

static assay_status resolve_options(const assay_saturation_options *given,
                                    assay_saturation_options *options);
static void find_sizes(size_t n, assay_saturation_curve *curve);
static assay_status list_tasks(struct work *work, const assay_saturation *curves);
static assay_status run_one(void *user, size_t k, int thread);
static void summarise(const struct work *work, int of_models, assay_saturation_curve *curve);
static assay_status fit_forms(assay_saturation_curve *curve);

assay_status assay_saturation_curves(const assay_matrix *matrix,
                                     const assay_saturation_options *options, assay_saturation *out)
{
    struct work work = { 0 };
    assay_saturation curves;
    assay_status status = resolve_options(options, &work.options);
    int threads;

    if (status != ASSAY_OK) return status;
    if (matrix->n_models < 2)
        return assay_fail(ASSAY_E_SHAPE, "saturation needs 2 models or more, got %zu",
                          matrix->n_models);
    threads = assay_threads(work.options.threads);
    assay_blas_hold();
    find_sizes(matrix->n_items, &curves.items);
    find_sizes(matrix->n_models, &curves.models);
    work.longest = matrix->n_models > matrix->n_items ? matrix->n_models : matrix->n_items;
    work.orders = assay_alloc((size_t)threads * work.longest, sizeof *work.orders);
    status = work.orders ? assay_parts_new(matrix, &work.parts)
                         : assay_fail(ASSAY_E_NOMEM, "no memory for random subsets");
    if (status == ASSAY_OK) status = list_tasks(&work, &curves);
    if (status == ASSAY_OK)
        status = assay_do_pieces(work.n_tasks, threads, "saturation", work.options.progress,
                                 run_one, &work);
    if (status == ASSAY_OK) {
        summarise(&work, 0, &curves.items);
        summarise(&work, 1, &curves.models);
        status = fit_forms(&curves.items);
    }
    if (status == ASSAY_OK) status = fit_forms(&curves.models);
    assay_blas_release();
    assay_parts_free(&work.parts);
    free(work.tasks);
    free(work.ed);
    free(work.orders);
    if (status == ASSAY_OK) *out = curves;
    return status;
}

void assay_saturation_options_init(assay_saturation_options *options, size_t struct_size)
{
    const assay_saturation_options defaults = { .struct_size = struct_size,
                                                .seed = 1,
                                                .draws = 100 };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_saturation_options *given,
                                    assay_saturation_options *options)
{
    assay_status status;

    assay_saturation_options_init(options, sizeof *options);
    status = assay_options_take("saturation", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->draws < 1 || options->draws > 100000)
        return assay_fail(ASSAY_E_VALUE, "saturation: draws is %zu, expected 1 to 100000",
                          options->draws);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "saturation: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

/* From 8 (2 where there are fewer than 16) to all in even ratios, rounded, each once. */
static void find_sizes(size_t n, assay_saturation_curve *curve)
{
    double from = n >= 16 ? 8.0 : 2.0, ratio = (double)n / from;

    *curve = (assay_saturation_curve){ 0 };
    for (int k = 0; k < ASSAY_SATURATION_MOST_SIZES; k++) {
        double size = round(from * pow(ratio, k / (ASSAY_SATURATION_MOST_SIZES - 1.0)));

        if (size > (double)n || k == ASSAY_SATURATION_MOST_SIZES - 1) size = (double)n;
        if (curve->n == 0 || size > curve->size[curve->n - 1]) curve->size[curve->n++] = size;
    }
}

static size_t subsets_of(const struct work *work, const assay_saturation_curve *curve, size_t k)
{
    return k + 1 < curve->n ? work->options.draws : 1;
}

/* The largest first, so that no thread is left with one at the end. */
static assay_status list_tasks(struct work *work, const assay_saturation *curves)
{
    size_t most = 2 * ASSAY_SATURATION_MOST_SIZES * work->options.draws;

    work->tasks = assay_alloc(most, sizeof *work->tasks);
    work->ed = assay_alloc(most, sizeof *work->ed);
    if (!work->tasks || !work->ed)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu subsets", most);
    for (int of_models = 0; of_models < 2; of_models++) {
        const assay_saturation_curve *curve = of_models ? &curves->models : &curves->items;

        for (size_t k = curve->n; k-- > 0;)
            for (size_t draw = 0; draw < subsets_of(work, curve, k); draw++)
                work->tasks[work->n_tasks++] =
                    (struct task){ of_models, (size_t)curve->size[k], draw };
    }
    return ASSAY_OK;
}

static assay_status run_one(void *user, size_t k, int thread)
{
    const struct work *work = user;
    const struct task *task = &work->tasks[k];
    const assay_matrix *matrix = work->parts.matrix;
    size_t *order = work->orders + (size_t)thread * work->longest;
    size_t n = task->of_models ? matrix->n_models : matrix->n_items;
    assay_part part = { 0 };
    assay_random random;

    /* Sizes are below 2^31 (a matrix has as many rows or columns), draws below 2^17. */
    assay_random_start(&random, work->options.seed,
                       task->of_models ? ASSAY_PURPOSE_SUBSET_OF_MODELS
                                       : ASSAY_PURPOSE_SUBSET_OF_ITEMS,
                       (uint64_t)task->size << 32 | task->draw);
    assay_draw_some(&random, order, n, task->size);
    if (task->of_models) {
        part.models = order;
        part.n_models = task->size;
    } else {
        part.items = order;
        part.n_items = task->size;
    }
    return assay_part_ed(&work->parts, part, &work->ed[k]);
}

/* The tasks of a curve stand together, a size after the other. */
static void summarise(const struct work *work, int of_models, assay_saturation_curve *curve)
{
    size_t at = 0;

    while (at < work->n_tasks && work->tasks[at].of_models != of_models) at++;
    for (size_t k = curve->n; k-- > 0;) {
        size_t n = subsets_of(work, curve, k), have = 0;
        double sum = 0.0, squares = 0.0;

        for (size_t i = at; i < at + n; i++) {
            if (isnan(work->ed[i])) continue;
            sum += work->ed[i];
            have++;
        }
        curve->subsets[k] = have;
        curve->mean[k] = have ? sum / (double)have : NAN;
        for (size_t i = at; i < at + n; i++)
            if (!isnan(work->ed[i]))
                squares += (work->ed[i] - curve->mean[k]) * (work->ed[i] - curve->mean[k]);
        curve->sd[k] = have > 1 ? sqrt(squares / (double)(have - 1)) : NAN;
        at += n;
    }
}

/* The means count the same at every size. Weights by their Monte Carlo error would be infinite at
   the full size, and say nothing of how far off the form is. */
static assay_status fit_forms(assay_saturation_curve *curve)
{
    double size[ASSAY_SATURATION_MOST_SIZES], ed[ASSAY_SATURATION_MOST_SIZES];
    size_t n = 0;

    for (size_t k = 0; k < curve->n; k++) {
        if (isnan(curve->mean[k])) continue;
        size[n] = curve->size[k];
        ed[n++] = curve->mean[k];
    }
    for (int form = 0; form < ASSAY_SATURATION_N_FORMS; form++) {
        assay_status status = ASSAY_OK;

        curve->fit[form] = (assay_saturation_fit){ NAN, NAN, NAN, NAN, too_few_sizes };
        if (n >= 4)
            status = assay_saturation_fit_form((assay_saturation_form)form, size, ed, NULL, n,
                                               &curve->fit[form]);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}
