/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments of MT-bench (FastChat): of single answers, and of pairs. */
#ifndef ASSAY_LOGS_MT_BENCH_H
#define ASSAY_LOGS_MT_BENCH_H

#include "logs/head.h"
#include "read/table.h"

int assay_mt_bench_is_single(const assay_log_head *head);
int assay_mt_bench_is_pair(const assay_log_head *head);

/**
 * Read JUDGE_single.jsonl or JUDGE_pair.jsonl, to the end of the input.
 *
 * Item: a turn of a question, "QUESTION/TURN": the second turn asks something else, and is no run
 * of the first. Cluster: the question. Of single answers the score is the judge's, from 1 to 10;
 * -1, where none could be read from its words, is unscored.
 *
 * A pair scores both of its models: 1 for the winner and 0 for the loser where both games (the
 * second with the answers changed over) have one winner, 0.5 for both where they have two or a
 * tie, and unscored where a game is an error. A model's template is "vs OPPONENT", so that
 * several opponents are averaged within an item.
 *
 * The metric of the options is the judge, where a file has several; NULL: the first.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no row has the judge, and for a filter.
 * Cost: O(bytes).
 */
assay_status assay_mt_bench_read(assay_table *table, const assay_log_head *head);

#endif
