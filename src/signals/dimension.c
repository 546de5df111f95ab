/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/dimension.h"

#include "core/error.h"
#include "core/memory.h"
#include "signals/bit_gram.h"
#include "signals/gram.h"

#include <math.h>
#include <stdlib.h>

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

double assay_participation_ratio(assay_moments moments)
{
    return moments.squares > 0.0 ? moments.trace * moments.trace / moments.squares : NAN;
}

assay_moments assay_gram_moments(const double *gram, size_t n, int threads, double *row_squares)
{
    assay_moments moments = { 0.0, 0.0 };

#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) row_squares[i] = dot(gram + i * n, gram + i * n, n);
    for (size_t i = 0; i < n; i++) {
        moments.trace += gram[i * n + i];
        moments.squares += row_squares[i];
    }
    return moments;
}

assay_moments assay_moments_or_nothing(assay_moments left, assay_moments whole, double rounding)
{
    return left.trace > rounding * whole.trace ? left : (assay_moments){ 0.0, 0.0 };
}

/* ---- the doubly centred matrix D = Z - 1a' ---- */

/* For complete 0/1 data from G itself: DD' = ZZ' - T a a' on the models' side; on the items', where
   a = Z'1 / T, each cell less its row's and its column's mean, plus the mean of all. */
static assay_moments moments_from_gram(const assay_centred *z, const double *gram,
                                       const double *effect, int threads, double *row_mean,
                                       double *row_squares)
{
    size_t n = z->n_rows, by_model = z->side == ASSAY_SIDE_MODELS;
    double t = (double)z->n_items, total = dot(effect, effect, z->n_models);
    assay_moments moments = { 0.0, 0.0 };

    for (size_t i = 0; i < n && !by_model; i++) {
        row_mean[i] = 0.0;
        for (size_t j = 0; j < n; j++) row_mean[i] += gram[i * n + j] / t;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) {
        double squares = 0.0;

        for (size_t j = 0; j < n; j++) {
            double taken = by_model ? t * effect[i] * effect[j] : row_mean[i] + row_mean[j] - total;
            double cell = gram[i * n + j] - taken;
            squares += cell * cell;
        }
        row_squares[i] = squares;
    }
    for (size_t i = 0; i < n; i++) {
        double taken = by_model ? t * effect[i] * effect[i] : 2.0 * row_mean[i] - total;
        moments.trace += gram[i * n + i] - taken;
        moments.squares += row_squares[i];
    }
    return moments;
}

/* Other data may be nearly additive, and D far smaller than Z: then G has lost it in its rounding,
   and D's own Gram matrix is made. */
static assay_status moments_of_own_gram(const assay_centred *z, const double *effect, int threads,
                                        double *row_squares, assay_moments *out)
{
    size_t n = z->n_rows;
    double *gram = assay_alloc_aligned(n * n, sizeof *gram);
    assay_status status;

    if (!gram) return assay_fail(ASSAY_E_NOMEM, "no memory for a Gram matrix of %zu rows", n);
    status = assay_gram(z, (assay_change){ .model_shift = effect }, threads, gram);
    if (status == ASSAY_OK) *out = assay_gram_moments(gram, n, threads, row_squares);
    free(gram);
    return status;
}

static assay_status double_centred_moments(const assay_centred *z, const double *gram,
                                           const double *effect, int threads, assay_moments *out)
{
    double *row_mean = assay_alloc(z->n_rows, sizeof *row_mean);
    double *row_squares = assay_alloc(z->n_rows, sizeof *row_squares);
    assay_status status = ASSAY_OK;

    if (!row_mean || !row_squares)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the sums of %zu rows", z->n_rows);
    else if (assay_bit_form_fits(z))
        *out = moments_from_gram(z, gram, effect, threads, row_mean, row_squares);
    else
        status = moments_of_own_gram(z, effect, threads, row_squares, out);
    free(row_mean);
    free(row_squares);
    return status;
}

/* ---- the model-centred matrix Y = D + b1' ---- */

static void item_effects(const assay_centred *z, double *effect)
{
    double mean = 0.0;

    for (size_t t = 0; t < z->n_items; t++) mean += z->item_mean[t] / (double)z->n_items;
    for (size_t t = 0; t < z->n_items; t++) effect[t] = z->item_mean[t] - mean;
}

/* |D'b|^2: what the items' effects b look like to each model. Since they sum to 0, Z'b is D'b. */
static double item_form(const assay_centred *z, const double *effect, int threads, double *sums)
{
    double base = dot(effect, z->item_mean, z->n_items);

#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t m = 0; m < z->n_models; m++) {
        if (z->matrix->value && z->complete) {
            sums[m] = assay_centred_ones(z, m, effect) - base;
            continue;
        }
        sums[m] = 0.0;
        for (size_t t = 0; t < z->n_items; t++) {
            double cell;

            assay_centred_block(z, ASSAY_SIDE_MODELS, (assay_block){ m, 1, t, 1 },
                                (assay_change){ 0 }, &cell);
            sums[m] += effect[t] * cell;
        }
    }
    return dot(sums, sums, z->n_models);
}

/* D1 = 0 and 1'D = 0, so that ||YY'||^2 = ||DD'||^2 + 2 N |D'b|^2 + N^2 |b|^4 and
   tr YY' = tr DD' + N |b|^2: no term is negative. */
assay_status assay_centring_moments(const assay_centred *z, const double *gram, assay_moments task,
                                    int threads, assay_three_moments *out)
{
    double n = (double)z->n_models, b2;
    double rounding = assay_bit_form_fits(z) ? ASSAY_ROUNDING_OF_GRAM : ASSAY_ROUNDING_OF_SCORES;
    double *model_effect = assay_alloc_aligned(z->n_models, sizeof *model_effect);
    double *item_effect = assay_alloc_aligned(z->n_items, sizeof *item_effect);
    double *sums = assay_alloc_aligned(z->n_models, sizeof *sums);
    assay_moments both, model;
    assay_status status;

    if (!model_effect || !item_effect || !sums) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the effects of %zu models and %zu items",
                            z->n_models, z->n_items);
        goto done;
    }
    assay_centred_model_means(z, threads, model_effect);
    item_effects(z, item_effect);
    status = double_centred_moments(z, gram, model_effect, threads, &both);
    if (status != ASSAY_OK) goto done;
    both = assay_moments_or_nothing(both, task, rounding);
    b2 = dot(item_effect, item_effect, z->n_items);
    model.trace = both.trace + n * b2;
    model.squares =
        both.squares + 2.0 * n * item_form(z, item_effect, threads, sums) + n * n * b2 * b2;
    out->task = task;
    out->both = both;
    out->model = assay_moments_or_nothing(model, task, ASSAY_ROUNDING_OF_SCORES);
done:
    free(model_effect);
    free(item_effect);
    free(sums);
    return status;
}
