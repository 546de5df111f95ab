/* SPDX-License-Identifier: Apache-2.0 */
/* Results of OpenCompass with the details of single questions. */
#ifndef ASSAY_LOGS_OPENCOMPASS_H
#define ASSAY_LOGS_OPENCOMPASS_H

#include "logs/head.h"
#include "read/table.h"

int assay_opencompass_is_details(const assay_log_head *head);     /* read */
int assay_opencompass_is_judgments(const assay_log_head *head);   /* a judge's words in results/ */
int assay_opencompass_is_predictions(const assay_log_head *head); /* answers without scores */
int assay_opencompass_is_mean(const assay_log_head *head);        /* {"accuracy": 66.67} */

/**
 * Read results/MODEL/DATASET.json, to the end of the input.
 *
 * Model and task: as the path has them, where the file lies so; else the path, and none. A
 * dataset that was cut into DATASET_0.json, DATASET_1.json, ... is one task, whose items are
 * "PART/ID". Item: a key of details, or the example_abbr or place in a list. Score: "correct",
 * "is_correct" or another key that ends so, of which the metric of the options names one (NULL:
 * the first); one that is no truth or number is unscored. Run: with several replicas each entry
 * of such a list, from "1". Text: the prompt, or of one with several turns the last that is not
 * the model's.
 *
 * @return what assay_read() returns; ASSAY_E_FORMAT when no detail has a verdict; ASSAY_E_VALUE
 *         for a metric that is not there, or a filter.
 * Cost: O(bytes).
 */
assay_status assay_opencompass_read(assay_table *table, const assay_log_head *head);

#endif
