/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/least.h"

#include <math.h>

/* Eight at a time, which compilers turn into vector minima. */
double assay_least(const double *x, size_t n)
{
    double least[8], result = INFINITY;
    size_t i = 0;

    for (size_t k = 0; k < 8; k++) least[k] = INFINITY;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++) least[k] = x[i + k] < least[k] ? x[i + k] : least[k];
    for (size_t k = 0; k < 8; k++) result = least[k] < result ? least[k] : result;
    for (; i < n; i++) result = x[i] < result ? x[i] : result;
    return result;
}

size_t assay_first_within(const double *x, double most)
{
    size_t i = 0;

    while (x[i] > most) i++;
    return i;
}
