/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of a suite's columns share: fits, scores that share a factor, slow correlations,
   and published boards. Include it after cmocka.h. */
#ifndef TESTS_REDUNDANCY_FITS_H
#define TESTS_REDUNDANCY_FITS_H

#include "assay/redundancy.h"
#include "core/random.h"
#include "reading.h"

#include <math.h>
#include <string.h>

static inline void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.17g, not %.17g +- %g", what, got, want, tolerance);
}

static inline assay_matrix *matrix_of(const double *scores, size_t n, size_t t)
{
    assay_matrix *matrix = NULL;

    assert_int_equal(assay_matrix_from_scores(scores, n, t, &matrix), ASSAY_OK);
    return matrix;
}

static inline assay_redundancy *fit_with(const double *scores, size_t n, size_t t,
                                         const double *given, int64_t resamples, int threads)
{
    assay_matrix *matrix = matrix_of(scores, n, t);
    assay_redundancy_options options;
    assay_redundancy *fit = NULL;

    assay_redundancy_options_init(&options, sizeof options);
    options.given = given;
    options.resamples = resamples;
    options.threads = threads;
    assert_int_equal(assay_redundancy_fit(matrix, &options, &fit), ASSAY_OK);
    assay_matrix_free(matrix);
    return fit;
}

/* Normal columns that share a factor, rounded to steps so that there are ties; a share of cells is
   missing. */
static inline void make_scores(uint64_t seed, size_t n, size_t t, double step, double missing,
                               double *x)
{
    assay_random random;

    assay_random_start(&random, seed, 0, 0);
    for (size_t m = 0; m < n; m++) {
        double ability = assay_random_normal(&random);

        for (size_t c = 0; c < t; c++) {
            double score = ability * (double)(c % 4) + assay_random_normal(&random);

            score = step > 0.0 ? step * round(score / step) : score;
            x[m * t + c] = assay_random_uniform(&random) < missing ? NAN : score;
        }
    }
}

static inline double slow_pearson(const double *x, const double *y, size_t n)
{
    long double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < n; i++) mx += x[i], my += y[i];
    for (size_t i = 0; i < n; i++) {
        long double a = x[i] - mx / n, b = y[i] - my / n;

        xx += a * a, yy += b * b, xy += a * b;
    }
    return xx > 1e-20L && yy > 1e-20L ? (double)(xy / sqrtl(xx * yy)) : NAN;
}

static inline double slow_spearman(const double *x, const double *y, size_t n)
{
    double *rx = calloc(n + 1, sizeof *rx), *ry = calloc(n + 1, sizeof *ry), r;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            rx[i] += x[j] < x[i] ? 1.0 : x[j] == x[i] ? 0.5 : 0.0;
            ry[i] += y[j] < y[i] ? 1.0 : y[j] == y[i] ? 0.5 : 0.0;
        }
    }
    r = slow_pearson(rx, ry, n);
    free(rx);
    free(ry);
    return r;
}

static inline assay_matrix *board(const char *name, const char *drop, assay_results **results)
{
    char path[512];
    assay_read_options reading;
    assay_matrix *matrix = NULL;

    snprintf(path, sizeof path, "%s/data/matrices/%s", ASSAY_SHARED_FOLDER, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", name);
        skip();
    }
    assay_read_options_init(&reading, sizeof reading);
    reading.drop = drop;
    assert_int_equal(assay_results_new(0, results), ASSAY_OK);
    assert_int_equal(assay_read(*results, path, &reading), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(*results, &matrix), ASSAY_OK);
    return matrix;
}

#endif
