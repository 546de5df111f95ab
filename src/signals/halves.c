/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/halves.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"
#include "stats/mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double assay_half_filters[ASSAY_AGEING_N_FILTERS] = { 0.0, 0.1, 0.2 };

static void pass_rates(const assay_parts *parts, const size_t *models, size_t n, uint64_t *mask,
                       double *rate, double *numbers);
static double mean_of_pairs(const double *r, size_t n_all, const size_t *models, size_t n);
static size_t filter_items(const assay_matrix *matrix, double least, const assay_half_space *space);
static assay_status dimensions(const assay_parts *parts, assay_part part, double *numbers);

int assay_half_has_rates(const assay_matrix *matrix)
{
    return matrix->value != NULL || matrix->n_within == matrix->n_items;
}

/* Deviations from a model's mean, scaled to length 1: then r is their product. */
static int to_direction(double *row, size_t t)
{
    double mean = 0.0, squares = 0.0;

    for (size_t i = 0; i < t; i++) mean += row[i] / (double)t;
    for (size_t i = 0; i < t; i++) squares += (row[i] - mean) * (row[i] - mean);
    for (size_t i = 0; i < t; i++) row[i] = (row[i] - mean) / sqrt(squares);
    /* Equal scores may differ from their mean by its rounding. */
    return squares > 1e-28 * (double)t * (1.0 + mean * mean);
}

assay_status assay_half_correlations(const assay_parts *parts, double *r)
{
    size_t n = parts->matrix->n_models, t = parts->matrix->n_items;
    double *x = assay_alloc_aligned(n * t, sizeof *x), *mean = assay_alloc(4 * t, sizeof *mean);
    int *varies = assay_alloc(n, sizeof *varies);
    assay_status status = ASSAY_OK;

    if (!x || !mean || !varies) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu x %zu scores", n, t);
        goto done;
    }
    assay_part_centred(parts, (assay_part){ 0 }, x, mean);
    for (size_t m = 0; m < n; m++) {
        for (size_t i = 0; i < t; i++) x[m * t + i] += mean[i];
        varies[m] = to_direction(x + m * t, t);
        for (size_t i = 0; i < t && !varies[m]; i++) x[m * t + i] = 0.0;
    }
    assay_linalg_aat(n, t, x, r);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a; b < n; b++)
            r[b * n + a] = r[a * n + b] = varies[a] && varies[b] ? r[a * n + b] : NAN;
done:
    free(x);
    free(mean);
    free(varies);
    return status;
}

assay_status assay_half_space_new(const assay_parts *parts, assay_half_space *space)
{
    size_t t = parts->matrix->n_items;

    *space = (assay_half_space){ 0 };
    space->rate[0] = assay_alloc(t, sizeof *space->rate[0]);
    space->rate[1] = assay_alloc(t, sizeof *space->rate[1]);
    space->mask = assay_alloc(parts->by_item_stride, sizeof *space->mask);
    space->items = assay_alloc(t, sizeof *space->items);
    if (space->rate[0] && space->rate[1] && space->mask && space->items) return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "no memory for the pass rates of %zu items", t);
}

void assay_half_space_free(assay_half_space *space)
{
    free(space->rate[0]);
    free(space->rate[1]);
    free(space->mask);
    free(space->items);
    *space = (assay_half_space){ 0 };
}

