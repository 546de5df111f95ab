/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/intervals.h"
#include "failing_memory.h"
#include "stats/distributions.h"

#include <math.h>
#include <string.h>

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.15g, not %.15g +- %g", what, got, want, tolerance);
}

/* SciPy's numbers (scipy.stats.beta, norm), good to 1e-12 or better. */
static void five_intervals_are_scipys(void **state)
{
    static const struct {
        double x, n, bounds[5][2]; /* in the order of the kinds */
    } cases[] = {
        { 0,
          10,
          { { 0, 0 },
            { 0, 0.2775327998628892 },
            { 0, 0.3084971078187608 },
            { 0, 0.21719626750921053 },
            { 0.002298972213814269, 0.2849141529181544 } } },
        { 3,
          10,
          { { 0.015974234910674623, 0.5840257650893254 },
            { 0.10779126740630099, 0.6032218525388546 },
            { 0.0667395111777345, 0.6524528500599973 },
            { 0.09269459393815317, 0.6058183181486713 },
            { 0.10926344381909814, 0.6097425595724212 } } },
        { 10,
          10,
          { { 1, 1 },
            { 0.7224672001371107, 1 },
            { 0.6915028921812392, 1 },
            { 0.7828037324907895, 1 },
            { 0.7150858470818456, 0.9977010277861857 } } },
        { 1,
          1,
          { { 1, 1 },
            { 0.20654931437723745, 1 },
            { 0.025, 1 },
            { 0.1467463163095752, 1 },
            { 0.15811388300841903, 0.9874208829065749 } } },
        { 50,
          58,
          { { 0.7733255588470748, 0.9508123721874079 },
            { 0.7507409056616204, 0.9284151298028188 },
            { 0.7461902447235218, 0.9385203370342645 },
            { 0.7565490611424506, 0.9325667038655171 },
            { 0.7501959676641006, 0.927797572060018 } } },
    };

    (void)state;
    for (size_t c = 0; c < 5; c++) {
        for (int kind = 0; kind < 5; kind++) {
            double got[2];
            assert_int_equal(
                assay_interval((assay_interval_kind)kind, cases[c].x, cases[c].n, 0.95, got),
                ASSAY_OK);
            assert_near("low", got[0], cases[c].bounds[kind][0], 1e-12);
            assert_near("high", got[1], cases[c].bounds[kind][1], 1e-12);
        }
    }
}

/* Turning successes into failures mirrors every interval. */
static void intervals_mirror(void **state)
{
    (void)state;
    for (double n = 1; n < 40; n += 3) {
        for (double x = 0; x <= n; x += 0.5) {
            for (int kind = 0; kind < 5; kind++) {
                double a[2], b[2];
                assert_int_equal(assay_interval((assay_interval_kind)kind, x, n, 0.9, a), ASSAY_OK);
                assert_int_equal(assay_interval((assay_interval_kind)kind, n - x, n, 0.9, b),
                                 ASSAY_OK);
                assert_near("low", a[0], 1 - b[1], 1e-12);
                if (kind <= ASSAY_INTERVAL_CLOPPER_PEARSON) /* a prior may move the others away */
                    assert_true(a[0] <= x / n + 1e-12 && a[1] >= x / n - 1e-12);
            }
        }
    }
}

/* Clopper and Pearson's bounds put exactly half of what is left in each tail of the binomial. */
static void exact_bounds_are_the_binomials(void **state)
{
    double bounds[2], below = 0, choose = 1;

    (void)state;
    assert_int_equal(assay_interval(ASSAY_INTERVAL_CLOPPER_PEARSON, 3, 10, 0.95, bounds), ASSAY_OK);
    for (int k = 0; k <= 3; k++) { /* P(X <= 3) at the upper bound */
        below += choose * pow(bounds[1], k) * pow(1 - bounds[1], 10 - k);
        choose *= (10.0 - k) / (k + 1);
    }
    assert_near("the tail", below, 0.025, 1e-13);
}

static void intervals_refuse_what_is_no_proportion(void **state)
{
    double b[2];

    (void)state;
    assert_int_equal(assay_interval(ASSAY_INTERVAL_WALD, 1, 2, 1.0, b), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "level is 1"));
    assert_int_equal(assay_interval(ASSAY_INTERVAL_WALD, 1, 2, NAN, b), ASSAY_E_VALUE);
    assert_int_equal(assay_interval(ASSAY_INTERVAL_WALD, 0, 0, 0.9, b), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "n is 0"));
    assert_int_equal(assay_interval(ASSAY_INTERVAL_WALD, 3, 2, 0.9, b), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "3 successes of 2"));
    assert_int_equal(assay_interval(ASSAY_INTERVAL_WALD, -1, 2, 0.9, b), ASSAY_E_VALUE);
    assert_int_equal(assay_interval((assay_interval_kind)5, 1, 2, 0.9, b), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "kind 5"));
}

