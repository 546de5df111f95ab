/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/deepeval.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/rows.h"
#include "logs/text.h"
#include "read/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is picked of a case, of each of its metrics, and of the run; both spellings side by side. */
enum {
    INPUT,
    EXPECTED,
    EXPECTED_SNAKE,
    ACTUAL,
    ACTUAL_SNAKE,
    SCENARIO,
    OUTCOME,
    OUTCOME_SNAKE,
    TURNS,
    METRICS,
    METRICS_SNAKE,
    N_CASE
};
enum { NAME, SCORE, FAULT, N_METRIC };
enum { MODEL, WRAPPED_MODEL, IDENTIFIER, WRAPPED_IDENTIFIER, N_KEPT, N_RUN = N_KEPT + 5 };

typedef struct test_case {
    char item[ASSAY_LOG_HASH_SIZE];
    char *text;            /* NULL: none */
    size_t first, n, line; /* its metrics */
} test_case;

typedef struct metric {
    size_t name;
    double score;
    assay_score_state state;
} metric;

typedef struct test_run {
    assay_table *table;
    assay_picker picker, metric_picker;
    test_case *cases;
    metric *metrics;
    size_t n_cases, cases_capacity, n_metrics, n_begun, metrics_capacity;
    assay_names names, items; /* of metrics; of cases */
    size_t *n_times;          /* by item: how often the run had it so far */
    size_t n_times_capacity, n_items;
    assay_log_text said, scratch; /* what the metrics of the case at hand said */
    assay_turn_list turns;
    int has_turns;
    uint64_t sum; /* of the cases' hashes, in any order */
    char model[256];
} test_run;

