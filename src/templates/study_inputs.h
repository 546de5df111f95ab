/* SPDX-License-Identifier: Apache-2.0 */
/* What studies ask of their grids, budgets, seeds and threads. */
#ifndef ASSAY_TEMPLATES_STUDY_INPUTS_H
#define ASSAY_TEMPLATES_STUDY_INPUTS_H

#include "assay/grid.h"

/* 200, 400, 800, 1600: those of the paper. */
enum { ASSAY_N_USUAL_BUDGETS = 4 };
extern const size_t assay_usual_budgets[ASSAY_N_USUAL_BUDGETS];

/* ASSAY_OK; ASSAY_E_SHAPE for none of them, and ASSAY_E_VALUE for budgets that do not ascend from 1, and
   too many seeds or threads. */
assay_status assay_study_check(const size_t *budgets, size_t n_budgets, size_t n_seeds,
                               int threads);

/* ASSAY_OK; ASSAY_E_SHAPE for no grid or method, for a grid that lacks a cell and for one that has
   fewer than the largest budget. */
assay_status assay_study_check_grids(const assay_grid *const *grids, size_t n_grids,
                                     size_t n_methods, size_t largest_budget);

#endif