assay_status assay_half_numbers_of(const assay_parts *parts, const double *r, const size_t *early,
                                   const size_t *late, size_t n_half, assay_half_space *space,
                                   assay_half_numbers *out)
{
    const assay_matrix *matrix = parts->matrix;
    assay_status status = ASSAY_OK;

    pass_rates(parts, early, n_half, space->mask, space->rate[0], out->early);
    pass_rates(parts, late, n_half, space->mask, space->rate[1], out->late);
    out->early[ASSAY_HALF_PAIRWISE_R] = mean_of_pairs(r, matrix->n_models, early, n_half);
    out->late[ASSAY_HALF_PAIRWISE_R] = mean_of_pairs(r, matrix->n_models, late, n_half);
    for (size_t f = 0; f < ASSAY_AGEING_N_FILTERS && status == ASSAY_OK; f++) {
        assay_part part = { .models = early, .items = space->items, .n_models = n_half };
        double *ed[2] = { out->early + ASSAY_HALF_ED + 3 * f, out->late + ASSAY_HALF_ED + 3 * f };

        part.n_items = out->n_items[f] = filter_items(matrix, assay_half_filters[f], space);
        status = dimensions(parts, part, ed[0]);
        part.models = late;
        if (status == ASSAY_OK) status = dimensions(parts, part, ed[1]);
    }
    return status;
}

/* Complete 0/1 data: how many of the half solve each item, by bits. */
static double rates_of_bits(const assay_parts *parts, const size_t *models, size_t n,
                            uint64_t *mask, double *rate)
{
    size_t stride = parts->by_item_stride;
    double sum = 0.0;

    memset(mask, 0, stride * sizeof *mask);
    for (size_t m = 0; m < n; m++) mask[models[m] / 64] |= (uint64_t)1 << (models[m] % 64);
    for (size_t i = 0; i < parts->matrix->n_items; i++) {
        const uint64_t *row = parts->by_item + i * stride;
        int solved = 0;

        for (size_t w = 0; w < stride; w++) solved += __builtin_popcountll(row[w] & mask[w]);
        rate[i] = solved / (double)n;
        sum += solved;
    }
    return sum / ((double)n * (double)parts->matrix->n_items);
}

/* Each item's mean over the half (NaN without a score), and the mean of all its scores. */
static void pass_rates(const assay_parts *parts, const size_t *models, size_t n, uint64_t *mask,
                       double *rate, double *numbers)
{
    assay_mean all = { 0 };

    if (parts->by_item) {
        numbers[ASSAY_HALF_SOLVE_RATE] = rates_of_bits(parts, models, n, mask, rate);
        return;
    }
    for (size_t i = 0; i < parts->matrix->n_items; i++) {
        assay_mean of_item = { 0 };

        for (size_t m = 0; m < n; m++) {
            double score = assay_matrix_score(parts->matrix, models[m], i);

            if (!isnan(score)) assay_mean_add(&of_item, score);
        }
        rate[i] = assay_mean_of(&of_item);
        assay_mean_join(&all, &of_item);
    }
    numbers[ASSAY_HALF_SOLVE_RATE] = assay_mean_of(&all);
}

static double mean_of_pairs(const double *r, size_t n_all, const size_t *models, size_t n)
{
    double sum = 0.0, n_pairs = 0.0;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < a; b++) {
            double of_pair = r[models[a] * n_all + models[b]];

            if (isnan(of_pair)) continue;
            sum += of_pair;
            n_pairs += 1.0;
        }
    }
    return n_pairs > 0.0 ? sum / n_pairs : NAN;
}

static size_t filter_items(const assay_matrix *matrix, double least, const assay_half_space *space)
{
    size_t n = 0;

    if (least > 0.0 && !assay_half_has_rates(matrix)) return 0;
    for (size_t i = 0; i < matrix->n_items; i++) {
        const double early = space->rate[0][i], late = space->rate[1][i];

        if (least == 0.0 ||
            (early > least && late > least && early < 1.0 - least && late < 1.0 - least))
            space->items[n++] = i;
    }
    return n;
}

static assay_status dimensions(const assay_parts *parts, assay_part part, double *numbers)
{
    assay_dimensions ed = { NAN, NAN, NAN };
    assay_status status = part.n_items ? assay_part_dimensions(parts, part, &ed) : ASSAY_OK;

    numbers[0] = ed.task;
    numbers[1] = ed.model;
    numbers[2] = ed.both;
    return status;
}
