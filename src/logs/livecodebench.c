/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/livecodebench.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/place.h"
#include "logs/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUESTION, SAMPLE, TEST, CONTENT, GRADED, N_PICKS };

typedef struct grades {
    assay_table *table;
    assay_picker picker;
    assay_name model;
    double *scores; /* of the row at hand, NaN: no verdict */
    size_t n, capacity;
    char *item;
    size_t item_capacity;
} grades;

static assay_status take_graded(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status put_row(void *user);
static assay_status name_item(grades *g, assay_log_cell *cell);
static assay_status put_runs(grades *g, assay_log_cell *cell);
static assay_status read_tests(grades *g, assay_json_reader *reader);
static assay_status read_questions(grades *g, assay_json_reader *reader);
static assay_status read_question(grades *g, assay_json_reader *reader);
static assay_status read_run(assay_json_reader *reader, double *score, int *more);
static assay_status add_score(grades *g, double score);
static double truth_of(assay_json_event event, double number);
static assay_name model_of(const char *path);

int assay_livecodebench_is_graded(const assay_log_head *head)
{
    static const char *const keys[] = { "question_id", "graded_list" };

    return assay_log_head_has(head, keys, 2) &&
           assay_log_head_at(head, "graded_list") == ASSAY_JSON_ARRAY;
}

int assay_livecodebench_is_tests(const assay_log_head *head)
{
    return head->kind == ASSAY_HEAD_ARRAY &&
           assay_log_head_at(head, "pass@1") == ASSAY_JSON_NUMBER &&
           assay_log_head_at(head, "detail/pass@1") == ASSAY_JSON_OBJECT;
}

assay_status assay_livecodebench_read_graded(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[N_PICKS] = { { "question_id", NULL },
                                               { "id", NULL },
                                               { "test_id", NULL },
                                               { "question_content", NULL },
                                               { "graded_list", take_graded } };
    grades g = { .table = table, .model = model_of(table->path) };
    size_t metric;
    assay_status status =
        assay_log_choose_metric(table, (const char *const[]){ "graded_list" }, 1, &metric);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&g.picker, table->path, picks, N_PICKS, &g);
    if (status == ASSAY_OK) status = assay_log_rows(table, &g.picker, put_row);
    if (status == ASSAY_OK)
        status = assay_table_note_mapping(
            table, "LiveCodeBench results; item = question_id (of several samples or tests of it "
                   "each is one, and the question their cluster), run = place in graded_list");
    assay_picker_close(&g.picker);
    free(g.scores);
    free(g.item);
    return status;
}

static assay_status take_graded(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    grades *g = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    return value->kind == ASSAY_JSON_ARRAY ? read_question(g, reader) : ASSAY_OK;
}

static assay_status put_row(void *user)
{
    grades *g = user;
    assay_log_cell cell = { .model = g->model, .line = g->picker.line };
    assay_status status = name_item(g, &cell);

    if (status == ASSAY_OK) status = put_runs(g, &cell);
    g->n = 0;
    return status;
}

