/* SPDX-License-Identifier: Apache-2.0 */
/* The Hopkins statistic from the inside. */
#ifndef ASSAY_CLUSTER_HOPKINS_H
#define ASSAY_CLUSTER_HOPKINS_H

#include "assay/hopkins.h"

/* sum u^d / (sum u^d + sum w^d), d the exponent, of m distances each; .5 when all of them are 0. */
double assay_hopkins_statistic(const double *u, const double *w, size_t m, double exponent);

/* The same as assay_hopkins_measure() for an n x d array, row-major, of any lengths. */
assay_status assay_hopkins_of_rows(const double *rows, size_t n, size_t d,
                                   const assay_hopkins_options *options, assay_hopkins *out);

#endif
