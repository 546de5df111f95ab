/* SPDX-License-Identifier: Apache-2.0 */
#include "read/parquet.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/duckdb.h"
#include "read/quoted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct assay_parquet {
    const char *path;
    char *file; /* where it lies, from the root on */
    assay_duckdb duckdb;
    void *database, *connection, *statement;
    assay_duckdb_result result;
    int has_result;
    assay_parquet_column *columns;
    size_t n, columns_capacity;

    void *chunk;
    size_t row, n_rows; /* of the chunk */
    size_t n_values;    /* a row */
    assay_name *values; /* the row at hand */
};

static assay_status open_database(assay_parquet *p);
static assay_status fence(assay_parquet *p);
static assay_status find_columns(assay_parquet *p);
static assay_status add_column(assay_parquet *p, const assay_name *values);
static assay_status run(assay_parquet *p, const char *sql);
static void end_query(assay_parquet *p);
static assay_status next_chunk(assay_parquet *p);
static void take_row(assay_parquet *p);
static assay_status add_source(assay_parquet *p, assay_quoted *sql);
static assay_status add_pattern(assay_parquet *p, assay_quoted *sql);
static assay_status add_as_text(assay_quoted *sql, assay_parquet_column column);
static assay_status fail_duckdb(const assay_parquet *p, const char *message);
static assay_status fail_memory(const assay_parquet *p);

assay_status assay_parquet_open(const char *path, const assay_input_stream *input,
                                assay_parquet **out)
{
    assay_parquet *p;
    assay_status status;

    *out = NULL;
    if (!assay_input_is_seekable(input))
        return assay_fail_at(
            ASSAY_E_FORMAT, path, 0,
            "a Parquet file, which is read from its end: give it as a file, and not "
            "packed once more");
    p = assay_alloc_zero(1, sizeof *p);
    if (!p) return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", path);
    p->path = path;
    status = assay_duckdb_find(path, &p->duckdb);
    if (status == ASSAY_OK && !(p->file = realpath(path, NULL)))
        status = errno == ENOMEM
                     ? fail_memory(p)
                     : assay_fail_at(ASSAY_E_READ, path, 0, "cannot be read: %s", strerror(errno));
    if (status == ASSAY_OK) status = open_database(p);
    if (status == ASSAY_OK) status = fence(p);
    if (status == ASSAY_OK) status = find_columns(p);
    if (status != ASSAY_OK) {
        assay_parquet_close(p);
        return status;
    }
    *out = p;
    return ASSAY_OK;
}

void assay_parquet_close(assay_parquet *parquet)
{
    if (!parquet) return;
    end_query(parquet);
    if (parquet->connection) parquet->duckdb.disconnect(&parquet->connection);
    if (parquet->database) parquet->duckdb.close(&parquet->database);
    for (size_t k = 0; k < parquet->n; k++) {
        free(parquet->columns[k].name);
        free(parquet->columns[k].type);
    }
    free(parquet->columns);
    free(parquet->values);
    free(parquet->file);
    free(parquet);
}

/* ---- the database ---- */

static assay_status open_database(assay_parquet *p)
{
    static const char *const settings[][2] = { { "threads", "1" },
                                               { "memory_limit", "1GB" },
                                               { "temp_directory", "" },
                                               { "autoinstall_known_extensions", "false" },
                                               { "autoload_known_extensions", "false" },
                                               { "allow_community_extensions", "false" } };
    const assay_duckdb *d = &p->duckdb;
    void *config = NULL;
    char *error = NULL;
    assay_status status = ASSAY_OK;

    if (d->create_config(&config) != 0) return fail_memory(p);
    for (size_t k = 0; status == ASSAY_OK && k < sizeof settings / sizeof settings[0]; k++)
        if (d->set_config(config, settings[k][0], settings[k][1]) != 0)
            status = fail_duckdb(p, settings[k][0]);
    if (status == ASSAY_OK && d->open_ext(":memory:", &p->database, config, &error) != 0)
        status = fail_duckdb(p, error);
    if (error) d->free(error);
    d->destroy_config(&config);
    if (status == ASSAY_OK && d->connect(p->database, &p->connection) != 0)
        status = fail_duckdb(p, "no connection");
    return status;
}

/* From here on this file may be opened, and nothing else; a pattern is asked for by its own text
   before the file is. */
