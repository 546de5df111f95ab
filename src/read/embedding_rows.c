/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as JSON objects, and as the records of a table. */
#include "core/error.h"
#include "core/number.h"
#include "read/columns.h"
#include "read/csv.h"
#include "read/embeddings.h"
#include "read/json.h"

#include <string.h>

static assay_status read_values(assay_embeddings *e, assay_json_reader *reader);
static assay_status read_members(assay_embeddings *e, assay_json_reader *reader, size_t line);
static assay_status read_id(assay_embeddings *e, assay_json_reader *reader, size_t line);
static assay_status read_vector(assay_embeddings *e, assay_json_reader *reader, size_t line);
static int is_vector_key(const char *text, size_t length);
static assay_status read_records(assay_embeddings *e, assay_csv *csv);
static assay_status read_first(assay_embeddings *e, assay_csv_record *record, int *has_id);
static assay_status read_record(assay_embeddings *e, assay_csv_record *record, int has_id);
static int number_of(const assay_csv_text *field, double *value);

assay_status assay_embeddings_read_json(assay_embeddings *e, assay_input_stream *input)
{
    assay_json_reader *reader = NULL;
    assay_status status = assay_json_open(e->path, assay_input_read, input, &reader);

    if (status == ASSAY_OK) status = read_values(e, reader);
    assay_json_close(reader);
    return status;
}

static assay_status read_values(assay_embeddings *e, assay_json_reader *reader)
{
    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length, line;
        double number;
        assay_status status = assay_json_next(reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_END) return status;
        line = assay_json_line(reader);
        if (event == ASSAY_JSON_ARRAY_END) continue;
        if (event == ASSAY_JSON_ARRAY && assay_json_depth(reader) <= 1) continue;
        if (event != ASSAY_JSON_OBJECT)
            return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                                 "a JSON value that is not an object, expected an object with "
                                 "\"id\" and \"embedding\" or \"vector\" a row");
        assay_embeddings_begin(e);
        if ((status = read_members(e, reader, line)) != ASSAY_OK) return status;
        if ((status = assay_embeddings_put(e, line)) != ASSAY_OK) return status;
    }
}

static assay_status read_members(assay_embeddings *e, assay_json_reader *reader, size_t line)
{
    int has_vector = 0;

    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        assay_status status = assay_json_next(reader, &event, &text, &length, &number);

        if (status != ASSAY_OK) return status;
        if (event == ASSAY_JSON_OBJECT_END) break;
        if (is_vector_key(text, length)) {
            if (has_vector++)
                return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                                     "a row with two vectors, expected one");
            status = read_vector(e, reader, line);
        } else if (assay_role_rank(ASSAY_ROLE_ITEM, (assay_name){ text, length }) >= 0) {
            status = read_id(e, reader, line);
        } else {
            status = assay_json_skip(reader);
        }
        if (status != ASSAY_OK) return status;
    }
    if (has_vector) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                         "a row without a vector, expected a key \"embedding\" or \"vector\"");
}

static int is_vector_key(const char *text, size_t length)
{
    const assay_name key = { text, length };

    return assay_name_is(key, "embedding") || assay_name_is(key, "vector");
}

static assay_status read_id(assay_embeddings *e, assay_json_reader *reader, size_t line)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(reader, &event, &text, &length, &number);

    if (status != ASSAY_OK) return status;
    if (e->has_id)
        return assay_fail_at(ASSAY_E_FORMAT, e->path, line, "a row with two ids, expected one");
    if (event != ASSAY_JSON_STRING && event != ASSAY_JSON_NUMBER)
        return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                             "an id that is neither text nor a number, expected one of them");
    return assay_embeddings_set_id(e, text, length);
}

static assay_status read_vector(assay_embeddings *e, assay_json_reader *reader, size_t line)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(reader, &event, &text, &length, &number);

    if (status != ASSAY_OK) return status;
    if (event != ASSAY_JSON_ARRAY)
        return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                             "a vector that is not an array, expected an array of numbers");
    for (;;) {
        status = assay_json_next(reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_ARRAY_END) return status;
        if (event != ASSAY_JSON_NUMBER)
            return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                                 "a vector that holds something else, expected an array of "
                                 "numbers");
        if ((status = assay_embeddings_add_value(e, number)) != ASSAY_OK) return status;
    }
}

