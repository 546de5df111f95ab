/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/inspect.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/inspect_archive.h"
#include "logs/rows.h"
#include "logs/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEMPLATE_MAX = 100, LOCAL_SIZE = 30 };

static assay_status take_invalidated(void *user, assay_json_reader *reader, const char *key,
                                     const assay_value *value);
static assay_status take_samples(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_reductions(void *user, assay_json_reader *reader, const char *key,
                                    const assay_value *value);

enum { STATUS, MODEL, TASK, TEMPLATE, TEMPLATE_LAST = TEMPLATE + 3, OF_DATASET, TOTAL, COMPLETED };
static const assay_pick header_picks[] = {
    [STATUS] = { "status", NULL },
    [MODEL] = { "eval/model", NULL },
    [TASK] = { "eval/task", NULL },
    [TEMPLATE] = { "eval/task_args/template", NULL },
    [TEMPLATE + 1] = { "eval/task_args/prompt_template", NULL },
    [TEMPLATE + 2] = { "eval/task_args/template_id", NULL },
    [TEMPLATE_LAST] = { "eval/task_args/prompt_id", NULL },
    [OF_DATASET] = { "eval/dataset/samples", NULL },
    [TOTAL] = { "results/total_samples", NULL },
    [COMPLETED] = { "results/completed_samples", NULL },
    { "invalidated", take_invalidated },
    { "samples", take_samples },
    { "reductions", take_reductions },
    { "results/sample_reductions", take_reductions },
};

static int is_first_member(const char *bytes, size_t length);
static assay_status read_document(assay_inspect_log *log);
static assay_status read_object(assay_inspect_log *log, assay_json_reader *reader);
static assay_status keep_what_came(assay_inspect_log *log, const assay_json_reader *reader,
                                   assay_status status);
static assay_status finish(assay_inspect_log *log);
static assay_name template_of(const assay_value *values, char hashed[32]);
static assay_status note_run(const assay_inspect_log *log);
static assay_status note_counts(const assay_inspect_log *log);

int assay_inspect_is_log(const assay_log_head *head)
{
    static const char *const keys[] = { "status", "eval/task", "eval/created" };

    return head->kind == ASSAY_HEAD_ZIP ? is_first_member(head->bytes, head->length)
                                        : assay_log_head_has(head, keys, 3);
}

static int is_first_member(const char *bytes, size_t length)
{
    static const char *const names[] = { "_journal/", "samples/", "header.json", "summaries.json",
                                         "reductions.json" };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t n = strlen(names[k]);

        if (length >= LOCAL_SIZE + n && memcmp(bytes, "PK\3\4", 4) == 0 &&
            memcmp(bytes + LOCAL_SIZE, names[k], n) == 0)
            return 1;
    }
    return 0;
}

assay_status assay_inspect_read(assay_table *table, const assay_log_head *head)
{
    assay_inspect_log log = { .table = table, .samples = { .table = table } };
    assay_status status = assay_picker_open(&log.header, table->path, header_picks,
                                            sizeof header_picks / sizeof *header_picks, &log);

    if (status == ASSAY_OK)
        status = assay_inspect_reader_open(&log.reader, &log.samples, table->path);
    if (status == ASSAY_OK) {
        log.reader.has_lines = head->kind != ASSAY_HEAD_ZIP;
        status =
            head->kind == ASSAY_HEAD_ZIP ? assay_inspect_archive_read(&log) : read_document(&log);
    }
    if (status == ASSAY_OK) status = finish(&log);
    assay_picker_close(&log.header);
    assay_inspect_reader_close(&log.reader);
    assay_inspect_samples_free(&log.samples);
    return status;
}

static assay_status read_document(assay_inspect_log *log)
{
    assay_table *table = log->table;
    assay_json_reader *reader = NULL;
    assay_status status = assay_json_open(table->path, assay_input_read, table->input, &reader);

    if (status == ASSAY_OK) status = read_object(log, reader);
    if (status == ASSAY_E_FORMAT) status = keep_what_came(log, reader, status);
    assay_json_close(reader);
    return status;
}

static assay_status read_object(assay_inspect_log *log, assay_json_reader *reader)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(reader, &event, &text, &length, &number);

    if (status == ASSAY_OK && event != ASSAY_JSON_OBJECT)
        return assay_fail_at(ASSAY_E_FORMAT, log->table->path, 0,
                             "holds no object, expected an Inspect log");
    if (status == ASSAY_OK) status = assay_picker_object(&log->header, reader);
    return status == ASSAY_OK ? assay_log_note_rest(log->table, reader) : status;
}

static assay_status keep_what_came(assay_inspect_log *log, const assay_json_reader *reader,
                                   assay_status status)
{
    const size_t n = log->samples.n;

    if ((!assay_json_is_cut(reader) && !assay_input_is_cut(log->table->input)) || n == 0)
        return status;
    assay_results_mark_damaged(log->table->results);
    return assay_results_add_note(log->table->results,
                                  "%s:%zu: cut short; the %zu samples before were read",
                                  log->table->path, assay_json_line(reader), n);
}

