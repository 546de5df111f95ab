/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of Inspect AI: .eval (a zip archive of JSON) and .json, of every version so far. */
#ifndef ASSAY_LOGS_INSPECT_H
#define ASSAY_LOGS_INSPECT_H

#include "logs/head.h"
#include "read/table.h"

/* Whether a log is one: JSON with status, eval.task and eval.created, or an archive whose first
   member is one of Inspect's. */
int assay_inspect_is_log(const assay_log_head *head);

/**
 * Read a log.
 *
 * Model: eval.model. Item: the sample's id, as text, of eval.task. Run: the epoch. Text: the last
 * message of input that the model did not say; content, where the text alone does not tell an item
 * from others: a digest of all messages and choices, and of the id where Inspect cut the text at
 * 5,120 characters. Template: eval.task_args.template, .prompt_template, .template_id or
 * .prompt_id, the first that is text; above 100 bytes, or of several lines, it is called "sha256:"
 * and 16 digits.
 *
 * Score: a number, true or false, or text: C is 1, P .5, I and N 0, and what other readers take for
 * a score. A sample with an error is ASSAY_ERRORED; one whose value is NaN, null or other text, or
 * that lacks the scorer, ASSAY_UNSCORED. One that was invalidated is left out. The metric of the
 * options is a scorer, or "scorer/key" where its value is an object and "scorer/0" where it is an
 * array; NULL: the first that gives scores, those without a key before those with one.
 *
 * Of an archive are read header.json and summaries.json, and the archive's directory. A run that
 * was broken off has _journal/start.json and _journal/summaries/N.json instead, of which a later
 * entry replaces an earlier one of the same id and epoch. Where there is neither, and where the
 * header says that samples were invalidated, which summaries do not, the members samples/ are
 * passed through, one after the other in little memory. A log without samples that has their
 * reductions (the mean over epochs, say) is read by these, a run without a name.
 *
 * Of an archive above 256 MiB the input's digest is that of its central directory.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no sample has the metric (the sentence
 *         lists those there are); ASSAY_E_FORMAT for an archive that is damaged, contradicts
 *         itself, is not a file of its own, or has none of these members, and for a log without
 *         samples.
 * Cost: O(bytes read); memory for the samples' ids, texts and scores, about 300 bytes a sample.
 */
assay_status assay_inspect_read(assay_table *table, const assay_log_head *head);

#endif
