/* SPDX-License-Identifier: Apache-2.0 */
/* The participation ratio under the three centrings, and how it changes when a model is left out.
 */
#ifndef ASSAY_SIGNALS_DIMENSION_H
#define ASSAY_SIGNALS_DIMENSION_H

#include "signals/centred.h"

/* tr G and ||G||_F^2; the participation ratio is trace^2 / squares. */
typedef struct assay_moments {
    double trace, squares;
} assay_moments;

/* NaN where nothing varies. */
double assay_participation_ratio(assay_moments moments);

/* The moments of a symmetric n x n matrix; row_squares[i] becomes the sum of row i's squares.
 * Summed in a fixed order for any number of threads. */
assay_moments assay_gram_moments(const double *gram, size_t n, int threads, double *row_squares);

/* The moments under each centring, of which the task-centred ones are known: rank-one corrections,
   O(NT). ASSAY_OK or ASSAY_E_NOMEM. */
typedef struct assay_three_moments {
    assay_moments task, model, both;
} assay_three_moments;
assay_status assay_centring_moments(const assay_centred *z, const double *gram, assay_moments task,
                                    int threads, assay_three_moments *out);

/* ratio[m]: the task-centred participation ratio of the matrix without model m (NaN where nothing
   is left). O(N^2) from the models' Gram matrix, O(N T^2) from the items'. ASSAY_OK, ASSAY_E_NOMEM.
 */
assay_status assay_leave_one_out(const assay_centred *z, const double *gram, assay_moments task,
                                 const double *row_squares, int threads, double *ratio);

#endif
