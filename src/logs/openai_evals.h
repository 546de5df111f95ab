/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of openai/evals (oaieval): JSON lines of a spec, events, and a final report. */
#ifndef ASSAY_LOGS_OPENAI_EVALS_H
#define ASSAY_LOGS_OPENAI_EVALS_H

#include "logs/head.h"
#include "read/table.h"

int assay_openai_evals_is_log(const assay_log_head *head);

/**
 * Read a log, to the end of the input; its lines may stand in any order but for the spec, which
 * comes before the events of its run.
 *
 * Model: the spec's completion functions, joined by commas, or its model_name. Item:
 * "EVAL/sample_id" with the spec's eval_name, by which models are joined. Run: run_id, so that a log given twice counts once and
 * another log of the eval is a further run; a sample that has several match events has several runs,
 * the further ones called "RUN_ID.2" and so on. Text: the last turn of the user in the sample's first
 * sampling event.
 *
 * Score: "correct" of match events, or the number of that name in metrics events that the metric
 * names; NULL: match where there are such events, else the first number; others are noted. A sample
 * without it is errored where it has an error event, else unscored.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no event has the metric (the sentence lists
 *         those there are); ASSAY_E_FORMAT for a log without samples.
 * Cost: O(bytes); memory for the prompts, and 40 bytes an event.
 */
assay_status assay_openai_evals_read(assay_table *table, const assay_log_head *head);

#endif
