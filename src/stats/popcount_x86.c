/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64 kernels, compiled for their own instruction sets and chosen at run time. */
#include "stats/popcount_kernels.h"

#include <immintrin.h>

__attribute__((target("avx512f,avx512vpopcntdq"))) static void popcount_avx512(
    const uint64_t *a, const uint64_t *b, size_t stride, size_t n_words, uint32_t counts[16])
{
    __m512i sum[4][4];

    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) sum[i][j] = _mm512_setzero_si512();
    for (size_t w = 0; w < n_words; w += 8) {
        __m512i row_b[4];

        for (size_t j = 0; j < 4; j++) row_b[j] = _mm512_loadu_si512(b + j * stride + w);
        for (size_t i = 0; i < 4; i++) {
            __m512i row_a = _mm512_loadu_si512(a + i * stride + w);

            for (size_t j = 0; j < 4; j++)
                sum[i][j] = _mm512_add_epi64(
                    sum[i][j], _mm512_popcnt_epi64(_mm512_and_si512(row_a, row_b[j])));
        }
    }
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            counts[4 * i + j] += (uint32_t)_mm512_reduce_add_epi64(sum[i][j]);
}

/* Nibbles are counted by a table of 16 in each lane (Mula, Kurz and Lemire 2018). */
__attribute__((target("avx2"))) static inline __m256i nibble_counts(__m256i x)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0f);
    __m256i first = _mm256_shuffle_epi8(table, _mm256_and_si256(x, low));
    __m256i second = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low));

    return _mm256_add_epi8(first, second);
}

__attribute__((target("avx2"))) static uint32_t lanes_total(__m256i x)
{
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

    return (uint32_t)(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1));
}

__attribute__((target("avx2"))) static void popcount_avx2(const uint64_t *a, const uint64_t *b,
                                                          size_t stride, size_t n_words,
                                                          uint32_t counts[16])
{
    for (size_t i = 0; i < 4; i++) {
        __m256i sum[4];

        for (size_t j = 0; j < 4; j++) sum[j] = _mm256_setzero_si256();
        for (size_t w = 0; w < n_words; w += 4) {
            __m256i row_a = _mm256_loadu_si256((const __m256i *)(const void *)(a + i * stride + w));

            for (size_t j = 0; j < 4; j++) {
                const void *at = b + j * stride + w;
                __m256i both = _mm256_and_si256(row_a, _mm256_loadu_si256((const __m256i *)at));

                sum[j] = _mm256_add_epi64(
                    sum[j], _mm256_sad_epu8(nibble_counts(both), _mm256_setzero_si256()));
            }
        }
        for (size_t j = 0; j < 4; j++) counts[4 * i + j] += lanes_total(sum[j]);
    }
}

/* The plain loop, with the processor's own instruction. */
__attribute__((target("popcnt"))) static void popcount_popcnt(const uint64_t *a, const uint64_t *b,
                                                              size_t stride, size_t n_words,
                                                              uint32_t counts[16])
{
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            uint64_t count = 0;

            for (size_t w = 0; w < n_words; w++)
                count += (uint64_t)_mm_popcnt_u64(a[i * stride + w] & b[j * stride + w]);
            counts[4 * i + j] += (uint32_t)count;
        }
    }
}

size_t assay_popcount_choices_x86(assay_popcount_choice *choices)
{
    size_t n = 0;

    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"))
        choices[n++] = (assay_popcount_choice){ "avx512-vpopcntdq", popcount_avx512 };
    if (__builtin_cpu_supports("avx2"))
        choices[n++] = (assay_popcount_choice){ "avx2", popcount_avx2 };
    if (__builtin_cpu_supports("popcnt"))
        choices[n++] = (assay_popcount_choice){ "popcnt", popcount_popcnt };
    return n;
}
