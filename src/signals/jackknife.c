/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/jackknife.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Below this share of ||G||^2 the closed form has lost too many digits. */
static const double small_share = 1e-4;

static assay_status model_rows(const assay_centred *z, const double *gram, int threads,
                               double *squares, double *diagonal);
static assay_moments closed_form(assay_moments task, double g, double q, double n);
static assay_moments cell_by_cell(const assay_centred *z, const double *gram, size_t model,
                                  double *row);

assay_status assay_leave_one_out(const assay_centred *z, const double *gram, assay_moments task,
                                 const double *row_squares, int threads, double *ratio)
{
    size_t n = z->n_models;
    double *squares = assay_alloc(n, sizeof *squares), *diagonal = assay_alloc(n, sizeof *diagonal);
    double *row = assay_alloc(z->n_rows, sizeof *row);
    assay_status status = ASSAY_OK;

    if (!squares || !diagonal || !row) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to leave out %zu models", n);
        goto done;
    }
    if (z->side == ASSAY_SIDE_MODELS) {
        memcpy(squares, row_squares, n * sizeof *squares);
        for (size_t m = 0; m < n; m++) diagonal[m] = gram[m * n + m];
    } else if ((status = model_rows(z, gram, threads, squares, diagonal)) != ASSAY_OK) {
        goto done;
    }
    for (size_t m = 0; m < n; m++) {
        assay_moments left = closed_form(task, diagonal[m], squares[m], (double)n);

        if (left.squares < small_share * task.squares) left = cell_by_cell(z, gram, m, row);
        ratio[m] =
            assay_participation_ratio(assay_moments_or_nothing(left, task, ASSAY_ROUNDING_OF_GRAM));
    }
done:
    free(squares);
    free(diagonal);
    free(row);
    return status;
}

/* With only the items' Gram matrix H at hand: q = z_m' H z_m and g = |z_m|^2. Models are taken in
   blocks of fixed size. */
enum { BLOCK = 64 };

static assay_status model_rows(const assay_centred *z, const double *gram, int threads,
                               double *squares, double *diagonal)
{
    size_t n_items = z->n_items, room = BLOCK * n_items;
    size_t n_blocks = (z->n_models + BLOCK - 1) / BLOCK;
    double *space = assay_alloc_aligned((size_t)threads * 2 * room, sizeof *space);

    if (!space) return assay_fail(ASSAY_E_NOMEM, "no memory for a block of %zu items", n_items);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < n_blocks; k++) {
        size_t first = k * BLOCK;
        size_t n = z->n_models - first < BLOCK ? z->n_models - first : BLOCK;
        double *rows = space + (size_t)omp_get_thread_num() * 2 * room, *image = rows + room;

        memset(image, 0, room * sizeof *image);
        assay_centred_block(z, ASSAY_SIDE_MODELS, (assay_block){ first, n, 0, n_items },
                            (assay_change){ 0 }, rows);
        assay_linalg_add_abt(n, n_items, n_items, rows, n_items, gram, n_items, image, n_items);
        for (size_t m = 0; m < n; m++) {
            const double *z_m = rows + m * n_items, *h_m = image + m * n_items;
            double q = 0.0, g = 0.0;

            for (size_t t = 0; t < n_items; t++) {
                q += z_m[t] * h_m[t];
                g += z_m[t] * z_m[t];
            }
            squares[first + m] = q;
            diagonal[first + m] = g;
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
static assay_moments closed_form(assay_moments task, double g, double q, double n)
{
    assay_moments left;

    left.trace = task.trace - g * n / (n - 1.0);
    left.squares = task.squares - 2.0 * q + g * g - 2.0 * (q - g * g) / (n - 1.0) +
                   g * g / ((n - 1.0) * (n - 1.0));
    return left;
}

/* The same from the cells of G', when model m carries nearly all of G. Among models
   G'_ab = G_ab + (G_am + G_bm)/(N - 1) + g/(N - 1)^2; among items H' = H - N/(N - 1) z_m z_m'. */
static assay_moments cell_by_cell(const assay_centred *z, const double *gram, size_t model,
                                  double *row)
{
    size_t n = z->n_rows, by_model = z->side == ASSAY_SIDE_MODELS;
    double others = (double)z->n_models - 1.0, g = by_model ? gram[model * n + model] : 0.0;
    assay_moments left = { 0.0, 0.0 };

    if (by_model)
        memcpy(row, gram + model * n, n * sizeof *row);
    else
        assay_centred_block(z, ASSAY_SIDE_MODELS, (assay_block){ model, 1, 0, n },
                            (assay_change){ 0 }, row);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            double change = by_model ? (row[a] + row[b]) / others + g / (others * others)
                                     : -(others + 1.0) / others * row[a] * row[b];
            double cell = gram[a * n + b] + change;

            if (by_model && (a == model || b == model)) continue;
            left.squares += cell * cell;
            if (a == b) left.trace += cell;
        }
    }
    return left;
}

double assay_jackknife_log_se(const double *value, size_t n)
{
    double mean = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++) mean += log(value[i]) / (double)n;
    for (size_t i = 0; i < n; i++) squares += (log(value[i]) - mean) * (log(value[i]) - mean);
    return sqrt(squares * (double)(n - 1) / (double)n);
}
