/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/lighteval.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/lighteval_place.h"
#include "logs/metrics.h"
#include "logs/python_literal.h"
#include "logs/text.h"
#include "read/selection.h"
#include "read/text_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASKED, CHOICES, METRICS, TASK, N_PARTS };
enum { ID_SIZE = ASSAY_LOG_HASH_SHORT + 24 };

typedef struct details {
    assay_table *table;
    assay_parquet *parquet;
    const char *parts[N_PARTS]; /* SQL */
    const char *asked;          /* how the column of what is asked is called */
    int is_python;
    assay_lighteval_place place;
    assay_names metrics; /* seen so far */
    char *metric;        /* the one that scores; NULL: none was met */
    int is_met;
    assay_names ids;
    size_t *times; /* by id: how often it was met */
    size_t times_capacity;
    assay_picker picker;
    assay_log_text text;
    double score; /* of the row at hand */
    assay_score_state state;
    size_t row, n_by_order;
} details;

static assay_status check_options(const assay_table *table);
static assay_status find_columns(details *d);
static int has_field(const assay_parquet *parquet, ptrdiff_t column, const char *field);
static assay_status read_rows(details *d);
static assay_status take_row(details *d, const assay_name *values);
static assay_status take_metrics(details *d, assay_name value);
static assay_status take_metric(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status name_item(details *d, const assay_name *values, char id[ID_SIZE]);
static assay_status note(details *d);

int assay_lighteval_is_details(const assay_parquet *parquet)
{
    const ptrdiff_t doc = assay_parquet_find(parquet, "doc"),
                    metric = assay_parquet_find(parquet, "metric");
    const int is_flat = assay_parquet_find(parquet, "metrics") >= 0 &&
                        (assay_parquet_find(parquet, "example") >= 0 ||
                         assay_parquet_find(parquet, "full_prompt") >= 0) &&
                        (assay_parquet_find(parquet, "predictions") >= 0 ||
                         assay_parquet_find(parquet, "num_asked_few_shots") >= 0);

    return is_flat || (doc >= 0 && metric >= 0 &&
                       assay_parquet_is_nested(assay_parquet_column_at(parquet, (size_t)doc)) &&
                       assay_parquet_is_nested(assay_parquet_column_at(parquet, (size_t)metric)));
}

int assay_lighteval_is_results(const assay_log_head *head)
{
    static const char *const now[] = { "config_general", "results" }, *const further[] = {
        "config_tasks", "summary_general", "versions", "summary_tasks"
    };

    if (!assay_log_head_has(head, now, 2)) return 0;
    for (size_t k = 0; k < sizeof further / sizeof further[0]; k++)
        if (assay_log_head_has(head, &further[k], 1)) return 1;
    return assay_log_head_at(head, "config_general/lighteval_sha") != ASSAY_JSON_END;
}

assay_status assay_lighteval_read(assay_table *table, assay_parquet *parquet)
{
    static const assay_pick picks[] = { { "*", take_metric } };
    details d = { .table = table, .parquet = parquet };
    assay_status status = check_options(table);

    assay_results_mark_rows(table->results);
    table->format = ASSAY_FORMAT_LIGHTEVAL;
    table->title = "details of lighteval";
    if (status == ASSAY_OK) status = find_columns(&d);
    if (status == ASSAY_OK) status = assay_lighteval_place_find(&d.place, table);
    if (status == ASSAY_OK && table->options->metric &&
        !(d.metric = assay_copy_text(table->options->metric, strlen(table->options->metric))))
        status = assay_fail(ASSAY_E_NOMEM, "%s: no memory for a metric", table->path);
    if (status == ASSAY_OK) status = assay_picker_open(&d.picker, table->path, picks, 1, &d);
    if (status == ASSAY_OK) status = assay_parquet_select(parquet, d.parts, N_PARTS);
    if (status == ASSAY_OK) status = read_rows(&d);
    if (status == ASSAY_OK) status = note(&d);
    assay_picker_close(&d.picker);
    assay_names_free(&d.metrics);
    assay_names_free(&d.ids);
    assay_lighteval_place_free(&d.place);
    free(d.metric);
    free(d.times);
    free(d.text.text);
    return status;
}

static assay_status check_options(const assay_table *table)
{
    const assay_read_options *given = table->options;

    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (assay_role_given((assay_role)r, given))
            return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                                 "is lighteval's, of which %s can name no column; --metric chooses "
                                 "its score, --format parquet reads it as a table",
                                 assay_role_option((assay_role)r));
    if (assay_selection_is_asked(given))
        return assay_fail_at(
            ASSAY_E_VALUE, table->path, 0,
            "is lighteval's: --columns and --drop choose among the items of a wide "
            "table");
    if (given->task_name)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "is no log of lm-evaluation-harness, of whose tasks --task-name makes "
                             "templates");
    return ASSAY_OK;
}

