/* SPDX-License-Identifier: Apache-2.0 */
/* Items of a stream that are not complete 0/1: sums of products about the means so far. */
#ifndef ASSAY_SIGNALS_STREAM_SCORES_H
#define ASSAY_SIGNALS_STREAM_SCORES_H

#include "assay/base.h"

/*
 * With z the scores of an item less its mean, a the mean of z over the items so far, one number a
 * model, and b_t the item's mean less the mean of those, what is kept is
 *     gram = sum (z - a)(z - a)'    form = sum (z - a) b    squares = sum b^2.
 * A panel of n_p items, with means of its own, joins the n before it (Chan, Golub and LeVeque
 * 1983) by
 *     gram += gram_p + w d d'   form += form_p + w d e   squares += squares_p + w e^2,
 * w = n n_p / (n + n_p), d and e the differences of the means: sums of squares throughout, of which
 * nothing cancels. That last term is one more column of the panel, the root of w times d.
 */
typedef struct assay_stream_scores {
    size_t n_models, n_in_panel;
    uint64_t n_items; /* also those of the panel */
    uint64_t *n_seen; /* by model: scores that are not missing */
    double unit;    /* what 1 is in scores: a power of 2; 0 until there is a score that is not 0 */
    double *panel;  /* models x items */
    double *effect; /* the panel's item means, later b */
    double *gram;   /* tile pairs (tile_pairs.h) of ASSAY_TILE x ASSAY_TILE */
    double *mean, *form; /* a and form, by model */
    double item_mean, squares;
    double spread, spread_squares; /* sums of d_t = |z_t|^2 and of its square */
    uint64_t n_constant;
} assay_stream_scores;

/* ASSAY_OK or ASSAY_E_NOMEM. Free it in either case. */
assay_status assay_stream_scores_new(size_t n_models, assay_stream_scores *scores);
void assay_stream_scores_free(assay_stream_scores *scores);

/* Add an item that has a score: n_models finite numbers, NaN where missing. */
void assay_stream_scores_add(assay_stream_scores *scores, const double *item, int threads);

/* Let the panel join the sums. */
void assay_stream_scores_flush(assay_stream_scores *scores, int threads);

#endif
