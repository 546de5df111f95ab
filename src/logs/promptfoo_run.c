/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/promptfoo_run.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 2 * ASSAY_LOG_HASH_SHORT + 2, COLUMNS_MAX = 4096 };

static assay_status check_metric(const assay_promptfoo_run *run);
static assay_status tell_providers_apart(assay_promptfoo_run *run);
static assay_status rename_twin(assay_promptfoo_run *run, size_t column, size_t *model);
static void number_runs(assay_promptfoo_run *run);
static int by_test(const void *a, const void *b);
static int by_vars(const void *a, const void *b);
static assay_status put_all(assay_promptfoo_run *run);
static assay_status put(assay_promptfoo_run *run, const assay_promptfoo_result *result,
                        int is_ambiguous);
static assay_status add_notes(assay_promptfoo_run *run, size_t n_repeated, size_t n_same);
static void count_repeats(assay_promptfoo_run *run, size_t *n_repeated, size_t *n_same);
static int by_cell(const void *a, const void *b);
static int compare(size_t a, size_t b);
static int by_name(const void *a, const void *b);
static assay_status fail_memory(const assay_promptfoo_run *run);

void assay_promptfoo_run_free(assay_promptfoo_run *run)
{
    for (size_t k = 0; k < run->n_told; k++) {
        free(run->texts[k]);
        free(run->clusters[k]);
    }
    free(run->texts);
    free(run->clusters);
    free(run->text_columns);
    free(run->results);
    assay_names_free(&run->vars);
    assay_names_free(&run->asserts);
    assay_names_free(&run->templates);
    assay_names_free(&run->models);
    assay_names_free(&run->metrics);
}

assay_status assay_promptfoo_run_add(assay_promptfoo_run *run, assay_promptfoo_result result)
{
    if (assay_grow(&run->results, &run->results_capacity, run->n + 1, sizeof *run->results) != 0)
        return fail_memory(run);
    result.order = run->n;
    run->results[run->n++] = result;
    return ASSAY_OK;
}

assay_status assay_promptfoo_run_tell(assay_promptfoo_run *run, size_t vars, size_t column,
                                      assay_name text, assay_name cluster)
{
    if (assay_grow(&run->texts, &run->texts_capacity, vars + 1, sizeof *run->texts) != 0 ||
        assay_grow(&run->clusters, &run->clusters_capacity, vars + 1, sizeof *run->clusters) != 0 ||
        assay_grow(&run->text_columns, &run->text_columns_capacity, vars + 1,
                   sizeof *run->text_columns) != 0)
        return fail_memory(run);
    for (; run->n_told <= vars; run->n_told++) {
        run->texts[run->n_told] = run->clusters[run->n_told] = NULL;
        run->text_columns[run->n_told] = SIZE_MAX;
    }
    if (text.length > 0 && (!run->texts[vars] || column < run->text_columns[vars])) {
        char *copy = assay_copy_text(text.text, text.length);

        if (!copy) return fail_memory(run);
        free(run->texts[vars]);
        run->texts[vars] = copy;
        run->text_columns[vars] = column;
    }
    if (cluster.length > 0 && !run->clusters[vars])
        if (!(run->clusters[vars] = assay_copy_text(cluster.text, cluster.length)))
            return fail_memory(run);
    return ASSAY_OK;
}

assay_status assay_promptfoo_run_name(assay_names *names, const char *text, size_t length,
                                      size_t *index)
{
    return assay_names_add(names, text, length, index) == 0
               ? ASSAY_OK
               : assay_fail(ASSAY_E_NOMEM, "no memory for promptfoo's names");
}

assay_status assay_promptfoo_run_take_named(void *run, assay_json_reader *reader, const char *key,
                                            const assay_value *value)
{
    assay_promptfoo_run *of = run;
    size_t index;
    assay_status status;

    if (of->metric && strcmp(key, of->metric) == 0)
        of->has_named = assay_log_score(value, &of->named) == ASSAY_SCORED;
    status = assay_json_leave_value(reader, value->kind);
    if (status != ASSAY_OK) return status;
    return assay_promptfoo_run_name(&of->metrics, key, strlen(key), &index);
}

