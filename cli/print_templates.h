/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay templates` as a table, as JSON, as CSV and as a figure. Each takes a struct
   templates_answer: they are printers for cli_output(). */
#ifndef ASSAY_CLI_PRINT_TEMPLATES_H
#define ASSAY_CLI_PRINT_TEMPLATES_H

#include "templates_answer.h"

#include <assay/json_writer.h>

assay_status print_templates_table(FILE *to, const void *answer);
assay_status print_templates_json(FILE *to, const void *answer);
assay_status print_templates_csv(FILE *to, const void *answer);
assay_status print_templates_plot(FILE *to, const void *answer);

/* Of published scores: what was read, and that the cells are drawn; in JSON the keys from schema to
   simulation. */
void print_templates_published(FILE *to, const struct templates_answer *answer);
void json_templates_published(assay_json *json, const struct templates_answer *answer);

/* A level as a key: "0.05". Then an estimate by that key, or null and why. */
void json_templates_level(assay_json *json, double level);
void json_templates_at_level(assay_json *json, double level, double value, const char *reason);

/* Intervals of a fit: two rows of the table, nothing where there are none; in JSON the key. */
void print_templates_intervals(FILE *to, const struct templates_answer *answer,
                               const assay_templates *fit);
void json_templates_interval(assay_json *json, const struct templates_answer *answer,
                             const assay_templates *fit);

/* The study: a table of each grid where there are several, and the means; in JSON its keys. */
assay_status print_templates_study(FILE *to, const struct templates_answer *answer);
assay_status json_templates_study(assay_json *json, const struct templates_answer *answer);

/* The keys of one grid. */
void json_templates_grid(assay_json *json, const struct templates_answer *answer, size_t k);

#endif
