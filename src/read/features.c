/* SPDX-License-Identifier: Apache-2.0 */
/* Features of templates or items from tables, with ids or without. */
#include "read/features.h"

#include "assay/covariates.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/options.h"
#include "read/columns.h"
#include "read/input.h"

#include <stdlib.h>
#include <string.h>

/* A file while it is read. */
typedef struct reading {
    const char *path;
    assay_features_options options;
    assay_features *to;
    assay_id_places places;
    assay_header header, wanted;       /* the file's, and the columns that are asked for */
    size_t n_fields, *column_of;       /* by field: the feature it is, or NO_FEATURE */
    ptrdiff_t id_field, task_field;    /* or ASSAY_NO_COLUMN */
    size_t n_rows, capacity, *codes;   /* n_rows x d, as they come */
    size_t *lines, lines_capacity;     /* by row */
    assay_names ids;                   /* of the rows, where a field may be one */
    size_t *id_of_row, id_of_capacity; /* by row */
    assay_name *fields;                /* of a record */
} reading;

static const size_t NO_FEATURE = SIZE_MAX;

static assay_status read_table(reading *r, assay_input_stream *input);
static assay_status begin(reading *r, assay_csv_record *record);
static assay_status choose_columns(reading *r, int has_header);
static assay_status take_record(reading *r, assay_csv_record *record);
static assay_status join(reading *r);
static void free_reading(reading *r);

void assay_features_options_init(assay_features_options *options, size_t struct_size)
{
    const assay_features_options defaults = { .struct_size = struct_size };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_features_options_resolve(const assay_features_options *given,
                                            assay_features_options *options)
{
    assay_features_options_init(options, sizeof *options);
    return assay_options_take("features", given, options, sizeof *options);
}

assay_status assay_features_new(const char *path, const char *what, size_t n, assay_features **out)
{
    assay_features *to = assay_alloc_zero(1, sizeof *to);

    *out = to;
    if (to) to->path = assay_copy_text(path, strlen(path));
    if (to) to->what = assay_copy_text(what, strlen(what));
    if (!to || !to->path || !to->what)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for it", path);
    to->n = n;
    return ASSAY_OK;
}

assay_status assay_features_read(const char *path, const char *const *ids, size_t n,
                                 const char *what, const assay_features_options *options,
                                 assay_features **out)
{
    reading r = { .path = path };
    assay_input_stream *input = NULL;
    const char *bytes;
    size_t length;
    int is_array;
    assay_status status;

    *out = NULL;
    if (!path || !*path) return assay_fail(ASSAY_E_VALUE, "features of %ss: no path", what);
    if ((status = assay_features_options_resolve(options, &r.options)) != ASSAY_OK) goto done;
    if ((status = assay_id_places_new(ids, n, what, &r.places)) != ASSAY_OK) goto done;
    if ((status = assay_input_open(path, NULL, &input)) != ASSAY_OK) goto done;
    r.places.path = r.path = assay_input_name(input);
    if ((status = assay_features_new(r.path, what, n, &r.to)) != ASSAY_OK) goto done;
    if ((status = assay_input_peek(input, &bytes, &length)) != ASSAY_OK) goto done;
    is_array = length >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
    if (is_array && r.options.columns)
        status = assay_fail_at(ASSAY_E_VALUE, r.path, 0, "an array has no columns with names");
    else
        status =
            is_array ? assay_features_read_array(r.to, &r.places, input) : read_table(&r, input);
    if (status != ASSAY_OK) goto done;
    *out = r.to;
    r.to = NULL;
done:
    assay_input_close(input);
    free_reading(&r);
    return status;
}

assay_status assay_covariates_read(const char *path, const char *const *ids, size_t n,
                                   const char *what, double **out, size_t *n_columns)
{
    assay_features *features = NULL;
    assay_status status = assay_features_read(path, ids, n, what, NULL, &features);

    *out = NULL;
    *n_columns = 0;
    if (status == ASSAY_OK)
        status = assay_features_covariates(features, ASSAY_FEATURES_AS_IS, 0, out, n_columns);
    assay_features_free(features);
    return status;
}

static void free_reading(reading *r)
{
    assay_features_free(r->to);
    assay_id_places_free(&r->places);
    assay_header_free(&r->header);
    assay_header_free(&r->wanted);
    assay_names_free(&r->ids);
    free(r->column_of);
    free(r->codes);
    free(r->lines);
    free(r->id_of_row);
    free(r->fields);
}

static assay_status no_memory(const reading *r)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its rows", r->path);
}

