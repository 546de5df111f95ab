/* SPDX-License-Identifier: Apache-2.0 */
/* Random scores, and the ED of a part of them by the definition: a product at a time. Include it
   after cmocka.h. */
#ifndef TESTS_PARTS_REFERENCE_H
#define TESTS_PARTS_REFERENCE_H

#include "assay/matrix.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

enum score_kind { BITS, BITS_WITH_HOLES, REALS, REALS_WITH_HOLES, N_SCORE_KINDS };
enum centring { TASK, MODEL, BOTH, UNIT };

/* Models differ in ability, so that there is something to find. The first three have no hole. */
static inline double *random_scores(size_t n, size_t t, enum score_kind kind, uint64_t seed)
{
    double *x = malloc(n * t * sizeof *x);
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t m = 0; m < n; m++) {
        double ability = 0.2 + 0.6 * assay_random_uniform(&random);

        for (size_t i = 0; i < t; i++) {
            double u = assay_random_uniform(&random);
            int hole = (kind == BITS_WITH_HOLES || kind == REALS_WITH_HOLES) && m > 2 &&
                       assay_random_uniform(&random) < 0.1;

            x[m * t + i] = kind <= BITS_WITH_HOLES ? (double)(u < ability) : u * ability;
            if (hole) x[m * t + i] = NAN;
        }
    }
    return x;
}

static inline assay_matrix *matrix_of(const double *scores, size_t n, size_t t)
{
    assay_matrix *matrix = NULL;

    assert_int_equal(assay_matrix_from_scores(scores, n, t, &matrix), ASSAY_OK);
    return matrix;
}

static inline void take_out_means(double *x, size_t n, size_t t, int of_items)
{
    size_t outer = of_items ? t : n, inner = of_items ? n : t;

    for (size_t a = 0; a < outer; a++) {
        double mean = 0.0;

        for (size_t b = 0; b < inner; b++)
            mean += x[of_items ? b * t + a : a * t + b] / (double)inner;
        for (size_t b = 0; b < inner; b++) x[of_items ? b * t + a : a * t + b] -= mean;
    }
}

static inline void scale_items(double *x, size_t n, size_t t)
{
    for (size_t i = 0; i < t; i++) {
        double squares = 0.0;

        for (size_t m = 0; m < n; m++) squares += x[m * t + i] * x[m * t + i];
        for (size_t m = 0; m < n && squares > 1e-20; m++) x[m * t + i] /= sqrt(squares);
    }
}

/* NULL takes all. */
static inline double slow_part_ed(const double *scores, size_t all_items, const size_t *models,
                                  size_t n, const size_t *items, size_t t, enum centring centring)
{
    double *x = malloc(n * t * sizeof *x), trace = 0.0, squares = 0.0;

    for (size_t i = 0; i < t; i++) {
        double sum = 0.0, count = 0.0;

        for (size_t m = 0; m < n; m++) {
            x[m * t + i] = scores[(models ? models[m] : m) * all_items + (items ? items[i] : i)];
            if (!isnan(x[m * t + i])) sum += x[m * t + i], count += 1.0;
        }
        for (size_t m = 0; m < n; m++)
            if (isnan(x[m * t + i])) x[m * t + i] = count > 0.0 ? sum / count : 0.0;
    }
    if (centring != MODEL) take_out_means(x, n, t, 1);
    if (centring == MODEL || centring == BOTH) take_out_means(x, n, t, 0);
    if (centring == UNIT) scale_items(x, n, t);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            double product = 0.0;

            for (size_t i = 0; i < t; i++) product += x[a * t + i] * x[b * t + i];
            squares += product * product;
            if (a == b) trace += product;
        }
    }
    free(x);
    return trace > 1e-20 ? trace * trace / squares : NAN;
}

static inline void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance) && !(isnan(got) && isnan(want)))
        fail_msg("%.17g is not %.17g +- %g", got, want, tolerance);
}

#endif
