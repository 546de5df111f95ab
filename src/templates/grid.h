/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a grid: its observed cells, row after row. */
#ifndef ASSAY_TEMPLATES_GRID_H
#define ASSAY_TEMPLATES_GRID_H

#include "assay/grid.h"

struct assay_grid {
    size_t n_templates, n_items, n_cells, n_repeats;
    size_t *start;    /* n_templates + 1: where each template's cells begin */
    uint32_t *item;   /* n_cells, ascending within a template */
    double *score;    /* n_cells */
    uint32_t *column; /* n_items: in how many templates each was run */
    int is_binary;
};

#endif
