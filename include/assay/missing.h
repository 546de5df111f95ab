/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that were read without a score: missing, errored or unscored. */
#ifndef ASSAY_MISSING_H
#define ASSAY_MISSING_H

#include "assay/prompts.h"
#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of them. */
typedef enum assay_missing_policy {
    ASSAY_MISSING_DROP = 0,  /* left out of means */
    ASSAY_MISSING_WRONG = 1, /* counted as 0 */
    ASSAY_MISSING_BOUNDS = 2 /* left out, and bounds stand beside the mean */
} assay_missing_policy;

/* How much of a model's runs has a score. A prompt's rate is the mean of its runs, and a mean one of
   rates. */
typedef struct assay_missing {
    size_t prompts, all_prompts; /* with a scored run; with a run at all */
    size_t runs, all_runs;
    double low, high;   /* the mean over all prompts if every run without a score were 0; were 1 */
    double shared_mean; /* over the prompts that every model with a score has; NaN without any */
} assay_missing;

/**
 * Count the runs without a score of every model.
 *
 * @param results   borrowed for the call.
 * @param prompts   which items to count; NULL: all of the table.
 * @param by_model  assay_results_n_models() of them. Without a run: zeros, and NaN for the means.
 * @param n_shared  prompts on which every model with a score has one.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 * Cost: O(records x items).
 */
ASSAY_API assay_status assay_missing_count(const assay_results *results,
                                           const assay_prompts *prompts, assay_missing *by_model,
                                           size_t *n_shared);

/**
 * Let every row that was read without a score count as 0. What assay_results_coverage() says of the
 * rows stays. Cells that nothing was read for stay absent: a prompt that was not run is not wrong.
 *
 * @param n  how many cells; NULL is fine.
 * @return ASSAY_OK; ASSAY_E_VALUE when a score leaves 0..1, where 0 would not be wrong; ASSAY_E_NOMEM.
 *         After a failure the table can only be freed.
 * Cost: O(records x items).
 */
ASSAY_API assay_status assay_missing_as_wrong(assay_results *results, uint64_t *n);

#ifdef __cplusplus
}
#endif
#endif
