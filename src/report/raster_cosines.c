/* SPDX-License-Identifier: Apache-2.0 */
/* Square pictures: likeness of prompts, correlations of items. */
#include "report/raster.h"

#include "cluster/distances.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "report/leaf_order.h"
#include "text/vectors_take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void gather(const double *distance, size_t n, const size_t *block, assay_raster_block how,
                   size_t side, double *cells);
static void finish(size_t n, assay_raster_block how, size_t side, double *cells);

assay_status assay_raster_cosines(const assay_vectors *vectors, assay_raster_block how, int threads,
                                  assay_progress progress, size_t side, double *cells)
{
    size_t n = vectors->n, *block = assay_alloc(n, sizeof *block);
    double *distance = NULL;
    assay_status status = ASSAY_OK;

    if (!block) status = assay_fail(ASSAY_E_NOMEM, "no memory for a picture of %zu x %zu", n, n);
    if (status == ASSAY_OK)
        status = assay_distances_new(vectors, assay_threads(threads), progress, &distance);
    if (status == ASSAY_OK) {
        for (size_t k = 0; k < side; k++)
            for (size_t i = assay_raster_first(n, side, k); i < assay_raster_first(n, side, k + 1);
                 i++)
                block[i] = k;
        gather(distance, n, block, how, side, cells);
        finish(n, how, side, cells);
    }
    free(block);
    free(distance);
    return status;
}

/* Cells on and above the diagonal: the largest cosine, or the sum of all of the block's. */
static void gather(const double *distance, size_t n, const size_t *block, assay_raster_block how,
                   size_t side, double *cells)
{
    for (size_t k = 0; k < side * side; k++) cells[k] = how == ASSAY_RASTER_MEAN ? 0.0 : -1.0;
    for (size_t i = 0; i < n; i++) {
        const double *row = distance + assay_distances_row(n, i);
        double *own = cells + block[i] * side;

        for (size_t j = i + 1; j < n; j++) {
            double cosine = 1.0 - row[j];

            if (how == ASSAY_RASTER_MEAN)
                own[block[j]] += block[i] == block[j] ? 2.0 * cosine : cosine;
            else if (cosine > own[block[j]])
                own[block[j]] = cosine;
        }
        if (how == ASSAY_RASTER_MEAN)
            own[block[i]] += 1.0;
        else
            own[block[i]] = 1.0;
    }
}

static void finish(size_t n, assay_raster_block how, size_t side, double *cells)
{
    for (size_t a = 0; a < side; a++)
        for (size_t b = a; b < side; b++) {
            size_t rows = assay_raster_first(n, side, a + 1) - assay_raster_first(n, side, a);
            size_t columns = assay_raster_first(n, side, b + 1) - assay_raster_first(n, side, b);

            if (how == ASSAY_RASTER_MEAN) cells[a * side + b] /= (double)(rows * columns);
            cells[b * side + a] = cells[a * side + b];
        }
}

/* The vectors of these n rows, and the picture of their cosines. low is -1, or NaN for the least cell. */
static assay_status draw(const assay_vectors *vectors, const size_t *rows, size_t n,
                         assay_raster_block how, double low, int threads, assay_progress progress,
                         assay_raster *out)
{
    size_t side = n < ASSAY_RASTER_MOST ? n : ASSAY_RASTER_MOST;
    double *cells = assay_alloc(side * side, sizeof *cells);
    assay_vectors *taken = NULL;
    assay_status status = assay_raster_new(side, side, 1, out);

    if (status == ASSAY_OK && !cells)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a picture of %zu x %zu", side, side);
    if (status == ASSAY_OK) status = assay_vectors_take(vectors, rows, n, &taken);
    if (status == ASSAY_OK)
        status = assay_raster_cosines(taken, how, threads, progress, side, cells);
    if (status == ASSAY_OK) {
        out->high = 1.0;
        out->low = isnan(low) ? 1.0 : low;
        for (size_t k = 0; k < side * side && isnan(low); k++) out->low = fmin(out->low, cells[k]);
        for (size_t k = 0; k < side * side; k++) out->bytes[k] = assay_raster_byte(out, cells[k]);
        for (size_t k = 0; k < side; k++) out->row[k] = rows[assay_raster_first(n, side, k)];
    }
    assay_vectors_free(taken);
    free(cells);
    return status;
}

/* An even choice of the leaves of a tree, at most that many; n of them. */
static assay_status choose_leaves(const assay_dendrogram *tree, size_t most, size_t **rows,
                                  size_t *n)
{
    assay_leaf_order order;
    assay_status status = assay_leaf_order_new(tree, &order);

    *rows = NULL;
    if (status == ASSAY_OK) {
        *n = order.n < most ? order.n : most;
        *rows = assay_alloc(*n, sizeof **rows);
        if (!*rows) status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu leaves", *n);
        for (size_t k = 0; k < *n && status == ASSAY_OK; k++)
            (*rows)[k] = order.leaf[assay_raster_first(order.n, *n, k)];
    }
    assay_leaf_order_free(&order);
    return status;
}

