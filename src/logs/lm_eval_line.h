/* SPDX-License-Identifier: Apache-2.0 */
/* One line of lm-evaluation-harness's samples, whatever its version. */
#ifndef ASSAY_LOGS_LM_EVAL_LINE_H
#define ASSAY_LOGS_LM_EVAL_LINE_H

#include "data/names.h"
#include "logs/cell.h"

/* The values that the picker keeps. */
enum {
    ASSAY_LM_EVAL_DOC_ID,
    ASSAY_LM_EVAL_FILTER,
    ASSAY_LM_EVAL_DOC_HASH,
    ASSAY_LM_EVAL_PROMPT,
    ASSAY_LM_EVAL_PROMPT_ID,
    ASSAY_LM_EVAL_SAME_OPTION,
    ASSAY_LM_EVAL_QUESTION_ID,
    ASSAY_LM_EVAL_ANSWER_INDEX,
    ASSAY_LM_EVAL_QUESTION,
    ASSAY_LM_EVAL_PROBLEM
};

/* A key that is none of the harness's own: a metric, unless the line lists its metrics. */
typedef struct assay_lm_eval_other {
    char *name;
    size_t capacity;
    double score;
    assay_score_state state;
    int is_number, is_container; /* NaN is a number without a score */
} assay_lm_eval_other;

typedef struct assay_lm_eval_line {
    assay_lm_eval_other *others;
    size_t n_others, others_made, others_capacity;
    assay_names metrics; /* those that the line lists */
    int lists_metrics;
    size_t n_answers; /* to the document's first request */
    char *prompt;     /* the first text of the first list of arguments */
    size_t prompt_length, prompt_capacity;
    int has_prompt;
    void *owner;      /* whose lines these are */
} assay_lm_eval_line; /* all zero is an empty one */

/* Make the picker ready, whose callbacks fill the line, which is its user pointer. */
assay_status assay_lm_eval_line_open(assay_picker *picker, const char *path,
                                     assay_lm_eval_line *line);
void assay_lm_eval_line_clear(assay_lm_eval_line *line); /* before the next object */
void assay_lm_eval_line_free(assay_lm_eval_line *line);

int assay_lm_eval_line_is_metric(const assay_lm_eval_line *line, const assay_lm_eval_other *other);

/* The key of that name, or NULL. */
const assay_lm_eval_other *assay_lm_eval_line_find(const assay_lm_eval_line *line,
                                                   const char *name);

/* A document of SCORE's: template, item and text are the document's own. */
void assay_lm_eval_line_score_task(const assay_value *values, assay_log_cell *cell);

/* Whether a text holds U+FFFD, which stands for what could not be read. */
int assay_lm_eval_line_lost(assay_name text);

#endif
