/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/cell.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "read/score_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a score goes. */
typedef struct place {
    size_t model, template_index, run; /* run: where the log or the options name it */
    size_t record;
} place;

static assay_status find_place(assay_table *table, const assay_log_cell *cell, place *at);
static assay_status find_item(assay_table *table, const assay_log_cell *cell, ptrdiff_t record,
                              size_t *item);
static assay_status check_further(const assay_table *table, const assay_log_cell *cell);
static assay_status describe(assay_table *table, const assay_log_cell *cell, size_t item);
static assay_status name_template(assay_table *table, assay_name name, size_t *index);

assay_status assay_log_put(assay_table *table, const assay_log_cell *cell)
{
    int repeats = table->options->repeats;
    size_t item;
    place at;
    assay_status status = assay_table_check_name(table, cell->line, "item", cell->item);

    if (status == ASSAY_OK && cell->model.text)
        status = assay_table_check_name(table, cell->line, "model", cell->model);
    if (status == ASSAY_OK) status = check_further(table, cell);
    if (status == ASSAY_OK) status = find_place(table, cell, &at);
    if (status == ASSAY_OK)
        status = find_item(table, cell, repeats ? ASSAY_NO_RECORD : (ptrdiff_t)at.record, &item);
    if (status == ASSAY_OK) status = describe(table, cell, item);
    if (status == ASSAY_OK && cell->task.length > 0)
        status = assay_results_name_task(table->results, cell->task.text, cell->task.length);
    if (status == ASSAY_OK && repeats)
        status =
            assay_results_next_run(table->results, at.model, at.template_index, item, &at.record);
    if (status != ASSAY_OK) return status;
    status = assay_results_put(table->results, at.record, item, cell->score, cell->state);
    if (status == ASSAY_E_CONFLICT)
        return assay_table_fail_conflict(table, cell->line, 1, cell->run.text != NULL);
    return status == ASSAY_OK ? status : assay_table_fail(table, cell->line, status, "");
}

assay_score_state assay_log_score(const assay_value *value, double *score)
{
    *score = NAN;
    switch (value->kind) {
    case ASSAY_JSON_TRUE: *score = 1.0; return ASSAY_SCORED;
    case ASSAY_JSON_FALSE: *score = 0.0; return ASSAY_SCORED;
    case ASSAY_JSON_NUMBER: *score = value->number; break;
    case ASSAY_JSON_STRING:
        if (assay_score_text_parse(value->text, value->length, 0, score) != ASSAY_SCORED)
            *score = NAN;
        break;
    default: break;
    }
    if (isfinite(*score)) return ASSAY_SCORED;
    *score = NAN;
    return ASSAY_UNSCORED;
}

/* Names that may be blank. */
static assay_status check_further(const assay_table *table, const assay_log_cell *cell)
{
    const struct further {
        const char *what;
        assay_name name;
    } names[] = { { "task", cell->task },
                  { "template", cell->template_id },
                  { "run", cell->run },
                  { "cluster", cell->cluster } };
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < sizeof names / sizeof names[0]; k++)
        if (names[k].name.length > 0)
            status = assay_table_check_name(table, cell->line, names[k].what, names[k].name);
    return status;
}

/* The record, unless --repeats finds one by item. */
static assay_status find_place(assay_table *table, const assay_log_cell *cell, place *at)
{
    const assay_name none = { NULL, 0 }, task = table->options->by_task ? cell->task : none;
    assay_status status = assay_table_name_model(table, cell->line, cell->model, task, &at->model);

    if (status == ASSAY_OK) status = name_template(table, cell->template_id, &at->template_index);
    if (status != ASSAY_OK || table->options->repeats) return status;
    status = assay_results_name_run(table->results, cell->run.text ? cell->run.text : "",
                                    cell->run.length, &at->run);
    return status == ASSAY_OK ? assay_results_find_record(table->results, at->model,
                                                          at->template_index, at->run, &at->record)
                              : status;
}

static assay_status find_item(assay_table *table, const assay_log_cell *cell, ptrdiff_t record,
                              size_t *item)
{
    const assay_name none = { NULL, 0 }, *id = &cell->item;
    const assay_name *task = table->options->by_task ? &none : &cell->task;
    size_t length = task->length > 0 ? task->length + 1 + id->length : id->length;
    char *name = assay_alloc(length + 1, 1), *end = name;
    int has_digest = cell->content.length > 0;
    assay_claim claim = { .id = name,
                          .id_length = length,
                          .task = task->text,
                          .task_length = task->length,
                          .id_kind = cell->item_kind,
                          .record = record };
    assay_status status;

    if (!name) return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", length);
    if (task->length > 0) {
        memcpy(name, task->text, task->length);
        end = name + task->length;
        *end++ = '/';
    }
    memcpy(end, id->text, id->length);
    if (table->options->join == ASSAY_JOIN_CONTENT && !table->options->by_task &&
        (has_digest || cell->template_id.length == 0)) {
        claim.content = has_digest ? cell->content.text : cell->text.text;
        claim.content_length = has_digest ? cell->content.length : cell->text.length;
        claim.kind = has_digest ? ASSAY_CONTENT_OF_TEXT + table->format : ASSAY_CONTENT_OF_TEXT;
    }
    status = assay_identity_find(table->results, &claim, item);
    free(name);
    return status == ASSAY_E_CONFLICT ? assay_table_fail(table, cell->line, status, "") : status;
}

static assay_status describe(assay_table *table, const assay_log_cell *cell, size_t item)
{
    assay_name cluster = cell->cluster.length > 0 ? cell->cluster : cell->task;
    assay_status status = ASSAY_OK;

    if (cell->text.length > 0)
        status =
            assay_results_set_item_text(table->results, item, cell->text.text, cell->text.length);
    if (status == ASSAY_OK && cluster.length > 0)
        status = assay_results_set_item_cluster(table->results, item, cluster.text, cluster.length);
    return status;
}

static assay_status name_template(assay_table *table, assay_name name, size_t *index)
{
    return assay_results_name_template(table->results, name.text ? name.text : "", name.length,
                                       index);
}
