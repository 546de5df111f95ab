/* SPDX-License-Identifier: Apache-2.0 */
/* R: the tetrachoric correlations of all pairs of some items of a 0/1 matrix. */
#ifndef ASSAY_SIGNALS_TETRACHORIC_PAIRS_H
#define ASSAY_SIGNALS_TETRACHORIC_PAIRS_H

#include "data/matrix.h"

/**
 * R, n_items square and symmetric, 1 on the diagonal, from integer counts of the models that have
 * both items; NaN where one of the two is constant on those.
 *
 * @param items  which of the matrix's items, n_items of them.
 * @param r      n_items x n_items.
 * @return ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 */
assay_status assay_tetrachoric_pairs(const assay_matrix *matrix, const size_t *items,
                                     size_t n_items, int threads, assay_progress progress,
                                     double *r);

#endif