static assay_status name_item(grades *g, assay_log_cell *cell)
{
    const assay_value *v = g->picker.values;
    assay_name question = assay_value_name(&v[QUESTION]), sample = assay_value_name(&v[SAMPLE]),
               test = assay_value_name(&v[TEST]);
    size_t length = question.length + 1 + test.length;

    if (!question.text)
        return assay_fail_at(ASSAY_E_FORMAT, g->table->path, g->picker.line,
                             "a row without a \"question_id\"");
    cell->item = sample.text ? sample : question;
    if (sample.text || test.text) cell->cluster = question;
    if (!sample.text && !test.text) cell->text = assay_value_name(&v[CONTENT]);
    if (sample.text || !test.text) return ASSAY_OK;
    if (assay_grow(&g->item, &g->item_capacity, length, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", length);
    memcpy(g->item, question.text, question.length);
    g->item[question.length] = '/';
    memcpy(g->item + question.length + 1, test.text, test.length);
    cell->item = (assay_name){ g->item, length };
    return ASSAY_OK;
}

static assay_status put_runs(grades *g, assay_log_cell *cell)
{
    assay_status status = ASSAY_OK;

    cell->score = NAN;
    cell->state = ASSAY_MISSING;
    if (g->n == 0) return assay_log_put(g->table, cell);
    for (size_t k = 0; status == ASSAY_OK && k < g->n; k++) {
        char run[24];

        cell->run = (assay_name){ run, (size_t)snprintf(run, sizeof run, "%zu", k + 1) };
        cell->score = g->scores[k];
        cell->state = isnan(g->scores[k]) ? ASSAY_UNSCORED : ASSAY_SCORED;
        status = assay_log_put(g->table, cell);
    }
    return status;
}

assay_status assay_livecodebench_read_tests(assay_table *table, const assay_log_head *head)
{
    grades g = { .table = table, .model = model_of(table->path) };
    assay_json_reader *reader = NULL;
    size_t metric;
    assay_status status =
        assay_log_choose_metric(table, (const char *const[]){ "graded_list" }, 1, &metric);

    (void)head;
    if (status == ASSAY_OK)
        status = assay_json_open(table->path, assay_input_read, table->input, &reader);
    if (status == ASSAY_OK) status = read_tests(&g, reader);
    if (status == ASSAY_OK)
        status = assay_table_note_mapping(
            table, "LiveCodeBench results by position; item = place among the questions asked, run "
                   "= place in its list, score = passes all tests; the _eval_all.json beside names "
                   "the questions");
    assay_json_close(reader);
    free(g.scores);
    free(g.item);
    return status;
}

/* The list's second element has the tests; the first holds means of them. */
static assay_status read_tests(grades *g, assay_json_reader *reader)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(reader, &event, &text, &length, &number);

    if (status == ASSAY_OK && event == ASSAY_JSON_ARRAY) status = assay_json_skip(reader);
    if (status == ASSAY_OK) status = assay_json_next(reader, &event, &text, &length, &number);
    if (status == ASSAY_OK && event != ASSAY_JSON_OBJECT)
        return assay_fail_at(ASSAY_E_FORMAT, g->table->path, assay_json_line(reader),
                             "no object of tests behind the metrics");
    return status == ASSAY_OK ? read_questions(g, reader) : status;
}

static assay_status read_questions(grades *g, assay_json_reader *reader)
{
    for (size_t n = 0;; n++) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        assay_log_cell cell = { .model = g->model };
        assay_status status = assay_json_next(reader, &event, &text, &length, &number);

        if (status != ASSAY_OK) return status;
        if (event == ASSAY_JSON_OBJECT_END)
            return n > 0 ? ASSAY_OK
                         : assay_fail_at(ASSAY_E_FORMAT, g->table->path, 0, "holds no question");
        cell.line = assay_json_line(reader);
        if (assay_grow(&g->item, &g->item_capacity, length + 1, 1) != 0)
            return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", length);
        memcpy(g->item, text, length + 1);
        cell.item = (assay_name){ g->item, length };
        g->n = 0;
        status = assay_json_next(reader, &event, &text, &length, &number);
        if (status == ASSAY_OK && event == ASSAY_JSON_ARRAY) status = read_question(g, reader);
        if (status == ASSAY_OK && event == ASSAY_JSON_OBJECT) status = assay_json_leave(reader);
        if (status == ASSAY_OK) status = put_runs(g, &cell);
        if (status == ASSAY_OK) status = assay_table_step(g->table);
        if (status != ASSAY_OK) return status;
    }
}

/* The runs of the array whose start was the latest event. */
static assay_status read_question(grades *g, assay_json_reader *reader)
{
    for (;;) {
        double score;
        int more;
        assay_status status = read_run(reader, &score, &more);

        if (status == ASSAY_OK && more) status = add_score(g, score);
        if (status != ASSAY_OK || !more) return status;
    }
}

/* A verdict, or a list of tests, which must all be above 0: -1 and -2 say why one could not run. */
static assay_status read_run(assay_json_reader *reader, double *score, int *more)
{
    assay_json_event event;
    const char *text;
    size_t length, n = 0;
    double number;
    assay_status status = assay_json_next(reader, &event, &text, &length, &number);

    *more = event != ASSAY_JSON_ARRAY_END;
    *score = truth_of(event, number);
    if (status != ASSAY_OK || !*more) return status;
    if (event == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (event != ASSAY_JSON_ARRAY) return ASSAY_OK;
    for (*score = 1.0;; n++) {
        double passes;

        status = assay_json_next(reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_ARRAY_END) break;
        passes = truth_of(event, number);
        if (event == ASSAY_JSON_ARRAY || event == ASSAY_JSON_OBJECT)
            status = assay_json_leave(reader);
        if (status != ASSAY_OK) break;
        if (!isnan(*score)) *score = isnan(passes) ? NAN : *score * passes;
    }
    if (n == 0) *score = NAN;
    return status;
}

static assay_status add_score(grades *g, double score)
{
    if (assay_grow(&g->scores, &g->capacity, g->n + 1, sizeof *g->scores) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its runs", g->table->path);
    g->scores[g->n++] = score;
    return ASSAY_OK;
}

static double truth_of(assay_json_event event, double number)
{
    switch (event) {
    case ASSAY_JSON_TRUE: return 1.0;
    case ASSAY_JSON_FALSE: return 0.0;
    case ASSAY_JSON_NUMBER: return isnan(number) ? NAN : (double)(number > 0.0);
    default: return NAN;
    }
}

/* output/MODEL/Scenario.codegeneration_10_0.2_eval_all.json */
static assay_name model_of(const char *path)
{
    static const char begin[] = "Scenario.";
    assay_name stem = assay_log_stem(path);

    if (stem.length < sizeof begin || memcmp(stem.text, begin, sizeof begin - 1) != 0)
        return (assay_name){ NULL, 0 };
    return assay_log_folder(path, 0);
}
