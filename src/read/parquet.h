/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet files as rows of text, read by libduckdb where there is one. */
#ifndef ASSAY_READ_PARQUET_H
#define ASSAY_READ_PARQUET_H

#include "read/header.h"
#include "read/input.h"

typedef struct assay_parquet assay_parquet; /* opaque */

typedef struct assay_parquet_column {
    char *name, *type; /* the type as DuckDB writes it: "STRUCT(acc BIGINT)", "VARCHAR", ... */
} assay_parquet_column;

/**
 * Open a file and find its columns.
 *
 * The database lives in memory, takes at most 1 GB and one thread, loads no extension, and may open
 * this one file: neither another, nor anything on a network, nor is anything written.
 *
 * @param path  how messages call it.
 * @param out   owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT for what cannot be read in any order (standard input,
 *         compressed as a whole), without libduckdb, with one before 1.2, and for
 *         what is no Parquet; ASSAY_E_NOMEM.
 */
assay_status assay_parquet_open(const char *path, const assay_input_stream *input,
                                assay_parquet **out);
void assay_parquet_close(assay_parquet *parquet); /* NULL is fine */

size_t assay_parquet_n_columns(const assay_parquet *parquet);
assay_parquet_column assay_parquet_column_at(const assay_parquet *parquet, size_t k);

/* The column of that name, whatever its case, or -1. O(columns). */
ptrdiff_t assay_parquet_find(const assay_parquet *parquet, const char *name);

/* Whether its values have others in them, and are shown as JSON; whether they are numbers or true
   and false, of which none holds a comma or a quote. */
int assay_parquet_is_nested(assay_parquet_column column);
int assay_parquet_is_number(assay_parquet_column column);

/* Begin the rows, in the order of the file. parts: n expressions of SQL, each shown as text; NULL for
   every column. To be called once. ASSAY_OK; ASSAY_E_FORMAT; ASSAY_E_NOMEM. */
assay_status assay_parquet_select(assay_parquet *parquet, const char *const *parts, size_t n);

/* The next row: a text by column, a NULL one for NULL; good until the next call. values is NULL when
   none is left. ASSAY_OK; ASSAY_E_FORMAT where a page of the file is damaged; ASSAY_E_NOMEM. */
assay_status assay_parquet_next(assay_parquet *parquet, const assay_name **values);

#endif
