/* SPDX-License-Identifier: Apache-2.0 */
/* How the dimension changes when a model is left out. */
#ifndef ASSAY_SIGNALS_JACKKNIFE_H
#define ASSAY_SIGNALS_JACKKNIFE_H

#include "signals/dimension.h"

/* ratio[m]: the task-centred participation ratio of the matrix without model m (NaN where nothing
   is left). G and the sums of its rows' squares are known. O(N^2) from the models' Gram matrix, O(N
   T^2) from the items'; a model without which almost nothing is left costs O(R^2) more. ASSAY_OK or
   ASSAY_E_NOMEM. */
assay_status assay_leave_one_out(const assay_centred *z, const double *gram, assay_moments task,
                                 const double *row_squares, int threads, double *ratio);

/* Standard error of the logarithm of a statistic from its n leave-one-out values: the root of
   (n - 1)/n sum (log value - mean)^2. NaN where a value is. */
double assay_jackknife_log_se(const double *value, size_t n);

#endif
