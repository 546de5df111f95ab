/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/searched_cells.h"

#include <math.h>
#include <stdint.h>

assay_searched_cells assay_searched_cells_of(const assay_grid *grid)
{
    assay_searched_cells cells = { .least = SIZE_MAX };
    double mean;

    for (size_t i = 0; i < assay_grid_n_templates(grid); i++) {
        size_t n = assay_grid_row(grid, i, NULL, NULL);

        if (n == 0) continue;
        cells.n_templates++;
        if (n < cells.least) cells.least = n;
        if (n > cells.most) cells.most = n;
    }
    mean = (double)assay_grid_n_cells(grid) / (double)cells.n_templates;
    cells.looks_searched = (double)(cells.most - cells.least) > 8.0 * sqrt(mean);
    return cells;
}
