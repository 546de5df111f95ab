/* SPDX-License-Identifier: Apache-2.0 */
/* Test runs of DeepEval: .latest_test_run.json, .latest_run_full.json, test_run_DATE.json, and what
   evaluate() returns, dumped as JSON. */
#ifndef ASSAY_LOGS_DEEPEVAL_H
#define ASSAY_LOGS_DEEPEVAL_H

#include "logs/head.h"
#include "read/table.h"

int assay_deepeval_is_run(const assay_log_head *head);

/**
 * Read a test run, to the end of the input; keys are camelCase or snake_case.
 *
 * Model: hyperparameters.model, else the run's identifier, else "test run HASH". Item: the first 16
 * digits of the SHA-256 of input and expected output (of a conversation, of scenario and expected
 * outcome, else of the user's turns); the name of a test case is its place in the run and is not
 * looked at. Text: the input, or the last turn. Run: a hash of all that the cases hold, in whatever
 * order, so that copies of one run are one and other runs of a model are further ones; an item that
 * comes again in a run is "HASH.2".
 *
 * Score: that of the metric asked for (its name, with or without " [...]" behind), NULL: of the first
 * in the run; others are noted. A metric with an error is errored and one without a score unscored,
 * whatever success says; so is a case without the metric unscored.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no case has the metric (the sentence lists
 *         those there are).
 * Cost: O(bytes); memory for the inputs, and 40 bytes a metric.
 */
assay_status assay_deepeval_read(assay_table *table, const assay_log_head *head);

#endif
