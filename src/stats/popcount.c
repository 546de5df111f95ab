/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/popcount.h"

#include "stats/popcount_kernels.h"

#include <string.h>

enum { PANEL_WORDS = 512 }; /* 64 + 64 rows of a panel are 512 KiB: they stay in the second cache */

void assay_popcount_plain(const uint64_t *a, const uint64_t *b, size_t stride, size_t n_words,
                          uint32_t counts[16])
{
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            const uint64_t *row_a = a + i * stride, *row_b = b + j * stride;
            uint32_t count = 0;

            for (size_t w = 0; w < n_words; w++)
                count += (uint32_t)__builtin_popcountll(row_a[w] & row_b[w]);
            counts[4 * i + j] += count;
        }
    }
}

size_t assay_popcount_choices(assay_popcount_choice choices[4])
{
    size_t n = 0;

#if defined(__x86_64__)
    n = assay_popcount_choices_x86(choices);
#endif
    choices[n++] = (assay_popcount_choice){ "plain", assay_popcount_plain };
    return n;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void assay_popcount_tile(assay_popcount_kernel kernel, assay_bit_rows rows, size_t n_rows,
                         size_t first_a, size_t first_b, uint32_t *counts)
{
    size_t n_a = smaller(ASSAY_TILE, n_rows - first_a), n_b = smaller(ASSAY_TILE, n_rows - first_b);

    memset(counts, 0, ASSAY_TILE * ASSAY_TILE * sizeof *counts);
    for (size_t w = 0; w < rows.stride; w += PANEL_WORDS) {
        size_t n_words = smaller(PANEL_WORDS, rows.stride - w);

        for (size_t i = 0; i < n_a; i += 4) {
            const uint64_t *a = rows.words + (first_a + i) * rows.stride + w;

            for (size_t j = 0; j < n_b; j += 4) {
                uint32_t four[16] = { 0 };

                kernel(a, rows.words + (first_b + j) * rows.stride + w, rows.stride, n_words, four);
                for (size_t k = 0; k < 16; k++)
                    counts[(i + k / 4) * ASSAY_TILE + j + k % 4] += four[k];
            }
        }
    }
}
