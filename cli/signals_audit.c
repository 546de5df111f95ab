/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_audit.h"

#include "audit_answers.h"

#include <assay/readings.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Answers that do not depend on how many columns ask to be admitted, at most. */
enum { MOST_ANSWERS = 11 };

/* A short form is tried unasked up to so many cells: within seconds. */
enum { MOST_CELLS = 2000000 };

void signals_audit_options(struct signals_audit *audit, struct cli_option options[SIGNALS_N_AUDIT])
{
    const struct cli_option all[SIGNALS_N_AUDIT] = {
        { "audit", 0, CLI_FLAG, &audit->asked, NULL,
          "four steps and a verdict: redundancy, signals, time and skill, admission" },
    };

    *audit = (struct signals_audit){ 0 };
    memcpy(options, all, sizeof all);
}

/* A tenth of the items, at most 50; half of a few columns. 0: none to try. */
static size_t short_form_size(const assay_matrix *matrix, size_t n_constant)
{
    size_t n = assay_matrix_n_items(matrix), size = n >= 20 ? n / 10 : (n + 1) / 2;

    if (size > 50) size = 50;
    return n < 2 || size > n - n_constant ||
                   assay_matrix_n_models(matrix) > MOST_CELLS / assay_matrix_n_items(matrix)
               ? 0
               : size;
}

static assay_status choose_short_form(struct signals_audit *audit,
                                      const assay_signals_options *given)
{
    assay_short_form_options options;

    assay_short_form_options_init(&options, sizeof options);
    options.n_items = short_form_size(audit->matrix, audit->patterns.n_constant);
    options.seed = given->seed;
    options.level = given->level;
    options.threads = given->threads;
    options.progress = given->progress;
    if (options.n_items == 0) return ASSAY_OK;
    return assay_short_form_choose(audit->matrix, &options, &audit->form);
}

/* What no other section found. */
static assay_status look(struct audit_work *work)
{
    struct signals_audit *audit = work->audit;
    size_t n = assay_matrix_n_items(audit->matrix);
    assay_status status;

    audit->n_rooms = MOST_ANSWERS + work->all->suite->n_admissions;
    audit->labels = malloc(n * sizeof *audit->labels);
    audit->like = malloc(n * sizeof *audit->like);
    audit->constant = malloc(n);
    audit->answers = calloc(audit->n_rooms, sizeof *audit->answers);
    if (!audit->labels || !audit->like || !audit->constant || !audit->answers)
        return cli_no_memory();
    status = assay_outcome_patterns_find(audit->matrix, audit->labels, audit->constant,
                                         &audit->patterns);
    if (status == ASSAY_OK)
        status = assay_outcome_patterns_but_holes(audit->matrix, audit->labels, audit->constant,
                                                  audit->like, &audit->n_like, &audit->no_like);
    if (status == ASSAY_OK)
        status = assay_top_models_compare(audit->matrix, AUDIT_TOP, ASSAY_LIMIT_P,
                                          audit->top_models, &audit->top);
    if (status == ASSAY_OK && !work->all->short_form->form && !audit->no_short_form)
        status = choose_short_form(audit, work->options);
    return status;
}

/* The gravest first, and of equal ones in the order of the steps. */
static void judge(struct signals_audit *audit)
{
    for (int weight = AUDIT_SCALES_IN_DOUBT; weight >= AUDIT_FINE; weight--) {
        size_t most = weight == AUDIT_FINE ? AUDIT_LEAST : AUDIT_VERDICT;

        for (size_t i = 0; i < audit->n_answers && audit->n_verdict < most; i++)
            if ((int)audit->answers[i].weight == weight) audit->verdict[audit->n_verdict++] = i;
    }
}

assay_status signals_audit_find(struct signals_audit *audit, const struct signals_answer *all,
                                const assay_signals_options *options)
{
    struct audit_work work = { .audit = audit, .all = all, .options = options };
    assay_status status;

    if (!audit->asked) return ASSAY_OK;
    audit->matrix = all->matrix;
    work.read = *all->reading;
    if ((status = look(&work)) != ASSAY_OK) return status;
    audit_scales(&work);
    audit_redundancy(&work);
    audit_signals(&work);
    audit_models(&work);
    audit_admission(&work);
    judge(audit);
    return ASSAY_OK;
}

void signals_audit_free(struct signals_audit *audit)
{
    free(audit->labels);
    free(audit->like);
    free(audit->constant);
    free(audit->answers);
    assay_short_form_free(audit->form);
}

/* ---- what the steps share ---- */

struct audit_answer *audit_add(struct audit_work *work, int step, const char *question)
{
    struct audit_answer *answer = &work->audit->answers[work->audit->n_answers++];

    *answer = (struct audit_answer){ .step = step, .value = NAN, .low = NAN, .high = NAN };
    snprintf(answer->question, sizeof answer->question, "%s", question);
    return answer;
}

void audit_gap(struct audit_work *work, int step, const char *question, const char *needs,
               const char *reason)
{
    struct audit_gap *gap = &work->audit->gaps[work->audit->n_gaps++];

    gap->step = step;
    gap->question = question;
    snprintf(gap->needs, sizeof gap->needs, reason ? "%s (%s)" : "%s", needs, reason);
}

void audit_say(char *text, const char *format, ...)
{
    static const char cut[] = "...";
    size_t used = strlen(text), room = AUDIT_TEXT - used;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text + used, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= room)
        memcpy(text + AUDIT_TEXT - sizeof cut, cut, sizeof cut);
}

void audit_say_interval(struct audit_answer *answer, int decimals)
{
    if (!isnan(answer->low))
        audit_say(answer->answer, " [%.*f, %.*f]", decimals, answer->low, decimals, answer->high);
}

char *audit_name(char out[AUDIT_NAME], const char *name)
{
    return assay_printable(out, AUDIT_NAME, name, strlen(name));
}
