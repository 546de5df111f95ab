/* SPDX-License-Identifier: Apache-2.0 */
#include "read/duckdb.h"

#include "core/error.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define OWN "ASSAY_DUCKDB"
#define CONVERT                                                         \
    "or write the file as CSV: duckdb -c \"copy (from 'x.parquet') to " \
    "'x.csv'\""

static void *open_library(void);
static assay_status fail_library(const char *path);

assay_status assay_duckdb_find(const char *path, assay_duckdb *out)
{
    const struct symbol {
        const char *name;
        void *to; /* the pointer to the function */
    } symbols[] = {
        { "duckdb_create_config", &out->create_config },
        { "duckdb_set_config", &out->set_config },
        { "duckdb_destroy_config", &out->destroy_config },
        { "duckdb_open_ext", &out->open_ext },
        { "duckdb_close", &out->close },
        { "duckdb_connect", &out->connect },
        { "duckdb_disconnect", &out->disconnect },
        { "duckdb_query", &out->query },
        { "duckdb_prepare", &out->prepare },
        { "duckdb_prepare_error", &out->prepare_error },
        { "duckdb_destroy_prepare", &out->destroy_prepare },
        { "duckdb_execute_prepared_streaming", &out->execute_prepared_streaming },
        { "duckdb_result_error", &out->result_error },
        { "duckdb_destroy_result", &out->destroy_result },
        { "duckdb_column_count", &out->column_count },
        { "duckdb_fetch_chunk", &out->fetch_chunk },
        { "duckdb_data_chunk_get_size", &out->data_chunk_get_size },
        { "duckdb_data_chunk_get_vector", &out->data_chunk_get_vector },
        { "duckdb_destroy_data_chunk", &out->destroy_data_chunk },
        { "duckdb_vector_get_data", &out->vector_get_data },
        { "duckdb_vector_get_validity", &out->vector_get_validity },
        { "duckdb_library_version", &out->library_version },
        { "duckdb_free", &out->free },
    };
    void *library = open_library();

    if (!library) return fail_library(path);
    for (size_t k = 0; k < sizeof symbols / sizeof symbols[0]; k++) {
        void *found = dlsym(library, symbols[k].name);

        if (!found)
            return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                                 "a Parquet file, and the library that is there for it has no "
                                 "%s, expected libduckdb 1.2 or later; give another by " OWN
                                 "=/path/libduckdb.so, " CONVERT,
                                 symbols[k].name);
        memcpy(symbols[k].to, &found, sizeof found);
    }
    return ASSAY_OK;
}

static void *open_library(void)
{
    static const char *const usual[] = { "libduckdb.so", "libduckdb.dylib" };
    const char *own = getenv(OWN);
    void *library = NULL;

    if (own && *own) return dlopen(own, RTLD_NOW | RTLD_LOCAL);
    for (size_t k = 0; !library && k < sizeof usual / sizeof usual[0]; k++)
        library = dlopen(usual[k], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static assay_status fail_library(const char *path)
{
    const char *own = getenv(OWN);

    if (own && *own)
        return assay_fail_at(
            ASSAY_E_FORMAT, path, 0,
            "a Parquet file, and \"%.200s\" (" OWN
            ") is no library that loads, expected libduckdb.so; give another, " CONVERT,
            own);
    return assay_fail_at(
        ASSAY_E_FORMAT, path, 0,
        "a Parquet file, which takes libduckdb to read, and none is there: name it "
        "by " OWN "=/path/libduckdb.so, " CONVERT);
}
