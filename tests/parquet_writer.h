/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet files, which DuckDB writes where it is there. Include it after reading.h. */
#ifndef TESTS_PARQUET_WRITER_H
#define TESTS_PARQUET_WRITER_H

#include "read/duckdb.h"

/* Whether libduckdb is there; tests skip() where it is not. */
static inline int has_duckdb(void)
{
    assay_duckdb duckdb;

    if (assay_duckdb_find("tests", &duckdb) == ASSAY_OK) return 1;
    print_message("no libduckdb (ASSAY_DUCKDB=/path/libduckdb.so)\n");
    return 0;
}

/* Write what a query finds. */
static inline const char *write_parquet(const char *path, const char *query)
{
    assay_duckdb d;
    void *config = NULL, *database = NULL, *connection = NULL;
    assay_duckdb_result result = { 0 };
    char sql[4096];

    assert_in_range(snprintf(sql, sizeof sql, "copy (%s) to '%s' (format parquet)", query, path), 1,
                    sizeof sql - 1);
    assert_int_equal(assay_duckdb_find("tests", &d), ASSAY_OK);
    assert_int_equal(d.create_config(&config), 0);
    assert_int_equal(d.open_ext(":memory:", &database, config, NULL), 0);
    d.destroy_config(&config);
    assert_int_equal(d.connect(database, &connection), 0);
    if (d.query(connection, sql, &result) != 0) fail_msg("%s", d.result_error(&result));
    d.destroy_result(&result);
    d.disconnect(&connection);
    d.close(&database);
    snprintf(written[n_written++], PATH_SIZE, "%s", path);
    return path;
}

#endif
