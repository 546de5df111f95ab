/* SPDX-License-Identifier: Apache-2.0 */
/* Cells as bits that are equal where the cells are, and digests of many. */
#ifndef ASSAY_SIGNALS_SCORE_BITS_H
#define ASSAY_SIGNALS_SCORE_BITS_H

#include "data/matrix.h"

#include <math.h>
#include <string.h>

/* The bits of a score: one zero, and one kind of hole. */
static inline uint64_t assay_score_bits(const assay_matrix *matrix, size_t model, size_t item)
{
    double score = assay_matrix_score(matrix, model, item);
    uint64_t bits = UINT64_MAX;

    if (score == 0.0) return 0;
    if (!isnan(score)) memcpy(&bits, &score, sizeof bits);
    return bits;
}

/* A step of splitmix64. */
static inline uint64_t assay_digest_more(uint64_t digest, uint64_t bits)
{
    digest = (digest ^ bits) + 0x9e3779b97f4a7c15u;
    digest = (digest ^ (digest >> 30)) * 0xbf58476d1ce4e5b9u;
    digest = (digest ^ (digest >> 27)) * 0x94d049bb133111ebu;
    return digest ^ (digest >> 31);
}

#endif
