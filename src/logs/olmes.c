/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/olmes.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/place.h"
#include "logs/rows.h"
#include "read/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NATIVE_ID, DOC_ID, MODEL_HASH };
enum { TASK_NAME, MODEL, PRIMARY };

typedef struct predictions {
    assay_table *table;
    assay_picker picker, beside; /* the lines, and the metrics file */
    int has_beside;
    char *task;          /* of the file's name */
    const char *wanted;  /* the metric that is asked for, or the primary one; NULL: the first */
    assay_names metrics; /* those that are scores */
    size_t chosen;       /* of them; SIZE_MAX: not met */
    double score;        /* of the line's chosen metric */
    assay_score_state state;
} predictions;

static assay_status open_beside(predictions *p);
static size_t start_of_task(const char *name, size_t length);
static assay_status take_metric(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status put(void *user);
static assay_status conclude(predictions *p);
static int is_score(const char *key);

static const char end_of_name[] = "-predictions";

int assay_olmes_is_predictions(const assay_log_head *head)
{
    static const char *const keys[] = { "doc_id", "metrics", "model_output", "task_hash" };

    return assay_log_head_has(head, keys, 4) &&
           assay_log_head_at(head, "metrics") == ASSAY_JSON_OBJECT;
}

int assay_olmes_is_metrics(const assay_log_head *head)
{
    static const char *const keys[] = { "task_name", "task_config", "metrics", "model_config" };

    return assay_log_head_has(head, keys, 4);
}

int assay_olmes_is_requests(const assay_log_head *head)
{
    static const char *const one[] = { "request_type", "request", "doc", "native_id" };
    static const char *const sample[] = { "requests", "doc", "native_id", "task_name" };

    return assay_log_head_has(head, one, 4) || assay_log_head_has(head, sample, 4);
}

assay_status assay_olmes_read(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[] = { { "native_id", NULL },
                                        { "doc_id", NULL },
                                        { "model_hash", NULL },
                                        { "metrics/*", take_metric } };
    predictions p = { .table = table, .chosen = SIZE_MAX, .state = ASSAY_UNSCORED, .score = NAN };
    assay_status status = open_beside(&p);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&p.picker, table->path, picks, 4, &p);
    if (status == ASSAY_OK) status = assay_log_rows(table, &p.picker, put);
    if (status == ASSAY_OK) status = conclude(&p);
    assay_picker_close(&p.picker);
    assay_picker_close(&p.beside);
    assay_names_free(&p.metrics);
    free(p.task);
    return status;
}

/* task-000-arc_easy-predictions.jsonl stands beside task-000-arc_easy-metrics.json. */
static assay_status open_beside(predictions *p)
{
    static const assay_pick picks[] = { { "task_name", NULL },
                                        { "model_config/model", NULL },
                                        { "task_config/primary_metric", NULL } };
    const char *name = assay_log_file_name(p->table->path);
    size_t stem = assay_folder_stem(name), ending = strlen(end_of_name), start;
    char *other, *path;
    assay_status status;

    p->wanted = p->table->options->metric;
    if (stem == strlen(name) || stem <= ending ||
        memcmp(name + stem - ending, end_of_name, ending) != 0)
        return assay_picker_open(&p->beside, p->table->path, picks, 3, NULL);
    stem -= ending;
    start = start_of_task(name, stem);
    p->task = assay_copy_text(name + start, stem - start);
    other = assay_alloc(stem + sizeof "-metrics.json", 1);
    if (other) {
        memcpy(other, name, stem);
        memcpy(other + stem, "-metrics.json", sizeof "-metrics.json");
    }
    path = other ? assay_log_beside(p->table->path, other) : NULL;
    status = path && p->task ? assay_picker_open(&p->beside, path, picks, 3, NULL)
                             : assay_fail(ASSAY_E_NOMEM, "%s: no memory", p->table->path);
    if (status == ASSAY_OK)
        status =
            assay_log_pick_file(&p->beside, path, &p->table->options->progress, &p->has_beside);
    status = assay_log_pass_by(p->table, status);
    if (status == ASSAY_OK && p->has_beside && !p->wanted &&
        p->beside.values[PRIMARY].kind == ASSAY_JSON_STRING)
        p->wanted = p->beside.values[PRIMARY].text;
    free(path);
    free(other);
    return status;
}

