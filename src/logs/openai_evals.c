/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/openai_evals.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/rows.h"
#include "logs/text.h"
#include "read/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPEC,
    EVAL_NAME,
    MODEL_NAME,
    RUN,
    SAMPLE,
    TYPE,
    CORRECT,
    FUNCTIONS,
    COMPLETIONS,
    PROMPT,
    NUMBER,
    N_PICKS
};

/* A sample of a run. */
typedef struct sample {
    size_t model, task, run, id; /* names; model: SIZE_MAX without a spec */
    char *text;                  /* NULL: none */
    size_t n_scored, line;
    int is_errored;
} sample;

typedef struct score {
    size_t sample, metric, line;
    double value; /* NaN: no number */
} score;

typedef struct events {
    assay_table *table;
    assay_picker picker;
    assay_names models, tasks, runs, ids, keys, metrics;
    size_t model, task; /* of the latest spec */
    sample *samples;    /* by key */
    size_t samples_capacity;
    score *scores;
    size_t n, n_begun, scores_capacity; /* n_begun: of them, of events that were done */
    assay_log_text model_name, key, content;
    assay_turn_list turns;
    assay_log_text prompt;
} events;

static assay_status take_functions(void *user, assay_json_reader *reader, const char *key,
                                   const assay_value *value);
static assay_status take_prompt(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status take_number(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status take_line(void *user);
static assay_status take_spec(events *e);
static assay_status take_event(events *e);
static assay_status find_sample(events *e, size_t *index);
static assay_status add_score(events *e, const char *metric, double value);
static assay_status name(events *e, assay_names *names, assay_name text, size_t *index);
static assay_status finish(events *e);
static assay_status choose_metric(const events *e, size_t *metric);
static assay_status put_all(events *e, size_t metric);
static assay_status put(events *e, const sample *of, size_t time, double value,
                        assay_score_state state, size_t line);
static assay_status add_notes(const events *e, size_t metric, size_t n_several);
static assay_status fail_memory(const events *e);

static const assay_pick picks[N_PICKS] = {
    [SPEC] = { "spec", NULL },
    [EVAL_NAME] = { "spec/eval_name", NULL },
    [MODEL_NAME] = { "spec/model_name", NULL },
    [RUN] = { "run_id", NULL },
    [SAMPLE] = { "sample_id", NULL },
    [TYPE] = { "type", NULL },
    [CORRECT] = { "data/correct", NULL },
    [FUNCTIONS] = { "spec/completion_fns", take_functions },
    [COMPLETIONS] = { "spec/model_names/completions", take_functions },
    [PROMPT] = { "data/prompt", take_prompt },
    [NUMBER] = { "data/*", take_number },
};

int assay_openai_evals_is_log(const assay_log_head *head)
{
    static const char *const spec[] = { "spec/eval_name", "spec/run_config", "spec" };
    static const char *const event[] = { "event_id", "sample_id", "created_by" };

    return head->kind == ASSAY_HEAD_OBJECT &&
           (assay_log_head_has(head, spec, 3) || assay_log_head_has(head, event, 3));
}

assay_status assay_openai_evals_read(assay_table *table, const assay_log_head *head)
{
    events e = { .table = table, .model = SIZE_MAX, .task = SIZE_MAX };
    assay_status status = assay_picker_open(&e.picker, table->path, picks, N_PICKS, &e);

    (void)head;
    if (status == ASSAY_OK) status = assay_log_rows(table, &e.picker, take_line);
    if (status == ASSAY_OK) status = finish(&e);
    assay_picker_close(&e.picker);
    for (size_t k = 0; k < e.keys.count; k++) free(e.samples[k].text);
    free(e.samples);
    free(e.scores);
    free(e.model_name.text);
    free(e.key.text);
    free(e.content.text);
    free(e.prompt.text);
    assay_turn_list_free(&e.turns);
    assay_names_free(&e.models);
    assay_names_free(&e.tasks);
    assay_names_free(&e.runs);
    assay_names_free(&e.ids);
    assay_names_free(&e.keys);
    assay_names_free(&e.metrics);
    return status;
}

static assay_status take_functions(void *user, assay_json_reader *reader, const char *key,
                                   const assay_value *value)
{
    events *e = user;
    assay_status status = ASSAY_OK;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    while (status == ASSAY_OK) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;

        status = assay_json_next(reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_ARRAY_END) break;
        status = assay_json_leave_value(reader, event);
        if (event != ASSAY_JSON_STRING) continue;
        if (e->model_name.length > 0) status = assay_log_text_add(&e->model_name, ",", 1);
        if (status == ASSAY_OK) status = assay_log_text_add(&e->model_name, text, length);
    }
    return status;
}

/* A text, or messages, of which the last one that is not the model's counts. */
static assay_status take_prompt(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    events *e = user;
    const assay_name *turns;
    assay_status status;

    (void)key;
    if (value->kind == ASSAY_JSON_STRING)
        return assay_log_text_add(&e->prompt, value->text, value->length);
    if (value->kind != ASSAY_JSON_ARRAY && value->kind != ASSAY_JSON_OBJECT) return ASSAY_OK;
    status = assay_turn_list_read(&e->turns, reader, value->kind);
    if (status != ASSAY_OK || e->turns.n == 0) return status;
    if (!(turns = assay_turn_list_names(&e->turns))) return fail_memory(e);
    return assay_log_text_add(&e->prompt, turns[e->turns.n - 1].text, turns[e->turns.n - 1].length);
}

static assay_status take_number(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    if (assay_json_is_container(value->kind)) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_NUMBER && value->kind != ASSAY_JSON_TRUE &&
        value->kind != ASSAY_JSON_FALSE)
        return ASSAY_OK;
    return add_score(user, key, value->number);
}

