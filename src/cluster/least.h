/* SPDX-License-Identifier: Apache-2.0 */
/* The least of many numbers, at the speed of memory. */
#ifndef ASSAY_CLUSTER_LEAST_H
#define ASSAY_CLUSTER_LEAST_H

#include <stddef.h>

/* INFINITY for n = 0. None is NaN. */
double assay_least(const double *x, size_t n);

/* The first place whose number is at most this; there must be one. */
size_t assay_first_within(const double *x, double most);

#endif
