/* SPDX-License-Identifier: Apache-2.0 */
/* Items that no model tells apart: how many different columns of outcomes there are. Method:
   docs/signals.md */
#ifndef ASSAY_OUTCOME_PATTERNS_H
#define ASSAY_OUTCOME_PATTERNS_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts, of these models: others may tell apart what these do not. */
typedef struct assay_outcome_patterns {
    size_t n_distinct; /* different patterns among all items */
    size_t n_constant; /* items with one score for every model that has them */
    size_t n_shared;   /* patterns, not constant, that two items or more have */
    size_t n_repeats;  /* items, not constant, whose pattern an earlier one has */
} assay_outcome_patterns;

/**
 * The different patterns among the items of a matrix, a pattern being an item's scores in the order
 * of the models. A model without a score is part of it: items with different holes differ.
 *
 * @param matrix    borrowed for the call.
 * @param labels    of each item, its pattern, numbered by first appearance. Room for n_items.
 * @param constant  of each item, 1 where it is constant. Room for n_items.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 * Cost: O(NT + T log T); memory O(T). Scores are compared bit by bit, not by a digest alone.
 */
ASSAY_API assay_status assay_outcome_patterns_find(const assay_matrix *matrix, size_t *labels,
                                                   unsigned char *constant,
                                                   assay_outcome_patterns *out);

#ifdef __cplusplus
}
#endif
#endif
