/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/greedy.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"

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
static void centre(assay_deviations *z, double scale)
{
    for (size_t t = 0; t < z->n_items; t++) {
        double sum = 0.0, low = INFINITY, high = -INFINITY, n = 0.0, mean;

        for (size_t m = 0; m < z->n_models; m++) {
            double x = z->cell[m * z->n_items + t] *= scale;

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
    centre(z, whole ? (double)n_models : largest > 0.0 ? 1.0 / ldexp(1.0, ilogb(largest)) : 1.0);
    return ASSAY_OK;
}

void assay_deviations_free(assay_deviations *z)
{
    free(z->cell);
    free(z->squares);
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