/* ---- tables ---- */

static assay_status read_table(reading *r, assay_input_stream *input)
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
        status = take_record(r, &record);
    }
    assay_csv_close(csv);
    if (status == ASSAY_OK) status = join(r);
    return status == ASSAY_OK ? assay_features_find_kinds(r->to, r->n_rows, r->codes, r->lines)
                              : status;
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

/* The first record is a header, or the first row. */
static assay_status begin(reading *r, assay_csv_record *record)
{
    int has_header = !is_all_numbers(*record);
    assay_csv_record copy = *record;
    assay_csv_text field;
    assay_status status = assay_header_from_list(&r->wanted, "columns", r->options.columns);

    r->id_field = r->task_field = ASSAY_NO_COLUMN;
    if (status == ASSAY_OK && has_header) {
        status = assay_header_read(&r->header, r->path, record);
        r->n_fields = r->header.n;
    } else {
        while (assay_csv_field(&copy, &field)) r->n_fields++;
    }
    if (status == ASSAY_OK) status = choose_columns(r, has_header);
    if (status == ASSAY_OK && !has_header) status = take_record(r, record);
    return status;
}

/* The column of ids by its name. */
static ptrdiff_t find_id_column(const reading *r)
{
    assay_role role = strcmp(r->places.what, "item") == 0 ? ASSAY_ROLE_ITEM : ASSAY_ROLE_TEMPLATE;
    ptrdiff_t found = ASSAY_NO_COLUMN;
    int best = -1;

    for (size_t c = 0; c < r->header.n; c++) {
        int rank = assay_role_rank(role, r->header.names[c]);

        if (rank < 0 || (best >= 0 && rank >= best)) continue;
        best = rank;
        found = (ptrdiff_t)c;
    }
    return found >= 0 ? found : assay_header_find(&r->header, "id", 2);
}

static assay_status add_column(reading *r, size_t field)
{
    assay_feature_column *column = &r->to->columns[r->to->d];

    r->column_of[field] = r->to->d++;
    if (r->header.n == 0) return ASSAY_OK;
    column->name = assay_copy_text(r->header.names[field].text, r->header.names[field].length);
    return column->name ? ASSAY_OK : no_memory(r);
}

static assay_status choose_columns(reading *r, int has_header)
{
    assay_status status = ASSAY_OK;

    r->column_of = assay_alloc(r->n_fields, sizeof *r->column_of);
    r->fields = assay_alloc(r->n_fields, sizeof *r->fields);
    r->to->columns = assay_alloc_zero(r->n_fields, sizeof *r->to->columns);
    if (!r->column_of || !r->fields || !r->to->columns) return no_memory(r);
    if (has_header) {
        r->id_field = find_id_column(r);
        r->task_field = assay_header_find(&r->header, "task", 4);
    } else if (r->wanted.n > 0) {
        return assay_fail_at(ASSAY_E_VALUE, r->path, 0, "has no header, and so no columns to name");
    }
    for (size_t k = 0; k < r->wanted.n; k++) {
        const assay_name name = r->wanted.names[k];

        if (assay_header_find(&r->header, name.text, name.length) < 0)
            return assay_fail_at(ASSAY_E_VALUE, r->path, 0, "no column \"%.*s\"",
                                 (int)(name.length < 60 ? name.length : 60), name.text);
    }
    for (size_t c = 0; c < r->n_fields && status == ASSAY_OK; c++) {
        const assay_name name = has_header ? r->header.names[c] : (assay_name){ "", 0 };
        int is_feature = (ptrdiff_t)c != r->id_field && (ptrdiff_t)c != r->task_field;

        if (r->wanted.n > 0)
            is_feature = assay_header_find(&r->wanted, name.text, name.length) >= 0;
        r->column_of[c] = NO_FEATURE;
        if (is_feature) status = add_column(r, c);
    }
    if (status == ASSAY_OK && r->to->d == 0)
        status = assay_fail_at(ASSAY_E_FORMAT, r->path, 0,
                               "no column of features, expected one beside the ids");
    return status;
}

/* A row's id, kept until it is known whether the first column holds ids. */
static assay_status keep_id(reading *r, size_t row)
{
    const assay_name id = r->fields[r->id_field >= 0 ? r->id_field : 0];
    size_t index;

    if (assay_names_add(&r->ids, id.text, id.length, &index) != 0 ||
        assay_grow(&r->id_of_row, &r->id_of_capacity, row + 1, sizeof *r->id_of_row) != 0)
        return no_memory(r);
    r->id_of_row[row] = index;
    return ASSAY_OK;
}

