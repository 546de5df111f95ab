/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/study_inputs.h"

#include "core/error.h"

enum { MOST_SEEDS = 1000000, MOST_THREADS = 1024 };

const size_t assay_usual_budgets[ASSAY_N_USUAL_BUDGETS] = { 200, 400, 800, 1600 };

assay_status assay_study_check(const size_t *budgets, size_t n_budgets, size_t n_seeds, int threads)
{
    if (n_budgets == 0 || n_seeds == 0)
        return assay_fail(ASSAY_E_SHAPE, "a study of %zu budgets, %zu seeds", n_budgets, n_seeds);
    for (size_t b = 0; b < n_budgets; b++)
        if (budgets[b] <= (b ? budgets[b - 1] : 0))
            return assay_fail(ASSAY_E_VALUE,
                              "a budget of %zu after one of %zu, expected ascending ones from 1",
                              budgets[b], b ? budgets[b - 1] : 0);
    if (n_seeds > MOST_SEEDS || threads < 0 || threads > MOST_THREADS)
        return assay_fail(ASSAY_E_VALUE,
                          "a study of %zu seeds on %d threads, expected 1 to %d, and 0 to %d",
                          n_seeds, threads, MOST_SEEDS, MOST_THREADS);
    return ASSAY_OK;
}

assay_status assay_study_check_grids(const assay_grid *const *grids, size_t n_grids,
                                     size_t n_methods, size_t largest_budget)
{
    if (n_grids == 0 || n_methods == 0)
        return assay_fail(ASSAY_E_SHAPE, "a study of %zu grids by %zu methods", n_grids, n_methods);
    for (size_t g = 0; g < n_grids; g++) {
        size_t n = assay_grid_n_cells(grids[g]);
        size_t all = assay_grid_n_templates(grids[g]) * assay_grid_n_items(grids[g]);

        if (n != all)
            return assay_fail(ASSAY_E_SHAPE,
                              "grid %zu lacks %zu of %zu cells, expected all: their scores are "
                              "what estimates are compared with",
                              g + 1, all - n, all);
        if (largest_budget > n)
            return assay_fail(ASSAY_E_SHAPE, "a budget of %zu, but grid %zu has %zu cells",
                              largest_budget, g + 1, n);
    }
    return ASSAY_OK;
}
