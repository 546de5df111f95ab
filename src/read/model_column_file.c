/* SPDX-License-Identifier: Apache-2.0 */
#include "read/model_column_file.h"

#include "assay/dates.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "read/columns.h"
#include "read/csv.h"
#include "read/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 };

/* A column that may be the one, with its values by model of the table. */
struct candidate {
    int may_be, fits;     /* fits: it has nothing but values of the kind */
    size_t n_values;      /* of any model */
    size_t conflict_line; /* the first line that says otherwise than one before, 0 for none; then */
    size_t conflict_model;
    char *conflict;
    assay_attribute values;
};

/* A file while it is read, which is once: it may be a pipe. */
struct reading {
    assay_column_file *file;
    const char *path; /* as errors name it */
    assay_names models;
    assay_header header;
    size_t of_model, of_value; /* of_value: header.n until it is known */
    int is_named;              /* whether the models' column is called as such columns are */
    struct candidate *columns; /* of the header */
};

static assay_status list_models(struct reading *reading);
static assay_status read_records(struct reading *reading, assay_csv *csv);
static assay_status choose_by_header(struct reading *reading);
static assay_status choose_by_values(struct reading *reading);
static assay_status take_row(struct reading *reading, assay_csv_record *record);
static assay_status give(struct reading *reading);

assay_status assay_column_file_read(assay_column_file *file)
{
    struct reading reading = { .file = file };
    assay_input_stream *input = NULL;
    assay_csv *csv = NULL;
    assay_status status = assay_input_open(file->path, NULL, &input);

    if (status != ASSAY_OK) return status;
    reading.path = assay_input_name(input);
    status = list_models(&reading);
    if (status == ASSAY_OK)
        status = assay_csv_open(reading.path, ",;\t", assay_input_read, input, &csv);
    if (status == ASSAY_OK) status = read_records(&reading, csv);
    if (status == ASSAY_OK && reading.of_value == reading.header.n)
        status = choose_by_values(&reading);
    if (status == ASSAY_OK) status = give(&reading);
    assay_csv_close(csv);
    assay_input_close(input);
    for (size_t c = 0; reading.columns && c < reading.header.n; c++) {
        assay_attribute_free(&reading.columns[c].values);
        free(reading.columns[c].conflict);
    }
    free(reading.columns);
    assay_names_free(&reading.models);
    assay_header_free(&reading.header);
    return status;
}

static assay_status no_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
}

static assay_status list_models(struct reading *reading)
{
    const assay_results *results = reading->file->results;

    for (size_t m = 0; m < assay_results_n_models(results); m++) {
        const char *name = assay_results_model(results, m);
        size_t index;

        if (assay_names_add(&reading->models, name, strlen(name), &index) != 0) return no_memory();
    }
    return ASSAY_OK;
}

static assay_status read_records(struct reading *reading, assay_csv *csv)
{
    assay_csv_record record;
    int more = 0;
    assay_status status = assay_csv_next(csv, &record, &more);

    if (status == ASSAY_OK && !more)
        status = assay_fail_at(ASSAY_E_FORMAT, reading->path, 0, "the file is empty");
    if (status == ASSAY_OK) status = assay_header_read(&reading->header, reading->path, &record);
    if (status == ASSAY_OK) status = choose_by_header(reading);
    while (status == ASSAY_OK) {
        status = assay_csv_next(csv, &record, &more);
        if (status != ASSAY_OK || !more) break;
        status = take_row(reading, &record);
    }
    return status;
}

/* ---- values of a kind ---- */

static int is_of_kind(assay_model_column_kind kind, assay_name value)
{
    char text[SHOWN], *end;
    double number;

    if (kind == ASSAY_COLUMN_TEXT) return 1;
    if (value.length == 0 || value.length >= sizeof text) return 0;
    memcpy(text, value.text, value.length);
    text[value.length] = '\0';
    if (kind == ASSAY_COLUMN_DATE) return assay_date_days(text, &number) == ASSAY_OK;
    number = strtod(text, &end);
    return end != text && !*end && isfinite(number);
}

static const char *name_kind(assay_model_column_kind kind)
{
    static const char *const names[] = { "the values", "the dates", "the numbers" };

    return names[kind];
}

/* ---- which columns ---- */

/* What columns of dates are called: the whole name, or its end behind an underscore; the earlier
   lists first. */
enum { N_LISTS = 3, MOST_NAMES = 8 };
static const char *const date_names[N_LISTS][MOST_NAMES] = {
    { "date" },
    { "_date", "_released" },
    { "released", "release", "published", "created", "day", "when", "timestamp" },
};

