/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from the inside. */
#ifndef ASSAY_TEXT_VECTORS_H
#define ASSAY_TEXT_VECTORS_H

#include "assay/vectors.h"

/*
 * Every row has Euclidean length 1, or is zero. Either dense is set, n x d row-major at a multiple of
 * 64 bytes, or the sparse rows are: the entries of row i are start[i] .. start[i + 1] - 1, their
 * columns ascending. No entry is -0.
 */
struct assay_vectors {
    size_t n, d;
    double *dense;
    size_t *start;
    uint32_t *column;
    double *value;
    size_t n_zero, n_distinct;
    char **terms; /* of each column, or NULL */
};

/* The dot product of rows i and j, terms added in the order of the columns: the same bits on every
   machine (contraction is off). O(d), or O(entries of both rows). */
double assay_vectors_dot(const assay_vectors *vectors, size_t i, size_t j);

/* 1 when row i is zero. */
int assay_vectors_is_zero(const assay_vectors *vectors, size_t i);

/* Take an n x d array that was allocated by assay_alloc_aligned(), whatever its rows' lengths: rows are
   scaled to length 1, zeros and distinct rows counted. Owns dense, also on failure. ASSAY_OK;
   ASSAY_E_VALUE naming the first number that is not finite; ASSAY_E_SHAPE; ASSAY_E_NOMEM. */
assay_status assay_vectors_from_dense(double *dense, size_t n, size_t d, assay_vectors **out);

/* Finish vectors whose rows are set to whatever lengths (entries finite, sparse ones not 0): scale
   the rows, count zeros and distinct rows. ASSAY_OK or ASSAY_E_NOMEM; owns nothing. */
assay_status assay_vectors_finish(assay_vectors *vectors);

#endif
