/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/helm.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/helm_rows.h"
#include "logs/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is picked of a row, and of each of its statistics. */
enum { INSTANCE, TRIAL, PERTURBATION, LIST, OBJECT, N_ROW };
enum { NAME, SPLIT, SUB_SPLIT, COUNT, SUM, MEAN, N_STATISTIC };

static assay_status read_file(assay_helm_rows *h);
static assay_status take_list(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value);
static assay_status take_statistic(void *user);
static assay_status take_member(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status add_statistic(assay_helm_rows *h, assay_name metric, assay_name split,
                                  assay_name sub_split, double value);
static assay_status take_row(void *user);
static assay_status find_row(assay_helm_rows *h, size_t *index);
static assay_status name(assay_names *names, assay_name text, size_t *index);
static assay_status leave_to_companion(const assay_table *table, const assay_log_head *head);
static assay_status fail_memory(const assay_helm_rows *h);

static const assay_pick row_picks[N_ROW] = {
    [INSTANCE] = { "instance_id", NULL },           [TRIAL] = { "train_trial_index", NULL },
    [PERTURBATION] = { "perturbation/name", NULL }, [LIST] = { "stats", take_list },
    [OBJECT] = { "stats/*", take_member },
};
static const assay_pick statistic_picks[N_STATISTIC] = {
    [NAME] = { "name/name", NULL },
    [SPLIT] = { "name/split", NULL },
    [SUB_SPLIT] = { "name/sub_split", NULL },
    [COUNT] = { "count", NULL },
    [SUM] = { "sum", NULL },
    [MEAN] = { "mean", NULL },
};

static int has(const assay_log_head *head, assay_head_kind kind, const char *first,
               const char *second, const char *third)
{
    const char *const paths[] = { first, second, third };

    return head->kind == kind && assay_log_head_has(head, paths, 3);
}

int assay_helm_is_scores(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_ARRAY, "instance_id", "stats", "stats/name/name") ||
           has(head, ASSAY_HEAD_ARRAY, "instance_id", "predicted_text", "stats");
}

int assay_helm_is_run_spec(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_OBJECT, "name", "scenario_spec/class_name", "adapter_spec");
}

int assay_helm_is_state(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_OBJECT, "adapter_spec", "request_states", "adapter_spec/method");
}

int assay_helm_is_stats(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_ARRAY, "name/name", "count", "sum_squared");
}

/* Rows of a table may have an id, an input and references as well: those of HELM have tags. */
int assay_helm_is_instances(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_ARRAY, "input", "references", "id") &&
           assay_log_head_at(head, "references") == ASSAY_JSON_ARRAY &&
           assay_log_head_at(head, "input") == ASSAY_JSON_OBJECT &&
           (assay_log_head_at(head, "references/tags") == ASSAY_JSON_ARRAY ||
            (assay_log_head_at(head, "split") == ASSAY_JSON_STRING &&
             assay_log_head_at(head, "score") == ASSAY_JSON_END));
}

int assay_helm_is_requests(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_ARRAY, "instance_id", "train_trial_index", "request");
}

int assay_helm_is_scenario(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_OBJECT, "name", "description", "definition_path");
}

assay_status assay_helm_read(assay_table *table, const assay_log_head *head)
{
    assay_helm_rows h = { .table = table };
    assay_status status = leave_to_companion(table, head);

    if (status == ASSAY_OK) status = assay_helm_run_read(&h.run, table);
    if (status == ASSAY_OK) status = read_file(&h);
    if (status == ASSAY_OK) status = assay_helm_rows_put(&h);
    assay_helm_run_free(&h.run);
    free(h.rows);
    free(h.statistics);
    free(h.scratch.text);
    assay_names_free(&h.keys);
    assay_names_free(&h.instances);
    assay_names_free(&h.perturbations);
    assay_names_free(&h.trials);
    assay_names_free(&h.splits);
    assay_names_free(&h.sub_splits);
    assay_names_free(&h.metrics);
    return status;
}

static assay_status leave_to_companion(const assay_table *table, const assay_log_head *head)
{
    char *path;
    struct stat about;
    int is_there;

    if (assay_log_head_at(head, "predicted_text") == ASSAY_JSON_END) return ASSAY_OK;
    path = assay_log_beside(table->path, "per_instance_stats.json");
    if (!path) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a path", table->path);
    is_there = stat(path, &about) == 0;
    free(path);
    return is_there ? assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                                    "HELM's display_predictions.json, whose scores stand in "
                                    "per_instance_stats.json beside it; give that file, or the "
                                    "folder")
                    : ASSAY_OK;
}

static assay_status read_file(assay_helm_rows *h)
{
    assay_status status = assay_picker_open(&h->rows_picker, h->table->path, row_picks, N_ROW, h);

    if (status == ASSAY_OK)
        status = assay_picker_open(&h->picker, h->table->path, statistic_picks, N_STATISTIC, h);
    if (status == ASSAY_OK) status = assay_log_rows(h->table, &h->rows_picker, take_row);
    assay_picker_close(&h->rows_picker);
    assay_picker_close(&h->picker);
    return status;
}

