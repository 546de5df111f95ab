/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/resampling.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory to score the templates on other items");
}

assay_status assay_resampling_fit(const assay_resampling *of, const assay_grid *grid,
                                  const size_t *items, size_t n, double *scores)
{
    assay_templates_options options = *of->estimator;
    size_t width = options.z ? options.n_z : 0, n_scores;
    double *z = NULL;
    assay_templates *fit;
    assay_status status;

    options.n_draws = 0; /* scores are all that is asked, and items are others' from draw to draw */
    options.item_keys = NULL;
    options.progress = (assay_progress){ NULL, NULL };
    if (width > 0) {
        z = assay_alloc(n, width * sizeof *z);
        if (!z) return fail_memory();
        for (size_t k = 0; k < n; k++)
            memcpy(z + k * width, of->estimator->z + items[k] * width, width * sizeof *z);
        options.z = z;
    }
    status = assay_templates_fit(grid, &options, &fit);
    free(z);
    if (status != ASSAY_OK) return status;
    memcpy(scores, assay_templates_scores(fit, &n_scores), of->n_templates * sizeof *scores);
    assay_templates_free(fit);
    return ASSAY_OK;
}

size_t assay_resampling_choose(const assay_grid *grid, const double *scores)
{
    size_t chosen = SIZE_MAX;

    for (size_t i = 0; i < assay_grid_n_templates(grid); i++) {
        if (assay_grid_row(grid, i, NULL, NULL) == 0) continue;
        if (chosen == SIZE_MAX || scores[i] > scores[chosen] + ASSAY_SCORE_TIE) chosen = i;
    }
    return chosen;
}

/* ---- halves ---- */

static void shuffle(assay_random *random, size_t *items, size_t n)
{
    for (size_t j = 0; j < n; j++) items[j] = j;
    for (size_t j = n; j > 1; j--) {
        size_t other = assay_random_below(random, j), swap = items[j - 1];

        items[j - 1] = items[other];
        items[other] = swap;
    }
}

/* n items as a grid of their own, scored. */
static assay_status score(const assay_resampling *of, const size_t *items, size_t n,
                          assay_grid **grid, double *scores)
{
    assay_status status = assay_columns_take(&of->columns, items, n, grid);

    return status == ASSAY_OK ? assay_resampling_fit(of, *grid, items, n, scores) : status;
}

assay_status assay_resampling_split(const assay_resampling *of, size_t split, double scores[2])
{
    size_t n[2] = { of->n_items / 2, of->n_items - of->n_items / 2 };
    size_t *items = assay_alloc(of->n_items, sizeof *items);
    double *found = assay_alloc(of->n_templates, 2 * sizeof *found);
    double *of_half[2] = { found, found }; /* the second once there is room */
    assay_grid *grid[2] = { NULL, NULL };
    assay_random random;
    assay_status status = ASSAY_OK;

    scores[0] = scores[1] = NAN;
    if (!items || !found) {
        status = fail_memory();
        goto done;
    }
    of_half[1] += of->n_templates;
    assay_random_start(&random, of->seed, ASSAY_PURPOSE_SPLIT, split);
    shuffle(&random, items, of->n_items);
    if (assay_columns_n_cells(&of->columns, items, n[0]) == 0 ||
        assay_columns_n_cells(&of->columns, items + n[0], n[1]) == 0)
        goto done;
    for (int h = 0; h < 2 && status == ASSAY_OK; h++)
        status = score(of, h ? items + n[0] : items, n[h], &grid[h], of_half[h]);
    for (int h = 0; h < 2 && status == ASSAY_OK; h++) {
        size_t chosen = assay_resampling_choose(grid[1 - h], of_half[1 - h]);

        if (assay_grid_row(grid[h], chosen, NULL, NULL) > 0) scores[h] = of_half[h][chosen];
    }
done:
    assay_grid_free(grid[0]);
    assay_grid_free(grid[1]);
    free(found);
    free(items);
    return status;
}

/* ---- items drawn again ---- */

assay_status assay_resampling_draw(const assay_resampling *of, size_t draw, double *scores)
{
    size_t n = of->n_items, *items = assay_alloc(n, sizeof *items);
    assay_grid *grid = NULL;
    assay_random random;
    assay_status status;

    if (!items) return fail_memory();
    assay_random_start(&random, of->seed, ASSAY_PURPOSE_BOOTSTRAP, draw);
    do { /* again where no item that was drawn has a cell */
        for (size_t k = 0; k < n; k++) items[k] = assay_random_below(&random, n);
    } while (assay_columns_n_cells(&of->columns, items, n) == 0);
    status = score(of, items, n, &grid, scores);
    for (size_t i = 0; i < of->n_templates && status == ASSAY_OK; i++)
        if (assay_grid_row(grid, i, NULL, NULL) == 0) scores[i] = NAN;
    assay_grid_free(grid);
    free(items);
    return status;
}
