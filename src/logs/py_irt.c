/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/py_irt.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUBJECT, N_PICKS = 2 };
enum { MOST_TRIALS = 100000 };

typedef struct response {
    size_t key, key_length; /* where the item's name begins in keys */
    size_t line;
    double value;  /* the score, or the successes */
    double trials; /* NaN: it is a score */
    assay_score_state state;
} response;

/* A line's responses wait for its subject, which may stand behind them. */
typedef struct lines {
    assay_table *table;
    assay_picker picker, counts;
    response *responses;
    size_t n, capacity;
    char *keys;
    size_t keys_length, keys_capacity;
    size_t counted;
} lines;

static assay_status take_response(void *user, assay_json_reader *reader, const char *key,
                                  const assay_value *value);
static assay_status take_counts(lines *l, assay_json_reader *reader, response *to);
static int is_whole(double value, double most);
static assay_status put_line(void *user);
static assay_status put_response(lines *l, assay_name subject, const response *from);
static assay_status put_counts(lines *l, assay_name subject, assay_name item, const response *from);

int assay_py_irt_is_one(const assay_log_head *head)
{
    static const char *const keys[] = { "subject_id", "responses" };

    return assay_log_head_has(head, keys, 2) &&
           assay_log_head_at(head, "responses") == ASSAY_JSON_OBJECT;
}

assay_status assay_py_irt_read(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[N_PICKS] = { { "subject_id", NULL },
                                               { "responses/*", take_response } },
                            counts[] = { { "successes", NULL }, { "trials", NULL } };
    lines l = { .table = table };
    size_t metric;
    assay_status status =
        assay_log_choose_metric(table, (const char *const[]){ "responses" }, 1, &metric);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&l.picker, table->path, picks, N_PICKS, &l);
    if (status == ASSAY_OK) status = assay_picker_open(&l.counts, table->path, counts, 2, &l);
    if (status == ASSAY_OK) status = assay_log_rows(table, &l.picker, put_line);
    if (status == ASSAY_OK)
        status = assay_table_note_mapping(
            table, l.counted > 0 ? "py-irt responses; model = subject_id, item = key of responses, "
                                   "successes of trials are runs"
                                 : "py-irt responses; model = subject_id, item = key of responses");
    assay_picker_close(&l.picker);
    assay_picker_close(&l.counts);
    free(l.responses);
    free(l.keys);
    return status;
}

static assay_status take_response(void *user, assay_json_reader *reader, const char *key,
                                  const assay_value *value)
{
    lines *l = user;
    size_t length = strlen(key);
    response *to;

    if (assay_grow(&l->responses, &l->capacity, l->n + 1, sizeof *l->responses) != 0 ||
        assay_grow(&l->keys, &l->keys_capacity, l->keys_length + length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its responses", l->table->path);
    memcpy(l->keys + l->keys_length, key, length);
    to = &l->responses[l->n++];
    *to = (response){
        .key = l->keys_length, .key_length = length, .line = assay_json_line(reader), .trials = NAN
    };
    l->keys_length += length;
    if (value->kind == ASSAY_JSON_OBJECT) return take_counts(l, reader, to);
    to->state = assay_log_score(value, &to->value);
    if (to->state == ASSAY_SCORED) return ASSAY_OK;
    to->state = ASSAY_MISSING;
    if (value->kind == ASSAY_JSON_NULL ||
        (value->kind == ASSAY_JSON_NUMBER && isnan(value->number)))
        return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, l->table->path, to->line,
                         "the response to \"%.60s\" is no score, expected 0, 1, a number, null, or "
                         "{\"successes\": K, \"trials\": N}",
                         key);
}

static assay_status take_counts(lines *l, assay_json_reader *reader, response *to)
{
    const assay_value *values = l->counts.values;
    assay_status status = assay_picker_object(&l->counts, reader);

    if (status != ASSAY_OK) return status;
    to->value = values[0].number;
    to->trials = values[1].number;
    if (values[0].kind == ASSAY_JSON_NUMBER && values[1].kind == ASSAY_JSON_NUMBER &&
        is_whole(to->trials, MOST_TRIALS) && is_whole(to->value, to->trials)) {
        l->counted++;
        return ASSAY_OK;
    }
    return assay_fail_at(ASSAY_E_FORMAT, l->table->path, to->line,
                         "successes and trials of \"%.*s\" are no counts, expected whole numbers, "
                         "the first at most the second and that at most %d",
                         (int)(to->key_length < 60 ? to->key_length : 60), l->keys + to->key,
                         MOST_TRIALS);
}

static int is_whole(double value, double most)
{
    return value >= 0.0 && value <= most && floor(value) == value;
}

static assay_status put_line(void *user)
{
    lines *l = user;
    assay_name subject = assay_value_name(&l->picker.values[SUBJECT]);
    assay_status status = ASSAY_OK;

    if (!subject.text)
        return assay_fail_at(ASSAY_E_FORMAT, l->table->path, l->picker.line,
                             "a line without a \"subject_id\"");
    for (size_t k = 0; status == ASSAY_OK && k < l->n; k++)
        status = put_response(l, subject, &l->responses[k]);
    l->n = 0;
    l->keys_length = 0;
    return status;
}

static assay_status put_response(lines *l, assay_name subject, const response *from)
{
    assay_name item = { l->keys + from->key, from->key_length };

    if (!isnan(from->trials)) return put_counts(l, subject, item, from);
    return assay_log_put(l->table, &(assay_log_cell){ .model = subject,
                                                      .item = item,
                                                      .score = from->value,
                                                      .state = from->state,
                                                      .line = from->line });
}

static assay_status put_counts(lines *l, assay_name subject, assay_name name, const response *from)
{
    assay_results *results = l->table->results;
    const assay_name none = { NULL, 0 };
    size_t model, item, template_index;
    assay_status status = assay_table_check_name(l->table, from->line, "item", name);

    if (status == ASSAY_OK)
        status = assay_table_name_model(l->table, from->line, subject, none, &model);
    if (status == ASSAY_OK)
        status = assay_results_name_item(results, name.text, name.length, &item);
    if (status == ASSAY_OK) status = assay_results_name_template(results, "", 0, &template_index);
    if (status != ASSAY_OK) return status;
    status = assay_results_put_counts(results, (assay_counted_cell){ model, template_index, item },
                                      (size_t)from->value, (size_t)from->trials,
                                      l->table->options->repeats);
    if (status == ASSAY_E_CONFLICT) return assay_table_fail_conflict(l->table, from->line, 1, 0);
    return status == ASSAY_OK ? ASSAY_OK : assay_table_fail(l->table, from->line, status, "");
}