/* Behind "task-000-", before which a file may have been given a word of its own; else 0. */
static size_t start_of_task(const char *name, size_t length)
{
    static const char form[] = "task-";
    const size_t n = sizeof form - 1;
    const char *at = strncmp(name, form, n) == 0 ? name : strstr(name, "_task-");
    size_t start, digits;

    if (!at) return 0;
    start = (size_t)(at - name) + n + (at == name ? 0 : 1);
    digits = strspn(name + start, "0123456789");
    start += digits;
    return digits > 0 && start + 1 < length && name[start] == '-' ? start + 1 : 0;
}

static assay_status take_metric(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    predictions *p = user;
    const int is_wanted = p->wanted && strcmp(key, p->wanted) == 0;
    size_t index;

    if (assay_json_is_container(value->kind)) return assay_json_leave(reader);
    if (!is_wanted && !is_score(key)) return ASSAY_OK;
    if (assay_names_add(&p->metrics, key, strlen(key), &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a metric", p->table->path);
    if (p->chosen == SIZE_MAX && (p->wanted ? is_wanted : value->kind != ASSAY_JSON_NULL))
        p->chosen = index;
    if (index == p->chosen) p->state = assay_log_score(value, &p->score);
    return ASSAY_OK;
}

/* What describes an answer, rather than being a score of it. */
static int is_score(const char *key)
{
    static const char *const others[] = {
        "predicted_index", "correct_choice", "no_answer",     "sum_logits", "logits", "num_tokens",
        "num_chars",       "num_bytes",      "bits_per_byte", "ppl",        "log"
    };

    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (strncmp(key, others[k], strlen(others[k])) == 0) return 0;
    return 1;
}

static assay_status put(void *user)
{
    predictions *p = user;
    const assay_value *values = p->picker.values, *beside = p->beside.values;
    assay_log_cell cell = { .model = assay_value_name(&beside[MODEL]),
                            .task = assay_value_name(&beside[TASK_NAME]),
                            .item = assay_value_name(&values[NATIVE_ID]),
                            .score = p->score,
                            .state = p->state,
                            .line = p->picker.line };

    if (cell.model.length == 0) cell.model = assay_value_name(&values[MODEL_HASH]);
    if (cell.task.length == 0 && p->task) cell.task = (assay_name){ p->task, strlen(p->task) };
    if (cell.item.length == 0) cell.item = assay_value_name(&values[DOC_ID]);
    p->state = ASSAY_UNSCORED;
    p->score = NAN;
    return assay_log_put(p->table, &cell);
}

static assay_status conclude(predictions *p)
{
    char names[ASSAY_HEADER_LIST_SIZE], mapping[ASSAY_TABLE_NOTE_SIZE];
    assay_status status;

    assay_log_list(&p->metrics, p->chosen, names);
    if (p->chosen == SIZE_MAX && p->wanted)
        return assay_fail_at(ASSAY_E_VALUE, p->table->path, 0,
                             "no metric \"%.60s\" (%s); there are: %s", p->wanted,
                             p->table->options->metric ? "--metric" : "the primary one", names);
    if (p->chosen == SIZE_MAX)
        return assay_fail_at(ASSAY_E_VALUE, p->table->path, 0, "none of its metrics is a score");
    snprintf(mapping, sizeof mapping,
             "predictions of OLMES; model = %s, item = task and native_id, score = \"%.60s\"%s",
             assay_value_name(&p->beside.values[MODEL]).length > 0 ? "model_config.model"
                                                                   : "model_hash",
             p->metrics.text[p->chosen],
             p->wanted && !p->table->options->metric ? ", the primary metric" : "");
    status = assay_table_note_mapping(p->table, mapping);
    if (status == ASSAY_OK && !p->wanted && names[0])
        status = assay_results_add_note(
            p->table->results,
            "%s: scored by \"%.60s\", for no metrics.json beside it names the primary metric; "
            "--metric chooses another: %s",
            p->table->path, p->metrics.text[p->chosen], names);
    return status;
}
