/* SPDX-License-Identifier: Apache-2.0 */
/* Complete 0/1 items of a stream: exact counts of what pairs of models both solve. */
#ifndef ASSAY_SIGNALS_STREAM_BITS_H
#define ASSAY_SIGNALS_STREAM_BITS_H

#include "assay/base.h"
#include "stats/popcount.h"

/* An item goes into pending as a row of bits; 64 of them are turned into a word of every model's
   row of the plane; and a full plane is counted into counts. */
typedef struct assay_stream_bits {
    size_t n_models;
    uint64_t *pending; /* 64 items x item_words */
    size_t item_words, n_pending;
    uint64_t *plane;        /* models x items, as data/matrix.h says */
    size_t stride, n_words; /* words of a row: room, and filled ones */
    uint64_t *counts;       /* c_ab: tile pairs (tile_pairs.h) of ASSAY_TILE x ASSAY_TILE */
    uint64_t *solved_by;    /* how many items 0, 1, ..., N models solve */
    uint64_t n_items;
    uint32_t *tiles; /* one a thread */
    assay_popcount_kernel kernel;
} assay_stream_bits;

/* ASSAY_OK or ASSAY_E_NOMEM. Free it in either case. */
assay_status assay_stream_bits_new(size_t n_models, size_t block_items, int threads,
                                   assay_stream_bits *bits);
void assay_stream_bits_free(assay_stream_bits *bits);

/* Add an item of n_models bytes 0 or 1. */
void assay_stream_bits_add(assay_stream_bits *bits, const unsigned char *item, int threads);

/* Count what is not counted yet. */
void assay_stream_bits_flush(assay_stream_bits *bits, int threads);

#endif
