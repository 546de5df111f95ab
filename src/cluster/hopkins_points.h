/* SPDX-License-Identifier: Apache-2.0 */
/* Points, and which of them is nearest: screened in single precision by BLAS, with a bound on its
   error, and computed again in a fixed order where the bound leaves a doubt. */
#ifndef ASSAY_CLUSTER_HOPKINS_POINTS_H
#define ASSAY_CLUSTER_HOPKINS_POINTS_H

#include "assay/base.h"

enum { ASSAY_QUERIES = 128 }; /* as many at a time */

typedef struct assay_points {
    size_t n, d;
    double *row; /* n x d, row-major; filled in by the caller */
    double *centre;
    double unit;    /* a power of 2 that brings row - centre within -1 .. 1 */
    float *screen;  /* (row - centre) unit */
    float *squares; /* of the lengths of its rows */
    double longest; /* the largest of those lengths */
} assay_points;

/* Room for n x d. ASSAY_OK or ASSAY_E_NOMEM, and then there is nothing to free. */
assay_status assay_points_new(size_t n, size_t d, assay_points *points);
void assay_points_free(assay_points *points);

/* Get ready to be asked, once the rows are filled in, or filled in anew. O(n d) */
void assay_points_prepare(assay_points *points);

/* What one thread needs to ask. */
typedef struct assay_points_space {
    float *queries, *tile;
} assay_points_space;

/* ASSAY_OK or ASSAY_E_NOMEM; free it whatever happened. */
assay_status assay_points_space_new(size_t d, assay_points_space *space);
void assay_points_space_free(assay_points_space *space);

/* squared[q] = the squared Euclidean distance from query q (of n_queries <= ASSAY_QUERIES rows) to
   its nearest point. self: query q is point self + q, which does not count; SIZE_MAX: queries are
   no points. Exact but for the rounding of one sum. O(n d) a query. */
void assay_points_nearest(const assay_points *points, const double *queries, size_t n_queries,
                          size_t self, assay_points_space *space, double *squared);

#endif
