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
    size_t n_own;      /* items, not constant, whose pattern no earlier one has: n_own + n_repeats +
                          n_constant are all items */
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

/**
 * Among the items with a pattern of their own, those that differ from an earlier one in their holes
 * alone: equal on every model that has both, which are nine tenths or more of the models that have
 * either, and not constant on these. (The nine tenths are ours: of few models in common any two
 * items may agree.) An item that does is compared with no later one.
 *
 * @param labels, constant  as assay_outcome_patterns_find() left them.
 * @param like    of each item, the earlier one that it equals but for holes, itself where there is
 *                none. Room for n_items.
 * @param n_like  how many there are.
 * @param reason  NULL, or a literal sentence why they were not looked for; then there are none.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 * Cost: O(T H) comparisons for H items with holes, each of which ends with the first scores that
 *         differ; not made where T H is above 1e8. Nothing for a complete matrix.
 */
ASSAY_API assay_status assay_outcome_patterns_but_holes(const assay_matrix *matrix,
                                                        const size_t *labels,
                                                        const unsigned char *constant, size_t *like,
                                                        size_t *n_like, const char **reason);

#ifdef __cplusplus
}
#endif
#endif
