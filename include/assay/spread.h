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
 * In y_ij = mu + t_i + b_j + e_ij, any is var(t), and these is var(t) + var(e) / J. Two estimates of
 * var(t) serve, neither of which needs the cells to be balanced. Against the items: with r = y less
 * its item's mean, T_ik = (n_i if i = k) - the sum of 1 / m_j over the items j that i and k share,
 * n_i the cells of a template, m_j those of an item, n all of them and v = n - the number of items
 * with a cell,
 *   s = sum of r^2,  q = sum over templates of (sum of r)^2,  (q - s) / (sum of T_ik^2 - v),
 * the minimum norm quadratic unbiased estimate at var(t) = 0 with items fixed, whatever their
 * difficulties. Among all cells, which serves where items have hardly a cell in common: with d = y
 * less the mean of all, the mean of d d' over pairs of cells of one template, less that over pairs
 * of two templates and two items. It takes items as drawn at random, and is unbiased where
 * templates have as many cells as each other, and items too, to within 1 / n.
 * The one that noise moves less is taken: the smaller of 2 w^2 / (sum of T_ik^2 - v), with
 * w = (s + 4 u) / (v + 4), u the variance of all cells, and 2 u^2 / sum of n_i (n_i - 1). Then
 *   these_signed = (1 - 1 / J) any_signed + s / v / J.
 * Where all cells were run the former is (MS_t - MS_e) / J, the mean squares being those of
 * templates and of the remainder, and the latter the sample variance of the scores, which divides by
 * n - 1 like all variances here.
 *
 * Cells must have been chosen without looking at scores: not by a search for the best template.
 * these_items is NaN where no item has cells of two templates, and any_items where nothing above is
 * defined (no template has two cells).
 *
 * @param grid  borrowed for the call.
 * @param out   unchanged on failure.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE where fewer than two templates have a cell, or both
 *         estimates are NaN; ASSAY_E_NOMEM.
 * Cost: O(I + J + cells + sum of m_j^2).
 * Source: C. R. Rao, "Estimation of variance and covariance components - MINQUE theory" (1971); for
 * the complete grid, R. L. Brennan, Generalizability Theory (2001).
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
 * Cost: n_models times that of assay_grid_spread().
 */
ASSAY_API assay_status assay_winner_change(const assay_grid *const *grids, size_t n_models,
                                           size_t *winner, double *p_observed, double *p,
                                           assay_winner_margin *margins);

#ifdef __cplusplus
}
#endif
#endif
