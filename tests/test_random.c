/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"

#include <math.h>
#include <string.h>

/* ---- known answers ---- */

/*
 * The vectors of philox4x64 with 10 rounds published in Random123's kat_vectors (counter, key,
 * block). NumPy agrees; it steps the counter before it makes a block, so one is subtracted:
 *
 *   python3 -c "import numpy as np
 *   print([hex(x) for x in np.random.Philox(counter=2**256-1, key=0).random_raw(4)])"
 */
static void the_published_vectors_come_out(void **state)
{
    const uint64_t all = UINT64_MAX;
    const struct {
        uint64_t counter[4], key[2], block[4];
    } cases[] = {
        { { 0, 0, 0, 0 },
          { 0, 0 },
          { 0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b } },
        { { all, all, all, all },
          { all, all },
          { 0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0 } },
        { { 0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89 },
          { 0x452821e638d01377, 0xbe5466cf34e90c6c },
          { 0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6 } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assay_random random = { 0 };

        memcpy(random.counter, cases[k].counter, sizeof random.counter);
        memcpy(random.key, cases[k].key, sizeof random.key);
        for (size_t i = 4; i-- > 0;) /* a block is handed out from its end */
            assert_true(assay_random_bits(&random) == cases[k].block[i]);
    }
}

/*
 * Frozen: what a seed yields may never change. The stream (seed 42, permutation, replicate 7) is
 * key {42, 1} and counters {0, 7, 0, 0}, {1, 7, 0, 0}, each block from its end:
 *
 *   python3 -c "import numpy as np
 *   r = np.random.Philox(counter=7*2**64-1, key=2**64+42).random_raw(8)
 *   print([hex(x) for x in [*r[3::-1], *r[7:3:-1]]])"
 */
static void the_layout_of_a_stream_is_frozen(void **state)
{
    static const uint64_t want[] = { 0xd14971a124f5c5e3, 0xbb82a9c4d3c51400, 0x75e872a664016710,
                                     0x7deb7ab56484f885, 0xdeee7a64bbd6f753, 0x64932cfeaf175012,
                                     0xf3c09534d95aa611, 0x4a6a3a432a8875e2 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 42, ASSAY_PURPOSE_PERMUTATION, 7);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_true(assay_random_bits(&random) == want[i]);
    assert_int_equal(ASSAY_PURPOSE_PERMUTATION, 1);
    assert_int_equal(ASSAY_PURPOSE_SIMULATE_TEXT, 2);
    assert_int_equal(ASSAY_PURPOSE_SIMULATE_DESIGN, 3);
    assert_int_equal(ASSAY_PURPOSE_SIMULATE_OUTCOME, 4);
}

/* ---- streams ---- */

static void a_stream_is_the_same_every_time_and_whoever_else_draws(void **state)
{
    assay_random a, b, other;

    (void)state;
    assay_random_start(&a, 5, ASSAY_PURPOSE_SIMULATE_DESIGN, 1);
    assay_random_start(&b, 5, ASSAY_PURPOSE_SIMULATE_DESIGN, 1);
    assay_random_start(&other, 5, ASSAY_PURPOSE_SIMULATE_DESIGN, 2);
    for (int i = 0; i < 1000; i++) {
        uint64_t expected = assay_random_bits(&a);

        for (int k = 0; k < i % 5; k++) assay_random_bits(&other);
        assert_true(assay_random_bits(&b) == expected);
    }
}

/* The 64-bit values of two unrelated streams agree in half of their bits: 64000 of 128000, standard
   deviation sqrt(128000) / 2 = 179, five of which are allowed. Equal values would be a disaster. */
static void streams_of_other_seeds_purposes_and_replicates_share_nothing(void **state)
{
    static const struct {
        uint64_t seed, replicate;
        assay_purpose purpose;
    } names[] = { { 0, 0, ASSAY_PURPOSE_PERMUTATION },   { 1, 0, ASSAY_PURPOSE_PERMUTATION },
                  { 0, 1, ASSAY_PURPOSE_PERMUTATION },   { 0, 0, ASSAY_PURPOSE_SIMULATE_TEXT },
                  { 0, 1, ASSAY_PURPOSE_SIMULATE_TEXT }, { UINT64_MAX, UINT64_MAX, 4 } };
    enum { N = sizeof names / sizeof *names, DRAWS = 2000 };
    static uint64_t draws[N][DRAWS];

    (void)state;
    for (size_t k = 0; k < N; k++) {
        assay_random random;

        assay_random_start(&random, names[k].seed, names[k].purpose, names[k].replicate);
        for (size_t i = 0; i < DRAWS; i++) draws[k][i] = assay_random_bits(&random);
    }
    for (size_t a = 0; a < N; a++) {
        for (size_t b = a + 1; b < N; b++) {
            double agree = 0.0;

            for (size_t i = 0; i < DRAWS; i++) {
                assert_true(draws[a][i] != draws[b][i]);
                agree += __builtin_popcountll(~(draws[a][i] ^ draws[b][i]));
            }
            assert_true(fabs(agree - 32.0 * DRAWS) < 5 * sqrt(64.0 * DRAWS) / 2);
        }
    }
}

/* ---- distributions ---- */

static void below_stays_below(void **state)
{
    static const uint64_t limits[] = { 1,         2,          3,          7,
                                       64,        1000000007, 1ull << 32, (1ull << 63) + 1,
                                       UINT64_MAX };
    assay_random random;

    (void)state;
    assay_random_start(&random, 6, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        uint64_t largest = 0, smallest = UINT64_MAX;

        for (int i = 0; i < 5000; i++) {
            uint64_t x = assay_random_below(&random, limits[k]);

            assert_true(x < limits[k]);
            if (x > largest) largest = x;
            if (x < smallest) smallest = x;
        }
        /* Chances of a miss: 64 (1 - 1/64)^5000 < 1e-32 for the small ones; a tail of a hundredth
           is missed with .99^5000 < 1e-21. */
        if (limits[k] <= 64) {
            assert_int_equal(smallest, 0);
            assert_int_equal(largest, limits[k] - 1);
        } else {
            assert_true(smallest < limits[k] / 100);
            assert_true(largest > limits[k] - limits[k] / 100);
        }
    }
}

/* Multiplication without rejection would draw 0 .. 2 of n = 3 * 2^62 unequally: values 0 mod 3
   twice as often. With it each residue has a third; five standard deviations are allowed. */
static void below_rejects_what_would_be_drawn_too_often(void **state)
{
    const double n = 30000.0;
    double residues[3] = { 0.0 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 7, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (int i = 0; i < (int)n; i++) residues[assay_random_below(&random, 3ull << 62) % 3]++;
    for (size_t r = 0; r < 3; r++)
        assert_true(fabs(residues[r] - n / 3) < 5 * sqrt(n * (1.0 / 3) * (2.0 / 3)));
}

static void halves_are_the_upper_and_the_lower_bits_of_whole_draws(void **state)
{
    assay_random whole, half;

    (void)state;
    assay_random_start(&whole, 11, ASSAY_PURPOSE_PERMUTATION, 0);
    assay_random_start(&half, 11, ASSAY_PURPOSE_PERMUTATION, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t bits = assay_random_bits(&whole);

        assert_true(assay_random_half(&half) == bits >> 32);
        assert_true(assay_random_half(&half) == (bits & 0xffffffff));
    }
}

/* As above for 32 bits: of 3 * 2^30 values, multiplication alone would favour one residue. */
static void below_32_stays_below_and_rejects_too(void **state)
{
    static const uint32_t limits[] = { 1, 2, 7, 64, 1000003, UINT32_MAX };
    const double n = 30000.0;
    double residues[3] = { 0.0 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 12, ASSAY_PURPOSE_PERMUTATION, 0);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        for (int i = 0; i < 5000; i++)
            assert_true(assay_random_below_32(&random, limits[k]) < limits[k]);
    for (int i = 0; i < (int)n; i++) residues[assay_random_below_32(&random, 3u << 30) % 3]++;
    for (size_t r = 0; r < 3; r++)
        assert_true(fabs(residues[r] - n / 3) < 5 * sqrt(n * (1.0 / 3) * (2.0 / 3)));
}

static double chi_square(const double *counts, size_t n, double expected)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

/* Bounds: the 1e-6 and 1 - 1e-6 quantiles of chi-square with 99 degrees of freedom, by
   python3 -c "from scipy.stats import chi2; print(chi2.ppf([1e-6, 1 - 1e-6], 99))" */
static void below_and_uniform_fill_a_hundred_cells_evenly(void **state)
{
    double by_below[100] = { 0.0 }, by_below_32[100] = { 0.0 }, by_uniform[100] = { 0.0 };
    double statistic;
    assay_random random;

    (void)state;
    assay_random_start(&random, 8, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (int i = 0; i < 200000; i++) {
        double u = assay_random_uniform(&random);

        assert_true(u >= 0.0 && u < 1.0);
        assert_true(u * 0x1p53 == floor(u * 0x1p53));
        by_uniform[(size_t)(100.0 * u)]++;
        by_below[assay_random_below(&random, 100)]++;
        by_below_32[assay_random_below_32(&random, 100)]++;
    }
    statistic = chi_square(by_below_32, 100, 2000.0);
    assert_true(statistic > 45.834 && statistic < 180.793);
    statistic = chi_square(by_below, 100, 2000.0);
    assert_true(statistic > 45.834 && statistic < 180.793);
    statistic = chi_square(by_uniform, 100, 2000.0);
    assert_true(statistic > 45.834 && statistic < 180.793);
}

/* Standard errors of the moments of n standard normals: mean 1/sqrt(n), variance sqrt(2/n),
   third moment sqrt(15/n), fourth sqrt(96/n); five of each are allowed. */
static void normals_have_the_moments_of_the_standard_normal(void **state)
{
    const double n = 200000.0;
    double sum[5] = { 0.0 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 9, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (int i = 0; i < (int)n; i++) {
        double x = assay_random_normal(&random), power = 1.0;

        assert_true(isfinite(x));
        for (size_t k = 1; k < 5; k++) sum[k] += (power *= x);
    }
    assert_true(fabs(sum[1] / n) < 5 * sqrt(1 / n));
    assert_true(fabs(sum[2] / n - 1.0) < 5 * sqrt(2 / n));
    assert_true(fabs(sum[3] / n) < 5 * sqrt(15 / n));
    assert_true(fabs(sum[4] / n - 3.0) < 5 * sqrt(96 / n));
}

static void a_normal_takes_two_uniforms(void **state)
{
    assay_random a, b;

    (void)state;
    assay_random_start(&a, 10, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    assay_random_start(&b, 10, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (int i = 0; i < 100; i++) {
        double u = 1.0 - assay_random_uniform(&a), v = assay_random_uniform(&a);
        double want = sqrt(-2.0 * log(u)) * cos(2.0 * acos(-1.0) * v);

        /* The same formula; a few units in the last place of sqrt(-2 log u) < 9. */
        assert_true(fabs(assay_random_normal(&b) - want) < 1e-14);
    }
}

/* Each block gives four values; a half that was left over is not carried along. */
static void a_stream_can_be_entered_at_any_block(void **state)
{
    assay_random straight, jumping;
    uint64_t values[12];

    (void)state;
    assay_random_start(&straight, 3, ASSAY_PURPOSE_PLAN, 5);
    assay_random_start(&jumping, 3, ASSAY_PURPOSE_PLAN, 5);
    for (int k = 0; k < 12; k++) values[k] = assay_random_bits(&straight);
    for (uint64_t block = 3; block-- > 0;) {
        (void)assay_random_half(&jumping);
        assay_random_go_to(&jumping, block);
        assert_int_equal(assay_random_half(&jumping), values[4 * block] >> 32);
        assay_random_go_to(&jumping, block);
        for (int k = 0; k < 4; k++)
            assert_true(assay_random_bits(&jumping) == values[4 * block + (uint64_t)k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_vectors_come_out),
        cmocka_unit_test(the_layout_of_a_stream_is_frozen),
        cmocka_unit_test(a_stream_is_the_same_every_time_and_whoever_else_draws),
        cmocka_unit_test(streams_of_other_seeds_purposes_and_replicates_share_nothing),
        cmocka_unit_test(below_stays_below),
        cmocka_unit_test(below_rejects_what_would_be_drawn_too_often),
        cmocka_unit_test(halves_are_the_upper_and_the_lower_bits_of_whole_draws),
        cmocka_unit_test(below_32_stays_below_and_rejects_too),
        cmocka_unit_test(below_and_uniform_fill_a_hundred_cells_evenly),
        cmocka_unit_test(normals_have_the_moments_of_the_standard_normal),
        cmocka_unit_test(a_normal_takes_two_uniforms),
        cmocka_unit_test(a_stream_can_be_entered_at_any_block),
    };

    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
