/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/lm_eval.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/lm_eval_about.h"
#include "logs/lm_eval_line.h"
#include "logs/lm_eval_notes.h"
#include "logs/place.h"
#include "logs/rows.h"
#include "logs/task_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct samples {
    assay_table *table;
    assay_picker picker;
    assay_lm_eval_line line;
    assay_name task, template_id; /* as a pattern of the options splits the task */
    assay_name metric, filter;    /* that are asked for; no text: the first */
    assay_names met;              /* documents, where lines do not name their filter */
    size_t *n_met, met_capacity;  /* by document */
    assay_lm_eval_seen seen;
} samples;

static assay_status open_samples(samples *s, assay_table *table);
static void ask(samples *s, const assay_read_options *options);
static assay_status take_line(void *user);
static assay_status is_of_filter(samples *s, int *is_it);
static assay_status name_filter(samples *s, char made[24], assay_name *name);
static assay_status choose_metric(samples *s);
static assay_status put(samples *s);
static int is_score_task(const assay_picker *picker);

static const char *const results_keys[] = { "results", "versions" };
static const char *const prompts_keys[] = { "option_order_robustness/prompt",
                                            "non_greedy_robustness/prompt", "prompt_robustness" };

/* ---- what it is known by ---- */

/* A first line that is longer than the head shows only how it begins. */
int assay_lm_eval_is_samples(const assay_log_head *head)
{
    static const char *const first[] = { "doc_id", "doc" };
    assay_name task, date;

    if (!assay_log_head_has(head, first, 2)) return 0;
    if (assay_log_head_at(head, "resps") == ASSAY_JSON_ARRAY ||
        assay_log_head_at(head, "filtered_resps") == ASSAY_JSON_ARRAY)
        return 1;
    return head->path && !memchr(head->bytes, '\n', head->length) &&
           assay_lm_eval_name_split(assay_log_file_name(head->path), &task, &date);
}

int assay_lm_eval_is_results(const assay_log_head *head)
{
    return assay_log_head_has(head, results_keys, 2) &&
           assay_log_head_at(head, "results") == ASSAY_JSON_OBJECT &&
           assay_log_head_at(head, "versions") == ASSAY_JSON_OBJECT &&
           assay_log_head_at(head, "config_general") == ASSAY_JSON_END; /* lighteval's */
}

int assay_lm_eval_is_prompts(const assay_log_head *head)
{
    return assay_log_head_has(head, prompts_keys, 3);
}

/* ---- reading ---- */

assay_status assay_lm_eval_read(assay_table *table, const assay_log_head *head)
{
    samples s = { 0 };
    assay_status status = open_samples(&s, table);

    (void)head;
    if (status == ASSAY_OK) status = assay_log_rows(table, &s.picker, take_line);
    if (status == ASSAY_OK) status = assay_lm_eval_conclude(table, &s.seen);
    assay_picker_close(&s.picker);
    assay_lm_eval_line_free(&s.line);
    assay_lm_eval_seen_free(&s.seen);
    assay_names_free(&s.met);
    free(s.n_met);
    return status;
}

static assay_status open_samples(samples *s, assay_table *table)
{
    const char *pattern = table->options->task_name;
    assay_status status;

    s->table = table;
    s->line.owner = s;
    s->seen.chosen = s->seen.filter = SIZE_MAX;
    ask(s, table->options);
    status = assay_lm_eval_about_find(&s->seen.about, table);
    if (status == ASSAY_OK) status = assay_lm_eval_line_open(&s->picker, table->path, &s->line);
    if (status != ASSAY_OK || !s->seen.about.task) return status;
    s->task = (assay_name){ s->seen.about.task, strlen(s->seen.about.task) };
    if (pattern && !assay_task_name_split(pattern, &s->task, &s->template_id))
        s->seen.not_split = 1;
    return ASSAY_OK;
}

/* "acc,none" names a metric and its filter, as the results file does. */
static void ask(samples *s, const assay_read_options *options)
{
    const char *comma = options->metric ? strchr(options->metric, ',') : NULL;

    if (options->metric) s->metric = (assay_name){ options->metric, strcspn(options->metric, ",") };
    if (options->filter)
        s->filter = (assay_name){ options->filter, strlen(options->filter) };
    else if (comma)
        s->filter = (assay_name){ comma + 1, strlen(comma + 1) };
    s->seen.asked_metric = s->metric;
    s->seen.asked_filter = s->filter;
}

static assay_status take_line(void *user)
{
    samples *s = ((assay_lm_eval_line *)user)->owner;
    int is_it = 0;
    assay_status status = is_of_filter(s, &is_it);

    s->seen.lines++;
    if (status == ASSAY_OK && is_it) {
        if (s->line.n_answers > 1) s->seen.repeated++;
        status = choose_metric(s);
        if (status == ASSAY_OK) status = put(s);
    }
    assay_lm_eval_line_clear(&s->line);
    return status;
}

