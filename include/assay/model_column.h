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

/* What its values are to be. Part of the ABI: never renumber. */
typedef enum assay_model_column_kind {
    ASSAY_COLUMN_TEXT = 0,
    ASSAY_COLUMN_DATE = 1,  /* assay_date_days() reads them */
    ASSAY_COLUMN_NUMBER = 2 /* finite */
} assay_model_column_kind;

/**
 * Find a column by its name among the table's covariates (columns that were dropped), or read it
 * from the file of that name.
 *
 * The file is a CSV or TSV, .gz or .zst too, with a header. Its models are in the column called so
 * by one of the usual names (docs/formats.md), or else in the first. The values are in the other
 * column of two. Of more it is the one that is named, FILE:COLUMN; of dates the one called "date",
 * or else "something_date" or "something_released", or else "released", "release", "published",
 * "created", "day", "when" or "timestamp"; or else the only one that has nothing but values of the
 * kind. A model that the file has not, or with an empty cell, has no value. Values of a column that
 * needed no choice are not checked.
 *
 * @param results  borrowed for as long as the column lives.
 * @param where    a covariate's name, a path, or a path, a colon and the name of a column.
 * @param kind     of the values, by which they are found.
 * @param out      the column, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_VALUE when it is an item (which has to be dropped first), neither
 *         covariate nor file, or no column of the file; ASSAY_E_READ when the file is not readable;
 *         ASSAY_E_FORMAT for a malformed file, one without a header, and one of which several
 *         columns, or none, could be meant (the sentence names them); ASSAY_E_CONFLICT when a file
 *         has two values for a model; ASSAY_E_SHAPE when no model of the table has a value;
 *         ASSAY_E_NOMEM.
 * Cost: O(models + bytes).
 */
ASSAY_API assay_status assay_model_column_find(const assay_results *results, const char *where,
                                               assay_model_column_kind kind,
                                               assay_model_column **out);
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