static int is_called(assay_name name, const char *usual)
{
    size_t length = strlen(usual);
    assay_name end = name;

    if (usual[0] != '_') return assay_name_is_nearly(name, (assay_name){ usual, length });
    if (name.length <= length) return 0;
    end.text += name.length - length;
    end.length = length;
    return assay_name_is_nearly(end, (assay_name){ usual, length });
}

/* The columns of those that may be whose names are in a list: how many, and the last of them. */
static size_t count_called(const struct reading *reading, const char *const list[MOST_NAMES],
                           size_t *column, char names[ASSAY_HEADER_LIST_SIZE])
{
    size_t n = 0;

    for (size_t c = 0; c < reading->header.n; c++) {
        assay_name name = reading->header.names[c];
        int found = 0;

        if (c == reading->of_model) continue;
        for (int k = 0; k < MOST_NAMES && list[k]; k++) found |= is_called(name, list[k]);
        if (!found) continue;
        assay_header_list_add(names, name.text, name.length);
        *column = c;
        n++;
    }
    return n;
}

static assay_status fail_among(const struct reading *reading, const char *what, const char *names)
{
    return assay_fail_at(ASSAY_E_FORMAT, reading->path, 1,
                         "%s: %s; name one of them behind the file, as in FILE:COLUMN", what,
                         names);
}

static assay_status fail_several(const struct reading *reading, const char *names)
{
    char what[SHOWN];

    snprintf(what, sizeof what, "each of these columns could hold %s",
             name_kind(reading->file->kind));
    return fail_among(reading, what, names);
}

/* Where no name tells. */
static assay_status choose_by_values(struct reading *reading)
{
    char fitting[ASSAY_HEADER_LIST_SIZE] = "", all[ASSAY_HEADER_LIST_SIZE] = "", what[SHOWN];
    size_t n = 0;

    for (size_t c = 0; c < reading->header.n; c++) {
        assay_name name = reading->header.names[c];
        const struct candidate *column = &reading->columns[c];

        if (c == reading->of_model || name.length == 0) continue;
        assay_header_list_add(all, name.text, name.length);
        if (!column->fits || column->n_values == 0) continue;
        assay_header_list_add(fitting, name.text, name.length);
        reading->of_value = c;
        n++;
    }
    if (n == 1) return ASSAY_OK;
    if (n > 1) return fail_several(reading, fitting);
    snprintf(what, sizeof what, "none of these columns holds %s", name_kind(reading->file->kind));
    return fail_among(reading, what, all);
}

static assay_status choose_wanted(struct reading *reading)
{
    assay_name wanted = { reading->file->wanted, strlen(reading->file->wanted) };
    ptrdiff_t exact = assay_header_find(&reading->header, wanted.text, wanted.length);
    char names[ASSAY_HEADER_LIST_SIZE] = "";

    reading->of_value = exact >= 0 ? (size_t)exact : reading->header.n;
    for (size_t c = 0; c < reading->header.n && exact < 0; c++)
        if (assay_name_is_nearly(wanted, reading->header.names[c])) reading->of_value = c;
    if (reading->of_value < reading->header.n && reading->of_value != reading->of_model)
        return ASSAY_OK;
    return assay_fail_at(ASSAY_E_VALUE, reading->path, 1, "no column \"%.60s\"; there are: %s",
                         reading->file->wanted, assay_header_list(&reading->header, names));
}

static assay_status choose_value(struct reading *reading)
{
    const assay_header *header = &reading->header;

    if (reading->file->wanted) return choose_wanted(reading);
    if (header->n == 2) {
        reading->of_value = 1 - reading->of_model;
        return ASSAY_OK;
    }
    for (int list = 0; list < N_LISTS && reading->file->kind == ASSAY_COLUMN_DATE; list++) {
        char names[ASSAY_HEADER_LIST_SIZE] = "";
        size_t n = count_called(reading, date_names[list], &reading->of_value, names);

        if (n == 1) return ASSAY_OK;
        if (n > 1) return fail_several(reading, names);
    }
    reading->of_value = header->n;
    return ASSAY_OK;
}

/* The first line of a file that begins with data: it names a model of the table, or has a value
   where a name should be. */
static assay_status check_is_header(const struct reading *reading)
{
    const assay_header *header = &reading->header;
    assay_model_column_kind kind = reading->file->kind;

    for (size_t c = 0; c < header->n && !reading->is_named; c++) {
        assay_name name = header->names[c];
        int is_model = assay_names_find(&reading->models, name.text, name.length) >= 0;

        if (!is_model && (kind == ASSAY_COLUMN_TEXT || !is_of_kind(kind, name))) continue;
        return assay_fail_at(ASSAY_E_FORMAT, reading->path, 1,
                             "\"%.*s\" is a %s, expected a header that names the columns, such as "
                             "model,%s",
                             (int)(name.length < SHOWN ? name.length : SHOWN), name.text,
                             is_model                    ? "model"
                             : kind == ASSAY_COLUMN_DATE ? "date"
                                                         : "number",
                             kind == ASSAY_COLUMN_DATE ? "date" : "value");
    }
    return ASSAY_OK;
}

