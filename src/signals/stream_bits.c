/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/stream_bits.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"
#include "signals/tile_pairs.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, TILE_CELLS = ASSAY_TILE * ASSAY_TILE };

static size_t pack_item(const unsigned char *item, size_t n, uint64_t *row);
static void turn_pending(assay_stream_bits *bits);
static void turn_words(uint64_t words[WORD]);
static void squeeze(assay_stream_bits *bits);
static void count_plane(assay_stream_bits *bits, int threads);

assay_status assay_stream_bits_new(size_t n_models, size_t block_items, int threads,
                                   assay_stream_bits *bits)
{
    size_t n_pairs = assay_tile_pairs_of(assay_tiles_of(n_models, ASSAY_TILE));
    assay_popcount_choice choices[4];

    assay_popcount_choices(choices);
    *bits = (assay_stream_bits){ .n_models = n_models, .kernel = choices[0].kernel };
    bits->item_words = assay_tiles_of(n_models, WORD);
    bits->pending = assay_alloc_aligned(WORD * bits->item_words, sizeof *bits->pending);
    bits->plane = assay_plane_new(n_models, block_items, &bits->stride);
    bits->counts = n_pairs <= SIZE_MAX / TILE_CELLS
                       ? assay_alloc_aligned(n_pairs * TILE_CELLS, sizeof *bits->counts)
                       : NULL;
    bits->solved_by = assay_alloc_zero(n_models + 1, sizeof *bits->solved_by);
    bits->tiles = assay_alloc_aligned((size_t)threads * TILE_CELLS, sizeof *bits->tiles);
    if (bits->pending && bits->plane && bits->counts && bits->solved_by && bits->tiles)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "no memory for the counts of %zu x %zu models", n_models,
                      n_models);
}

void assay_stream_bits_free(assay_stream_bits *bits)
{
    free(bits->pending);
    free(bits->plane);
    free(bits->counts);
    free(bits->solved_by);
    free(bits->tiles);
    *bits = (assay_stream_bits){ 0 };
}

void assay_stream_bits_add(assay_stream_bits *bits, const unsigned char *item, int threads)
{
    uint64_t *row = bits->pending + bits->n_pending * bits->item_words;

    bits->solved_by[pack_item(item, bits->n_models, row)]++;
    bits->n_items++;
    if (++bits->n_pending < WORD) return;
    turn_pending(bits);
    if (bits->n_words == bits->stride) count_plane(bits, threads);
}

void assay_stream_bits_flush(assay_stream_bits *bits, int threads)
{
    size_t stride = bits->stride;

    if (bits->n_pending > 0) turn_pending(bits);
    if (bits->n_words == 0) return;
    squeeze(bits);
    count_plane(bits, threads);
    bits->stride = stride;
}

/* Eight bytes 0 or 1 as bits: the product moves bit 8 i to bit 56 + i, and no two sums meet. */
static uint64_t pack_eight(const unsigned char *bytes)
{
    uint64_t word = 0;

    for (size_t k = 0; k < 8; k++) word |= (uint64_t)bytes[k] << (8 * k);
    return word * UINT64_C(0x0102040810204080) >> 56;
}

/* Returns how many models solve the item. */
static size_t pack_item(const unsigned char *item, size_t n, uint64_t *row)
{
    size_t whole = n / 8 * 8, solved = 0;

    memset(row, 0, assay_tiles_of(n, WORD) * sizeof *row);
    for (size_t m = 0; m < whole; m += 8) row[m / WORD] |= pack_eight(item + m) << (m % WORD);
    for (size_t m = whole; m < n; m++) row[m / WORD] |= (uint64_t)item[m] << (m % WORD);
    for (size_t w = 0; w < assay_tiles_of(n, WORD); w++)
        solved += (size_t)__builtin_popcountll(row[w]);
    return solved;
}

/* The pending items, at most 64, into the next word of every model. */
static void turn_pending(assay_stream_bits *bits)
{
    for (size_t w = 0; w < bits->item_words; w++) {
        size_t left = bits->n_models - w * WORD, n = left < WORD ? left : WORD;
        uint64_t words[WORD] = { 0 };

        for (size_t t = 0; t < bits->n_pending; t++)
            words[t] = bits->pending[t * bits->item_words + w];
        turn_words(words);
        for (size_t m = 0; m < n; m++)
            bits->plane[(w * WORD + m) * bits->stride + bits->n_words] = words[m];
    }
    bits->n_words++;
    bits->n_pending = 0;
}

/* Transpose 64 x 64 bits: bit j of word i changes places with bit i of word j, first in halves,
   then in halves of those. */
static void turn_words(uint64_t words[WORD])
{
    uint64_t low = UINT64_C(0xffffffff);

    for (size_t half = 32; half > 0; half /= 2, low ^= low << half) {
        for (size_t i = 0; i < WORD; i = (i + half + 1) & ~half) {
            uint64_t moved = (words[i] >> half ^ words[i + half]) & low;

            words[i] ^= moved << half;
            words[i + half] ^= moved;
        }
    }
}

/* Rows that are not full move together, so that the rest is not counted: rows stand in order, each
   moves towards the front, and what is left behind is cleared. */
static void squeeze(assay_stream_bits *bits)
{
    size_t rows = (bits->n_models + 3) / 4 * 4, narrow = (bits->n_words + 7) / 8 * 8;

    if (narrow == bits->stride) return;
    for (size_t m = 1; m < rows; m++)
        memmove(bits->plane + m * narrow, bits->plane + m * bits->stride,
                narrow * sizeof *bits->plane);
    memset(bits->plane + rows * narrow, 0, rows * (bits->stride - narrow) * sizeof *bits->plane);
    bits->stride = narrow;
}

static void count_plane(assay_stream_bits *bits, int threads)
{
    assay_bit_rows rows = { bits->plane, bits->stride };
    size_t n_pairs = assay_tile_pairs_of(assay_tiles_of(bits->n_models, ASSAY_TILE));

#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < n_pairs; k++) {
        uint32_t *tile = bits->tiles + (size_t)omp_get_thread_num() * TILE_CELLS;
        uint64_t *counts = bits->counts + k * TILE_CELLS;
        size_t a, b;

        assay_tile_pair(k, &a, &b);
        assay_popcount_tile(bits->kernel, rows, bits->n_models, a * ASSAY_TILE, b * ASSAY_TILE,
                            tile);
        for (size_t i = 0; i < TILE_CELLS; i++) counts[i] += tile[i];
    }
    memset(bits->plane, 0, (bits->n_models + 3) / 4 * 4 * bits->stride * sizeof *bits->plane);
    bits->n_words = 0;
}
