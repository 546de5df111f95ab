/* SPDX-License-Identifier: Apache-2.0 */
/* Published scores from a long or a wide table. */
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/options.h"
#include "read/columns.h"
#include "read/input.h"
#include "simulate/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 60 };

/* The columns that are looked for, and where each is: ASSAY_NO_COLUMN where it is not. */
enum { TEMPLATE, TASK, MODEL, N_ITEMS, COUNT, ACCURACY, N_COLUMNS };

typedef struct reading {
    const char *path;
    assay_published_options options;
    assay_published *to;
    assay_header tasks, models; /* the ones that are asked for; none: all */
    assay_header header;
    ptrdiff_t of[N_COLUMNS];
    int is_wide;
    unsigned char *is_model;             /* by column, of a wide table */
    assay_names pairs;                   /* "TASK \x1f MODEL" of all tables, by place */
    size_t *table_of, table_of_capacity; /* by place; NOT_WANTED for one that was not asked for */
    assay_name *fields;                  /* of a row */
} reading;

static const size_t NOT_WANTED = SIZE_MAX;
static const assay_name nothing = { NULL, 0 };

static assay_status read_file(reading *r);
static assay_status find_columns(reading *r, size_t line);
static assay_status take_row(reading *r, assay_csv_record *record);
static assay_status take_count(reading *r, size_t line, assay_name model, assay_name text,
                               int is_count);
static assay_status find_table(reading *r, assay_name task, assay_name model,
                               assay_published_table **out);
static assay_status take_n_items(const reading *r, size_t line, assay_published_table *table);
static assay_status count_correct(reading *r, size_t line, const assay_published_table *table,
                                  assay_name text, int is_count, size_t *count);
static assay_status check_names(const reading *r);
static assay_status fail_number(const reading *r, size_t line, const char *what, assay_name text,
                                const char *expected);

assay_status assay_published_read(const char *path, const assay_published_options *options,
                                  assay_published **out)
{
    reading r = { .path = path };
    assay_status status;

    *out = NULL;
    assay_published_options_init(&r.options, sizeof r.options);
    status = assay_options_take("published", options, &r.options, sizeof r.options);
    if (status != ASSAY_OK) return status;
    r.to = assay_alloc_zero(1, sizeof *r.to);
    if (r.to) r.to->path = assay_copy_text(path, strlen(path));
    if (!r.to || !r.to->path) status = assay_fail(ASSAY_E_NOMEM, "%s: no memory for it", path);
    if (status == ASSAY_OK) status = assay_header_from_list(&r.tasks, "tasks", r.options.tasks);
    if (status == ASSAY_OK) status = assay_header_from_list(&r.models, "models", r.options.models);
    if (status == ASSAY_OK) status = read_file(&r);
    if (status == ASSAY_OK) status = check_names(&r);
    if (status == ASSAY_OK) {
        *out = r.to;
        r.to = NULL;
    }
    assay_published_free(r.to);
    assay_header_free(&r.tasks);
    assay_header_free(&r.models);
    assay_header_free(&r.header);
    assay_names_free(&r.pairs);
    free(r.is_model);
    free(r.table_of);
    free(r.fields);
    return status;
}

static assay_status read_file(reading *r)
{
    assay_input_stream *input = NULL;
    assay_csv *csv = NULL;
    assay_csv_record record;
    int more = 0;
    size_t line = 0;
    assay_status status = assay_input_open(r->path, NULL, &input);

    if (status == ASSAY_OK) r->path = assay_input_name(input);
    if (status == ASSAY_OK) status = assay_csv_open(r->path, ",\t;", assay_input_read, input, &csv);
    if (status == ASSAY_OK) status = assay_csv_next(csv, &record, &more);
    if (status == ASSAY_OK && !more) status = assay_fail_at(ASSAY_E_FORMAT, r->path, 0, "is empty");
    if (status == ASSAY_OK) line = record.line;
    if (status == ASSAY_OK) status = assay_header_read(&r->header, r->path, &record);
    if (status == ASSAY_OK) status = find_columns(r, line);
    while (status == ASSAY_OK) {
        status = assay_csv_next(csv, &record, &more);
        if (status != ASSAY_OK || !more) break;
        status = take_row(r, &record);
    }
    if (status == ASSAY_OK) status = assay_input_sha256(input, r->to->sha256);
    if (status == ASSAY_OK && r->to->n == 0)
        status = assay_fail_at(ASSAY_E_SHAPE, r->path, 0, "has no row%s, expected one a template",
                               r->tasks.n || r->models.n ? " of these tasks and models" : "");
    assay_csv_close(csv);
    r->path = r->to->path;
    assay_input_close(input);
    return status;
}

/* ---- columns ---- */

static ptrdiff_t find_column(const assay_header *header, const char *name, assay_role role)
{
    ptrdiff_t found = assay_header_find(header, name, strlen(name));
    int best = -1;

    if (found >= 0 || role == ASSAY_N_ROLES) return found;
    for (size_t c = 0; c < header->n; c++) {
        int rank = assay_role_rank(role, header->names[c]);

        if (rank < 0 || (best >= 0 && rank >= best)) continue;
        best = rank;
        found = (ptrdiff_t)c;
    }
    return found;
}

