/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/level.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

assay_status assay_level_new(size_t n, assay_level *level)
{
    *level = (assay_level){ .n = n, .n_words = (n + 63) / 64 };
    level->count = assay_alloc_zero(n, sizeof *level->count);
    level->member = assay_alloc_zero(level->n_words, sizeof *level->member);
    level->lowest = assay_alloc_zero(level->n_words, sizeof *level->lowest);
    if (!level->count || !level->member || !level->lowest)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu counters of a plan", n);
    for (size_t k = 0; k < n; k++) assay_set_bit(level->member, k);
    assay_level_settle(level);
    return ASSAY_OK;
}

void assay_level_free(assay_level *level)
{
    free(level->count);
    free(level->member);
    free(level->lowest);
    *level = (assay_level){ 0 };
}

void assay_level_settle(assay_level *level)
{
    level->least = UINT32_MAX;
    for (size_t k = 0; k < level->n; k++)
        if (assay_bit(level->member, k) && level->count[k] < level->least)
            level->least = level->count[k];
    level->n_lowest = 0;
    for (size_t w = 0; w < level->n_words; w++) level->lowest[w] = 0;
    for (size_t k = 0; k < level->n; k++) {
        if (!assay_bit(level->member, k) || level->count[k] != level->least) continue;
        assay_set_bit(level->lowest, k);
        level->n_lowest++;
    }
}

void assay_level_raise(assay_level *level, size_t k)
{
    level->count[k]++;
    if (!assay_bit(level->lowest, k)) return;
    level->lowest[k / 64] &= ~((uint64_t)1 << (k % 64));
    if (--level->n_lowest == 0) assay_level_settle(level);
}

/* In halves, quarters, ...: as fast as the instruction would be found, on any processor. */
unsigned assay_bits_of_word(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(word * 0x0101010101010101u >> 56);
}

size_t assay_bit_of_rank(const uint64_t *bits, size_t rank)
{
    size_t w = 0;
    uint64_t word;

    for (unsigned n; rank >= (n = assay_bits_of_word(bits[w])); w++) rank -= n;
    word = bits[w];
    while (rank-- > 0) word &= word - 1;
    return 64 * w + (size_t)__builtin_ctzll(word);
}
