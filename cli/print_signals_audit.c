/* SPDX-License-Identifier: Apache-2.0 */
#include "print_signals.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 100, MARGIN = 5, SHOWN = 8 };

/* ---- the table ---- */

/* Words in lines of at most WIDTH characters, the first after what stands there, the others after a
   margin. */
static void print_words(FILE *to, const char *text, size_t *at)
{
    while (*text) {
        size_t length = strcspn(text, " ");

        if (*at > MARGIN && *at + 1 + length > WIDTH) {
            fprintf(to, "\n%*s", MARGIN, "");
            *at = MARGIN;
        } else if (*at > MARGIN) {
            putc(' ', to);
            (*at)++;
        }
        fwrite(text, 1, length, to);
        *at += length;
        text += length;
        while (*text == ' ') text++;
    }
}

static void print_safely(FILE *to, const char *text, size_t *at)
{
    char safe[2 * AUDIT_TEXT];

    print_words(to, assay_printable(safe, sizeof safe, text, strlen(text)), at);
}

/* Whether an item is the first of several with its pattern. Patterns are numbered by first
   appearance: the items before it have lower numbers. */
static int begins_shared(const struct signals_audit *audit, size_t item, size_t *seen)
{
    if (audit->labels[item] < *seen) return 0;
    *seen = audit->labels[item] + 1;
    if (audit->constant[item]) return 0;
    for (size_t i = item + 1; i < assay_matrix_n_items(audit->matrix); i++)
        if (audit->labels[i] == audit->labels[item]) return 1;
    return 0;
}

/* A few names after a label, in lines of their own. */
static void print_label(FILE *to, const char *label, size_t *at)
{
    *at = MARGIN;
    fprintf(to, "%*s", MARGIN, "");
    print_words(to, label, at);
}

static void print_constant(FILE *to, const struct signals_audit *audit)
{
    size_t shown = 0, at = MARGIN;

    for (size_t i = 0; i < assay_matrix_n_items(audit->matrix) && shown < SHOWN; i++) {
        if (!audit->constant[i]) continue;
        if (shown++ == 0) print_label(to, "constant:", &at);
        print_safely(to, assay_matrix_item(audit->matrix, i), &at);
    }
    if (shown < audit->patterns.n_constant) print_words(to, "... (all of them: --json)", &at);
    if (shown) putc('\n', to);
}

static void print_alike(FILE *to, const struct signals_audit *audit)
{
    size_t n = assay_matrix_n_items(audit->matrix), shown = 0, seen = 0, at;

    for (size_t i = 0; i < n && shown < SHOWN; i++) {
        size_t members = 0;

        if (!begins_shared(audit, i, &seen)) continue;
        shown++;
        print_label(to, "alike:", &at);
        for (size_t j = i; j < n && members <= SHOWN; j++)
            if (audit->labels[j] == audit->labels[i] && members++ < SHOWN)
                print_safely(to, assay_matrix_item(audit->matrix, j), &at);
            else if (audit->labels[j] == audit->labels[i])
                print_words(to, "...", &at);
        putc('\n', to);
    }
    if (shown < audit->patterns.n_shared) {
        print_label(to, "and more such groups (all of them: --json)", &at);
        putc('\n', to);
    }
}

/* Items and the earlier one that each equals but for holes. */
static void print_but_holes(FILE *to, const struct signals_audit *audit)
{
    size_t shown = 0, at = MARGIN;

    for (size_t i = 0; i < assay_matrix_n_items(audit->matrix) && shown < SHOWN; i++) {
        if (audit->like[i] == i) continue;
        shown++;
        print_label(to, "alike but for holes:", &at);
        print_safely(to, assay_matrix_item(audit->matrix, audit->like[i]), &at);
        print_safely(to, assay_matrix_item(audit->matrix, i), &at);
        putc('\n', to);
    }
    if (shown < audit->n_like) {
        print_label(to, "and more such pairs (all of them: --json)", &at);
        putc('\n', to);
    }
}

