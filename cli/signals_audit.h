/* SPDX-License-Identifier: Apache-2.0 */
/* The audit within `assay signals`: BenchScope's four steps and a verdict, from what the other
   sections found. Rules: include/assay/readings.h; docs/signals.md, "The audit". */
#ifndef ASSAY_CLI_SIGNALS_AUDIT_H
#define ASSAY_CLI_SIGNALS_AUDIT_H

#include "options.h"

#include <assay/json_writer.h>
#include <assay/outcome_patterns.h>
#include <assay/short_form.h>
#include <assay/signals.h>
#include <assay/top_models.h>
#include <stdio.h>

struct signals_answer;

enum { SIGNALS_N_AUDIT = 1 };
enum { AUDIT_COMMAND = 4096 };
enum { AUDIT_TEXT = 640, AUDIT_TOP = 10, AUDIT_MOST_GAPS = 12, AUDIT_LEAST = 3, AUDIT_VERDICT = 6 };

/* The steps, as BenchScope's workflow has them. */
enum { AUDIT_REDUNDANCY = 1, AUDIT_SIGNALS, AUDIT_MODELS, AUDIT_ADMISSION, AUDIT_N_STEPS = 4 };

/* How grave a finding is: the verdict is in this order. What is fine as it is only fills it up to
   AUDIT_LEAST sentences. Ours. */
enum audit_weight {
    AUDIT_UNSAID,           /* no finding: never in the verdict */
    AUDIT_FINE,             /* nothing to do */
    AUDIT_ASIDE,            /* good to know */
    AUDIT_ADVICE,           /* what could be done */
    AUDIT_UNDECIDED,        /* data to collect */
    AUDIT_REPORT,           /* what to report of the benchmark; the answer on a new column */
    AUDIT_CHANGE_THE_SUITE, /* columns or items to merge, drop, refuse or replace */
    AUDIT_ORDER_IN_DOUBT,   /* the best models are not told apart */
    AUDIT_NO_SIGNAL,        /* the scores are not told from noise */
    AUDIT_SCALES_IN_DOUBT   /* what stands below is of the wrong columns */
};

struct audit_answer {
    int step;
    enum audit_weight weight;
    char question[120], answer[AUDIT_TEXT];
    double value, low, high;
    const char *no_interval; /* why low and high are NaN */
    const char *assumption;
    const char *action;          /* what to do about it */
    char command[AUDIT_COMMAND]; /* "" where it would be too long */
};

struct audit_gap {
    int step;
    const char *question;
    char needs[200];
};

struct signals_audit {
    int asked, no_short_form; /* the second: none is tried unasked */
    char **paths;             /* what the command line read */
    int n_paths;
    assay_outcome_patterns patterns;
    size_t *labels;       /* of each item */
    size_t *like, n_like; /* the earlier item that each equals but for holes, itself where none */
    const char *no_like;
    unsigned char *constant;
    assay_top_models top;
    size_t top_models[AUDIT_TOP];
    assay_short_form *form; /* where none was asked for */
    struct audit_answer *answers;
    size_t n_answers, n_rooms;
    struct audit_gap gaps[AUDIT_MOST_GAPS];
    size_t n_gaps;
    size_t verdict[AUDIT_VERDICT], n_verdict; /* which answers, the gravest first */
    const assay_matrix *matrix;
};

void signals_audit_options(struct signals_audit *audit, struct cli_option options[SIGNALS_N_AUDIT]);

/* Once every other section has its answer. Nothing where it was not asked for; free in any case. */
assay_status signals_audit_find(struct signals_audit *audit, const struct signals_answer *all,
                                const assay_signals_options *options);
void signals_audit_free(struct signals_audit *audit);

/* The table's sections, and "audit" of the JSON. print_signals_audit.c */
void print_signals_audit(FILE *to, const struct signals_answer *all);
void json_signals_audit(assay_json *json, const struct signals_answer *all);

#endif
