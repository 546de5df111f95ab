/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/every_eval_ever_beside.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/place.h"
#include "logs/rows.h"
#include "read/folder.h"

#include <stdlib.h>
#include <string.h>

enum { RESULT_ID, NAME, METRIC_ID, METRIC_NAME, LOWER, UNKNOWN };

static const assay_pick result_picks[] = {
    { "evaluation_result_id", NULL },          { "evaluation_name", NULL },
    { "metric_config/metric_id", NULL },       { "metric_config/metric_name", NULL },
    { "metric_config/lower_is_better", NULL }, { "metric_config/has_unknown_level", NULL },
};

static assay_status find_path(assay_every_eval_ever_beside *beside, const char *path);
static assay_status take_results(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status keep_result(void *user);
static char *copy_name(const assay_value *value);
static const assay_every_eval_ever_result *find(const assay_every_eval_ever_beside *beside,
                                                assay_name id);

assay_status assay_every_eval_ever_beside_read(assay_every_eval_ever_beside *beside,
                                               assay_table *table)
{
    static const assay_pick picks[] = { { "evaluation_results", take_results } };
    assay_picker picker = { 0 };
    int found;
    assay_status status = find_path(beside, table->path);

    if (status != ASSAY_OK || !beside->path) return status;
    status = assay_picker_open(&beside->picker, beside->path, result_picks, 6, beside);
    if (status == ASSAY_OK) status = assay_picker_open(&picker, beside->path, picks, 1, beside);
    if (status == ASSAY_OK)
        status = assay_log_pick_file(&picker, beside->path, &table->options->progress, &found);
    assay_picker_close(&picker);
    return assay_log_pass_by(table, status);
}

void assay_every_eval_ever_beside_free(assay_every_eval_ever_beside *beside)
{
    for (size_t k = 0; k < beside->n; k++) {
        free(beside->results[k].id);
        free(beside->results[k].metric_id);
        free(beside->results[k].metric_name);
    }
    free(beside->results);
    free(beside->path);
    assay_picker_close(&beside->picker);
}

int assay_every_eval_ever_beside_calls(const assay_every_eval_ever_beside *beside, assay_name id,
                                       const char *metric)
{
    const assay_every_eval_ever_result *result = find(beside, id);

    return result &&
           (strcmp(result->metric_id, metric) == 0 || strcmp(result->metric_name, metric) == 0);
}

int assay_every_eval_ever_beside_has_unknown(const assay_every_eval_ever_beside *beside,
                                             assay_name id)
{
    const assay_every_eval_ever_result *result = find(beside, id);

    return result && result->has_unknown;
}

assay_status assay_every_eval_ever_beside_note(const assay_every_eval_ever_beside *beside,
                                               assay_table *table, const assay_names *metrics)
{
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < metrics->count; k++) {
        const assay_name id = { metrics->text[k], strlen(metrics->text[k]) };
        const assay_every_eval_ever_result *result = find(beside, id);

        if (result && result->lower_is_better)
            status = assay_results_add_note(table->results, "%s: of \"%.60s\", lower is better",
                                            table->path, metrics->text[k]);
    }
    return status;
}

/* Without a path, there is nothing beside it. */
static assay_status find_path(assay_every_eval_ever_beside *beside, const char *path)
{
    static const char ending[] = "_samples";
    const char *name = assay_log_file_name(path);
    size_t stem = assay_folder_stem(name), n = sizeof ending - 1;
    char *other;

    if (stem == strlen(name) || stem <= n || memcmp(name + stem - n, ending, n) != 0)
        return ASSAY_OK;
    stem -= n;
    other = assay_alloc(stem + sizeof ".json", 1);
    if (other) {
        memcpy(other, name, stem);
        memcpy(other + stem, ".json", sizeof ".json");
        beside->path = assay_log_beside(path, other);
    }
    free(other);
    return beside->path ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", path);
}

static assay_status take_results(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    assay_every_eval_ever_beside *beside = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    return value->kind == ASSAY_JSON_ARRAY
               ? assay_picker_array(&beside->picker, reader, keep_result)
               : ASSAY_OK;
}

static assay_status keep_result(void *user)
{
    assay_every_eval_ever_beside *beside = user;
    const assay_value *values = beside->picker.values;
    const int has_id = assay_value_name(&values[RESULT_ID]).length > 0;
    assay_every_eval_ever_result *result;

    if (assay_grow(&beside->results, &beside->capacity, beside->n + 1, sizeof *result) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", beside->path);
    result = &beside->results[beside->n++];
    *result = (assay_every_eval_ever_result){
        .id = copy_name(&values[has_id ? RESULT_ID : NAME]),
        .metric_id = copy_name(&values[METRIC_ID]),
        .metric_name = copy_name(&values[METRIC_NAME]),
        .lower_is_better = values[LOWER].kind == ASSAY_JSON_TRUE,
        .has_unknown = values[UNKNOWN].kind == ASSAY_JSON_TRUE,
    };
    return result->id && result->metric_id && result->metric_name
               ? ASSAY_OK
               : assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", beside->path);
}

static char *copy_name(const assay_value *value)
{
    const assay_name name = assay_value_name(value);

    return assay_copy_text(name.text ? name.text : "", name.length);
}

static const assay_every_eval_ever_result *find(const assay_every_eval_ever_beside *beside,
                                                assay_name id)
{
    for (size_t k = 0; k < beside->n; k++)
        if (assay_name_is(id, beside->results[k].id)) return &beside->results[k];
    return NULL;
}
