/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/gram.h"

#include "core/error.h"
#include "core/memory.h"
#include "signals/bit_gram.h"
#include "signals/tile_pairs.h"
#include "stats/linalg.h"

#include <omp.h>
#include <stdlib.h>

enum { BLOCK_ROWS = 128, PANEL_COLUMNS = 512 };

static assay_status gram_of_bits(const assay_centred *z, int threads, double *gram);
static assay_status gram_of_doubles(const assay_centred *z, assay_change change, int threads,
                                    double *gram);

assay_status assay_gram(const assay_centred *z, assay_change change, int threads, double *gram)
{
    if (assay_bit_form_fits(z) && !change.item_scale && !change.model_shift)
        return gram_of_bits(z, threads, gram);
    return gram_of_doubles(z, change, threads, gram);
}

/* Bits of items x models from those of models x items. */
static uint64_t *transposed(const assay_matrix *x, size_t *stride)
{
    uint64_t *plane = assay_plane_new(x->n_items, x->n_models, stride);

    if (!plane) return NULL;
    for (size_t m = 0; m < x->n_models; m++)
        for (size_t t = 0; t < x->n_items; t++)
            if (assay_plane_bit(x->value, x->stride, m, t))
                plane[t * *stride + m / 64] |= (uint64_t)1 << (m % 64);
    return plane;
}

static assay_status gram_of_bits(const assay_centred *z, int threads, double *gram)
{
    const assay_matrix *x = z->matrix;
    assay_bit_rows rows = { x->value, x->stride };
    assay_bit_form form;
    uint64_t *plane = NULL;
    uint32_t *tiles = NULL;
    size_t n_pairs = assay_tile_pairs_of(assay_tiles_of(z->n_rows, ASSAY_TILE));
    assay_status status = assay_bit_form_new(z, &form);

    if (status != ASSAY_OK) goto done;
    tiles = assay_alloc_aligned((size_t)threads * ASSAY_TILE * ASSAY_TILE, sizeof *tiles);
    if (z->side == ASSAY_SIDE_ITEMS) rows.words = plane = transposed(x, &rows.stride);
    if (!tiles || !rows.words) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the bits of %zu items", z->n_items);
        goto done;
    }
    if (z->side == ASSAY_SIDE_MODELS) {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (size_t m = 0; m < z->n_models; m++)
            form.shift[m] = (double)z->n_models * assay_centred_ones(z, m, z->item_count);
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < n_pairs; k++) {
        uint32_t *counts = tiles + (size_t)omp_get_thread_num() * ASSAY_TILE * ASSAY_TILE;
        size_t a, b;

        assay_tile_pair(k, &a, &b);
        assay_bit_gram_tile(&form, rows, a * ASSAY_TILE, b * ASSAY_TILE, counts, gram);
    }
done:
    assay_bit_form_free(&form);
    free(tiles);
    free(plane);
    return status;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Add the products of one panel's rows to the lower triangle of G, a block at a time. */
static void add_panel(const double *panel, size_t n_rows, size_t n_columns, int threads,
                      double *gram)
{
    size_t n_pairs = assay_tile_pairs_of(assay_tiles_of(n_rows, BLOCK_ROWS));

#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < n_pairs; k++) {
        size_t a, b;

        assay_tile_pair(k, &a, &b);
        a *= BLOCK_ROWS;
        b *= BLOCK_ROWS;
        assay_linalg_add_abt(smaller(BLOCK_ROWS, n_rows - a), smaller(BLOCK_ROWS, n_rows - b),
                             n_columns, panel + a * n_columns, n_columns, panel + b * n_columns,
                             n_columns, gram + a * n_rows + b, n_rows);
    }
}

static assay_status gram_of_doubles(const assay_centred *z, assay_change change, int threads,
                                    double *gram)
{
    size_t n_rows = z->n_rows;
    double *panel = assay_alloc_aligned(n_rows * PANEL_COLUMNS, sizeof *panel);

    if (!panel) return assay_fail(ASSAY_E_NOMEM, "no memory for a Gram matrix of %zu rows", n_rows);
    for (size_t first = 0; first < z->n_columns; first += PANEL_COLUMNS) {
        size_t n_columns = smaller(PANEL_COLUMNS, z->n_columns - first);

#pragma omp parallel for num_threads(threads) schedule(static)
        for (size_t row = 0; row < n_rows; row++)
            assay_centred_block(z, z->side, (assay_block){ row, 1, first, n_columns }, change,
                                panel + row * n_columns);
        add_panel(panel, n_rows, n_columns, threads, gram);
    }
    for (size_t a = 0; a < n_rows; a++)
        for (size_t b = a + 1; b < n_rows; b++) gram[a * n_rows + b] = gram[b * n_rows + a];
    free(panel);
    return ASSAY_OK;
}
