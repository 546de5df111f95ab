/* SPDX-License-Identifier: Apache-2.0 */
/* py-irt's jsonlines: a line a subject, with its responses to items. */
#ifndef ASSAY_LOGS_PY_IRT_H
#define ASSAY_LOGS_PY_IRT_H

#include "logs/head.h"
#include "read/table.h"

int assay_py_irt_is_one(const assay_log_head *head);

/**
 * Read lines of {"subject_id": S, "responses": {ITEM: 0 | 1}}, to the end of the input.
 *
 * Model: the subject; item: a key of its responses; an item that a subject does not name was
 * never put to it, and null is missing. {"successes": K, "trials": N} in place of a score is so
 * many of so many runs.
 *
 * @return what assay_read() returns; ASSAY_E_FORMAT for a line without a subject, for a response
 *         that is no score, or for counts that are none; ASSAY_E_VALUE for a metric or a filter.
 * Cost: O(bytes); memory for a subject's responses.
 */
assay_status assay_py_irt_read(assay_table *table, const assay_log_head *head);

#endif