assay_status assay_embeddings_read_csv(assay_embeddings *e, assay_input_stream *input)
{
    assay_csv *csv = NULL;
    assay_status status = assay_csv_open(e->path, ",\t;", assay_input_read, input, &csv);

    if (status == ASSAY_OK) status = read_records(e, csv);
    assay_csv_close(csv);
    return status;
}

static assay_status read_records(assay_embeddings *e, assay_csv *csv)
{
    enum { UNKNOWN = -1 };
    assay_csv_record record;
    int more, has_id = UNKNOWN;
    assay_status status = assay_csv_next(csv, &record, &more);

    if (status == ASSAY_OK && more) status = read_first(e, &record, &has_id);
    while (status == ASSAY_OK && more) {
        status = assay_csv_next(csv, &record, &more);
        if (status == ASSAY_OK && more) status = read_record(e, &record, has_id);
    }
    return status;
}

/* A first record with something other than a number after its first field, or with nothing but one
   text, is a header; otherwise it is a vector, with an id when its first field is no number. Below a
   header the first column holds ids when it is called so. */
static int is_ids_column(const assay_csv_text *field)
{
    static const char name[] = ASSAY_IDS_LONG;
    const assay_name text = assay_name_of(field);

    return text.length == sizeof name - 1 && memcmp(text.text, name, text.length) == 0;
}

static assay_status read_first(assay_embeddings *e, assay_csv_record *record, int *has_id)
{
    assay_csv_text field, first = { 0 };
    int is_header = 0;
    size_t n = 0;

    *has_id = 0;
    assay_embeddings_begin(e);
    for (; assay_csv_field(record, &field); n++) {
        double value = 0;
        const int is_number = number_of(&field, &value);
        assay_status status = ASSAY_OK;

        if (n == 0) first = field;
        if (!is_number && is_ids_column(&field))
            return assay_fail_at(ASSAY_E_FORMAT, e->path, record->line,
                                 "is a file of ids, expected the vectors beside it (.npy)");
        if (n == 0 && !is_number)
            *has_id = 1;
        else if (!is_number)
            is_header = 1;
        else
            status = assay_embeddings_add_value(e, value);
        if (status != ASSAY_OK) return status;
    }
    if (is_header || (n == 1 && *has_id)) {
        const assay_name name = assay_name_of(&first);

        if (name.length == 0)
            return assay_fail_at(ASSAY_E_FORMAT, e->path, record->line,
                                 "the first column has no name, expected \"id\" or the name of a "
                                 "column of numbers");
        *has_id = assay_role_rank(ASSAY_ROLE_ITEM, name) >= 0;
        return ASSAY_OK;
    }
    if (*has_id) {
        const assay_name id = assay_name_of(&first);
        assay_status status = assay_embeddings_set_id(e, id.text, id.length);

        if (status != ASSAY_OK) return status;
    }
    return assay_embeddings_put(e, record->line);
}

static assay_status read_record(assay_embeddings *e, assay_csv_record *record, int has_id)
{
    assay_csv_text field;

    assay_embeddings_begin(e);
    for (size_t c = 0; assay_csv_field(record, &field); c++) {
        const assay_name name = assay_name_of(&field);
        double value;
        assay_status status;

        if (c == 0 && has_id)
            status = assay_embeddings_set_id(e, name.text, name.length);
        else if (number_of(&field, &value))
            status = assay_embeddings_add_value(e, value);
        else
            status = assay_fail_at(ASSAY_E_FORMAT, e->path, record->line,
                                   "column %zu has \"%.*s\", expected a number", c + 1,
                                   (int)(name.length < 60 ? name.length : 60), name.text);
        if (status != ASSAY_OK) return status;
    }
    return assay_embeddings_put(e, record->line);
}

static int number_of(const assay_csv_text *field, double *value)
{
    const assay_name name = assay_name_of(field);

    return assay_number_parse(name.text, name.length, value) == 0;
}
