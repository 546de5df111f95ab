/* SPDX-License-Identifier: Apache-2.0 */
/* A property of the models, such as a date or a size: a column that stood beside their scores, or
   one of another file. */
#ifndef ASSAY_MODEL_COLUMN_H
#define ASSAY_MODEL_COLUMN_H

#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque; free with assay_model_column_free(). */
typedef struct assay_model_column assay_model_column;

/**
 * Find a column by its name among the table's covariates (columns that were dropped), or read it
 * from the file of that name.
 *
 * The file is a CSV or TSV, .gz or .zst too, with a header. Its models are in the column called so
 * by one of the usual names (docs/formats.md), or else in the first; the values in the column
 * called usual, or called like something_usual ("release_date" for "date"), or else in the first of
 * the others. A model that the file has not, or with an empty cell, has no value.
 *
 * @param results  borrowed for as long as the column lives.
 * @param where    a covariate's name, or a path.
 * @param usual    as above; NULL for none.
 * @param out      the column, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_VALUE when it is an item (which has to be dropped first); ASSAY_E_READ
 *         when it is neither covariate nor readable file; ASSAY_E_FORMAT for a malformed file;
 *         ASSAY_E_CONFLICT when a file has two values for a model; ASSAY_E_SHAPE when no model of
 *         the table has a value; ASSAY_E_NOMEM.
 * Cost: O(models + bytes).
 */
ASSAY_API assay_status assay_model_column_find(const assay_results *results, const char *where,
                                               const char *usual, assay_model_column **out);
ASSAY_API void assay_model_column_free(assay_model_column *column); /* NULL is fine */

/* What the column is called. */
ASSAY_API const char *assay_model_column_name(const assay_model_column *column);

/* The text of a model of the table, NULL where there is none; owned by the column or the table. */
ASSAY_API const char *assay_model_column_text(const assay_model_column *column, size_t model);

/* Models of the file that the table has not. */
ASSAY_API size_t assay_model_column_n_unknown(const assay_model_column *column);

#ifdef __cplusplus
}
#endif
#endif