static assay_status is_of_filter(samples *s, int *is_it)
{
    char made[24];
    assay_name name;
    size_t index;
    assay_status status = name_filter(s, made, &name);

    if (status != ASSAY_OK) return status;
    if (s->seen.filter != SIZE_MAX && assay_name_is(name, s->seen.filters.text[s->seen.filter])) {
        *is_it = 1;
        return ASSAY_OK;
    }
    if (assay_names_add(&s->seen.filters, name.text, name.length, &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a filter", s->table->path);
    if (s->seen.filter == SIZE_MAX && (!s->filter.text || assay_name_is(name, "none") ||
                                       assay_name_is(s->filter, s->seen.filters.text[index])))
        s->seen.filter = index;
    *is_it = index == s->seen.filter; /* the first of its name */
    return ASSAY_OK;
}

/* Files are written filter by filter, so that the first lines of all documents are of one. */
static assay_status name_filter(samples *s, char made[24], assay_name *name)
{
    const assay_value *id = &s->picker.values[ASSAY_LM_EVAL_DOC_ID];
    size_t index, known = s->met.count;

    *name = assay_value_name(&s->picker.values[ASSAY_LM_EVAL_FILTER]);
    if (name->text) return ASSAY_OK;
    *name = (assay_name){ "#1", 2 };
    if (s->table->options->repeats || id->kind == ASSAY_JSON_END) return ASSAY_OK;
    if (assay_names_add(&s->met, id->text, id->length, &index) != 0 ||
        assay_grow(&s->n_met, &s->met_capacity, s->met.count, sizeof *s->n_met) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a document", s->table->path);
    if (index == known) s->n_met[index] = 0;
    name->length = (size_t)snprintf(made, 24, "#%zu", ++s->n_met[index]);
    name->text = made;
    return ASSAY_OK;
}

/* ---- the metric ---- */

/* A name's place among all that were met, and its value in this line. */
static assay_status choose_metric(samples *s)
{
    assay_lm_eval_seen *seen = &s->seen;

    for (size_t k = 0; k < s->line.n_others; k++) {
        const assay_lm_eval_other *other = &s->line.others[k];
        size_t index;

        if (k < seen->metrics.count && strcmp(seen->metrics.text[k], other->name) == 0 &&
            seen->chosen != SIZE_MAX)
            continue; /* as in the line before */
        if (!assay_lm_eval_line_is_metric(&s->line, other)) continue;
        if (assay_names_add(&seen->metrics, other->name, strlen(other->name), &index) != 0)
            return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a metric", s->table->path);
        if (seen->chosen != SIZE_MAX) continue;
        if (s->metric.text ? assay_name_is(s->metric, other->name)
                           : other->state == ASSAY_SCORED || other->is_number)
            seen->chosen = index;
    }
    return ASSAY_OK;
}

/* ---- into the table ---- */

static assay_status put(samples *s)
{
    const assay_value *values = s->picker.values;
    assay_lm_eval_seen *seen = &s->seen;
    const char *model = seen->about.model;
    const assay_lm_eval_other *value =
        seen->chosen == SIZE_MAX
            ? NULL
            : assay_lm_eval_line_find(&s->line, seen->metrics.text[seen->chosen]);
    assay_log_cell cell = {
        .model = { model, model ? strlen(model) : 0 },
        .task = s->task,
        .item = assay_value_name(&values[ASSAY_LM_EVAL_DOC_ID]),
        .content = assay_value_name(&values[ASSAY_LM_EVAL_DOC_HASH]),
        .template_id = s->template_id,
        .score = value ? value->score : NAN,
        .state = value ? value->state : ASSAY_UNSCORED,
        .line = s->picker.line,
    };

    cell.text = assay_value_name(&values[ASSAY_LM_EVAL_PROMPT]);
    if (!cell.text.text && s->line.has_prompt)
        cell.text = (assay_name){ s->line.prompt, s->line.prompt_length };
    if (is_score_task(&s->picker)) assay_lm_eval_line_score_task(values, &cell);
    seen->score_tasks += is_score_task(&s->picker) ? 1U : 0U;
    if (assay_lm_eval_line_lost(cell.text)) seen->lost_characters++;
    seen->used++;
    if (value && value->state == ASSAY_SCORED) seen->scored++;
    if (value && value->is_container) seen->containers++;
    return assay_log_put(s->table, &cell);
}

static int is_score_task(const assay_picker *picker)
{
    const assay_value *values = picker->values;
    const int has_template = assay_value_name(&values[ASSAY_LM_EVAL_PROMPT_ID]).length > 0 ||
                             assay_value_name(&values[ASSAY_LM_EVAL_SAME_OPTION]).length > 0;

    return has_template && (assay_value_name(&values[ASSAY_LM_EVAL_QUESTION_ID]).length > 0 ||
                            assay_value_name(&values[ASSAY_LM_EVAL_ANSWER_INDEX]).length > 0);
}
