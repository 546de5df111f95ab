/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/marginal_cells.h"

#include "core/error.h"
#include "core/memory.h"
#include "templates/grid.h"

#include <stdlib.h>

typedef struct keyed {
    uint64_t key;
    size_t index;
} keyed;

static int compare_keys(const void *a, const void *b)
{
    const keyed *x = a, *y = b;

    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* order[place] = index, by keys; ASSAY_E_NOMEM's -1, or 0. */
static int sort_by_keys(size_t n, const uint64_t *keys, size_t *order)
{
    keyed *sorted = keys ? assay_alloc(n, sizeof *sorted) : NULL;

    if (keys && !sorted) return -1;
    for (size_t k = 0; keys && k < n; k++) sorted[k] = (keyed){ keys[k], k };
    if (keys) qsort(sorted, n, sizeof *sorted, compare_keys);
    for (size_t k = 0; k < n; k++) order[k] = keys ? sorted[k].index : k;
    free(sorted);
    return 0;
}

static int make_room(assay_marginal_cells *cells)
{
    size_t n_templates = cells->n_templates, n = cells->n;

    cells->template_at = assay_alloc(n_templates, sizeof *cells->template_at);
    cells->item_at = assay_alloc(cells->n_items, sizeof *cells->item_at);
    cells->start = assay_alloc_zero(n_templates + 1, sizeof *cells->start);
    cells->item = assay_alloc(n, sizeof *cells->item);
    cells->y = assay_alloc(n, sizeof *cells->y);
    cells->observed = assay_alloc_zero(n_templates, sizeof *cells->observed);
    cells->item_start = assay_alloc_zero(cells->n_items + 1, sizeof *cells->item_start);
    cells->item_row = assay_alloc(n, sizeof *cells->item_row);
    cells->item_y = assay_alloc(n, sizeof *cells->item_y);
    return cells->template_at && cells->item_at && cells->start && cells->item && cells->y &&
                   cells->observed && cells->item_start && cells->item_row && cells->item_y
               ? 0
               : -1;
}

/* Items without a cell leave the order: seen[item] is the place of the others. */
static void keep_seen(const assay_grid *grid, assay_marginal_cells *cells, uint32_t *seen)
{
    for (size_t place = 0; place < grid->n_items; place++) {
        size_t item = cells->item_at[place];

        if (grid->column[item] == 0) continue;
        cells->item_at[cells->n_seen] = item;
        cells->item_start[cells->n_seen + 1] =
            cells->item_start[cells->n_seen] + grid->column[item];
        seen[item] = (uint32_t)cells->n_seen++;
    }
}

/* Cells by item, the templates in order; from these by template, the items in order. next[] is room
   for a place of each item or template. */
static void fill(const assay_grid *grid, const uint32_t *seen, assay_marginal_cells *cells,
                 size_t *next)
{
    for (size_t j = 0; j < cells->n_seen; j++) next[j] = cells->item_start[j];
    for (size_t place = 0; place < cells->n_templates; place++) {
        size_t i = cells->template_at[place];

        cells->start[place + 1] = cells->start[place] + grid->start[i + 1] - grid->start[i];
        for (size_t c = grid->start[i]; c < grid->start[i + 1]; c++) {
            size_t at = next[seen[grid->item[c]]]++;

            cells->item_row[at] = (uint32_t)place;
            cells->item_y[at] = grid->score[c];
        }
    }
    for (size_t place = 0; place < cells->n_templates; place++) next[place] = cells->start[place];
    for (size_t j = 0; j < cells->n_seen; j++) {
        for (size_t c = cells->item_start[j]; c < cells->item_start[j + 1]; c++) {
            size_t at = next[cells->item_row[c]]++;

            cells->item[at] = (uint32_t)j;
            cells->y[at] = cells->item_y[c];
            cells->observed[cells->item_row[c]] += cells->item_y[c];
        }
    }
}

assay_status assay_marginal_cells_new(const assay_grid *grid, const uint64_t *template_keys,
                                      const uint64_t *item_keys, assay_marginal_cells *cells)
{
    size_t most = grid->n_items > grid->n_templates ? grid->n_items : grid->n_templates;
    uint32_t *seen = assay_alloc(grid->n_items, sizeof *seen);
    size_t *next = assay_alloc(most, sizeof *next);
    assay_status status = ASSAY_OK;

    *cells = (assay_marginal_cells){ .n_templates = grid->n_templates,
                                     .n_items = grid->n_items,
                                     .n = grid->n_cells };
    if (!seen || !next || make_room(cells) ||
        sort_by_keys(grid->n_templates, template_keys, cells->template_at) ||
        sort_by_keys(grid->n_items, item_keys, cells->item_at)) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu cells", grid->n_cells);
    } else {
        keep_seen(grid, cells, seen);
        fill(grid, seen, cells, next);
    }
    free(seen);
    free(next);
    return status;
}

void assay_marginal_cells_free(assay_marginal_cells *cells)
{
    free(cells->template_at);
    free(cells->item_at);
    free(cells->start);
    free(cells->item);
    free(cells->y);
    free(cells->observed);
    free(cells->item_start);
    free(cells->item_row);
    free(cells->item_y);
}
