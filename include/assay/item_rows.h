/* SPDX-License-Identifier: Apache-2.0 */
/* A wide table whose rows are items, one row at a time: for more items than memory holds. */
#ifndef ASSAY_ITEM_ROWS_H
#define ASSAY_ITEM_ROWS_H

#include "assay/read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A table that is being read. Opaque; close it with assay_item_rows_close(). */
typedef struct assay_item_rows assay_item_rows;

/**
 * Open a table and read how many models it has.
 *
 * CSV or TSV with a header: the first column holds the items' ids, every other column is a model.
 * Ids are not kept, so that an item that comes twice counts twice. Or a NumPy array (.npy) of two
 * dimensions: items x models in C order, or with ASSAY_ROWS_MODELS models x items in Fortran order,
 * which is stored item after item just the same. Gzip and Zstandard are undone as they are met.
 *
 * @param path      a file, or "-" for standard input. Copied.
 * @param rows      ASSAY_ROWS_AUTO takes rows for items, unless a table's first column is called
 *                  like a model's.
 * @param progress  asked now and then; a NULL step for none.
 * @param out       the table, owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT when it is malformed, of another kind or has items
 *         as columns, ASSAY_E_VALUE when rows says so; ASSAY_E_SHAPE with fewer than 2 models;
 *         ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Memory: O(N) for N models, and a buffer that holds the longest row, at least 256 KiB.
 */
ASSAY_API assay_status assay_item_rows_open(const char *path, assay_rows rows,
                                            assay_progress progress, assay_item_rows **out);
ASSAY_API void assay_item_rows_close(assay_item_rows *table); /* NULL is fine */

ASSAY_API size_t assay_item_rows_n_models(const assay_item_rows *table);

/**
 * The next item's scores, one a model, finite or NaN where missing.
 *
 * @param scores  borrowed, valid until the next call; NULL after the last row.
 * @return ASSAY_OK; ASSAY_E_FORMAT with "PATH:LINE: ..." for a row with another number of fields
 *         than the header, a cell that is no score, data that are cut short; ASSAY_E_READ;
 *         ASSAY_E_CANCELLED; ASSAY_E_NOMEM. After a failure the table can only be closed.
 */
ASSAY_API assay_status assay_item_rows_next(assay_item_rows *table, const double **scores);

/* The SHA-256 of the file's bytes on disk in hexadecimal. To be called once, after the last row.
   ASSAY_OK, ASSAY_E_READ, ASSAY_E_NOMEM or ASSAY_E_CANCELLED. */
ASSAY_API assay_status assay_item_rows_sha256(assay_item_rows *table, char hex[65]);

#ifdef __cplusplus
}
#endif
#endif
