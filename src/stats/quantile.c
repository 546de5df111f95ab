/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double assay_quantile_of_sorted(const double *values, size_t n, double p)
{
    double at = p * (double)(n - 1), below = floor(at);
    size_t i = (size_t)below;

    if (i + 1 >= n) return values[n - 1];
    return values[i] + (at - below) * (values[i + 1] - values[i]);
}

double assay_quantile(double *values, size_t n, double p)
{
    qsort(values, n, sizeof *values, by_value);
    return assay_quantile_of_sorted(values, n, p);
}
