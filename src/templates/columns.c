/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/columns.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

static void fill(const assay_grid *grid, assay_columns *columns);

assay_status assay_columns_new(const assay_grid *grid, assay_columns *columns)
{
    size_t n = assay_grid_n_cells(grid);

    *columns = (assay_columns){ .n_templates = assay_grid_n_templates(grid),
                                .n_items = assay_grid_n_items(grid) };
    columns->start = assay_alloc_zero(columns->n_items + 1, sizeof *columns->start);
    columns->templates = assay_alloc(n, sizeof *columns->templates);
    columns->scores = assay_alloc(n, sizeof *columns->scores);
    if (!columns->start || !columns->templates || !columns->scores) {
        assay_columns_free(columns);
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu cells by item", n);
    }
    fill(grid, columns);
    return ASSAY_OK;
}

/* start[j] first counts up to where item j ends, and then down again while it is filled. */
static void fill(const assay_grid *grid, assay_columns *columns)
{
    size_t n = 0;

    for (size_t j = 0; j < columns->n_items; j++)
        columns->start[j] = n += assay_grid_n_of_item(grid, j);
    columns->start[columns->n_items] = n;
    for (size_t i = columns->n_templates; i-- > 0;) {
        const uint32_t *items;
        const double *scores;
        size_t n_of_row = assay_grid_row(grid, i, &items, &scores);

        for (size_t k = 0; k < n_of_row; k++) {
            size_t at = --columns->start[items[k]];

            columns->templates[at] = (uint32_t)i;
            columns->scores[at] = scores[k];
        }
    }
}

void assay_columns_free(assay_columns *columns)
{
    free(columns->start);
    free(columns->templates);
    free(columns->scores);
    *columns = (assay_columns){ 0 };
}

size_t assay_columns_n_cells(const assay_columns *columns, const size_t *items, size_t n)
{
    size_t n_cells = 0;

    for (size_t k = 0; k < n; k++)
        n_cells += columns->start[items[k] + 1] - columns->start[items[k]];
    return n_cells;
}

assay_status assay_columns_take(const assay_columns *columns, const size_t *items, size_t n,
                                assay_grid **out)
{
    size_t n_cells = assay_columns_n_cells(columns, items, n), to = 0;
    size_t *templates = assay_alloc(n_cells, sizeof *templates);
    size_t *places = assay_alloc(n_cells, sizeof *places);
    double *scores = assay_alloc(n_cells, sizeof *scores);
    assay_status status;

    *out = NULL;
    if (!templates || !places || !scores) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu cells", n_cells);
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t at = columns->start[items[k]]; at < columns->start[items[k] + 1]; at++) {
            templates[to] = columns->templates[at];
            places[to] = k;
            scores[to++] = columns->scores[at];
        }
    }
    status = assay_grid_new(columns->n_templates, n, n_cells, templates, places, scores, out);
done:
    free(templates);
    free(places);
    free(scores);
    return status;
}
