/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/score_matrix.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "read/selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 16, NAME_SIZE = 32, STEP_CELLS = 1 << 22 };

#define LEFT_OUT SIZE_MAX

/* The matrix as models and items see it. */
typedef struct view {
    assay_table *table;
    const assay_score_matrix *matrix;
    int rows_are_items;
    size_t n_models, n_items;
    size_t *target; /* by item of the matrix: which of the table's, or LEFT_OUT */
    size_t n_taken;
    size_t n_all; /* items of the table */
    unsigned char *codes;
    double *scores; /* by item of the table */
} view;

static assay_status check_shape(const view *v);
static assay_status check_numbers(const view *v);
static assay_status fail_embedding(const view *v, double low, double high);
static assay_status check_objects(const view *v, const assay_side_names *names);
static assay_status find_sides(view *v);
static int fits(const assay_side_names *names, size_t n);
static assay_status fail_sides(const view *v);
static assay_status name_items(view *v);
static assay_status name_item(view *v, size_t k, assay_selection *selection);
static assay_name name_of(const assay_side_names *names, size_t k, const char *kind, int digits,
                          char own[NAME_SIZE]);
static assay_status check_twins(const view *v);
static assay_status put_clusters(const view *v);
static assay_status put_models(const view *v);
static void fill_row(const view *v, size_t model, int *others);
static assay_status put_model(const view *v, size_t k);
static assay_status note(const view *v);
static void describe_side(char *out, size_t size, const assay_side_names *names, const char *what,
                          const char *by_place);

assay_status assay_score_matrix_put(assay_table *table, const assay_score_matrix *matrix)
{
    view v = { .table = table, .matrix = matrix };
    assay_status status = check_shape(&v);

    if (status == ASSAY_OK) status = find_sides(&v);
    if (status == ASSAY_OK) status = check_numbers(&v);
    if (status == ASSAY_OK) status = check_objects(&v, &matrix->models);
    if (status == ASSAY_OK) status = check_objects(&v, &matrix->items);
    if (status == ASSAY_OK) status = name_items(&v);
    if (status == ASSAY_OK) status = put_clusters(&v);
    if (status == ASSAY_OK) status = note(&v);
    if (status == ASSAY_OK) status = put_models(&v);
    free(v.target);
    free(v.codes);
    free(v.scores);
    return status;
}

static assay_status check_shape(const view *v)
{
    const assay_score_matrix *m = v->matrix;

    if (m->n > 0 && m->d > 0) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, m->label, 0,
                         "an empty array of %zu x %zu, expected models by items", m->n, m->d);
}

/* The names say which side is which, where they can; else --rows does. */
static assay_status find_sides(view *v)
{
    const assay_score_matrix *m = v->matrix;
    const int as_is = fits(&m->models, m->n) && fits(&m->items, m->d);
    const int transposed = fits(&m->models, m->d) && fits(&m->items, m->n);
    const assay_rows rows = v->table->options->rows;

    if (!as_is && !transposed) return fail_sides(v);
    if ((rows == ASSAY_ROWS_MODELS && !as_is) || (rows == ASSAY_ROWS_ITEMS && !transposed))
        return assay_fail_at(ASSAY_E_VALUE, m->label, 0,
                             "%zu x %zu scores, of which the names beside them say that rows are "
                             "%s: leave out --rows",
                             m->n, m->d, as_is ? "models" : "items");
    v->rows_are_items = rows == ASSAY_ROWS_ITEMS || !as_is;
    v->n_models = v->rows_are_items ? m->d : m->n;
    v->n_items = v->rows_are_items ? m->n : m->d;
    return ASSAY_OK;
}

static int fits(const assay_side_names *names, size_t n)
{
    return !names->texts.starts || names->texts.n == n;
}

static assay_status fail_sides(const view *v)
{
    const assay_score_matrix *m = v->matrix;
    char models[128] = "", items[128] = "";

    if (m->models.texts.starts)
        snprintf(models, sizeof models, "%zu names in \"%s\"", m->models.texts.n, m->models.key);
    if (m->items.texts.starts)
        snprintf(items, sizeof items, "%zu names in \"%s\"", m->items.texts.n, m->items.key);
    return assay_fail_at(ASSAY_E_FORMAT, m->label, 0,
                         "%zu x %zu scores and %s%s%s, expected a name each", m->n, m->d, models,
                         models[0] && items[0] ? " and " : "", items);
}

