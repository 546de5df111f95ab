/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products of short rows, in four lanes: an order of addition that is the same everywhere and
   that compilers make vector code of. */
#ifndef ASSAY_STATS_DOT_H
#define ASSAY_STATS_DOT_H

#include <stddef.h>

/* a'b of n numbers, n a multiple of 4. */
static inline double assay_dot_of_fours(const double *a, const double *b, size_t n)
{
    double lane[4] = { 0.0, 0.0, 0.0, 0.0 };

    for (size_t k = 0; k < n; k += 4)
        for (size_t l = 0; l < 4; l++) lane[l] += a[k + l] * b[k + l];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

#endif