static assay_status read_run(test_run *r, const assay_log_head *head);
static assay_status take_cases(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status take_metrics(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_metric(void *user);
static assay_status take_turns(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status take_case(void *user);
static assay_status describe_case(test_run *r, test_case *of);
static assay_name either(const test_run *r, size_t camel, size_t snake);
static assay_status finish(test_run *r);
static size_t choose_metric(const test_run *r);
static assay_status put_case(test_run *r, const test_case *of, size_t chosen);
static assay_status name_occurrence(test_run *r, const char *item, char run[48]);
static assay_status add_notes(const test_run *r, size_t chosen);
static assay_status fail_memory(const test_run *r);

static const assay_pick case_picks[N_CASE] = {
    [INPUT] = { "input", NULL },
    [EXPECTED] = { "expectedOutput", NULL },
    [EXPECTED_SNAKE] = { "expected_output", NULL },
    [ACTUAL] = { "actualOutput", NULL },
    [ACTUAL_SNAKE] = { "actual_output", NULL },
    [SCENARIO] = { "scenario", NULL },
    [OUTCOME] = { "expectedOutcome", NULL },
    [OUTCOME_SNAKE] = { "expected_outcome", NULL },
    [TURNS] = { "turns", take_turns },
    [METRICS] = { "metricsData", take_metrics },
    [METRICS_SNAKE] = { "metrics_data", take_metrics },
};
static const assay_pick metric_picks[N_METRIC] = {
    [NAME] = { "name", NULL }, [SCORE] = { "score", NULL }, [FAULT] = { "error", NULL }
};
static const assay_pick run_picks[N_RUN] = {
    [MODEL] = { "hyperparameters/model", NULL },
    [WRAPPED_MODEL] = { "testRunData/hyperparameters/model", NULL },
    [IDENTIFIER] = { "identifier", NULL },
    [WRAPPED_IDENTIFIER] = { "testRunData/identifier", NULL },
    { "testCases", take_cases },
    { "conversationalTestCases", take_cases },
    { "testRunData/testCases", take_cases },
    { "testRunData/conversationalTestCases", take_cases },
    { "test_results", take_cases },
};

int assay_deepeval_is_run(const assay_log_head *head)
{
    static const char *const forms[][2] = {
        { "testRunData/testCases", "testRunData" },
        { "testRunData/conversationalTestCases", "testRunData" },
        { "testCases", "conversationalTestCases" },
        { "testCases/metricsData", "testCases" },
        { "testCases", "metricsScores" },
        { "test_results/metrics_data", "test_results/success" },
        { "metricsData/threshold", "actualOutput" },
        { "metrics_data/threshold", "actual_output" },
    };

    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++)
        if (assay_log_head_has(head, forms[k], 2)) return 1;
    return 0;
}

assay_status assay_deepeval_read(assay_table *table, const assay_log_head *head)
{
    test_run r = { .table = table };
    assay_status status = assay_picker_open(&r.picker, table->path, case_picks, N_CASE, &r);

    if (status == ASSAY_OK)
        status = assay_picker_open(&r.metric_picker, table->path, metric_picks, N_METRIC, &r);
    if (status == ASSAY_OK) status = read_run(&r, head);
    if (status == ASSAY_OK) status = finish(&r);
    assay_picker_close(&r.picker);
    assay_picker_close(&r.metric_picker);
    for (size_t k = 0; k < r.n_cases; k++) free(r.cases[k].text);
    free(r.cases);
    free(r.metrics);
    free(r.n_times);
    free(r.said.text);
    free(r.scratch.text);
    assay_turn_list_free(&r.turns);
    assay_names_free(&r.names);
    assay_names_free(&r.items);
    return status;
}

/* One document; or the cases alone, as a dump of evaluate().test_results has them. */
static assay_status read_run(test_run *r, const assay_log_head *head)
{
    int is_document = assay_log_head_at(head, "metricsData") == ASSAY_JSON_END &&
                      assay_log_head_at(head, "metrics_data") == ASSAY_JSON_END;
    assay_picker outer = { 0 };
    assay_status status;

    if (!is_document) return assay_log_rows(r->table, &r->picker, take_case);
    status = assay_picker_open(&outer, r->table->path, run_picks, N_RUN, r);
    if (status == ASSAY_OK) status = assay_log_document(r->table, &outer);
    for (size_t k = 0; status == ASSAY_OK && k < N_KEPT && !r->model[0]; k++) {
        assay_name name = assay_value_name(&outer.values[k]);

        if (name.length > 0 && name.length < sizeof r->model)
            memcpy(r->model, name.text, name.length + 1);
    }
    assay_picker_close(&outer);
    return status;
}

static assay_status take_cases(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    test_run *r = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    return assay_picker_array(&r->picker, reader, take_case);
}

static assay_status take_metrics(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    test_run *r = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    return assay_picker_array(&r->metric_picker, reader, take_metric);
}

static assay_status take_metric(void *user)
{
    test_run *r = user;
    const assay_value *values = r->metric_picker.values;
    assay_name name = assay_value_name(&values[NAME]), score = assay_value_name(&values[SCORE]);
    metric *m;
    assay_status status;

    if (name.length == 0) return ASSAY_OK;
    if (assay_grow(&r->metrics, &r->metrics_capacity, r->n_metrics + 1, sizeof *r->metrics) != 0)
        return fail_memory(r);
    m = &r->metrics[r->n_metrics];
    if (assay_names_add(&r->names, name.text, name.length, &m->name) != 0) return fail_memory(r);
    m->state = assay_log_score(&values[SCORE], &m->score);
    if (values[FAULT].kind == ASSAY_JSON_STRING && values[FAULT].length > 0) {
        m->state = ASSAY_ERRORED;
        m->score = NAN;
    }
    r->n_metrics++;
    status = assay_log_text_add_part(&r->said, name.text, name.length);
    if (status == ASSAY_OK) status = assay_log_text_add_part(&r->said, score.text, score.length);
    return status;
}

static assay_status take_turns(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    test_run *r = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    r->has_turns = 1;
    return assay_turn_list_read(&r->turns, reader, ASSAY_JSON_ARRAY);
}

static assay_status take_case(void *user)
{
    test_run *r = user;
    test_case of = { .first = r->n_begun, .n = r->n_metrics - r->n_begun, .line = r->picker.line };
    assay_name actual = either(r, ACTUAL, ACTUAL_SNAKE);
    char hex[ASSAY_LOG_HASH_SIZE];
    assay_status status;

    if (assay_grow(&r->cases, &r->cases_capacity, r->n_cases + 1, sizeof *r->cases) != 0)
        return fail_memory(r);
    status = describe_case(r, &of);
    if (status == ASSAY_OK) r->cases[r->n_cases++] = of;
    if (status == ASSAY_OK) status = assay_log_text_add_part(&r->said, actual.text, actual.length);
    if (status == ASSAY_OK)
        status = assay_log_text_add_part(&r->said, of.item, ASSAY_LOG_HASH_SIZE - 1);
    if (status != ASSAY_OK) return status;
    assay_log_text_hash(&r->said, hex);
    hex[ASSAY_LOG_HASH_SHORT] = '\0';
    r->sum += strtoull(hex, NULL, 16);
    r->n_begun = r->n_metrics;
    r->said.length = 0;
    r->has_turns = 0;
    return assay_table_step(r->table);
}

/* What a case asks: its input, or what a conversation is to come to, or what was said in it. */
static assay_status describe_case(test_run *r, test_case *of)
{
    assay_name asked = assay_value_name(&r->picker.values[INPUT]),
               expected = either(r, EXPECTED, EXPECTED_SNAKE);
    const assay_name *turns = NULL;
    size_t n_turns = r->has_turns ? r->turns.n : 0;
    assay_status status = ASSAY_OK;

    if (n_turns > 0 && !(turns = assay_turn_list_names(&r->turns))) return fail_memory(r);
    if (!asked.text && r->picker.values[SCENARIO].kind == ASSAY_JSON_STRING) {
        asked = assay_value_name(&r->picker.values[SCENARIO]);
        expected = either(r, OUTCOME, OUTCOME_SNAKE);
        n_turns = 0;
    }
    r->scratch.length = 0;
    if (asked.text || n_turns == 0)
        status = assay_log_text_add_part(&r->scratch, asked.text, asked.length);
    for (size_t k = 0; status == ASSAY_OK && !asked.text && k < n_turns; k++)
        status = assay_log_text_add_part(&r->scratch, turns[k].text, turns[k].length);
    if (status == ASSAY_OK)
        status = assay_log_text_add_part(&r->scratch, expected.text, expected.length);
    if (status != ASSAY_OK) return status;
    if (!asked.text && n_turns == 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->table->path, of->line,
                             "a test case without input, scenario and turns, expected one of them");
    assay_log_text_hash(&r->scratch, of->item);
    if (!asked.text) asked = turns[n_turns - 1];
    if (asked.length > 0 && !(of->text = assay_copy_text(asked.text, asked.length)))
        return fail_memory(r);
    return ASSAY_OK;
}

static assay_name either(const test_run *r, size_t camel, size_t snake)
{
    assay_name name = assay_value_name(&r->picker.values[camel]);

    return name.text ? name : assay_value_name(&r->picker.values[snake]);
}

static assay_status finish(test_run *r)
{
    size_t chosen = choose_metric(r);
    assay_status status = ASSAY_OK;

    if (r->n_cases == 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->table->path, 0,
                             "a test run of DeepEval without test cases");
    if (chosen == SIZE_MAX && r->table->options->metric) {
        char list[ASSAY_HEADER_LIST_SIZE];

        assay_log_list(&r->names, SIZE_MAX, list);
        return assay_fail_at(ASSAY_E_VALUE, r->table->path, 0,
                             "no metric \"%.60s\" (--metric); there are: %s",
                             r->table->options->metric, list);
    }
    if (!r->model[0])
        snprintf(r->model, sizeof r->model, "test run %08x", (unsigned)(r->sum >> 32));
    for (size_t k = 0; status == ASSAY_OK && k < r->n_cases; k++)
        status = put_case(r, &r->cases[k], chosen);
    return status == ASSAY_OK ? add_notes(r, chosen) : status;
}

/* DeepEval appends the kind of some metrics: "Correctness [GEval]". */
static size_t choose_metric(const test_run *r)
{
    const char *wanted = r->table->options->metric;
    size_t length = wanted ? strlen(wanted) : 0;

    if (!wanted) return r->names.count > 0 ? 0 : SIZE_MAX;
    for (size_t k = 0; k < r->names.count; k++)
        if (strcmp(r->names.text[k], wanted) == 0) return k;
    for (size_t k = 0; k < r->names.count; k++)
        if (strncmp(r->names.text[k], wanted, length) == 0 &&
            strncmp(r->names.text[k] + length, " [", 2) == 0)
            return k;
    return SIZE_MAX;
}

static assay_status put_case(test_run *r, const test_case *of, size_t chosen)
{
    char run[48];
    assay_log_cell cell = { .model = { r->model, strlen(r->model) },
                            .item = { of->item, ASSAY_LOG_HASH_SHORT },
                            .content = { of->item, ASSAY_LOG_HASH_SIZE - 1 },
                            .score = NAN,
                            .state = ASSAY_UNSCORED,
                            .line = of->line };
    assay_status status = name_occurrence(r, of->item, run);

    if (status != ASSAY_OK) return status;
    cell.run = (assay_name){ run, strlen(run) };
    if (of->text) cell.text = (assay_name){ of->text, strlen(of->text) };
    for (size_t k = of->first; k < of->first + of->n; k++) {
        if (r->metrics[k].name != chosen) continue;
        cell.score = r->metrics[k].score;
        cell.state = r->metrics[k].state;
        break;
    }
    return assay_log_put(r->table, &cell);
}

static assay_status name_occurrence(test_run *r, const char *item, char run[48])
{
    size_t index;

    if (assay_names_add(&r->items, item, ASSAY_LOG_HASH_SIZE - 1, &index) != 0 ||
        assay_grow(&r->n_times, &r->n_times_capacity, index + 1, sizeof *r->n_times) != 0)
        return fail_memory(r);
    for (; r->n_items <= index; r->n_items++) r->n_times[r->n_items] = 0;
    if (++r->n_times[index] == 1)
        snprintf(run, 48, "%08x", (unsigned)(r->sum >> 32));
    else
        snprintf(run, 48, "%08x.%zu", (unsigned)(r->sum >> 32), r->n_times[index]);
    return ASSAY_OK;
}

static assay_status add_notes(const test_run *r, size_t chosen)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], list[ASSAY_HEADER_LIST_SIZE];
    assay_status status;

    snprintf(
        mapping, sizeof mapping,
        "DeepEval test run; model = hyperparameters.model, identifier, or the run, item = hash "
        "of input and expected output, run = hash of the test run, score = %.60s",
        chosen != SIZE_MAX ? r->names.text[chosen] : "none");
    status = assay_table_note_mapping(r->table, mapping);
    assay_log_list(&r->names, chosen, list);
    if (status == ASSAY_OK && !r->table->options->metric && list[0])
        status = assay_results_add_note(r->table->results, "%s: --metric chooses another score: %s",
                                        r->table->path, list);
    return status;
}

static assay_status fail_memory(const test_run *r)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a test run", r->table->path);
}
