/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay signals` as a table, as JSON and as a figure. */
#ifndef ASSAY_CLI_PRINT_SIGNALS_H
#define ASSAY_CLI_PRINT_SIGNALS_H

#include "session.h"
#include "signals_audit.h"
#include "signals_copies.h"
#include "signals_models.h"
#include "signals_reading.h"
#include "signals_replicate.h"
#include "signals_short_form.h"
#include "signals_subsets.h"
#include "signals_suite.h"

#include <assay/signals.h>
#include <assay/tetrachoric.h>

struct signals_answer {
    const struct cli_analysis *analysis;
    const assay_results *results;
    const assay_matrix *matrix;
    const assay_signals *fit;
    const assay_tetrachoric_ed *tetrachoric;
    const struct signals_copies *copies;
    const struct signals_replicate *replicate;
    const struct signals_subsets *subsets;
    const struct signals_models *models;
    const struct signals_suite *suite;
    const struct signals_short_form *short_form;
    const struct signals_reading *reading;
    const struct signals_audit *audit;
    uint64_t n_as_wrong; /* cells without a score that count as 0 */
};

/* The interval of ED that was asked for. */
struct signals_interval {
    double low, high;
    const char *reason, *method;
};
struct signals_interval signals_interval(const struct signals_answer *answer);

/* Name on standard error the columns that may be no items, and how to leave them out; of tells which
   of several matrices it is, NULL where there is one. */
void print_signals_doubts(const assay_matrix *matrix, const char *of);

/* The keys of the JSON that come after the head. */
void json_signals(assay_json *json, const struct signals_answer *answer);

/* Each takes a struct signals_answer: they are printers for cli_output(). */
assay_status print_signals_table(FILE *to, const void *answer);
assay_status print_signals_json(FILE *to, const void *answer);
assay_status print_signals_plot(FILE *to, const void *answer);
assay_status print_signals_saturation_plot(FILE *to, const void *answer);
assay_status print_signals_skill_plot(FILE *to, const void *answer);

#endif