/* By hand: mean 1/2; within clusters (.5, 0, -.5): miller = sqrt(.5) / 6, plain = sqrt(1.5 / 30). */
static void clustered_errors_are_as_by_hand(void **state)
{
    static const double scores[] = { 1, 1, 0, 1, 0, 0 };
    static const size_t labels[] = { 0, 0, 0, 1, 1, 5 };
    assay_clustered got;

    (void)state;
    assert_int_equal(assay_clustered_mean(scores, labels, 6, 0.95, &got), ASSAY_OK);
    assert_near("mean", got.mean, 0.5, 1e-15);
    assert_near("plain", got.plain, 0.22360679774997896, 1e-15);
    assert_near("miller", got.miller, 0.11785113019775793, 1e-15);
    assert_near("inspect", got.inspect, 0.14433756729740643, 1e-15);
    assert_int_equal(got.n_clusters, 3);
    assert_near("t", got.t, 4.302652729749464, 1e-12); /* scipy.stats.t.ppf(.975, 2) */
    assert_near("low", got.bounds[0], 0.5 - got.t * got.inspect, 1e-15);
    assert_near("high", got.bounds[1], 0.5 + got.t * got.inspect, 1e-15);
}

/* With every score alone, Inspect's error is the plain one. */
static void clusters_of_one_are_no_clusters(void **state)
{
    static const double scores[] = { 0.25, 1, 0.5, 0, 1, 0.125, 0.75 };
    static const size_t labels[] = { 6, 5, 4, 3, 2, 1, 0 };
    assay_clustered got;

    (void)state;
    assert_int_equal(assay_clustered_mean(scores, labels, 7, 0.9, &got), ASSAY_OK);
    assert_near("inspect", got.inspect, got.plain, 1e-15);
}

static void one_cluster_cannot_be_estimated(void **state)
{
    static const double scores[] = { 1, 0, 1 };
    static const size_t labels[] = { 2, 2, 2 };
    assay_clustered got;

    (void)state;
    assert_int_equal(assay_clustered_mean(scores, labels, 3, 0.95, &got), ASSAY_OK);
    assert_int_equal(got.n_clusters, 1);
    assert_true(isnan(got.miller) && isnan(got.inspect) && isnan(got.t));
    assert_true(isnan(got.bounds[0]) && isnan(got.bounds[1]));
    assert_near("mean", got.mean, 2.0 / 3, 1e-15);
    assert_int_equal(assay_clustered_mean(scores, (const size_t[]){ 0 }, 1, 0.95, &got), ASSAY_OK);
    assert_true(isnan(got.plain));
}

static void clustered_errors_refuse_bad_input(void **state)
{
    static const double scores[] = { 1, 0, NAN };
    static const size_t labels[] = { 0, 2, 1 };
    assay_clustered got;

    (void)state;
    assert_int_equal(assay_clustered_mean(scores, labels, 3, 0.95, &got), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "score 2 is nan"));
    assert_int_equal(assay_clustered_mean(scores, labels, 2, 0.95, &got), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "label 2 of score 1"));
    assert_int_equal(assay_clustered_mean(scores, labels, 2, 0, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_clustered_mean(scores, labels, 0, 0.95, &got), ASSAY_E_SHAPE);
}

static assay_status one_mean(void *context)
{
    static const double scores[] = { 1, 0 };
    static const size_t labels[] = { 0, 1 };

    return assay_clustered_mean(scores, labels, 2, 0.95, context);
}

static void failing_allocations_are_reported(void **state)
{
    assay_clustered got;

    (void)state;
    assert_int_equal(fail_every_allocation(one_mean, &got), 2);
}

/* ibeta's own identities: I_q(1, 1) = q, I_q(a, 1) = q^a, symmetry; and the inverse's. */
static void the_seam_gives_beta_and_normal(void **state)
{
    (void)state;
    for (double q = 0.01; q < 1; q += 0.07) {
        assert_near("I_q(1, 1)", assay_beta_cdf(q, 1, 1), q, 1e-15);
        assert_near("I_q(2.5, 1)", assay_beta_cdf(q, 2.5, 1), pow(q, 2.5), 1e-14);
        assert_near("mirrored", assay_beta_cdf(q, 3, 7.5), 1 - assay_beta_cdf(1 - q, 7.5, 3),
                    1e-14);
        assert_near("inverse", assay_beta_cdf(assay_beta_quantile(q, 0.5, 4), 0.5, 4), q, 1e-13);
    }
    assert_true(assay_beta_cdf(-1, 2, 2) == 0 && assay_beta_cdf(2, 2, 2) == 1);
    assert_true(isnan(assay_beta_cdf(0.5, 0, 1)) && isnan(assay_beta_cdf(NAN, 1, 1)));
    assert_true(isnan(assay_beta_cdf(0.5, 1, INFINITY)));
    assert_true(isnan(assay_beta_quantile(1.5, 1, 1)) && isnan(assay_beta_quantile(0.5, -1, 1)));
    assert_near("z", assay_normal_quantile(0.975), 1.959963984540054, 1e-14);
    assert_near("z", assay_normal_quantile(1e-10), -6.361340902404056, 1e-12);
    assert_true(isnan(assay_normal_quantile(0)) && isnan(assay_normal_quantile(1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_intervals_are_scipys),
        cmocka_unit_test(intervals_mirror),
        cmocka_unit_test(exact_bounds_are_the_binomials),
        cmocka_unit_test(intervals_refuse_what_is_no_proportion),
        cmocka_unit_test(clustered_errors_are_as_by_hand),
        cmocka_unit_test(clusters_of_one_are_no_clusters),
        cmocka_unit_test(one_cluster_cannot_be_estimated),
        cmocka_unit_test(clustered_errors_refuse_bad_input),
        cmocka_unit_test(failing_allocations_are_reported),
        cmocka_unit_test(the_seam_gives_beta_and_normal),
    };

    return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
