/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/every_eval_ever.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/every_eval_ever_beside.h"
#include "logs/metrics.h"
#include "logs/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODEL,
    NAME,
    RESULT,
    SAMPLE,
    HASH,
    RAW,
    SCORE,
    IS_CORRECT,
    FAULT,
    ITEM,
    RUN,
    TEMPLATE,
    CLUSTER,
    STATE,
    N_PICKS
};

static const assay_pick picks[N_PICKS] = {
    [MODEL] = { "model_id", NULL },
    [NAME] = { "evaluation_name", NULL },
    [RESULT] = { "evaluation_result_id", NULL },
    [SAMPLE] = { "sample_id", NULL },
    [HASH] = { "sample_hash", NULL },
    [RAW] = { "input/raw", NULL },
    [SCORE] = { "evaluation/score", NULL },
    [IS_CORRECT] = { "evaluation/is_correct", NULL },
    [FAULT] = { "error", NULL },
    [ITEM] = { "metadata/item", NULL },
    [RUN] = { "metadata/run", NULL },
    [TEMPLATE] = { "metadata/template", NULL },
    [CLUSTER] = { "metadata/cluster", NULL },
    [STATE] = { "metadata/state", NULL },
};

typedef struct instances {
    assay_table *table;
    assay_picker picker;
    assay_every_eval_ever_beside beside;
    assay_names metrics;      /* result ids, or names, in the order in which they come */
    unsigned char *is_wanted; /* by metric: 1 where the options name it */
    size_t wanted_capacity;
    assay_names samples;             /* keys */
    size_t *chosen, chosen_capacity; /* by sample: its metric */
    char *key;
    size_t key_capacity;
    size_t left_out, used, without_score, contradictions;
} instances;

static assay_status take_line(void *user);
static assay_status name_metric(instances *r, size_t *metric);
static assay_status is_chosen(instances *r, size_t metric, int *chosen);
static assay_status find_sample(instances *r, size_t *sample, int *is_new);
static assay_status put(instances *r, size_t metric);
static assay_score_state score_of(instances *r, size_t metric, double *score);
static assay_score_state said_state(const assay_value *said, const assay_value *fault);
static assay_status conclude(instances *r);
static assay_status fail_memory(const instances *r);

int assay_every_eval_ever_is_instances(const assay_log_head *head)
{
    static const char *const keys[] = { "evaluation_id", "model_id", "sample_id",
                                        "interaction_type" };

    return assay_log_head_has(head, keys, 4);
}

int assay_every_eval_ever_is_aggregate(const assay_log_head *head)
{
    static const char *const keys[] = { "schema_version", "evaluation_id", "source_metadata",
                                        "model_info" };

    return assay_log_head_has(head, keys, 4);
}

int assay_every_eval_ever_is_schema(const assay_log_head *head)
{
    static const char *const aggregate[] = { "$schema", "properties/evaluation_id",
                                             "properties/source_metadata" };
    static const char *const instance[] = { "$schema", "properties/evaluation_id",
                                            "properties/interaction_type" };

    return assay_log_head_has(head, aggregate, 3) || assay_log_head_has(head, instance, 3);
}

assay_status assay_every_eval_ever_read(assay_table *table, const assay_log_head *head)
{
    instances r = { .table = table };
    assay_status status = assay_every_eval_ever_beside_read(&r.beside, table);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&r.picker, table->path, picks, N_PICKS, &r);
    if (status == ASSAY_OK) status = assay_log_rows(table, &r.picker, take_line);
    if (status == ASSAY_OK) status = conclude(&r);
    assay_picker_close(&r.picker);
    assay_every_eval_ever_beside_free(&r.beside);
    assay_names_free(&r.metrics);
    assay_names_free(&r.samples);
    free(r.is_wanted);
    free(r.chosen);
    free(r.key);
    return status;
}

static assay_status take_line(void *user)
{
    instances *r = user;
    size_t metric;
    int chosen = 0;
    assay_status status = name_metric(r, &metric);

    if (status == ASSAY_OK) status = is_chosen(r, metric, &chosen);
    if (status == ASSAY_OK && chosen) return put(r, metric);
    r->left_out += !chosen;
    return status;
}

static assay_status name_metric(instances *r, size_t *metric)
{
    const char *asked = r->table->options->metric;
    assay_name name = assay_value_name(&r->picker.values[NAME]);
    assay_name id = assay_value_name(&r->picker.values[RESULT]);
    size_t known = r->metrics.count;

    if (id.length == 0) id = name;
    if (id.length == 0) id = (assay_name){ "", 0 };
    if (assay_names_add(&r->metrics, id.text, id.length, metric) != 0 ||
        assay_grow(&r->is_wanted, &r->wanted_capacity, r->metrics.count, 1) != 0)
        return fail_memory(r);
    if (*metric == known)
        r->is_wanted[known] = asked && (assay_name_is(id, asked) || assay_name_is(name, asked) ||
                                        assay_every_eval_ever_beside_calls(&r->beside, id, asked));
    return ASSAY_OK;
}

/* A sample's first metric is its metric in all runs of it. */
static assay_status is_chosen(instances *r, size_t metric, int *chosen)
{
    size_t sample;
    int is_new = 0;
    assay_status status;

    if (r->table->options->metric) {
        *chosen = r->is_wanted[metric];
        return ASSAY_OK;
    }
    if ((status = find_sample(r, &sample, &is_new)) != ASSAY_OK) return status;
    if (is_new) r->chosen[sample] = metric;
    *chosen = r->chosen[sample] == metric;
    if (metric >= r->chosen[sample]) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_VALUE, r->table->path, r->picker.line,
                         "samples are scored by \"%.60s\" and \"%.60s\", now one first and now the "
                         "other: choose with --metric",
                         r->metrics.text[metric], r->metrics.text[r->chosen[sample]]);
}

