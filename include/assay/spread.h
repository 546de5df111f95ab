/* SPDX-License-Identifier: Apache-2.0 */
/* How much templates differ once the noise of sampling is removed, and whether that changes which
   model wins. */
#ifndef ASSAY_SPREAD_H
#define ASSAY_SPREAD_H

#include "assay/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Variances between the scores of a grid's templates. */
typedef struct assay_spread {
    size_t n_templates; /* with a cell */
    double mean;        /* of all cells */
    double observed;    /* of the templates' observed means: the noise included */
    double these_items; /* of their scores on all J items, had every cell been run; never below 0 */
    double any_items;   /* of their scores on ever more such items; never below 0 */
    double these_signed; /* the same two as estimated, which chance can make negative */
    double any_signed;
} assay_spread;

/**
 * The variance of template scores without the noise of having run some cells, once each.
 *
 * With d = y - the mean of all cells, and means over all pairs of distinct observed cells that are
 *   T: of one template (and so of two items),
 *   I: of one item (and so of two templates),
 *   0: of two templates and two items,
 * and Q the mean of d^2:
 *   any_signed   = mean_T(d d') - mean_0(d d'),
 *   these_signed = (Q - mean_I(d d')) / J + (1 - 1 / J) any_signed.
 * In the model y = mu + t_i + b_j + e_ij the first is the template component var(t), and where all
 * cells were run it is (MS_t - MS_e) / J, the classical estimate, with MS_t and MS_e the mean
 * squares of templates and of the remainder; the second is var(t) + var(e) / J, and where all cells
 * were run it is the plain sample variance of the scores. Both are unbiased where every template
 * has as many cells as the others, and every item, and the cells were chosen without looking at
 * scores; the plans of assay_plan_extend() are so to within one cell. Cells that a search for the
 * best template chose are not. Variances divide by n - 1.
 *
 * these_items is NaN where no item has cells of two templates (and J > 1), and any_items where no
 * template has two cells.
 *
 * @param grid  borrowed for the call.
 * @param out   unchanged on failure.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE where fewer than two templates have a cell, or both
 *         estimates are NaN; ASSAY_E_NOMEM.
 * Cost: O(I + J + cells).
 * Source: R. L. Brennan, Generalizability Theory (2001), for the complete grid; elsewhere the same
 * two moments as U-statistics over the observed pairs.
 */
ASSAY_API assay_status assay_grid_spread(const assay_grid *grid, assay_spread *out);

/* The winner against one other model. */
typedef struct assay_winner_margin {
    double mean;       /* winner's score less the other's, over templates that count alike */
    double observed;   /* variance of that margin between templates, the noise included */
    double spread;     /* the same without it, as any_items above; never below 0 */
    double p_observed; /* share of templates under which the other scores higher */
    double p;          /* the same share, the noise removed */
    double p_normal;   /* Phi(-mean / sqrt(spread)): the same if margins are normal */
} assay_winner_margin;

/**
 * How often a change of the template changes which of several models scores highest.
 *
 * The winner w is the model with the highest mean of its template scores; of equals the first. The
 * margin of template i over model k is D_ik, the mean of y_w - y_k over the cells of i. Noise makes
 * margins vary more than they do, and so too many templates appear to change the winner: margins
 * are drawn in about their mean until their variance is what assay_grid_spread() finds for the
 * differences,
 *   D'_ik = mean_k + sqrt(spread_k / observed_k) (D_ik - mean_k)  (never drawn out),
 * and p is the share of templates with some D'_ik < 0, a margin of exactly 0 counting a half. The
 * error of the mean margin itself is not in p.
 *
 * @param grids       n_models of them, with the very same cells.
 * @param n_models    2 or more.
 * @param winner      its index.
 * @param p_observed  share of templates under which another model scores higher, as it was seen.
 * @param p           the same with the noise removed.
 * @param margins     n_models of them, that of the winner itself all zero; or NULL.
 * @return ASSAY_OK; ASSAY_E_SHAPE for fewer than two models, and for grids that differ in size or
 *         cells, naming the first that does; ASSAY_E_DEGENERATE where fewer than two templates have
 *         a cell or none has two; ASSAY_E_NOMEM.
 * Cost: O(n_models (I + J + cells)).
 */
ASSAY_API assay_status assay_winner_change(const assay_grid *const *grids, size_t n_models,
                                           size_t *winner, double *p_observed, double *p,
                                           assay_winner_margin *margins);

#ifdef __cplusplus
}
#endif
#endif
