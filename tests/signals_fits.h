/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of signals share: fits of random scores. Include it after cmocka.h. */
#ifndef TESTS_SIGNALS_FITS_H
#define TESTS_SIGNALS_FITS_H

#include "assay/signals.h"
#include "parts_reference.h"

static inline assay_signals *fit_scores(const double *scores, size_t n, size_t t,
                                        const assay_signals_options *options)
{
    assay_matrix *matrix = matrix_of(scores, n, t);
    assay_signals *fit = NULL;

    assert_int_equal(assay_signals_fit(matrix, options, &fit), ASSAY_OK);
    assay_matrix_free(matrix);
    return fit;
}

static inline assay_signals_options with_permutations(int64_t permutations)
{
    assay_signals_options options;

    assay_signals_options_init(&options, sizeof options);
    options.permutations = permutations;
    return options;
}

/* ED by the definition, a product at a time. */
static inline double slow_ed(const double *scores, size_t n, size_t t, enum centring centring)
{
    return slow_part_ed(scores, t, NULL, n, NULL, t, centring);
}

static inline void assert_relative(double got, double want, double tolerance)
{
    assert_near(got / want, 1.0, tolerance);
}

#endif
