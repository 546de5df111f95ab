/* SPDX-License-Identifier: Apache-2.0 */
/* The tetrachoric ED within `assay signals`: when it is estimated, and how it is printed. */
#ifndef ASSAY_CLI_SIGNALS_TETRACHORIC_H
#define ASSAY_CLI_SIGNALS_TETRACHORIC_H

#include <assay/json_writer.h>
#include <assay/tetrachoric.h>
#include <stdio.h>

/* Of the library's default number of items, or of more where asked for. */
assay_status signals_tetrachoric(const assay_matrix *matrix, int asked, int threads,
                                 assay_progress progress, assay_tetrachoric_ed *out);

/* A block of the table, and "ed_tetrachoric" of the JSON. */
void print_signals_tetrachoric(FILE *to, const assay_tetrachoric_ed *ed);
void json_signals_tetrachoric(assay_json *json, const assay_tetrachoric_ed *ed);

#endif
