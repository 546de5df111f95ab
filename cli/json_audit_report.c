/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay audit` as JSON, which the page reads too: the contract is in docs/audit.md. */
#include "audit_report.h"
#include "print_score.h"
#include "print_templates.h"

#include <assay/page.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 300 };

static assay_status json_report(FILE *to, const struct report *report, int pretty);
static void json_inputs(assay_json *json, const struct report *report);
static assay_status json_coverage_by_model(assay_json *json, const struct report *report);
static void json_answers(assay_json *json, const struct report *report);
static void json_unanswered(assay_json *json, const struct report *report);
static void json_numbers(assay_json *json, const struct report *report);
static void json_means(assay_json *json, const struct report *report);
static void json_parts(assay_json *json, const struct report *report);

assay_status print_report_json(FILE *to, const void *data)
{
    return json_report(to, data, 1);
}

assay_status print_report_page(FILE *to, const void *data)
{
    const assay_output output = { .to = to };
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    assay_status status;

    if (!memory) return cli_no_memory();
    status = json_report(memory, data, 0);
    if (fclose(memory) != 0 && status == ASSAY_OK) status = cli_no_memory();
    if (status == ASSAY_OK) status = assay_page_write(&output, text, length);
    free(text);
    return status;
}

static assay_status json_report(FILE *to, const struct report *report, int pretty)
{
    const struct report_request *request = report->request;
    char *command = report_command(report);
    assay_status status;
    assay_json json;

    if (!command) return cli_no_memory();
    assay_json_start(&json, to, pretty);
    assay_json_begin_object(&json);
    cli_json_head(&json, "assay.audit/1", "audit", request->analysis.seed, report->results);
    assay_json_key(&json, "level");
    assay_json_number(&json, request->analysis.level);
    assay_json_key(&json, "title");
    assay_json_text(&json, report->title);
    assay_json_key(&json, "subtitle");
    assay_json_text(&json, report->subtitle);
    assay_json_key(&json, "command_line");
    assay_json_text(&json, command);
    free(command);
    json_inputs(&json, report);
    status = json_coverage_by_model(&json, report);
    json_answers(&json, report);
    json_unanswered(&json, report);
    json_numbers(&json, report);
    json_means(&json, report);
    json_parts(&json, report);
    json_report_items(&json, report);
    json_report_figures(&json, report);
    assay_json_end_object(&json);
    putc('\n', to);
    return status;
}

/* At most that many characters (bytes that begin one), whole ones, and a mark where some are left out. */
void json_report_text(assay_json *json, const struct report *report, const char *text)
{
    char cut[4 * LONGEST_TEXT + 5];
    size_t n = 0, length = 0;

    if (!text || !report->is_page) {
        assay_json_text(json, text);
        return;
    }
    for (; text[length] && length < (size_t)4 * LONGEST_TEXT; length++) {
        n += ((unsigned char)text[length] & 0xc0) != 0x80;
        if (n > LONGEST_TEXT) break;
    }
    memcpy(cut, text, length);
    memcpy(cut + length, text[length] ? " \xe2\x80\xa6" : "", text[length] ? 5 : 1);
    assay_json_text(json, cut);
}

static void text(assay_json *json, const char *key, const char *words)
{
    assay_json_key(json, key);
    assay_json_text(json, words);
}

static void count(assay_json *json, const char *key, uint64_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void json_inputs(assay_json *json, const struct report *report)
{
    assay_json_key(json, "notes");
    assay_json_begin_array(json);
    for (size_t k = 0; k < assay_results_n_notes(report->results); k++)
        json_report_text(json, report, assay_results_note(report->results, k));
    for (size_t k = 0; k < report->n_notes; k++) assay_json_text(json, report->notes[k]);
    assay_json_end_array(json);
}

/* ---- holes ---- */

enum { N_STATES = ASSAY_ABSENT + 1 };

/* Cells by model and state: those of the records that it has. */
static assay_status json_coverage_by_model(assay_json *json, const struct report *report)
{
    const assay_results *results = report->results;
    size_t n_models = assay_results_n_models(results), n_items = assay_results_n_items(results);
    uint64_t(*cells)[N_STATES] = calloc(n_models ? n_models : 1, sizeof *cells);
    double score;

    if (!cells) return cli_no_memory();
    for (size_t r = 0; r < assay_results_n_records(results); r++)
        for (size_t i = 0; i < n_items; i++)
            cells[assay_results_record(results, r).model]
                 [assay_results_cell(results, r, i, &score)]++;
    assay_json_key(json, "coverage_by_model");
    assay_json_begin_array(json);
    for (size_t m = 0; m < n_models; m++) {
        uint64_t total = 0;

        for (int state = 0; state < N_STATES; state++) total += cells[m][state];
        assay_json_begin_object(json);
        assay_json_key(json, "model");
        json_report_text(json, report, assay_results_model(results, m));
        count(json, "cells", total);
        count(json, "used", cells[m][ASSAY_SCORED]);
        count(json, "missing", cells[m][ASSAY_MISSING] + cells[m][ASSAY_ABSENT]);
        count(json, "errored", cells[m][ASSAY_ERRORED]);
        count(json, "unscored", cells[m][ASSAY_UNSCORED]);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    free(cells);
    return ASSAY_OK;
}

/* ---- headlines ---- */

/* Two numbers, or null and the reason where there is one. */
static void json_interval(assay_json *json, double low, double high, const char *reason)
{
    assay_json_key(json, "interval");
    if (!isnan(low) && !isnan(high)) {
        assay_json_begin_array_in_line(json);
        assay_json_number(json, low);
        assay_json_number(json, high);
        assay_json_end_array(json);
        return;
    }
    assay_json_null(json);
    if (*reason) text(json, "interval_reason", reason);
}

static void json_answers(assay_json *json, const struct report *report)
{
    assay_json_key(json, "answers");
    assay_json_begin_array(json);
    for (size_t k = 0; k < report->n_answers; k++) {
        const struct report_answer *answer = &report->answers[k];

        assay_json_begin_object(json);
        text(json, "id", answer->id);
        text(json, "question", answer->question);
        text(json, "answer", answer->answer);
        assay_json_key(json, "value");
        assay_json_number(json, answer->value);
        json_interval(json, answer->low, answer->high, answer->no_interval);
        assay_json_key(json, "level");
        assay_json_number(json, answer->level);
        assay_json_key(json, "n");
        assay_json_number(json, answer->n);
        text(json, "n_of", answer->n_of);
        text(json, "unit", answer->unit);
        text(json, "method", answer->method);
        text(json, "estimand", answer->estimand);
        text(json, "assumption", answer->assumption);
        text(json, "command", answer->command);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_unanswered(assay_json *json, const struct report *report)
{
    assay_json_key(json, "unanswered");
    assay_json_begin_array(json);
    for (size_t k = 0; k < report->n_gaps; k++) {
        assay_json_begin_object(json);
        text(json, "question", report->gaps[k].question);
        text(json, "needs", report->gaps[k].needs);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_numbers(assay_json *json, const struct report *report)
{
    static const struct {
        const char *key, *reason_key, *reason;
    } keys[REPORT_N_NUMBERS] = {
        { "distinct_prompts", "distinct_prompts_reason",
          "not known without the texts of the prompts" },
        { "effective_sample", "effective_sample_reason",
          "not known without the texts of the prompts" },
        { "dimension", "dimension_reason", "not known of fewer than two models that differ" },
    };

    assay_json_key(json, "numbers");
    assay_json_begin_object(json);
    for (int k = 0; k < REPORT_N_NUMBERS; k++) {
        const struct report_number *number = &report->numbers[k];

        assay_json_key(json, keys[k].key);
        if (isnan(number->value)) {
            assay_json_null(json);
            text(json, keys[k].reason_key, keys[k].reason);
            continue;
        }
        assay_json_begin_object(json);
        assay_json_key(json, "value");
        assay_json_number(json, number->value);
        json_interval(json, number->low, number->high, "");
        text(json, "sentence", number->sentence);
        assay_json_end_object(json);
    }
    assay_json_end_object(json);
}

/* ---- the parts ---- */

/* An object to be filled, or null and the reason. */
static int open_part(assay_json *json, const char *key, int is_there, const char *reason)
{
    if (!is_there) {
        cli_json_estimate(json, key, NAN, reason);
        return 0;
    }
    assay_json_key(json, key);
    return 1;
}

/* What each model scores with every prompt alike. */
static void json_means(assay_json *json, const struct report *report)
{
    if (!open_part(json, "means", report->n_means > 0, "the scores are not from 0 to 1")) return;
    assay_json_begin_array(json);
    for (size_t k = 0; k < report->n_means; k++) {
        const struct report_mean *mean = &report->means[k];

        assay_json_begin_object(json);
        assay_json_key(json, "model");
        json_report_text(json, report, assay_results_model(report->results, mean->model));
        assay_json_key(json, "n");
        assay_json_number(json, mean->n);
        assay_json_key(json, "mean");
        assay_json_number(json, mean->mean);
        json_interval(json, mean->low, mean->high, "");
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_parts(assay_json *json, const struct report *report)
{
    if (open_part(json, "score", report->has_score, report->no_score)) {
        assay_json_begin_object(json);
        json_score(json, &report->score);
        assay_json_end_object(json);
    }
    if (open_part(json, "templates", report->has_templates, report->no_templates)) {
        assay_json_begin_array(json);
        for (size_t k = 0; k < report->templates.n_grids; k++) {
            assay_json_begin_object(json);
            json_templates_grid(json, &report->templates, k);
            assay_json_end_object(json);
        }
        assay_json_end_array(json);
    }
    if (open_part(json, "signals", report->has_signals, report->no_signals)) {
        assay_json_begin_object(json);
        json_signals(json, &report->signals.answer);
        assay_json_end_object(json);
    }
}
