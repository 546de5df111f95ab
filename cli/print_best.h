/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay templates --best` adds to the table, to the JSON object and as a figure. */
#ifndef ASSAY_CLI_PRINT_BEST_H
#define ASSAY_CLI_PRINT_BEST_H

#include "templates_answer.h"

/* The choice on grid k, below its table and as the key "best" of its object. */
void print_best(FILE *to, const struct templates_answer *answer, size_t k);
void json_best(assay_json *json, const struct templates_answer *answer, size_t k);

/* The study: a table, the key "best_study", and a figure. */
void print_best_study(FILE *to, const struct templates_answer *answer);
void json_best_study(assay_json *json, const struct templates_answer *answer);
void plot_best_study(FILE *to, const struct templates_answer *answer, const char *title);

#endif
