/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "score/mixture.h"
#include "score_golden.h"
#include "stats/distributions.h"

static assay_mixture mix(const double *weight, const double *a, const double *b, size_t n)
{
    assay_mixture mixture;

    assert_int_equal(assay_mixture_new(weight, a, b, n, &mixture), ASSAY_OK);
    return mixture;
}

/* One component: the inverse of the incomplete beta function by Boost, for shapes of every kind.
   Where the density is small, the last place of p itself moves q by more than 1e-12. */
static void quantiles_of_one_beta_are_its_inverse(void **state)
{
    static const double shapes[][2] = { { 1, 1 },     { 0.5, 0.5 }, { 0.05, 3 },
                                        { 1, 26 },    { 26, 1 },    { 3, 4 },
                                        { 1e6, 3e6 }, { 2e7, 1 },   { 0.01, 0.01 } };
    static const double ps[] = { 1e-6, 0.025, 0.3, 0.5, 0.9, 0.975, 1 - 1e-6 };

    (void)state;
    for (size_t k = 0; k < 9; k++) {
        assay_mixture mixture = mix((const double[]){ 2.5 }, &shapes[k][0], &shapes[k][1], 1);
        for (size_t j = 0; j < 7; j++) {
            double want = assay_beta_quantile(ps[j], shapes[k][0], shapes[k][1]), q;
            double last_place = 4e-16 / assay_mixture_density(&mixture, fmin(want, 1 - 1e-15));
            assert_int_equal(assay_mixture_quantile(&mixture, ps[j], &q), ASSAY_OK);
            assert_near("quantile", q, want, 1e-12 + last_place);
        }
        assay_mixture_free(&mixture);
    }
}

/* Random mixtures of narrow and wide components: cdf(quantile(p)) = p where the density is not so
   small that 1e-13 of q does not matter to p; and quantiles rise. */
static void quantiles_invert_the_cdf(void **state)
{
    enum { N = 40 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_PERMUTATION, 0);
    for (int round = 0; round < 30; round++) {
        double weight[N], a[N], b[N], before = 0;
        assay_mixture mixture;

        for (size_t k = 0; k < N; k++) {
            weight[k] = exp(-12 * assay_random_uniform(&random));
            a[k] = exp(9 * assay_random_uniform(&random) - 1);
            b[k] = exp(9 * assay_random_uniform(&random) - 1);
        }
        mixture = mix(weight, a, b, N);
        for (double p = 0.005; p < 1; p += 0.033) {
            double q, miss;
            assert_int_equal(assay_mixture_quantile(&mixture, p, &q), ASSAY_OK);
            miss = fabs(assay_mixture_cdf(&mixture, q) - p) / assay_mixture_density(&mixture, q);
            assert_near("q", miss, 0, 1e-12);
            assert_true(q > before);
            before = q;
        }
        assay_mixture_free(&mixture);
    }
}

static void equal_components_are_one_and_light_ones_are_left_out(void **state)
{
    const double weight[] = { 1, 2, 0, 3, 1e-15, 1e-14 }, a[] = { 5, 1, 7, 5, 2, 3 };
    const double b[] = { 6, 1, 7, 6, 2, 3 };
    assay_mixture mixture = mix(weight, a, b, 6);

    (void)state;
    assert_int_equal(mixture.n, 2);
    assert_near("weight", mixture.weight[0], 2. / 6, 1e-14);
    assert_near("weight", mixture.weight[1], 4. / 6, 1e-14);
    assert_near("dropped", mixture.dropped, 0, ASSAY_MIXTURE_DROP);
    assert_near("mean", assay_mixture_mean(&mixture), (2 * 0.5 + 4 * 5. / 11) / 6, 1e-14);
    assay_mixture_free(&mixture);
    assert_int_equal(assay_mixture_new((const double[]){ 0, 0 }, a, b, 2, &mixture),
                     ASSAY_E_DEGENERATE);
    assert_int_equal(mixture.n, 0);
}

/* The density integrates to the cdf: Simpson's rule on 2,000 intervals, its error below 1e-9. */
static void the_density_is_the_slope_of_the_cdf(void **state)
{
    const double weight[] = { 1, 2, 3 }, a[] = { 5, 3, 20 }, b[] = { 6, 30, 4 };
    assay_mixture mixture = mix(weight, a, b, 3);
    double h = 0.6 / 2000, sum = 0;

    (void)state;
    for (int k = 0; k <= 2000; k++)
        sum += assay_mixture_density(&mixture, 0.1 + h * k) * (k == 0 || k == 2000 ? 1
                                                               : k % 2             ? 4
                                                                                   : 2);
    assert_near("integral", sum * h / 3,
                assay_mixture_cdf(&mixture, 0.7) - assay_mixture_cdf(&mixture, 0.1), 1e-9);
    assay_mixture_free(&mixture);
}

