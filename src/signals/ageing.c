/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/ageing.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "signals/halves.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char no_variation[] = "nothing varies in one of the halves";
static const char no_pairs[] = "a half has fewer than two models whose scores vary";
static const char no_items[] = "no item has such a pass rate in both halves";
static const char no_rates[] = "the scores leave 0 to 1: they are no pass rates";

struct work {
    assay_ageing_options options;
    assay_parts parts;
    assay_half_space *spaces; /* a thread */
    int threads;
    size_t *order; /* the dated models, first to last; then room for as many a thread */
    double *r;     /* of every two models */
    size_t n_dated, n_half;
    assay_half_numbers observed;
    double *distance; /* of each permutation: ASSAY_HALF_NUMBERS of them */
};

static assay_status resolve_options(const assay_ageing_options *given,
                                    assay_ageing_options *options);
static assay_status start(const assay_matrix *matrix, const double *when,
                          const assay_ageing_options *options, struct work *work,
                          assay_ageing *ageing);
static void finish(struct work *work);
static assay_status permute(void *user, size_t k, int thread);
static void fill(const struct work *work, assay_ageing *ageing);

assay_status assay_ageing_fit(const assay_matrix *matrix, const double *when,
                              const assay_ageing_options *options, assay_ageing *out)
{
    struct work work = { 0 };
    assay_ageing ageing = { 0 };
    assay_status status = start(matrix, when, options, &work, &ageing);

    if (status == ASSAY_OK)
        status = assay_half_numbers_of(&work.parts, work.r, work.order,
                                       work.order + work.n_dated - work.n_half, work.n_half,
                                       &work.spaces[0], &work.observed);
    if (status == ASSAY_OK && work.options.permutations > 0)
        status = assay_do_pieces(work.options.permutations, work.threads, "dates shuffled",
                                 work.options.progress, permute, &work);
    if (status == ASSAY_OK) {
        fill(&work, &ageing);
        *out = ageing;
    }
    finish(&work);
    return status;
}

void assay_ageing_options_init(assay_ageing_options *options, size_t struct_size)
{
    const assay_ageing_options defaults = { .struct_size = struct_size,
                                            .seed = 1,
                                            .permutations = 999 };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_ageing_options *given,
                                    assay_ageing_options *options)
{
    assay_status status;

    assay_ageing_options_init(options, sizeof *options);
    status = assay_options_take("ageing", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->permutations > 1000000)
        return assay_fail(ASSAY_E_VALUE, "ageing: permutations is %zu, expected 0 to 1000000",
                          options->permutations);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "ageing: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

/* ---- who comes first ---- */

struct dated {
    double when;
    size_t model;
};

static int earlier(const void *a, const void *b)
{
    const struct dated *x = a, *y = b;

    if (x->when != y->when) return x->when < y->when ? -1 : 1;
    return (x->model > y->model) - (x->model < y->model);
}

static assay_status sort_by_date(const assay_matrix *matrix, const double *when, struct work *work,
                                 assay_ageing *ageing)
{
    size_t n = 0, half;
    struct dated *dated = assay_alloc(matrix->n_models, sizeof *dated);
    assay_status status = ASSAY_OK;

    if (!dated)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the dates of %zu models", matrix->n_models);
    for (size_t m = 0; m < matrix->n_models; m++) {
        if (isinf(when[m])) {
            status = assay_fail(ASSAY_E_VALUE, "ageing: the date of model %zu is infinite", m);
            goto done;
        }
        if (!isnan(when[m])) dated[n++] = (struct dated){ when[m], m };
    }
    half = n / 2;
    if (n < 4) {
        status = assay_fail(ASSAY_E_SHAPE, "ageing needs 4 models with a date or more, got %zu", n);
        goto done;
    }
    qsort(dated, n, sizeof *dated, earlier);
    if (dated[0].when == dated[n - 1].when) {
        status = assay_fail(ASSAY_E_DEGENERATE, "all %zu dated models have one date", n);
        goto done;
    }
    for (size_t i = 0; i < n; i++) work->order[i] = dated[i].model;
    work->n_dated = n;
    work->n_half = half;
    ageing->n_half = half;
    ageing->n_undated = matrix->n_models - n;
    ageing->has_middle = (int)(n % 2);
    ageing->is_tied = dated[half - 1].when == dated[n - half].when;
    ageing->early_from = dated[0].model;
    ageing->early_to = dated[half - 1].model;
    ageing->late_from = dated[n - half].model;
    ageing->late_to = dated[n - 1].model;
done:
    free(dated);
    return status;
}

/* Finish it in either case. */
static assay_status start(const assay_matrix *matrix, const double *when,
                          const assay_ageing_options *options, struct work *work,
                          assay_ageing *ageing)
{
    size_t n = matrix->n_models;
    assay_status status = resolve_options(options, &work->options);

    if (status == ASSAY_OK) work->threads = assay_threads(work->options.threads);
    assay_blas_hold();
    if (status != ASSAY_OK) return status;
    work->order = assay_alloc((size_t)(work->threads + 1) * n, sizeof *work->order);
    work->spaces = assay_alloc_zero((size_t)work->threads, sizeof *work->spaces);
    work->distance =
        assay_alloc(work->options.permutations * ASSAY_HALF_NUMBERS, sizeof *work->distance);
    work->r = assay_alloc_aligned(n <= SIZE_MAX / n ? n * n : SIZE_MAX, sizeof *work->r);
    if (!work->order || !work->spaces || !work->distance || !work->r)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu permutations of dates",
                          work->options.permutations);
    if ((status = sort_by_date(matrix, when, work, ageing)) != ASSAY_OK) return status;
    if ((status = assay_parts_new(matrix, &work->parts)) != ASSAY_OK) return status;
    status = assay_half_correlations(&work->parts, work->r);
    for (int t = 0; t < work->threads && status == ASSAY_OK; t++)
        status = assay_half_space_new(&work->parts, &work->spaces[t]);
    return status;
}

