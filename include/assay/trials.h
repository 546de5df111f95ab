/* SPDX-License-Identifier: Apache-2.0 */
/* Successes and trials of every model on a list of prompts. */
#ifndef ASSAY_TRIALS_H
#define ASSAY_TRIALS_H

#include "assay/prompts.h"
#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque and unchanging; free with assay_trials_free(). */
typedef struct assay_trials assay_trials;

/**
 * Count what a results table holds, prompt by prompt: every scored run of every template is a trial, and
 * its score is added to the successes. Templates and runs never become prompts.
 *
 * @param results  borrowed for the call.
 * @param prompts  which items to count, in which order; items of other ids are passed by and counted.
 *                 NULL: the table's items, in its order.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE when no prompt has a score; ASSAY_E_VALUE when a score leaves 0..1,
 *         with the range seen; ASSAY_E_NOMEM.
 * Cost: O(records x items).
 */
ASSAY_API assay_status assay_trials_count(const assay_results *results,
                                          const assay_prompts *prompts, assay_trials **out);
ASSAY_API void assay_trials_free(assay_trials *trials); /* NULL is fine */

ASSAY_API size_t assay_trials_n_models(const assay_trials *trials);
ASSAY_API size_t assay_trials_n_prompts(const assay_trials *trials);

/* n_models x n_prompts, row-major; 0 trials where a model has no score. Owned by the trials. Models
   without any score are left out: model k is assay_trials_model(k) of the table. */
ASSAY_API const double *assay_trials_successes(const assay_trials *trials);
ASSAY_API const double *assay_trials_trials(const assay_trials *trials);
ASSAY_API size_t assay_trials_model(const assay_trials *trials, size_t k);

/* Items of the table that are no prompt, and prompts without any score. */
ASSAY_API size_t assay_trials_n_unknown_items(const assay_trials *trials);
ASSAY_API size_t assay_trials_n_unscored_prompts(const assay_trials *trials);

/* 1 when some score is neither 0 nor 1: it then counts as a fraction of a success. */
ASSAY_API int assay_trials_are_fractional(const assay_trials *trials);

#ifdef __cplusplus
}
#endif
#endif
