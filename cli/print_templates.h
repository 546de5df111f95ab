/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay templates` as a table, as JSON, as CSV and as a figure. Each takes a struct
   templates_answer: they are printers for cli_output(). */
#ifndef ASSAY_CLI_PRINT_TEMPLATES_H
#define ASSAY_CLI_PRINT_TEMPLATES_H

#include "templates_answer.h"

assay_status print_templates_table(FILE *to, const void *answer);
assay_status print_templates_json(FILE *to, const void *answer);
assay_status print_templates_csv(FILE *to, const void *answer);
assay_status print_templates_plot(FILE *to, const void *answer);

#endif