/* Structs, flat columns, or flat columns of Python's text. */
static assay_status find_columns(details *d)
{
    static const struct flat {
        const char *name, *part;
    } asked[] = { { "example", "\"example\"::varchar" },
                  { "full_prompt", "\"full_prompt\"::varchar" } };
    const assay_parquet *p = d->parquet;
    const ptrdiff_t doc = assay_parquet_find(p, "doc"), metrics = assay_parquet_find(p, "metrics");

    if (!assay_lighteval_is_details(p))
        return assay_fail_at(ASSAY_E_FORMAT, d->table->path, 0,
                             "no details of lighteval, expected the columns doc and metric, or "
                             "metrics beside example or full_prompt");
    for (int k = 0; k < N_PARTS; k++) d->parts[k] = "null::varchar";
    if (metrics < 0) {
        d->asked = "doc.query";
        if (has_field(p, doc, "query")) d->parts[ASKED] = "\"doc\".\"query\"::varchar";
        if (has_field(p, doc, "choices"))
            d->parts[CHOICES] = "to_json(\"doc\".\"choices\")::varchar";
        if (has_field(p, doc, "task_name")) d->parts[TASK] = "\"doc\".\"task_name\"::varchar";
        d->parts[METRICS] = "to_json(\"metric\")::varchar";
        return ASSAY_OK;
    }
    for (size_t k = 2; k-- > 0;)
        if (assay_parquet_find(p, asked[k].name) >= 0) {
            d->asked = asked[k].name;
            d->parts[ASKED] = asked[k].part;
        }
    if (assay_parquet_find(p, "choices") >= 0) d->parts[CHOICES] = "\"choices\"::varchar";
    d->is_python = !assay_parquet_is_nested(assay_parquet_column_at(p, (size_t)metrics));
    d->parts[METRICS] = d->is_python ? "\"metrics\"::varchar" : "to_json(\"metrics\")::varchar";
    return ASSAY_OK;
}

/* A field of a struct, as the struct's type names it. */
static int has_field(const assay_parquet *parquet, ptrdiff_t column, const char *field)
{
    const char *type = assay_parquet_column_at(parquet, (size_t)column).type, *at = type;
    const size_t length = strlen(field);

    while ((at = strstr(at, field))) {
        const char before = at > type ? at[-1] : ' ', after = at[length];

        if ((before == '(' || before == ' ' || before == '"') && (after == ' ' || after == '"'))
            return 1;
        at += length;
    }
    return 0;
}

static assay_status read_rows(details *d)
{
    const assay_progress *progress = &d->table->options->progress;

    for (;;) {
        const assay_name *values;
        assay_status status = assay_parquet_next(d->parquet, &values);

        if (status == ASSAY_OK && !values && d->row == 0)
            return assay_fail_at(ASSAY_E_FORMAT, d->table->path, 0, "has no rows");
        if (status != ASSAY_OK || !values) return status;
        d->row++;
        if ((status = take_row(d, values)) != ASSAY_OK) return status;
        if (d->row % 1024 == 0 && progress->step &&
            progress->step(progress->user, "reading", 0.0) != 0)
            return assay_fail_at(ASSAY_E_CANCELLED, d->table->path, 0, "reading was cancelled");
    }
}

static assay_status take_row(details *d, const assay_name *values)
{
    char id[ID_SIZE];
    assay_log_cell cell = { .model = d->place.model,
                            .task = d->place.task.text ? d->place.task : values[TASK],
                            .text = values[ASKED],
                            .line = d->row };
    assay_status status = take_metrics(d, values[METRICS]);

    if (status == ASSAY_OK) status = name_item(d, values, id);
    if (status != ASSAY_OK) return status;
    cell.item = (assay_name){ id, strlen(id) };
    cell.score = d->score;
    cell.state = d->state;
    return assay_log_put(d->table, &cell);
}

