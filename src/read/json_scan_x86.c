/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_scan.h"

#include <immintrin.h>

static void masks_avx2(const char *block, assay_json_masks *masks);
static size_t plain_run_avx2(const char *text, size_t length);
static size_t copy_simple_avx2(const char *text, size_t length, char *to, size_t *made);

const assay_json_scan assay_json_scan_avx2 = { masks_avx2, plain_run_avx2, copy_simple_avx2 };

__attribute__((target("avx2"))) static uint64_t bits(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
                                                     << 32;
}

__attribute__((target("avx2"))) static uint64_t equal(__m256i low, __m256i high, char c)
{
    __m256i wanted = _mm256_set1_epi8(c);
    return bits(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted));
}

__attribute__((target("avx2"))) static void masks_avx2(const char *block, assay_json_masks *masks)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)block);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(block + 32));
    /* '[' and '{' differ in this bit alone, and so do ']' and '}'. */
    __m256i bit = _mm256_set1_epi8(0x20);
    __m256i open = _mm256_set1_epi8('{'), close = _mm256_set1_epi8('}');
    __m256i folded_low = _mm256_or_si256(low, bit), folded_high = _mm256_or_si256(high, bit);

    masks->quote = equal(low, high, '"');
    masks->backslash = equal(low, high, '\\');
    masks->newline = equal(low, high, '\n');
    masks->bracket = bits(
        _mm256_or_si256(_mm256_cmpeq_epi8(folded_low, open), _mm256_cmpeq_epi8(folded_low, close)),
        _mm256_or_si256(_mm256_cmpeq_epi8(folded_high, open),
                        _mm256_cmpeq_epi8(folded_high, close)));
}

/* One bit for each of 32 bytes that do not stand for themselves. */
__attribute__((target("avx2"))) static inline uint32_t special(__m256i bytes)
{
    /* As signed bytes, those of 0x80 and more are below the space too. */
    __m256i below = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes);
    __m256i quote = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'));
    __m256i backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'));

    return (uint32_t)_mm256_movemask_epi8(
        _mm256_or_si256(below, _mm256_or_si256(quote, backslash)));
}

__attribute__((target("avx2"))) static size_t plain_run_avx2(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i += 32) {
        uint32_t found = special(_mm256_loadu_si256((const __m256i *)(const void *)(text + i)));

        if (found) {
            size_t run = i + (size_t)__builtin_ctz(found);
            return run < length ? run : length;
        }
    }
    return length;
}

/* 32 bytes are copied before it is known how many of them stand for themselves. */
__attribute__((target("avx2"))) static size_t copy_simple_avx2(const char *text, size_t length,
                                                               char *to, size_t *made)
{
    size_t used = 0, out = 0;

    while (used < length) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(text + used));
        uint32_t found = special(bytes);
        size_t left = length - used, run = found ? (size_t)__builtin_ctz(found) : 32;
        char value;

        _mm256_storeu_si256((__m256i *)(void *)(to + out), bytes);
        if (run > left) run = left;
        used += run;
        out += run;
        if (!found) continue;
        if (length - used < 2 || text[used] != '\\') break;
        value = assay_json_escapes[(unsigned char)text[used + 1]];
        if (!value) break;
        to[out++] = value;
        used += 2;
    }
    *made = out;
    return used;
}