/* What is not a number is missing; what is infinite is nothing. */
static assay_status check_numbers(const view *v)
{
    const assay_score_matrix *m = v->matrix;
    double low = INFINITY, high = -INFINITY;
    size_t n_fractions = 0, n_seen = 0;

    for (size_t k = 0; k < m->n * m->d; k++) {
        const double x = m->values[k];

        if (isnan(x)) continue;
        if (isinf(x))
            return assay_fail_at(ASSAY_E_FORMAT, m->label, 0,
                                 "the number at row %zu, column %zu is infinite, expected a score",
                                 k / m->d + 1, k % m->d + 1);
        n_seen++;
        n_fractions += floor(x) != x;
        if (x < low) low = x;
        if (x > high) high = x;
    }
    if (v->table->options->format == ASSAY_FORMAT_AUTO && m->kind == 'f' && m->d >= WIDE &&
        !m->items.texts.starts && low < 0.0 && high > 0.0 && n_fractions > n_seen / 2)
        return fail_embedding(v, low, high);
    return ASSAY_OK;
}

static assay_status fail_embedding(const view *v, double low, double high)
{
    const assay_score_matrix *m = v->matrix;

    return assay_fail_at(
        ASSAY_E_FORMAT, m->label, 0,
        "%zu x %zu floats from %.3g to %.3g without names, by their looks vectors "
        "of an embedding, which assay score takes with --embed; if they are scores, "
        "say --format npy",
        m->n, m->d, low, high);
}

/* Names that are there and cannot be read are not made up for. */
static assay_status check_objects(const view *v, const assay_side_names *names)
{
    if (!names->are_objects) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, v->table->path, 0,
                         "the names in \"%s\" are Python objects, which are never unpickled; save "
                         "them as text: numpy.savez(..., %s=numpy.array(names, dtype=str))",
                         names->key, names->key);
}

static assay_status name_items(view *v)
{
    assay_selection selection;
    assay_status status = assay_selection_open(&selection, v->table->options);

    v->target = assay_alloc_zero(v->n_items, sizeof *v->target);
    if (status == ASSAY_OK && !v->target)
        status =
            assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu items", v->matrix->label, v->n_items);
    for (size_t k = 0; status == ASSAY_OK && k < v->n_items; k++)
        status = name_item(v, k, &selection);
    if (status == ASSAY_OK) status = assay_selection_check(&selection, v->table->path);
    assay_selection_free(&selection);
    if (status == ASSAY_OK && v->n_taken == 0)
        status = assay_fail_at(ASSAY_E_VALUE, v->table->path, 0, "no item is left");
    if (status != ASSAY_OK) return status;
    v->n_all = assay_results_n_items(v->table->results);
    v->codes = assay_alloc(v->n_all, 1);
    v->scores = assay_alloc_zero(v->n_all, sizeof *v->scores);
    if (!v->codes || !v->scores)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu items", v->matrix->label, v->n_all);
    memset(v->codes, ASSAY_CODE_ABSENT, v->n_all);
    return check_twins(v);
}

static assay_status name_item(view *v, size_t k, assay_selection *selection)
{
    char own[NAME_SIZE];
    const assay_name name = name_of(&v->matrix->items, k, "item", 4, own);
    assay_status status = assay_table_check_name(v->table, 0, "item", name);

    v->target[k] = LEFT_OUT;
    if (status != ASSAY_OK || !assay_selection_takes(selection, name)) return status;
    v->n_taken++;
    return assay_results_name_item(v->table->results, name.text, name.length, &v->target[k]);
}

/* Its name in the array, or one by its place. */
static assay_name name_of(const assay_side_names *names, size_t k, const char *kind, int digits,
                          char own[NAME_SIZE])
{
    const assay_npy_texts *texts = &names->texts;

    if (texts->starts)
        return (assay_name){ texts->bytes ? texts->bytes + texts->starts[k] : "",
                             texts->starts[k + 1] - texts->starts[k] };
    return (assay_name){ own, (size_t)snprintf(own, NAME_SIZE, "%s-%0*zu", kind, digits, k + 1) };
}

static assay_status check_twins(const view *v)
{
    for (size_t k = 0; k < v->n_items; k++) {
        unsigned char *code;

        if (v->target[k] == LEFT_OUT) continue;
        code = &v->codes[v->target[k]];
        if (*code != ASSAY_CODE_ABSENT)
            return assay_fail_at(ASSAY_E_FORMAT, v->matrix->label, 0,
                                 "two items are called \"%.60s\", expected a name each",
                                 assay_results_item(v->table->results, v->target[k]));
        *code = ASSAY_CODE_MISSING;
    }
    return ASSAY_OK;
}

