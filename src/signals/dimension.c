/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/dimension.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What is left after centring cannot be smaller than the rounding of what was taken out. */
static const double relative_zero = 1e-13;

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

/*
 * The effects that the two centrings take out. Z still holds the models' effects, a_n = mean_t z_tn
 * (they sum to 0); b_t is item t's mean less the mean of all.
 */
struct effects {
    double *model, *item;
};

static void model_effects(const assay_centred *z, int threads, double *effect)
{
    double mean_total = 0.0;

    for (size_t t = 0; t < z->n_items; t++) mean_total += z->item_mean[t];
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t m = 0; m < z->n_models; m++) {
        double sum = 0.0;

        if (z->matrix->value && z->complete) {
            const uint64_t *row = z->matrix->value + m * z->matrix->stride;

            for (size_t w = 0; w < z->matrix->stride; w++)
                sum += (double)__builtin_popcountll(row[w]);
            sum -= mean_total;
        } else {
            for (size_t t = 0; t < z->n_items; t++) {
                double cell;

                assay_centred_block(z, ASSAY_SIDE_MODELS, (assay_block){ m, 1, t, 1 }, NULL, &cell);
                sum += cell;
            }
        }
        effect[m] = sum / (double)z->n_items;
    }
}

static void item_effects(const assay_centred *z, double *effect)
{
    double mean = 0.0;

    for (size_t t = 0; t < z->n_items; t++) mean += z->item_mean[t];
    mean /= (double)z->n_items;
    for (size_t t = 0; t < z->n_items; t++) effect[t] = z->item_mean[t] - mean;
}

/* a' (ZZ') a: directly, or from the items' Gram matrix H, since a = Z'1 / T makes Za = H1 / T. */
static double model_form(const assay_centred *z, const double *gram, const double *effect)
{
    size_t n = z->n_rows;
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        if (z->side == ASSAY_SIDE_MODELS) {
            sum += effect[i] * dot(gram + i * n, effect, n);
        } else {
            double row = 0.0;

            for (size_t j = 0; j < n; j++) row += gram[i * n + j];
            sum += row * row / ((double)n * (double)n);
        }
    }
    return sum;
}

/* |Z'b|^2: the items' effects seen by each model, or b' H b. sums has room for N doubles. */
static double item_form(const assay_centred *z, const double *gram, const double *effect,
                        int threads, double *sums)
{
    double total = 0.0, base = dot(effect, z->item_mean, z->n_items);

    if (z->side == ASSAY_SIDE_ITEMS) {
        for (size_t t = 0; t < z->n_items; t++)
            total += effect[t] * dot(gram + t * z->n_items, effect, z->n_items);
        return total;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t m = 0; m < z->n_models; m++) {
        if (z->matrix->value && z->complete) {
            sums[m] = assay_centred_ones(z, m, effect) - base;
            continue;
        }
        sums[m] = 0.0;
        for (size_t t = 0; t < z->n_items; t++) {
            double cell;

            assay_centred_block(z, ASSAY_SIDE_MODELS, (assay_block){ m, 1, t, 1 }, NULL, &cell);
            sums[m] += effect[t] * cell;
        }
    }
    return dot(sums, sums, z->n_models);
}

static assay_moments if_any(assay_moments moments, double scale)
{
    if (moments.trace <= relative_zero * scale) return (assay_moments){ 0.0, 0.0 };
    return moments;
}

/*
 * With D the doubly centred matrix, Z = D + 1a' and (model-centred) Y = D + b1', and D1 = D'1 = 0:
 *     ||ZZ'||^2 = ||DD'||^2 + 2 T a'DD'a + T^2 |a|^4,    tr ZZ' = tr DD' + T |a|^2,
 *     ||YY'||^2 = ||DD'||^2 + 2 N |D'b|^2 + N^2 |b|^4,   tr YY' = tr DD' + N |b|^2,
 * so that one Gram matrix serves all three. (a'DD'a = a'ZZ'a - T |a|^4, and D'b = Z'b.)
 */
