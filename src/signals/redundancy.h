/* SPDX-License-Identifier: Apache-2.0 */
/* The correlations of all pairs of columns, from the inside. */
#ifndef ASSAY_SIGNALS_REDUNDANCY_H
#define ASSAY_SIGNALS_REDUNDANCY_H

#include "assay/redundancy.h"

struct assay_redundancy {
    size_t n_columns, n_resamples;
    const char *no_resamples;
    assay_pair *pair; /* of columns a < b at assay_pair_place() */
};

static inline size_t assay_pair_place(size_t n, size_t a, size_t b)
{
    return a < b ? a * (2 * n - a - 1) / 2 + b - a - 1 : b * (2 * n - b - 1) / 2 + a - b - 1;
}

#endif
