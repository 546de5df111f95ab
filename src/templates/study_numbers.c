/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/study_numbers.h"

#include "core/memory.h"

#include <math.h>

double *assay_full_scores(const assay_grid *full)
{
    size_t n = assay_grid_n_templates(full);
    double *means = assay_alloc_zero(n, sizeof *means);

    for (size_t i = 0; means && i < n; i++) {
        const double *scores;
        size_t n_items = assay_grid_row(full, i, NULL, &scores);

        for (size_t j = 0; j < n_items; j++) means[i] += scores[j];
        means[i] /= (double)n_items;
    }
    return means;
}

double assay_sd_of_means(const double *values, size_t n_rows, size_t row_step, size_t n_columns,
                         size_t column_step, double mean)
{
    double sum = 0.0;

    if (n_rows < 2) return NAN;
    for (size_t r = 0; r < n_rows; r++) {
        double of_row = 0.0;

        for (size_t c = 0; c < n_columns; c++) of_row += values[r * row_step + c * column_step];
        of_row = of_row / (double)n_columns - mean;
        sum += of_row * of_row;
    }
    return sqrt(sum / (double)(n_rows - 1));
}