/* Every column that is nothing else has a model's accuracies. */
static void find_models(reading *r)
{
    for (size_t c = 0; c < r->header.n; c++) {
        const assay_name name = r->header.names[c];

        r->is_model[c] = name.length > 0 && !assay_name_is(name, "method") &&
                         !assay_name_is(name, "valid") && (ptrdiff_t)c != r->of[TEMPLATE] &&
                         (ptrdiff_t)c != r->of[TASK] && (ptrdiff_t)c != r->of[N_ITEMS];
        if (r->is_model[c] && r->models.n)
            r->is_model[c] = assay_header_find(&r->models, name.text, name.length) >= 0;
    }
}

static assay_status find_columns(reading *r, size_t line)
{
    static const struct {
        const char *name;
        assay_role role;
    } wanted[N_COLUMNS] = {
        [TEMPLATE] = { "template", ASSAY_ROLE_TEMPLATE },
        [TASK] = { "task", ASSAY_N_ROLES },
        [MODEL] = { "model", ASSAY_ROLE_MODEL },
        [N_ITEMS] = { "J", ASSAY_N_ROLES },
        [COUNT] = { "n_correct", ASSAY_ROLE_SUCCESSES },
        [ACCURACY] = { "accuracy", ASSAY_ROLE_SCORE },
    };
    char list[ASSAY_HEADER_LIST_SIZE];
    size_t n_models = 0;

    for (size_t k = 0; k < N_COLUMNS; k++)
        r->of[k] = find_column(&r->header, wanted[k].name, wanted[k].role);
    r->is_model = assay_alloc_zero(r->header.n, 1);
    r->fields = assay_alloc(r->header.n, sizeof *r->fields);
    if (!r->is_model || !r->fields)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu columns", r->path, r->header.n);
    if (r->of[TEMPLATE] < 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                             "no column \"template\", expected one beside: %s",
                             assay_header_list(&r->header, list));
    if (r->of[N_ITEMS] < 0 && r->options.n_items == 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                             "no column \"J\", expected one, or to be told how many items");
    r->is_wide = r->of[COUNT] < 0 && r->of[ACCURACY] < 0 && r->of[MODEL] < 0;
    if (r->is_wide) find_models(r);
    for (size_t c = 0; c < r->header.n; c++) n_models += r->is_model[c];
    if (r->is_wide ? n_models > 0 : r->of[COUNT] >= 0 || r->of[ACCURACY] >= 0) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                         "no column \"n_correct\" or \"accuracy\", and none of %s, beside: %s",
                         r->models.n ? "the models asked for" : "a model",
                         assay_header_list(&r->header, list));
}

/* ---- rows ---- */

static assay_name field_of(const reading *r, int column)
{
    return r->of[column] >= 0 ? r->fields[r->of[column]] : nothing;
}

static assay_status take_row(reading *r, assay_csv_record *record)
{
    size_t line = record->line, c = 0;
    int is_count = r->of[COUNT] >= 0;
    assay_csv_text field;
    assay_status status = ASSAY_OK;

    for (; assay_csv_field(record, &field); c++)
        if (c < r->header.n) r->fields[c] = assay_name_of(&field);
    if (c != r->header.n)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, line, "%zu field%s, expected %zu", c,
                             c == 1 ? "" : "s", r->header.n);
    if (!r->is_wide)
        return take_count(r, line, field_of(r, MODEL),
                          is_count ? field_of(r, COUNT) : field_of(r, ACCURACY), is_count);
    for (c = 0; c < r->header.n && status == ASSAY_OK; c++)
        if (r->is_model[c]) status = take_count(r, line, r->header.names[c], r->fields[c], 0);
    return status;
}