/* Numbers count in metrics events alone, which are known once the line is read. */
static assay_status take_line(void *user)
{
    events *e = user;
    const assay_value *values = e->picker.values;
    assay_status status = ASSAY_OK;

    if (values[SPEC].kind != ASSAY_JSON_OBJECT && values[SAMPLE].kind != ASSAY_JSON_END &&
        values[SAMPLE].kind != ASSAY_JSON_NULL)
        status = take_event(e);
    else
        e->n = e->n_begun; /* of no sample */
    if (values[SPEC].kind == ASSAY_JSON_OBJECT) status = take_spec(e);
    e->n_begun = e->n;
    e->prompt.length = 0;
    return status;
}

static assay_status take_spec(events *e)
{
    assay_name eval = assay_value_name(&e->picker.values[EVAL_NAME]),
               model = assay_value_name(&e->picker.values[MODEL_NAME]);
    assay_status status = ASSAY_OK;

    if (e->model_name.length > 0) model = (assay_name){ e->model_name.text, e->model_name.length };
    e->model = e->task = SIZE_MAX;
    if (model.length > 0) status = name(e, &e->models, model, &e->model);
    if (status == ASSAY_OK && eval.length > 0) status = name(e, &e->tasks, eval, &e->task);
    e->model_name.length = 0;
    return status;
}

static assay_status take_event(events *e)
{
    const assay_value *values = e->picker.values;
    const assay_name type = assay_value_name(&values[TYPE]);
    size_t index, begun = e->n_begun;
    assay_status status = find_sample(e, &index);
    sample *of;

    if (status != ASSAY_OK) return status;
    of = &e->samples[index];
    if (type.text && assay_name_is(type, "error")) of->is_errored = 1;
    if (!of->text && e->prompt.length > 0 && type.text && assay_name_is(type, "sampling") &&
        !(of->text = assay_copy_text(e->prompt.text, e->prompt.length)))
        return fail_memory(e);
    if (!type.text || !assay_name_is(type, "metrics")) e->n = begun;
    if (type.text && assay_name_is(type, "match"))
        status = add_score(e, "match", values[CORRECT].number);
    if (type.text && assay_name_is(type, "metrics") && values[CORRECT].kind != ASSAY_JSON_END)
        status = add_score(e, "correct", values[CORRECT].number);
    for (size_t k = begun; k < e->n; k++) {
        e->scores[k].sample = index;
        e->scores[k].line = e->picker.line;
    }
    return status;
}

