/* SPDX-License-Identifier: Apache-2.0 */
/* The participation ratio under the three centrings. */
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
   Summed in a fixed order for any number of threads. */
assay_moments assay_gram_moments(const double *gram, size_t n, int threads, double *row_squares);

/* What is left of whole, when its trace is no more than this share of it, is rounding and so
   nothing. Differences of Gram matrices keep about 16 digits of the whole, those of scores 32. */
#define ASSAY_ROUNDING_OF_GRAM 1e-13
#define ASSAY_ROUNDING_OF_SCORES 1e-28
assay_moments assay_moments_or_nothing(assay_moments left, assay_moments whole, double rounding);

/* The moments under each centring, of which the task-centred ones are known, with Z's Gram matrix.
 */
typedef struct assay_three_moments {
    assay_moments task, model, both;
} assay_three_moments;

/* O(R^2 + NT) for complete 0/1 data; otherwise a second Gram matrix, O(R^2 L). ASSAY_OK or
   ASSAY_E_NOMEM. */
assay_status assay_centring_moments(const assay_centred *z, const double *gram, assay_moments task,
                                    int threads, assay_three_moments *out);

#endif
