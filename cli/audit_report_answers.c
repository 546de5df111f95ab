/* SPDX-License-Identifier: Apache-2.0 */
/* The headlines of `assay audit`. Which interval may stand beside which was measured:
   bench/coverage_audit.c, docs/audit.md. */
#include "audit_report_say.h"

#include <math.h>
#include <string.h>

static void find_gaps(struct report *report);

assay_status report_find_answers(struct report *report)
{
    assay_status status;

    for (int k = 0; k < REPORT_N_NUMBERS; k++)
        report->numbers[k] = (struct report_number){ NAN, NAN, NAN, "" };
    status = report_answer_score(report);
    if (status == ASSAY_OK) status = report_answer_prompts(report);
    if (status == ASSAY_OK) status = report_answer_templates(report);
    if (status == ASSAY_OK) status = report_answer_signals(report);
    if (status == ASSAY_OK) find_gaps(report);
    return status;
}

struct report_answer *report_add(struct report *report, const char *id, const char *question)
{
    struct report_answer *answer = &report->answers[report->n_answers++];

    *answer = (struct report_answer){ .id = id,
                                      .value = NAN,
                                      .low = NAN,
                                      .high = NAN,
                                      .n = NAN,
                                      .level = report->request->analysis.level,
                                      .unit = "" };
    snprintf(answer->question, sizeof answer->question, "%s", question);
    return answer;
}

assay_status report_give_command(struct report *report, struct report_answer *answer,
                                 const char *command, int with_prompts, const char *options)
{
    answer->command = report_command_of(report, command, with_prompts, options);
    return answer->command ? ASSAY_OK : cli_no_memory();
}

const char *report_shown(char safe[REPORT_NAME], const char *name)
{
    assay_printable(safe, REPORT_NAME, name, strlen(name));
    return *safe ? safe : "the model";
}

/* ---- what is not answered ---- */

static void add_gap(struct report *report, const char *question, const char *needs,
                    const char *reason)
{
    struct report_gap *gap = &report->gaps[report->n_gaps];

    if (report->n_gaps == REPORT_MOST_GAPS) return;
    report->n_gaps++;
    snprintf(gap->question, sizeof gap->question, "%s", question);
    snprintf(gap->needs, sizeof gap->needs, *reason ? "%s; %s" : "%s", needs, reason);
}

static void find_gaps(struct report *report)
{
    const struct signals_audit *audit = &report->signals_request.audit;

    if (!report->has_score)
        add_gap(report, "How many independent prompts are there?",
                "the texts of the prompts, with scores from 0 to 1 (--prompts FILE)",
                report->no_texts ? "" : report->no_score);
    if (!report->has_score && !report->trials)
        add_gap(report, "What do the models score?", "scores from 0 to 1", "");
    if (!report->has_templates)
        add_gap(report, "How far does the score move when the prompt is reworded?",
                "answers under two wordings of each prompt or more (a column template)",
                report->no_templates);
    if (!report->has_signals)
        add_gap(report, "How many signals does it give?",
                "three models or more on the same items, two or more", report->no_signals);
    else if (report_is_one_by_shape(report))
        add_gap(report, "How many signals does it give?",
                "three models or more on the same items, two or more",
                "two models, or one item, show one signal by definition");
    for (size_t k = 0; report->has_signals && k < audit->n_gaps; k++)
        if (audit->gaps[k].step == AUDIT_SIGNALS && !report_is_one_by_shape(report))
            add_gap(report, audit->gaps[k].question, audit->gaps[k].needs, "");
    if (report->has_signals)
        add_gap(report, "What changed between the first and the last models?",
                "the dates of the models (assay signals --dates)", "");
}
