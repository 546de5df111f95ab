/* SPDX-License-Identifier: Apache-2.0 */
/* The pieces of a template's own law: densities of the prior's parts and chances at a law's points
   against the functions they stand for, and what other cells say against the matrix that it is read
   from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "stats/dot.h"
#include "stats/linalg.h"
#include "template_fits.h"
#include "templates/marginal_cavity.h"

enum { POINTS = ASSAY_LAW_POINTS, PARTS = ASSAY_PRIOR_PARTS, CHANCES = ASSAY_NODES * POINTS };

/* ---- parts ---- */

/* Up to a factor, which is that of the largest; what is below e^-69 of its point's largest may be
   0. Ratios are multiplied up to 40 times, themselves products of up to 40: 1e-12. */
static void check_densities(double low, double step, double mean, double variance, double own_sd)
{
    double got[POINTS * PARTS], width = own_sd * ASSAY_PART_WIDTH, most = -INFINITY, factor = 0.0;
    double log_density[POINTS * PARTS];

    assay_part_densities(low, step, mean, variance, own_sd, got);
    for (size_t t = 0; t < POINTS; t++)
        for (size_t m = 0; m < PARTS; m++) {
            double away = low + (double)t * step - mean - own_sd * assay_part_centre(m);
            double *to = &log_density[t * PARTS + m];

            *to = -0.5 * away * away / (variance + width * width);
            if (*to > most) {
                most = *to;
                factor = got[t * PARTS + m];
            }
        }
    for (size_t t = 0; t < POINTS; t++) {
        double largest = 0.0;

        for (size_t m = 0; m < PARTS; m++) largest = fmax(largest, got[t * PARTS + m]);
        for (size_t m = 0; m < PARTS; m++) {
            double want = exp(log_density[t * PARTS + m] - most) * factor;

            assert_near(got[t * PARTS + m], want, 1e-12 * want + 2e-30 * largest);
        }
    }
}

static void densities_are_normal(void **state)
{
    (void)state;
    check_densities(-2.0, 0.1, 0.3, 0.2, 0.6);
    check_densities(-2.0, 0.1, 0.3, 1e-6, 0.6);  /* narrow: neighbours in reach only */
    check_densities(-9.0, 0.4, 1.0, 9.0, 0.045); /* wide: all parts alike */
    check_densities(2.0, 0.2, -0.5, 1e-6, 0.1);  /* all points beyond the last part */
    check_densities(-9.0, 0.2, 0.0, 0.01, 0.1);  /* and beyond the first */
    check_densities(-30.0, 1.5, 0.0, 0.5, 4.5);
}

static void the_start_is_a_standard_normal(void **state)
{
    double weights[PARTS], sum = 0.0, mean = 0.0, variance = 0.0;

    (void)state;
    assay_part_start(weights);
    for (size_t m = 0; m < PARTS; m++) {
        double c = assay_part_centre(m);

        sum += weights[m];
        mean += weights[m] * c;
        variance += weights[m] * (c * c + ASSAY_PART_WIDTH * ASSAY_PART_WIDTH);
    }
    assert_near(sum, 1.0, 1e-14);
    assert_near(mean, 0.0, 1e-14);
    assert_near(variance, 1.0, 2e-3); /* it ends at four standard deviations */
}

static void chances_are_logistic(void **state)
{
    double chances[CHANCES];
    assay_item_prior items;

    (void)state;
    assay_item_prior_set(4.2, &items);
    assay_law_chances(-25.0, 1.25, &items, chances);
    for (size_t k = 0; k < ASSAY_NODES; k++)
        for (size_t t = 0; t < POINTS; t++) {
            double want = 1.0 / (1.0 + exp(25.0 - 1.25 * (double)t - items.effect[k]));

            assert_near(chances[k * POINTS + t], want, 1e-13 * want); /* odds of 10 products */
        }
}

/* ---- what other cells say ---- */

enum { N = 9 };

/* A tilt over N templates with numbers of any kind, and its room; factor is a Cholesky factor. */
typedef struct case_of_n {
    double mode[N], factor[N * N], sd[N], mean[N], variance[N], gradient[N], information[N];
    assay_tilt tilt;
} case_of_n;