static assay_status find_sample(events *e, size_t *index)
{
    assay_name run = assay_value_name(&e->picker.values[RUN]),
               id = assay_value_name(&e->picker.values[SAMPLE]);
    sample new = { .model = e->model, .task = e->task, .line = e->picker.line };
    size_t known = e->keys.count;
    assay_status status = assay_table_check_name(e->table, e->picker.line, "sample_id",
                                                 (assay_name){ id.text ? id.text : "", id.length });

    e->key.length = 0;
    if (status == ASSAY_OK) status = assay_log_text_add_part(&e->key, run.text, run.length);
    if (status == ASSAY_OK) status = assay_log_text_add_part(&e->key, id.text, id.length);
    if (status == ASSAY_OK) status = name(e, &e->runs, run, &new.run);
    if (status == ASSAY_OK) status = name(e, &e->ids, id, &new.id);
    if (status != ASSAY_OK) return status;
    if (assay_grow(&e->samples, &e->samples_capacity, known + 1, sizeof *e->samples) != 0)
        return fail_memory(e);
    status = name(e, &e->keys, (assay_name){ e->key.text, e->key.length }, index);
    if (status == ASSAY_OK && *index == known) e->samples[known] = new;
    return status;
}

static assay_status add_score(events *e, const char *metric, double value)
{
    score new = { .value = isfinite(value) ? value : NAN };
    assay_status status = name(e, &e->metrics, (assay_name){ metric, strlen(metric) }, &new.metric);

    if (status != ASSAY_OK) return status;
    if (assay_grow(&e->scores, &e->scores_capacity, e->n + 1, sizeof *e->scores) != 0)
        return fail_memory(e);
    e->scores[e->n++] = new;
    return ASSAY_OK;
}

static assay_status name(events *e, assay_names *names, assay_name text, size_t *index)
{
    return assay_names_add(names, text.text ? text.text : "", text.length, index) == 0
               ? ASSAY_OK
               : fail_memory(e);
}

static assay_status finish(events *e)
{
    size_t metric, n_several = 0;
    assay_status status;

    if (e->keys.count == 0)
        return assay_fail_at(ASSAY_E_FORMAT, e->table->path, 0,
                             "a log of openai/evals without events of samples; a final report says "
                             "nothing of its items");
    status = choose_metric(e, &metric);
    if (status == ASSAY_OK) status = put_all(e, metric);
    for (size_t k = 0; k < e->keys.count; k++) n_several += e->samples[k].n_scored > 1;
    return status == ASSAY_OK ? add_notes(e, metric, n_several) : status;
}

/* Names of numbers in other events than metrics were met as well: only those of scores count. */
static int is_used(const events *e, size_t metric)
{
    for (size_t k = 0; k < e->n; k++)
        if (e->scores[k].metric == metric) return 1;
    return 0;
}

static void list_metrics(const events *e, size_t but, char list[ASSAY_HEADER_LIST_SIZE])
{
    list[0] = '\0';
    for (size_t k = 0; k < e->metrics.count && k < ASSAY_HEADER_LIST_SIZE; k++)
        if (k != but && is_used(e, k))
            assay_header_list_add(list, e->metrics.text[k], strlen(e->metrics.text[k]));
}

