/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of models within `assay signals`: which there are, and ED without them. */
#ifndef ASSAY_CLI_SIGNALS_COPIES_H
#define ASSAY_CLI_SIGNALS_COPIES_H

#include <assay/json_writer.h>
#include <assay/model_copies.h>
#include <assay/signals.h>
#include <stdio.h>

struct signals_copies {
    const assay_matrix *matrix;
    assay_model_copies found;
    size_t *like; /* of each model */
    unsigned char *near;
    size_t n_left;          /* models that are no copies */
    assay_signals *without; /* where there are copies; NULL for a reason */
    char no_without[300];
    double level;
};

/* Find them, and where there are any fit again without them, by the same options. ASSAY_OK, or what
   the fit returned; free in either case. */
assay_status signals_copies_find(const assay_matrix *matrix, const assay_signals_options *options,
                                 struct signals_copies *copies);
void signals_copies_free(struct signals_copies *copies);

/* Lines below the matrix's shape, nothing where there is no copy; "model_copies" of the JSON. */
void print_signals_copies(FILE *to, const struct signals_copies *copies);
void json_signals_copies(assay_json *json, const struct signals_copies *copies);

#endif
