/* SPDX-License-Identifier: Apache-2.0 */
#include "read/fields.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

typedef struct fields {
    const char *path; /* how messages call it */
    const assay_wanted *wanted;
    size_t n, n_columns;
    ptrdiff_t of[ASSAY_FIELDS_MAX]; /* the column of each, or ASSAY_NO_COLUMN */
    assay_take_fields take;
    void *user;
} fields;

static assay_status read_rows(fields *f, assay_csv *csv, int headless);
static assay_status refuse_json(const fields *f, assay_input_stream *input);
static assay_status find_columns(fields *f, const assay_header *header, size_t line, int headless,
                                 int *is_header);
static ptrdiff_t find_column(const assay_header *header, const assay_wanted *wanted);
static assay_status take_first(fields *f, const assay_header *header, size_t line);
static assay_status take_record(fields *f, assay_csv_record *record);

assay_status assay_fields_read(const char *path, const assay_wanted *wanted, size_t n, int headless,
                               assay_take_fields take, void *user)
{
    assay_input_stream *input = NULL;
    assay_status status = assay_input_open(path, NULL, &input);

    if (status == ASSAY_OK)
        status = assay_fields_read_input(input, wanted, n, headless, take, user);
    assay_input_close(input);
    return status;
}

assay_status assay_fields_read_input(assay_input_stream *input, const assay_wanted *wanted,
                                     size_t n, int headless, assay_take_fields take, void *user)
{
    fields f = {
        .path = assay_input_name(input), .wanted = wanted, .n = n, .take = take, .user = user
    };
    assay_csv *csv = NULL;
    assay_status status = refuse_json(&f, input);

    if (status == ASSAY_OK) status = assay_csv_open(f.path, ",\t;", assay_input_read, input, &csv);
    if (status == ASSAY_OK) status = read_rows(&f, csv, headless);
    assay_csv_close(csv);
    return status;
}

static assay_status refuse_json(const fields *f, assay_input_stream *input)
{
    const char *bytes;
    size_t length;
    assay_status status = assay_input_peek(input, &bytes, &length);

    if (status == ASSAY_OK && length > 0 && (*bytes == '{' || *bytes == '['))
        return assay_fail_at(ASSAY_E_FORMAT, f->path, 0, "is JSON, expected CSV or TSV");
    return status;
}

static assay_status read_rows(fields *f, assay_csv *csv, int headless)
{
    assay_header header = { 0 };
    assay_csv_record record;
    int more = 0, is_header = 1;
    size_t line;
    assay_status status = assay_csv_next(csv, &record, &more);

    if (status == ASSAY_OK && !more) status = assay_fail_at(ASSAY_E_FORMAT, f->path, 0, "is empty");
    if (status != ASSAY_OK) return status;
    line = record.line;
    status = assay_header_read(&header, f->path, &record);
    if (status == ASSAY_OK) status = find_columns(f, &header, line, headless, &is_header);
    if (status == ASSAY_OK && !is_header) status = take_first(f, &header, line);
    assay_header_free(&header);
    while (status == ASSAY_OK && more) {
        status = assay_csv_next(csv, &record, &more);
        if (status == ASSAY_OK && more) status = take_record(f, &record);
    }
    return status;
}

static assay_status find_columns(fields *f, const assay_header *header, size_t line, int headless,
                                 int *is_header)
{
    char list[ASSAY_HEADER_LIST_SIZE];
    ptrdiff_t missing = -1;
    size_t n_found = 0;

    f->n_columns = header->n;
    for (size_t k = 0; k < f->n; k++) {
        f->of[k] = find_column(header, &f->wanted[k]);
        n_found += f->of[k] >= 0;
        if (f->of[k] < 0 && !f->wanted[k].optional && missing < 0) missing = (ptrdiff_t)k;
    }
    *is_header = !headless || n_found > 0;
    if (!*is_header) {
        f->of[0] = 0;
        missing = -1;
    }
    if (missing < 0) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, f->path, line, "no column \"%s\", expected one beside: %s",
                         f->wanted[missing].name ? f->wanted[missing].name
                                                 : assay_role_name(f->wanted[missing].role),
                         assay_header_list(header, list));
}

/* Its own name first, then the most usual one. */
static ptrdiff_t find_column(const assay_header *header, const assay_wanted *wanted)
{
    ptrdiff_t found = ASSAY_NO_COLUMN;
    int best = -1;

    if (wanted->name) found = assay_header_find(header, wanted->name, strlen(wanted->name));
    if (found >= 0 || wanted->role == ASSAY_N_ROLES) return found;
    for (size_t c = 0; c < header->n; c++) {
        int rank = assay_role_rank(wanted->role, header->names[c]);

        if (rank < 0 || (best >= 0 && rank >= best)) continue;
        best = rank;
        found = (ptrdiff_t)c;
    }
    return found;
}

/* What looked like a header is a row. */
static assay_status take_first(fields *f, const assay_header *header, size_t line)
{
    assay_name row[ASSAY_FIELDS_MAX] = { { NULL, 0 } };

    row[0] = header->names[0];
    return f->take(f->user, line, row);
}

static assay_status take_record(fields *f, assay_csv_record *record)
{
    assay_name row[ASSAY_FIELDS_MAX] = { { NULL, 0 } };
    assay_csv_text field;
    size_t c = 0;

    for (; assay_csv_field(record, &field); c++)
        for (size_t k = 0; k < f->n; k++)
            if (f->of[k] == (ptrdiff_t)c) row[k] = assay_name_of(&field);
    if (c != f->n_columns)
        return assay_fail_at(ASSAY_E_FORMAT, f->path, record->line,
                             "%zu field%s, expected %zu as in the first row", c, c == 1 ? "" : "s",
                             f->n_columns);
    return f->take(f->user, record->line, row);
}
