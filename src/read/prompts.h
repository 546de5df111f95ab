/* SPDX-License-Identifier: Apache-2.0 */
/* A prompt set from the inside: what its readers put into it. */
#ifndef ASSAY_READ_PROMPTS_H
#define ASSAY_READ_PROMPTS_H

#include "assay/prompts.h"
#include "data/names.h"
#include "read/header.h"

typedef enum assay_prompt_part {
    ASSAY_PROMPT_ID,
    ASSAY_PROMPT_TEXT,
    ASSAY_PROMPT_CLUSTER,
    ASSAY_N_PROMPT_PARTS
} assay_prompt_part;

/* An id, and which prompt has it. */
typedef struct assay_prompt_id {
    const char *id;
    size_t prompt;
} assay_prompt_id;

struct assay_prompts {
    assay_names ids;
    char **texts, **clusters; /* by id; no cluster is NULL */
    size_t texts_capacity, clusters_capacity;
    char **turns;       /* of all prompts; the only one of a prompt is its text itself */
    size_t *first_turn; /* by id, where its own begin, and after the last where they all end */
    size_t turns_capacity, first_turn_capacity, most_turns;
    size_t n_repeated, n_distinct;
    assay_prompt_id *sorted; /* by id */
};

/* Add a row of a file, or count it as repeated. A part with a NULL text is not there; a blank
   cluster counts as none. ASSAY_OK; ASSAY_E_FORMAT without an id or a text, or for an id that is
   blank, not UTF-8 or holds a NUL character; ASSAY_E_CONFLICT; ASSAY_E_NOMEM. */
assay_status assay_prompts_add(assay_prompts *prompts, const char *path, size_t line,
                               const assay_name parts[ASSAY_N_PROMPT_PARTS]);

/* The same with several turns (0: no text) in place of the text part, which is not looked at. */
assay_status assay_prompts_add_turns(assay_prompts *prompts, const char *path, size_t line,
                                     const assay_name parts[ASSAY_N_PROMPT_PARTS],
                                     const assay_name *turns, size_t n_turns);

/* Count the distinct texts and sort the ids, once all rows are added. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_prompts_finish(assay_prompts *prompts);

/* Read all rows of an input, whose kind its first bytes tell. What assay_prompts_read() returns. */
assay_status assay_prompts_read_rows(assay_prompts *prompts, const char *path,
                                     const assay_prompts_options *options);

#endif
