/* SPDX-License-Identifier: Apache-2.0 */
/* Data without clusters that otherwise resemble the ones at hand. */
#ifndef ASSAY_CLUSTER_HOPKINS_NULL_H
#define ASSAY_CLUSTER_HOPKINS_NULL_H

#include "assay/hopkins.h"

typedef struct assay_null_source {
    const double *data; /* n x d, row-major; borrowed */
    size_t n, d;
    uint64_t seed;
    double *mean;
    double *factor; /* d x n_factors: factor factor' is the covariance */
    size_t n_factors;
} assay_null_source;

/* ASSAY_OK or ASSAY_E_NOMEM; free it whatever happened. To be called between assay_blas_hold() and
   assay_blas_release(). O(n d min(n, d)) */
assay_status assay_null_source_new(const double *data, size_t n, size_t d, uint64_t seed,
                                   assay_null_source *source);
void assay_null_source_free(assay_null_source *source);

/* Fill rows (n rows, stride apart, of which d numbers are set) with the data set of this number:
   the same for any threads. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_null_fill(const assay_null_source *source, assay_hopkins_null kind,
                             uint64_t number, double *rows, size_t stride);

#endif
