/* SPDX-License-Identifier: Apache-2.0 */
/* How many bits two rows share, for many rows at once: the Gram matrix of 0/1 data, exactly. */
#ifndef ASSAY_STATS_POPCOUNT_H
#define ASSAY_STATS_POPCOUNT_H

#include <stddef.h>
#include <stdint.h>

/* Rows of bits laid out as data/matrix.h says: stride and n_words are multiples of 8, n_rows is
   rounded up to a multiple of 4 by rows of zeros. */
typedef struct assay_bit_rows {
    const uint64_t *words;
    size_t stride;
} assay_bit_rows;

/* counts[4 * i + j] += popcount(a_i & b_j) over n_words words, for four rows of a and four of b. */
typedef void (*assay_popcount_kernel)(const uint64_t *a, const uint64_t *b, size_t stride,
                                      size_t n_words, uint32_t counts[16]);

/* The kernels that this processor can run, fastest first; the plain one is always last. All give
   the same counts. */
typedef struct assay_popcount_choice {
    const char *name;
    assay_popcount_kernel kernel;
} assay_popcount_choice;
size_t assay_popcount_choices(assay_popcount_choice choices[4]);

/* The side of the square of counts that assay_popcount_tile() makes. */
enum { ASSAY_TILE = 64 };

/* counts[i * ASSAY_TILE + j] = popcount(row first_a + i  &  row first_b + j), for 64 x 64 rows or
   as many as there are up to n_rows. Cost: 64 x 64 x n_words word operations. */
void assay_popcount_tile(assay_popcount_kernel kernel, assay_bit_rows rows, size_t n_rows,
                         size_t first_a, size_t first_b, uint32_t *counts);

#endif
