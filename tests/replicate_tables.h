/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of replicates share. Include after cmocka.h. */
#ifndef TESTS_REPLICATE_TABLES_H
#define TESTS_REPLICATE_TABLES_H

#include "assay/replicate_dimension.h"
#include "core/random.h"

#include <math.h>

/* Sums of some thousand products of order 1 in another order: their rounding, with room. */
static const double ROUNDING = 1e-12;

static inline void assert_near(double got, double expected, double tolerance)
{
    if (fabs(got - expected) <= tolerance * fmax(1.0, fabs(expected))) return;
    fail_msg("%.17g, expected %.17g", got, expected);
}

/* Outcomes 0 and 1 of unlike probabilities, or reals. */
static inline void draw(uint64_t seed, int real, double *x, size_t n)
{
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_PERMUTATION, 0);
    for (size_t k = 0; k < n; k++)
        x[k] = real ? assay_random_normal(&random)
                    : assay_random_uniform(&random) < 0.2 + 0.6 * (double)(k % 7) / 6.0;
}

static inline assay_replicate_dimension fit(const assay_replicates *replicates, double level)
{
    assay_replicate_dimension got;

    assert_int_equal(assay_replicate_dimension_fit(replicates, level, 2, &got), ASSAY_OK);
    return got;
}

static inline assay_replicates *from_runs(const double *x, size_t n_models, size_t n_items,
                                          size_t n_runs)
{
    assay_replicates *replicates;

    assert_int_equal(assay_replicates_from_runs(x, n_models, n_items, n_runs, &replicates),
                     ASSAY_OK);
    return replicates;
}

#endif
