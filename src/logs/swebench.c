/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/swebench.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/place.h"
#include "logs/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the lists that name an instance say of it, the stronger the later. */
typedef enum fate {
    FATE_LISTED = 0, /* "generated", "applied", ...: seen, and not resolved as far as known */
    FATE_INCOMPLETE, /* never submitted */
    FATE_UNRESOLVED,
    FATE_EMPTY, /* the system's patch was empty, or none came */
    FATE_ERROR, /* its evaluation failed */
    FATE_RESOLVED,
    N_FATES
} fate;

typedef struct lists {
    assay_table *table;
    assay_names instances;
    unsigned char *fates; /* of each */
    size_t fates_capacity;
    size_t n[N_FATES];
    double total; /* total_instances, NaN: not said */
    int is_report, of_total;
    assay_name model, run;
} lists;

static const char *const metrics[] = { "resolved", "resolved_of_total" };

static assay_status take_list(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value);
static fate fate_of(const lists *l, const char *key);
static assay_status keep(lists *l, const char *text, size_t length, fate is);
static assay_status put_all(lists *l);
static assay_score_state state_of(const lists *l, fate is);
static assay_status add_notes(const lists *l);
static void name_report(lists *l);
static void name_lists(lists *l);

int assay_swebench_is_report(const assay_log_head *head)
{
    static const char *const keys[] = { "total_instances", "resolved_ids" };

    return head->kind == ASSAY_HEAD_OBJECT && assay_log_head_has(head, keys, 2);
}

int assay_swebench_is_lists(const assay_log_head *head)
{
    static const char *const others[] = {
        "no_generation", "no_logs", "generated",    "with_logs",
        "no_apply",      "applied", "install_fail", "test_errored"
    };
    size_t n = 0;

    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        n += assay_log_head_at(head, others[k]) == ASSAY_JSON_ARRAY;
    return head->kind == ASSAY_HEAD_OBJECT && n > 0 &&
           assay_log_head_at(head, "resolved") == ASSAY_JSON_ARRAY;
}

assay_status assay_swebench_read(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[] = { { "total_instances", NULL }, { "*", take_list } };
    lists l = { .table = table, .total = NAN, .is_report = !assay_swebench_is_lists(head) };
    assay_picker picker = { 0 };
    size_t metric;
    assay_status status = assay_log_choose_metric(table, metrics, l.is_report ? 2 : 1, &metric);

    if (status == ASSAY_OK) status = assay_picker_open(&picker, table->path, picks, 2, &l);
    if (status == ASSAY_OK) status = assay_log_document(table, &picker);
    if (status == ASSAY_OK) {
        l.of_total = metric == 1;
        if (picker.values[0].kind == ASSAY_JSON_NUMBER) l.total = picker.values[0].number;
        if (l.is_report)
            name_report(&l);
        else
            name_lists(&l);
        status = put_all(&l);
    }
    assay_picker_close(&picker);
    assay_names_free(&l.instances);
    free(l.fates);
    return status;
}

/* The ids of one list. Numbers and what else stands beside the lists are the tool's own sums. */
static assay_status take_list(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value)
{
    lists *l = user;
    fate is = fate_of(l, key);

    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    if (is == N_FATES) return assay_json_leave(reader);
    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        assay_status status = assay_json_next(reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_ARRAY_END) return status;
        if (event == ASSAY_JSON_STRING)
            status = keep(l, text, length, is);
        else
            status = assay_fail_at(ASSAY_E_FORMAT, l->table->path, assay_json_line(reader),
                                   "\"%.60s\" holds what is no instance's id", key);
        if (status != ASSAY_OK) return status;
    }
}

static fate fate_of(const lists *l, const char *key)
{
    static const struct row {
        const char *key;
        fate is;
    } report[] = { { "completed_ids", FATE_UNRESOLVED }, { "unresolved_ids", FATE_UNRESOLVED },
                   { "submitted_ids", FATE_LISTED },     { "incomplete_ids", FATE_INCOMPLETE },
                   { "empty_patch_ids", FATE_EMPTY },    { "error_ids", FATE_ERROR },
                   { "resolved_ids", FATE_RESOLVED } },
      others[] = { { "no_generation", FATE_EMPTY },  { "none", FATE_EMPTY },
                   { "no_logs", FATE_ERROR },        { "install_fail", FATE_ERROR },
                   { "reset_failed", FATE_ERROR },   { "test_errored", FATE_ERROR },
                   { "test_timeout", FATE_ERROR },   { "no_apply", FATE_UNRESOLVED },
                   { "applied", FATE_UNRESOLVED },   { "generated", FATE_UNRESOLVED },
                   { "with_logs", FATE_UNRESOLVED }, { "unresolved", FATE_UNRESOLVED },
                   { "resolved", FATE_RESOLVED } };
    const struct row *rows = l->is_report ? report : others;
    size_t n = l->is_report ? sizeof report / sizeof *rows : sizeof others / sizeof *rows;

    for (size_t k = 0; k < n; k++)
        if (strcmp(rows[k].key, key) == 0) return rows[k].is;
    return N_FATES;
}

