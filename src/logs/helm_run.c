/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/helm_run.h"

#include "core/error.h"
#include "core/memory.h"
#include "logs/rows.h"
#include "read/turns.h"

#include <stdlib.h>
#include <string.h>

/* What is picked of an instance, whose keys have another one before them in scenario_state.json. */
enum { ID, TEXT, SPLIT, PERTURBATION, MESSAGES, REFERENCES, N_INSTANCE };

typedef struct reading {
    assay_helm_run *run;
    assay_table *table;
    assay_picker picker;       /* of instances */
    assay_log_text references; /* of the one at hand */
    assay_turn_list turns;
    int has_messages;
} reading;

static assay_status pick_texts(assay_table *table, const char *file, const assay_pick *picks,
                               size_t n, assay_log_text *const *to);
static assay_status name_by_folder(assay_helm_run *run, assay_table *table);
static assay_status split_name(assay_helm_run *run);
static assay_status take_argument(assay_helm_run *run, const char *text, size_t length);
static assay_status append(assay_log_text *to, const char *text, size_t length, const char *before);
static assay_status read_instances(assay_helm_run *run, assay_table *table);
static assay_status read_array(reading *r, const char *file, int *found);
static assay_status read_state(reading *r);
static assay_status take_states(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status take_messages(void *user, assay_json_reader *reader, const char *key,
                                  const assay_value *value);
static assay_status take_references(void *user, assay_json_reader *reader, const char *key,
                                    const assay_value *value);
static assay_status take_instance(void *user);
static assay_status describe(reading *r, assay_helm_instance *to, assay_name text,
                             assay_name split);
static assay_status fail_memory(const assay_table *table);

static const assay_pick plain[N_INSTANCE] = {
    [ID] = { "id", NULL },
    [TEXT] = { "input/text", NULL },
    [SPLIT] = { "split", NULL },
    [PERTURBATION] = { "perturbation", NULL },
    [MESSAGES] = { "input/messages", take_messages },
    [REFERENCES] = { "references", take_references },
};
static const assay_pick of_state[N_INSTANCE] = {
    [ID] = { "instance/id", NULL },
    [TEXT] = { "instance/input/text", NULL },
    [SPLIT] = { "instance/split", NULL },
    [PERTURBATION] = { "instance/perturbation", NULL },
    [MESSAGES] = { "instance/input/messages", take_messages },
    [REFERENCES] = { "instance/references", take_references },
};

void assay_helm_run_free(assay_helm_run *run)
{
    for (size_t k = 0; k < run->ids.count; k++) {
        free(run->instances[k].text);
        free(run->instances[k].split);
    }
    free(run->instances);
    assay_names_free(&run->ids);
    free(run->name.text);
    free(run->model.text);
    free(run->task.text);
    free(run->variant.text);
    free(run->augmentation.text);
}

assay_status assay_helm_run_read(assay_helm_run *run, assay_table *table)
{
    static const assay_pick spec[] = { { "name", NULL }, { "adapter_spec/model", NULL } };
    assay_log_text *const both[] = { &run->name, &run->model }, *const model[] = { &run->model };
    assay_status status = pick_texts(table, "run_spec.json", spec, 2, both);

    if (status == ASSAY_OK && run->model.length == 0)
        status = pick_texts(table, "scenario_state.json", spec + 1, 1, model);
    if (status == ASSAY_OK && run->name.length == 0) status = name_by_folder(run, table);
    if (status == ASSAY_OK) status = split_name(run);
    return status == ASSAY_OK ? read_instances(run, table) : status;
}

static assay_status pick_texts(assay_table *table, const char *file, const assay_pick *picks,
                               size_t n, assay_log_text *const *to)
{
    char *path = assay_log_beside(table->path, file);
    assay_picker picker = { 0 };
    int found = 0;
    assay_status status =
        path ? assay_picker_open(&picker, path, picks, n, NULL) : fail_memory(table);

    if (status == ASSAY_OK)
        status = assay_log_pass_by(
            table, assay_log_pick_file(&picker, path, &table->options->progress, &found));
    for (size_t k = 0; status == ASSAY_OK && k < n && found; k++) {
        assay_name value = assay_value_name(&picker.values[k]);

        if (value.length > 0) status = assay_log_text_add(to[k], value.text, value.length);
    }
    assay_picker_close(&picker);
    free(path);
    return status;
}

static assay_status name_by_folder(assay_helm_run *run, assay_table *table)
{
    const char *end = strrchr(table->path, '/'), *start = end;

    if (!end) return ASSAY_OK;
    while (start > table->path && start[-1] != '/') start--;
    return assay_log_text_add(&run->name, start, (size_t)(end - start));
}

/* "SCENARIO:KEY=VALUE,KEY=VALUE" */
static assay_status split_name(assay_helm_run *run)
{
    const char *name = run->name.text ? run->name.text : "", *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    assay_status status = assay_log_text_add(&run->task, name, length);

    for (name += length; status == ASSAY_OK && *name; name += length) {
        length = strcspn(++name, ",");
        if (length > 0) status = take_argument(run, name, length);
    }
    return status;
}

static assay_status take_argument(assay_helm_run *run, const char *text, size_t length)
{
    static const char *const elsewhere[] = { "model",      "model_deployment", "data_augmentation",
                                             "eval_split", "num_train_trials", "groups" };
    static const char *const adapters[] = { "method",
                                            "instructions",
                                            "prompt",
                                            "newline",
                                            "stop",
                                            "add_to_stop",
                                            "format_prompt",
                                            "follow_format_instructions",
                                            "output_format_instructions",
                                            "global_prefix",
                                            "max_train_instances",
                                            "num_outputs",
                                            "temperature",
                                            "increase_temperature",
                                            "increase_max_tokens",
                                            "num_prompt_tokens",
                                            "num_output_tokens",
                                            "chatml",
                                            "anthropic",
                                            "process_output" };
    const char *equals = memchr(text, '=', length);
    const assay_name key = { text, equals ? (size_t)(equals - text) : length };
    size_t at = equals ? key.length + 1 : length;

    if (assay_name_is(key, "model") && run->model.length == 0)
        return assay_log_text_add(&run->model, text + at, length - at);
    if (assay_name_is(key, "data_augmentation"))
        return assay_log_text_add(&run->augmentation, text + at, length - at);
    for (size_t k = 0; k < sizeof elsewhere / sizeof elsewhere[0]; k++)
        if (assay_name_is(key, elsewhere[k])) return ASSAY_OK;
    for (size_t k = 0; k < sizeof adapters / sizeof adapters[0]; k++)
        if (assay_name_is(key, adapters[k]))
            return append(&run->variant, text, length, run->variant.length > 0 ? "," : "");
    return append(&run->task, text, length,
                  memchr(run->task.text, ':', run->task.length) ? "," : ":");
}

static assay_status append(assay_log_text *to, const char *text, size_t length, const char *before)
{
    assay_status status = assay_log_text_add(to, before, strlen(before));

    return status == ASSAY_OK ? assay_log_text_add(to, text, length) : status;
}

/* instances.json is written by helm-summarize; the state of the scenario is always there, and large. */
static assay_status read_instances(assay_helm_run *run, assay_table *table)
{
    reading r = { .run = run, .table = table };
    int found = 0;
    assay_status status = read_array(&r, "instances.json", &found);

    r.has_messages = 0; /* of an instance that was cut */
    r.references.length = 0;
    if (status == ASSAY_OK && !found) status = read_state(&r);
    free(r.references.text);
    assay_turn_list_free(&r.turns);
    return status;
}

static assay_status read_array(reading *r, const char *file, int *found)
{
    char *path = assay_log_beside(r->table->path, file);
    assay_status status = ASSAY_OK;

    if (!path) return fail_memory(r->table);
    status = assay_picker_open(&r->picker, path, plain, N_INSTANCE, r);
    if (status == ASSAY_OK)
        status = assay_log_pick_rows(&r->picker, path, &r->table->options->progress, take_instance,
                                     found);
    if (status != ASSAY_OK) *found = 0; /* the scenario's state holds them as well */
    status = assay_log_pass_by(r->table, status);
    assay_picker_close(&r->picker);
    free(path);
    return status;
}

static assay_status read_state(reading *r)
{
    static const assay_pick states[] = { { "request_states", take_states } };
    char *path = assay_log_beside(r->table->path, "scenario_state.json");
    assay_picker outer = { 0 };
    int found;
    assay_status status = path ? assay_picker_open(&outer, path, states, 1, r) : ASSAY_E_NOMEM;

    if (!path) return fail_memory(r->table);
    if (status == ASSAY_OK) status = assay_picker_open(&r->picker, path, of_state, N_INSTANCE, r);
    if (status == ASSAY_OK)
        status = assay_log_pass_by(
            r->table, assay_log_pick_file(&outer, path, &r->table->options->progress, &found));
    assay_picker_close(&r->picker);
    assay_picker_close(&outer);
    free(path);
    return status;
}

static assay_status take_states(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    reading *r = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    return assay_picker_array(&r->picker, reader, take_instance);
}

static assay_status take_messages(void *user, assay_json_reader *reader, const char *key,
                                  const assay_value *value)
{
    reading *r = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    r->has_messages = 1;
    return assay_turn_list_read(&r->turns, reader, ASSAY_JSON_ARRAY);
}

static assay_status take_references(void *user, assay_json_reader *reader, const char *key,
                                    const assay_value *value)
{
    reading *r = user;

    (void)key;
    r->references.length = 0;
    return assay_log_text_add_value(&r->references, reader, value, 0);
}

/* A perturbed instance asks what the one of its id asks, in other words. */
static assay_status take_instance(void *user)
{
    reading *r = user;
    assay_helm_run *run = r->run;
    const assay_value *values = r->picker.values;
    assay_name id = assay_value_name(&values[ID]), text = assay_value_name(&values[TEXT]);
    size_t before = run->ids.count, index;
    assay_status status = ASSAY_OK;

    if (text.length == 0 && r->has_messages && r->turns.n > 0) {
        const assay_name *turns = assay_turn_list_names(&r->turns);

        if (!turns) return fail_memory(r->table);
        text = turns[r->turns.n - 1];
    }
    if (id.length > 0 && values[PERTURBATION].kind != ASSAY_JSON_OBJECT) {
        if (assay_names_add(&run->ids, id.text, id.length, &index) != 0)
            return fail_memory(r->table);
        if (assay_grow(&run->instances, &run->instances_capacity, run->ids.count,
                       sizeof *run->instances) != 0) {
            assay_names_cut(&run->ids, before);
            return fail_memory(r->table);
        }
        if (index == before) {
            run->instances[index] = (assay_helm_instance){ 0 };
            status = describe(r, &run->instances[index], text, assay_value_name(&values[SPLIT]));
        }
    }
    r->references.length = 0;
    r->has_messages = 0;
    return status;
}

static assay_status describe(reading *r, assay_helm_instance *to, assay_name text, assay_name split)
{
    assay_log_text all = { 0 };
    assay_status status;

    if (split.length > 0 && !(to->split = assay_copy_text(split.text, split.length)))
        return fail_memory(r->table);
    if (text.length == 0) return ASSAY_OK;
    if (!(to->text = assay_copy_text(text.text, text.length))) return fail_memory(r->table);
    status = assay_log_text_add_part(&all, text.text, text.length);
    if (status == ASSAY_OK)
        status = assay_log_text_add_part(&all, r->references.text ? r->references.text : "",
                                         r->references.length);
    if (status == ASSAY_OK) assay_log_text_hash(&all, to->content);
    free(all.text);
    return status;
}

const assay_helm_instance *assay_helm_run_instance(const assay_helm_run *run, const char *id)
{
    ptrdiff_t index = assay_names_find(&run->ids, id, strlen(id));

    return index >= 0 ? &run->instances[index] : NULL;
}

static assay_status fail_memory(const assay_table *table)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a run of HELM", table->path);
}
