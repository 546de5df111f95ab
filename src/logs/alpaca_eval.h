/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations of AlpacaEval: which of two answers a judge prefers. */
#ifndef ASSAY_LOGS_ALPACA_EVAL_H
#define ASSAY_LOGS_ALPACA_EVAL_H

#include "logs/head.h"
#include "read/table.h"

int assay_alpaca_eval_is_one(const assay_log_head *head);

/**
 * Read annotations.json, to the end of the input.
 *
 * Model: generator_2 (generator_1 is the reference that it is compared with). Item: an
 * instruction, called "DATASET/HASH" after its text, which is also the item's; cluster: the
 * dataset. Score: the preference less 1, from 0 (the reference is better) to 1; a preference of 0
 * is a tie, as 1.5 is, and scored 0.5. null, where the judge failed, is unscored, and so is
 * anything beyond 1 to 2.
 *
 * The metric of the options is the annotator, where a file has several; NULL: the first. Rows of
 * the others are left out.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no row has the annotator, and for a
 *         filter.
 * Cost: O(bytes).
 */
assay_status assay_alpaca_eval_read(assay_table *table, const assay_log_head *head);

#endif
