/* SPDX-License-Identifier: Apache-2.0 */
/* Covariates of templates or items: CSV with ids or without, and .npy. */
#include "assay/covariates.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "read/csv.h"
#include "read/header.h"
#include "read/input.h"
#include "read/npy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 60 };

/* An id with its place. */
typedef struct id_at {
    const char *id;
    size_t at;
} id_at;

/* A file while it is read. */
typedef struct reading {
    const char *path, *what;
    size_t n, d, n_rows;
    id_at *ids; /* sorted; n_ids of them have a name */
    size_t n_ids;
    unsigned char *filled; /* by place, where rows have ids */
    double *x;
    int by_id;
} reading;

static assay_status sort_ids(reading *r, const char *const *ids);
static assay_status read_array(reading *r, assay_input_stream *input);
static assay_status read_csv(reading *r, assay_input_stream *input);
static assay_status begin(reading *r, assay_csv_record *record);
static int is_all_numbers(assay_csv_record record);
static assay_status take_row(reading *r, assay_csv_record *record);
static assay_status find_place(reading *r, assay_csv_text id, size_t line, ptrdiff_t *place);
static assay_status check_complete(const reading *r, const char *const *ids);

assay_status assay_covariates_read(const char *path, const char *const *ids, size_t n,
                                   const char *what, double **out, size_t *n_columns)
{
    reading r = { .path = path, .what = what, .n = n };
    assay_input_stream *input = NULL;
    const char *bytes;
    size_t length;
    assay_status status;

    *out = NULL;
    *n_columns = 0;
    if (!path || !*path) return assay_fail(ASSAY_E_VALUE, "features of %ss: no path", what);
    if ((status = sort_ids(&r, ids)) != ASSAY_OK) goto done;
    if ((status = assay_input_open(path, NULL, &input)) != ASSAY_OK) goto done;
    r.path = assay_input_name(input);
    if ((status = assay_input_peek(input, &bytes, &length)) != ASSAY_OK) goto done;
    status = length >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0 ? read_array(&r, input)
                                                               : read_csv(&r, input);
    if (status == ASSAY_OK) status = check_complete(&r, ids);
    if (status != ASSAY_OK) goto done;
    *out = r.x;
    *n_columns = r.d;
    r.x = NULL;
done:
    assay_input_close(input);
    free(r.ids);
    free(r.filled);
    free(r.x);
    return status;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const id_at *)a)->id, ((const id_at *)b)->id);
}

static assay_status sort_ids(reading *r, const char *const *ids)
{
    r->ids = assay_alloc(r->n, sizeof *r->ids);
    r->filled = assay_alloc_zero(r->n, 1);
    if (!r->ids || !r->filled) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu ids", r->n);
    for (size_t k = 0; k < r->n; k++)
        if (ids[k]) r->ids[r->n_ids++] = (id_at){ ids[k], k };
    qsort(r->ids, r->n_ids, sizeof *r->ids, compare);
    return ASSAY_OK;
}

static assay_status read_array(reading *r, assay_input_stream *input)
{
    assay_status status =
        assay_npy_read(r->path, assay_input_read, input, &r->x, &r->n_rows, &r->d);

    for (size_t k = 0; status == ASSAY_OK && k < r->n_rows * r->d; k++)
        if (!isfinite(r->x[k]))
            status =
                assay_fail_at(ASSAY_E_FORMAT, r->path, 0,
                              "row %zu holds %g, expected finite numbers", k / r->d + 1, r->x[k]);
    return status;
}

static assay_status read_csv(reading *r, assay_input_stream *input)
{
    assay_csv *csv = NULL;
    assay_csv_record record;
    int more = 0;
    assay_status status = assay_csv_open(r->path, ",;\t", assay_input_read, input, &csv);

    if (status == ASSAY_OK) status = assay_csv_next(csv, &record, &more);
    if (status == ASSAY_OK && !more)
        status = assay_fail_at(ASSAY_E_FORMAT, r->path, 0, "the file is empty");
    if (status == ASSAY_OK) status = begin(r, &record);
    while (status == ASSAY_OK) {
        status = assay_csv_next(csv, &record, &more);
        if (status != ASSAY_OK || !more) break;
        status = take_row(r, &record);
    }
    assay_csv_close(csv);
    return status;
}

