/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of one model on templates x items, of which some cells were run: what templates work on. */
#ifndef ASSAY_GRID_H
#define ASSAY_GRID_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque and unchanging; free with assay_grid_free(). */
typedef struct assay_grid assay_grid;

/**
 * A grid from its observed cells, in any order.
 *
 * A cell that comes twice with one score is one cell, and counted; with two scores it is a conflict,
 * since nothing says which of them holds.
 *
 * @param n_templates, n_items  the size of the whole grid, I x J, each from 1 to 2^31 - 1.
 * @param n          cells; templates, items and scores are n numbers each, borrowed for the call.
 * @param scores     in [0, 1]: 0 and 1, or what a judge gave.
 * @param out        owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE for a size of 0 or too large, for no cell at all, and for a cell
 *         outside the grid, naming it; ASSAY_E_VALUE for a score that is not in [0, 1];
 *         ASSAY_E_CONFLICT, naming the cell and its scores; ASSAY_E_NOMEM.
 * Cost: O(I + J + n); memory 12 bytes a cell, 24 while it is made.
 */
ASSAY_API assay_status assay_grid_new(size_t n_templates, size_t n_items, size_t n,
                                      const size_t *templates, const size_t *items,
                                      const double *scores, assay_grid **out);

/* The same from an array, n_templates x n_items, row-major, where NaN is a cell that was not run. */
ASSAY_API assay_status assay_grid_from_scores(const double *scores, size_t n_templates,
                                              size_t n_items, assay_grid **out);

/**
 * Some cells of a grid as a grid of the same size: what a sampling plan would have seen of it.
 *
 * @param n  cells, as in assay_grid_new().
 * @return as assay_grid_new(); ASSAY_E_SHAPE also where a cell was not run in full.
 * Cost: O(I + J + n log J).
 */
ASSAY_API assay_status assay_grid_take(const assay_grid *full, size_t n, const size_t *templates,
                                       const size_t *items, assay_grid **out);

ASSAY_API void assay_grid_free(assay_grid *grid); /* NULL is fine */

ASSAY_API size_t assay_grid_n_templates(const assay_grid *grid);
ASSAY_API size_t assay_grid_n_items(const assay_grid *grid);

/* Distinct observed cells, and how many more were given that repeat one of them. */
ASSAY_API size_t assay_grid_n_cells(const assay_grid *grid);
ASSAY_API size_t assay_grid_n_repeats(const assay_grid *grid);

/* 1 when every observed score is 0 or 1. */
ASSAY_API int assay_grid_is_binary(const assay_grid *grid);

/* The observed cells of one template: how many there are, and (unless NULL) their items, ascending,
   and scores, owned by the grid. O(1). */
ASSAY_API size_t assay_grid_row(const assay_grid *grid, size_t template_index,
                                const uint32_t **items, const double **scores);

/* The first template that was run on other items in the one grid than in the other, whatever the
   scores; SIZE_MAX where there is none. The grids are of one size. O(I + n). */
ASSAY_API size_t assay_grid_first_unlike(const assay_grid *a, const assay_grid *b);

/* In how many templates an item was run. O(1). */
ASSAY_API size_t assay_grid_n_of_item(const assay_grid *grid, size_t item);

/* One score, NaN where the cell was not run or is outside. O(log J). */
ASSAY_API double assay_grid_score(const assay_grid *grid, size_t template_index, size_t item);

#ifdef __cplusplus
}
#endif
#endif
