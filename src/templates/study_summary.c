/* SPDX-License-Identifier: Apache-2.0 */
/* What a study says of one grid, and of grids in groups. */
#include "assay/study.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* The mean of n values and the standard deviation (n - 1), NaN of one. */
static void summarise(const double *values, size_t n, double *mean, double *sd)
{
    double sum = 0.0, squares = 0.0;

    for (size_t k = 0; k < n; k++) sum += values[k];
    *mean = sum / (double)n;
    for (size_t k = 0; k < n; k++) squares += (values[k] - *mean) * (values[k] - *mean);
    *sd = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

assay_study_summary assay_study_summarise_grid(const assay_study *study, size_t budget,
                                               size_t method, size_t measure, size_t grid)
{
    size_t n = assay_study_n_seeds(study);
    assay_study_summary summary = { 0.0, NAN, NAN };
    double squares = 0.0;

    for (size_t s = 0; s < n; s++)
        summary.mean += assay_study_value(study, budget, method, measure, grid, s) / (double)n;
    for (size_t s = 0; s < n; s++) {
        double off = assay_study_value(study, budget, method, measure, grid, s) - summary.mean;

        squares += off * off;
    }
    if (n > 1) summary.sd_seeds = sqrt(squares / (double)(n - 1));
    return summary;
}

assay_status assay_study_sd_over_groups(const assay_study *study, size_t budget, size_t method,
                                        size_t measure, const size_t *groups, double *sd)
{
    size_t n_grids = assay_study_n_grids(study), n_groups = 0, n = 0;
    double *sums, mean;
    size_t *counts;
    assay_status status = ASSAY_OK;

    *sd = NAN;
    for (size_t g = 0; g < n_grids; g++) {
        if (groups[g] >= n_grids)
            return assay_fail(ASSAY_E_VALUE,
                              "group %zu of %zu grids, expected fewer groups than grids", groups[g],
                              n_grids);
        if (groups[g] >= n_groups) n_groups = groups[g] + 1;
    }
    sums = assay_alloc_zero(n_groups, sizeof *sums);
    counts = assay_alloc_zero(n_groups, sizeof *counts);
    if (!sums || !counts) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the means of %zu groups", n_groups);
        goto done;
    }
    for (size_t g = 0; g < n_grids; g++) {
        sums[groups[g]] += assay_study_summarise_grid(study, budget, method, measure, g).mean;
        counts[groups[g]]++;
    }
    for (size_t k = 0; k < n_groups; k++)
        if (counts[k] > 0) sums[n++] = sums[k] / (double)counts[k];
    summarise(sums, n, &mean, sd);
done:
    free(sums);
    free(counts);
    return status;
}