static assay_status take_count(reading *r, size_t line, assay_name model, assay_name text,
                               int is_count)
{
    assay_name name = field_of(r, TEMPLATE);
    assay_published_table *table;
    size_t index, n, count = 0;
    assay_status status = find_table(r, field_of(r, TASK), model, &table);

    if (status != ASSAY_OK || !table) return status;
    if ((status = take_n_items(r, line, table)) != ASSAY_OK) return status;
    status = count_correct(r, line, table, text, is_count, &count);
    if (status != ASSAY_OK) return status;
    n = table->templates.count;
    if (assay_grow(&table->counts, &table->capacity, n + 1, sizeof *table->counts) != 0 ||
        assay_names_add(&table->templates, name.text, name.length, &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its rows", r->path);
    if (index < n)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                             "template \"%.60s\" comes twice%s%.60s%s%.60s, expected one row",
                             table->templates.text[index], table->task ? " for " : "",
                             table->task ? table->task : "", table->model ? ", " : "",
                             table->model ? table->model : "");
    table->counts[n] = count;
    r->to->rows++;
    return ASSAY_OK;
}

static int is_wanted(const assay_header *names, assay_name name)
{
    return names->n == 0 || (name.text && assay_header_find(names, name.text, name.length) >= 0);
}

/* A new table at the end; or a place that nobody asked for. */
static assay_status add_table(reading *r, size_t place, assay_name task, assay_name model)
{
    assay_published *to = r->to;
    assay_published_table *table;

    if (assay_grow(&r->table_of, &r->table_of_capacity, place + 1, sizeof *r->table_of) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its tables", r->path);
    r->table_of[place] = NOT_WANTED;
    if (!is_wanted(&r->tasks, task) || !is_wanted(&r->models, model)) return ASSAY_OK;
    if (assay_grow(&to->tables, &to->capacity, to->n + 1, sizeof *to->tables) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its tables", r->path);
    table = &to->tables[to->n];
    *table = (assay_published_table){ .place = place };
    r->table_of[place] = to->n++;
    if (task.text) table->task = assay_copy_text(task.text, task.length);
    if (model.text) table->model = assay_copy_text(model.text, model.length);
    if ((task.text && !table->task) || (model.text && !table->model))
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its tables", r->path);
    return ASSAY_OK;
}

/* NULL for one that was not asked for. */
static assay_status find_table(reading *r, assay_name task, assay_name model,
                               assay_published_table **out)
{
    size_t n = r->pairs.count, place, length = task.length + 1 + model.length;
    char *pair = assay_alloc(length, 1);
    assay_status status = ASSAY_OK;
    int failed;

    *out = NULL;
    if (!pair) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a name", r->path);
    if (task.length) memcpy(pair, task.text, task.length);
    pair[task.length] = '\x1f';
    if (model.length) memcpy(pair + task.length + 1, model.text, model.length);
    failed = assay_names_add(&r->pairs, pair, length, &place);
    free(pair);
    if (failed) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its tables", r->path);
    if (place == n) status = add_table(r, place, task, model);
    if (status == ASSAY_OK && r->table_of[place] != NOT_WANTED)
        *out = &r->to->tables[r->table_of[place]];
    return status;
}

static assay_status take_n_items(const reading *r, size_t line, assay_published_table *table)
{
    assay_name text = field_of(r, N_ITEMS);
    size_t n = r->options.n_items;
    double value;

    if (text.text) {
        if (assay_number_parse(text.text, text.length, &value) != 0 || value < 1.0 ||
            value > INT32_MAX || value != floor(value))
            return fail_number(r, line, "J", text, "a whole number from 1");
        n = (size_t)value;
    }
    if (table->n_items == 0) table->n_items = n;
    if (table->n_items == n) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, r->path, line, "J is %zu, expected %zu as before", n,
                         table->n_items);
}

static assay_status count_correct(reading *r, size_t line, const assay_published_table *table,
                                  assay_name text, int is_count, size_t *count)
{
    double value, n_items = (double)table->n_items;

    if (is_count) {
        if (assay_number_parse(text.text, text.length, &value) != 0 || value < 0.0 ||
            value > n_items || value != floor(value))
            return fail_number(r, line, "n_correct", text, "a whole number from 0 to J");
    } else {
        if (assay_number_parse(text.text, text.length, &value) != 0 || value < 0.0 || value > 1.0)
            return fail_number(r, line, "accuracy", text, "a number from 0 to 1");
        value *= n_items;
        r->to->n_rounded += fabs(value - nearbyint(value)) > 0.01;
        value = nearbyint(value); /* half to even, as NumPy rounds */
    }
    *count = (size_t)value;
    return ASSAY_OK;
}

/* ---- what is asked for and not there ---- */

static int is_there(const assay_published *to, assay_name name, int is_task)
{
    for (size_t k = 0; k < to->n; k++) {
        const char *text = is_task ? to->tables[k].task : to->tables[k].model;

        if (text && assay_name_is(name, text)) return 1;
    }
    return 0;
}

static assay_status check_names(const reading *r)
{
    for (int is_task = 0; is_task < 2; is_task++) {
        const assay_header *names = is_task ? &r->tasks : &r->models;

        for (size_t k = 0; k < names->n; k++) {
            assay_name name = names->names[k];

            if (is_there(r->to, name, is_task)) continue;
            return assay_fail_at(ASSAY_E_SHAPE, r->path, 0, "has no %s \"%.*s\"%s",
                                 is_task ? "task" : "model",
                                 (int)(name.length < SHOWN_MAX ? name.length : SHOWN_MAX),
                                 name.text, r->tasks.n && r->models.n ? " among these" : "");
        }
    }
    return ASSAY_OK;
}

static assay_status fail_number(const reading *r, size_t line, const char *what, assay_name text,
                                const char *expected)
{
    return assay_fail_at(ASSAY_E_FORMAT, r->path, line, "%s \"%.*s\", expected %s", what,
                         (int)(text.length < SHOWN_MAX ? text.length : SHOWN_MAX), text.text,
                         expected);
}
