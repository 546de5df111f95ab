/* SPDX-License-Identifier: Apache-2.0 */
/* Results of BigCodeBench. */
#ifndef ASSAY_LOGS_BIGCODEBENCH_H
#define ASSAY_LOGS_BIGCODEBENCH_H

#include "logs/head.h"
#include "read/table.h"

int assay_bigcodebench_is_one(const assay_log_head *head);

/**
 * Read X_eval_results.json, to the end of the input.
 *
 * Model: X, or the folder, as EvalPlus has it. Item: a task; run: a solution, from "1", in the
 * order of the list. Score: 1 for "pass", 0 for "fail" and "timeout", unscored for another
 * status. A task without a solution is missing.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE for a metric other than status, or a filter.
 * Cost: O(bytes).
 */
assay_status assay_bigcodebench_read(assay_table *table, const assay_log_head *head);

#endif
