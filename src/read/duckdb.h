/* SPDX-License-Identifier: Apache-2.0 */
/* What is used of DuckDB's C interface, of a library that is found while the program runs: assay is
   built and works without one. The declarations follow DuckDB 1.2 to 1.5, whose C interface is
   stable. */
#ifndef ASSAY_READ_DUCKDB_H
#define ASSAY_READ_DUCKDB_H

#include "assay/base.h"

typedef struct assay_duckdb_result {
    uint64_t unused[3];
    void *unused_columns;
    char *unused_message;
    void *data;
} assay_duckdb_result;

typedef int assay_duckdb_state; /* 0: it worked */

typedef struct assay_duckdb {
    assay_duckdb_state (*create_config)(void **config);
    assay_duckdb_state (*set_config)(void *config, const char *name, const char *value);
    void (*destroy_config)(void **config);
    assay_duckdb_state (*open_ext)(const char *path, void **database, void *config, char **error);
    void (*close)(void **database);
    assay_duckdb_state (*connect)(void *database, void **connection);
    void (*disconnect)(void **connection);
    assay_duckdb_state (*query)(void *connection, const char *sql, assay_duckdb_result *result);
    assay_duckdb_state (*prepare)(void *connection, const char *sql, void **statement);
    const char *(*prepare_error)(void *statement);
    void (*destroy_prepare)(void **statement);
    assay_duckdb_state (*execute_prepared_streaming)(void *statement, assay_duckdb_result *result);
    const char *(*result_error)(assay_duckdb_result *result);
    void (*destroy_result)(assay_duckdb_result *result);
    uint64_t (*column_count)(assay_duckdb_result *result);
    void *(*fetch_chunk)(assay_duckdb_result result); /* NULL: the end, or an error */
    uint64_t (*data_chunk_get_size)(void *chunk);
    void *(*data_chunk_get_vector)(void *chunk, uint64_t column);
    void (*destroy_data_chunk)(void **chunk);
    void *(*vector_get_data)(void *vector);
    uint64_t *(*vector_get_validity)(void *vector); /* NULL: every row has a value */
    const char *(*library_version)(void);
    void (*free)(void *text);
} assay_duckdb;

/* A text as it lies in a vector: up to 12 bytes stand where the prefix begins. */
typedef struct assay_duckdb_text {
    uint32_t length;
    char prefix[4];
    const char *pointer;
} assay_duckdb_text;
enum { ASSAY_DUCKDB_SHORT = 12 };

/* Find the library: where ASSAY_DUCKDB says, else by the loader's path. It stays loaded, since what it
   starts (threads, what runs at exit) outlives its use. ASSAY_OK; ASSAY_E_FORMAT where there is none,
   or one that lacks a function, saying what to do about the file at path, which is Parquet. */
assay_status assay_duckdb_find(const char *path, assay_duckdb *out);

#endif