static void print_step(FILE *to, const struct signals_audit *audit, int step)
{
    static const char *const names[] = { "", "redundancy", "how many signals", "time and skill",
                                         "admission" };

    fprintf(to, "%d. %s\n", step, names[step]);
    for (size_t i = 0; i < audit->n_answers; i++) {
        size_t at = MARGIN;

        if (audit->answers[i].step != step) continue;
        fprintf(to, "%*s", MARGIN, "   - ");
        print_safely(to, audit->answers[i].answer, &at);
        putc('\n', to);
    }
    if (step == AUDIT_REDUNDANCY) {
        print_constant(to, audit);
        print_alike(to, audit);
        print_but_holes(to, audit);
    }
    for (size_t i = 0; i < audit->n_gaps; i++) {
        size_t at = MARGIN;

        if (audit->gaps[i].step != step) continue;
        fprintf(to, "%*s", MARGIN, "   - ");
        print_words(to, audit->gaps[i].question, &at);
        print_words(to, "Unanswered; needs", &at);
        print_words(to, audit->gaps[i].needs, &at);
        putc('\n', to);
    }
    putc('\n', to);
}

/* In one line, however long, so that it can be taken as it stands. */
static void print_command(FILE *to, const char *command)
{
    char safe[2 * AUDIT_COMMAND];

    assay_printable(safe, sizeof safe, command, strlen(command));
    if (!*command || strcmp(safe, command) != 0)
        fprintf(to, "%*s(the command is too long, or has names that cannot be printed: --json)\n",
                MARGIN, "");
    else
        fprintf(to, "%*s%s\n", MARGIN, "", command);
}

static void print_verdict(FILE *to, const struct signals_audit *audit)
{
    fputs("verdict, the gravest first\n", to);
    for (size_t i = 0; i < audit->n_verdict; i++) {
        const struct audit_answer *answer = &audit->answers[audit->verdict[i]];
        size_t at = MARGIN;

        fprintf(to, "%3zu. ", i + 1);
        print_safely(to, answer->answer, &at);
        putc('\n', to);
        print_label(to, "assumes:", &at);
        print_words(to, answer->assumption, &at);
        putc('\n', to);
        print_label(to, "do:", &at);
        print_words(to, answer->action, &at);
        putc('\n', to);
        print_command(to, answer->command);
    }
    putc('\n', to);
}

void print_signals_audit(FILE *to, const struct signals_answer *all)
{
    /* What was asked for by itself stands before it, and what is always shown of a suite. */
    print_signals_subsets(to, all->subsets);
    print_signals_models(to, all->models);
    print_signals_suite(to, all->suite);
    print_signals_short_form(to, all->short_form, all->reading);
    for (int step = 1; step <= AUDIT_N_STEPS; step++) print_step(to, all->audit, step);
    print_verdict(to, all->audit);
}

/* ---- JSON ---- */

static void text(assay_json *json, const char *key, const char *value)
{
    assay_json_key(json, key);
    assay_json_text(json, value);
}

static void json_interval(assay_json *json, const struct audit_answer *answer)
{
    assay_json_key(json, "interval");
    if (isnan(answer->low)) {
        assay_json_null(json);
        text(json, "interval_reason", answer->no_interval);
        return;
    }
    assay_json_begin_array_in_line(json);
    assay_json_number(json, answer->low);
    assay_json_number(json, answer->high);
    assay_json_end_array(json);
}

static void json_answer(assay_json *json, const struct audit_answer *answer, int is_verdict)
{
    assay_json_begin_object(json);
    if (!is_verdict) {
        assay_json_key(json, "step");
        assay_json_count(json, (uint64_t)answer->step);
    }
    text(json, "question", answer->question);
    text(json, "answer", answer->answer);
    assay_json_key(json, "value");
    assay_json_number(json, answer->value);
    json_interval(json, answer);
    text(json, "assumption", answer->assumption);
    if (is_verdict) text(json, "do", answer->action);
    if (*answer->command) {
        text(json, "command", answer->command);
    } else {
        assay_json_key(json, "command");
        assay_json_null(json);
        text(json, "command_reason", "longer than 4,095 bytes");
    }
    assay_json_end_object(json);
}

