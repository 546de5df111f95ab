/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/lm_eval_line.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status take_arguments(void *user, assay_json_reader *reader, const char *key,
                                   const assay_value *value);
static assay_status take_answers(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_metrics(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_other(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status keep_prompt(assay_lm_eval_line *line, const char *text, size_t length);
static size_t depth_outside(const assay_json_reader *reader, const assay_value *value);
static assay_status leave_to(assay_json_reader *reader, size_t depth);
static assay_status fail_memory(void);

/* In the order of the enumeration; the paths of callbacks stand behind. The last takes metrics. */
static const assay_pick picks[] = {
    { "doc_id", NULL },
    { "filter", NULL },
    { "doc_hash", NULL },
    { "arguments/gen_args_0/arg_0", NULL },
    { "doc/prompt_id", NULL },
    { "doc/always_same_option", NULL },
    { "doc/question_id", NULL },
    { "doc/original_answer_index", NULL },
    { "doc/question", NULL },
    { "doc/problem", NULL },
    { "arguments", take_arguments },
    { "resps", take_answers },
    { "metrics", take_metrics },
    { "doc", assay_pick_pass },
    { "target", assay_pick_pass },
    { "filtered_resps", assay_pick_pass },
    { "prompt_hash", assay_pick_pass },
    { "target_hash", assay_pick_pass },
    { "truncated", assay_pick_pass },
    { "*", take_other },
};

assay_status assay_lm_eval_line_open(assay_picker *picker, const char *path,
                                     assay_lm_eval_line *line)
{
    return assay_picker_open(picker, path, picks, sizeof picks / sizeof picks[0], line);
}

void assay_lm_eval_line_clear(assay_lm_eval_line *line)
{
    line->n_others = line->n_answers = 0;
    line->lists_metrics = line->has_prompt = 0; /* the list stays: the next line's is the same */
}

void assay_lm_eval_line_free(assay_lm_eval_line *line)
{
    for (size_t k = 0; k < line->others_made; k++) free(line->others[k].name);
    free(line->others);
    free(line->prompt);
    assay_names_free(&line->metrics);
}

int assay_lm_eval_line_is_metric(const assay_lm_eval_line *line, const assay_lm_eval_other *other)
{
    return !line->lists_metrics ||
           assay_names_find(&line->metrics, other->name, strlen(other->name)) >= 0;
}

const assay_lm_eval_other *assay_lm_eval_line_find(const assay_lm_eval_line *line, const char *name)
{
    for (size_t k = 0; k < line->n_others; k++)
        if (strcmp(line->others[k].name, name) == 0) return &line->others[k];
    return NULL;
}

void assay_lm_eval_line_score_task(const assay_value *values, assay_log_cell *cell)
{
    cell->template_id = assay_value_name(&values[ASSAY_LM_EVAL_PROMPT_ID]);
    if (cell->template_id.length == 0)
        cell->template_id = assay_value_name(&values[ASSAY_LM_EVAL_SAME_OPTION]);
    cell->item = assay_value_name(&values[ASSAY_LM_EVAL_QUESTION_ID]);
    if (cell->item.length == 0) cell->item = assay_value_name(&values[ASSAY_LM_EVAL_ANSWER_INDEX]);
    cell->text = assay_value_name(&values[ASSAY_LM_EVAL_QUESTION]);
    if (cell->text.length == 0) cell->text = assay_value_name(&values[ASSAY_LM_EVAL_PROBLEM]);
    cell->content = (assay_name){ NULL, 0 };
}

int assay_lm_eval_line_lost(assay_name text)
{
    const char *at = text.text, *end = text.text ? text.text + text.length : NULL;

    for (; at && (at = memchr(at, 0xEF, (size_t)(end - at))) != NULL; at++)
        if (end - at >= 3 && memcmp(at, "\xEF\xBF\xBD", 3) == 0) return 1;
    return 0;
}

/* ---- callbacks ---- */

/* Before 0.4.3: a list for each request, the prompt first. */
static assay_status take_arguments(void *user, assay_json_reader *reader, const char *key,
                                   const assay_value *value)
{
    const size_t outside = depth_outside(reader, value);
    assay_json_event event = value->kind;
    assay_status status = ASSAY_OK;
    const char *text = "";
    size_t length = 0;
    double number;

    (void)key;
    for (int depth = 0; status == ASSAY_OK && event == ASSAY_JSON_ARRAY && depth < 2; depth++)
        status = assay_json_next(reader, &event, &text, &length, &number);
    if (status == ASSAY_OK && value->kind == ASSAY_JSON_ARRAY && event == ASSAY_JSON_STRING)
        status = keep_prompt(user, text, length);
    return status == ASSAY_OK ? leave_to(reader, outside) : status;
}

/* A list for each request, an answer each time that it was asked. */
static assay_status take_answers(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    const size_t outside = depth_outside(reader, value);
    assay_lm_eval_line *line = user;
    assay_json_event event = ASSAY_JSON_END;
    assay_status status = ASSAY_OK;
    const char *text;
    size_t length;
    double number;

    (void)key;
    if (value->kind != ASSAY_JSON_ARRAY) return leave_to(reader, outside);
    status = assay_json_next(reader, &event, &text, &length, &number);
    if (status != ASSAY_OK || event != ASSAY_JSON_ARRAY)
        return status == ASSAY_OK ? leave_to(reader, outside) : status;
    line->n_answers = 1; /* most often; a long answer is not to be looked at */
    if ((status = assay_json_skip(reader)) != ASSAY_OK) return status;
    while ((status = assay_json_next(reader, &event, &text, &length, &number)) == ASSAY_OK &&
           event != ASSAY_JSON_ARRAY_END) {
        line->n_answers++;
        if ((status = assay_json_leave_value(reader, event)) != ASSAY_OK) break;
    }
    return status == ASSAY_OK ? leave_to(reader, outside) : status;
}

static assay_status take_metrics(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    const size_t outside = depth_outside(reader, value);
    assay_lm_eval_line *line = user;
    assay_json_event event;
    assay_status status = ASSAY_OK;
    const char *text;
    size_t length, index, n = 0;
    double number;

    (void)key;
    if (value->kind != ASSAY_JSON_ARRAY) return leave_to(reader, outside);
    line->lists_metrics = 1;
    while ((status = assay_json_next(reader, &event, &text, &length, &number)) == ASSAY_OK &&
           event == ASSAY_JSON_STRING) {
        if (n < line->metrics.count && strcmp(line->metrics.text[n], text) == 0) {
            n++;
            continue;
        }
        assay_names_cut(&line->metrics, n);
        if (assay_names_add(&line->metrics, text, length, &index) != 0) return fail_memory();
        n = line->metrics.count;
    }
    assay_names_cut(&line->metrics, n);
    return status == ASSAY_OK ? leave_to(reader, outside) : status;
}

static assay_status take_other(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    assay_lm_eval_line *line = user;
    assay_lm_eval_other *other;
    const size_t length = strlen(key) + 1;

    if (assay_grow(&line->others, &line->others_capacity, line->n_others + 1, sizeof *other) != 0)
        return fail_memory();
    other = &line->others[line->n_others];
    if (line->n_others == line->others_made) {
        *other = (assay_lm_eval_other){ 0 };
        line->others_made++;
    }
    if (assay_grow(&other->name, &other->capacity, length, 1) != 0) return fail_memory();
    memcpy(other->name, key, length);
    other->state = assay_log_score(value, &other->score);
    other->is_number = value->kind == ASSAY_JSON_NUMBER;
    other->is_container = assay_json_is_container(value->kind);
    line->n_others++;
    return assay_json_leave_value(reader, value->kind);
}

static assay_status keep_prompt(assay_lm_eval_line *line, const char *text, size_t length)
{
    if (assay_grow(&line->prompt, &line->prompt_capacity, length + 1, 1) != 0) return fail_memory();
    memcpy(line->prompt, text, length + 1);
    line->prompt_length = length;
    line->has_prompt = 1;
    return ASSAY_OK;
}

/* How deep the reader was before a value whose first event it has passed. */
static size_t depth_outside(const assay_json_reader *reader, const assay_value *value)
{
    return assay_json_depth(reader) - (assay_json_is_container(value->kind) ? 1U : 0U);
}

static assay_status leave_to(assay_json_reader *reader, size_t depth)
{
    assay_status status = ASSAY_OK;

    while (status == ASSAY_OK && assay_json_depth(reader) > depth)
        status = assay_json_leave(reader);
    return status;
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for a line of lm-evaluation-harness");
}
