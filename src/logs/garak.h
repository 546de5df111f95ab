/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of garak (report.jsonl), from version 0.9 on. */
#ifndef ASSAY_LOGS_GARAK_H
#define ASSAY_LOGS_GARAK_H

#include "logs/head.h"
#include "read/table.h"

/* Whether a log is a report; a hitlog, which holds failures alone, from which no rate follows. */
int assay_garak_is_report(const assay_log_head *head);
int assay_garak_is_hitlog(const assay_log_head *head);

/**
 * Read a report, to the end of the input.
 *
 * Model: the target's type and name, "type:name" (without them, the file's path). Item: a prompt of
 * a probe, called "PROBE/HASH" after the SHA-256 of the prompt's text, so that it is the same item
 * in every report, or "PROBE/#SEQ" where there is no text. Its text is the last turn of the user;
 * its cluster is the probe. Run: an output, from "1". Score: 1 where the detector's score is below
 * run.eval_threshold (0.5 where no set-up line says another), 0 where the attack worked; an output
 * that the detector could not judge is unscored, one that the target never gave errored.
 *
 * Attempts are read as they are finished (status 2). Attempts are told apart by probe, uuid, seq,
 * prompt and outputs; a line that repeats one is counted once. An attempt with a prompt that its
 * probe sent before adds runs to that item.
 *
 * The metric of the options is the detector to score by, with or without "detector."; attempts without
 * it are left out. NULL: of each probe the one that garak names first, its primary one. Scores of two
 * detectors are never put together.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no attempt has the metric (the sentence
 *         lists those there are); ASSAY_E_FORMAT for a hitlog, and when no attempt is finished.
 * Cost: O(bytes); memory for a key of about 150 bytes an attempt.
 */
assay_status assay_garak_read(assay_table *table, const assay_log_head *head);

#endif
