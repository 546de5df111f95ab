/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "data/matrix.h"
#include "stats/popcount.h"

#include <stdlib.h>
#include <string.h>

/* Rows of random bits, laid out like a matrix; density 0 to 4 quarters of them are 1. */
static uint64_t *random_rows(size_t n_rows, size_t n_bits, unsigned density, size_t *stride)
{
    uint64_t *plane = assay_plane_new(n_rows, n_bits, stride);
    assay_random random;

    assert_non_null(plane);
    assay_random_start(&random, n_bits, ASSAY_PURPOSE_SIMULATE_OUTCOME, n_rows + density);
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t i = 0; i < n_bits; i++) {
            uint64_t bit = assay_random_below(&random, 4) < density;
            plane[r * *stride + i / 64] |= bit << (i % 64);
        }
    }
    return plane;
}

/* Bit by bit. */
static uint32_t slow_count(const uint64_t *plane, size_t stride, size_t a, size_t b, size_t n_bits)
{
    uint32_t count = 0;

    for (size_t i = 0; i < n_bits; i++)
        count +=
            (uint32_t)(assay_plane_bit(plane, stride, a, i) & assay_plane_bit(plane, stride, b, i));
    return count;
}

static void the_plain_kernel_is_always_last(void **state)
{
    assay_popcount_choice choices[4];
    size_t n = assay_popcount_choices(choices);

    (void)state;
    assert_in_range(n, 1, 4);
    assert_string_equal(choices[n - 1].name, "plain");
    for (size_t k = 0; k < n; k++) {
        assert_non_null(choices[k].kernel);
        for (size_t j = 0; j < k; j++) assert_string_not_equal(choices[k].name, choices[j].name);
    }
}

static void every_kernel_adds_to_the_counts_what_four_rows_share_with_four(void **state)
{
    static const size_t widths[] = { 1, 63, 64, 65, 511, 512, 513, 1000, 4096, 5000 };
    assay_popcount_choice choices[4];
    size_t n_choices = assay_popcount_choices(choices);

    (void)state;
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        for (unsigned density = 0; density <= 4; density++) {
            size_t stride;
            uint64_t *plane = random_rows(8, widths[k], density, &stride);

            for (size_t c = 0; c < n_choices; c++) {
                uint32_t counts[16];

                for (size_t j = 0; j < 16; j++) counts[j] = (uint32_t)(1000 * j);
                choices[c].kernel(plane, plane + 4 * stride, stride, stride, counts);
                for (size_t j = 0; j < 16; j++)
                    assert_int_equal(counts[j], 1000 * j + slow_count(plane, stride, j / 4,
                                                                      4 + j % 4, widths[k]));
            }
            free(plane);
        }
    }
}

static void a_kernel_looks_at_n_words_only(void **state)
{
    assay_popcount_choice choices[4];
    size_t n_choices = assay_popcount_choices(choices), stride;
    uint64_t *plane = random_rows(8, 2048, 2, &stride);

    (void)state;
    for (size_t c = 0; c < n_choices; c++) {
        for (size_t n_words = 0; n_words <= stride; n_words += 8) {
            uint32_t counts[16] = { 0 };

            choices[c].kernel(plane, plane + 4 * stride, stride, n_words, counts);
            for (size_t j = 0; j < 16; j++)
                assert_int_equal(counts[j],
                                 slow_count(plane, stride, j / 4, 4 + j % 4, 64 * n_words));
        }
    }
    free(plane);
}

/* All ones over a length where 8-bit and 16-bit sums would overflow. */
static void long_rows_of_ones_are_counted_in_full(void **state)
{
    enum { N_BITS = 1 << 20 };
    assay_popcount_choice choices[4];
    size_t n_choices = assay_popcount_choices(choices), stride;
    uint64_t *plane = assay_plane_new(8, N_BITS, &stride);

    (void)state;
    assert_non_null(plane);
    memset(plane, 0xff, 8 * stride * sizeof *plane);
    for (size_t c = 0; c < n_choices; c++) {
        uint32_t counts[16] = { 0 };

        choices[c].kernel(plane, plane + 4 * stride, stride, stride, counts);
        for (size_t j = 0; j < 16; j++) assert_int_equal(counts[j], N_BITS);
    }
    free(plane);
}

static void assert_tile(assay_popcount_kernel kernel, const uint64_t *plane, size_t stride,
                        size_t n_rows, const size_t first[2], size_t n_bits)
{
    static uint32_t counts[ASSAY_TILE * ASSAY_TILE];
    assay_bit_rows rows = { plane, stride };

    memset(counts, 0xff, sizeof counts); /* what was there before does not count */
    assay_popcount_tile(kernel, rows, n_rows, first[0], first[1], counts);
    for (size_t i = 0; i < ASSAY_TILE && first[0] + i < n_rows; i++)
        for (size_t j = 0; j < ASSAY_TILE && first[1] + j < n_rows; j++)
            assert_int_equal(counts[i * ASSAY_TILE + j],
                             slow_count(plane, stride, first[0] + i, first[1] + j, n_bits));
}

/* 33000 bits are 520 words: more than one panel, and the last of them short. */
static void tiles_are_right_at_every_edge(void **state)
{
    static const struct {
        size_t n_rows, n_bits;
    } sizes[] = { { 1, 1 },    { 3, 100 },  { 4, 64 },   { 5, 513 },   { 63, 70 },
                  { 64, 600 }, { 65, 300 }, { 130, 90 }, { 6, 33000 }, { 67, 1100 } };
    assay_popcount_choice choices[4];
    size_t n_choices = assay_popcount_choices(choices);

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k].n_rows, stride;
        uint64_t *plane = random_rows(n, sizes[k].n_bits, 2, &stride);

        for (size_t c = 0; c < n_choices; c++) {
            for (size_t a = 0; a < n; a += ASSAY_TILE) {
                for (size_t b = 0; b < n; b += ASSAY_TILE) {
                    const size_t first[] = { a, b };
                    assert_tile(choices[c].kernel, plane, stride, n, first, sizes[k].n_bits);
                }
            }
        }
        free(plane);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plain_kernel_is_always_last),
        cmocka_unit_test(every_kernel_adds_to_the_counts_what_four_rows_share_with_four),
        cmocka_unit_test(a_kernel_looks_at_n_words_only),
        cmocka_unit_test(long_rows_of_ones_are_counted_in_full),
        cmocka_unit_test(tiles_are_right_at_every_edge),
    };

    return cmocka_run_group_tests_name("popcount", tests, NULL, NULL);
}
