/* SPDX-License-Identifier: Apache-2.0 */
/* Results of LiveCodeBench: what its runner writes, and the tables of its site. */
#ifndef ASSAY_LOGS_LIVECODEBENCH_H
#define ASSAY_LOGS_LIVECODEBENCH_H

#include "logs/head.h"
#include "read/table.h"

int assay_livecodebench_is_graded(const assay_log_head *head); /* ..._eval_all.json */
int assay_livecodebench_is_tests(const assay_log_head *head);  /* ..._eval.json */
int assay_livecodebench_is_site(const assay_log_head *head);   /* {"performances": [...]} */
int assay_livecodebench_is_csv(const assay_log_head *head);    /* the same rows as CSV */

/**
 * Read ..._eval_all.json, to the end of the input.
 *
 * Model: the folder, where the file is called Scenario..., else the path. Item: question_id; in
 * scenarios that ask several things of a question the sample's id, or QUESTION/TEST, and the
 * cluster is the question. Run: an entry of graded_list, from "1"; score: that entry. Text:
 * question_content, where it belongs to one item.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE for a metric other than graded_list, or a
 *         filter.
 * Cost: O(bytes).
 */
assay_status assay_livecodebench_read_graded(assay_table *table, const assay_log_head *head);

/* Read ..._eval.json, [metrics, {INDEX: [[tests of a run], ...]}, ...]. Item: the index, which is
   no question's id; run: a list, from "1"; score: 1 where all its tests are above 0. Else the
   same. */
assay_status assay_livecodebench_read_tests(assay_table *table, const assay_log_head *head);

/**
 * Read a table of the site, JSON or CSV, to the end of the input.
 *
 * Model: model; item: sample_id, of which several belong to the cluster question_id, or without
 * one the question_id; score: Pass@1 in percent, divided by 100. The metric is any other number
 * that is called so: Pass@1-COT, pass1_cot. null and blanks are missing.
 *
 * @return what assay_read() returns; ASSAY_E_FORMAT where no score is above 1, so that it may be
 *         no percentage; ASSAY_E_VALUE for a metric that is not there, or a filter.
 * Cost: O(bytes).
 */
assay_status assay_livecodebench_read_site(assay_table *table, const assay_log_head *head);
assay_status assay_livecodebench_read_csv(assay_table *table, const assay_log_head *head);

#endif
