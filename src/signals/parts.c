/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/parts.h"

#include "core/error.h"
#include "core/memory.h"
#include "signals/dimension.h"
#include "stats/linalg.h"
#include "stats/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked of a part. */
enum wanted { TASK, ALL_CENTRINGS, UNIT_VARIANCE };

static assay_status by_counts(const assay_parts *parts, assay_part part, enum wanted wanted,
                              assay_dimensions *out);
static assay_status by_products(const assay_parts *parts, assay_part part, enum wanted wanted,
                                assay_dimensions *out);

assay_status assay_parts_new(const assay_matrix *matrix, assay_parts *parts)
{
    assay_popcount_choice choices[4];

    assay_popcount_choices(choices);
    *parts = (assay_parts){ .matrix = matrix, .kernel = choices[0].kernel, .unit = 1.0 };
    if (!matrix->value)
        parts->unit = assay_unit_of(matrix->scores, matrix->n_models * matrix->n_items);
    if (!matrix->value || matrix->n_observed < (uint64_t)matrix->n_models * matrix->n_items)
        return ASSAY_OK;
    parts->by_item = assay_plane_new(matrix->n_items, matrix->n_models, &parts->by_item_stride);
    if (!parts->by_item)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the bits of %zu items", matrix->n_items);
    for (size_t m = 0; m < matrix->n_models; m++)
        for (size_t t = 0; t < matrix->n_items; t++)
            if (assay_plane_bit(matrix->value, matrix->stride, m, t))
                parts->by_item[t * parts->by_item_stride + m / 64] |= (uint64_t)1 << (m % 64);
    return ASSAY_OK;
}

void assay_parts_free(assay_parts *parts)
{
    free(parts->by_item);
    *parts = (assay_parts){ 0 };
}

static assay_status dimensions_of(const assay_parts *parts, assay_part part, enum wanted wanted,
                                  assay_dimensions *out)
{
    if (!part.models) part.n_models = parts->matrix->n_models;
    if (!part.items) part.n_items = parts->matrix->n_items;
    /* A column stands once in a mask: models that repeat have to be rows. */
    if (parts->by_item && wanted != UNIT_VARIANCE &&
        (!part.models_repeat || part.n_models <= part.n_items))
        return by_counts(parts, part, wanted, out);
    return by_products(parts, part, wanted, out);
}

assay_status assay_part_ed(const assay_parts *parts, assay_part part, double *task)
{
    assay_dimensions ed = { .task = NAN };
    assay_status status = dimensions_of(parts, part, TASK, &ed);

    *task = ed.task;
    return status;
}

assay_status assay_part_dimensions(const assay_parts *parts, assay_part part, assay_dimensions *out)
{
    return dimensions_of(parts, part, ALL_CENTRINGS, out);
}

assay_status assay_part_unit_ed(const assay_parts *parts, assay_part part, double *task)
{
    assay_dimensions ed = { .task = NAN };
    assay_status status = dimensions_of(parts, part, UNIT_VARIANCE, &ed);

    *task = ed.task;
    return status;
}

void assay_draw_some(assay_random *random, size_t *order, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = 0; i < k && i + 1 < n; i++) {
        size_t j = i + (size_t)assay_random_below(random, n - i), swapped = order[i];

        order[i] = order[j];
        order[j] = swapped;
    }
}

/* ---- complete 0/1 data: from the counts C of what two rows share ---- */

/* Sums of a symmetric r x r matrix of integers, so that they are exact below 2^53. */
static assay_moments moments_of(const double *matrix, size_t r)
{
    assay_moments moments = { 0.0, 0.0 };

    for (size_t i = 0; i < r; i++) {
        moments.trace += matrix[i * r + i];
        for (size_t j = 0; j < r; j++) moments.squares += matrix[i * r + j] * matrix[i * r + j];
    }
    return moments;
}

/* Take out each column's mean over the r rows: (I - 11'/r) M (I - 11'/r), times r^2. */
static void take_out_over_rows(const double *m, size_t r, double *sum, double *out)
{
    double n = (double)r, total = 0.0;

    for (size_t i = 0; i < r; i++) {
        sum[i] = 0.0;
        for (size_t j = 0; j < r; j++) sum[i] += m[i * r + j];
        total += sum[i];
    }
    for (size_t i = 0; i < r; i++)
        for (size_t j = 0; j < r; j++)
            out[i * r + j] = n * n * m[i * r + j] - n * (sum[i] + sum[j]) + total;
}

/* Take out each row's mean over the l columns: C - pp'/l, times l, with p the ones of a row. */
static void take_out_over_columns(const double *c, size_t r, size_t l, double *out)
{
    for (size_t i = 0; i < r; i++)
        for (size_t j = 0; j < r; j++)
            out[i * r + j] = (double)l * c[i * r + j] - c[i * r + i] * c[j * r + j];
}

