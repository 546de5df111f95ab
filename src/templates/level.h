/* SPDX-License-Identifier: Apache-2.0 */
/* Counters, and the set of those among them that stand lowest. */
#ifndef ASSAY_TEMPLATES_LEVEL_H
#define ASSAY_TEMPLATES_LEVEL_H

#include "assay/base.h"

typedef struct assay_level {
    size_t n, n_words;
    uint32_t *count;  /* n of them */
    uint64_t *member; /* which take part */
    uint64_t *lowest; /* those members whose count is least */
    uint32_t least;
    size_t n_lowest;
} assay_level;

/* n counters at 0, every one a member. ASSAY_OK; ASSAY_E_NOMEM (freeing is then fine too). */
assay_status assay_level_new(size_t n, assay_level *level);
void assay_level_free(assay_level *level);

/* Find the lowest ones afresh: after members have changed. O(n). */
void assay_level_settle(assay_level *level);

/* Add 1 to a counter. O(1), and O(n) when it was the last of the lowest. */
void assay_level_raise(assay_level *level, size_t k);

static inline int assay_bit(const uint64_t *bits, size_t k)
{
    return (int)(bits[k / 64] >> (k % 64) & 1u);
}

static inline void assay_set_bit(uint64_t *bits, size_t k)
{
    bits[k / 64] |= (uint64_t)1 << (k % 64);
}

/* How many bits are set in a word. */
unsigned assay_bits_of_word(uint64_t word);

/* The place of the rank-th bit that is set, rank from 0; there are more than rank. O(n_words). */
size_t assay_bit_of_rank(const uint64_t *bits, size_t rank);

#endif
