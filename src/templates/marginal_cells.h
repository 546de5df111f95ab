/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a grid as the marginal likelihood takes them: by template and by item, in an order that
   does not depend on how the grid was given. */
#ifndef ASSAY_TEMPLATES_MARGINAL_CELLS_H
#define ASSAY_TEMPLATES_MARGINAL_CELLS_H

#include "assay/grid.h"

typedef struct assay_marginal_cells {
    size_t n_templates, n_items, n_seen, n; /* n_seen items have one of the n cells */
    size_t *template_at, *item_at; /* the grid's template, and item seen, that stands at a place */
    size_t *start;                 /* n_templates + 1: cells by template, the items ascending */
    uint32_t *item;                /* n: among those seen */
    double *y;                     /* n: the scores */
    double *observed;              /* of each template: the sum of its scores as they are */
    size_t *item_start;            /* n_seen + 1: the same cells by item, the templates ascending */
    uint32_t *item_row;            /* n: their templates */
    double *item_y;                /* n */
} assay_marginal_cells;

/* Templates and items in ascending order of their keys, equal ones as they stand; NULL: as they
   stand. ASSAY_OK; ASSAY_E_NOMEM (freeing is then fine too). O(I log I + J log J + n). */
assay_status assay_marginal_cells_new(const assay_grid *grid, const uint64_t *template_keys,
                                      const uint64_t *item_keys, assay_marginal_cells *cells);
void assay_marginal_cells_free(assay_marginal_cells *cells);

#endif
