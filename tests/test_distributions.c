/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/distributions.h"

#include <math.h>

static void assert_relative(double got, double want, double tolerance)
{
    if (!(fabs(got / want - 1.0) <= tolerance)) fail_msg("%.17g is not %.17g", got, want);
}

/* python3 -c "from scipy.stats import t
   for p, df in [(.975, 10), (.9, 2.5), (.005, 30), (1e-6, 4), (.6, .5), (.999, 1e6)]:
       print(p, df, repr(t.ppf(p, df)))"
   Tolerance: SciPy's own inverse is good to about 1e-11. */
static void scipy_agrees(void **state)
{
    static const struct {
        double p, df, want;
    } cases[] = { { 0.975, 10, 2.2281388519649385 },  { 0.9, 2.5, 1.730250928807177 },
                  { 0.005, 30, -2.7499956535670305 }, { 1e-06, 4, -41.577854150453575 },
                  { 0.6, 0.5, 0.3979754267847501 },   { 0.999, 1e6, 3.0902404563165193 } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_relative(assay_student_quantile(cases[k].p, cases[k].df), cases[k].want, 1e-10);
}

/* Closed forms: df 1 is Cauchy, tan(pi (p - 1/2)); df 2 is (2p - 1) sqrt(2 / (4p (1 - p))); for df
   4, with a = 4p (1 - p), 2 sign(p - 1/2) sqrt(cos(arccos(sqrt a) / 3) / sqrt a - 1). The formulas
   themselves cancel near p = 1/2, hence 1e-9 and not rounding. */
static void closed_forms_agree(void **state)
{
    (void)state;
    for (int k = 1; k < 200; k++) {
        double p = k / 200.0, a = 4 * p * (1 - p), side = p < 0.5 ? -1.0 : 1.0;

        if (k == 100) continue;
        assert_relative(assay_student_quantile(p, 1), tan(acos(-1.0) * (p - 0.5)), 1e-9);
        assert_relative(assay_student_quantile(p, 2), (2 * p - 1) * sqrt(2 / a), 1e-9);
        assert_relative(assay_student_quantile(p, 4),
                        2 * side * sqrt(cos(acos(sqrt(a)) / 3) / sqrt(a) - 1), 1e-9);
    }
}

/* p = k / 4096 and 1 - p are both exact. */
static void it_is_symmetric_about_zero_and_rises_with_p(void **state)
{
    static const double dfs[] = { 0.3, 1, 2.5, 7, 30, 1000, 1e8 };

    (void)state;
    for (size_t d = 0; d < sizeof dfs / sizeof *dfs; d++) {
        double before = -INFINITY;

        assert_true(assay_student_quantile(0.5, dfs[d]) == 0.0);
        for (int k = 1; k < 4096; k += 5) {
            double p = k / 4096.0, t = assay_student_quantile(p, dfs[d]);

            assert_true(t > before);
            if (k != 2048) assert_relative(-assay_student_quantile(1 - p, dfs[d]), t, 1e-12);
            before = t;
        }
    }
}

/* t -> z as df grows; the first correction is (z^3 + z) / (4 df) = 2e-10 here. */
static void many_degrees_of_freedom_are_normal(void **state)
{
    (void)state;
    assert_relative(assay_student_quantile(0.975, 1e10), 1.959963984540054, 1e-9);
    assert_relative(assay_student_quantile(0.975, INFINITY), 1.959963984540054, 1e-12);
}

static void outside_of_the_domain_is_nan(void **state)
{
    static const double ps[] = { 0.0, 1.0, -0.1, 1.1, INFINITY, -INFINITY, NAN };
    static const double dfs[] = { 0.0, -1.0, -INFINITY, NAN };

    (void)state;
    for (size_t k = 0; k < sizeof ps / sizeof *ps; k++)
        assert_true(isnan(assay_student_quantile(ps[k], 5)));
    for (size_t k = 0; k < sizeof dfs / sizeof *dfs; k++)
        assert_true(isnan(assay_student_quantile(0.9, dfs[k])));
}

static void extremes_do_not_throw(void **state)
{
    static const double ps[] = { 0x1p-1074, 1e-300, 1e-16, 0x1.fffffffffffffp-1, 0.5 };
    static const double dfs[] = { 0x1p-1074, 1e-300, 1e-3, 1.0, 1e300, 0x1.fffffffffffffp1023 };

    (void)state;
    for (size_t k = 0; k < sizeof ps / sizeof *ps; k++) {
        for (size_t d = 0; d < sizeof dfs / sizeof *dfs; d++) {
            double t = assay_student_quantile(ps[k], dfs[d]);

            if (ps[k] < 0.5) assert_false(t > 0);
            if (ps[k] > 0.5) assert_false(t < 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scipy_agrees),
        cmocka_unit_test(closed_forms_agree),
        cmocka_unit_test(it_is_symmetric_about_zero_and_rises_with_p),
        cmocka_unit_test(many_degrees_of_freedom_are_normal),
        cmocka_unit_test(outside_of_the_domain_is_nan),
        cmocka_unit_test(extremes_do_not_throw),
    };

    return cmocka_run_group_tests_name("distributions", tests, NULL, NULL);
}
