/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/evalplus.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/place.h"
#include "logs/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct solution {
    size_t task, run, line;
    unsigned char base, plus; /* assay_verdict */
} solution;

typedef struct results {
    assay_table *table;
    assay_picker newer, older; /* within a solution; within a task */
    assay_names tasks;
    solution *solutions;
    size_t n, capacity;
    size_t first; /* of the task at hand */
    size_t task;
} results;

enum { BASE, PLUS, N_PICKS };

#define NO_RUN SIZE_MAX /* in place of the solution of a task that has none */

static assay_status take_task(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value);
static assay_status take_runs(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value);
static assay_status read_run(assay_json_reader *reader, assay_value *status, int *more);
static assay_status add_newer(void *user);
static assay_status add_solution(results *r, size_t run, size_t line, solution **out);
static assay_status put_all(results *r);
static assay_status choose(const results *r, int *by_plus);
static assay_score_state score_of(const solution *s, int by_plus, double *score);

int assay_evalplus_is_one(const assay_log_head *head)
{
    static const char *const newer[] = { "eval/*/task_id", "eval/*/base_status" },
                             *const older[] = { "eval/*/nfiles", "eval/*/base" };

    return head->kind == ASSAY_HEAD_OBJECT &&
           (assay_log_head_has(head, newer, 2) || assay_log_head_has(head, older, 2));
}

assay_status assay_evalplus_read(assay_table *table, const assay_log_head *head)
{
    static const assay_pick outside[] = { { "eval/*", take_task } },
                            newer[] = { { "base_status", NULL }, { "plus_status", NULL } },
                            older[] = { { "base", take_runs }, { "plus", take_runs } };
    results r = { .table = table };
    assay_picker picker = { 0 };
    assay_status status = assay_picker_open(&r.newer, table->path, newer, N_PICKS, &r);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&r.older, table->path, older, N_PICKS, &r);
    if (status == ASSAY_OK) status = assay_picker_open(&picker, table->path, outside, 1, &r);
    if (status == ASSAY_OK) status = assay_log_document(table, &picker);
    if (status == ASSAY_OK) status = put_all(&r);
    assay_picker_close(&picker);
    assay_picker_close(&r.newer);
    assay_picker_close(&r.older);
    assay_names_free(&r.tasks);
    free(r.solutions);
    return status;
}

assay_verdict assay_evalplus_verdict(const assay_value *status)
{
    static const char *const passes[] = { "pass", "success" }, *const fails[] = { "fail", "failed",
                                                                                  "timeout",
                                                                                  "timed out" };

    if (status->kind == ASSAY_JSON_END || status->kind == ASSAY_JSON_NULL)
        return ASSAY_VERDICT_NONE;
    if (status->kind != ASSAY_JSON_STRING) return ASSAY_VERDICT_ODD;
    for (size_t k = 0; k < sizeof passes / sizeof *passes; k++)
        if (strcmp(status->text, passes[k]) == 0) return ASSAY_VERDICT_PASS;
    for (size_t k = 0; k < sizeof fails / sizeof *fails; k++)
        if (strcmp(status->text, fails[k]) == 0) return ASSAY_VERDICT_FAIL;
    return ASSAY_VERDICT_ODD;
}

assay_name assay_evalplus_model(const char *path)
{
    assay_name stem = assay_log_stem(path), model = assay_log_without_end(stem, "_eval_results");

    if (!model.text) model = assay_log_without_end(stem, ".eval_results");
    return assay_name_is(stem, "eval_results") ? assay_log_folder(path, 0) : model;
}