static assay_status take_record(reading *r, assay_csv_record *record)
{
    size_t line = record->line, c = 0, d = r->to->d, row = r->n_rows;
    assay_csv_text field;

    for (; assay_csv_field(record, &field); c++)
        if (c < r->n_fields) r->fields[c] = assay_name_of(&field);
    if (c != r->n_fields)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, line, "a row of %zu field%s, expected %zu", c,
                             c == 1 ? "" : "s", r->n_fields);
    if (r->task_field >= 0 && r->options.task &&
        !assay_name_is(r->fields[r->task_field], r->options.task))
        return ASSAY_OK;
    if (assay_grow(&r->codes, &r->capacity, (row + 1) * d, sizeof *r->codes) != 0 ||
        assay_grow(&r->lines, &r->lines_capacity, row + 1, sizeof *r->lines) != 0)
        return no_memory(r);
    for (c = 0; c < r->n_fields; c++) {
        size_t column = r->column_of[c];

        if (column != NO_FEATURE &&
            assay_names_add(&r->to->columns[column].texts, r->fields[c].text, r->fields[c].length,
                            &r->codes[row * d + column]) != 0)
            return no_memory(r);
    }
    r->lines[row] = line;
    r->n_rows++;
    return keep_id(r, row);
}

/* ---- rows to ids ---- */

static int are_numbers(const assay_names *names)
{
    double value;

    for (size_t k = 0; k < names->count; k++)
        if (assay_number_parse(names->text[k], strlen(names->text[k]), &value) != 0) return 0;
    return 1;
}

/* Whether the first column holds ids though its name does not say so: one of them is known. Numbers that
   repeat are a feature's, whatever ids are. */
static void look_for_ids(reading *r)
{
    const int is_chosen = r->wanted.n > 0 && r->column_of[0] != NO_FEATURE;
    size_t k = 0;

    if (r->id_field >= 0 || r->header.n == 0 || is_chosen || r->task_field == 0) return;
    while (k < r->ids.count &&
           assay_id_places_find(&r->places, r->ids.text[k], strlen(r->ids.text[k])) < 0)
        k++;
    if (k < r->ids.count && (r->ids.count == r->n_rows || !are_numbers(&r->ids))) r->id_field = 0;
}

/* Without the first column. */
static void drop_first_column(reading *r)
{
    assay_features *to = r->to;
    size_t d = to->d;

    free(to->columns[0].name);
    assay_names_free(&to->columns[0].texts);
    memmove(to->columns, to->columns + 1, (d - 1) * sizeof *to->columns);
    for (size_t k = 0; k < r->n_rows; k++)
        memmove(r->codes + k * (d - 1), r->codes + k * d + 1, (d - 1) * sizeof *r->codes);
    to->d--;
}

/* The place of a row: its id's, or its own; -1 for a row that nobody asked for. */
static assay_status place_of(reading *r, size_t row, ptrdiff_t *place)
{
    const char *id = r->ids.text[r->id_of_row[row]];

    *place = (ptrdiff_t)row;
    if (r->id_field < 0) return ASSAY_OK;
    *place = assay_id_places_find(&r->places, id, strlen(id));
    return *place < 0 ? ASSAY_OK : assay_id_places_fill(&r->places, (size_t)*place, r->lines[row]);
}

static assay_status join(reading *r)
{
    assay_features *to = r->to;
    assay_status status = ASSAY_OK;

    look_for_ids(r);
    if (r->id_field == 0 && r->column_of[0] == 0) {
        drop_first_column(r);
        if (to->d == 0)
            return assay_fail_at(ASSAY_E_FORMAT, r->path, 0,
                                 "no column of features, expected one beside the ids");
    }
    if (r->id_field < 0 && r->n_rows != r->places.n)
        return assay_id_places_fail_count(&r->places, r->n_rows);
    for (size_t c = 0; c < to->d; c++) {
        to->columns[c].codes = assay_alloc_zero(to->n, sizeof *to->columns[c].codes);
        if (!to->columns[c].codes) return no_memory(r);
    }
    for (size_t row = 0; row < r->n_rows && status == ASSAY_OK; row++) {
        ptrdiff_t place;

        status = place_of(r, row, &place);
        for (size_t c = 0; c < to->d && place >= 0; c++)
            to->columns[c].codes[place] = r->codes[row * to->d + c];
    }
    if (status != ASSAY_OK || r->id_field < 0) return status;
    return assay_id_places_check(&r->places, r->ids.count ? r->ids.text[0] : NULL);
}
