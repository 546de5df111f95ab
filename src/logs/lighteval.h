/* SPDX-License-Identifier: Apache-2.0 */
/* lighteval's details: a Parquet file a task, a row a document. */
#ifndef ASSAY_LOGS_LIGHTEVAL_H
#define ASSAY_LOGS_LIGHTEVAL_H

#include "logs/head.h"
#include "read/parquet.h"
#include "read/table.h"

/* Whether the columns are those of details: doc and metric since 0.10; before, metrics beside example
   or full_prompt. */
int assay_lighteval_is_details(const assay_parquet *parquet);

/* results_DATE.json */
int assay_lighteval_is_results(const assay_log_head *head);

/**
 * Read the rows of details.
 *
 * Task: what stands between "details_" and "_DATE" in the file's name, with its few-shot count
 * ("mmlu:anatomy|5"); else doc.task_name. Model: the folders between "details" and the one of the
 * date, else what results_DATE.json beside the file calls it, else as the file is called. Item: a
 * hash of what is asked (doc.query, else example, else full_prompt) and its choices; the second row
 * of one hash is called HASH.2; rows that ask nothing are called by their order, "#0" on. Text:
 * what is asked. Score: the metric of --metric, else the first that is a number; null, NaN and
 * what is no number are unscored. Up to 0.6 every cell is text as Python prints it
 * (logs/python_literal.h).
 *
 * @return what assay_read() returns; ASSAY_E_FORMAT for other columns, or metrics that are no
 *         dict; ASSAY_E_VALUE for a metric that no row has, for a filter, and where an option names a
 *         column.
 * Cost: O(bytes); memory for the ids.
 */
assay_status assay_lighteval_read(assay_table *table, assay_parquet *parquet);

#endif