/* The chosen rows with all columns but the chosen ones masked. NULL without memory. */
static uint64_t *chosen_plane(const uint64_t *from, size_t stride, size_t n_bits,
                              const size_t *rows, size_t r, const size_t *columns, size_t l,
                              uint64_t *mask)
{
    size_t new_stride;
    uint64_t *plane = assay_plane_new(r, n_bits, &new_stride);

    if (!plane) return NULL;
    memset(mask, columns ? 0 : 0xff, stride * sizeof *mask);
    for (size_t c = 0; columns && c < l; c++)
        mask[columns[c] / 64] |= (uint64_t)1 << (columns[c] % 64);
    for (size_t i = 0; i < r; i++) {
        const uint64_t *row = from + (rows ? rows[i] : i) * stride;

        for (size_t w = 0; w < stride; w++) plane[i * stride + w] = row[w] & mask[w];
    }
    return plane;
}

static void count_shared(const assay_parts *parts, assay_bit_rows rows, size_t r, uint32_t *tile,
                         double *counts)
{
    for (size_t a = 0; a < r; a += ASSAY_TILE) {
        for (size_t b = 0; b <= a; b += ASSAY_TILE) {
            assay_popcount_tile(parts->kernel, rows, r, a, b, tile);
            for (size_t i = a; i < r && i < a + ASSAY_TILE; i++)
                for (size_t j = b; j < r && j < b + ASSAY_TILE; j++)
                    counts[i * r + j] = counts[j * r + i] = tile[(i - a) * ASSAY_TILE + j - b];
        }
    }
}

/* Every matrix below is of integers, scaled by what ED does not see. */
static void centre_counts(const double *counts, size_t r, size_t l, int rows_are_models,
                          enum wanted wanted, double *room, assay_dimensions *out)
{
    double *sum = room, *once = room + r, *twice = once + r * r;
    double over_columns = NAN, over_rows;

    if (rows_are_models && wanted == TASK) {
        take_out_over_rows(counts, r, sum, once);
        out->task = assay_participation_ratio(moments_of(once, r));
        return;
    }
    take_out_over_columns(counts, r, l, once);
    over_columns = assay_participation_ratio(moments_of(once, r));
    out->task = over_columns;
    if (wanted == TASK) return;
    take_out_over_rows(once, r, sum, twice);
    out->both = assay_participation_ratio(moments_of(twice, r));
    take_out_over_rows(counts, r, sum, twice);
    over_rows = assay_participation_ratio(moments_of(twice, r));
    out->task = rows_are_models ? over_rows : over_columns;
    out->model = rows_are_models ? over_columns : over_rows;
}

static assay_status by_counts(const assay_parts *parts, assay_part part, enum wanted wanted,
                              assay_dimensions *out)
{
    const assay_matrix *x = parts->matrix;
    int by_model = part.n_models <= part.n_items;
    size_t r = by_model ? part.n_models : part.n_items;
    size_t l = by_model ? part.n_items : part.n_models;
    size_t stride = by_model ? x->stride : parts->by_item_stride;
    uint64_t *mask = assay_alloc(stride, sizeof *mask), *plane = NULL;
    uint32_t *tile = assay_alloc_aligned((size_t)ASSAY_TILE * ASSAY_TILE, sizeof *tile);
    double *counts = assay_alloc(r * r, sizeof *counts);
    double *room = assay_alloc(2 * r * r + r, sizeof *room);

    if (mask && tile && counts && room)
        plane = by_model ? chosen_plane(x->value, stride, x->n_items, part.models, r, part.items, l,
                                        mask)
                         : chosen_plane(parts->by_item, stride, x->n_models, part.items, r,
                                        part.models, l, mask);
    if (plane) {
        count_shared(parts, (assay_bit_rows){ plane, stride }, r, tile, counts);
        centre_counts(counts, r, l, by_model, wanted, room, out);
    }
    free(mask);
    free(tile);
    free(counts);
    free(room);
    if (!plane) return assay_fail(ASSAY_E_NOMEM, "no memory for a part of %zu rows", r);
    free(plane);
    return ASSAY_OK;
}

/* ---- all other data: from products ---- */

/* Row m of the part, in parts->unit; NaN where missing. */
static void take_row(const assay_parts *parts, size_t m, const size_t *items, size_t k, double *row)
{
    const assay_matrix *x = parts->matrix;

    for (size_t t = 0; t < k; t++) {
        size_t i = items ? items[t] : t;

        if (!x->value)
            row[t] = x->scores[m * x->n_items + i] / parts->unit;
        else if (parts->by_item || assay_plane_bit(x->observed, x->stride, m, i))
            row[t] = (double)assay_plane_bit(x->value, x->stride, m, i);
        else
            row[t] = NAN;
    }
}