static assay_status find_sample(instances *r, size_t *sample, int *is_new)
{
    const assay_value *values = r->picker.values;
    const int by_hash = assay_value_name(&values[HASH]).length > 0;
    const int parts[] = { MODEL, SAMPLE, RUN, TEMPLATE, by_hash ? HASH : RAW };
    size_t length = 0, known = r->samples.count;

    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        assay_name part = assay_value_name(&values[parts[k]]);

        if (assay_grow(&r->key, &r->key_capacity, length + part.length + 1, 1) != 0)
            return fail_memory(r);
        if (part.length > 0) memcpy(r->key + length, part.text, part.length);
        length += part.length;
        r->key[length++] = '\x1f';
    }
    if (assay_names_add(&r->samples, r->key, length, sample) != 0 ||
        assay_grow(&r->chosen, &r->chosen_capacity, r->samples.count, sizeof *r->chosen) != 0)
        return fail_memory(r);
    *is_new = *sample == known;
    return ASSAY_OK;
}

static assay_status put(instances *r, size_t metric)
{
    const assay_value *values = r->picker.values;
    assay_log_cell cell = { .model = assay_value_name(&values[MODEL]),
                            .task = assay_value_name(&values[NAME]),
                            .item = assay_value_name(&values[SAMPLE]),
                            .content = assay_value_name(&values[HASH]),
                            .template_id = assay_value_name(&values[TEMPLATE]),
                            .run = assay_value_name(&values[RUN]),
                            .cluster = assay_value_name(&values[CLUSTER]),
                            .text = assay_value_name(&values[RAW]),
                            .line = r->picker.line };

    if (values[ITEM].kind == ASSAY_JSON_STRING) {
        cell.item = assay_value_name(&values[ITEM]);
        cell.task = (assay_name){ NULL, 0 };
    }
    cell.state = score_of(r, metric, &cell.score);
    r->used++;
    return assay_log_put(r->table, &cell);
}

static assay_score_state score_of(instances *r, size_t metric, double *score)
{
    const assay_value *values = r->picker.values;
    const assay_value *is_correct = &values[IS_CORRECT];
    assay_score_state state = said_state(&values[STATE], &values[FAULT]);
    assay_name id = { r->metrics.text[metric], strlen(r->metrics.text[metric]) };

    *score = NAN;
    if (state != ASSAY_SCORED) return state;
    state = assay_log_score(&values[SCORE], score);
    if (state == ASSAY_SCORED && *score == -1.0 &&
        assay_every_eval_ever_beside_has_unknown(&r->beside, id)) {
        *score = NAN;
        return ASSAY_UNSCORED;
    }
    if (is_correct->kind != ASSAY_JSON_TRUE && is_correct->kind != ASSAY_JSON_FALSE) return state;
    if (values[SCORE].kind == ASSAY_JSON_END) {
        r->without_score++;
        return assay_log_score(is_correct, score);
    }
    if (state == ASSAY_SCORED && (*score == 0.0 || *score == 1.0) && *score != is_correct->number)
        r->contradictions++;
    return state;
}

/* What assay writes for cells without a score, else an error. */
static assay_score_state said_state(const assay_value *said, const assay_value *fault)
{
    const assay_name name = assay_value_name(said);

    if (name.text && assay_name_is(name, "missing")) return ASSAY_MISSING;
    if (name.text && assay_name_is(name, "unscored")) return ASSAY_UNSCORED;
    return fault->kind == ASSAY_JSON_STRING && fault->length > 0 ? ASSAY_ERRORED : ASSAY_SCORED;
}

static assay_status conclude(instances *r)
{
    assay_results *results = r->table->results;
    const char *path = r->table->path;
    char names[ASSAY_HEADER_LIST_SIZE];
    assay_status status;

    assay_log_list(&r->metrics, SIZE_MAX, names);
    if (r->used == 0)
        return assay_fail_at(ASSAY_E_VALUE, path, 0,
                             "no metric \"%.60s\" (--metric); there are: %s",
                             r->table->options->metric, names);
    status = assay_table_note_mapping(
        r->table, "instances of Every Eval Ever; model = model_id, item = evaluation_name and "
                  "sample_id, run and template = metadata's, score = evaluation.score");
    if (status == ASSAY_OK && r->left_out > 0)
        status = assay_results_add_note(results,
                                        "%s: several metrics a sample, one is read and %zu lines "
                                        "of others are left out; --metric chooses: %s",
                                        path, r->left_out, names);
    if (status == ASSAY_OK && r->without_score > 0)
        status = assay_results_add_note(
            results, "%s: lines without a score, is_correct serves: %zu", path, r->without_score);
    if (status == ASSAY_OK && r->contradictions > 0)
        status = assay_results_add_note(
            results, "%s: lines whose score is 0 or 1 and is_correct says otherwise: %zu", path,
            r->contradictions);
    return status == ASSAY_OK ? assay_every_eval_ever_beside_note(&r->beside, r->table, &r->metrics)
                              : status;
}

static assay_status fail_memory(const instances *r)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", r->table->path);
}