static assay_status fence(assay_parquet *p)
{
    assay_quoted sql = { 0 };
    assay_duckdb_result result = { 0 };
    assay_status status = assay_quoted_add(&sql, "set allowed_paths = [");

    if (status == ASSAY_OK) status = assay_quoted_add_within(&sql, '\'', p->file, strlen(p->file));
    if (status == ASSAY_OK) status = assay_quoted_add(&sql, ", ");
    if (status == ASSAY_OK) status = add_pattern(p, &sql);
    if (status == ASSAY_OK)
        status = assay_quoted_add(
            &sql, "]; set enable_external_access = false; set lock_configuration = true");
    if (status == ASSAY_OK) {
        if (p->duckdb.query(p->connection, sql.bytes, &result) != 0)
            status =
                assay_fail_at(ASSAY_E_FORMAT, p->path, 0,
                              "a Parquet file, and libduckdb %.40s cannot be held to one file, "
                              "expected 1.2 or later",
                              p->duckdb.library_version());
        p->duckdb.destroy_result(&result);
    }
    free(sql.bytes);
    return status;
}

static assay_status find_columns(assay_parquet *p)
{
    assay_quoted sql = { 0 };
    const assay_name *values;
    assay_status status =
        assay_quoted_add(&sql, "select column_name, column_type from (describe select * from ");

    if (status == ASSAY_OK) status = add_source(p, &sql);
    if (status == ASSAY_OK) status = assay_quoted_add(&sql, ")");
    if (status == ASSAY_OK) status = run(p, sql.bytes);
    free(sql.bytes);
    while (status == ASSAY_OK) {
        status = assay_parquet_next(p, &values);
        if (status != ASSAY_OK || !values) break;
        status = add_column(p, values);
    }
    end_query(p);
    return status;
}

static assay_status add_column(assay_parquet *p, const assay_name *values)
{
    assay_parquet_column *column;

    if (assay_grow(&p->columns, &p->columns_capacity, p->n + 1, sizeof *p->columns) != 0)
        return fail_memory(p);
    column = &p->columns[p->n++];
    column->name = assay_copy_text(values[0].text, values[0].length);
    column->type = assay_copy_text(values[1].text, values[1].length);
    return column->name && column->type ? ASSAY_OK : fail_memory(p);
}

size_t assay_parquet_n_columns(const assay_parquet *parquet)
{
    return parquet->n;
}

assay_parquet_column assay_parquet_column_at(const assay_parquet *parquet, size_t k)
{
    return parquet->columns[k];
}

ptrdiff_t assay_parquet_find(const assay_parquet *parquet, const char *name)
{
    for (size_t k = 0; k < parquet->n; k++)
        if (strcasecmp(parquet->columns[k].name, name) == 0) return (ptrdiff_t)k;
    return -1;
}

int assay_parquet_is_nested(assay_parquet_column column)
{
    static const char *const kinds[] = { "STRUCT(", "MAP(", "UNION(", "VARIANT" };
    const size_t length = strlen(column.type);

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (strncmp(column.type, kinds[k], strlen(kinds[k])) == 0) return 1;
    return length > 0 && column.type[length - 1] == ']'; /* a list, or an array of a fixed size */
}

int assay_parquet_is_number(assay_parquet_column column)
{
    static const char *const types[] = { "BOOLEAN",  "TINYINT",  "SMALLINT",  "INTEGER",  "BIGINT",
                                         "HUGEINT",  "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
                                         "UHUGEINT", "FLOAT",    "DOUBLE" };

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (strcmp(column.type, types[k]) == 0) return 1;
    return strncmp(column.type, "DECIMAL(", 8) == 0;
}

/* ---- queries ---- */

assay_status assay_parquet_select(assay_parquet *parquet, const char *const *parts, size_t n)
{
    const size_t n_parts = parts ? n : parquet->n;
    assay_quoted sql = { 0 };
    assay_status status = assay_quoted_add(&sql, "select ");

    for (size_t k = 0; status == ASSAY_OK && k < n_parts; k++) {
        if (k > 0) status = assay_quoted_add(&sql, ", ");
        if (status != ASSAY_OK) break;
        status = parts ? assay_quoted_add(&sql, parts[k]) : add_as_text(&sql, parquet->columns[k]);
    }
    if (status == ASSAY_OK) status = assay_quoted_add(&sql, " from ");
    if (status == ASSAY_OK) status = add_source(parquet, &sql);
    if (status == ASSAY_OK) status = run(parquet, sql.bytes);
    free(sql.bytes);
    return status;
}

/* Folders called "a=b" are no columns. */
static assay_status add_source(assay_parquet *p, assay_quoted *sql)
{
    assay_status status = assay_quoted_add(sql, "read_parquet(");

    if (status == ASSAY_OK) status = add_pattern(p, sql);
    return status == ASSAY_OK ? assay_quoted_add(sql, ", hive_partitioning = false)") : status;
}

