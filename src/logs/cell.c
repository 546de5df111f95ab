/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/cell.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "read/score_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status check_further(const assay_table *table, const assay_log_cell *cell);
static assay_status find_item(assay_table *table, const assay_log_cell *cell, size_t *item);
static assay_status describe(assay_table *table, const assay_log_cell *cell, size_t item);
static assay_status find_record(assay_table *table, const assay_log_cell *cell, size_t item,
                                size_t *record);
static assay_status name_template(assay_table *table, assay_name name, size_t *index);

assay_status assay_log_put(assay_table *table, const assay_log_cell *cell)
{
    size_t item, record;
    assay_status status = assay_table_check_name(table, cell->line, "item", cell->item);

    if (status == ASSAY_OK && cell->model.text)
        status = assay_table_check_name(table, cell->line, "model", cell->model);
    if (status == ASSAY_OK) status = check_further(table, cell);
    if (status == ASSAY_OK) status = find_item(table, cell, &item);
    if (status == ASSAY_OK) status = describe(table, cell, item);
    if (status == ASSAY_OK) status = find_record(table, cell, item, &record);
    if (status != ASSAY_OK) return status;
    status = assay_results_put(table->results, record, item, cell->score, cell->state);
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

static assay_status find_item(assay_table *table, const assay_log_cell *cell, size_t *item)
{
    const assay_name none = { NULL, 0 }, *id = &cell->item;
    const assay_name *task = table->options->by_task ? &none : &cell->task;
    size_t length = task->length > 0 ? task->length + 1 + id->length : id->length;
    char *name = assay_alloc(length + 1, 1), *end = name;
    assay_status status;

    if (!name) return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", length);
    if (task->length > 0) {
        memcpy(name, task->text, task->length);
        end = name + task->length;
        *end++ = '/';
    }
    memcpy(end, id->text, id->length);
    status = assay_results_name_item(table->results, name, length, item);
    free(name);
    return status;
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

static assay_status find_record(assay_table *table, const assay_log_cell *cell, size_t item,
                                size_t *record)
{
    const assay_name none = { NULL, 0 }, task = table->options->by_task ? cell->task : none;
    size_t model, template_index, run;
    assay_status status = assay_table_name_model(table, cell->line, cell->model, task, &model);

    if (status == ASSAY_OK) status = name_template(table, cell->template_id, &template_index);
    if (status == ASSAY_OK && table->options->repeats)
        return assay_results_next_run(table->results, model, template_index, item, record);
    if (status == ASSAY_OK)
        status = assay_results_name_run(table->results, cell->run.text ? cell->run.text : "",
                                        cell->run.length, &run);
    return status == ASSAY_OK
               ? assay_results_find_record(table->results, model, template_index, run, record)
               : status;
}

static assay_status name_template(assay_table *table, assay_name name, size_t *index)
{
    return assay_results_name_template(table->results, name.text ? name.text : "", name.length,
                                       index);
}
