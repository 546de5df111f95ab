/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/subsets.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "signals/parts.h"
#include "stats/linalg.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char no_halves[] = "needs 2 or more for each half, with an ED of their own";
static const char too_small[] = "the matrix has fewer items or models";
static const char no_part[] = "no part has an ED";
static const char too_few_models[] = "needs 4 models or more";
static const char no_half[] = "no ED, or half of the models have none";

/* Random parts of a matrix, n a draw: what shows them is filled in by a method. */
struct work {
    assay_subsets_options options;
    assay_parts parts;
    int threads;
    size_t n_items, n_models; /* matched: the size of a part */
    int of_models;            /* halves: of what */
    double *ed;               /* 2 a draw for halves, 1 otherwise */
    size_t *orders, longest;  /* N + T a thread */
};

static assay_status resolve_options(const assay_subsets_options *given, size_t draws,
                                    assay_subsets_options *options);
static assay_status start(const assay_matrix *matrix, const assay_subsets_options *options,
                          size_t usual_draws, struct work *work);
static void finish(struct work *work);
static assay_status two_halves(void *user, size_t draw, int thread);
static assay_status matched_part(void *user, size_t draw, int thread);
static assay_status half_sample(void *user, size_t draw, int thread);
static assay_halves summarise_halves(const struct work *work);
static size_t mean_and_sd(double *values, size_t n, double *mean, double *sd);

assay_status assay_split_halves(const assay_matrix *matrix, const assay_subsets_options *options,
                                assay_split_half *out)
{
    struct work work = { 0 };
    assay_split_half both;
    assay_status status = start(matrix, options, 100, &work);

    if (status == ASSAY_OK)
        status = assay_do_pieces(work.options.draws, work.threads, "halves of items",
                                 work.options.progress, two_halves, &work);
    if (status == ASSAY_OK) {
        both.items = summarise_halves(&work);
        work.of_models = 1;
        status = assay_do_pieces(work.options.draws, work.threads, "halves of models",
                                 work.options.progress, two_halves, &work);
    }
    if (status == ASSAY_OK) {
        both.models = summarise_halves(&work);
        *out = both;
    }
    finish(&work);
    return status;
}

assay_status assay_matched_dimension(const assay_matrix *matrix, size_t n_items, size_t n_models,
                                     const assay_subsets_options *options, assay_matched *out)
{
    struct work work = { .n_items = n_items, .n_models = n_models };
    assay_matched matched = { n_items, n_models, NAN, NAN, 0, too_small };
    assay_status status;

    if (n_items < 1 || n_models < 2)
        return assay_fail(ASSAY_E_VALUE, "matched: %zu items x %zu models, expected 1 x 2 or more",
                          n_items, n_models);
    status = start(matrix, options, 100, &work);
    if (status == ASSAY_OK && n_items <= matrix->n_items && n_models <= matrix->n_models) {
        status = assay_do_pieces(work.options.draws, work.threads, "matched parts",
                                 work.options.progress, matched_part, &work);
        matched.draws = status == ASSAY_OK
                            ? mean_and_sd(work.ed, work.options.draws, &matched.mean, &matched.sd)
                            : 0;
        matched.reason = matched.draws ? NULL : no_part;
    }
    if (status == ASSAY_OK) *out = matched;
    finish(&work);
    return status;
}

