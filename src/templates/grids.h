/* SPDX-License-Identifier: Apache-2.0 */
/* Grids with the names of what they are of, from the inside: whoever makes them fills these. */
#ifndef ASSAY_TEMPLATES_GRIDS_H
#define ASSAY_TEMPLATES_GRIDS_H

#include "assay/grids.h"

/* The templates or the items of a grid: where each of the table's stands in it. */
typedef struct assay_named_axis {
    size_t n;          /* of them in the grid */
    ptrdiff_t *place;  /* by the table's number, or NOWHERE; NULL where there is no table */
    const char **name; /* by place, borrowed; NULL where it is only counted */
} assay_named_axis;

typedef struct assay_named_grid {
    char *model;
    const char *task; /* borrowed; NULL for none */
    assay_named_axis templates, items;
    assay_grid *grid;
} assay_named_grid;

struct assay_grids {
    const assay_results *results; /* NULL where they come from elsewhere */
    size_t n;
    assay_named_grid *grids;
};

/* n grids without anything yet, for assay_grids_free(). ASSAY_OK; ASSAY_E_NOMEM. */
assay_status assay_grids_new(size_t n, assay_grids **out);

#endif
