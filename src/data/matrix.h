/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix as the methods see it. */
#ifndef ASSAY_DATA_MATRIX_H
#define ASSAY_DATA_MATRIX_H

#include "assay/matrix.h"

/*
 * Row m of a plane is words [m * stride, m * stride + stride); bit i of it is item i. Bits beyond
 * the last item, and value bits of cells that are not observed, are 0. The planes begin at
 * multiples of 64 bytes, stride is a multiple of 8 words and there are rows up to a multiple of 4,
 * all 0, so that the counting kernels (stats/popcount.h) need no tails.
 */
struct assay_matrix {
    size_t n_models, n_items;
    size_t n_models_left_out, n_items_left_out;
    uint64_t n_observed;
    size_t stride;
    uint64_t *observed;
    uint64_t *value; /* NULL when there are doubles */
    double *scores;  /* n_models x n_items, NaN where missing; NULL when all scores are 0 or 1 */
    size_t n_within; /* of doubles: the items whose scores all stay within 0..1 */
    unsigned char *doubts; /* of each item, bits of assay_doubt */
    double doubtful_share; /* of doubles: of the variance */
    char **model_names, **item_names;
    size_t *model_source, *item_source; /* their indices where they came from */
};

/* What n_within is. doubt.c */
size_t assay_matrix_count_within_0_and_1(const assay_matrix *matrix);

/* Fill doubts and doubtful_share of a matrix that is otherwise whole. 0, or -1 without memory.
   doubt.c */
int assay_matrix_find_doubts(assay_matrix *matrix);

/* An all-zero bit plane for n_rows rows of n_bits bits with the layout above, or NULL. */
uint64_t *assay_plane_new(size_t n_rows, size_t n_bits, size_t *stride);

static inline int assay_plane_bit(const uint64_t *plane, size_t stride, size_t row, size_t bit)
{
    return (int)(plane[row * stride + bit / 64] >> (bit % 64) & 1);
}

#endif