static assay_status take_list(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value)
{
    assay_helm_rows *h = user;

    (void)key;
    return value->kind == ASSAY_JSON_ARRAY ? assay_picker_array(&h->picker, reader, take_statistic)
                                           : ASSAY_OK;
}

/* A statistic of nothing has no mean. */
static assay_status take_statistic(void *user)
{
    assay_helm_rows *h = user;
    const assay_value *values = h->picker.values;
    double count = values[COUNT].number, value = values[MEAN].number;

    if (values[NAME].kind != ASSAY_JSON_STRING) return ASSAY_OK;
    if (values[MEAN].kind != ASSAY_JSON_NUMBER) value = values[SUM].number / count;
    if (values[COUNT].kind == ASSAY_JSON_NUMBER && count == 0.0) value = NAN;
    return add_statistic(h, assay_value_name(&values[NAME]), assay_value_name(&values[SPLIT]),
                         assay_value_name(&values[SUB_SPLIT]), value);
}

/* display_predictions.json has names and values alone. */
static assay_status take_member(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    const assay_name none = { "", 0 };
    double score;

    if (assay_json_is_container(value->kind)) return assay_json_leave(reader);
    assay_log_score(value, &score);
    return add_statistic(user, (assay_name){ key, strlen(key) }, none, none, score);
}

static assay_status add_statistic(assay_helm_rows *h, assay_name metric, assay_name split,
                                  assay_name sub_split, double value)
{
    assay_helm_statistic *s;
    assay_status status;

    if (assay_grow(&h->statistics, &h->statistics_capacity, h->n + 1, sizeof *h->statistics) != 0)
        return fail_memory(h);
    s = &h->statistics[h->n];
    *s = (assay_helm_statistic){ .sub_split = SIZE_MAX,
                                 .split = SIZE_MAX,
                                 .value = isfinite(value) ? value : NAN };
    status = name(&h->metrics, metric, &s->metric);
    if (status == ASSAY_OK && split.length > 0) status = name(&h->splits, split, &s->split);
    if (status == ASSAY_OK && sub_split.length > 0)
        status = name(&h->sub_splits, sub_split, &s->sub_split);
    if (status == ASSAY_OK) h->n++;
    return status;
}

static assay_status name(assay_names *names, assay_name text, size_t *index)
{
    return assay_names_add(names, text.text ? text.text : "", text.length, index) == 0
               ? ASSAY_OK
               : assay_fail(ASSAY_E_NOMEM, "no memory for names of a HELM run");
}

/* The statistics that came since the row before are this one's. */
static assay_status take_row(void *user)
{
    assay_helm_rows *h = user;
    const assay_helm_instance *known;
    size_t index;
    assay_name id = assay_value_name(&h->rows_picker.values[INSTANCE]);
    assay_status status = assay_table_check_name(h->table, h->rows_picker.line, "instance_id",
                                                 (assay_name){ id.text ? id.text : "", id.length });

    if (status == ASSAY_OK) status = find_row(h, &index);
    if (status != ASSAY_OK) return status;
    known = assay_helm_run_instance(&h->run, h->instances.text[h->rows[index].instance]);
    for (; h->n_begun < h->n; h->n_begun++) {
        assay_helm_statistic *s = &h->statistics[h->n_begun];

        if (s->split == SIZE_MAX && known && known->split)
            status =
                name(&h->splits, (assay_name){ known->split, strlen(known->split) }, &s->split);
        if (status != ASSAY_OK) return status;
        s->row = index;
        if (h->rows[index].split == SIZE_MAX) h->rows[index].split = s->split;
        if (h->rows[index].sub_split == SIZE_MAX) h->rows[index].sub_split = s->sub_split;
    }
    return ASSAY_OK;
}

static assay_status find_row(assay_helm_rows *h, size_t *index)
{
    const assay_value *values = h->rows_picker.values;
    const assay_name parts[] = { assay_value_name(&values[INSTANCE]),
                                 assay_value_name(&values[PERTURBATION]),
                                 assay_value_name(&values[TRIAL]) };
    size_t known = h->keys.count;
    assay_helm_row new = { .split = SIZE_MAX, .sub_split = SIZE_MAX, .line = h->rows_picker.line };
    assay_status status = ASSAY_OK;

    h->scratch.length = 0;
    for (size_t k = 0; status == ASSAY_OK && k < 3; k++)
        status = assay_log_text_add_part(&h->scratch, parts[k].text, parts[k].length);
    if (status == ASSAY_OK)
        status = name(&h->keys, (assay_name){ h->scratch.text, h->scratch.length }, index);
    if (status == ASSAY_OK) status = name(&h->instances, parts[0], &new.instance);
    if (status == ASSAY_OK) status = name(&h->perturbations, parts[1], &new.perturbation);
    if (status == ASSAY_OK) status = name(&h->trials, parts[2], &new.trial);
    if (status != ASSAY_OK) return status;
    if (assay_grow(&h->rows, &h->rows_capacity, h->keys.count, sizeof *h->rows) != 0)
        return fail_memory(h);
    if (*index == known) h->rows[*index] = new;
    return ASSAY_OK;
}

static assay_status fail_memory(const assay_helm_rows *h)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a run of HELM", h->table->path);
}
