/* SPDX-License-Identifier: Apache-2.0 */
/* Published scores of templates, by task and model, and the grids that are drawn behind them. */
#ifndef ASSAY_PUBLISHED_H
#define ASSAY_PUBLISHED_H

#include "assay/grids.h"
#include "assay/simulate_templates.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tables of how many items each template answers correctly, a table for each task and model. Opaque
   and unchanging; free with assay_published_free(). */
typedef struct assay_published assay_published;

/* Start from assay_published_options_init(); later versions add fields only at the end. */
typedef struct assay_published_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    const char *tasks;  /* only these, names with commas between; NULL: all */
    const char *models; /* likewise */
    size_t n_items;     /* J, where no column "J" says it; 0, the default: there must be one */
} assay_published_options;

ASSAY_API void assay_published_options_init(assay_published_options *options, size_t struct_size);

/**
 * Read the tables of a file, a row a template.
 *
 * Long: the columns template, n_correct (or another usual name of successes) or accuracy (or another
 * usual name of scores), and task and model unless there is only one. Wide: the columns template and,
 * if need be, task, and a column of accuracies for each model, by its name; the columns method and
 * valid are not models. J is in a column J or in the options. An accuracy stands for
 * round(accuracy x J) correct items.
 *
 * @param path     CSV or TSV, gzip and Zstandard undone; "-" is standard input.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT, naming the line, for a missing column, a template
 *         that comes twice in a table, a number out of its range, and tables with two J;
 *         ASSAY_E_SHAPE for a task or model that is not there, and where no row is left;
 *         ASSAY_E_VALUE for options not understood; ASSAY_E_NOMEM.
 * Cost: O(bytes).
 */
ASSAY_API assay_status assay_published_read(const char *path,
                                            const assay_published_options *options,
                                            assay_published **out);
ASSAY_API void assay_published_free(assay_published *published); /* NULL is fine */

/* The file as it was read: rows are the counts that were taken. Owned by published. */
ASSAY_API assay_input assay_published_input(const assay_published *published);

/* How many accuracies were farther than .01 items from a whole number of them: their J is perhaps
   another. */
ASSAY_API size_t assay_published_n_rounded(const assay_published *published);

/* How many tables, in the order in which the file begins them; and of each its task and model (NULL
   where no column says), its templates in the order of the rows, and J. Owned by published. */
ASSAY_API size_t assay_published_n(const assay_published *published);
ASSAY_API const char *assay_published_task(const assay_published *published, size_t k);
ASSAY_API const char *assay_published_model(const assay_published *published, size_t k);
ASSAY_API size_t assay_published_n_templates(const assay_published *published, size_t k);
ASSAY_API size_t assay_published_n_items(const assay_published *published, size_t k);
ASSAY_API const char *assay_published_template(const assay_published *published, size_t k,
                                               size_t template_index);
ASSAY_API const size_t *assay_published_counts(const assay_published *published, size_t k);

/* The place of a table among all of the file, those that were not asked for included, from 0. */
ASSAY_API size_t assay_published_place(const assay_published *published, size_t k);

/**
 * Draw n of the tables, each as likely as another, and forget the rest; the order stays. All where
 * there are n at most.
 *
 * @return ASSAY_OK; ASSAY_E_SHAPE for n = 0; ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_published_sample(assay_published *published, size_t n, uint64_t seed);

/**
 * A full grid for each table: the one that assay_simulate_templates() draws with the seed
 * options->seed + place, so that it is the same whichever other tables were asked for.
 *
 * @param published  borrowed for as long as the grids live.
 * @param options    NULL for the defaults.
 * @param threads    0: all; the grids do not depend on it.
 * @param out        owned by the caller; NULL on failure. Items are counted, without names; a table
 *                   without a model is of the model "".
 * @return ASSAY_OK; as assay_simulate_templates(); ASSAY_E_CANCELLED.
 * Cost: O(I J) for each table; memory 12 bytes for each cell.
 */
ASSAY_API assay_status assay_grids_simulate(const assay_published *published,
                                            const assay_simulate_templates_options *options,
                                            int threads, assay_progress progress,
                                            assay_grids **out);

#ifdef __cplusplus
}
#endif
#endif
