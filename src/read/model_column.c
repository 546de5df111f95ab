/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/model_column.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/attribute.h"
#include "data/names.h"
#include "read/columns.h"
#include "read/csv.h"
#include "read/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 60 };

struct assay_model_column {
    const assay_results *results;
    ptrdiff_t covariate; /* of the table, or -1: then */
    assay_attribute values;
    char *name;
    size_t n_unknown;
};

/* A file while it is read. */
struct reading {
    assay_model_column *column;
    const char *path;
    assay_names models;
    size_t of_model, of_value;
};

static ptrdiff_t find_covariate(const assay_results *results, const char *name);
static int is_item(const assay_results *results, const char *name);
static assay_status read_file(assay_model_column *column, const char *path, const char *usual);
static assay_status choose_columns(struct reading *reading, const assay_header *header,
                                   const char *usual);
static assay_status take_row(struct reading *reading, assay_csv_record *record);
static assay_status check_any(const assay_model_column *column, const char *where);

assay_status assay_model_column_find(const assay_results *results, const char *where,
                                     const char *usual, assay_model_column **out)
{
    assay_model_column *column = assay_alloc_zero(1, sizeof *column);
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!column) return assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
    column->results = results;
    column->covariate = find_covariate(results, where);
    if (column->covariate >= 0) {
        column->name = assay_copy_text(where, strlen(where));
        if (!column->name)
            status = assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
    } else if (is_item(results, where)) {
        status =
            assay_fail(ASSAY_E_VALUE,
                       "\"%.60s\" is read as an item; --drop it, and it is kept as a column of "
                       "the models",
                       where);
    } else if (access(where, F_OK) != 0) {
        status = assay_fail(ASSAY_E_READ,
                            "\"%.60s\" is neither a column that was dropped nor a file", where);
    } else {
        status = read_file(column, where, usual);
    }
    if (status == ASSAY_OK) status = check_any(column, where);
    if (status == ASSAY_OK)
        *out = column;
    else
        assay_model_column_free(column);
    return status;
}

static ptrdiff_t find_covariate(const assay_results *results, const char *name)
{
    for (size_t c = 0; c < assay_results_n_covariates(results); c++)
        if (strcmp(assay_results_covariate(results, c), name) == 0) return (ptrdiff_t)c;
    return -1;
}

static int is_item(const assay_results *results, const char *name)
{
    for (size_t i = 0; i < assay_results_n_items(results); i++)
        if (strcmp(assay_results_item(results, i), name) == 0) return 1;
    return 0;
}

static assay_status read_records(struct reading *reading, assay_csv *csv, const char *usual)
{
    assay_header header = { 0 };
    assay_csv_record record;
    int more = 0;
    assay_status status = assay_csv_next(csv, &record, &more);

    if (status == ASSAY_OK && !more)
        status = assay_fail_at(ASSAY_E_FORMAT, reading->path, 0, "the file is empty");
    if (status == ASSAY_OK) status = assay_header_read(&header, reading->path, &record);
    if (status == ASSAY_OK) status = choose_columns(reading, &header, usual);
    assay_header_free(&header);
    while (status == ASSAY_OK) {
        status = assay_csv_next(csv, &record, &more);
        if (status != ASSAY_OK || !more) break;
        status = take_row(reading, &record);
    }
    return status;
}

static assay_status read_file(assay_model_column *column, const char *path, const char *usual)
{
    struct reading reading = { .column = column };
    assay_input_stream *input = NULL;
    assay_csv *csv = NULL;
    assay_status status = assay_input_open(path, NULL, &input);

    if (status != ASSAY_OK) return status;
    reading.path = assay_input_name(input);
    for (size_t m = 0; m < assay_results_n_models(column->results) && status == ASSAY_OK; m++) {
        const char *name = assay_results_model(column->results, m);
        size_t index;

        if (assay_names_add(&reading.models, name, strlen(name), &index) != 0)
            status = assay_fail(ASSAY_E_NOMEM, "no memory for the names of models");
    }
    if (status == ASSAY_OK)
        status = assay_csv_open(reading.path, ",;\t", assay_input_read, input, &csv);
    if (status == ASSAY_OK) status = read_records(&reading, csv, usual);
    assay_csv_close(csv);
    assay_input_close(input);
    assay_names_free(&reading.models);
    return status;
}

