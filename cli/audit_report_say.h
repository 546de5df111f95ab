/* SPDX-License-Identifier: Apache-2.0 */
/* How the headlines of `assay audit` are made. */
#ifndef ASSAY_CLI_AUDIT_REPORT_SAY_H
#define ASSAY_CLI_AUDIT_REPORT_SAY_H

#include "audit_report.h"

enum { REPORT_NAME = 64 };

/* Each adds its answer and numbers where there are any. ASSAY_OK, or a status that cli_failed() tells. */
assay_status report_answer_score(struct report *report);
assay_status report_answer_prompts(struct report *report);
assay_status report_answer_signals(struct report *report);
assay_status report_answer_templates(struct report *report);

/* A new answer, all NaN; there is room. */
struct report_answer *report_add(struct report *report, const char *id, const char *question);

/* The command that tells more of it. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status report_give_command(struct report *report, struct report_answer *answer,
                                 const char *command, int with_prompts, const char *options);

/* Whether the table has room for one signal only: two models, or one item. */
int report_is_one_by_shape(const struct report *report);

/* A model's name as it may be printed. */
const char *report_shown(char safe[REPORT_NAME], const char *name);

#endif
