/* SPDX-License-Identifier: Apache-2.0 */
/* Suites within `assay signals`: correlations of columns, their groups, admission of a new one. */
#ifndef ASSAY_CLI_SIGNALS_SUITE_H
#define ASSAY_CLI_SIGNALS_SUITE_H

#include "options.h"

#include <assay/json_writer.h>
#include <assay/readings.h>
#include <assay/redundancy.h>
#include <stdio.h>

enum { SIGNALS_N_SUITE = 9 };

/* The scan of groups: every linkage, in the order of assay_linkage, at .5, .55, ... .95. */
enum { SIGNALS_N_LINKAGES = 3, SIGNALS_N_THRESHOLDS = 10 };
extern const char *const signals_linkage_names[SIGNALS_N_LINKAGES];
double signals_threshold(int i);

/* One column that asks to be admitted. */
struct signals_admission {
    size_t column;
    assay_admission answer;
};

struct signals_suite {
    /* what was asked for */
    int pairs, groups, linkage;
    const char *given, *admit;
    double redundant, admit_below, group_threshold;
    int64_t resamples;
    /* the answer; fit is NULL for a reason */
    const assay_matrix *matrix;
    char *drop, *given_name; /* the columns to drop, the covariate among them; its name */
    const char *dropped;     /* those without it */
    uint64_t drop_met;       /* which of them the tables have */
    int as_log;
    assay_redundancy *fit;
    const char *reason;
    int in_table; /* whether people want to see it */
    double level;
    size_t n_without_given;
    size_t *labels, n_groups;
    size_t scan[SIGNALS_N_THRESHOLDS][SIGNALS_N_LINKAGES];
    struct signals_admission *admissions;
    size_t n_admissions;
    int admits_file; /* --admit named one, whose columns are the table's from this on: */
    size_t first_of_file;
    size_t n_models_of_file, n_matched, n_models; /* of the last, matched by name */
};

void signals_suite_options(struct signals_suite *suite, struct cli_option options[SIGNALS_N_SUITE]);

/* Before the input is read: the options, and the covariate is no item. ASSAY_OK; ASSAY_E_VALUE;
   ASSAY_E_NOMEM. */
assay_status signals_suite_check(struct signals_suite *suite, struct cli_reading *reading);

/* Once the input is read: what the user dropped has to be there, also where a covariate was named.
   ASSAY_OK; ASSAY_E_VALUE; ASSAY_E_NOMEM. */
assay_status signals_suite_check_dropped(const struct signals_suite *suite);

/* Where --admit names a file: read it, and join what it says of the suite's models to the table.
   ASSAY_OK, or what reading or joining returned. */
assay_status signals_suite_read(struct signals_suite *suite, const struct cli_common *common,
                                const struct cli_reading *reading, assay_results *results);

/* What all commands have: seed, level, threads. */
assay_status signals_suite_find(struct signals_suite *suite, const assay_results *results,
                                const assay_matrix *matrix,
                                const assay_redundancy_options *options);

/* An option that was said and has no effect on the answer as it is printed, for no pairs or groups
   are in it; or NULL. */
const char *signals_suite_unused(const struct signals_suite *suite, int is_json);
void signals_suite_free(struct signals_suite *suite);

/* Whether a pair's |Spearman| is above --redundant; NaN is not. */
int signals_is_redundant(const struct signals_suite *suite, double rho);

/* What the interval of its largest |Spearman| says of a column: below the limit (admitted), above it
   (refused), or undecided; unknown where none can be estimated. As the audit has it. */
assay_finding signals_admission_finding(const struct signals_suite *suite,
                                        const struct signals_admission *one);

/* Whether the columns are the scores of a few tasks, not the outcomes of items: at most 60, not all
   0 or 1. */
int signals_is_suite(const assay_matrix *matrix);

/* Blocks of the table; "given", "pairs", "groups", "groups_scan" and "admission" of the JSON. */
void print_signals_suite(FILE *to, const struct signals_suite *suite);
void json_signals_suite(assay_json *json, const struct signals_suite *suite);

/* Names of columns one after the other, in lines of at most 100 characters that begin with two
   spaces. */
void print_signals_names(FILE *to, const assay_matrix *matrix, const size_t *columns, size_t n);

#endif