/* "date", or "release_date": the whole name, or its end behind an underscore. */
static int is_usual(assay_name name, const char *usual)
{
    size_t length = strlen(usual);
    assay_name whole = { usual, length }, end = name;

    if (assay_name_is_nearly(name, whole)) return 1;
    if (name.length < length + 2) return 0;
    end.text += name.length - length;
    end.length = length;
    return (end.text[-1] == '_' || end.text[-1] == ' ' || end.text[-1] == '-') &&
           assay_name_is_nearly(end, whole);
}

static assay_status choose_columns(struct reading *reading, const assay_header *header,
                                   const char *usual)
{
    int best = -1, found = 0;

    for (size_t c = 0; c < header->n; c++) {
        int rank = assay_role_rank(ASSAY_ROLE_MODEL, header->names[c]);

        if (rank < 0 || (best >= 0 && rank >= best)) continue;
        best = rank;
        reading->of_model = c;
    }
    for (size_t c = 0; c < header->n && usual && !found; c++) {
        if (c == reading->of_model || !is_usual(header->names[c], usual)) continue;
        reading->of_value = c;
        found = 1;
    }
    if (header->n < 2)
        return assay_fail_at(ASSAY_E_FORMAT, reading->path, 1,
                             "one column, expected the model and a value");
    if (!found) reading->of_value = reading->of_model == 0 ? 1 : 0;
    reading->column->name = assay_copy_text(header->names[reading->of_value].text,
                                            header->names[reading->of_value].length);
    if (!reading->column->name)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
    return ASSAY_OK;
}

static assay_status keep(struct reading *reading, size_t line, assay_name model, assay_name value)
{
    assay_attribute *values = &reading->column->values;
    ptrdiff_t index = assay_names_find(&reading->models, model.text, model.length);
    const char *known;

    if (index < 0) {
        reading->column->n_unknown++;
        return ASSAY_OK;
    }
    if (value.length == 0) return ASSAY_OK;
    known = assay_attribute_get(values, (size_t)index);
    if (known && (strlen(known) != value.length || memcmp(known, value.text, value.length) != 0))
        return assay_fail_at(ASSAY_E_CONFLICT, reading->path, line,
                             "model \"%.*s\" has \"%.*s\" here and \"%.60s\" before",
                             (int)(model.length < SHOWN ? model.length : SHOWN), model.text,
                             (int)(value.length < SHOWN ? value.length : SHOWN), value.text, known);
    if (assay_attribute_set(values, (size_t)index, value.text, value.length) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
    return ASSAY_OK;
}

static assay_status take_row(struct reading *reading, assay_csv_record *record)
{
    assay_name model = { NULL, 0 }, value = { NULL, 0 };
    assay_csv_text field;
    size_t line = record->line, n = 0;

    for (; assay_csv_field(record, &field); n++) {
        if (n == reading->of_model) model = assay_name_of(&field);
        if (n == reading->of_value) value = assay_name_of(&field);
    }
    if (n <= reading->of_model || n <= reading->of_value)
        return assay_fail_at(
            ASSAY_E_FORMAT, reading->path, line, "%zu fields, expected at least %zu", n,
            (reading->of_model > reading->of_value ? reading->of_model : reading->of_value) + 1);
    return keep(reading, line, model, value);
}

static assay_status check_any(const assay_model_column *column, const char *where)
{
    for (size_t m = 0; m < assay_results_n_models(column->results); m++)
        if (assay_model_column_text(column, m)) return ASSAY_OK;
    return assay_fail(ASSAY_E_SHAPE, "\"%.60s\" has a value for none of the models", where);
}

/* ---- getters ---- */

const char *assay_model_column_name(const assay_model_column *column)
{
    return column->name;
}

const char *assay_model_column_text(const assay_model_column *column, size_t model)
{
    const char *text =
        column->covariate >= 0
            ? assay_results_covariate_value(column->results, (size_t)column->covariate, model)
            : assay_attribute_get(&column->values, model);

    return text && *text ? text : NULL;
}

size_t assay_model_column_n_unknown(const assay_model_column *column)
{
    return column->n_unknown;
}

void assay_model_column_free(assay_model_column *column)
{
    if (!column) return;
    assay_attribute_free(&column->values);
    free(column->name);
    free(column);
}
