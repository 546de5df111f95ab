/* SPDX-License-Identifier: Apache-2.0 */
#include "read/item_rows.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/columns.h"
#include "read/kinds.h"
#include "read/score_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STEP_BYTES = 4 * 1024 * 1024 };

static assay_status open_table(assay_item_rows *table, assay_rows rows);
static assay_status open_delimited(assay_item_rows *table, assay_rows rows);
static assay_status check_rows(const assay_item_rows *table, assay_rows rows);
static assay_status step(assay_item_rows *table);
static assay_status take_fields(assay_item_rows *table, assay_csv_record *record);
static assay_status take_score(assay_item_rows *table, size_t column, const assay_csv_text *field,
                               const assay_csv_record *record);

assay_status assay_item_rows_open(const char *path, assay_rows rows, assay_progress progress,
                                  assay_item_rows **out)
{
    assay_item_rows *table;
    assay_status status;

    *out = NULL;
    if (!path || !*path) return assay_fail(ASSAY_E_VALUE, "item rows: no path");
    table = assay_alloc_zero(1, sizeof *table);
    if (!table) return assay_fail(ASSAY_E_NOMEM, "no memory to read %s", path);
    table->progress = progress;
    status = assay_input_open(path, &table->progress, &table->input);
    if (status == ASSAY_OK) status = open_table(table, rows);
    if (status == ASSAY_OK && table->n_models < 2)
        status = assay_fail_at(ASSAY_E_SHAPE, table->path, 0, "%zu model%s, expected 2 or more",
                               table->n_models, table->n_models == 1 ? "" : "s");
    if (status == ASSAY_OK) {
        table->scores = assay_alloc(table->n_models, sizeof *table->scores);
        if (!table->scores)
            status = assay_fail(ASSAY_E_NOMEM, "%s: no memory for a row of %zu scores", table->path,
                                table->n_models);
    }
    if (status != ASSAY_OK) {
        assay_item_rows_close(table);
        return status;
    }
    *out = table;
    return ASSAY_OK;
}

void assay_item_rows_close(assay_item_rows *table)
{
    if (!table) return;
    assay_csv_close(table->csv);
    assay_header_free(&table->header);
    assay_input_close(table->input);
    free(table->scores);
    free(table->bytes);
    free(table);
}

size_t assay_item_rows_n_models(const assay_item_rows *table)
{
    return table->n_models;
}

assay_status assay_item_rows_next(assay_item_rows *table, const double **scores)
{
    assay_csv_record record;
    int more;
    assay_status status = step(table);

    *scores = NULL;
    if (status != ASSAY_OK) return status;
    if (!table->csv) return assay_item_rows_next_in_array(table, scores);
    if ((status = assay_csv_next(table->csv, &record, &more)) != ASSAY_OK || !more) return status;
    if ((status = take_fields(table, &record)) != ASSAY_OK) return status;
    *scores = table->scores;
    return ASSAY_OK;
}

assay_status assay_item_rows_sha256(assay_item_rows *table, char hex[65])
{
    return assay_input_sha256(table->input, hex);
}

static assay_status step(assay_item_rows *table)
{
    const assay_progress *progress = &table->progress;
    uint64_t taken = assay_input_taken(table->input);

    if (taken - table->reported < STEP_BYTES) return ASSAY_OK;
    table->reported = taken;
    if (progress->step &&
        progress->step(progress->user, "reading", assay_input_fraction(table->input)) != 0)
        return assay_fail_at(ASSAY_E_CANCELLED, table->path, 0, "reading was cancelled");
    return ASSAY_OK;
}

static assay_status open_table(assay_item_rows *table, assay_rows rows)
{
    const char *bytes;
    size_t length;
    assay_status status;

    table->path = assay_input_name(table->input);
    if ((int)rows < ASSAY_ROWS_AUTO || (int)rows > ASSAY_ROWS_ITEMS)
        return assay_fail(ASSAY_E_VALUE, "item rows: rows is %d, expected 0 to 2", (int)rows);
    status = assay_input_peek(table->input, &bytes, &length);
    if (status != ASSAY_OK) return status;
    if (length >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0)
        return assay_item_rows_open_array(table, rows);
    if ((status = assay_kinds_refuse_other(table->path, bytes, length)) != ASSAY_OK) return status;
    if (assay_kinds_is_json(bytes, length))
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "is JSON, expected a wide CSV or TSV, or a NumPy array");
    return open_delimited(table, rows);
}

