/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_scan.h"

#include <immintrin.h>

static void masks_avx2(const char *block, assay_json_masks *masks);
static size_t plain_run_avx2(const char *text, size_t length);

const assay_json_scan assay_json_scan_avx2 = { masks_avx2, plain_run_avx2 };

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

__attribute__((target("avx2"))) static size_t plain_run_avx2(const char *text, size_t length)
{
    __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\');
    __m256i space = _mm256_set1_epi8(0x20);

    for (size_t i = 0; i < length; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(text + i));
        /* As signed bytes, those of 0x80 and more are below the space too. */
        __m256i special = _mm256_or_si256(
            _mm256_cmpgt_epi8(space, bytes),
            _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash)));
        uint32_t found = (uint32_t)_mm256_movemask_epi8(special);
        if (found) {
            size_t run = i + (size_t)__builtin_ctz(found);
            return run < length ? run : length;
        }
    }
    return length;
}
