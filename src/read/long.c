/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "read/row.h"
#include "read/selection.h"

#include <stdlib.h>

enum { NO_ROLE = -1 };

typedef struct long_table {
    assay_table *table;
    size_t n;             /* columns */
    signed char *role_of; /* by column */
    assay_row row;        /* the row at hand */
} long_table;

static assay_status take_row(void *state, assay_csv_record *record);
static assay_status note_columns(const long_table *t, const assay_header *header);
static signed char *roles_by_column(const assay_header *header, const assay_columns *columns);
static size_t take_fields(assay_csv_record *record, const signed char *role_of, size_t n,
                          assay_row *row);

assay_status assay_long_read(assay_table *table, assay_csv *csv, const assay_header *header,
                             const assay_columns *columns)
{
    long_table t = { .table = table, .n = header->n };
    assay_status status;

    if (assay_selection_is_asked(table->options))
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "is a long table: --columns and --drop choose among the items of a "
                             "wide one");
    t.role_of = roles_by_column(header, columns);
    if (!t.role_of)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu columns", table->path, header->n);
    t.row.score_column =
        header->names[columns->of[ASSAY_ROLE_SCORE] >= 0 ? columns->of[ASSAY_ROLE_SCORE]
                                                         : columns->of[ASSAY_ROLE_SUCCESSES]];
    status = note_columns(&t, header);
    if (status == ASSAY_OK) status = assay_table_take_records(table, csv, take_row, &t);
    free(t.role_of);
    return status;
}

static assay_status take_row(void *state, assay_csv_record *record)
{
    long_table *t = state;
    size_t fields;

    t->row.line = record->line;
    t->row.decimal_comma = assay_csv_has_decimal_comma(record);
    fields = take_fields(record, t->role_of, t->n, &t->row);
    if (fields != t->n) return assay_table_fail_ragged(t->table, t->row.line, fields, t->n);
    return assay_row_put(t->table, &t->row);
}

static assay_status note_columns(const long_table *t, const assay_header *header)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], ignored[ASSAY_HEADER_LIST_SIZE] = "";
    assay_name of[ASSAY_N_ROLES] = { { NULL, 0 } };

    for (size_t c = 0; c < header->n; c++) {
        if (t->role_of[c] == NO_ROLE && header->names[c].length == 0) continue;
        if (t->role_of[c] == NO_ROLE)
            assay_header_list_add(ignored, header->names[c].text, header->names[c].length);
        else
            of[t->role_of[c]] = header->names[c];
    }
    assay_table_describe(mapping, "long table", of, "columns", ignored);
    return assay_table_note_mapping(t->table, mapping);
}

static signed char *roles_by_column(const assay_header *header, const assay_columns *columns)
{
    signed char *role_of = assay_alloc(header->n, 1);

    if (!role_of) return NULL;
    for (size_t c = 0; c < header->n; c++) role_of[c] = NO_ROLE;
    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (columns->of[r] >= 0) role_of[columns->of[r]] = (signed char)r;
    return role_of;
}

/* Returns how many fields the record has. */
static size_t take_fields(assay_csv_record *record, const signed char *role_of, size_t n,
                          assay_row *row)
{
    assay_csv_text field;
    size_t c = 0;

    for (; assay_csv_field(record, &field); c++) {
        if (c >= n || role_of[c] == NO_ROLE) continue;
        row->field[role_of[c]] = role_of[c] == ASSAY_ROLE_TEXT
                                     ? (assay_name){ field.text, field.length }
                                     : assay_name_of(&field);
    }
    return c;
}