/* Which columns are the models' and, as far as names tell, the values'. */
static assay_status choose_by_header(struct reading *reading)
{
    const assay_header *header = &reading->header;
    int best = -1;
    assay_status status;

    for (size_t c = 0; c < header->n; c++) {
        int rank = assay_role_rank(ASSAY_ROLE_MODEL, header->names[c]);

        if (rank < 0 || (best >= 0 && rank >= best)) continue;
        best = rank;
        reading->of_model = c;
        reading->is_named = 1;
    }
    if ((status = check_is_header(reading)) != ASSAY_OK) return status;
    if (header->n < 2)
        return assay_fail_at(ASSAY_E_FORMAT, reading->path, 1,
                             "one column, expected the model and a value");
    if ((status = choose_value(reading)) != ASSAY_OK) return status;
    reading->columns = assay_alloc_zero(header->n, sizeof *reading->columns);
    if (!reading->columns) return no_memory();
    for (size_t c = 0; c < header->n; c++) {
        int is_open = reading->of_value == header->n && c != reading->of_model;

        reading->columns[c].may_be = is_open || c == reading->of_value;
        reading->columns[c].fits = 1;
    }
    return ASSAY_OK;
}

/* ---- rows ---- */

/* A value of a model of the table. One that contradicts another matters where it is of the column
   in the end. */
static assay_status keep(struct candidate *column, size_t line, size_t model, assay_name value)
{
    const char *known = assay_attribute_get(&column->values, model);

    if (!known)
        return assay_attribute_set(&column->values, model, value.text, value.length) == 0
                   ? ASSAY_OK
                   : no_memory();
    if (column->conflict_line ||
        (strlen(known) == value.length && memcmp(known, value.text, value.length) == 0))
        return ASSAY_OK;
    column->conflict_line = line;
    column->conflict_model = model;
    column->conflict = assay_copy_text(value.text, value.length);
    return column->conflict ? ASSAY_OK : no_memory();
}

static assay_status take_fields(struct reading *reading, const assay_name *fields, size_t n,
                                size_t line)
{
    assay_name model = fields[reading->of_model];
    ptrdiff_t index = assay_names_find(&reading->models, model.text, model.length);
    assay_status status = ASSAY_OK;

    reading->file->n_unknown += index < 0;
    for (size_t c = 0; c < n && status == ASSAY_OK; c++) {
        struct candidate *column = &reading->columns[c];

        if (!column->may_be || fields[c].length == 0) continue;
        column->n_values++;
        column->fits = column->fits && is_of_kind(reading->file->kind, fields[c]);
        if (index >= 0) status = keep(column, line, (size_t)index, fields[c]);
    }
    return status;
}

static assay_status take_row(struct reading *reading, assay_csv_record *record)
{
    size_t line = record->line, n = 0, n_columns = reading->header.n, least = reading->of_model;
    assay_name *fields = assay_alloc_zero(n_columns, sizeof *fields);
    assay_csv_text field;
    assay_status status;

    if (!fields) return no_memory();
    for (; assay_csv_field(record, &field); n++)
        if (n < n_columns) fields[n] = assay_name_of(&field);
    if (reading->of_value < n_columns && reading->of_value > least) least = reading->of_value;
    status = n > least ? take_fields(reading, fields, n < n_columns ? n : n_columns, line)
                       : assay_fail_at(ASSAY_E_FORMAT, reading->path, line,
                                       "%zu fields, expected at least %zu", n, least + 1);
    free(fields);
    return status;
}

/* The column that it is. */
static assay_status give(struct reading *reading)
{
    struct candidate *column = &reading->columns[reading->of_value];
    assay_name name = reading->header.names[reading->of_value];

    if (column->conflict_line)
        return assay_fail_at(ASSAY_E_CONFLICT, reading->path, column->conflict_line,
                             "model \"%.60s\" has \"%.60s\" here and \"%.60s\" before",
                             assay_results_model(reading->file->results, column->conflict_model),
                             column->conflict,
                             assay_attribute_get(&column->values, column->conflict_model));
    reading->file->name = assay_copy_text(name.text, name.length);
    if (!reading->file->name) return no_memory();
    reading->file->values = column->values;
    column->values = (assay_attribute){ 0 };
    return ASSAY_OK;
}
