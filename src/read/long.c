/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "read/row.h"

#include <stdlib.h>

enum { NO_ROLE = -1 };

static assay_status note_columns(assay_table *table, const assay_header *header,
                                 const assay_columns *columns);
static signed char *roles_by_column(const assay_header *header, const assay_columns *columns);
static size_t take_fields(assay_csv_record *record, const signed char *role_of, size_t n,
                          assay_row *row);

assay_status assay_long_read(assay_table *table, assay_csv *csv, const assay_header *header,
                             const assay_columns *columns)
{
    signed char *role_of = NULL;
    assay_row row = { 0 };
    assay_status status;
    size_t rows = 0;

    if (table->options->columns || table->options->drop)
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "is a long table: --columns and --drop choose among the items of a "
                             "wide one");
    role_of = roles_by_column(header, columns);
    if (!role_of)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu columns", table->path, header->n);
    if ((status = note_columns(table, header, columns)) != ASSAY_OK) goto done;
    row.score_column = header->names[columns->of[ASSAY_ROLE_SCORE]];
    for (;; rows++) {
        assay_csv_record record;
        size_t fields;
        int more;

        if ((status = assay_csv_next(csv, &record, &more)) != ASSAY_OK || !more) break;
        row.line = record.line;
        row.decimal_comma = record.delimiter == ';';
        fields = take_fields(&record, role_of, header->n, &row);
        status = fields == header->n ? assay_row_put(table, &row)
                                     : assay_table_fail_ragged(table, row.line, fields, header->n);
        if (status == ASSAY_OK) status = assay_table_step(table);
        if (status != ASSAY_OK) break;
    }
    if (status == ASSAY_OK && rows == 0)
        status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "a header and no rows below it");
done:
    free(role_of);
    return status;
}

static assay_status note_columns(assay_table *table, const assay_header *header,
                                 const assay_columns *columns)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], ignored[ASSAY_HEADER_LIST_SIZE] = "";
    assay_name of[ASSAY_N_ROLES] = { { NULL, 0 } };
    signed char *role_of = roles_by_column(header, columns);

    if (!role_of)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu columns", table->path, header->n);
    for (size_t c = 0; c < header->n; c++) {
        if (role_of[c] == NO_ROLE)
            assay_header_list_add(ignored, header->names[c].text, header->names[c].length);
        else
            of[role_of[c]] = header->names[c];
    }
    free(role_of);
    assay_table_describe(mapping, "long table", of, "columns", ignored);
    return assay_table_note_mapping(table, mapping);
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
                                     : assay_name_trim(field.text, field.length);
    }
    return c;
}
