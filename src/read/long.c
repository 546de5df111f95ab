/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "read/json_roles.h"
#include "read/row.h"
#include "read/selection.h"
#include "read/text_source.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ROLE = -1, SHOWN_MAX = 60 };

typedef struct long_table {
    assay_table *table;
    size_t n;             /* columns */
    signed char *role_of; /* by column */
    const assay_header *header;
    const assay_columns *columns;
    assay_json_roles within; /* of the values that stand in JSON cells */
    unsigned char *has_json; /* by column */
    assay_row row;           /* the row at hand */
} long_table;

static assay_status take_row(void *state, assay_csv_record *record);
static assay_status note_columns(const long_table *t, const assay_header *header);
static signed char *roles_by_column(const assay_header *header, const assay_columns *columns);
static assay_status take_fields(long_table *t, assay_csv_record *record, size_t *n_fields);
static assay_status take_json(long_table *t, size_t column, const assay_csv_text *field);
static void take_within(long_table *t);
static assay_status check_within(const long_table *t);

assay_status assay_long_read(assay_table *table, assay_csv *csv, const assay_header *header,
                             const assay_columns *columns)
{
    long_table t = { .table = table, .n = header->n, .header = header, .columns = columns };
    assay_status status;

    if (assay_selection_is_asked(table->options))
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "is a long table: --columns and --drop choose among the items of a "
                             "wide one");
    t.role_of = roles_by_column(header, columns);
    t.has_json = assay_alloc_zero(header->n, 1);
    if (!t.role_of || !t.has_json) {
        free(t.role_of);
        free(t.has_json);
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu columns", table->path, header->n);
    }
    t.within.file = table->path;
    assay_json_roles_give(&t.within, table->options);
    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (columns->is_within[r]) t.has_json[columns->of[r]] = 1;
    t.row.score_column =
        header->names[columns->of[ASSAY_ROLE_SCORE] >= 0 ? columns->of[ASSAY_ROLE_SCORE]
                                                         : columns->of[ASSAY_ROLE_SUCCESSES]];
    status = note_columns(&t, header);
    if (status == ASSAY_OK) status = assay_table_take_records(table, csv, take_row, &t);
    if (status == ASSAY_OK) status = check_within(&t);
    assay_json_roles_free(&t.within);
    free(t.has_json);
    free(t.role_of);
    return status;
}

static assay_status take_row(void *state, assay_csv_record *record)
{
    long_table *t = state;
    size_t fields;
    assay_status status;

    t->row.line = record->line;
    t->row.decimal_comma = assay_csv_has_decimal_comma(record);
    assay_json_roles_begin(&t->within, record->line);
    if ((status = take_fields(t, record, &fields)) != ASSAY_OK) return status;
    take_within(t);
    if (fields != t->n) return assay_table_fail_ragged(t->table, t->row.line, fields, t->n);
    return assay_row_put(t->table, &t->row);
}

static assay_status note_columns(const long_table *t, const assay_header *header)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], ignored[ASSAY_HEADER_LIST_SIZE] = "";
    assay_name of[ASSAY_N_ROLES] = { { NULL, 0 } };

    for (size_t c = 0; c < header->n; c++) {
        if (t->role_of[c] == NO_ROLE && (header->names[c].length == 0 || t->has_json[c])) continue;
        if (t->role_of[c] == NO_ROLE)
            assay_header_list_add(ignored, header->names[c].text, header->names[c].length);
        else
            of[t->role_of[c]] = header->names[c];
    }
    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (t->columns->is_within[r])
            of[r] = (assay_name){ t->within.of[r].given, strlen(t->within.of[r].given) };
    assay_table_describe(mapping, "long table", of, "columns", ignored);
    return assay_table_note_mapping(t->table, mapping);
}

static signed char *roles_by_column(const assay_header *header, const assay_columns *columns)
{
    signed char *role_of = assay_alloc(header->n, 1);

    if (!role_of) return NULL;
    for (size_t c = 0; c < header->n; c++) role_of[c] = NO_ROLE;
    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (columns->of[r] >= 0 && !columns->is_within[r]) role_of[columns->of[r]] = (signed char)r;
    return role_of;
}

static assay_status take_fields(long_table *t, assay_csv_record *record, size_t *n_fields)
{
    assay_csv_text field;
    size_t c = 0;

    for (; assay_csv_field(record, &field); c++) {
        assay_status status = ASSAY_OK;

        if (c < t->n && t->has_json[c]) status = take_json(t, c, &field);
        if (status != ASSAY_OK) return status;
        if (c >= t->n || t->role_of[c] == NO_ROLE) continue;
        t->row.field[t->role_of[c]] = t->role_of[c] == ASSAY_ROLE_TEXT
                                          ? (assay_name){ field.text, field.length }
                                          : assay_name_of(&field);
    }
    *n_fields = c;
    return ASSAY_OK;
}

/* A blank cell holds nothing. */
static assay_status take_json(long_table *t, size_t column, const assay_csv_text *field)
{
    const assay_name *name = &t->header->names[column];
    assay_text_source source = { field->text, field->length };
    assay_status status;

    if (assay_name_of(field).length == 0) return ASSAY_OK;
    status = assay_json_buffer_set(&t->within.path, 0, name->text, name->length);
    if (status == ASSAY_OK)
        status =
            assay_json_open(t->table->path, assay_text_source_read, &source, &t->within.reader);
    if (status == ASSAY_OK) status = assay_json_roles_descend(&t->within);
    if (status == ASSAY_E_FORMAT && source.left == 0 && assay_json_is_cut(t->within.reader))
        status =
            assay_fail_at(ASSAY_E_FORMAT, t->table->path, t->row.line,
                          "the JSON in column \"%.*s\" ends too early",
                          (int)(name->length < SHOWN_MAX ? name->length : SHOWN_MAX), name->text);
    else if (status == ASSAY_E_FORMAT && !strstr(assay_last_error(), "expected once"))
        status =
            assay_fail_at(ASSAY_E_FORMAT, t->table->path, t->row.line,
                          "column \"%.*s\" has \"%.*s%s\", expected JSON",
                          (int)(name->length < SHOWN_MAX ? name->length : SHOWN_MAX), name->text,
                          (int)(field->length < SHOWN_MAX ? field->length : SHOWN_MAX), field->text,
                          field->length > SHOWN_MAX ? "..." : "");
    assay_json_close(t->within.reader);
    t->within.reader = NULL;
    return status;
}

static void take_within(long_table *t)
{
    for (int r = 0; r < ASSAY_N_ROLES; r++) {
        const assay_json_role *of = &t->within.of[r];

        if (!t->columns->is_within[r]) continue;
        t->row.field[r] =
            of->present ? (assay_name){ of->value.text, of->value.length } : (assay_name){ "", 0 };
    }
}

static assay_status check_within(const long_table *t)
{
    char list[ASSAY_HEADER_LIST_SIZE];

    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (t->columns->is_within[r] && !t->within.of[r].ever)
            return assay_fail_at(ASSAY_E_VALUE, t->table->path, 0,
                                 "no column and no key \"%.60s\" (%s); there are: %s",
                                 t->within.of[r].given, assay_role_option((assay_role)r),
                                 assay_header_list(t->header, list));
    return ASSAY_OK;
}