int assay_promptfoo_var_counts(assay_name name)
{
    return !(name.length > 0 && name.text[0] == '_') && !assay_name_is(name, "sessionId");
}

assay_status assay_promptfoo_vars_end(assay_promptfoo_vars *vars, size_t name, size_t name_length)
{
    size_t value = name + name_length, length = vars->text.length - value;

    if (length == 0) { /* a table cannot tell an empty one from none */
        vars->text.length = name;
        return ASSAY_OK;
    }
    if (assay_grow(&vars->of, &vars->capacity, vars->n + 1, sizeof *vars->of) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for promptfoo's variables");
    vars->of[vars->n].name = name;
    vars->of[vars->n].name_length = name_length;
    vars->of[vars->n].value = value;
    vars->of[vars->n++].value_length = length;
    return ASSAY_OK;
}

/* The bytes that by_name() compares: qsort() gives it no pointer of ours. */
typedef struct named_var {
    const char *name;
    size_t length, index;
} named_var;

assay_status assay_promptfoo_run_vars(assay_promptfoo_run *run, assay_promptfoo_vars *vars,
                                      size_t *index)
{
    named_var *sorted = assay_alloc(vars->n, sizeof *sorted);
    assay_log_text all = { 0 };
    char hex[ASSAY_LOG_HASH_SIZE];
    assay_status status = sorted ? ASSAY_OK : fail_memory(run);

    for (size_t k = 0; sorted && k < vars->n; k++)
        sorted[k] = (named_var){ vars->text.text + vars->of[k].name, vars->of[k].name_length, k };
    if (sorted) qsort(sorted, vars->n, sizeof *sorted, by_name);
    for (size_t k = 0; status == ASSAY_OK && k < vars->n; k++) {
        const struct assay_promptfoo_var *var = &vars->of[sorted[k].index];

        status = assay_log_text_add_part(&all, sorted[k].name, sorted[k].length);
        if (status == ASSAY_OK)
            status = assay_log_text_add_part(&all, vars->text.text + var->value, var->value_length);
    }
    if (status == ASSAY_OK) {
        assay_log_text_hash(&all, hex);
        status = assay_promptfoo_run_name(&run->vars, hex, ASSAY_LOG_HASH_SHORT, index);
    }
    vars->n = vars->text.length = 0;
    free(all.text);
    free(sorted);
    return status;
}

static int by_name(const void *a, const void *b)
{
    const named_var *p = a, *q = b;
    size_t shorter = p->length < q->length ? p->length : q->length;
    int order = memcmp(p->name, q->name, shorter);

    return order ? order : compare(p->length, q->length);
}

assay_status assay_promptfoo_run_finish(assay_promptfoo_run *run)
{
    size_t n_repeated, n_same;
    assay_status status = check_metric(run);

    if (status == ASSAY_OK) status = tell_providers_apart(run);
    if (status != ASSAY_OK) return status;
    number_runs(run);
    status = put_all(run);
    count_repeats(run, &n_repeated, &n_same);
    return status == ASSAY_OK ? add_notes(run, n_repeated, n_same) : status;
}

static assay_status check_metric(const assay_promptfoo_run *run)
{
    char list[ASSAY_HEADER_LIST_SIZE] = "score, success";

    if (run->n == 0)
        return assay_fail_at(ASSAY_E_FORMAT, run->table->path, 0,
                             "an output of promptfoo without results");
    if (!run->metric || run->n_with_metric > 0) return ASSAY_OK;
    for (size_t k = 0; k < run->metrics.count; k++)
        assay_header_list_add(list, run->metrics.text[k], strlen(run->metrics.text[k]));
    return assay_fail_at(ASSAY_E_VALUE, run->table->path, 0,
                         "no score \"%.60s\" (--metric); there are: %s", run->metric, list);
}

/* Providers that differ in their configuration alone are called alike, but have columns of their own:
   the lowest column of a model and template is the first of that name. */
static assay_status tell_providers_apart(assay_promptfoo_run *run)
{
    size_t n_columns = 0, *model_of, *template_of, *named_of = NULL;
    assay_status status = ASSAY_OK;

    for (size_t k = 0; k < run->n; k++)
        if (run->results[k].column < run->n && run->results[k].column >= n_columns)
            n_columns = run->results[k].column + 1; /* one beyond cannot be promptfoo's */
    model_of = assay_alloc(n_columns, sizeof *model_of);
    template_of = assay_alloc(n_columns, sizeof *template_of);
    if (!model_of || !template_of) status = fail_memory(run);
    for (size_t c = 0; status == ASSAY_OK && c < n_columns; c++)
        model_of[c] = template_of[c] = SIZE_MAX;
    for (size_t k = 0; status == ASSAY_OK && k < run->n; k++) {
        size_t c = run->results[k].column;

        if (c >= n_columns) continue;
        model_of[c] = run->results[k].model;
        template_of[c] = run->results[k].template_id;
    }
    named_of = assay_alloc(n_columns, sizeof *named_of);
    if (!named_of) status = fail_memory(run);
    for (size_t c = 0; status == ASSAY_OK && c < n_columns; c++) {
        size_t twins = 0;

        named_of[c] = model_of[c];
        for (size_t other = 0; other < c && c < COLUMNS_MAX; other++)
            twins += model_of[other] == model_of[c] && template_of[other] == template_of[c];
        if (twins > 0 && model_of[c] != SIZE_MAX)
            status = rename_twin(run, twins + 1, &named_of[c]);
    }
    for (size_t k = 0; status == ASSAY_OK && k < run->n; k++)
        if (run->results[k].column < n_columns)
            run->results[k].model = named_of[run->results[k].column];
    free(named_of);
    free(model_of);
    free(template_of);
    return status;
}

static assay_status rename_twin(assay_promptfoo_run *run, size_t number, size_t *model)
{
    const char *name = run->models.text[*model];
    size_t length = strlen(name) + 24;
    char *twin = assay_alloc(length, 1);
    assay_status status;

    if (!twin) return fail_memory(run);
    length = (size_t)snprintf(twin, length, "%s #%zu", name, number);
    status = assay_promptfoo_run_name(&run->models, twin, length, model);
    free(twin);
    return status;
}

static int compare(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* A test's repetitions are its variables and assertions again: the run of a result is the place of its
   test among those. */
static int by_test(const void *a, const void *b)
{
    const assay_promptfoo_result *p = a, *q = b;
    int order = by_vars(a, b);

    if (order == 0) order = compare(p->asserts, q->asserts);
    if (order == 0) order = compare(p->test, q->test);
    return order ? order : compare(p->order, q->order);
}

static int by_vars(const void *a, const void *b)
{
    const assay_promptfoo_result *p = a, *q = b;

    return compare(p->vars, q->vars);
}

/* Without testIdx the results of a cell are counted as they stand. */
static int by_cell(const void *a, const void *b)
{
    const assay_promptfoo_result *p = a, *q = b;
    int order = by_vars(a, b);

    if (order == 0) order = compare(p->asserts, q->asserts);
    if (order == 0) order = compare(p->model, q->model);
    if (order == 0) order = compare(p->template_id, q->template_id);
    return order ? order : compare(p->order, q->order);
}

static void number_runs(assay_promptfoo_run *run)
{
    assay_promptfoo_result *results = run->results;

    qsort(results, run->n, sizeof *results, run->has_repeats_by_order ? by_cell : by_test);
    for (size_t k = 0; k < run->n; k++) {
        const assay_promptfoo_result *before = k > 0 ? &results[k - 1] : NULL;
        int goes_on =
            before && before->vars == results[k].vars && before->asserts == results[k].asserts;

        if (run->has_repeats_by_order)
            goes_on = goes_on && before->model == results[k].model &&
                      before->template_id == results[k].template_id;
        if (!goes_on)
            results[k].run = 1;
        else
            results[k].run =
                before->run + (run->has_repeats_by_order || before->test != results[k].test);
    }
}

static assay_status put_all(assay_promptfoo_run *run)
{
    const assay_promptfoo_result *results = run->results;
    assay_status status = ASSAY_OK;

    for (size_t first = 0, next; status == ASSAY_OK && first < run->n; first = next) {
        int is_ambiguous = 0;

        for (next = first; next < run->n && results[next].vars == results[first].vars; next++)
            is_ambiguous |= results[next].asserts != results[first].asserts;
        for (size_t k = first; status == ASSAY_OK && k < next; k++)
            status = put(run, &results[k], is_ambiguous);
    }
    return status;
}

static assay_status put(assay_promptfoo_run *run, const assay_promptfoo_result *result,
                        int is_ambiguous)
{
    const char *vars = run->vars.text[result->vars], *model = run->models.text[result->model],
               *template_id = run->templates.text[result->template_id],
               *asserts = result->asserts != SIZE_MAX ? run->asserts.text[result->asserts] : "";
    char item[NAME_SIZE], content[NAME_SIZE], number[24];
    assay_log_cell cell = { .score = result->score, .state = result->state, .line = result->line };

    snprintf(content, sizeof content, "%s-%s", vars, asserts);
    snprintf(item, sizeof item, "%s", is_ambiguous ? content : vars);
    snprintf(number, sizeof number, "%zu", result->run);
    if (model[0]) cell.model = (assay_name){ model, strlen(model) };
    cell.item = (assay_name){ item, strlen(item) };
    if (asserts[0]) cell.content = (assay_name){ content, strlen(content) };
    cell.template_id = (assay_name){ template_id, strlen(template_id) };
    cell.run = (assay_name){ number, strlen(number) };
    if (result->vars < run->n_told) {
        const char *text = run->texts[result->vars], *cluster = run->clusters[result->vars];

        if (text) cell.text = (assay_name){ text, strlen(text) };
        if (cluster) cell.cluster = (assay_name){ cluster, strlen(cluster) };
    }
    return assay_log_put(run->table, &cell);
}

/* Of the cells that were run more than once, those whose answers are all the same. */
static void count_repeats(assay_promptfoo_run *run, size_t *n_repeated, size_t *n_same)
{
    const assay_promptfoo_result *results = run->results;

    *n_repeated = *n_same = 0;
    qsort(run->results, run->n, sizeof *run->results, by_cell);
    for (size_t first = 0, next; first < run->n; first = next) {
        int same = results[first].output != 0;

        for (next = first + 1; next < run->n && results[next].vars == results[first].vars &&
                               results[next].asserts == results[first].asserts &&
                               results[next].model == results[first].model &&
                               results[next].template_id == results[first].template_id;
             next++)
            same &= results[next].output == results[first].output;
        *n_repeated += next - first > 1 && results[first].output != 0;
        *n_same += next - first > 1 && same;
    }
}

static assay_status add_notes(assay_promptfoo_run *run, size_t n_repeated, size_t n_same)
{
    assay_results *results = run->table->results;
    const char *path = run->table->path;
    char mapping[ASSAY_TABLE_NOTE_SIZE], list[ASSAY_HEADER_LIST_SIZE] = "success";
    assay_status status;

    snprintf(mapping, sizeof mapping,
             "promptfoo %s; model = provider's label, item = hash of variables%s, template = "
             "promptId, run = repetition, score = %.60s",
             run->form, run->asserts.count > 0 ? " and assertions" : "",
             run->metric ? run->metric : "score");
    status = assay_table_note_mapping(run->table, mapping);
    for (size_t k = 0; k < run->metrics.count; k++)
        assay_header_list_add(list, run->metrics.text[k], strlen(run->metrics.text[k]));
    if (status == ASSAY_OK && !run->metric && run->metrics.count > 0)
        status =
            assay_results_add_note(results, "%s: --metric chooses another score: %s", path, list);
    if (status == ASSAY_OK && n_repeated > 0 && n_same == n_repeated)
        status = assay_results_add_note(
            results,
            "%s: all repetitions of a cell gave the same answer byte for byte (%zu cells), as out "
            "of promptfoo's cache: they are no independent runs (--no-cache asks anew)",
            path, n_repeated);
    if (status == ASSAY_OK && run->n_cached > 0)
        status = assay_results_add_note(results, "%s: answers out of promptfoo's cache: %zu", path,
                                        run->n_cached);
    if (status == ASSAY_OK && run->n_without_assertion > 0)
        status = assay_results_add_note(results,
                                        "%s: results of tests without assertions, whose score says "
                                        "only that an answer came: %zu",
                                        path, run->n_without_assertion);
    return status;
}

static assay_status fail_memory(const assay_promptfoo_run *run)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a run of promptfoo", run->table->path);
}
