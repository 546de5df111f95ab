/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products of short rows, some at a time: an order of addition that is the same everywhere
   and that compilers make vector code of. */
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

/* sums[c] = sum_r weights[r] rows[r length + c], in the order of the rows; length is a multiple
   of 8. */
static inline void assay_mix_of_eights(size_t n_rows, const double *weights, size_t length,
                                       const double *rows, double *sums)
{
    for (size_t c = 0; c < length; c += 8) { /* eight sums stay in registers */
        double sum[8] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };

        for (size_t r = 0; r < n_rows; r++)
            for (size_t l = 0; l < 8; l++) sum[l] += weights[r] * rows[r * length + c + l];
        for (size_t l = 0; l < 8; l++) sums[c + l] = sum[l];
    }
}

#endif
