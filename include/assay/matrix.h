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

/* Why a column may be no item, or on another scale than the others. Part of the ABI: never
   renumber. */
typedef enum assay_doubt {
    ASSAY_DOUBT_NAME = 1,           /* called as properties of models are: "average", "params_b" */
    ASSAY_DOUBT_LEAVES_RANGE = 2,   /* beyond 2 in size, where most items that vary are not */
    ASSAY_DOUBT_STAYS_IN_RANGE = 4, /* within 0..1, where most items that vary go beyond 2 */
    ASSAY_DOUBT_VARIANCE = 8,       /* more than half of the variance of all items, and an sd more
                                       than 5 times the median of the others' */
    ASSAY_DOUBT_MEAN = 16,          /* the mean of the items in no other doubt, up to the rounding
                                       of all of them to their decimals */
    ASSAY_DOUBT_SUM = 32            /* or their sum */
} assay_doubt;

/* The doubts about an item, bits of assay_doubt; of 0/1 matrices by the name alone. O(1). */
ASSAY_API unsigned assay_matrix_doubts(const assay_matrix *matrix, size_t item);

/* The gravest of them as a literal sentence without its subject, or NULL. O(1). */
ASSAY_API const char *assay_matrix_doubt(const assay_matrix *matrix, size_t item);

/* The share of the variance, items' means out, that the items in doubt hold together: ED is as much
   theirs. NaN of 0/1 matrices. O(1). */
ASSAY_API double assay_matrix_doubtful_share(const assay_matrix *matrix);

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