static assay_status keep(lists *l, const char *text, size_t length, fate is)
{
    size_t known = l->instances.count, instance;

    if (assay_names_add(&l->instances, text, length, &instance) != 0 ||
        assay_grow(&l->fates, &l->fates_capacity, l->instances.count, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its instances", l->table->path);
    if (instance == known) l->fates[instance] = FATE_LISTED;
    if (is > (fate)l->fates[instance]) l->fates[instance] = (unsigned char)is;
    return ASSAY_OK;
}

static assay_status put_all(lists *l)
{
    assay_status status = ASSAY_OK;

    if (l->instances.count == 0)
        return assay_fail_at(ASSAY_E_FORMAT, l->table->path, 0, "names no instance");
    for (size_t k = 0; k < l->instances.count; k++) l->n[l->fates[k]]++;
    if (l->instances.count == l->n[FATE_RESOLVED] && l->total != (double)l->instances.count)
        return assay_fail_at(
            ASSAY_E_FORMAT, l->table->path, 0,
            "names no instance but resolved ones (%zu), so that no rate follows; give the run "
            "report (MODEL.RUN_ID.json), which lists all",
            l->n[FATE_RESOLVED]);
    for (size_t k = 0; status == ASSAY_OK && k < l->instances.count; k++) {
        fate is = (fate)l->fates[k];
        assay_log_cell cell = { .model = l->model, .run = l->run, .state = state_of(l, is) };

        cell.item = (assay_name){ l->instances.text[k], strlen(l->instances.text[k]) };
        cell.score = cell.state == ASSAY_SCORED ? (double)(is == FATE_RESOLVED) : NAN;
        status = assay_log_put(l->table, &cell);
    }
    return status == ASSAY_OK ? add_notes(l) : status;
}

static assay_score_state state_of(const lists *l, fate is)
{
    if (l->of_total) return ASSAY_SCORED;
    switch (is) {
    case FATE_INCOMPLETE: return ASSAY_MISSING;
    case FATE_ERROR: return ASSAY_ERRORED;
    default: return ASSAY_SCORED;
    }
}

static assay_status add_notes(const lists *l)
{
    assay_results *results = l->table->results;
    const char *path = l->table->path;
    double unlisted = l->total - (double)l->instances.count;
    assay_status status = assay_table_note_mapping(
        l->table,
        !l->is_report ? "SWE-bench results.json; model = folder, item = instance, score = 1 where "
                        "resolved; instances without a patch are 0"
        : l->of_total ? "SWE-bench run report; model = the file's name before the run id, item = "
                        "instance, run = run id, score = 1 where resolved; all others are 0"
                      : "SWE-bench run report; model = the file's name before the run id, item = "
                        "instance, run = run id, score = 1 where resolved; empty patches are 0");

    if (status == ASSAY_OK && !l->is_report)
        status = assay_results_add_note(results,
                                        "%s: it says no total: only the %zu instances that it "
                                        "lists are known, of which %zu are "
                                        "resolved",
                                        path, l->instances.count, l->n[FATE_RESOLVED]);
    if (status == ASSAY_OK && l->is_report && !l->of_total &&
        l->n[FATE_ERROR] + l->n[FATE_INCOMPLETE] > 0)
        status = assay_results_add_note(
            results,
            "%s: %zu errored and %zu never submitted are not counted as wrong; SWE-bench itself "
            "counts %zu of %.0f (--metric resolved_of_total)",
            path, l->n[FATE_ERROR], l->n[FATE_INCOMPLETE], l->n[FATE_RESOLVED],
            isnan(l->total) ? (double)l->instances.count : l->total);
    if (status == ASSAY_OK && unlisted != 0.0 && !isnan(unlisted))
        status = assay_results_add_note(results, "%s: total_instances is %.0f, its lists name %zu",
                                        path, l->total, l->instances.count);
    return status;
}

/* A run id has no point, a model's name may: gpt-4.1.my_run.json. */
static void name_report(lists *l)
{
    assay_name stem = assay_log_stem(l->table->path);
    size_t at = stem.length;

    while (at > 0 && stem.text[at - 1] != '.') at--;
    if (at < 2 || at == stem.length) return;
    l->model = (assay_name){ stem.text, at - 1 };
    l->run = (assay_name){ stem.text + at, stem.length - at };
}

static void name_lists(lists *l)
{
    assay_name folder = assay_log_folder(l->table->path, 0);

    if (!assay_name_is(assay_log_stem(l->table->path), "results")) return;
    l->model = folder.text && assay_name_is(folder, "results") ? assay_log_folder(l->table->path, 1)
                                                               : folder;
}
