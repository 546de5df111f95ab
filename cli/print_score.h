/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay score` as a table, as JSON, as a list of topics and as figures. */
#ifndef ASSAY_CLI_PRINT_SCORE_H
#define ASSAY_CLI_PRINT_SCORE_H

#include "score_answer.h"

#include <assay/json_writer.h>
#include <stdio.h>

/* On standard error: what makes the answer weaker than it looks. */
void print_score_warnings(const struct score_answer *answer);

/* Printers for cli_output() and cli_plot(); each takes a struct score_answer. */
assay_status print_score_table(FILE *to, const void *answer);
assay_status print_score_json(FILE *to, const void *answer);
assay_status print_score_topics(FILE *to, const void *answer);
assay_status print_score_prompts(FILE *to, const void *answer);
assay_status print_score_similarity(FILE *to, const void *answer);
assay_status print_score_together(FILE *to, const void *answer);
assay_status print_score_tree(FILE *to, const void *answer);
assay_status print_score_map(FILE *to, const void *answer);
assay_status print_score_densities(FILE *to, const void *answer);

/* The keys of the JSON that come after the head. */
void json_score(assay_json *json, const struct score_answer *answer);
/* With --every-eval-ever: an aggregate of Every Eval Ever for each model. Returns -1 to go on, or an exit
   status. */
int print_score_every_eval_ever(const struct score_answer *answer);

/* Where the numbers of the three readings stand among those of a model. */
struct score_readings {
    assay_score_number mean, spread[2], these[2], like[2], spread_sd, these_sd, like_sd;
};
extern const struct score_readings score_published, score_learnt;

/* Parts of the table that stand below it where they were asked for. */
void print_score_densest(FILE *to, const struct score_answer *answer);
void print_score_average(FILE *to, const struct score_answer *answer);
void print_score_extensions(FILE *to, const struct score_answer *answer);
void print_score_choices(FILE *to, const struct score_answer *answer);
void print_score_validation(FILE *to, const struct score_answer *answer);
void print_score_hopkins(FILE *to, const struct score_answer *answer);

/* What is said of the vectors that prompts are compared by: lines where there is anything to know; keys of
   the JSON, and "truncated" of its prompts. */
void print_score_embedding(FILE *to, const struct score_answer *answer);
void print_score_embedding_json(assay_json *json, const struct score_answer *answer);
void print_score_truncated_json(assay_json *json, const struct score_answer *answer);

/* What is said of runs without a score, and of models with other prompts than others. */
void print_score_missing(FILE *to, const struct score_answer *answer);
void print_score_missing_json(assay_json *json, const struct score_answer *answer, size_t model);
void print_score_policy_json(assay_json *json, const struct score_answer *answer);

/* What is said of prompts of several turns: a line where there are any; "turns" of the JSON. */
void print_score_turns(FILE *to, const struct score_answer *answer);
void print_score_turns_json(assay_json *json, const struct score_answer *answer);

/* The width that names of models take, and a name (or a heading in its place) as wide as that. */
int score_name_width(const struct score_answer *answer);
void print_score_name(FILE *to, const char *name, int width);

/* "  0.1234 0.5678 ", or a dash as wide. */
void print_score_interval(FILE *to, double low, double high);

/* A quoted field of CSV, as it was read. */
void print_score_field(FILE *to, const char *words);

/* " 12.3" with so many decimals to a width, or a dash. */
void print_score_number(FILE *to, int width, int decimals, double value);

#endif
