/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted numbers and sample quantiles. */
#ifndef ASSAY_STATS_QUANTILE_H
#define ASSAY_STATS_QUANTILE_H

#include <stddef.h>

/* The p-quantile of n >= 1 values, which are sorted in place: linear between order statistics at
   p (n - 1), Hyndman and Fan's type 7, the default of NumPy and R. O(n log n). */
double assay_quantile(double *values, size_t n, double p);

/* The same of values that are ascending already. O(1). */
double assay_quantile_of_sorted(const double *values, size_t n, double p);

/* n numbers, none of them NaN, in ascending order. O(n log n). */
void assay_sort_numbers(double *values, size_t n);

/* A sorted copy, for free(); NULL without memory. */
double *assay_sorted_copy(const double *values, size_t n);

#endif
