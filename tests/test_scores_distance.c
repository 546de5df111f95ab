/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles of scores, and the distance between two distributions of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "template_fits.h"

/* ---- quantiles and distance ---- */

static double quantile(const double *x, size_t n, double p, assay_quantile_rule rule)
{
    double q;

    assert_int_equal(assay_scores_quantile(x, n, p, rule, &q), ASSAY_OK);
    return q;
}

static void quantiles_by_hand(void **state)
{
    const double x[] = { 0.4, 0.1, 0.3, 0.2 };

    (void)state;
    assert_near(quantile(x, 4, 0.5, ASSAY_QUANTILE_PROTOCOL), 0.3, 0.0);
    assert_near(quantile(x, 4, 0.5, ASSAY_QUANTILE_LINEAR), 0.25, 1e-15);
    assert_near(quantile(x, 4, 0.5, ASSAY_QUANTILE_INVERSE), 0.2, 0.0);
    assert_near(quantile(x, 4, 0.51, ASSAY_QUANTILE_INVERSE), 0.3, 0.0);
    assert_near(quantile(x, 4, 0.95, ASSAY_QUANTILE_INVERSE), 0.4, 0.0);
    for (int rule = 0; rule < 3; rule++) {
        assert_near(quantile(x, 4, 0.0, (assay_quantile_rule)rule), 0.1, 0.0);
        assert_near(quantile(x, 4, 1.0, (assay_quantile_rule)rule), 0.4, 0.0);
        assert_near(quantile(x, 1, 0.3, (assay_quantile_rule)rule), 0.4, 0.0);
    }
}

/* 10 p is 7.000000000000001 for p = 0.7: the seventh is meant. */
static void rounding_does_not_move_a_quantile(void **state)
{
    double x[100];

    (void)state;
    for (int k = 0; k < 100; k++) x[k] = k;
    for (int k = 1; k <= 100; k++)
        assert_near(quantile(x, 100, k / 100.0, ASSAY_QUANTILE_INVERSE), k - 1.0, 0.0);
}

static void distances_by_hand(void **state)
{
    const double a[] = { 0.9, 0.1, 0.5 }, b[] = { 0.2, 0.4, 0.4 };
    double w1;

    (void)state;
    assert_int_equal(assay_scores_w1(a, b, 3, &w1), ASSAY_OK);
    assert_near(w1, (0.1 + 0.1 + 0.5) / 3.0, 1e-15);
    assert_int_equal(assay_scores_w1(a, a, 3, &w1), ASSAY_OK);
    assert_near(w1, 0.0, 0.0);
}

static void faults_are_named(void **state)
{
    const double x[] = { 1, 2, 3 };
    double q;

    (void)state;
    assert_int_equal(assay_scores_quantile(x, 0, 0.5, ASSAY_QUANTILE_LINEAR, &q), ASSAY_E_SHAPE);
    assert_int_equal(assay_scores_quantile(x, 3, 1.5, ASSAY_QUANTILE_LINEAR, &q), ASSAY_E_VALUE);
    assert_int_equal(assay_scores_quantile(x, 3, 0.5, (assay_quantile_rule)3, &q), ASSAY_E_VALUE);
    assert_int_equal(assay_scores_w1(x, x, 0, &q), ASSAY_E_SHAPE);
}

static assay_status measure(void *context)
{
    const double a[] = { 0.9, 0.1, 0.5 };
    double out;
    assay_status status = assay_scores_w1(a, a, 3, &out);

    (void)context;
    if (status != ASSAY_OK) return status;
    return assay_scores_quantile(a, 3, 0.5, ASSAY_QUANTILE_LINEAR, &out);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_every_allocation(measure, NULL), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_by_hand),
        cmocka_unit_test(rounding_does_not_move_a_quantile),
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