static assay_status take_task(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value)
{
    results *r = user;
    solution *none;
    assay_status status = ASSAY_OK;

    if (assay_names_add(&r->tasks, key, strlen(key), &r->task) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its tasks", r->table->path);
    r->first = r->n;
    if (value->kind == ASSAY_JSON_ARRAY)
        status = assay_picker_array(&r->newer, reader, add_newer);
    else if (value->kind == ASSAY_JSON_OBJECT)
        status = assay_picker_object(&r->older, reader);
    if (status != ASSAY_OK || r->n > r->first) return status;
    return add_solution(r, NO_RUN, assay_json_line(reader), &none);
}

/* From 0.2.1 on a solution is an object. */
static assay_status add_newer(void *user)
{
    results *r = user;
    solution *s = NULL;
    assay_status status = add_solution(r, r->n - r->first, r->newer.line, &s);

    if (status != ASSAY_OK) return status;
    s->base = (unsigned char)assay_evalplus_verdict(&r->newer.values[BASE]);
    s->plus = (unsigned char)assay_evalplus_verdict(&r->newer.values[PLUS]);
    return ASSAY_OK;
}

/* Up to 0.2.0 base and plus are lists of their own: [["success", [true, ...]], ...]. */
static assay_status take_runs(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value)
{
    results *r = user;
    assay_value word = { 0 };
    assay_status status = ASSAY_OK;
    int more = 1;

    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    for (size_t run = 0; status == ASSAY_OK; run++) {
        size_t line = assay_json_line(reader);
        solution *s = NULL;
        unsigned char verdict;

        status = read_run(reader, &word, &more);
        if (status != ASSAY_OK || !more) break;
        verdict = (unsigned char)assay_evalplus_verdict(&word);
        if (r->first + run < r->n)
            s = &r->solutions[r->first + run];
        else
            status = add_solution(r, run, line, &s);
        if (status == ASSAY_OK) *(strcmp(key, "base") == 0 ? &s->base : &s->plus) = verdict;
    }
    free(word.text);
    return status;
}

/* The first word of a run, which is a list or that word alone; more is 0 at the list's end. */
static assay_status read_run(assay_json_reader *reader, assay_value *word, int *more)
{
    assay_json_event event;
    const char *text;
    size_t length, depth = assay_json_depth(reader);
    double number;
    assay_status status = assay_json_next(reader, &event, &text, &length, &number);

    *more = event != ASSAY_JSON_ARRAY_END;
    word->kind = ASSAY_JSON_NULL;
    if (status != ASSAY_OK || !*more) return status;
    if (event == ASSAY_JSON_ARRAY)
        status = assay_json_next(reader, &event, &text, &length, &number);
    if (status == ASSAY_OK && event == ASSAY_JSON_STRING) {
        if (assay_grow(&word->text, &word->capacity, length + 1, 1) != 0)
            return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", length);
        memcpy(word->text, text, length + 1);
        word->length = length;
        word->kind = ASSAY_JSON_STRING;
    }
    while (status == ASSAY_OK && assay_json_depth(reader) > depth)
        status = assay_json_leave(reader);
    return status;
}

static assay_status add_solution(results *r, size_t run, size_t line, solution **out)
{
    if (assay_grow(&r->solutions, &r->capacity, r->n + 1, sizeof *r->solutions) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its solutions", r->table->path);
    *out = &r->solutions[r->n++];
    **out = (solution){ r->task, run, line, ASSAY_VERDICT_NONE, ASSAY_VERDICT_NONE };
    return ASSAY_OK;
}

static assay_status put_all(results *r)
{
    assay_name model = assay_evalplus_model(r->table->path);
    int by_plus = 0;
    assay_status status = choose(r, &by_plus);

    for (size_t k = 0; status == ASSAY_OK && k < r->n; k++) {
        const solution *s = &r->solutions[k];
        assay_log_cell cell = { .model = model, .line = s->line };
        char run[24];

        cell.item = (assay_name){ r->tasks.text[s->task], strlen(r->tasks.text[s->task]) };
        cell.state = score_of(s, by_plus, &cell.score);
        if (s->run == NO_RUN)
            cell.state = ASSAY_MISSING;
        else
            cell.run = (assay_name){ run, (size_t)snprintf(run, sizeof run, "%zu", s->run + 1) };
        status = assay_log_put(r->table, &cell);
    }
    return status;
}

static assay_status choose(const results *r, int *by_plus)
{
    static const char *const names[] = { "base", "plus" };
    size_t with_plus = 0, metric;
    assay_status status;

    for (size_t k = 0; k < r->n; k++) with_plus += r->solutions[k].plus != ASSAY_VERDICT_NONE;
    if (r->tasks.count == 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->table->path, 0, "EvalPlus results without a task");
    status = assay_log_choose_metric(r->table, names, with_plus > 0 ? 2 : 1, &metric);
    *by_plus = r->table->options->metric ? metric == 1 : with_plus > 0;
    if (status == ASSAY_OK)
        status = assay_table_note_mapping(
            r->table,
            *by_plus ? "EvalPlus results; item = task, run = place in its list, score = passes "
                       "base and plus tests (--metric base: the base tests alone)"
                     : "EvalPlus results; item = task, run = place in its list, score = passes "
                       "the base tests");
    return status;
}

/* Both must pass, so that a failure of one is enough. */
static assay_score_state score_of(const solution *s, int by_plus, double *score)
{
    int fails = s->base == ASSAY_VERDICT_FAIL || (by_plus && s->plus == ASSAY_VERDICT_FAIL);
    int passes = s->base == ASSAY_VERDICT_PASS && (!by_plus || s->plus == ASSAY_VERDICT_PASS);

    *score = fails ? 0.0 : passes ? 1.0 : NAN;
    return fails || passes ? ASSAY_SCORED : ASSAY_UNSCORED;
}