/* The items of a pattern that several have. */
static void json_members(assay_json *json, const struct signals_audit *audit, size_t first)
{
    assay_json_begin_array_in_line(json);
    for (size_t i = first; i < assay_matrix_n_items(audit->matrix); i++)
        if (audit->labels[i] == audit->labels[first])
            assay_json_text(json, assay_matrix_item(audit->matrix, i));
    assay_json_end_array(json);
}

/* Pairs: the earlier item, and the one that equals it but for holes. */
static void json_but_holes(assay_json *json, const struct signals_audit *audit)
{
    if (audit->no_like) {
        cli_json_estimate(json, "but_holes", NAN, audit->no_like);
        return;
    }
    assay_json_key(json, "but_holes");
    assay_json_begin_array(json);
    for (size_t i = 0; i < assay_matrix_n_items(audit->matrix); i++) {
        if (audit->like[i] == i) continue;
        assay_json_begin_array_in_line(json);
        assay_json_text(json, assay_matrix_item(audit->matrix, audit->like[i]));
        assay_json_text(json, assay_matrix_item(audit->matrix, i));
        assay_json_end_array(json);
    }
    assay_json_end_array(json);
}

static void json_patterns(assay_json *json, const struct signals_audit *audit)
{
    size_t n = assay_matrix_n_items(audit->matrix), seen = 0;

    assay_json_key(json, "patterns");
    assay_json_begin_object(json);
    assay_json_key(json, "distinct");
    assay_json_count(json, audit->patterns.n_distinct);
    assay_json_key(json, "own");
    assay_json_count(json, audit->patterns.n_own);
    assay_json_key(json, "repeats");
    assay_json_count(json, audit->patterns.n_repeats);
    assay_json_key(json, "constant");
    assay_json_begin_array_in_line(json);
    for (size_t i = 0; i < n; i++)
        if (audit->constant[i]) assay_json_text(json, assay_matrix_item(audit->matrix, i));
    assay_json_end_array(json);
    assay_json_key(json, "shared");
    assay_json_begin_array(json);
    for (size_t i = 0; i < n; i++)
        if (begins_shared(audit, i, &seen)) json_members(json, audit, i);
    assay_json_end_array(json);
    json_but_holes(json, audit);
    assay_json_end_object(json);
}

static void json_reading(assay_json *json, const struct signals_reading *reading)
{
    const char *conflict = signals_conflict_name(reading->conflict);

    text(json, "reading", signals_reading_name(reading->reading));
    assay_json_key(json, "conflict");
    if (conflict)
        assay_json_text(json, conflict);
    else
        assay_json_null(json);
}

void json_signals_audit(assay_json *json, const struct signals_answer *all)
{
    const struct signals_audit *audit = all->audit;

    if (!audit->asked) return;
    assay_json_key(json, "audit");
    assay_json_begin_object(json);
    json_reading(json, all->reading);
    assay_json_key(json, "answers");
    assay_json_begin_array(json);
    for (size_t i = 0; i < audit->n_answers; i++) json_answer(json, &audit->answers[i], 0);
    assay_json_end_array(json);
    assay_json_key(json, "unanswered");
    assay_json_begin_array(json);
    for (size_t i = 0; i < audit->n_gaps; i++) {
        assay_json_begin_object(json);
        text(json, "question", audit->gaps[i].question);
        text(json, "needs", audit->gaps[i].needs);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    assay_json_key(json, "verdict");
    assay_json_begin_array(json);
    for (size_t i = 0; i < audit->n_verdict; i++)
        json_answer(json, &audit->answers[audit->verdict[i]], 1);
    assay_json_end_array(json);
    json_patterns(json, audit);
    assay_json_end_object(json);
}
