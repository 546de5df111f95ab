/* SPDX-License-Identifier: Apache-2.0 */
/* Results of EvalPlus (HumanEval+, MBPP+), of all versions. */
#ifndef ASSAY_LOGS_EVALPLUS_H
#define ASSAY_LOGS_EVALPLUS_H

#include "logs/head.h"
#include "logs/pick.h"
#include "read/table.h"

int assay_evalplus_is_one(const assay_log_head *head);

/**
 * Read eval_results.json, to the end of the input.
 *
 * Model: as assay_evalplus_model() has it. Item: a task; run: a solution, from "1", in the order
 * of the list. Metric plus: 1 where the solution passes the base tests and the added ones, 0
 * where it fails either, unscored where it passes the one and the other was not run. Metric base:
 * the base tests alone. Default: plus where the file has it for any solution, else base. A task
 * without a solution is missing.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE for another metric, or a filter.
 * Cost: O(bytes); memory for 32 bytes a solution.
 */
assay_status assay_evalplus_read(assay_table *table, const assay_log_head *head);

/* What one set of tests said. */
typedef enum assay_verdict {
    ASSAY_VERDICT_FAIL = 0, /* or ran out of time */
    ASSAY_VERDICT_PASS = 1,
    ASSAY_VERDICT_NONE = 2, /* null, or not there: not run */
    ASSAY_VERDICT_ODD = 3   /* a word that is neither */
} assay_verdict;

/* "pass" or "success"; "fail", "failed", "timeout", "timed out". */
assay_verdict assay_evalplus_verdict(const assay_value *status);

/* X of X_eval_results.json and X.eval_results.json; the folder of eval_results.json; a NULL text
   for other names. */
assay_name assay_evalplus_model(const char *path);

#endif
