/* SPDX-License-Identifier: Apache-2.0 */
/* Instance-level lines of Every Eval Ever (UUID_samples.jsonl), schema 0.2 and 0.3. */
#ifndef ASSAY_LOGS_EVERY_EVAL_EVER_H
#define ASSAY_LOGS_EVERY_EVAL_EVER_H

#include "logs/head.h"
#include "read/table.h"

/* Whether a log holds instances; aggregates alone; one of the two schemas. */
int assay_every_eval_ever_is_instances(const assay_log_head *head);
int assay_every_eval_ever_is_aggregate(const assay_log_head *head);
int assay_every_eval_ever_is_schema(const assay_log_head *head);

/**
 * Read instance-level lines, to the end of the input.
 *
 * Model: model_id. Item: "EVALUATION_NAME/SAMPLE_ID", its content sample_hash, its text input.raw,
 * its cluster metadata.cluster or the evaluation. Run and template: metadata.run and
 * metadata.template, which the schema has no fields for. metadata.item is the item's whole name,
 * and then the evaluation is no part of it. Score: evaluation.score, or is_correct where there is
 * none. A line with an error is errored; metadata.state says errored, unscored or missing.
 *
 * A sample that K metrics judge stands on K lines, told apart by evaluation_result_id (else by
 * evaluation_name); lines are of one sample where model, sample_id, run, template and sample_hash
 * (else input.raw) agree. The metric of the options is such an id or name, or what the aggregate
 * calls it (metric_name, metric_id); NULL: the first of each sample. Lines of others are left out.
 *
 * The aggregate is X.json beside X_samples.jsonl, when it is there: where it has has_unknown_level,
 * a score of -1 is unscored; where lower is better, a note says so.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no line has the metric (the sentence lists
 *         those there are), or when samples have their metrics in different orders, so that there
 * is no first one. Cost: O(bytes); memory for a key a sample.
 */
assay_status assay_every_eval_ever_read(assay_table *table, const assay_log_head *head);

#endif
