/* SPDX-License-Identifier: Apache-2.0 */
/* What a table of results is, before anything is computed from it. */
#ifndef ASSAY_INSPECT_H
#define ASSAY_INSPECT_H

#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_inspection {
    size_t models, tasks, items, templates, runs, clusters; /* names there are; tasks: of logs */
    size_t models_scored, items_scored;                     /* with a score at all */
    size_t items_of_all;             /* that every model with a score has a score on */
    size_t fewest_items, most_items; /* that a model with a score has a score on */
    size_t items_with_text, distinct_texts;
    size_t most_templates_of_a_model; /* with a score of it */
    size_t items_that_differ;         /* with two different scores, of whatever model and run */
    size_t repeated_cells; /* of a model, template and item, with two scored runs or more */
    uint64_t scores;
    double low, high; /* of the scores; NaN without any */
    int binary;       /* every score is 0 or 1 */
} assay_inspection;

/* What can be asked of a table. */
typedef enum assay_question {
    ASSAY_ASK_SCORE = 0,     /* assay score */
    ASSAY_ASK_TEMPLATES = 1, /* assay templates */
    ASSAY_ASK_SIGNALS = 2,   /* assay signals */
    ASSAY_ASK_NOISE = 3,     /* the effective dimensionality with the noise removed */
    ASSAY_N_QUESTIONS = 4
} assay_question;

/**
 * Count what a table holds.
 *
 * @param results  borrowed for the call.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 * Cost: O(records x items), and O(bytes) of the items' texts.
 */
ASSAY_API assay_status assay_inspect(const assay_results *results, assay_inspection *out);

/* What the table lacks for a question, a literal sentence, or NULL where it can be asked. */
ASSAY_API const char *assay_inspection_lacks(const assay_inspection *inspection,
                                             assay_question question);

/* The command that asks it: "score"; "signals" for the last two. NULL for no such question. */
ASSAY_API const char *assay_question_command(assay_question question);

#ifdef __cplusplus
}
#endif
#endif
