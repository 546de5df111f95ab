/* SPDX-License-Identifier: Apache-2.0 */
/* Which benchmarks a path holds, where each table is one of its own. */
#ifndef ASSAY_BENCHMARKS_H
#define ASSAY_BENCHMARKS_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque; free with assay_benchmarks_free(). */
typedef struct assay_benchmarks assay_benchmarks;

/**
 * The paths to give to assay_read() one by one: of a folder its readable files and its sub-folders,
 * each of which is one benchmark, in the order of their names; else the path itself, which need not
 * be there.
 *
 * Endings are those of assay_read(). What is hidden, and sub-folders that are symbolic links, are
 * passed by.
 *
 * @param path  a file, a folder, or "-"; copied.
 * @param out   the list, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_READ when a folder cannot be read or has nothing to read; ASSAY_E_VALUE
 *         for no path; ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_benchmarks_list(const char *path, assay_benchmarks **out);
ASSAY_API void assay_benchmarks_free(assay_benchmarks *list); /* NULL is fine */

ASSAY_API size_t assay_benchmarks_n(const assay_benchmarks *list);
ASSAY_API const char *assay_benchmarks_path(const assay_benchmarks *list, size_t benchmark);

/* 1 where the path was a folder: its entries may be something else than benchmarks. */
ASSAY_API int assay_benchmarks_is_folder(const assay_benchmarks *list);

/* What a benchmark is called: "boards/swe.csv.gz" is "swe", "boards/mmlu/" is "mmlu", and "-" is
   "standard input"; with the folders above it, as many as are asked for and there are:
   "boards/swe". What is over size bytes with their NUL is cut. Returns out. */
ASSAY_API char *assay_benchmark_name(const char *path, size_t folders, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
