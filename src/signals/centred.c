/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/centred.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/unit.h"

#include <math.h>
#include <stdlib.h>

static void count_ones(assay_centred *z);
static void sum_scores(assay_centred *z);
static double centred_cell(const assay_centred *z, size_t model, size_t item);

assay_status assay_centred_new(const assay_matrix *matrix, assay_centred *z)
{
    size_t n_items = matrix->n_items;

    *z = (assay_centred){
        .matrix = matrix, .n_models = matrix->n_models, .n_items = n_items, .unit = 1.0
    };
    z->complete = matrix->n_observed == (uint64_t)z->n_models * n_items;
    z->side = z->n_models <= n_items ? ASSAY_SIDE_MODELS : ASSAY_SIDE_ITEMS;
    z->n_rows = z->side == ASSAY_SIDE_MODELS ? z->n_models : n_items;
    z->n_columns = z->side == ASSAY_SIDE_MODELS ? n_items : z->n_models;
    z->item_mean = assay_alloc_aligned(n_items, sizeof(double));
    z->item_count = assay_alloc_aligned(n_items, sizeof(double));
    z->item_squares = assay_alloc_aligned(n_items, sizeof(double));
    if (!z->item_mean || !z->item_count || !z->item_squares)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the means of %zu items", n_items);
    if (matrix->value)
        count_ones(z);
    else
        sum_scores(z);
    for (size_t t = 0; t < n_items; t++)
        if (z->item_squares[t] == 0.0) z->n_constant++;
    return ASSAY_OK;
}

void assay_centred_free(assay_centred *z)
{
    free(z->item_mean);
    free(z->item_count);
    free(z->item_squares);
    *z = (assay_centred){ 0 };
}

/* counts[i] += bit i, for the bits of a row. */
static void add_bits(const uint64_t *row, size_t n_bits, double *counts)
{
    for (size_t first = 0; first < n_bits; first += 64) {
        uint64_t word = row[first / 64];

        for (; word; word &= word - 1) counts[first + (size_t)__builtin_ctzll(word)] += 1.0;
    }
}

/* With k ones among n observed, the mean is k/n and d = k - k^2/n: exact but for the division. */
static void count_ones(assay_centred *z)
{
    const assay_matrix *x = z->matrix;
    double *n_observed = z->item_squares;

    for (size_t m = 0; m < x->n_models; m++) {
        add_bits(x->value + m * x->stride, x->n_items, z->item_count);
        if (!z->complete) add_bits(x->observed + m * x->stride, x->n_items, n_observed);
    }
    for (size_t t = 0; t < x->n_items; t++) {
        double k = z->item_count[t], n = z->complete ? (double)x->n_models : n_observed[t];

        z->item_mean[t] = k / n;
        z->item_squares[t] = k * (n - k) / n;
    }
}

/* An item whose scores are all equal has exactly that mean: rounding must not make it vary. */
static void sum_scores(assay_centred *z)
{
    const assay_matrix *x = z->matrix;

    /* The fourth powers of what is divided by it stay finite. */
    z->unit = assay_unit_of(x->scores, x->n_models * x->n_items);
    for (size_t t = 0; t < x->n_items; t++) {
        double sum = 0.0, low = INFINITY, high = -INFINITY;
        size_t n = 0;

        for (size_t m = 0; m < x->n_models; m++) {
            double score = x->scores[m * x->n_items + t] / z->unit;

            if (isnan(score)) continue;
            sum += score;
            low = fmin(low, score);
            high = fmax(high, score);
            n++;
        }
        z->item_mean[t] = low == high ? low : sum / (double)n;
        for (size_t m = 0; m < x->n_models; m++) {
            double cell = centred_cell(z, m, t);

            z->item_squares[t] += cell * cell;
        }
    }
}

static double centred_cell(const assay_centred *z, size_t model, size_t item)
{
    double score = assay_matrix_score(z->matrix, model, item);

    return isnan(score) ? 0.0 : score / z->unit - z->item_mean[item];
}

void assay_centred_block(const assay_centred *z, assay_side side, assay_block block,
                         assay_change change, double *out)
{
    for (size_t r = 0; r < block.n_rows; r++) {
        for (size_t c = 0; c < block.n_columns; c++) {
            size_t row = block.first_row + r, column = block.first_column + c;
            size_t model = side == ASSAY_SIDE_MODELS ? row : column;
            size_t item = side == ASSAY_SIDE_MODELS ? column : row;
            double value = centred_cell(z, model, item);

            if (change.model_shift) value -= change.model_shift[model];
            if (change.item_scale) value *= change.item_scale[item];
            out[r * block.n_columns + c] = value;
        }
    }
}

static double mean_of_bits(const assay_centred *z, size_t model, double sum_of_means)
{
    const uint64_t *row = z->matrix->value + model * z->matrix->stride;
    double sum = 0.0;

    for (size_t w = 0; w < z->matrix->stride; w++) sum += (double)__builtin_popcountll(row[w]);
    return (sum - sum_of_means) / (double)z->n_items;
}

void assay_centred_model_means(const assay_centred *z, int threads, double *mean)
{
    double sum_of_means = 0.0;

    for (size_t t = 0; t < z->n_items; t++) sum_of_means += z->item_mean[t];
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t m = 0; m < z->n_models; m++) {
        double sum = 0.0;

        if (z->matrix->value && z->complete) {
            mean[m] = mean_of_bits(z, m, sum_of_means);
            continue;
        }
        for (size_t t = 0; t < z->n_items; t++) sum += centred_cell(z, m, t);
        mean[m] = sum / (double)z->n_items;
    }
}

double assay_centred_ones(const assay_centred *z, size_t model, const double *weight)
{
    const uint64_t *row = z->matrix->value + model * z->matrix->stride;
    double sum = 0.0;

    for (size_t first = 0; first < z->n_items; first += 64) {
        uint64_t word = row[first / 64];

        for (; word; word &= word - 1) sum += weight[first + (size_t)__builtin_ctzll(word)];
    }
    return sum;
}
