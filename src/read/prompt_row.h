/* SPDX-License-Identifier: Apache-2.0 */
/* What a row of a file says of a prompt, copied. */
#ifndef ASSAY_READ_PROMPT_ROW_H
#define ASSAY_READ_PROMPT_ROW_H

#include "read/prompts.h"

typedef struct assay_prompt_row {
    char *text, *cluster; /* no cluster is NULL */
    char **turns;         /* n of them; a single one is the text itself */
    size_t n;
} assay_prompt_row; /* all zero is an empty one */

void assay_prompt_row_free(assay_prompt_row *row);

/* ASSAY_OK; ASSAY_E_FORMAT as assay_prompts_add() says. */
assay_status assay_prompt_row_check(const char *path, size_t line, assay_name id, size_t n_turns);

/* Copy turns (1 or more) and cluster; bytes that are not UTF-8, and NULs, become U+FFFD. 0, or -1
   without memory. */
int assay_prompt_row_take(assay_prompt_row *row, const assay_name *turns, size_t n,
                          assay_name cluster);

/* Give the latest id of the prompts what the row has. 0, or -1 without memory. */
int assay_prompt_row_put(assay_prompt_row *row, assay_prompts *prompts);

/* In what the row differs from a prompt ("text"); NULL: in nothing. */
const char *assay_prompt_row_difference(const assay_prompt_row *row, const assay_prompts *prompts,
                                        size_t prompt);

#endif
