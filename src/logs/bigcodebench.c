/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/bigcodebench.h"

#include "core/error.h"
#include "logs/cell.h"
#include "logs/evalplus.h"
#include "logs/metrics.h"
#include "logs/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct results {
    assay_table *table;
    assay_picker inner; /* within a solution */
    assay_name model;
    const char *task; /* the one at hand */
    size_t run, tasks;
} results;

static assay_status take_task(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value);
static assay_status put_solution(void *user);

int assay_bigcodebench_is_one(const assay_log_head *head)
{
    static const char *const keys[] = { "eval/*/task_id", "eval/*/status" };

    return head->kind == ASSAY_HEAD_OBJECT && assay_log_head_has(head, keys, 2);
}

assay_status assay_bigcodebench_read(assay_table *table, const assay_log_head *head)
{
    static const char *const metrics[] = { "status" };
    static const assay_pick outside[] = { { "eval/*", take_task } },
                            inside[] = { { "status", NULL } };
    results r = { .table = table, .model = assay_evalplus_model(table->path) };
    assay_picker picker = { 0 };
    size_t metric;
    assay_status status = assay_log_choose_metric(table, metrics, 1, &metric);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&r.inner, table->path, inside, 1, &r);
    if (status == ASSAY_OK) status = assay_picker_open(&picker, table->path, outside, 1, &r);
    if (status == ASSAY_OK) status = assay_log_document(table, &picker);
    if (status == ASSAY_OK && r.tasks == 0)
        status =
            assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "BigCodeBench results without a task");
    if (status == ASSAY_OK)
        status = assay_table_note_mapping(
            table,
            "BigCodeBench results; item = task, run = place in its list, score = passes the tests");
    assay_picker_close(&picker);
    assay_picker_close(&r.inner);
    return status;
}

static assay_status take_task(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value)
{
    results *r = user;
    assay_status status;

    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    r->task = key;
    r->run = 0;
    r->tasks++;
    if (value->kind == ASSAY_JSON_ARRAY) {
        status = assay_picker_array(&r->inner, reader, put_solution);
        if (status != ASSAY_OK || r->run > 0) return status;
    }
    return assay_log_put(r->table, &(assay_log_cell){ .model = r->model,
                                                      .item = { key, strlen(key) },
                                                      .score = NAN,
                                                      .state = ASSAY_MISSING,
                                                      .line = assay_json_line(reader) });
}

static assay_status put_solution(void *user)
{
    results *r = user;
    assay_verdict verdict = assay_evalplus_verdict(&r->inner.values[0]);
    int is_scored = verdict == ASSAY_VERDICT_PASS || verdict == ASSAY_VERDICT_FAIL;
    char run[24];
    size_t length = (size_t)snprintf(run, sizeof run, "%zu", ++r->run);

    return assay_log_put(r->table, &(assay_log_cell){
                                       .model = r->model,
                                       .item = { r->task, strlen(r->task) },
                                       .run = { run, length },
                                       .score = is_scored ? (double)verdict : NAN,
                                       .state = is_scored ? ASSAY_SCORED : ASSAY_UNSCORED,
                                       .line = r->inner.line,
                                   });
}