static void finish(struct work *work)
{
    assay_blas_release();
    for (int t = 0; work->spaces && t < work->threads; t++) assay_half_space_free(&work->spaces[t]);
    assay_parts_free(&work->parts);
    free(work->spaces);
    free(work->order);
    free(work->r);
    free(work->distance);
}

/* ---- how far apart halves of shuffled dates are ---- */

static double distance(const assay_half_numbers *numbers, size_t k)
{
    double early = numbers->early[k], late = numbers->late[k];

    /* Half of the difference, which cannot overflow, says as much as all of it. */
    return k < ASSAY_HALF_ED ? fabs(0.5 * late - 0.5 * early) : fabs(log(late / early));
}

static assay_status permute(void *user, size_t k, int thread)
{
    const struct work *work = user;
    size_t n = work->n_dated, half = work->n_half;
    size_t *order = work->order + (size_t)(thread + 1) * work->parts.matrix->n_models;
    assay_half_numbers numbers;
    assay_random random;
    assay_status status;

    assay_random_start(&random, work->options.seed, ASSAY_PURPOSE_DATES, k);
    assay_draw_some(&random, order, n, n);
    for (size_t i = 0; i < n; i++) order[i] = work->order[order[i]];
    status = assay_half_numbers_of(&work->parts, work->r, order, order + n - half, half,
                                   &work->spaces[thread], &numbers);
    for (size_t i = 0; i < ASSAY_HALF_NUMBERS; i++)
        work->distance[k * ASSAY_HALF_NUMBERS + i] = distance(&numbers, i);
    return status;
}

/* ---- the answer ---- */

static assay_change change_of(const struct work *work, size_t k, const char *reason)
{
    assay_change out = { .early = work->observed.early[k], .late = work->observed.late[k] };
    double far = distance(&work->observed, k);
    size_t as_far = 1, n = work->options.permutations;

    out.share = out.early > 0.0 ? out.late / out.early - 1.0 : NAN;
    out.p = NAN;
    if (isnan(out.early) || isnan(out.late)) {
        out = (assay_change){ NAN, NAN, NAN, NAN, reason };
        return out;
    }
    /* Of equal halves in another order the last digits may differ. */
    for (size_t i = 0; i < n; i++)
        as_far += !(work->distance[i * ASSAY_HALF_NUMBERS + k] < far - 1e-12);
    if (n > 0) out.p = (double)as_far / (double)(n + 1);
    return out;
}

static void fill(const struct work *work, assay_ageing *ageing)
{
    ageing->solve_rate = change_of(work, ASSAY_HALF_SOLVE_RATE, no_variation);
    ageing->pairwise_r = change_of(work, ASSAY_HALF_PAIRWISE_R, no_pairs);
    for (size_t f = 0; f < ASSAY_AGEING_N_FILTERS; f++) {
        assay_ageing_ed *ed = &ageing->ed[f];
        size_t at = ASSAY_HALF_ED + 3 * f;
        const char *reason = no_variation;

        ed->low = assay_half_filters[f];
        ed->high = 1.0 - ed->low;
        ed->n_items = work->observed.n_items[f];
        if (f > 0 && !assay_half_has_rates(work->parts.matrix))
            reason = no_rates;
        else if (ed->n_items == 0)
            reason = no_items;
        ed->task = change_of(work, at, reason);
        ed->model = change_of(work, at + 1, reason);
        ed->both = change_of(work, at + 2, reason);
    }
}