/* What looks like a pattern for several paths is none here. */
static assay_status add_pattern(assay_parquet *p, assay_quoted *sql)
{
    assay_quoted pattern = { 0 };
    assay_status status = ASSAY_OK;

    for (const char *at = p->file; status == ASSAY_OK && *at; at++) {
        const int is_special = strchr("*?[", *at) != NULL;

        if (is_special) status = assay_quoted_add(&pattern, "[");
        if (status == ASSAY_OK) status = assay_quoted_add_bytes(&pattern, at, 1);
        if (status == ASSAY_OK && is_special) status = assay_quoted_add(&pattern, "]");
    }
    if (status == ASSAY_OK)
        status = assay_quoted_add_within(sql, '\'', pattern.bytes, pattern.length);
    free(pattern.bytes);
    return status;
}

static assay_status add_as_text(assay_quoted *sql, assay_parquet_column column)
{
    const int is_nested = assay_parquet_is_nested(column);
    assay_status status = assay_quoted_add(sql, is_nested ? "to_json(" : "");

    if (status == ASSAY_OK)
        status = assay_quoted_add_within(sql, '"', column.name, strlen(column.name));
    return status == ASSAY_OK ? assay_quoted_add(sql, is_nested ? ")::varchar" : "::varchar")
                              : status;
}

static assay_status run(assay_parquet *p, const char *sql)
{
    const assay_duckdb *d = &p->duckdb;

    if (d->prepare(p->connection, sql, &p->statement) != 0)
        return fail_duckdb(p, d->prepare_error(p->statement));
    p->result = (assay_duckdb_result){ 0 };
    p->has_result = 1;
    if (d->execute_prepared_streaming(p->statement, &p->result) != 0)
        return fail_duckdb(p, d->result_error(&p->result));
    p->n_values = (size_t)d->column_count(&p->result);
    free(p->values);
    p->values = assay_alloc_zero(p->n_values, sizeof *p->values);
    return p->values ? ASSAY_OK : fail_memory(p);
}

static void end_query(assay_parquet *p)
{
    if (p->chunk) p->duckdb.destroy_data_chunk(&p->chunk);
    p->chunk = NULL;
    p->row = p->n_rows = 0;
    if (p->has_result) p->duckdb.destroy_result(&p->result);
    p->has_result = 0;
    if (p->statement) p->duckdb.destroy_prepare(&p->statement);
    p->statement = NULL;
}

assay_status assay_parquet_next(assay_parquet *parquet, const assay_name **values)
{
    *values = NULL;
    while (parquet->row == parquet->n_rows) {
        assay_status status = next_chunk(parquet);

        if (status != ASSAY_OK || !parquet->chunk) return status;
    }
    take_row(parquet);
    *values = parquet->values;
    return ASSAY_OK;
}

static assay_status next_chunk(assay_parquet *p)
{
    const assay_duckdb *d = &p->duckdb;
    const char *error;

    if (p->chunk) d->destroy_data_chunk(&p->chunk);
    p->row = p->n_rows = 0;
    p->chunk = d->fetch_chunk(p->result);
    if (p->chunk) {
        p->n_rows = (size_t)d->data_chunk_get_size(p->chunk);
        return ASSAY_OK;
    }
    error = d->result_error(&p->result);
    return error && *error ? fail_duckdb(p, error) : ASSAY_OK;
}

static void take_row(assay_parquet *p)
{
    const assay_duckdb *d = &p->duckdb;
    const size_t row = p->row++;

    for (size_t k = 0; k < p->n_values; k++) {
        void *vector = d->data_chunk_get_vector(p->chunk, k);
        const uint64_t *valid = d->vector_get_validity(vector);
        const assay_duckdb_text *at = (const assay_duckdb_text *)d->vector_get_data(vector) + row;

        if (valid && !(valid[row / 64] >> row % 64 & 1))
            p->values[k] = (assay_name){ NULL, 0 };
        else
            p->values[k] =
                (assay_name){ at->length <= ASSAY_DUCKDB_SHORT ? at->prefix : at->pointer,
                              at->length };
    }
}

/* Its first line is the sentence. */
static assay_status fail_duckdb(const assay_parquet *p, const char *message)
{
    static const char memory[] = "Out of Memory";

    if (!message || !*message) message = "no reason is given";
    if (strncmp(message, memory, sizeof memory - 1) == 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: libduckdb has no memory for it, which may be 1 GB",
                          p->path);
    return assay_fail_at(
        ASSAY_E_FORMAT, p->path, 0, "a Parquet file that libduckdb cannot read: %.*s",
        (int)(strcspn(message, "\n") < 400 ? strcspn(message, "\n") : 400), message);
}

static assay_status fail_memory(const assay_parquet *p)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", p->path);
}
