/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/quantile.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void assay_sort_numbers(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
}

double *assay_sorted_copy(const double *values, size_t n)
{
    double *copy = assay_alloc(n, sizeof *copy);

    if (!copy) return NULL;
    memcpy(copy, values, n * sizeof *copy);
    assay_sort_numbers(copy, n);
    return copy;
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
    assay_sort_numbers(values, n);
    return assay_quantile_of_sorted(values, n, p);
}
