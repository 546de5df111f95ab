/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of lm-evaluation-harness (--log_samples), from version 0.4.0 on. */
#ifndef ASSAY_LOGS_LM_EVAL_H
#define ASSAY_LOGS_LM_EVAL_H

#include "logs/head.h"
#include "read/table.h"

/* Whether a log is a samples file; a results file, which holds no items; the prompts of SCORE's
   tasks, which hold no results at all. */
int assay_lm_eval_is_samples(const assay_log_head *head);
int assay_lm_eval_is_results(const assay_log_head *head);
int assay_lm_eval_is_prompts(const assay_log_head *head);

/**
 * Read a samples file, to the end of the input: lines, or the one array of 0.4.0 to 0.4.2.
 *
 * Model and task: as lm_eval_about.h finds them. Item: "TASK/DOC_ID", its content doc_hash, its
 * text arguments.gen_args_0.arg_0 (or the first text of the first list), its cluster the task.
 * Where the options give a pattern of task names (task_name.h), a task that fits it is a template
 * of the task that the pattern finds. SCORE's documents name their template themselves:
 * doc.prompt_id, or doc.always_same_option where the order of options varies; their item is
 * doc.question_id (else doc.original_answer_index), their text doc.question or doc.problem, and
 * their content that text, because doc_hash tells templates apart.
 *
 * Score: the metric of the options, or the first of "metrics" (before 0.4.7: of the keys that are
 * none of the harness's own) that is a number, truth value or number as text. NaN, null and a key
 * that is not there are unscored. A metric may also be called as in the results file,
 * "METRIC,FILTER".
 *
 * Filter: that of the options, or the first that is met; lines of others are left out. A file whose
 * only filter is "none" knows no filters, and is read whatever the options say. Before 0.4.7 lines
 * do not name it: the k-th line of a document is of filter "#k".
 *
 * Notes tell what else there is: metrics, filters, answers that were never scored (repeats), rows
 * that the results file counts and the samples lack, errors there that are no number, metrics of
 * which lower is better or which are no mean of items, and prompts with characters that were lost.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no line has the metric or filter (the
 * sentence lists those there are), or none of its values is a number; ASSAY_E_FORMAT for a line
 * without doc_id. Cost: O(bytes); memory for an id an item where lines name no filter.
 */
assay_status assay_lm_eval_read(assay_table *table, const assay_log_head *head);

#endif
