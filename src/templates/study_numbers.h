/* SPDX-License-Identifier: Apache-2.0 */
/* What studies compare with, and how their values vary. */
#ifndef ASSAY_TEMPLATES_STUDY_NUMBERS_H
#define ASSAY_TEMPLATES_STUDY_NUMBERS_H

#include "assay/grid.h"

/* The mean of each template of a full grid over its items, for free(); NULL without memory. */
double *assay_full_scores(const assay_grid *full);

/* The standard deviation (n - 1) over rows of their means over n_columns, of values that are row_step and
   column_step apart, about their mean; NaN for fewer than two rows. */
double assay_sd_of_means(const double *values, size_t n_rows, size_t row_step, size_t n_columns,
                         size_t column_step, double mean);

#endif