/* Row by row, as the numbers lie in memory: what is known of each item so far stands in room. */
void assay_part_centred(const assay_parts *parts, assay_part part, double *out, double *room)
{
    size_t n = part.models ? part.n_models : parts->matrix->n_models;
    size_t k = part.items ? part.n_items : parts->matrix->n_items;
    double *sum = room, *count = room + k, *low = room + 2 * k, *high = room + 3 * k;

    for (size_t t = 0; t < k; t++) {
        sum[t] = count[t] = 0.0;
        low[t] = INFINITY;
        high[t] = -INFINITY;
    }
    for (size_t m = 0; m < n; m++) {
        double *row = out + m * k;

        take_row(parts, part.models ? part.models[m] : m, part.items, k, row);
        for (size_t t = 0; t < k; t++) {
            if (isnan(row[t])) continue;
            sum[t] += row[t];
            count[t] += 1.0;
            low[t] = row[t] < low[t] ? row[t] : low[t];
            high[t] = row[t] > high[t] ? row[t] : high[t];
        }
    }
    /* Rounding must not make an item vary whose scores are all equal. */
    for (size_t t = 0; t < k; t++)
        sum[t] = count[t] == 0.0 ? 0.0 : low[t] == high[t] ? low[t] : sum[t] / count[t];
    for (size_t m = 0; m < n; m++)
        for (size_t t = 0; t < k; t++)
            out[m * k + t] = isnan(out[m * k + t]) ? 0.0 : out[m * k + t] - sum[t];
}

static void to_unit_variance(double *z, size_t n, size_t k, double *squares)
{
    for (size_t t = 0; t < k; t++) squares[t] = 0.0;
    for (size_t m = 0; m < n; m++)
        for (size_t t = 0; t < k; t++) squares[t] += z[m * k + t] * z[m * k + t];
    for (size_t t = 0; t < k; t++) squares[t] = squares[t] > 0.0 ? 1.0 / sqrt(squares[t]) : 0.0;
    for (size_t m = 0; m < n; m++)
        for (size_t t = 0; t < k; t++) z[m * k + t] *= squares[t];
}

/* z becomes D: each model's mean over items taken out too. */
static void take_out_models(double *z, size_t n, size_t k)
{
    for (size_t m = 0; m < n; m++) {
        double mean = 0.0;

        for (size_t t = 0; t < k; t++) mean += z[m * k + t] / (double)k;
        for (size_t t = 0; t < k; t++) z[m * k + t] -= mean;
    }
}

/* D becomes D + 1b', b the items' means less their mean: the model-centred matrix. */
static void put_back_items(double *d, const double *item_mean, size_t n, size_t k)
{
    double mean = 0.0;

    for (size_t t = 0; t < k; t++) mean += item_mean[t] / (double)k;
    for (size_t m = 0; m < n; m++)
        for (size_t t = 0; t < k; t++) d[m * k + t] += item_mean[t] - mean;
}

static assay_moments moments_of_products(const double *z, size_t n, size_t k, double *gram)
{
    size_t r = n <= k ? n : k;
    assay_moments moments = { 0.0, 0.0 };

    memset(gram, 0, r * r * sizeof *gram);
    if (n <= k)
        assay_linalg_aat(n, k, z, gram); /* its upper triangle */
    else
        assay_linalg_add_ata(k, n, 1.0, z, 0.0, gram); /* its lower one */
    for (size_t i = 0; i < r; i++) {
        moments.trace += gram[i * r + i];
        moments.squares += gram[i * r + i] * gram[i * r + i];
        for (size_t j = i + 1; j < r; j++) {
            double cell = n <= k ? gram[i * r + j] : gram[j * r + i];

            moments.squares += 2.0 * cell * cell;
        }
    }
    return moments;
}

static assay_status by_products(const assay_parts *parts, assay_part part, enum wanted wanted,
                                assay_dimensions *out)
{
    size_t n = part.n_models, k = part.n_items, r = n <= k ? n : k;
    double *z = assay_alloc_aligned(n * k, sizeof *z), *room = assay_alloc(4 * k, sizeof *room);
    double *gram = assay_alloc_aligned(r * r, sizeof *gram);
    assay_moments task, left;
    assay_status status = ASSAY_OK;

    if (!z || !room || !gram) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a part of %zu x %zu scores", n, k);
        goto done;
    }
    assay_part_centred(parts, part, z, room);
    if (wanted == UNIT_VARIANCE) to_unit_variance(z, n, k, room + k);
    task = moments_of_products(z, n, k, gram);
    out->task = assay_participation_ratio(task);
    if (wanted != ALL_CENTRINGS) goto done;
    take_out_models(z, n, k);
    left = moments_of_products(z, n, k, gram);
    out->both =
        assay_participation_ratio(assay_moments_or_nothing(left, task, ASSAY_ROUNDING_OF_SCORES));
    put_back_items(z, room, n, k);
    left = moments_of_products(z, n, k, gram);
    out->model =
        assay_participation_ratio(assay_moments_or_nothing(left, task, ASSAY_ROUNDING_OF_SCORES));
done:
    free(z);
    free(room);
    free(gram);
    return status;
}