assay_status assay_half_sample_interval(const assay_matrix *matrix, double level,
                                        const assay_subsets_options *options,
                                        assay_half_sample *out)
{
    struct work work = { 0 };
    assay_half_sample answer = { NAN, NAN, NAN, 0, too_few_models };
    size_t n = matrix->n_models;
    double most = (double)(n - 1 < matrix->n_items ? n - 1 : matrix->n_items), ed = NAN, sd;
    assay_status status;

    if (!(level > 0.0 && level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "subsets: level is %g, expected between 0 and 1", level);
    status = start(matrix, options, 1000, &work);
    if (status == ASSAY_OK && n >= 4) {
        status = assay_part_ed(&work.parts, (assay_part){ 0 }, &ed);
        if (status == ASSAY_OK)
            status = assay_do_pieces(work.options.draws, work.threads, "half samples",
                                     work.options.progress, half_sample, &work);
        if (status == ASSAY_OK)
            answer.draws = mean_and_sd(work.ed, work.options.draws, &answer.mean, &sd);
        answer.reason = answer.draws && !isnan(ed) ? NULL : no_half;
    }
    if (status == ASSAY_OK && !answer.reason) {
        double low = assay_quantile(work.ed, answer.draws, 0.5 - 0.5 * level);
        double high = assay_quantile(work.ed, answer.draws, 0.5 + 0.5 * level);

        answer.low = fmin(fmax(ed + (low - answer.mean), 1.0), most);
        answer.high = fmin(fmax(ed + (high - answer.mean), 1.0), most);
    }
    if (status == ASSAY_OK) *out = answer;
    finish(&work);
    return status;
}

void assay_subsets_options_init(assay_subsets_options *options, size_t struct_size)
{
    const assay_subsets_options defaults = { .struct_size = struct_size, .seed = 1 };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_subsets_options *given, size_t draws,
                                    assay_subsets_options *options)
{
    assay_status status;

    assay_subsets_options_init(options, sizeof *options);
    status = assay_options_take("subsets", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->draws == 0) options->draws = draws;
    if (options->draws > 1000000)
        return assay_fail(ASSAY_E_VALUE, "subsets: draws is %zu, expected 0 to 1000000",
                          options->draws);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "subsets: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

/* Finish it in either case. */
static assay_status start(const assay_matrix *matrix, const assay_subsets_options *options,
                          size_t usual_draws, struct work *work)
{
    assay_status status = resolve_options(options, usual_draws, &work->options);

    if (status == ASSAY_OK) work->threads = assay_threads(work->options.threads);
    assay_blas_hold();
    if (status != ASSAY_OK) return status;
    if (matrix->n_models < 2)
        return assay_fail(ASSAY_E_SHAPE, "parts of a matrix need 2 models or more, got %zu",
                          matrix->n_models);
    work->longest = matrix->n_models + matrix->n_items;
    work->orders = assay_alloc((size_t)work->threads * work->longest, sizeof *work->orders);
    work->ed = assay_alloc(2 * work->options.draws, sizeof *work->ed);
    if (!work->orders || !work->ed)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu parts", work->options.draws);
    return assay_parts_new(matrix, &work->parts);
}

static void finish(struct work *work)
{
    assay_blas_release();
    assay_parts_free(&work->parts);
    free(work->orders);
    free(work->ed);
}

/* ---- one draw ---- */

static assay_status two_halves(void *user, size_t draw, int thread)
{
    const struct work *work = user;
    const assay_matrix *matrix = work->parts.matrix;
    size_t *order = work->orders + (size_t)thread * work->longest;
    size_t n = work->of_models ? matrix->n_models : matrix->n_items, half = n / 2;
    assay_random random;
    assay_status status = ASSAY_OK;

    /* The streams of a subset of size 0. */
    assay_random_start(
        &random, work->options.seed,
        work->of_models ? ASSAY_PURPOSE_SUBSET_OF_MODELS : ASSAY_PURPOSE_SUBSET_OF_ITEMS, draw);
    assay_draw_some(&random, order, n, half);
    for (int second = 0; second < 2 && status == ASSAY_OK; second++) {
        const size_t *chosen = second ? order + half : order;
        size_t k = second ? n - half : half;
        assay_part part = work->of_models ? (assay_part){ .models = chosen, .n_models = k }
                                          : (assay_part){ .items = chosen, .n_items = k };

        work->ed[2 * draw + (size_t)second] = NAN;
        if (k > 0) status = assay_part_ed(&work->parts, part, &work->ed[2 * draw + (size_t)second]);
    }
    return status;
}

static assay_status matched_part(void *user, size_t draw, int thread)
{
    const struct work *work = user;
    const assay_matrix *matrix = work->parts.matrix;
    size_t *items = work->orders + (size_t)thread * work->longest;
    size_t *models = items + matrix->n_items;
    assay_random random;

    assay_random_start(&random, work->options.seed, ASSAY_PURPOSE_MATCHED, draw);
    assay_draw_some(&random, items, matrix->n_items, work->n_items);
    assay_draw_some(&random, models, matrix->n_models, work->n_models);
    return assay_part_ed(&work->parts,
                         (assay_part){ .models = models,
                                       .items = items,
                                       .n_models = work->n_models,
                                       .n_items = work->n_items },
                         &work->ed[draw]);
}

static assay_status half_sample(void *user, size_t draw, int thread)
{
    const struct work *work = user;
    size_t *models = work->orders + (size_t)thread * work->longest;
    size_t n = work->parts.matrix->n_models;
    assay_random random;

    assay_random_start(&random, work->options.seed, ASSAY_PURPOSE_HALF_SAMPLE, draw);
    assay_draw_some(&random, models, n, n / 2);
    return assay_part_ed(&work->parts, (assay_part){ .models = models, .n_models = n / 2 },
                         &work->ed[draw]);
}

/* ---- all of them ---- */

/* Those that are numbers, which come to the front in their order. */
static size_t mean_and_sd(double *values, size_t n, double *mean, double *sd)
{
    double sum = 0.0, squares = 0.0;
    size_t have = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i])) values[have++] = values[i];
    for (size_t i = 0; i < have; i++) sum += values[i];
    *mean = have ? sum / (double)have : NAN;
    for (size_t i = 0; i < have; i++) squares += (values[i] - *mean) * (values[i] - *mean);
    *sd = have > 1 ? sqrt(squares / (double)(have - 1)) : NAN;
    return have;
}

static assay_halves summarise_halves(const struct work *work)
{
    assay_halves out = { NAN, NAN, NAN, NAN, 0, no_halves };
    double *ed = work->ed, apart = 0.0;
    size_t n = work->options.draws, have = 0;

    for (size_t i = 0; i < n; i++) {
        if (isnan(ed[2 * i]) || isnan(ed[2 * i + 1])) continue;
        apart += fabs(ed[2 * i] - ed[2 * i + 1]);
        ed[2 * have] = ed[2 * i];
        ed[2 * have + 1] = ed[2 * i + 1];
        have++;
    }
    if (have == 0) return out;
    out.draws = have;
    out.reason = NULL;
    mean_and_sd(ed, 2 * have, &out.mean, &out.sd);
    out.difference = apart / (double)have;
    out.agreement = 1.0 - out.difference / out.mean;
    return out;
}
