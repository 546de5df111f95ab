/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

/* python3 -c "import numpy as np; v = [3.5, -1, 2, 8.25, 0, 7, 1e3, -20.5]
   for p in [0, .025, .1, .25, .5, .6180339887, .9, .975, 1]: print(p, np.quantile(v, p))"
   Tolerance: NumPy rounds the interpolation in another order; a few units of 1000 * 2^-53. */
static void numpy_agrees(void **state)
{
    static const double values[] = { 3.5, -1, 2, 8.25, 0, 7, 1e3, -20.5 };
    static const struct {
        double p, want;
    } cases[] = { { 0, -20.5 },
                  { 0.025, -17.0875 },
                  { 0.1, -6.849999999999999 },
                  { 0.25, -0.25 },
                  { 0.5, 2.75 },
                  { 0.6180339887, 4.641832723150002 },
                  { 0.9, 305.7749999999998 },
                  { 0.975, 826.4437500000001 },
                  { 1, 1000.0 } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double copy[8];

        memcpy(copy, values, sizeof copy);
        assert_true(fabs(assay_quantile(copy, 8, cases[k].p) - cases[k].want) < 1e-12);
    }
}

static void the_ends_and_the_order_statistics_are_exact(void **state)
{
    double values[] = { 5, 4, 3, 2, 1 };

    (void)state;
    for (int k = 0; k <= 4; k++) assert_true(assay_quantile(values, 5, k / 4.0) == 1.0 + k);
    assert_true(assay_quantile(values, 5, 0.375) == 2.5);
}

static void one_value_is_every_quantile(void **state)
{
    double value = 7.25;

    (void)state;
    for (int k = 0; k <= 10; k++) assert_true(assay_quantile(&value, 1, k / 10.0) == 7.25);
}

static void values_are_sorted_in_place(void **state)
{
    enum { N = 501 };
    double values[N], sum = 0.0, sorted_sum = 0.0;
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t i = 0; i < N; i++) sum += values[i] = (double)assay_random_below(&random, 300);
    assay_quantile(values, N, 0.3);
    for (size_t i = 0; i < N; i++) sorted_sum += values[i];
    for (size_t i = 1; i < N; i++) assert_true(values[i - 1] <= values[i]);
    assert_true(sum == sorted_sum); /* whole numbers: exact in any order */
}

/* By definition: p (n - 1) values lie below, and the function is linear in between. */
static void quantiles_rise_with_p_and_meet_the_definition(void **state)
{
    enum { N = 37 };
    double values[N], before = -INFINITY;
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t i = 0; i < N; i++) values[i] = assay_random_normal(&random);
    for (int k = 0; k <= 1000; k++) {
        double p = k / 1000.0, at = p * (N - 1), q = assay_quantile(values, N, p);
        size_t low = (size_t)floor(at), high = (size_t)ceil(at);
        double want = ((double)low + 1 - at) * values[low] + (at - (double)low) * values[high];

        assert_true(q >= before);
        assert_true(fabs(q - want) < 1e-14); /* |values| < 8: a few units in the last place */
        before = q;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numpy_agrees),
        cmocka_unit_test(the_ends_and_the_order_statistics_are_exact),
        cmocka_unit_test(one_value_is_every_quantile),
        cmocka_unit_test(values_are_sorted_in_place),
        cmocka_unit_test(quantiles_rise_with_p_and_meet_the_definition),
    };

    return cmocka_run_group_tests_name("quantile", tests, NULL, NULL);
}
