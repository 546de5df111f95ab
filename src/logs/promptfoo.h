/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of promptfoo (-o FILE.json, .jsonl, .csv), in every version from the first with JSON on. */
#ifndef ASSAY_LOGS_PROMPTFOO_H
#define ASSAY_LOGS_PROMPTFOO_H

#include "logs/head.h"
#include "read/table.h"

/* Whether a log is an output of promptfoo that is read: JSON, lines of results, or a table; a table of
   the versions that wrote verdict and answer into one cell, which is not. */
int assay_promptfoo_is_output(const assay_log_head *head);
int assay_promptfoo_is_old_table(const assay_log_head *head);

/**
 * Read an output, to the end of the input. All forms of one run give the same cells.
 *
 * Model: the provider's label, or its id; where two providers of a run are called alike the later is
 * "NAME #2". Item: a test, called by the first 16 digits of the SHA-256 of its variables (by name,
 * those that are empty, null, called sessionId or begin with an underscore left out); where tests of
 * one file differ in their assertions alone, "HASH-HASH" with those of the assertions. Content: the
 * hash of variables and assertions (a table holds none). Template: promptId, the SHA-256 of the
 * prompt's label. Run: a repetition of the test, from "1", in the order of testIdx, without one in
 * the order of the file. Cluster: metadata.cluster of the test, if there. Text: the prompt as the
 * first template renders it (a table holds none).
 *
 * Score: "score", or the one of namedScores that the metric names, or 1 and 0 for the metric
 * "success"; a table has two digits of it. A result with failureReason 2, or with an error and no
 * grading where there is no failureReason, is errored.
 *
 * Noted: other scores, tests without assertions, answers out of the cache, and repetitions that are
 * all the same. In a folder, a table beside its run's .json or .jsonl is left out.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no result has the metric (the sentence lists
 *         those there are).
 * Cost: O(bytes); memory for about 100 bytes a result, and the texts.
 */
assay_status assay_promptfoo_read(assay_table *table, const assay_log_head *head);

#endif