assay_status assay_raster_similarity(const assay_vectors *vectors, const assay_dendrogram *tree,
                                     int threads, assay_progress progress, assay_raster *out)
{
    size_t *rows, n = 0;
    assay_status status = choose_leaves(tree, ASSAY_RASTER_MOST_PROMPTS, &rows, &n);

    *out = (assay_raster){ 0 };
    if (status == ASSAY_OK)
        status = draw(vectors, rows, n, ASSAY_RASTER_LARGEST, NAN, threads, progress, out);
    out->of_rows = out->of_columns = vectors->n;
    free(rows);
    if (status != ASSAY_OK) assay_raster_free(out);
    return status;
}

/* ---- correlations ---- */

/* The scores of an item less their mean, 0 where one is missing. 0 when they are all alike. */
static int centre(const assay_matrix *matrix, size_t item, double *out)
{
    size_t n = assay_matrix_n_models(matrix), n_scored = 0;
    double sum = 0.0, least = INFINITY, most = -INFINITY, scale;

    for (size_t m = 0; m < n; m++) {
        out[m] = assay_matrix_score(matrix, m, item);
        if (isnan(out[m])) continue;
        least = fmin(least, out[m]);
        most = fmax(most, out[m]);
        n_scored++;
    }
    if (n_scored < 2 || !(most > least)) return 0;
    scale = fmax(fabs(least), fabs(most)); /* against overflow; r does not change */
    for (size_t m = 0; m < n; m++)
        if (!isnan(out[m])) sum += out[m] /= scale;
    for (size_t m = 0; m < n; m++) out[m] = isnan(out[m]) ? 0.0 : out[m] - sum / (double)n_scored;
    return 1;
}

/* The items that vary (an even choice of them) as vectors, and which they are. */
static assay_status take_items(const assay_matrix *matrix, size_t *items, size_t *n_varying,
                               size_t *n, assay_vectors **out)
{
    size_t n_models = assay_matrix_n_models(matrix);
    double *row = assay_alloc(n_models, sizeof *row), *rows;
    assay_status status = ASSAY_OK;

    *n_varying = 0;
    *out = NULL;
    if (!row) return assay_fail(ASSAY_E_NOMEM, "no memory for the scores of %zu models", n_models);
    for (size_t t = 0; t < assay_matrix_n_items(matrix); t++)
        if (centre(matrix, t, row)) items[(*n_varying)++] = t;
    free(row);
    *n = *n_varying < ASSAY_RASTER_MOST_ITEMS ? *n_varying : ASSAY_RASTER_MOST_ITEMS;
    if (*n < 2) return ASSAY_OK;
    for (size_t k = 0; k < *n; k++) items[k] = items[assay_raster_first(*n_varying, *n, k)];
    rows = assay_alloc_aligned(*n * n_models, sizeof *rows);
    if (!rows) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu items", *n);
    for (size_t k = 0; k < *n; k++) centre(matrix, items[k], rows + k * n_models);
    status = assay_vectors_from_dense(rows, *n, n_models, out);
    return status;
}

assay_status assay_raster_correlations(const assay_matrix *matrix, int threads,
                                       assay_progress progress, assay_raster *out)
{
    size_t *items = assay_alloc(assay_matrix_n_items(matrix), sizeof *items), *rows = NULL;
    size_t n_varying = 0, n = 0;
    assay_vectors *vectors = NULL;
    assay_dendrogram *tree = NULL;
    assay_dendrogram_options options;
    assay_status status = ASSAY_OK;

    *out = (assay_raster){ 0 };
    assay_dendrogram_options_init(&options, sizeof options);
    options.threads = threads;
    options.progress = progress;
    if (!items) return assay_fail(ASSAY_E_NOMEM, "no memory for the correlations of items");
    status = take_items(matrix, items, &n_varying, &n, &vectors);
    if (status == ASSAY_OK && n >= 2) status = assay_dendrogram_fit(vectors, &options, &tree);
    if (status == ASSAY_OK && tree) status = choose_leaves(tree, n, &rows, &n);
    if (status == ASSAY_OK && tree)
        status = draw(vectors, rows, n, ASSAY_RASTER_MEAN, -1.0, threads, progress, out);
    for (size_t k = 0; k < out->rows && status == ASSAY_OK; k++) out->row[k] = items[out->row[k]];
    out->of_rows = out->of_columns = n_varying;
    free(items);
    free(rows);
    assay_vectors_free(vectors);
    assay_dendrogram_free(tree);
    if (status != ASSAY_OK) assay_raster_free(out);
    return status;
}
