/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/item_statistics.h"
#include "failing_memory.h"
#include "parts_reference.h"

#include <math.h>
#include <stdlib.h>

/* Six models, by hand: item 0 goes with the rest, 1 against it, 2 is always right, 3 always wrong. */
static void kinds_by_hand(void **state)
{
    static const double scores[] = {
        1, 0, 1, 0, 1, 1, 1, 1, /* */
        1, 0, 1, 0, 1, 1, 1, 0, /* */
        1, 0, 1, 0, 1, 1, 0, 0, /* */
        0, 1, 1, 0, 0, 1, 0, 0, /* */
        0, 1, 1, 0, 0, 0, 0, 0, /* */
        0, 1, 1, 0, 0, 0, 0, 0, /* */
    };
    assay_matrix *matrix = matrix_of(scores, 6, 8);
    assay_item_statistics got[8];

    (void)state;
    assert_int_equal(assay_item_statistics_find(matrix, 0.05, got), ASSAY_OK);
    assert_int_equal(got[2].kind, ASSAY_ITEM_ALWAYS_RIGHT);
    assert_int_equal(got[3].kind, ASSAY_ITEM_ALWAYS_WRONG);
    assert_true(isnan(got[2].rest_correlation) && isnan(got[3].p));
    assert_true(got[0].mean == 0.5 && got[0].n == 6);
    /* item 1: x = 0 0 0 1 1 1; the rest's sums 6 5 4 2 1 1 over 7: r = -0.9449 by hand from
       sum dx dr = -5.5, sum dx^2 = 1.5, sum dr^2 = 22.8333 */
    assert_true(fabs(got[1].rest_correlation + 5.5 / sqrt(1.5 * (83.0 - 19.0 * 19.0 / 6.0))) <
                1e-14);
    /* t = r sqrt(4 / (1 - r^2)), 4 degrees of freedom: P(T <= t) = 1/2 + (3 s - s^3) / 4 with s = t /
       sqrt(4 + t^2) = r, the closed form of Student's law for 4 */
    assert_true(
        fabs(got[1].p - (0.5 + (3.0 * got[1].rest_correlation - pow(got[1].rest_correlation, 3.0)) /
                                   4.0)) < 1e-14);
    assert_int_equal(got[1].kind, ASSAY_ITEM_AGAINST_THE_GRAIN);
    assert_int_equal(got[0].kind, ASSAY_ITEM_ORDINARY);
    assert_int_equal(got[7].kind, ASSAY_ITEM_ORDINARY);
    assay_matrix_free(matrix);
}

/* With holes, on any scale, against sums taken anew for every item: to 1e-12, what rounding of two
   ways to a mean leaves. */
static void as_brute_force_has_it(void **state)
{
    enum { N = 23, T = 17 };
    double scores[N * T];
    uint64_t seed = 7;
    assay_matrix *matrix;
    assay_item_statistics got[T];

    (void)state;
    for (size_t k = 0; k < N * T; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        scores[k] = (seed >> 60) < 3 ? NAN : 1e6 * (double)(seed >> 40) / 16777216.0 - 3e5;
    }
    matrix = matrix_of(scores, N, T);
    assert_int_equal(assay_item_statistics_find(matrix, 0.05, got), ASSAY_OK);
    for (size_t j = 0; j < T; j++) {
        double x[N], r[N], mx = 0, mr = 0, xx = 0, rr = 0, xr = 0;
        size_t n = 0;

        for (size_t m = 0; m < N; m++) {
            double sum = 0;
            size_t others = 0;

            for (size_t i = 0; i < T; i++)
                if (i != j && !isnan(scores[m * T + i])) sum += scores[m * T + i], others++;
            if (isnan(scores[m * T + j]) || others == 0) continue;
            x[n] = scores[m * T + j];
            r[n++] = sum / (double)others;
        }
        for (size_t k = 0; k < n; k++) mx += x[k] / (double)n, mr += r[k] / (double)n;
        for (size_t k = 0; k < n; k++)
            xx += (x[k] - mx) * (x[k] - mx), rr += (r[k] - mr) * (r[k] - mr),
                xr += (x[k] - mx) * (r[k] - mr);
        assert_int_equal(got[j].n, n);
        assert_true(fabs(got[j].rest_correlation - xr / sqrt(xx * rr)) < 1e-12);
        assert_true(fabs(got[j].mean - mx) < 1e-12 * 1e6);
    }
    assay_matrix_free(matrix);
}

/* Scores near the largest double have the statistics of the same at another scale, to the bit: the
   scale is a power of two. */
static void huge_scores_do_not_overflow(void **state)
{
    static const double small[] = {
        0.5, 1.0, 0.75, 1.0, 0.5, 0.25, 0.25, 1.0, 0.5, 1.0, 0.25, 0.75
    };
    double huge[12];
    assay_item_statistics of_small[3], of_huge[3];
    assay_matrix *a = matrix_of(small, 4, 3), *b;

    (void)state;
    for (size_t k = 0; k < 12; k++) huge[k] = ldexp(small[k], 1023);
    b = matrix_of(huge, 4, 3);
    assert_int_equal(assay_item_statistics_find(a, 0.05, of_small), ASSAY_OK);
    assert_int_equal(assay_item_statistics_find(b, 0.05, of_huge), ASSAY_OK);
    for (size_t j = 0; j < 3; j++) {
        assert_true(of_small[j].rest_correlation == of_huge[j].rest_correlation);
        assert_true(ldexp(of_small[j].mean, 1023) == of_huge[j].mean);
    }
    assay_matrix_free(a);
    assay_matrix_free(b);
}

static void little_is_known_of_little(void **state)
{
    static const double two[] = { 1, 0, 0, 1 }, one[] = { 1, 0, 1 }, alike[] = { 1, 1, 1, 1 };
    assay_item_statistics got[3];
    assay_matrix *matrix = matrix_of(two, 2, 2);

    (void)state;
    assert_int_equal(assay_item_statistics_find(matrix, 0.05, got), ASSAY_OK);
    assert_true(isnan(got[0].rest_correlation) && got[0].kind == ASSAY_ITEM_ORDINARY);
    assert_int_equal(assay_item_statistics_find(matrix, 0.0, got), ASSAY_E_VALUE);
    assert_int_equal(assay_item_statistics_find(matrix, NAN, got), ASSAY_E_VALUE);
    assay_matrix_free(matrix);
    matrix = matrix_of(one, 3, 1); /* no rest */
    assert_int_equal(assay_item_statistics_find(matrix, 0.05, got), ASSAY_OK);
    assert_true(isnan(got[0].rest_correlation) && got[0].n == 3);
    assay_matrix_free(matrix);
    matrix = matrix_of(alike, 2, 2); /* the only score: neither right nor wrong is known */
    assert_int_equal(assay_item_statistics_find(matrix, 0.05, got), ASSAY_OK);
    assert_int_equal(got[0].kind, ASSAY_ITEM_ORDINARY);
    assay_matrix_free(matrix);
}

static assay_status find_again(void *matrix)
{
    assay_item_statistics got[2];

    return assay_item_statistics_find(matrix, 0.05, got);
}

static void every_allocation_may_fail(void **state)
{
    static const double scores[] = { 1, 0, 0, 1 };
    assay_matrix *matrix = matrix_of(scores, 2, 2);

    (void)state;
    assert_true(fail_every_allocation(find_again, matrix) >= 3);
    assay_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_by_hand),
        cmocka_unit_test(as_brute_force_has_it),
        cmocka_unit_test(huge_scores_do_not_overflow),
        cmocka_unit_test(little_is_known_of_little),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
