/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay signals` asks of one benchmark, and what it has found out. */
#ifndef ASSAY_CLI_SIGNALS_ANSWER_H
#define ASSAY_CLI_SIGNALS_ANSWER_H

#include "print_signals.h"
#include "signals_atlas.h"
#include "signals_copies.h"
#include "signals_reading.h"

#include <assay/matrix.h>

struct signals_request {
    struct cli_common common;
    struct cli_analysis analysis;
    struct cli_reading reading;
    int64_t permutations;
    int tetrachoric, stream, missing;
    struct signals_subsets_request subsets;
    struct signals_models_request models;
    const char *plot;
    struct signals_replicate replicate;
    struct signals_suite suite;
    struct signals_short_form short_form;
    struct signals_atlas atlas;
    struct signals_audit audit;
};

/* The parts, and the answer that points at them and at the request. */
struct signals_found {
    assay_matrix *matrix;
    assay_signals *fit;
    struct signals_copies copies;
    assay_tetrachoric_ed tetrachoric;
    struct signals_subsets subsets;
    struct signals_models models;
    struct signals_reading reading;
    struct signals_answer answer;
};

/* What the options say of the fit. */
assay_signals_options signals_options(const struct signals_request *request);

/* Everything that was asked for. Free it whatever happened; found stays where it is. */
assay_status signals_find(struct signals_request *request, const assay_signals_options *options,
                          const assay_results *results, struct signals_found *found);
void signals_free(struct signals_request *request, struct signals_found *found);

#endif