static assay_status take_invalidated(void *user, assay_json_reader *reader, const char *key,
                                     const assay_value *value)
{
    assay_inspect_log *log = user;

    (void)key;
    log->is_invalidated = value->kind == ASSAY_JSON_TRUE;
    return assay_json_leave_value(reader, value->kind);
}

static assay_status take_samples(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    assay_inspect_log *log = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    return assay_picker_array(&log->reader.samples, reader, assay_inspect_sample_done);
}

static assay_status take_reductions(void *user, assay_json_reader *reader, const char *key,
                                    const assay_value *value)
{
    assay_inspect_log *log = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    if (log->samples.n > 0) return assay_json_leave(reader); /* they say the same again */
    return assay_picker_array(&log->reader.reductions, reader, assay_inspect_reduction_done);
}

static assay_status finish(assay_inspect_log *log)
{
    const assay_value *of = log->header.values;
    char hashed[32];
    const assay_log_cell cell = { .model = assay_value_name(&of[MODEL]),
                                  .task = assay_value_name(&of[TASK]),
                                  .template_id = template_of(of, hashed) };
    assay_status status;

    if (log->samples.n == 0)
        return assay_fail_at(ASSAY_E_FORMAT, log->table->path, 0,
                             "an Inspect log without samples, which holds only their totals, so "
                             "that no analysis of items follows; give the log of a run without "
                             "--no-log-samples");
    status = assay_inspect_put(&log->samples, cell);
    if (status == ASSAY_OK) status = note_run(log);
    return status == ASSAY_OK ? note_counts(log) : status;
}

/* A whole prompt is no name. */
static assay_name template_of(const assay_value *values, char hashed[32])
{
    char hex[ASSAY_LOG_HASH_SIZE];

    for (size_t k = TEMPLATE; k <= TEMPLATE_LAST; k++) {
        const assay_value *value = &values[k];

        if (value->kind != ASSAY_JSON_STRING || value->length == 0) continue;
        if (value->length <= TEMPLATE_MAX && !strpbrk(value->text, "\r\n"))
            return (assay_name){ value->text, strlen(value->text) };
        assay_log_hash(value->text, value->length, hex);
        snprintf(hashed, 32, "sha256:%.*s", ASSAY_LOG_HASH_SHORT, hex);
        return (assay_name){ hashed, strlen(hashed) };
    }
    return (assay_name){ NULL, 0 };
}

static assay_status note_run(const assay_inspect_log *log)
{
    const assay_value *run = &log->header.values[STATUS];
    assay_results *results = log->table->results;
    const char *path = log->table->path;
    assay_status status = ASSAY_OK;

    if (log->source == ASSAY_INSPECT_JOURNAL)
        status = assay_results_add_note(
            results,
            "%s: no summaries.json, as of a run that was broken off; the samples are "
            "those of its journal",
            path);
    if (status == ASSAY_OK && run->kind == ASSAY_JSON_STRING && strcmp(run->text, "success") != 0)
        status = assay_results_add_note(results, "%s: a run that did not succeed (status %.20s)",
                                        path, run->text);
    if (status == ASSAY_OK && log->source == ASSAY_INSPECT_MEMBERS)
        status = assay_results_add_note(results,
                                        "%s: no summaries; the samples themselves were read", path);
    if (status == ASSAY_OK && log->samples.n == log->samples.n_reduced)
        status = assay_results_add_note(
            results, "%s: no samples; the scores are their reductions over epochs", path);
    return status;
}

static assay_status note_counts(const assay_inspect_log *log)
{
    const assay_value *of = log->header.values;
    const double total = of[TOTAL].number, completed = of[COMPLETED].number;
    const double dataset = of[OF_DATASET].number;
    const double items = (double)log->samples.ids.count;
    const size_t n = log->samples.n - log->samples.n_reduced;
    assay_results *results = log->table->results;
    assay_status status = ASSAY_OK;

    if (of[TOTAL].kind == ASSAY_JSON_NUMBER && of[COMPLETED].kind == ASSAY_JSON_NUMBER &&
        completed < total)
        status = assay_results_add_note(results, "%s: %.17g of %.17g samples were completed",
                                        log->table->path, completed, total);
    else if (of[TOTAL].kind == ASSAY_JSON_NUMBER && n > 0 && (double)n < total)
        status = assay_results_add_note(results, "%s: %zu of %.17g samples are there",
                                        log->table->path, n, total);
    if (status == ASSAY_OK && of[OF_DATASET].kind == ASSAY_JSON_NUMBER && items < dataset)
        status =
            assay_results_add_note(results, "%s: %.17g of the data set's %.17g samples are there",
                                   log->table->path, items, dataset);
    return status;
}
