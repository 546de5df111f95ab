/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/helm.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/helm_run.h"
#include "logs/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is picked of a row, and of each of its statistics. */
enum { INSTANCE, TRIAL, PERTURBATION, LIST, OBJECT, N_ROW };
enum { NAME, SPLIT, SUB_SPLIT, COUNT, SUM, MEAN, N_STATISTIC };

/* An instance under a perturbation in a trial: rows that say more of it are one. */
typedef struct row {
    size_t instance, perturbation, trial; /* names */
    size_t split, sub_split;              /* names, SIZE_MAX: none told */
    int is_scored;                        /* has the chosen metric */
    size_t line;
} row;

typedef struct statistic {
    size_t row, metric, split, sub_split;
    double value; /* NaN: of nothing */
} statistic;

typedef struct helm {
    assay_table *table;
    assay_helm_run run;
    assay_picker rows_picker, picker;
    row *rows;
    statistic *statistics;
    size_t n, n_begun, rows_capacity,
        statistics_capacity; /* n: statistics; n_begun: of rows done */
    size_t n_file_rows;
    assay_names keys, instances, perturbations, trials, splits, sub_splits, metrics;
    assay_log_text scratch, item;
} helm;

static assay_status read_file(helm *h);
static assay_status take_list(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value);
static assay_status take_statistic(void *user);
static assay_status take_member(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status add_statistic(helm *h, assay_name metric, assay_name split,
                                  assay_name sub_split, double value);
static assay_status take_row(void *user);
static assay_status find_row(helm *h, size_t *index);
static assay_status name(assay_names *names, assay_name text, size_t *index);
static assay_status finish(helm *h);
static assay_status choose_metric(const helm *h, size_t *metric);
static assay_status choose_split(const helm *h, size_t *split);
static assay_status put_scores(helm *h, size_t metric, size_t split);
static assay_status put_unscored(helm *h, size_t split, size_t *n_others);
static assay_status put(helm *h, const row *of, double value, assay_score_state state);
static assay_status name_template(helm *h, const row *of);
static assay_status add_notes(helm *h, size_t metric, size_t split, size_t n_others);
static assay_status leave_to_companion(const assay_table *table, const assay_log_head *head);
static assay_status fail_memory(const helm *h);

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

int assay_helm_is_instances(const assay_log_head *head)
{
    return has(head, ASSAY_HEAD_ARRAY, "input", "references", "id") &&
           assay_log_head_at(head, "references") == ASSAY_JSON_ARRAY &&
           assay_log_head_at(head, "input") == ASSAY_JSON_OBJECT;
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
    helm h = { .table = table };
    assay_status status = leave_to_companion(table, head);

    if (status == ASSAY_OK) status = assay_helm_run_read(&h.run, table);
    if (status == ASSAY_OK) status = read_file(&h);
    if (status == ASSAY_OK) status = finish(&h);
    assay_helm_run_free(&h.run);
    free(h.rows);
    free(h.statistics);
    free(h.scratch.text);
    free(h.item.text);
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

static assay_status read_file(helm *h)
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
    helm *h = user;

    (void)key;
    return value->kind == ASSAY_JSON_ARRAY ? assay_picker_array(&h->picker, reader, take_statistic)
                                           : ASSAY_OK;
}

/* A statistic of nothing has no mean. */
static assay_status take_statistic(void *user)
{
    helm *h = user;
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

    if (value->kind == ASSAY_JSON_OBJECT || value->kind == ASSAY_JSON_ARRAY)
        return assay_json_leave(reader);
    assay_log_score(value, &score);
    return add_statistic(user, (assay_name){ key, strlen(key) }, none, none, score);
}

static assay_status add_statistic(helm *h, assay_name metric, assay_name split,
                                  assay_name sub_split, double value)
{
    statistic *s;
    assay_status status;

    if (assay_grow(&h->statistics, &h->statistics_capacity, h->n + 1, sizeof *h->statistics) != 0)
        return fail_memory(h);
    s = &h->statistics[h->n];
    *s = (statistic){ .sub_split = SIZE_MAX,
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
    helm *h = user;
    const assay_helm_instance *known;
    size_t index;
    assay_name id = assay_value_name(&h->rows_picker.values[INSTANCE]);
    assay_status status = assay_table_check_name(h->table, h->rows_picker.line, "instance_id",
                                                 (assay_name){ id.text ? id.text : "", id.length });

    if (status == ASSAY_OK) status = find_row(h, &index);
    if (status != ASSAY_OK) return status;
    known = assay_helm_run_instance(&h->run, h->instances.text[h->rows[index].instance]);
    for (; h->n_begun < h->n; h->n_begun++) {
        statistic *s = &h->statistics[h->n_begun];

        if (s->split == SIZE_MAX && known && known->split)
            status =
                name(&h->splits, (assay_name){ known->split, strlen(known->split) }, &s->split);
        if (status != ASSAY_OK) return status;
        s->row = index;
        if (h->rows[index].split == SIZE_MAX) h->rows[index].split = s->split;
        if (h->rows[index].sub_split == SIZE_MAX) h->rows[index].sub_split = s->sub_split;
    }
    h->n_file_rows++;
    return ASSAY_OK;
}

static assay_status find_row(helm *h, size_t *index)
{
    const assay_value *values = h->rows_picker.values;
    const assay_name parts[] = { assay_value_name(&values[INSTANCE]),
                                 assay_value_name(&values[PERTURBATION]),
                                 assay_value_name(&values[TRIAL]) };
    size_t known = h->keys.count;
    row new = { .split = SIZE_MAX, .sub_split = SIZE_MAX, .line = h->rows_picker.line };
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

static assay_status finish(helm *h)
{
    size_t metric, split, n_others = 0;
    assay_status status = choose_metric(h, &metric);

    if (status == ASSAY_OK) status = choose_split(h, &split);
    if (status == ASSAY_OK) status = put_scores(h, metric, split);
    if (status == ASSAY_OK) status = put_unscored(h, split, &n_others);
    return status == ASSAY_OK ? add_notes(h, metric, split, n_others) : status;
}

static void list_metrics(const helm *h, size_t but, char list[ASSAY_HEADER_LIST_SIZE])
{
    list[0] = '\0';
    for (size_t k = 0; k < h->metrics.count; k++)
        if (k != but && !assay_helm_is_metadata(h->metrics.text[k]))
            assay_header_list_add(list, h->metrics.text[k], strlen(h->metrics.text[k]));
}

static assay_status choose_metric(const helm *h, size_t *metric)
{
    const char *wanted = h->table->options->metric;
    char list[ASSAY_HEADER_LIST_SIZE];
    ptrdiff_t found = wanted ? assay_names_find(&h->metrics, wanted, strlen(wanted)) : -1;

    *metric = found >= 0 ? (size_t)found : assay_helm_main_metric(&h->run, &h->metrics);
    if (wanted ? found >= 0 : *metric != SIZE_MAX) return ASSAY_OK;
    list_metrics(h, SIZE_MAX, list);
    return wanted ? assay_fail_at(ASSAY_E_VALUE, h->table->path, 0,
                                  "no statistic \"%.60s\" (--metric); there are: %s", wanted, list)
                  : assay_fail_at(ASSAY_E_FORMAT, h->table->path, 0,
                                  "statistics of a HELM run, of which none is a score; --metric "
                                  "names one");
}

/* SIZE_MAX where no split is told at all. */
static assay_status choose_split(const helm *h, size_t *split)
{
    static const char *const usual[] = { "test", "valid" };
    const char *wanted = h->table->options->filter;
    char list[ASSAY_HEADER_LIST_SIZE] = "";
    ptrdiff_t found = wanted ? assay_names_find(&h->splits, wanted, strlen(wanted)) : -1;

    for (size_t k = 0; !wanted && found < 0 && k < 2; k++)
        found = assay_names_find(&h->splits, usual[k], strlen(usual[k]));
    *split = found >= 0 ? (size_t)found : h->splits.count > 0 ? 0 : SIZE_MAX;
    if (!wanted || found >= 0) return ASSAY_OK;
    for (size_t k = 0; k < h->splits.count; k++)
        assay_header_list_add(list, h->splits.text[k], strlen(h->splits.text[k]));
    return assay_fail_at(ASSAY_E_VALUE, h->table->path, 0,
                         "no split \"%.60s\" (--filter); there are: %s", wanted, list);
}

static assay_status put_scores(helm *h, size_t metric, size_t split)
{
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < h->n; k++) {
        const statistic *s = &h->statistics[k];

        if (s->metric != metric || s->split != split) continue;
        h->rows[s->row].is_scored = 1;
        status = put(h, &h->rows[s->row], s->value, isnan(s->value) ? ASSAY_MISSING : ASSAY_SCORED);
    }
    return status;
}

static assay_status put_unscored(helm *h, size_t split, size_t *n_others)
{
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < h->keys.count; k++) {
        if (h->rows[k].split != split && !h->rows[k].is_scored)
            ++*n_others;
        else if (!h->rows[k].is_scored)
            status = put(h, &h->rows[k], NAN, ASSAY_UNSCORED);
    }
    return status;
}

static assay_status put(helm *h, const row *of, double value, assay_score_state state)
{
    const char *id = h->instances.text[of->instance], *trial = h->trials.text[of->trial];
    const assay_helm_instance *known = assay_helm_run_instance(&h->run, id);
    assay_log_cell cell = { .score = value, .state = state, .line = of->line };
    assay_status status = name_template(h, of);

    if (status != ASSAY_OK) return status;
    if (h->run.model.length > 0)
        cell.model = (assay_name){ h->run.model.text, h->run.model.length };
    else if (h->run.name.length > 0)
        cell.model = (assay_name){ h->run.name.text, h->run.name.length };
    cell.task = (assay_name){ h->run.task.text, h->run.task.length };
    cell.item = (assay_name){ id, strlen(id) };
    cell.template_id = (assay_name){ h->scratch.text, h->scratch.length };
    cell.run = (assay_name){ trial, strlen(trial) };
    if (of->sub_split != SIZE_MAX)
        cell.cluster = (assay_name){ h->sub_splits.text[of->sub_split],
                                     strlen(h->sub_splits.text[of->sub_split]) };
    if (known && known->text) cell.text = (assay_name){ known->text, strlen(known->text) };
    if (known && known->content[0])
        cell.content = (assay_name){ known->content, strlen(known->content) };
    return assay_log_put(h->table, &cell);
}

static assay_status name_template(helm *h, const row *of)
{
    const char *perturbation = h->perturbations.text[of->perturbation];
    const assay_log_text *variant = &h->run.variant, *augmentation = &h->run.augmentation;
    assay_status status;

    h->scratch.length = 0;
    status = assay_log_text_add(&h->scratch, variant->text ? variant->text : "", variant->length);
    if (status != ASSAY_OK || !perturbation[0]) return status;
    if (variant->length > 0) status = assay_log_text_add(&h->scratch, ",", 1);
    if (status == ASSAY_OK && augmentation->length > 0 &&
        strcmp(augmentation->text, "canonical") != 0) {
        status = assay_log_text_add(&h->scratch, augmentation->text, augmentation->length);
        if (status == ASSAY_OK) status = assay_log_text_add(&h->scratch, ":", 1);
    }
    if (status != ASSAY_OK) return status;
    return assay_log_text_add(&h->scratch, perturbation, strlen(perturbation));
}

static assay_status add_notes(helm *h, size_t metric, size_t split, size_t n_others)
{
    assay_results *results = h->table->results;
    const char *path = h->table->path;
    char mapping[ASSAY_TABLE_NOTE_SIZE], list[ASSAY_HEADER_LIST_SIZE];
    assay_status status;

    snprintf(mapping, sizeof mapping,
             "HELM run; model = adapter_spec.model, item = task and instance_id, template = "
             "adapter and perturbation, run = train_trial_index, score = %.60s, split = %.60s",
             h->metrics.text[metric], split != SIZE_MAX ? h->splits.text[split] : "none told");
    status = assay_table_note_mapping(h->table, mapping);
    list_metrics(h, metric, list);
    if (status == ASSAY_OK && !h->table->options->metric && list[0])
        status =
            assay_results_add_note(results, "%s: --metric chooses another score: %s", path, list);
    list[0] = '\0';
    for (size_t k = 0; k < h->splits.count; k++)
        if (k != split) assay_header_list_add(list, h->splits.text[k], strlen(h->splits.text[k]));
    if (status == ASSAY_OK && n_others > 0)
        status = assay_results_add_note(results,
                                        "%s: instances of other splits, which --filter chooses, "
                                        "left out: %zu (%s)",
                                        path, n_others, list);
    return status;
}

static assay_status fail_memory(const helm *h)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a run of HELM", h->table->path);
}
