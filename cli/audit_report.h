/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay audit` was asked, what the three commands that it composes found, and the headlines that it
   makes of them. (The audit within `assay signals` is signals_audit.h.) */
#ifndef ASSAY_CLI_AUDIT_REPORT_H
#define ASSAY_CLI_AUDIT_REPORT_H

#include "score_answer.h"
#include "signals_answer.h"
#include "templates_answer.h"

#include <assay/item_statistics.h>
#include <assay/near_pairs.h>
#include <assay/raster.h>
#include <assay/tree_cuts.h>

enum { REPORT_TEXT = 640, REPORT_MOST_ANSWERS = 4, REPORT_MOST_GAPS = 20 };

struct report_request {
    struct cli_common common; /* its output is the page's */
    struct cli_analysis analysis;
    struct cli_reading reading;
    const char *prompts, *embed;
    char **paths; /* the inputs */
    int n_paths;
};

/* An answer of a few words; NaN and "" where there is nothing to say. */
struct report_answer {
    const char *id;
    char question[120], answer[REPORT_TEXT];
    double value, low, high, level;
    char no_interval[REPORT_TEXT]; /* why low and high are NaN */
    double n;
    char n_of[120];
    const char *unit; /* "share", or "" */
    const char *method, *estimand, *assumption;
    char *command; /* owned */
};

struct report_gap {
    char question[120], needs[REPORT_TEXT];
};

/* One of the numbers that are easily mixed up; NaN where it is not known. */
struct report_number {
    double value, low, high;
    char sentence[240];
};
enum { REPORT_DISTINCT, REPORT_EFFECTIVE, REPORT_DIMENSION, REPORT_N_NUMBERS };

/* What a model scores with every prompt alike, n of them; Wilson's interval, NaN where there is none. */
struct report_mean {
    size_t model; /* of the results */
    double mean, n, low, high;
};

/* What is drawn. Pictures without bytes, and lists that are NULL, are not there. */
struct report_figures {
    assay_item_statistics *items; /* of the matrix */
    assay_raster similarity, correlations, outcomes;
    double *x, *y, share; /* of the prompts */
    size_t *leaves;
    assay_tree_cut *cuts;
    size_t n_cuts;
    assay_near_pair *pairs;
    size_t n_pairs, n_pairs_found;
};

struct report {
    const struct report_request *request;
    assay_results *results;
    assay_matrix *matrix; /* NULL when nothing was scored */
    assay_trials *trials; /* of the items; NULL when scores are no shares */
    struct score_request score_request;
    struct score_answer score;
    struct templates_request templates_request;
    struct templates_answer templates;
    struct signals_request signals_request;
    struct signals_found signals;
    int has_score, has_templates, has_signals;
    int tried_signals; /* there is something to free */
    int no_texts;
    char no_score[REPORT_TEXT], no_templates[REPORT_TEXT], no_signals[REPORT_TEXT];
    char notes[2][REPORT_TEXT]; /* what was left out for the size of the data */
    size_t n_notes;
    struct report_mean *means; /* of each model of the score, else of the trials */
    size_t n_means;
    char title[200], subtitle[200];
    struct report_answer answers[REPORT_MOST_ANSWERS];
    size_t n_answers;
    struct report_gap gaps[REPORT_MOST_GAPS];
    size_t n_gaps;
    struct report_number numbers[REPORT_N_NUMBERS];
    struct report_figures figures;
    int is_page; /* JSON for the page: texts are cut */
};

/* The steps. Each returns ASSAY_OK also where the data do not allow an answer, and keeps the reason; else a
   status whose sentence cli_failed() tells. */
assay_status report_find_parts(struct report *report); /* score, templates, signals */
assay_status report_find_means(struct report *report);
assay_status report_find_answers(struct report *report); /* headlines, numbers, gaps */
assay_status report_find_figures(struct report *report);
void report_free(struct report *report);

/* The title and the line under it. */
void report_name(struct report *report);

/* The command that makes the report again; and that of one of its parts, with its inputs, options of
   reading, and these options behind. As a shell takes them; for free(), NULL without memory. */
char *report_command(const struct report *report);
char *report_command_of(const struct report *report, const char *command, int with_prompts,
                        const char *options);

/* Append to a text of that size; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) void report_say(char *text, size_t size, const char *format,
                                                      ...);

/* Printers for cli_output(); each takes a struct report. */
assay_status print_report_summary(FILE *to, const void *report);
assay_status print_report_json(FILE *to, const void *report);
assay_status print_report_page(FILE *to, const void *report);

/* "items" and "figures" of the JSON. json_audit_figures.c */
void json_report_items(assay_json *json, const struct report *report);
void json_report_figures(assay_json *json, const struct report *report);

/* A text, in the page's JSON cut to 300 characters. */
void json_report_text(assay_json *json, const struct report *report, const char *text);

#endif