/* ---- CSV and TSV ---- */

static assay_status open_delimited(assay_item_rows *table, assay_rows rows)
{
    assay_csv_record record;
    int more = 0;
    assay_status status =
        assay_csv_open(table->path, ",\t;", assay_input_read, table->input, &table->csv);

    if (status == ASSAY_OK) status = assay_csv_next(table->csv, &record, &more);
    if (status == ASSAY_OK && !more)
        status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "the file is empty");
    if (status == ASSAY_OK) status = assay_header_read(&table->header, table->path, &record);
    if (status == ASSAY_OK) status = check_rows(table, rows);
    if (status != ASSAY_OK) return status;
    table->n_models = assay_header_n_named(&table->header);
    if (table->n_models > 0) table->n_models--; /* the items' ids */
    return ASSAY_OK;
}

/* Items as columns are no stream of items; what looks like them is not taken for rows unasked. */
static assay_status check_rows(const assay_item_rows *table, assay_rows rows)
{
    const assay_name *names = table->header.names;
    int is_model = assay_role_rank(ASSAY_ROLE_MODEL, names[0]) >= 0 ||
                   (names[0].length >= 5 && strncasecmp(names[0].text, "model", 5) == 0);
    int has_item = 0, has_score = 0;

    for (size_t c = 0; rows == ASSAY_ROWS_AUTO && c < table->header.n; c++) {
        has_item |= assay_role_rank(ASSAY_ROLE_ITEM, names[c]) >= 0;
        has_score |= assay_role_rank(ASSAY_ROLE_SCORE, names[c]) >= 0;
    }
    if (has_item && has_score)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 1,
                             "columns for the item and its score, expected a row an item and a "
                             "column a model; if that is what it is, say so with --rows items");
    if (rows == ASSAY_ROWS_MODELS || (rows == ASSAY_ROWS_AUTO && is_model))
        return assay_fail_at(
            rows == ASSAY_ROWS_MODELS ? ASSAY_E_VALUE : ASSAY_E_FORMAT, table->path, 1,
            "rows are models, expected a row an item, since a stream takes one "
            "item after the other: transpose the table; if its rows are items, say "
            "so with --rows items");
    return ASSAY_OK;
}

static assay_status take_fields(assay_item_rows *table, assay_csv_record *record)
{
    size_t n_named = table->n_models + 1, n_columns = table->header.n, c = 0;
    assay_csv_text field;

    for (; assay_csv_field(record, &field); c++) {
        assay_status status = ASSAY_OK;

        if (c == 0 || c >= n_columns) continue;
        if (c < n_named && field.length == 1 && (field.text[0] & 0xfe) == '0')
            table->scores[c - 1] = field.text[0] - '0';
        else if (c < n_named)
            status = take_score(table, c, &field, record);
        else if (assay_name_of(&field).length > 0)
            status = assay_fail_at(ASSAY_E_FORMAT, table->path, record->line,
                                   "column %zu has no name, expected nothing in it", c + 1);
        if (status != ASSAY_OK) return status;
    }
    if (c == n_columns) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, table->path, record->line, "%zu field%s, expected %zu", c,
                         c == 1 ? "" : "s", n_columns);
}

static assay_status take_score(assay_item_rows *table, size_t column, const assay_csv_text *field,
                               const assay_csv_record *record)
{
    assay_name name = table->header.names[column];
    int state =
        assay_score_text_parse(field->text, field->length, assay_csv_has_decimal_comma(record),
                               &table->scores[column - 1]);

    if (state == ASSAY_SCORED || state == ASSAY_MISSING) return ASSAY_OK;
    return assay_score_text_fail(table->path, record->line, name.text, name.length, field->text,
                                 field->length);
}
