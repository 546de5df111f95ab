/* SPDX-License-Identifier: Apache-2.0 */
/* Results as grids of templates x items: one for each model, or model and task. */
#ifndef ASSAY_GRIDS_H
#define ASSAY_GRIDS_H

#include "assay/grid.h"
#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque and unchanging; free with assay_grids_free(). The results must live as long. */
typedef struct assay_grids assay_grids;

/* Start from assay_grids_options_init(); later versions add fields only at the end. A count says how
   many there are, of which some may have no cell; ids say which, and in what order. 0 and NULL: as
   many as come. */
typedef struct assay_grids_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    size_t n_templates, n_items;
    const char *const *template_ids; /* n_templates different ones, borrowed as long as the
                                       grids live; or NULL */
    const char *const *item_ids;     /* n_items, likewise */
} assay_grids_options;

ASSAY_API void assay_grids_options_init(assay_grids_options *options, size_t struct_size);

/**
 * The grids of a table, a model of it each (assay_read() makes a model on a task one), in the order in
 * which they come.
 *
 * The items of a grid are those that one of its rows names. Their order, which a faithful fit and
 * plans depend on, and likewise the templates': that of the ids, where they are given; the number,
 * where all are numbers from 0 to the count - 1 written without leading zeros, the count being the
 * one given or how many there are; else the order in which they first come, those that never
 * do (of a count) standing behind. Repeated runs of a cell count by their mean. A cell without a
 * score is one that was not run.
 *
 * @param results  borrowed for as long as the grids live.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE when there are more templates or items than the count, one that is
 *         not among the ids, ids that repeat, or a grid without any score; ASSAY_E_FORMAT for a score that is
 *         not in [0, 1]; ASSAY_E_NOMEM.
 * Cost: O(R log R + R J + cells log J) for R rows of model, template and run and J items in all.
 */
ASSAY_API assay_status assay_grids_from_results(const assay_results *results,
                                                const assay_grids_options *options,
                                                assay_grids **out);
ASSAY_API void assay_grids_free(assay_grids *grids); /* NULL is fine */

/* How many grids; and of each its model and task, NULL for one without a task. O(1). */
ASSAY_API size_t assay_grids_n(const assay_grids *grids);
ASSAY_API const char *assay_grids_model(const assay_grids *grids, size_t k);
ASSAY_API const char *assay_grids_task(const assay_grids *grids, size_t k);

/* Grid k, owned by the grids; and the ids of its templates and items, NULL for those that are only
   counted. */
ASSAY_API const assay_grid *assay_grids_grid(const assay_grids *grids, size_t k);
ASSAY_API const char *assay_grids_template(const assay_grids *grids, size_t k,
                                           size_t template_index);
ASSAY_API const char *assay_grids_item(const assay_grids *grids, size_t k, size_t item);

#ifdef __cplusplus
}
#endif
#endif