/* A row without metrics is unscored. */
static assay_status take_metrics(details *d, assay_name value)
{
    assay_text_source source = { value.text, value.length };
    assay_json_reader *reader = NULL;
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = ASSAY_OK;

    d->score = NAN;
    d->state = ASSAY_UNSCORED;
    if (!value.text) return ASSAY_OK;
    if (d->is_python) {
        d->text.length = 0;
        status = assay_python_literal(value.text, value.length, &d->text);
        if (status == ASSAY_E_FORMAT) return assay_table_fail(d->table, d->row, status, "");
        source = (assay_text_source){ d->text.text, d->text.length };
    }
    if (status == ASSAY_OK)
        status = assay_json_open(d->table->path, assay_text_source_read, &source, &reader);
    if (status == ASSAY_OK) status = assay_json_next(reader, &event, &text, &length, &number);
    if (status == ASSAY_OK && event == ASSAY_JSON_OBJECT)
        status = assay_picker_object(&d->picker, reader);
    else if (status == ASSAY_OK && event != ASSAY_JSON_NULL)
        status = ASSAY_E_FORMAT;
    if (status == ASSAY_E_FORMAT)
        status = assay_fail_at(ASSAY_E_FORMAT, d->table->path, d->row,
                               "metrics that are no dict, expected one");
    assay_json_close(reader);
    return status;
}

static assay_status take_metric(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    details *d = user;
    double score;
    size_t index;
    const assay_score_state state = assay_log_score(value, &score);

    if (assay_json_is_container(value->kind)) return assay_json_leave(reader);
    if (assay_names_add(&d->metrics, key, strlen(key), &index) != 0 ||
        (!d->metric && state == ASSAY_SCORED && !(d->metric = assay_copy_text(key, strlen(key)))))
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a metric", d->table->path);
    if (!d->metric || strcmp(d->metric, key) != 0) return ASSAY_OK;
    d->is_met = 1;
    d->score = score;
    d->state = state;
    return ASSAY_OK;
}

static assay_status name_item(details *d, const assay_name *values, char id[ID_SIZE])
{
    char hash[ASSAY_LOG_HASH_SIZE];
    size_t index, before = d->ids.count;
    assay_status status = ASSAY_OK;

    if (values[ASKED].length == 0) {
        d->n_by_order++;
        snprintf(id, ID_SIZE, "#%zu", d->row - 1);
        return ASSAY_OK;
    }
    d->text.length = 0;
    for (int k = ASKED; status == ASSAY_OK && k <= CHOICES; k++)
        if (values[k].length > 0)
            status = assay_log_text_add_part(&d->text, values[k].text, values[k].length);
    if (status != ASSAY_OK) return status;
    assay_log_text_hash(&d->text, hash);
    if (assay_names_add(&d->ids, hash, ASSAY_LOG_HASH_SHORT, &index) != 0 ||
        assay_grow(&d->times, &d->times_capacity, index + 1, sizeof *d->times) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu ids", d->table->path, before);
    if (index == before) d->times[index] = 0;
    if (++d->times[index] == 1)
        snprintf(id, ID_SIZE, "%.*s", ASSAY_LOG_HASH_SHORT, hash);
    else
        snprintf(id, ID_SIZE, "%.*s.%zu", ASSAY_LOG_HASH_SHORT, hash, d->times[index]);
    return ASSAY_OK;
}

static assay_status note(details *d)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE];
    assay_status status;

    if (!d->is_met) return assay_log_fail_metric(d->table, &d->metrics);
    snprintf(
        mapping, sizeof mapping,
        "details of lighteval; model from %s, task from %s, item = hash of %s, score = \"%.60s\"",
        d->place.model_is_from, d->place.task.text ? "the file's name" : "doc.task_name",
        d->asked ? d->asked : "nothing", d->metric);
    status = assay_table_note_mapping(d->table, mapping);
    if (status == ASSAY_OK) status = assay_log_note_metrics(d->table, &d->metrics, d->metric);
    if (status == ASSAY_OK && d->n_by_order > 0)
        status = assay_results_add_note(d->table->results,
                                        "%s: %zu rows ask nothing, and are called by their order",
                                        d->table->path, d->n_by_order);
    return status;
}
