/* SPDX-License-Identifier: Apache-2.0 */
/* How the steps of the audit make their answers: numbers into sentences, by the rules of
   include/assay/readings.h. */
#ifndef ASSAY_CLI_AUDIT_ANSWERS_H
#define ASSAY_CLI_AUDIT_ANSWERS_H

#include "print_signals.h"

/* What the steps share. */
struct audit_work {
    struct signals_audit *audit;
    const struct signals_answer *all;
    const struct cli_reading *reading;
    const assay_signals_options *options;
};

/* A new answer, all NaN, which the step fills; there is room. */
struct audit_answer *audit_add(struct audit_work *work, int step, const char *question);

/* A question without an answer; the reason, or NULL, stands in brackets. */
void audit_gap(struct audit_work *work, int step, const char *question, const char *needs,
               const char *reason);

/* Append to a text of AUDIT_TEXT bytes; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) void audit_say(char *text, const char *format, ...);

/* " [low, high]" after the number that they belong to; nothing where there are none. */
void audit_say_interval(struct audit_answer *answer, int decimals);

/* " word", quoted as a shell needs it. */
void audit_word(char *text, const char *word);

/* The command that shows more: the inputs and columns as they were given, further columns to drop
   (or NULL), and options. */
void audit_command(const struct audit_work *work, char *text, const char *drop,
                   const char *options);

/* A name as it may be printed. */
enum { AUDIT_NAME = 48 };
char *audit_name(char out[AUDIT_NAME], const char *name);

/* The steps: the first and the last in audit_columns.c, then audit_signals.c and audit_models.c. */
void audit_redundancy(struct audit_work *work);
void audit_admission(struct audit_work *work);
void audit_signals(struct audit_work *work);
void audit_models(struct audit_work *work);

#endif
