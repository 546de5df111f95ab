/* SPDX-License-Identifier: Apache-2.0 */
/* How well the scores of all templates are found from some of the runs: tried on grids that are full. */
#ifndef ASSAY_STUDY_H
#define ASSAY_STUDY_H

#include "assay/templates.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A finished study. Opaque; free with assay_study_free(). */
typedef struct assay_study assay_study;

/* Start from assay_study_options_init(); later versions add fields only at the end. All arrays are
   borrowed for the call. */
typedef struct assay_study_options {
    size_t struct_size;    /* sizeof this struct as the caller was compiled */
    const size_t *budgets; /* n_budgets, ascending; NULL: 200, 400, 800, 1600 */
    size_t n_budgets;
    const double *levels; /* n_levels quantiles, in [0, 1]; NULL: .05, .25, .5, .75, .95 */
    size_t n_levels;
    assay_quantile_rule rule; /* of the estimate's quantile and the truth's */
    size_t n_seeds;           /* default 20 */
    uint64_t seed;            /* plans draw from seed, seed + 1, ..; default 1 */
    int threads;              /* 0, the default: all; the result does not depend on it */
    assay_progress progress;
} assay_study_options;

ASSAY_API void assay_study_options_init(assay_study_options *options, size_t struct_size);

/**
 * Sample, fit, compare with the truth.
 *
 * For every grid and seed a balanced plan grows through the budgets (assay_plan_extend()), so that
 * larger budgets hold the cells of smaller ones, and all methods see the same cells; grids of one
 * size share the plan of a seed; draws of MARGINAL are of another seed in each fit. The truth is each template's mean over all items.
 *
 * @param grids      n_grids, each with a score in every cell. Borrowed for the call.
 * @param methods    n_grids x n_methods, row-major: what each method is on each grid (its
 *                   covariates may differ). Borrowed for the call.
 * @param options    NULL for the defaults.
 * @param out        owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE for no grid, method, budget, level or seed, for a grid that lacks
 *         a cell and for a budget above a grid's cells; ASSAY_E_VALUE for budgets of 0 or that do
 *         not ascend, and for other options; as assay_templates_fit(); ASSAY_E_CANCELLED;
 *         ASSAY_E_NOMEM.
 * Cost: a fit for every grid, seed, budget and method; memory 8 (4 + 2 levels) bytes for each of them.
 */
ASSAY_API assay_status assay_study_run(const assay_grid *const *grids, size_t n_grids,
                                       const assay_templates_options *methods, size_t n_methods,
                                       const assay_study_options *options, assay_study **out);
ASSAY_API void assay_study_free(assay_study *study); /* NULL is fine */

ASSAY_API const size_t *assay_study_budgets(const assay_study *study, size_t *n);
ASSAY_API const double *assay_study_levels(const assay_study *study, size_t *n);
ASSAY_API size_t assay_study_n_grids(const assay_study *study);
ASSAY_API size_t assay_study_n_methods(const assay_study *study);
ASSAY_API size_t assay_study_n_seeds(const assay_study *study);

/* Measures of an estimate: 0 is W1; 1 + k is |Q - Q^| at level k. */
enum { ASSAY_STUDY_W1 = 0, ASSAY_STUDY_QUANTILE = 1 };

/* One measurement. O(1). */
ASSAY_API double assay_study_value(const assay_study *study, size_t budget, size_t method,
                                   size_t measure, size_t grid, size_t seed);

/* Intervals of an estimate: those of the templates' scores, of their mean, the band around all of the
   distribution, and 3 + k that of the quantile at level k. */
enum {
    ASSAY_STUDY_COVER_SCORES = 0,
    ASSAY_STUDY_COVER_MEAN = 1,
    ASSAY_STUDY_COVER_BAND = 2,
    ASSAY_STUDY_COVER_QUANTILE = 3
};

/* Whether an interval held the truth: 1 or 0, and of the scores the share of templates; NaN where
   there was none. And the mean of this, where there was one, over seeds and n_grids grids from first on. */
ASSAY_API double assay_study_coverage(const assay_study *study, size_t budget, size_t method,
                                      size_t interval, size_t grid, size_t seed);
ASSAY_API double assay_study_mean_coverage(const assay_study *study, size_t budget, size_t method,
                                           size_t interval, size_t first, size_t n_grids);

/* Mean of a measure over grids and seeds; and standard deviations (n - 1): over seeds of the means
   over grids, over grids of the means over seeds. NaN where there is only one. */
typedef struct assay_study_summary {
    double mean, sd_seeds, sd_grids;
} assay_study_summary;
ASSAY_API assay_study_summary assay_study_summarise(const assay_study *study, size_t budget,
                                                    size_t method, size_t measure);

/* The same of one grid: its mean over seeds and their standard deviation; sd_grids is NaN. */
ASSAY_API assay_study_summary assay_study_summarise_grid(const assay_study *study, size_t budget,
                                                         size_t method, size_t measure,
                                                         size_t grid);

/**
 * The standard deviation (n - 1) over groups of grids, such as those of a model, of the means over the
 * grids and seeds of each.
 *
 * @param groups  the group of each grid, numbers below the count of grids.
 * @param sd      NaN where there is one group only.
 * @return ASSAY_OK; ASSAY_E_VALUE for a number out of range; ASSAY_E_NOMEM.
 * Cost: O(grids x seeds).
 */
ASSAY_API assay_status assay_study_sd_over_groups(const assay_study *study, size_t budget,
                                                  size_t method, size_t measure,
                                                  const size_t *groups, double *sd);

#ifdef __cplusplus
}
#endif
#endif
