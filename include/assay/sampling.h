/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells of a templates x items grid to run: two-way balanced plans. */
#ifndef ASSAY_SAMPLING_H
#define ASSAY_SAMPLING_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A plan that grows. Opaque; free with assay_plan_free(). */
typedef struct assay_plan assay_plan;

/* Start from assay_plan_options_init(); later versions add fields only at the end. */
typedef struct assay_plan_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;      /* default 1 */
    const size_t *arms; /* n_arms templates that get cells, borrowed for the call; NULL: all */
    size_t n_arms;
    const size_t
        *strata;      /* a group for each item, any numbers, borrowed for the call; NULL: none */
    int random_items; /* any item that the template lacks, whatever its count or stratum; default 0 */
} assay_plan_options;

ASSAY_API void assay_plan_options_init(assay_plan_options *options, size_t struct_size);

/**
 * An empty plan of n_templates x n_items cells.
 *
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE for a size of 0 or above 2^31 - 1, for no arm and for an arm
 *         outside; ASSAY_E_VALUE for an arm that is named twice and for options not understood;
 *         ASSAY_E_NOMEM.
 * Cost: O(IJ / 64); memory a bit a cell and 16 bytes a cell of the plan.
 */
ASSAY_API assay_status assay_plan_new(size_t n_templates, size_t n_items,
                                      const assay_plan_options *options, assay_plan **out);
ASSAY_API void assay_plan_free(assay_plan *plan); /* NULL is fine */

/* Cells that are there already, of any template; those that the plan has are passed over. ASSAY_OK;
   ASSAY_E_SHAPE naming a cell outside, and then none is added; ASSAY_E_NOMEM. */
ASSAY_API assay_status assay_plan_add(assay_plan *plan, size_t n, const size_t *templates,
                                      const size_t *items);

/* Only these templates get further cells. As for assay_plan_new(); on failure nothing changes. */
ASSAY_API assay_status assay_plan_set_arms(assay_plan *plan, const size_t *arms, size_t n);

/**
 * Grow the plan to budget cells in all, or until its arms are full.
 *
 * A cell at a time: a template drawn among the arms that have the fewest cells, then an item drawn
 * among those which this template lacks and which the fewest templates have. With strata, among the
 * latter only items of the strata that this template has covered least (the smallest share of their
 * items): the balance over items comes first, the one over strata within a template second.
 *
 * The draw depends on the seed and the set of cells alone, so that a plan of 200 cells that is
 * written, read back with assay_plan_add() and extended to 400 is the plan of 400, and holds it:
 * plans of growing budgets are nested.
 *
 * @param budget  cells in all, the ones that were added included.
 * @return ASSAY_OK; ASSAY_E_NOMEM, the plan then holding what it had.
 * Cost: O(I / 64 + J / 64) a cell, O(J) with strata.
 * Source: PromptEval, arXiv:2405.17202, algorithm 2.
 */
ASSAY_API assay_status assay_plan_extend(assay_plan *plan, size_t budget);

/* The cells in the order in which they came; the arrays are the plan's, until it grows. */
ASSAY_API size_t assay_plan_cells(const assay_plan *plan, const size_t **templates,
                                  const size_t **items);

/* How many cells a template, and an item, has. */
ASSAY_API size_t assay_plan_n_of_template(const assay_plan *plan, size_t template_index);
ASSAY_API size_t assay_plan_n_of_item(const assay_plan *plan, size_t item);

#ifdef __cplusplus
}
#endif
#endif
