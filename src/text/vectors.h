/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from the inside. */
#ifndef ASSAY_TEXT_VECTORS_H
#define ASSAY_TEXT_VECTORS_H

#include "assay/vectors.h"

/*
 * Every row has Euclidean length 1, or is zero; or, where n_turns is above 1, is so many vectors of
 * d / n_turns numbers side by side, each of length 1 or zero, and the least similar of them tell how
 * similar two rows are (assay/turns.h, ASSAY_TURNS_MAX). Either dense is set, n x d row-major at a
 * multiple of 64 bytes, or the sparse rows are: the entries of row i are start[i] ..
 * start[i + 1] - 1, their columns ascending. No entry is -0.
 */
struct assay_vectors {
    size_t n, d;
    double *dense;
    size_t *start;
    uint32_t *column;
    double *value;
    size_t n_zero, n_distinct;
    char **terms; /* NULL, or n_terms of them, which columns have in turn */
    size_t n_terms;
    size_t n_turns; /* 0 and 1 are alike */
};

/* 1 where rows are compared turn by turn, so that they are no points in a space. */
static inline int assay_vectors_by_turn(const assay_vectors *vectors)
{
    return vectors->n_turns > 1;
}

/* The dot product of rows i and j, terms added in the order of the columns: the same bits on every
   machine (contraction is off). By turn: the least of the turns' products, where two that are zero
   have 1. O(d), or O(entries of both rows + turns). */
double assay_vectors_dot(const assay_vectors *vectors, size_t i, size_t j);

/* 1 when row i is zero. */
int assay_vectors_is_zero(const assay_vectors *vectors, size_t i);

/* Take an n x d array that was allocated by assay_alloc_aligned(), whatever its rows' lengths: rows are
   scaled to length 1, zeros and distinct rows counted. Owns dense, also on failure. ASSAY_OK;
   ASSAY_E_VALUE naming the first number that is not finite; ASSAY_E_SHAPE; ASSAY_E_NOMEM. */
assay_status assay_vectors_from_dense(double *dense, size_t n, size_t d, assay_vectors **out);

/* Count zeros and distinct rows of vectors whose rows are set and of length 1 or zero. ASSAY_OK or
   ASSAY_E_NOMEM; owns nothing. */
assay_status assay_vectors_count(assay_vectors *vectors);

/* Finish vectors whose rows are set to whatever lengths (entries finite, sparse ones not 0): scale
   the rows, count zeros and distinct rows. ASSAY_OK or ASSAY_E_NOMEM; owns nothing. */
assay_status assay_vectors_finish(assay_vectors *vectors);

#endif