/* The first record is a header, or the first row. */
static assay_status begin(reading *r, assay_csv_record *record)
{
    assay_csv_record copy = *record;
    assay_csv_text field;

    r->by_id = !is_all_numbers(copy);
    while (assay_csv_field(&copy, &field)) r->d++;
    r->d -= (size_t)r->by_id;
    if (r->d == 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, record->line,
                             "one column, expected an id and numbers");
    r->x = r->d <= SIZE_MAX / r->n ? assay_alloc_zero(r->n * r->d, sizeof *r->x) : NULL;
    if (!r->x)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu x %zu numbers", r->path, r->n,
                          r->d);
    return r->by_id ? ASSAY_OK : take_row(r, record);
}

/* Without quotes, so that nothing is taken in place. */
static int is_all_numbers(assay_csv_record record)
{
    assay_csv_text field;
    double value;

    if (memchr(record.next, '"', (size_t)(record.end - record.next))) return 0;
    while (assay_csv_field(&record, &field)) {
        assay_name name = assay_name_of(&field);

        if (assay_number_parse(name.text, name.length, &value) != 0) return 0;
    }
    return 1;
}

static assay_status take_row(reading *r, assay_csv_record *record)
{
    size_t line = record->line, c = 0;
    ptrdiff_t place = (ptrdiff_t)r->n_rows;
    assay_csv_text field;
    assay_status status;

    if (r->by_id) {
        if (!assay_csv_field(record, &field)) return ASSAY_OK;
        if ((status = find_place(r, field, line, &place)) != ASSAY_OK) return status;
    }
    r->n_rows++;
    if (place >= (ptrdiff_t)r->n) place = -1; /* too many rows: counted on, and told at the end */
    for (; assay_csv_field(record, &field); c++) {
        assay_name name = assay_name_of(&field);
        double value;

        if (c >= r->d) continue;
        if (assay_number_parse(name.text, name.length, &value) != 0)
            return assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                                 "\"%.*s\" is no number, expected one in column %zu",
                                 (int)(name.length < SHOWN_MAX ? name.length : SHOWN_MAX),
                                 name.text, c + 1 + (size_t)r->by_id);
        if (place >= 0) r->x[(size_t)place * r->d + c] = value;
    }
    return c == r->d ? ASSAY_OK
                     : assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                                     "a row of %zu numbers, expected %zu", c, r->d);
}

/* -1 where nobody asks for the row. */
static assay_status find_place(reading *r, assay_csv_text text, size_t line, ptrdiff_t *place)
{
    assay_name name = assay_name_of(&text);
    char *id = assay_copy_text(name.text, name.length);
    const id_at wanted = { id, 0 };
    const id_at *found;

    *place = -1;
    if (!id) return assay_fail(ASSAY_E_NOMEM, "no memory for an id");
    found = bsearch(&wanted, r->ids, r->n_ids, sizeof *r->ids, compare);
    free(id);
    if (!found) return ASSAY_OK;
    if (r->filled[found->at])
        return assay_fail_at(ASSAY_E_CONFLICT, r->path, line,
                             "a second row of the %s \"%.60s\", expected one", r->what, found->id);
    r->filled[found->at] = 1;
    *place = (ptrdiff_t)found->at;
    return ASSAY_OK;
}

static assay_status check_complete(const reading *r, const char *const *ids)
{
    if (!r->by_id && r->n_rows != r->n)
        return assay_fail_at(ASSAY_E_SHAPE, r->path, 0,
                             "%zu rows without ids, expected one for each of %zu %ss", r->n_rows,
                             r->n, r->what);
    for (size_t k = 0; r->by_id && k < r->n; k++) {
        if (r->filled[k]) continue;
        return assay_fail_at(ASSAY_E_SHAPE, r->path, 0,
                             ids[k] ? "no row for the %s \"%.60s\""
                                    : "rows have ids, but one %s%.0s is only counted and has none",
                             r->what, ids[k] ? ids[k] : "");
    }
    return ASSAY_OK;
}
