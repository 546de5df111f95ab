/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a grid by item, to make grids of some of its items, or of some more than once. */
#ifndef ASSAY_TEMPLATES_COLUMNS_H
#define ASSAY_TEMPLATES_COLUMNS_H

#include "assay/grid.h"

typedef struct assay_columns {
    size_t n_templates, n_items;
    size_t *start;       /* n_items + 1: where an item's cells begin */
    uint32_t *templates; /* ascending within an item */
    double *scores;
} assay_columns;

/* ASSAY_OK; ASSAY_E_NOMEM, with nothing to free. O(I + J + cells). */
assay_status assay_columns_new(const assay_grid *grid, assay_columns *columns);
void assay_columns_free(assay_columns *columns);

/* How many cells n of the items have, one that is named twice counting twice. O(n). */
size_t assay_columns_n_cells(const assay_columns *columns, const size_t *items, size_t n);

/* The grid whose k-th item is items[k], n of them, of which one at least has a cell; an item may be
   named several times and is several then. As assay_grid_new(). */
assay_status assay_columns_take(const assay_columns *columns, const size_t *items, size_t n,
                                assay_grid **out);

#endif
