/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the cells of a grid look as if scores had decided which were run. Method:
   docs/templates.md, "The best template" */
#ifndef ASSAY_SEARCHED_CELLS_H
#define ASSAY_SEARCHED_CELLS_H

#include "assay/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many cells the templates of a grid have. */
typedef struct assay_searched_cells {
    size_t n_templates; /* that have a cell */
    size_t least, most; /* cells of one of these */
    int looks_searched;
} assay_searched_cells;

/**
 * The fewest and the most cells that a template was run on, among those that have any, and whether
 * they are too far apart for a plan that did not look at scores:
 *
 *     most - least > 8 sqrt(mean),   mean = cells / templates that have one.
 *
 * A balanced plan's counts differ by a cell, and cells lost by chance leave about Poisson counts,
 * whose range over thousands of templates is below 8 roots of their mean. A search for the best
 * (assay_best_template_search(), successive halving) runs some templates many times as often as
 * others, and then assay_chosen_template_find() corrects for too little. What this says is a doubt,
 * not a test: a table of templates that were run for other reasons may look the same. The rule is
 * ours.
 *
 * @param grid  borrowed for the call; it has a cell.
 * Cost: O(I).
 */
ASSAY_API assay_searched_cells assay_searched_cells_of(const assay_grid *grid);

#ifdef __cplusplus
}
#endif
#endif
