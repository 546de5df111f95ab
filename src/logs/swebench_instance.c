/* SPDX-License-Identifier: Apache-2.0 */
/* SWE-bench's report.json of an instance: {"INSTANCE": {"resolved": true, ...}}. */
#include "logs/swebench.h"

#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/place.h"
#include "logs/rows.h"

#include <string.h>

typedef struct report {
    assay_table *table;
    assay_picker inner; /* within an instance */
} report;

static assay_status take_instance(void *user, assay_json_reader *reader, const char *key,
                                  const assay_value *value);
static void find_place(const char *path, assay_log_cell *cell);

int assay_swebench_is_instance(const assay_log_head *head)
{
    static const char *const others[] = { "*/patch_exists", "*/patch_successfully_applied",
                                          "*/tests_status" };
    int has_other = 0;

    for (size_t k = 0; k < 3; k++)
        has_other |= assay_log_head_at(head, others[k]) != ASSAY_JSON_END;
    return head->kind == ASSAY_HEAD_OBJECT && has_other &&
           assay_log_head_at(head, "*/resolved") != ASSAY_JSON_END;
}

assay_status assay_swebench_read_instance(assay_table *table, const assay_log_head *head)
{
    static const assay_pick outside[] = { { "*", take_instance } },
                            inside[] = { { "resolved", NULL } };
    static const char *const metrics[] = { "resolved" };
    report r = { .table = table };
    assay_picker picker = { 0 };
    size_t metric;
    assay_status status = assay_log_choose_metric(table, metrics, 1, &metric);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&r.inner, table->path, inside, 1, &r);
    if (status == ASSAY_OK) status = assay_picker_open(&picker, table->path, outside, 1, &r);
    if (status == ASSAY_OK) status = assay_log_document(table, &picker);
    if (status == ASSAY_OK)
        status = assay_table_note_mapping(
            table,
            "SWE-bench report of an instance; model and run = the folders RUN/MODEL/INSTANCE, "
            "item = instance, score = resolved");
    assay_picker_close(&picker);
    assay_picker_close(&r.inner);
    return status;
}

static assay_status take_instance(void *user, assay_json_reader *reader, const char *key,
                                  const assay_value *value)
{
    report *r = user;
    assay_log_cell cell = { .line = assay_json_line(reader), .item = { key, strlen(key) } };
    assay_status status;

    if (value->kind == ASSAY_JSON_ARRAY) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_OBJECT) return ASSAY_OK;
    if ((status = assay_picker_object(&r->inner, reader)) != ASSAY_OK) return status;
    cell.state = assay_log_score(&r->inner.values[0], &cell.score);
    find_place(r->table->path, &cell);
    return assay_log_put(r->table, &cell);
}

/* logs/run_evaluation/RUN_ID/MODEL/INSTANCE/report.json */
static void find_place(const char *path, assay_log_cell *cell)
{
    assay_name instance = assay_log_folder(path, 0);

    if (!instance.text || instance.length != cell->item.length ||
        memcmp(instance.text, cell->item.text, instance.length) != 0)
        return;
    cell->model = assay_log_folder(path, 1);
    if (cell->model.text) cell->run = assay_log_folder(path, 2);
}
