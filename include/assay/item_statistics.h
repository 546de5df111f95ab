/* SPDX-License-Identifier: Apache-2.0 */
/* What single items are like: how hard, and whether they go with the rest. Method: docs/audit.md */
#ifndef ASSAY_ITEM_STATISTICS_H
#define ASSAY_ITEM_STATISTICS_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a maintainer looks at first. */
typedef enum assay_item_kind {
    ASSAY_ITEM_ORDINARY = 0,
    ASSAY_ITEM_ALWAYS_RIGHT = 1,     /* every model that has it scores the largest score there is */
    ASSAY_ITEM_ALWAYS_WRONG = 2,     /* ... the smallest */
    ASSAY_ITEM_AGAINST_THE_GRAIN = 3 /* rest_correlation is surely below 0 */
} assay_item_kind;

typedef struct assay_item_statistics {
    size_t n;                /* models with a score */
    double mean;             /* of their scores */
    double rest_correlation; /* NaN where the item or the rest does not vary, or n < 3 */
    double p;                /* of a rest_correlation as low by chance, one-sided; NaN likewise */
    assay_item_kind kind;
} assay_item_statistics;

/**
 * The statistics of every item of a matrix.
 *
 * rest_correlation of item j is Pearson's, over the models m that have it, of the score x_mj and the
 * mean of the model's other scores, r_mj = (sum_{i != j} x_mi) / (n_m - 1): the corrected item-total
 * correlation. A model without another score is left out. p is Student's for a true correlation of 0.
 *
 * An item goes against the grain when p < level / T after Holm over the T items that have one: level is
 * the chance that any is called so where none is.
 *
 * @param level  between 0 and 1; 0.05 is usual.
 * @param out    one an item, n_items of them.
 * @return ASSAY_OK; ASSAY_E_VALUE for a level out of range; ASSAY_E_NOMEM.
 * Cost: O(NT + T log T); memory O(N + T).
 */
ASSAY_API assay_status assay_item_statistics_find(const assay_matrix *matrix, double level,
                                                  assay_item_statistics *out);

#ifdef __cplusplus
}
#endif
#endif
