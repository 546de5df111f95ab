/* SPDX-License-Identifier: Apache-2.0 */
/* What was seen of a samples file, and what of it the user hears. */
#ifndef ASSAY_LOGS_LM_EVAL_NOTES_H
#define ASSAY_LOGS_LM_EVAL_NOTES_H

#include "logs/lm_eval_about.h"

typedef struct assay_lm_eval_seen {
    assay_lm_eval_about about;
    assay_names metrics, filters;
    size_t chosen, filter; /* of those; SIZE_MAX: not met */
    assay_name asked_metric, asked_filter;
    size_t lines, used, scored, containers;
    size_t repeated;        /* lines with several answers to one request */
    size_t score_tasks;     /* documents of SCORE's */
    size_t lost_characters; /* prompts with U+FFFD */
    int not_split;          /* a pattern of task names was given, and does not fit */
} assay_lm_eval_seen;       /* all zero, but for SIZE_MAX, is a file without a line */

void assay_lm_eval_seen_free(assay_lm_eval_seen *seen);

/* Add the notes, or fail with ASSAY_E_VALUE because nothing of what was asked for was met, or no
   value is a score. */
assay_status assay_lm_eval_conclude(assay_table *table, const assay_lm_eval_seen *seen);

#endif
