/* SPDX-License-Identifier: Apache-2.0 */
/* Grids without holes from grids that have some: what a study needs, since it knows the truth only of
   what was run in full. */
#ifndef ASSAY_COMPLETE_GRIDS_H
#define ASSAY_COMPLETE_GRIDS_H

#include "assay/grids.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is left out of a grid besides templates and items without any cell. Part of the ABI: never
   renumber. */
typedef enum assay_incomplete {
    ASSAY_INCOMPLETE_REFUSE = 0,   /* nothing: a hole is an error */
    ASSAY_INCOMPLETE_ITEMS = 1,    /* items that one of the templates lacks */
    ASSAY_INCOMPLETE_TEMPLATES = 2 /* templates that lack one of the items */
} assay_incomplete;

/* How many were left out of a grid: those that were never run, and those that had a hole. */
typedef struct assay_left_out {
    size_t templates_never_run, items_never_run;
    size_t templates, items;
} assay_left_out;

/**
 * The same grids, each without the templates and the items that have no cell at all, and without what
 * then has a hole. The others keep their order and their names.
 *
 * @param grids     borrowed for the call; the results behind them must live as long as *out.
 * @param left_out  as many as there are grids, or NULL.
 * @param out       owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE where a hole is refused, saying how many cells the grid lacks and
 *         the template and item of the first, and where no template or no item is without a hole;
 *         ASSAY_E_VALUE for an unknown rule; ASSAY_E_NOMEM.
 * Cost: O(I + J + cells) for each grid.
 */
ASSAY_API assay_status assay_grids_complete(const assay_grids *grids, assay_incomplete rule,
                                            assay_left_out *left_out, assay_grids **out);

#ifdef __cplusplus
}
#endif
#endif