static assay_status put_clusters(const view *v)
{
    const assay_side_names *clusters = &v->matrix->clusters;
    char own[NAME_SIZE];
    assay_status status = ASSAY_OK;

    if (!clusters->texts.starts) return ASSAY_OK;
    if (clusters->texts.n != v->n_items)
        return assay_fail_at(ASSAY_E_FORMAT, v->matrix->label, 0,
                             "%zu items and %zu clusters in \"%s\", expected one each", v->n_items,
                             clusters->texts.n, clusters->key);
    for (size_t k = 0; status == ASSAY_OK && k < v->n_items; k++) {
        const assay_name name = name_of(clusters, k, "", 0, own);

        if (name.length == 0 || v->target[k] == LEFT_OUT) continue;
        status = assay_table_check_name(v->table, 0, "cluster", name);
        if (status == ASSAY_OK)
            status = assay_results_set_item_cluster(v->table->results, v->target[k], name.text,
                                                    name.length);
    }
    return status;
}

static assay_status put_models(const view *v)
{
    const assay_progress *progress = &v->table->options->progress;
    const size_t every = STEP_CELLS / v->n_items + 1;

    for (size_t k = 0; k < v->n_models; k++) {
        assay_status status = put_model(v, k);

        if (status != ASSAY_OK) return status;
        if (k % every == every - 1 && progress->step &&
            progress->step(progress->user, "reading", (double)k / (double)v->n_models) != 0)
            return assay_fail_at(ASSAY_E_CANCELLED, v->table->path, 0, "reading was cancelled");
    }
    return ASSAY_OK;
}

static assay_status put_model(const view *v, size_t k)
{
    assay_results *results = v->table->results;
    char own[NAME_SIZE];
    const assay_name name = name_of(&v->matrix->models, k, "model", 3, own);
    const int repeats = v->table->options->repeats;
    size_t model, template_index, run, record, item;
    int others;
    assay_status status = assay_table_check_name(v->table, 0, "model", name);

    fill_row(v, k, &others);
    if (status == ASSAY_OK)
        status = assay_results_name_model(results, name.text, name.length, &model);
    if (status == ASSAY_OK) status = assay_results_name_template(results, "", 0, &template_index);
    if (status == ASSAY_OK && !repeats) status = assay_results_name_run(results, "", 0, &run);
    if (status != ASSAY_OK) return status;
    status = repeats ? assay_results_next_row_run(results, model, template_index, v->codes,
                                                  v->n_all, &record)
                     : assay_results_find_record(results, model, template_index, run, &record);
    if (status == ASSAY_OK)
        status = assay_results_put_row(results, record, v->codes, others ? v->scores : NULL,
                                       v->n_all, &item);
    if (status == ASSAY_E_CONFLICT) return assay_table_fail_conflict(v->table, 0, 1, 0);
    return status == ASSAY_OK ? status : assay_table_fail(v->table, 0, status, "");
}

static void fill_row(const view *v, size_t model, int *others)
{
    const assay_score_matrix *m = v->matrix;

    *others = 0;
    for (size_t k = 0; k < v->n_items; k++) {
        const double x =
            v->rows_are_items ? m->values[k * m->d + model] : m->values[model * m->d + k];
        const size_t to = v->target[k];

        if (to == LEFT_OUT) continue;
        v->codes[to] = isnan(x)   ? ASSAY_CODE_MISSING
                       : x == 0.0 ? ASSAY_CODE_ZERO
                       : x == 1.0 ? ASSAY_CODE_ONE
                                  : ASSAY_CODE_OTHER;
        v->scores[to] = x;
        *others |= v->codes[to] == ASSAY_CODE_OTHER;
    }
}

static assay_status note(const view *v)
{
    const assay_score_matrix *m = v->matrix;
    char text[ASSAY_TABLE_NOTE_SIZE], models[128], items[128];
    const int by_place = !m->models.texts.starts || !m->items.texts.starts;

    describe_side(models, sizeof models, &m->models, "models", "model-001");
    describe_side(items, sizeof items, &m->items, "items", "item-0001");
    snprintf(text, sizeof text, "a matrix of %zu models and %zu items, a row %s; %s, %s%s",
             v->n_models, v->n_taken, v->rows_are_items ? "an item" : "a model", models, items,
             by_place ? "; such files are joined by position" : "");
    return assay_table_note_mapping(v->table, text);
}

static void describe_side(char *out, size_t size, const assay_side_names *names, const char *what,
                          const char *by_place)
{
    if (names->texts.starts)
        snprintf(out, size, "%s called as in \"%s\"", what, names->key);
    else
        snprintf(out, size, "%s called by position, %s and on", what, by_place);
}
