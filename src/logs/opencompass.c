/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/opencompass.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/opencompass_place.h"
#include "logs/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABBR, PROMPT, ORIGIN, OTHERS, N_PICKS };

typedef struct details {
    assay_table *table;
    assay_picker outside, keys, entry, turn;
    assay_opencompass_place place;
    assay_names flags; /* all that were seen */
    double *scores;    /* of the entry at hand, of the flag that is taken; NaN: no verdict */
    size_t n, capacity;
    char *text; /* of its prompt */
    size_t text_length, text_capacity;
    char *item;
    size_t item_capacity;
    size_t place_in_list, entries, with_flag;
} details;

static assay_status take_details(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_entry(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status take_prompt(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status take_turn(void *user);
static assay_status keep_text(details *d, const char *text, size_t length);
static assay_status take_other(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status add_score(details *d, const assay_value *value);
static assay_status read_replicas(details *d, assay_json_reader *reader);
static assay_status put_listed(void *user);
static assay_status put_entry(details *d, assay_name id);
static assay_status put_runs(details *d, assay_log_cell *cell);
static assay_status finish(details *d);

static const assay_pick outside_picks[] = { { "details", take_details } },
                        key_picks[] = { { "*", take_entry } },
                        entry_picks[N_PICKS] = { { "example_abbr", NULL },
                                                 { "prompt", take_prompt },
                                                 { "origin_prompt", take_prompt },
                                                 { "*", take_other } },
                        turn_picks[] = { { "role", NULL },
                                         { "prompt", NULL },
                                         { "content", NULL } };

assay_status assay_opencompass_read(assay_table *table, const assay_log_head *head)
{
    details d = { .table = table };
    const char *path = table->path;
    assay_status status = assay_opencompass_find_place(path, &d.place);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&d.outside, path, outside_picks, 1, &d);
    if (status == ASSAY_OK) status = assay_picker_open(&d.keys, path, key_picks, 1, &d);
    if (status == ASSAY_OK) status = assay_picker_open(&d.entry, path, entry_picks, N_PICKS, &d);
    if (status == ASSAY_OK) status = assay_picker_open(&d.turn, path, turn_picks, 3, &d);
    if (status == ASSAY_OK) status = assay_log_document(table, &d.outside);
    if (status == ASSAY_OK) status = finish(&d);
    assay_picker_close(&d.outside);
    assay_picker_close(&d.keys);
    assay_picker_close(&d.entry);
    assay_picker_close(&d.turn);
    assay_names_free(&d.flags);
    free(d.scores);
    free(d.text);
    free(d.item);
    return status;
}

static assay_status take_details(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    details *d = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_picker_object(&d->keys, reader);
    return value->kind == ASSAY_JSON_ARRAY ? assay_picker_array(&d->entry, reader, put_listed)
                                           : ASSAY_OK;
}

/* "type" stands among the questions, and is none. */
static assay_status take_entry(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    details *d = user;
    assay_status status;

    if (value->kind == ASSAY_JSON_ARRAY) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_OBJECT) return ASSAY_OK;
    status = assay_picker_object(&d->entry, reader);
    return status == ASSAY_OK ? put_entry(d, (assay_name){ key, strlen(key) }) : status;
}

static assay_status take_prompt(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    details *d = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind == ASSAY_JSON_ARRAY) return assay_picker_array(&d->turn, reader, take_turn);
    return value->kind == ASSAY_JSON_STRING ? keep_text(d, value->text, value->length) : ASSAY_OK;
}

static assay_status take_turn(void *user)
{
    details *d = user;
    const assay_value *v = d->turn.values, *said = &v[v[1].kind == ASSAY_JSON_STRING ? 1 : 2];
    int is_answer = v[0].kind == ASSAY_JSON_STRING &&
                    (strcmp(v[0].text, "BOT") == 0 || strcmp(v[0].text, "assistant") == 0);

    return is_answer || said->kind != ASSAY_JSON_STRING || said->length == 0
               ? ASSAY_OK
               : keep_text(d, said->text, said->length);
}

static assay_status keep_text(details *d, const char *text, size_t length)
{
    if (assay_grow(&d->text, &d->text_capacity, length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", length);
    memcpy(d->text, text, length);
    d->text_length = length;
    return ASSAY_OK;
}

static assay_status take_other(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    static const char end[] = "correct";
    details *d = user;
    const char *wanted = d->table->options->metric;
    size_t length = strlen(key), index;
    int is_list = value->kind == ASSAY_JSON_ARRAY;

    if (value->kind == ASSAY_JSON_OBJECT || length < sizeof end - 1 ||
        memcmp(key + length - (sizeof end - 1), end, sizeof end - 1) != 0)
        return is_list || value->kind == ASSAY_JSON_OBJECT ? assay_json_leave(reader) : ASSAY_OK;
    if (assay_names_add(&d->flags, key, length, &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its scores", d->table->path);
    if (wanted ? strcmp(d->flags.text[index], wanted) != 0 : index > 0)
        return is_list ? assay_json_leave(reader) : ASSAY_OK;
    d->with_flag++;
    d->n = 0;
    return is_list ? read_replicas(d, reader) : add_score(d, value);
}

static assay_status add_score(details *d, const assay_value *value)
{
    if (assay_grow(&d->scores, &d->capacity, d->n + 1, sizeof *d->scores) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its runs", d->table->path);
    assay_log_score(value, &d->scores[d->n]);
    d->n++;
    return ASSAY_OK;
}

static assay_status read_replicas(details *d, assay_json_reader *reader)
{
    for (;;) {
        assay_value value = { 0 };
        const char *text;
        assay_status status =
            assay_json_next(reader, &value.kind, &text, &value.length, &value.number);

        if (status != ASSAY_OK || value.kind == ASSAY_JSON_ARRAY_END) return status;
        if (value.kind == ASSAY_JSON_ARRAY || value.kind == ASSAY_JSON_OBJECT)
            status = assay_json_leave(reader);
        if (value.kind == ASSAY_JSON_STRING) value.kind = ASSAY_JSON_NULL; /* no truth */
        if (status == ASSAY_OK) status = add_score(d, &value);
        if (status != ASSAY_OK) return status;
    }
}

static assay_status put_listed(void *user)
{
    details *d = user;
    assay_name id = assay_value_name(&d->entry.values[ABBR]);
    char place[24];

    if (!id.text)
        id = (assay_name){ place, (size_t)snprintf(place, sizeof place, "%zu", d->place_in_list) };
    d->place_in_list++;
    return put_entry(d, id);
}

static assay_status put_entry(details *d, assay_name id)
{
    const assay_opencompass_place *place = &d->place;
    assay_log_cell cell = { .model = place->model, .task = place->task, .item = id };
    size_t part = place->part.length;
    assay_status status;

    if (part > 0) {
        if (assay_grow(&d->item, &d->item_capacity, part + 1 + id.length, 1) != 0)
            return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", id.length);
        memcpy(d->item, place->part.text, part);
        d->item[part] = '/';
        memcpy(d->item + part + 1, id.text, id.length);
        cell.item = (assay_name){ d->item, part + 1 + id.length };
    }
    cell.text = (assay_name){ d->text, d->text_length };
    cell.line = d->entry.line;
    d->entries++;
    status = put_runs(d, &cell);
    d->n = 0;
    d->text_length = 0;
    return status == ASSAY_OK ? assay_table_step(d->table) : status;
}

static assay_status put_runs(details *d, assay_log_cell *cell)
{
    assay_status status = ASSAY_OK;

    cell->score = NAN;
    cell->state = ASSAY_UNSCORED;
    if (d->n == 0) return assay_log_put(d->table, cell);
    for (size_t k = 0; status == ASSAY_OK && k < d->n; k++) {
        char run[24];

        if (d->n > 1)
            cell->run = (assay_name){ run, (size_t)snprintf(run, sizeof run, "%zu", k + 1) };
        cell->score = d->scores[k];
        cell->state = isnan(d->scores[k]) ? ASSAY_UNSCORED : ASSAY_SCORED;
        status = assay_log_put(d->table, cell);
    }
    return status;
}

static assay_status finish(details *d)
{
    assay_status status;

    if (d->flags.count == 0)
        return assay_fail_at(
            ASSAY_E_FORMAT, d->table->path, 0,
            "no detail (of %zu) says whether it is correct, so that only the mean is "
            "known; use an evaluator that does",
            d->entries);
    if (d->with_flag == 0) return assay_log_fail_metric(d->table, &d->flags);
    status = assay_table_note_mapping(
        d->table, "OpenCompass results; model and task = results/MODEL/TASK.json, item = key of "
                  "details, run = place in a list of replicas");
    if (status == ASSAY_OK && d->place.part.length > 0)
        status = assay_results_add_note(d->table->results, "%s: part %.*s of %.*s", d->table->path,
                                        (int)d->place.part.length, d->place.part.text,
                                        (int)d->place.task.length, d->place.task.text);
    return status == ASSAY_OK ? assay_log_note_metrics(d->table, &d->flags, d->flags.text[0])
                              : status;
}
