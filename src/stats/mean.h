/* SPDX-License-Identifier: Apache-2.0 */
/* A mean that is finite whenever its numbers are: their sum need not be. */
#ifndef ASSAY_STATS_MEAN_H
#define ASSAY_STATS_MEAN_H

#include <float.h>
#include <math.h>
#include <stddef.h>

/* What was added so far; all 0 to begin with. */
typedef struct assay_mean {
    double sum, small; /* of the numbers; of 2^-64 of each, which 2^64 numbers cannot overflow */
    size_t n;
} assay_mean;

/* A finite number more. */
static inline void assay_mean_add(assay_mean *mean, double value)
{
    mean->sum += value;
    mean->small += 0x1p-64 * value;
    mean->n++;
}

/* All that another one holds. */
static inline void assay_mean_join(assay_mean *mean, const assay_mean *other)
{
    mean->sum += other->sum;
    mean->small += other->small;
    mean->n += other->n;
}

/* NaN of none. Where no sum on the way overflowed it is sum / n, to the bit; else 2^-64 of a number
   loses nothing, unless the number is too small to matter beside those that overflowed. */
static inline double assay_mean_of(const assay_mean *mean)
{
    if (mean->n == 0) return NAN;
    if (isfinite(mean->sum)) return mean->sum / (double)mean->n;
    /* Of the largest doubles alone rounding may go beyond them. */
    return fmin(fmax(0x1p64 * (mean->small / (double)mean->n), -DBL_MAX), DBL_MAX);
}

#endif
