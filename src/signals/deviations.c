/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/greedy.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"
#include "stats/unit.h"

#include <math.h>
#include <stdlib.h>

/* The scores, and the largest of them by size; NaN where missing. */
static double read_scores(const assay_matrix *matrix, const size_t *models, assay_deviations *z)
{
    double largest = 0.0;

    for (size_t m = 0; m < z->n_models; m++) {
        for (size_t t = 0; t < z->n_items; t++) {
            double score = assay_matrix_score(matrix, models[m], t);

            z->cell[m * z->n_items + t] = score;
            largest = fmax(largest, fabs(score));
        }
    }
    return largest;
}

/* With k ones, N x - k; a column of N scores of which one is constant becomes 0 exactly. */
static void centre(assay_deviations *z, double factor, double unit)
{
    for (size_t t = 0; t < z->n_items; t++) {
        double sum = 0.0, low = INFINITY, high = -INFINITY, n = 0.0, mean;

        for (size_t m = 0; m < z->n_models; m++) {
            double x = z->cell[m * z->n_items + t] * factor / unit;

            z->cell[m * z->n_items + t] = x;
            if (isnan(x)) continue;
            sum += x;
            n += 1.0;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        mean = low == high ? low : sum / n;
        for (size_t m = 0; m < z->n_models; m++) {
            double *x = &z->cell[m * z->n_items + t];

            *x = isnan(*x) ? 0.0 : *x - mean;
            z->squares[t] += *x * *x;
        }
        z->squares[t] /= z->divisor;
        z->n_varying += z->squares[t] > 0.0;
    }
}

static assay_status count_bits(const assay_matrix *matrix, const size_t *models,
                               assay_deviations *z)
{
    assay_popcount_choice choices[4];

    assay_popcount_choices(choices);
    z->kernel = choices[0].kernel;
    z->ones = assay_alloc_zero(z->n_items, sizeof *z->ones);
    z->plane = assay_plane_new(z->n_items, z->n_models, &z->stride);
    if (!z->ones || !z->plane)
        return assay_fail(ASSAY_E_NOMEM, "no memory to choose among %zu items", z->n_items);
    for (size_t m = 0; m < z->n_models; m++) {
        for (size_t t = 0; t < z->n_items; t++) {
            if (!assay_plane_bit(matrix->value, matrix->stride, models[m], t)) continue;
            z->plane[t * z->stride + m / 64] |= (uint64_t)1 << m % 64;
            z->ones[t] += 1.0;
        }
    }
    return ASSAY_OK;
}

assay_status assay_deviations_new(const assay_matrix *matrix, const size_t *models, size_t n_models,
                                  assay_deviations *z)
{
    size_t t = matrix->n_items;
    int whole = matrix->value && matrix->n_observed == (uint64_t)matrix->n_models * t;
    double largest;

    *z = (assay_deviations){ .n_models = n_models, .n_items = t, .divisor = 1.0 };
    z->cell = assay_alloc_aligned(n_models * t, sizeof *z->cell);
    z->squares = assay_alloc_aligned(t, sizeof *z->squares);
    if (!z->cell || !z->squares)
        return assay_fail(ASSAY_E_NOMEM, "no memory to choose among %zu items", t);
    largest = read_scores(matrix, models, z);
    if (whole) z->divisor = (double)n_models;
    centre(z, whole ? (double)n_models : 1.0, whole ? 1.0 : assay_unit_near(largest));
    return whole ? count_bits(matrix, models, z) : ASSAY_OK;
}

void assay_deviations_free(assay_deviations *z)
{
    free(z->cell);
    free(z->squares);
    free(z->plane);
    free(z->ones);
    *z = (assay_deviations){ 0 };
}

void assay_deviations_product(const assay_deviations *z, const double *weight, int threads,
                              double *product)
{
    enum { BLOCK = 512, WORTH_THREADS = 200000 };
    size_t n_items = z->n_items, n_blocks = (n_items + BLOCK - 1) / BLOCK;

#pragma omp parallel for num_threads(threads) \
    schedule(static) if (threads > 1 && z->n_models * n_items > WORTH_THREADS)
    for (size_t b = 0; b < n_blocks; b++) {
        size_t first = b * BLOCK, end = first + BLOCK < n_items ? first + BLOCK : n_items;

        for (size_t t = first; t < end; t++) product[t] = 0.0;
        for (size_t m = 0; m < z->n_models; m++) {
            const double *row = z->cell + m * n_items;
            double w = weight[m];

            for (size_t t = first; t < end; t++) product[t] += w * row[t];
        }
        for (size_t t = first; t < end; t++) product[t] /= z->divisor;
    }
}

/* N c - k_t k_u, with c the models that have both: N times G_tu. The kernel takes rows by four. */
static void column_of_counts(const assay_deviations *z, size_t u, double *column)
{
    const uint64_t *four = z->plane + u / 4 * 4 * z->stride;

    for (size_t t = 0; t < z->n_items; t += 4) {
        uint32_t counts[16] = { 0 };

        z->kernel(four, z->plane + t * z->stride, z->stride, z->stride, counts);
        for (size_t j = 0; j < 4 && t + j < z->n_items; j++)
            column[t + j] =
                (double)z->n_models * (double)counts[u % 4 * 4 + j] - z->ones[t + j] * z->ones[u];
    }
}

void assay_deviations_gram_column(const assay_deviations *z, size_t u, int threads, double *weight,
                                  double *column)
{
    if (z->plane) {
        column_of_counts(z, u, column);
        return;
    }
    for (size_t m = 0; m < z->n_models; m++) weight[m] = z->cell[m * z->n_items + u];
    assay_deviations_product(z, weight, threads, column);
}
