/* SPDX-License-Identifier: Apache-2.0 */
/* The templates of a grid scored anew on some of its items: on halves, and on items drawn again. */
#ifndef ASSAY_TEMPLATES_RESAMPLING_H
#define ASSAY_TEMPLATES_RESAMPLING_H

#include "assay/templates.h"
#include "templates/columns.h"

/* What is scored; all borrowed. */
typedef struct assay_resampling {
    const assay_templates_options *estimator;
    assay_columns columns;
    size_t n_templates, n_items;
    uint64_t seed;
} assay_resampling;

/* S_i of the grid of n items, those that the z of the estimator are in order with. */
assay_status assay_resampling_fit(const assay_resampling *of, const assay_grid *grid,
                                  const size_t *items, size_t n, double *scores);

/* Scores that are no further apart are equal: those of templates that are alike differ by rounding,
   which is another on another processor. */
#define ASSAY_SCORE_TIE 1e-9

/* The template with the highest score of those that have a cell, of equals the first. */
size_t assay_resampling_choose(const assay_grid *grid, const double *scores);

/* The split-th halving of the items: the score in each half of the template chosen in the other,
   NaN where it has no cell there. */
assay_status assay_resampling_split(const assay_resampling *of, size_t split, double scores[2]);

/* The draw-th bootstrap of the items: scores, NaN for a template without a cell. */
assay_status assay_resampling_draw(const assay_resampling *of, size_t draw, double *scores);

#endif
