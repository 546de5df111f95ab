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
    const assay_signals_options *options;
    struct signals_reading read; /* how many signals there are */
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

/* The command that shows more: the inputs, and what the user said of them and of every estimate;
   of the other options that the user said those in also, a list; further columns to drop; and
   options of its own. None where that is too long. audit_command.c */
void audit_command(const struct audit_work *work, struct audit_answer *answer, const char *also,
                   const char *const *drop, size_t n_drop, const char *options);

/* One word more behind it, quoted as a shell needs it. */
void audit_command_word(struct audit_answer *answer, const char *word);

/* Whether columns can be dropped by their names. */
int audit_can_drop(const struct audit_work *work);

/* A name as it may be printed. */
enum { AUDIT_NAME = 48 };
char *audit_name(char out[AUDIT_NAME], const char *name);

/* The steps: audit_scales.c and audit_columns.c, audit_signals.c, audit_models.c, audit_admission.c. */
void audit_scales(struct audit_work *work);
void audit_redundancy(struct audit_work *work);
void audit_admission(struct audit_work *work);
void audit_signals(struct audit_work *work);
void audit_models(struct audit_work *work);

#endif
