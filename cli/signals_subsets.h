/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay signals` says of parts of the matrix: saturation, halves, matched parts, and the
   interval from half samples. */
#ifndef ASSAY_CLI_SIGNALS_SUBSETS_H
#define ASSAY_CLI_SIGNALS_SUBSETS_H

#include "options.h"

#include <assay/json_writer.h>
#include <assay/saturation.h>
#include <assay/subsets.h>
#include <stdio.h>

struct signals_subsets_request {
    int saturation, split_half, half_sample;
    const char *matched; /* as it was said, and what that means */
    size_t matched_items, matched_models;
    int64_t draws;
};

enum { SIGNALS_SUBSETS_N_OPTIONS = 5 };
void signals_subsets_options(struct signals_subsets_request *request,
                             struct cli_option options[SIGNALS_SUBSETS_N_OPTIONS]);

/* ASSAY_OK or ASSAY_E_VALUE, before anything is read. */
assay_status signals_subsets_check(struct signals_subsets_request *request);

struct signals_subsets {
    const struct signals_subsets_request *request;
    int small_shape;
    assay_saturation saturation;
    assay_split_half halves;
    assay_matched matched;
    assay_half_sample half_sample;
};

/* What was asked for. */
assay_status signals_subsets(const assay_matrix *matrix,
                             const struct signals_subsets_request *request, double level,
                             const assay_subsets_options *options, struct signals_subsets *out);

/* Blocks of the table, and keys of the JSON. */
void print_signals_subsets(FILE *to, const struct signals_subsets *subsets);
void json_signals_subsets(assay_json *json, const struct signals_subsets *subsets);

#endif
