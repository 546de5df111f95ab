/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bivariate_oracle.h"
#include "stats/bivariate_normal.h"

static const double correlations[] = { -0.9999999, -0.999, -0.97,  -0.925,     -0.7,       -0.3,
                                       -1e-5,      0.0,    1e-9,   0.05,       0.4,        0.8,
                                       0.93,       0.99,   0.9999, 1.0 - 1e-9, 1.0 - 1e-13 };
enum { N_CORRELATIONS = sizeof correlations / sizeof *correlations };

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g is not %.17g +- %g", got, want, tolerance);
}

/* Sums of up to 2 in doubles, each good to a few units of the last place: 2e-15. */
static void direct_quadrature_agrees(void **state)
{
    (void)state;
    for (double h = -4.1; h < 4.2; h += 0.82) {
        for (double k = -4.1; k < 4.2; k += 0.41) {
            for (size_t c = 0; c < N_CORRELATIONS; c++) {
                double rho = correlations[c];
                long double want = oracle_upper_orthant(-h, -k, rho);

                assert_near(assay_bivariate_normal(h, k, rho), (double)want, 2e-15);
            }
        }
    }
}

/* Sheppard: P(X <= 0, Y <= 0) = 1/4 + asin(rho) / (2 pi). */
static void at_the_medians_there_is_a_closed_form(void **state)
{
    (void)state;
    for (int i = -1000; i <= 1000; i++) {
        double rho = i / 1000.0;

        assert_near(assay_bivariate_normal(0, 0, rho), 0.25 + asin(rho) / (2.0 * acos(-1.0)),
                    5e-16);
    }
}

static double phi(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

/* Rounding of sums up to 1. */
static void the_ends_are_exact(void **state)
{
    (void)state;
    for (double h = -9.0; h < 9.1; h += 0.75) {
        for (double k = -9.0; k < 9.1; k += 0.5) {
            assert_near(assay_bivariate_normal(h, k, 0.0), phi(h) * phi(k), 5e-16);
            assert_near(assay_bivariate_normal(h, k, 1.0), phi(fmin(h, k)), 5e-16);
            assert_near(assay_bivariate_normal(h, k, -1.0), fmax(phi(h) - phi(-k), 0.0), 5e-16);
        }
        for (size_t c = 0; c < N_CORRELATIONS; c++) {
            double rho = correlations[c];

            assert_near(assay_bivariate_normal(h, INFINITY, rho), phi(h), 5e-16);
            assert_near(assay_bivariate_normal(INFINITY, h, rho), phi(h), 5e-16);
            assert_true(assay_bivariate_normal(h, -INFINITY, rho) == 0.0);
            assert_true(assay_bivariate_normal(-INFINITY, h, rho) == 0.0);
        }
    }
}

static void outside_of_the_domain_is_nan(void **state)
{
    (void)state;
    assert_true(isnan(assay_bivariate_normal(NAN, 0, 0)));
    assert_true(isnan(assay_bivariate_normal(0, NAN, 0)));
    assert_true(isnan(assay_bivariate_normal(0, 0, NAN)));
    assert_true(isnan(assay_bivariate_normal(0, 0, 1.0000001)));
    assert_true(isnan(assay_bivariate_normal(0, 0, -INFINITY)));
    assert_true(isnan(assay_bivariate_normal(INFINITY, 0, 2.0)));
}

static void extremes_stay_within_0_and_1(void **state)
{
    static const double ends[] = { -1e300, -40.0, -1e-300, 0.0, 0x1p-1074, 8.0, 1e160, 1e300 };
    static const double rhos[] = { -1.0 + 0x1p-53, 0x1p-1074, 1.0 - 0x1p-53 };

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++) {
            for (size_t c = 0; c < sizeof rhos / sizeof *rhos; c++) {
                double p = assay_bivariate_normal(ends[i], ends[j], rhos[c]);

                assert_true(p >= 0.0 && p <= 1.0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct_quadrature_agrees),
        cmocka_unit_test(at_the_medians_there_is_a_closed_form),
        cmocka_unit_test(the_ends_are_exact),
        cmocka_unit_test(outside_of_the_domain_is_nan),
        cmocka_unit_test(extremes_stay_within_0_and_1),
    };

    return cmocka_run_group_tests_name("bivariate normal", tests, NULL, NULL);
}