assay_status assay_centring_moments(const assay_centred *z, const double *gram, assay_moments task,
                                    int threads, assay_three_moments *out)
{
    double n = (double)z->n_models, t = (double)z->n_items, a2, b2, aGa, Zb2;
    assay_moments both, model;
    struct effects effects = { assay_alloc_aligned(z->n_models, sizeof(double)),
                               assay_alloc_aligned(z->n_items, sizeof(double)) };
    double *sums = assay_alloc_aligned(z->n_models, sizeof *sums);
    assay_status status = ASSAY_OK;

    if (!effects.model || !effects.item || !sums) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the effects of %zu models and %zu items",
                            z->n_models, z->n_items);
        goto done;
    }
    model_effects(z, threads, effects.model);
    item_effects(z, effects.item);
    a2 = dot(effects.model, effects.model, z->n_models);
    b2 = dot(effects.item, effects.item, z->n_items);
    aGa = model_form(z, gram, effects.model);
    Zb2 = item_form(z, gram, effects.item, threads, sums);

    both.trace = task.trace - t * a2;
    both.squares = task.squares - 2.0 * t * aGa + t * t * a2 * a2;
    both = if_any(both, task.trace);
    model.trace = both.trace + n * b2;
    model.squares = both.squares + 2.0 * n * Zb2 + n * n * b2 * b2;
    out->task = task;
    out->both = both;
    out->model = if_any(model, task.trace);
done:
    free(effects.model);
    free(effects.item);
    free(sums);
    return status;
}

/* Row squares of the models' Gram matrix when only the items' one, H, is at hand: z_m' H z_m, and
   the diagonal |z_m|^2. Models are taken in blocks of fixed size. */
enum { LEFT_OUT_BLOCK = 64 };

static assay_status model_rows(const assay_centred *z, const double *gram, int threads,
                               double *squares, double *diagonal)
{
    size_t n_items = z->n_items, room = LEFT_OUT_BLOCK * n_items;
    size_t n_blocks = (z->n_models + LEFT_OUT_BLOCK - 1) / LEFT_OUT_BLOCK;
    double *space = assay_alloc_aligned((size_t)threads * 2 * room, sizeof *space);

    if (!space) return assay_fail(ASSAY_E_NOMEM, "no memory for a block of %zu items", n_items);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < n_blocks; k++) {
        size_t first = k * LEFT_OUT_BLOCK;
        size_t n = z->n_models - first < LEFT_OUT_BLOCK ? z->n_models - first : LEFT_OUT_BLOCK;
        double *rows = space + (size_t)omp_get_thread_num() * 2 * room, *image = rows + room;

        memset(image, 0, room * sizeof *image);
        assay_centred_block(z, ASSAY_SIDE_MODELS, (assay_block){ first, n, 0, n_items }, NULL,
                            rows);
        assay_linalg_add_abt(n, n_items, n_items, rows, n_items, gram, n_items, image, n_items);
        for (size_t m = 0; m < n; m++) {
            squares[first + m] = dot(rows + m * n_items, image + m * n_items, n_items);
            diagonal[first + m] = dot(rows + m * n_items, rows + m * n_items, n_items);
        }
    }
    free(space);
    return ASSAY_OK;
}

/*
 * Without model m, Z loses a row and every item's mean moves by -z_mt / (N - 1). With g = G_mm and
 * q = sum_j G_mj^2, and because the rows of G sum to 0,
 *     tr'      = tr - g N / (N - 1),
 *     ||G'||^2 = ||G||^2 - 2 q + g^2 - 2 (q - g^2) / (N - 1) + g^2 / (N - 1)^2.
 * (A missing cell stays where the mean of all models put it.)
 */
static double ratio_without(assay_moments task, double g, double q, double n)
{
    assay_moments left;

    left.trace = task.trace - g * n / (n - 1.0);
    left.squares = task.squares - 2.0 * q + g * g - 2.0 * (q - g * g) / (n - 1.0) +
                   g * g / ((n - 1.0) * (n - 1.0));
    return assay_participation_ratio(if_any(left, task.trace));
}

assay_status assay_leave_one_out(const assay_centred *z, const double *gram, assay_moments task,
                                 const double *row_squares, int threads, double *ratio)
{
    size_t n = z->n_models;
    double *diagonal = NULL;
    assay_status status = ASSAY_OK;

    if (z->side == ASSAY_SIDE_MODELS) {
        for (size_t m = 0; m < n; m++)
            ratio[m] = ratio_without(task, gram[m * n + m], row_squares[m], (double)n);
        return ASSAY_OK;
    }
    diagonal = assay_alloc(n, sizeof *diagonal);
    if (!diagonal) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu models", n);
    status = model_rows(z, gram, threads, ratio, diagonal);
    for (size_t m = 0; m < n && status == ASSAY_OK; m++)
        ratio[m] = ratio_without(task, diagonal[m], ratio[m], (double)n);
    free(diagonal);
    return status;
}
