/* SPDX-License-Identifier: Apache-2.0 */
/* What describes templates or items, read from a file: numbers, factors, vectors, or their texts. */
#ifndef ASSAY_FEATURES_H
#define ASSAY_FEATURES_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n rows in the order of the ids that were asked for, and columns of numbers or of text. Opaque and
   unchanging; free with assay_features_free(). */
typedef struct assay_features assay_features;

/* Start from assay_features_options_init(); later versions add fields only at the end. */
typedef struct assay_features_options {
    size_t struct_size;  /* sizeof this struct as the caller was compiled */
    const char *columns; /* only these, names with commas between; NULL: all */
    const char *task;    /* only its rows, where the file has a column "task"; NULL: all */
} assay_features_options;

ASSAY_API void assay_features_options_init(assay_features_options *options, size_t struct_size);

/**
 * Features from a file, in the order of ids.
 *
 * A CSV or TSV file with a header has one feature in every column. Rows are joined by id where a
 * column is called "template" (or another usual name), or "item" for items, or "id"; or where the
 * first column holds one of the ids (and none twice, where it has nothing but numbers). Rows of other
 * ids are passed by. Else, and without a header (where the first row is nothing but numbers), there is
 * a row for each id in their order. A column "task" is no feature. A NumPy array (.npy) is joined by
 * the column id of NAME.ids.csv beside NAME.npy, or in order. Gzip and Zstandard are undone.
 *
 * @param path     a file, or "-" for standard input.
 * @param ids      n of them; NULL entries (ones that were only counted) can have no row by name.
 * @param what     what they are, "template" or "item": for messages, and the names of the id.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT for a ragged row, no feature, and an array with what
 *         is not finite; ASSAY_E_SHAPE for another number of rows, for ids of which none is known,
 *         and for an id without a row, naming it; ASSAY_E_CONFLICT for two rows of one id;
 *         ASSAY_E_VALUE for options not understood, and columns that are not there; ASSAY_E_NOMEM.
 * Cost: O(bytes + n log n).
 */
ASSAY_API assay_status assay_features_read(const char *path, const char *const *ids, size_t n,
                                           const char *what, const assay_features_options *options,
                                           assay_features **out);

/**
 * The surface counts of texts (assay_covariates_surface()) from a file, a text for each of ids.
 *
 * CSV or TSV with the columns template (or another usual name, or id) and text (or prompt, ..), or
 * JSON rows with these keys. Where every text of a CSV file is a JSON string, in quotes of its own,
 * it is read as one. Otherwise as assay_features_read(), by id alone.
 */
ASSAY_API assay_status assay_features_read_texts(const char *path, const char *const *ids, size_t n,
                                                 const char *what,
                                                 const assay_features_options *options,
                                                 assay_features **out);
ASSAY_API void assay_features_free(assay_features *features); /* NULL is fine */

/* How many columns, whether one holds text, and its name (NULL without a header). */
ASSAY_API size_t assay_features_n(const assay_features *features);
ASSAY_API int assay_features_is_text(const assay_features *features, size_t column);
ASSAY_API const char *assay_features_name(const assay_features *features, size_t column);

/* How features count. Part of the ABI: never renumber. */
typedef enum assay_features_rule {
    ASSAY_FEATURES_AUTO = 0,  /* as they are where a table has nothing but numbers, else rotated */
    ASSAY_FEATURES_AS_IS = 1, /* numbers as they are */
    ASSAY_FEATURES_ROTATED = 2, /* text as levels of a factor, then assay_covariates_rotate() */
    ASSAY_FEATURES_LEVELS = 3   /* the same, numbers as levels too */
} assay_features_rule;

/**
 * Features as covariates.
 *
 * @param most  components that are kept at most, of the rotated ones; 0: all, and 25 of an array
 *              by ASSAY_FEATURES_AUTO, as was published.
 * @param out   n x *n_columns, row-major, for free().
 * @return ASSAY_OK; ASSAY_E_FORMAT for a column of text as it is, and one of text and numbers
 *         where numbers are not levels, naming the line; ASSAY_E_VALUE for an unknown rule;
 *         ASSAY_E_DEGENERATE for a column of text with more than 10 levels that are more than half
 *         as many as the rows, which is no factor, and where all rows are the same; ASSAY_E_NOMEM.
 * Cost: O(n d^2 + d^3) for d columns or levels.
 */
ASSAY_API assay_status assay_features_covariates(const assay_features *features,
                                                 assay_features_rule rule, size_t most,
                                                 double **out, size_t *n_columns);

#ifdef __cplusplus
}
#endif
#endif
