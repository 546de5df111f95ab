/* SPDX-License-Identifier: Apache-2.0 */
/* The models x items matrix of scores that signals and comparison work on. */
#ifndef ASSAY_MATRIX_H
#define ASSAY_MATRIX_H

#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque and unchanging; free with assay_matrix_free(). */
typedef struct assay_matrix assay_matrix;

/**
 * The matrix of a results table: a cell is the mean of the scores of one model on one item, over
 * templates and runs. Runs never become items.
 *
 * Where every cell is 0 or 1 (or missing) the matrix is two bit planes, values and which cells are
 * observed; otherwise it is doubles. Models and items without any score are left out; how many
 * there were can be asked.
 *
 * @param results  borrowed for the call; the matrix keeps copies of the names.
 * @param out      the matrix, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE when no cell has a score; ASSAY_E_NOMEM.
 * Cost: O(records x items); memory 2 bits or 8 bytes a cell.
 */
ASSAY_API assay_status assay_matrix_from_results(const assay_results *results, assay_matrix **out);

/**
 * A matrix from an array.
 *
 * @param scores    n_models x n_items, row-major; NaN is a missing cell. Borrowed for the call.
 * @return as above; ASSAY_E_VALUE when a score is infinite; ASSAY_E_SHAPE when a size is 0.
 */
ASSAY_API assay_status assay_matrix_from_scores(const double *scores, size_t n_models,
                                                size_t n_items, assay_matrix **out);

/**
 * Some models of a matrix, with all of its items, as a matrix of its own.
 *
 * @param models  which, n different ones in the order that they will have; 1 or more. Borrowed.
 * @return ASSAY_OK; ASSAY_E_SHAPE, naming an item on which none of them has a score; ASSAY_E_NOMEM.
 * Cost: O(nT).
 */
ASSAY_API assay_status assay_matrix_take_models(const assay_matrix *matrix, const size_t *models,
                                                size_t n, assay_matrix **out);

ASSAY_API void assay_matrix_free(assay_matrix *matrix); /* NULL is fine */

ASSAY_API size_t assay_matrix_n_models(const assay_matrix *matrix);
ASSAY_API size_t assay_matrix_n_items(const assay_matrix *matrix);

/* How many of the n_models x n_items cells have a score. */
ASSAY_API uint64_t assay_matrix_n_observed(const assay_matrix *matrix);

/* Models and items of the table that had no score at all and are not in the matrix. */
ASSAY_API size_t assay_matrix_n_models_left_out(const assay_matrix *matrix);
ASSAY_API size_t assay_matrix_n_items_left_out(const assay_matrix *matrix);

/* 1 when every observed score is 0 or 1. */
ASSAY_API int assay_matrix_is_binary(const assay_matrix *matrix);

/* Why an item may be none, a literal sentence, or NULL: it is called as a property of models is
   ("average", "params_b", ...), or its scores leave 0..1 where those of most items stay within.
   O(N). */
ASSAY_API const char *assay_matrix_doubt(const assay_matrix *matrix, size_t item);

/* One score, NaN where missing. O(1). */
ASSAY_API double assay_matrix_score(const assay_matrix *matrix, size_t model, size_t item);

/* The mean of the scores that a model has; it has one. O(T). */
ASSAY_API double assay_matrix_mean_score(const assay_matrix *matrix, size_t model);

/* Which model of the table, or row of the array, a row of the matrix is; and which item or column. */
ASSAY_API size_t assay_matrix_model_source(const assay_matrix *matrix, size_t model);
ASSAY_API size_t assay_matrix_item_source(const assay_matrix *matrix, size_t item);

/* Names, owned by the matrix; "" where it was made from an array. */
ASSAY_API const char *assay_matrix_model(const assay_matrix *matrix, size_t model);
ASSAY_API const char *assay_matrix_item(const assay_matrix *matrix, size_t item);

#ifdef __cplusplus
}
#endif
#endif
