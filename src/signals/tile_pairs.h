/* SPDX-License-Identifier: Apache-2.0 */
/* The tiles of the lower triangle of a square, in the order 0 0, 1 0, 1 1, 2 0, ... */
#ifndef ASSAY_SIGNALS_TILE_PAIRS_H
#define ASSAY_SIGNALS_TILE_PAIRS_H

#include <stddef.h>

/* How many tiles a side of n rows has, and the triangle of so many tiles a side. */
static inline size_t assay_tiles_of(size_t n, size_t tile)
{
    return n / tile + (n % tile != 0);
}

static inline size_t assay_tile_pairs_of(size_t n_tiles)
{
    return n_tiles * (n_tiles + 1) / 2;
}

/* The k-th of the pairs (a, b) with b <= a. */
static inline void assay_tile_pair(size_t k, size_t *a, size_t *b)
{
    size_t row = 0;

    while ((row + 1) * (row + 2) / 2 <= k) row++;
    *a = row;
    *b = k - row * (row + 1) / 2;
}

#endif
