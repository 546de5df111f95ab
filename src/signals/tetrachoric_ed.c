/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/tetrachoric.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "data/matrix.h"
#include "signals/dimension.h"
#include "signals/tetrachoric_pairs.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char not_binary[] = "the scores are not all 0 or 1";
static const char no_item[] = "no item tells two models apart";
static const char too_many[] = "more items than the limit";
static const char no_pair[] =
    "of no two items do the models that have both differ on the one and on the other";

/* What strike_off() puts in the place of a count. */
#define STRUCK SIZE_MAX

static assay_status resolve_options(const assay_tetrachoric_options *given,
                                    assay_tetrachoric_options *options);
static size_t items_that_vary(const assay_matrix *matrix, size_t *items);
static assay_status estimate(const assay_matrix *matrix, size_t *items,
                             const assay_tetrachoric_options *options, assay_tetrachoric_ed *ed);

assay_status assay_tetrachoric_dimension(const assay_matrix *matrix,
                                         const assay_tetrachoric_options *given,
                                         assay_tetrachoric_ed *out)
{
    assay_tetrachoric_ed ed = { .raw = NAN, .clipped = NAN, .least = NAN };
    assay_tetrachoric_options options;
    size_t *items = NULL;
    assay_status status = resolve_options(given, &options);

    if (status != ASSAY_OK) return status;
    if (!assay_matrix_is_binary(matrix)) {
        ed.reason = not_binary;
        *out = ed;
        return ASSAY_OK;
    }
    items = assay_alloc(matrix->n_items, sizeof *items);
    if (!items)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a list of %zu items", matrix->n_items);
    ed.n_items = items_that_vary(matrix, items);
    if (ed.n_items == 0)
        ed.reason = no_item;
    else if (ed.n_items > options.max_items)
        ed.reason = too_many;
    else
        status = estimate(matrix, items, &options, &ed);
    free(items);
    if (status == ASSAY_OK) *out = ed;
    return status;
}

void assay_tetrachoric_options_init(assay_tetrachoric_options *options, size_t struct_size)
{
    const assay_tetrachoric_options defaults = { .struct_size = struct_size, .max_items = 1000 };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_tetrachoric_options *given,
                                    assay_tetrachoric_options *options)
{
    assay_status status;

    assay_tetrachoric_options_init(options, sizeof *options);
    status = assay_options_take("tetrachoric", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->max_items > 20000)
        return assay_fail(ASSAY_E_VALUE, "tetrachoric: max_items is %zu, expected 0 to 20000",
                          options->max_items);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "tetrachoric: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

/* Those with a 1 and with a 0: a bit set in the or of the ones, and in that of the zeros. */
static size_t items_that_vary(const assay_matrix *matrix, size_t *items)
{
    size_t n = 0;

    for (size_t first = 0; first < matrix->n_items; first += 64) {
        uint64_t ones = 0, zeros = 0, both;

        for (size_t m = 0; m < matrix->n_models; m++) {
            size_t w = m * matrix->stride + first / 64;

            ones |= matrix->value[w];
            zeros |= matrix->observed[w] & ~matrix->value[w];
        }
        for (both = ones & zeros; both; both &= both - 1)
            items[n++] = first + (size_t)__builtin_ctzll(both);
    }
    return n;
}

/* Strike items off R until every pair that is left has a correlation: always the item that lacks
   the most, and of equal ones the first. Returns how many are left, in order; lacks has room for
   n numbers. */
static size_t strike_off(double *r, size_t n, size_t *lacks)
{
    size_t n_left = n, i = 0;

    for (size_t a = 0; a < n; a++) {
        lacks[a] = 0;
        for (size_t b = 0; b < n; b++) lacks[a] += isnan(r[a * n + b]) != 0;
    }
    for (;; n_left--) {
        size_t most = 0;

        for (size_t a = 1; a < n; a++)
            if (lacks[a] != STRUCK && (lacks[most] == STRUCK || lacks[a] > lacks[most])) most = a;
        if (lacks[most] == 0) break;
        lacks[most] = STRUCK;
        for (size_t b = 0; b < n; b++)
            if (lacks[b] != STRUCK) lacks[b] -= isnan(r[most * n + b]) != 0;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n && lacks[a] != STRUCK; b++)
            if (lacks[b] != STRUCK) r[i++] = r[a * n + b];
    return n_left;
}

/* Of the spectrum with its negative part set to 0. */
static double clipped_ratio(const double *values, size_t n)
{
    assay_moments moments = { 0.0, 0.0 };

    for (size_t i = 0; i < n && values[i] > 0.0; i++) { /* the largest first */
        moments.trace += values[i];
        moments.squares += values[i] * values[i];
    }
    return assay_participation_ratio(moments);
}

/* R is overwritten by LAPACK. */
static assay_status dimension(double *r, double *values, size_t n, int threads,
                              assay_tetrachoric_ed *ed)
{
    assay_eigen_space space;
    assay_status status;

    ed->raw = assay_participation_ratio(assay_gram_moments(r, n, threads, values));
    if ((status = assay_eigen_space_new(n, &space)) != ASSAY_OK) return status;
    status = assay_eigenvalues(r, &space, values);
    assay_eigen_space_free(&space);
    if (status != ASSAY_OK) return status;
    ed->clipped = clipped_ratio(values, n);
    ed->least = values[n - 1];
    return ASSAY_OK;
}

static assay_status estimate(const assay_matrix *matrix, size_t *items,
                             const assay_tetrachoric_options *options, assay_tetrachoric_ed *ed)
{
    size_t n = ed->n_items;
    /* Threads are counted first: an OpenBLAS that is made with OpenMP shares its setting. */
    int threads = assay_threads(options->threads);
    double *r = assay_alloc_aligned(n * n, sizeof *r);
    double *values = assay_alloc_aligned(n, sizeof *values);
    assay_status status;

    assay_blas_hold();
    if (!r || !values)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the correlations of %zu items", n);
    else
        status = assay_tetrachoric_pairs(matrix, items, n, threads, options->progress, r);
    if (status == ASSAY_OK) {
        ed->n_items = strike_off(r, n, items);
        ed->n_left_out = n - ed->n_items;
    }
    if (status == ASSAY_OK && ed->n_items == 1 && n > 1)
        ed->reason = no_pair;
    else if (status == ASSAY_OK)
        status = dimension(r, values, ed->n_items, threads, ed);
    assay_blas_release();
    free(r);
    free(values);
    return status;
}
