/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay signals --atlas` as a table, JSON, CSV and a figure. */
#ifndef ASSAY_CLI_PRINT_ATLAS_H
#define ASSAY_CLI_PRINT_ATLAS_H

#include <assay/base.h>
#include <stdio.h>

/* Each takes a struct atlas_answer: they are printers for cli_output(). */
assay_status print_atlas_table(FILE *to, const void *answer);
assay_status print_atlas_json(FILE *to, const void *answer);
assay_status print_atlas_csv(FILE *to, const void *answer);
assay_status print_atlas_plot(FILE *to, const void *answer);

#endif