static void start_case(double s, double f, case_of_n *c)
{
    assay_random random;

    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t i = 0; i < N; i++) {
        c->mode[i] = assay_random_normal(&random);
        c->gradient[i] = assay_random_normal(&random);
        c->information[i] = 4.0 * assay_random_uniform(&random) * (double)(i > 1); /* two of none */
        for (size_t k = 0; k < N; k++)
            c->factor[i * N + k] = k < i ? 0.3 * assay_random_normal(&random) : k == i ? 1.5 : 0.0;
    }
    c->tilt = (assay_tilt){ .s = s,
                            .f = f,
                            .own_sd = s * sqrt(1.0 - f),
                            .mode = c->mode,
                            .factor = c->factor,
                            .sd = c->sd,
                            .mean = c->mean,
                            .variance = c->variance };
}

/* The header's formulas with A, of which nothing is known beforehand. Its condition is about 1e4.
   */
static void check_cavities(const assay_effect_kernel *kernel, case_of_n *c)
{
    double a[N * N], y[N], d[N], of_level = 0.0;

    assay_effect_prior_shared(kernel, c->tilt.s, c->tilt.f, a);
    for (size_t i = 0; i < N; i++) {
        double h = fmax(c->information[i], 0.02);

        y[i] = c->mode[i] + c->gradient[i] / h;
        d[i] = 1.0 / h + c->tilt.own_sd * c->tilt.own_sd;
        a[i * N + i] += d[i];
    }
    assert_int_equal(assay_linalg_factor_definite(N, a), 0);
    assay_linalg_invert_factored(N, a);
    for (size_t i = 0; i < N; i++)
        for (size_t k = i + 1; k < N; k++) a[i * N + k] = a[k * N + i];
    for (size_t i = 0; i < N; i++) {
        double ay = 0.0;

        for (size_t k = 0; k < N; k++) {
            ay += a[i * N + k] * y[k];
            of_level += a[i * N + k];
        }
        assert_near(c->mean[i], y[i] - ay / a[i * N + i], 1e-9);
        assert_near(c->variance[i], 1.0 / a[i * N + i] - d[i], 1e-9);
    }
    assert_near(c->tilt.level_variance, 1.0 / of_level, 1e-9);
}

static void cavities_are_read_from_the_inverse(void **state)
{
    static const double spreads[] = { 0.1, 1.0, 4.5 };
    double x[N * 2], diagonal[N * N];
    assay_effect_kernel none, kernel;
    case_of_n c;

    (void)state;
    for (size_t k = 0; k < N * 2; k++) x[k] = cos((double)(k * k));
    assert_ok(assay_effect_kernel_new(NULL, N, 0, &none));
    assert_ok(assay_effect_kernel_new(x, N, 2, &kernel));
    assay_blas_hold();
    for (size_t k = 0; k < 3; k++) {
        start_case(spreads[k], 0.0, &c);
        assert_ok(assay_tilt_cavities(&none, c.gradient, c.information, &c.tilt));
        check_cavities(&none, &c);
        assert_ok(assay_tilt_cavities(&kernel, c.gradient, c.information, &c.tilt));
        check_cavities(&kernel, &c);
        start_case(spreads[k], 0.8, &c);
        assert_ok(assay_tilt_cavities(&kernel, c.gradient, c.information, &c.tilt));
        check_cavities(&kernel, &c);
        memcpy(diagonal, c.factor, sizeof diagonal);
        assay_linalg_invert_factored(N, diagonal);
        for (size_t i = 0; i < N; i++) assert_near(c.sd[i], sqrt(diagonal[i * N + i]), 1e-12);
    }
    assay_blas_release();
    assay_effect_kernel_free(&kernel);
    assay_effect_kernel_free(&none);
}

/* ---- sums ---- */

/* The same sums in the same order: the same bits. */
static void mixtures_are_sums_in_order(void **state)
{
    enum { ROWS = 5, LENGTH = 16 };
    double rows[ROWS * LENGTH], weights[ROWS], sums[LENGTH];
    assay_random random;

    (void)state;
    assay_random_start(&random, 4, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t k = 0; k < ROWS * LENGTH; k++) rows[k] = assay_random_normal(&random);
    for (size_t r = 0; r < ROWS; r++) weights[r] = assay_random_uniform(&random);
    assay_mix_of_eights(ROWS, weights, LENGTH, rows, sums);
    for (size_t c = 0; c < LENGTH; c++) {
        double sum = 0.0;

        for (size_t r = 0; r < ROWS; r++) sum += weights[r] * rows[r * LENGTH + c];
        assert_true(sums[c] == sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_are_normal),
        cmocka_unit_test(the_start_is_a_standard_normal),
        cmocka_unit_test(chances_are_logistic),
        cmocka_unit_test(cavities_are_read_from_the_inverse),
        cmocka_unit_test(mixtures_are_sums_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