static double mass_of(const assay_mixture *mixture, const assay_hpd *set)
{
    double mass = 0;

    for (size_t k = 0; k < set->n; k++)
        mass += assay_mixture_cdf(mixture, set->bounds[k][1]) -
                assay_mixture_cdf(mixture, set->bounds[k][0]);
    return mass;
}

/* Symmetric and of one peak: the set is the interval between the quantiles. */
static void the_set_of_a_symmetric_beta_is_its_interval(void **state)
{
    assay_mixture mixture =
        mix((const double[]){ 1 }, (const double[]){ 8 }, (const double[]){ 8 }, 1);
    assay_hpd set;
    double low;

    (void)state;
    assert_int_equal(assay_mixture_hpd(&mixture, 0.9, &set), ASSAY_OK);
    assert_int_equal(set.n, 1);
    assert_int_equal(assay_mixture_quantile(&mixture, 0.05, &low), ASSAY_OK);
    assert_near("low", set.bounds[0][0], low, 1e-6);
    assert_near("high", set.bounds[0][1], 1 - low, 1e-6);
    free(set.bounds);
    assay_mixture_free(&mixture);
}

/* Two far and narrow peaks, one at an end: two intervals, of one density at their inner bounds. */
static void the_set_of_two_peaks_is_two_intervals(void **state)
{
    const double weight[] = { 1, 1 }, a[] = { 1, 3e5 }, b[] = { 400, 1e5 };
    assay_mixture mixture = mix(weight, a, b, 2);
    assay_hpd set;
    double density;

    (void)state;
    assert_int_equal(assay_mixture_hpd(&mixture, 0.95, &set), ASSAY_OK);
    assert_int_equal(set.n, 2);
    assert_near("low", set.bounds[0][0], 0, 0);
    assert_near("mass", mass_of(&mixture, &set), 0.95, 1e-6);
    density = assay_mixture_density(&mixture, set.bounds[0][1]);
    for (int side = 0; side < 2; side++)
        assert_near("density", assay_mixture_density(&mixture, set.bounds[1][side]) / density, 1,
                    1e-5);
    free(set.bounds);
    assay_mixture_free(&mixture);
}

/* Densities that are infinite at both ends (a and b below 1), and a flat one. */
static void sets_reach_the_ends_and_may_be_everything(void **state)
{
    assay_mixture ends =
        mix((const double[]){ 1 }, (const double[]){ .5 }, (const double[]){ .5 }, 1);
    assay_mixture flat =
        mix((const double[]){ 1 }, (const double[]){ 1 }, (const double[]){ 1 }, 1);
    assay_hpd set;

    (void)state;
    assert_int_equal(assay_mixture_hpd(&ends, 0.5, &set), ASSAY_OK);
    assert_int_equal(set.n, 2);
    assert_near("low", set.bounds[0][0], 0, 0);
    assert_near("high", set.bounds[1][1], 1, 0);
    /* a quarter at each end: sin^2(pi / 8) */
    assert_near("inner", set.bounds[0][1], 0.14644660940672624, 1e-6);
    free(set.bounds);
    assert_int_equal(assay_mixture_hpd(&flat, 0.95, &set), ASSAY_OK);
    assert_int_equal(set.n, 1);
    assert_near("all", set.bounds[0][1] - set.bounds[0][0], 1, 0);
    free(set.bounds);
    assay_mixture_free(&ends);
    assay_mixture_free(&flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_one_beta_are_its_inverse),
        cmocka_unit_test(quantiles_invert_the_cdf),
        cmocka_unit_test(equal_components_are_one_and_light_ones_are_left_out),
        cmocka_unit_test(the_density_is_the_slope_of_the_cdf),
        cmocka_unit_test(the_set_of_a_symmetric_beta_is_its_interval),
        cmocka_unit_test(the_set_of_two_peaks_is_two_intervals),
        cmocka_unit_test(sets_reach_the_ends_and_may_be_everything),
    };

    return cmocka_run_group_tests_name("posterior_mixture", tests, NULL, NULL);
}
