/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of the Berkeley Function-Calling Leaderboard, whose files list only the failures. */
#ifndef ASSAY_LOGS_BFCL_H
#define ASSAY_LOGS_BFCL_H

#include "logs/head.h"
#include "read/table.h"

int assay_bfcl_is_scores(const assay_log_head *head);      /* ..._score.json */
int assay_bfcl_is_answers(const assay_log_head *head);     /* ..._result.json: no scores */
int assay_bfcl_is_leaderboard(const assay_log_head *head); /* data.csv: means by category */

/**
 * Read CATEGORY_score.json, to the end of the input.
 *
 * Model: the folder below "score...", else model_name of a failure, else the path. Item: an id of
 * the category, "CATEGORY/ID". Score: 0 for the ids that are listed, errored where the model
 * could not be asked (inference_error), 1 for the others. Which those are is read in the answers
 * of the same run, result.../MODEL/.../CATEGORY_result.json; where these are not there, they are
 * 0 .. total_count - 1 if all failing ids are such numbers, with one prefix or none. A failure
 * that stands twice counts once.
 *
 * @return what assay_read() returns; ASSAY_E_FORMAT where it is not known which ids passed, or
 *         the counts of the first line are not those of the ids; ASSAY_E_VALUE for a metric
 *         other than valid, or a filter.
 * Cost: O(bytes of both files); memory for the ids.
 */
assay_status assay_bfcl_read(assay_table *table, const assay_log_head *head);

#endif
