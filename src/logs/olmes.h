/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions of OLMES (task-NNN-TASK-predictions.jsonl). */
#ifndef ASSAY_LOGS_OLMES_H
#define ASSAY_LOGS_OLMES_H

#include "logs/head.h"
#include "read/table.h"

/* Whether a log is a predictions file; its means (metrics.json, metrics-all.jsonl); what it sent to
   the model (requests, recorded inputs), which holds no scores. */
int assay_olmes_is_predictions(const assay_log_head *head);
int assay_olmes_is_metrics(const assay_log_head *head);
int assay_olmes_is_requests(const assay_log_head *head);

/**
 * Read a predictions file, to the end of the input.
 *
 * Beside PREFIX-predictions.jsonl stands PREFIX-metrics.json, of which task_name is the task (else
 * what stands for TASK in the file's name), model_config.model the model (else model_hash of the
 * line, else the file), and task_config.primary_metric the metric. Item: native_id, or doc_id where
 * there is none; its cluster is the task.
 *
 * Score: metrics.NAME of the options' metric, or the primary one, or the first that is a score of
 * its own (no predicted_index_*, correct_choice, no_answer, or logarithm); null is unscored.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no line has the metric (the sentence lists
 *         those there are); ASSAY_E_FORMAT for a line without an id.
 * Cost: O(bytes).
 */
assay_status assay_olmes_read(assay_table *table, const assay_log_head *head);

#endif
