/* SPDX-License-Identifier: Apache-2.0 */
/* A unit to measure numbers in, so that their squares and differences stay finite. */
#ifndef ASSAY_STATS_UNIT_H
#define ASSAY_STATS_UNIT_H

#include <math.h>
#include <stddef.h>

/* A power of 2 near a size that is not negative: dividing by it loses nothing. 1 for 0. */
static inline double assay_unit_near(double size)
{
    return size > 0.0 ? ldexp(1.0, ilogb(size)) : 1.0;
}

/* That of n numbers, by the largest of them; none of them infinite, NaN are passed over. */
static inline double assay_unit_of(const double *values, size_t n)
{
    double largest = 0.0;

    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(values[i]));
    return assay_unit_near(largest);
}

#endif