/* SIZE_MAX: no sample has any. */
static assay_status choose_metric(const events *e, size_t *metric)
{
    const char *wanted = e->table->options->metric;
    char list[ASSAY_HEADER_LIST_SIZE];
    ptrdiff_t found =
        assay_names_find(&e->metrics, wanted ? wanted : "match", strlen(wanted ? wanted : "match"));

    *metric = e->n > 0 ? e->scores[0].metric : SIZE_MAX;
    if (found >= 0 && is_used(e, (size_t)found)) *metric = (size_t)found;
    if (!wanted || (found >= 0 && *metric == (size_t)found)) return ASSAY_OK;
    list_metrics(e, SIZE_MAX, list);
    return assay_fail_at(ASSAY_E_VALUE, e->table->path, 0,
                         "no score \"%.60s\" (--metric); there are: %s", wanted, list);
}

static assay_status put_all(events *e, size_t metric)
{
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < e->n; k++) {
        const score *s = &e->scores[k];
        sample *of = &e->samples[s->sample];

        if (s->metric != metric) continue;
        of->n_scored++;
        status = put(e, of, of->n_scored, s->value, isnan(s->value) ? ASSAY_UNSCORED : ASSAY_SCORED,
                     s->line);
    }
    for (size_t k = 0; status == ASSAY_OK && k < e->keys.count; k++) {
        const sample *of = &e->samples[k];

        if (of->n_scored == 0)
            status = put(e, of, 1, NAN, of->is_errored ? ASSAY_ERRORED : ASSAY_UNSCORED, of->line);
    }
    return status;
}

static assay_status put(events *e, const sample *of, size_t time, double value,
                        assay_score_state state, size_t line)
{
    const char *id = e->ids.text[of->id], *run = e->runs.text[of->run];
    assay_log_cell cell = {
        .item = { id, strlen(id) }, .score = value, .state = state, .line = line
    };
    char number[24];
    assay_status status;

    e->key.length = 0;
    status = assay_log_text_add(&e->key, run, strlen(run));
    if (status == ASSAY_OK && time > 1)
        status = assay_log_text_add(&e->key, number,
                                    (size_t)snprintf(number, sizeof number, ".%zu", time));
    if (status != ASSAY_OK) return status;
    cell.run = (assay_name){ e->key.text, e->key.length };
    if (of->model != SIZE_MAX)
        cell.model = (assay_name){ e->models.text[of->model], strlen(e->models.text[of->model]) };
    if (of->task != SIZE_MAX)
        cell.task = (assay_name){ e->tasks.text[of->task], strlen(e->tasks.text[of->task]) };
    if (of->text) cell.text = (assay_name){ of->text, strlen(of->text) };
    e->content.length =
        0; /* a prompt is written as its model wants it: the id says what is asked */
    status = assay_log_text_add_part(&e->content, cell.task.text, cell.task.length);
    if (status == ASSAY_OK) status = assay_log_text_add_part(&e->content, id, strlen(id));
    if (status != ASSAY_OK) return status;
    cell.content = (assay_name){ e->content.text, e->content.length };
    return assay_log_put(e->table, &cell);
}

static assay_status add_notes(const events *e, size_t metric, size_t n_several)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], list[ASSAY_HEADER_LIST_SIZE];
    assay_status status;

    snprintf(mapping, sizeof mapping,
             "log of openai/evals; model = completion functions, item = eval and sample_id, run = "
             "run_id, score = %.60s",
             metric != SIZE_MAX ? e->metrics.text[metric] : "none");
    status = assay_table_note_mapping(e->table, mapping);
    list_metrics(e, metric, list);
    if (status == ASSAY_OK && !e->table->options->metric && list[0])
        status = assay_results_add_note(e->table->results, "%s: --metric chooses another score: %s",
                                        e->table->path, list);
    if (status == ASSAY_OK && n_several > 0)
        status = assay_results_add_note(e->table->results,
                                        "%s: samples with several scores, which are runs of them: "
                                        "%zu",
                                        e->table->path, n_several);
    return status;
}

static assay_status fail_memory(const events *e)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a log of events", e->table->path);
}
