/* SPDX-License-Identifier: Apache-2.0 */
/* Effective dimensionality with the noise of the outcomes removed. Method: docs/signals.md */
#ifndef ASSAY_REPLICATE_DIMENSION_H
#define ASSAY_REPLICATE_DIMENSION_H

#include "assay/replicates.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_replicate_dimension {
    double value;       /* ED; NaN where it cannot be estimated */
    double low, high;   /* its interval; NaN where there is none */
    double se_models;   /* of log ED, by the jackknife over models, */
    double se_items;    /* over items, */
    double se_shared;   /* and of what both count, noise above all: subtracted once */
    double df;          /* of the interval's Student's t, by Satterthwaite */
    const char *reason; /* a literal sentence where value or interval is NaN, else NULL */
    int no_signal;      /* 1: the reason is that replicates show no signal */
} assay_replicate_dimension;

/**
 * The effective dimensionality of what the replicates have in common: of the probabilities, where
 * outcomes are 0 or 1.
 *
 * ED = (sum l)^2 / sum l^2, l the eigenvalues of the items' covariance over models, is A / B: A is
 * the mean of Var_a Var_b and B that of Cov_ab^2, over pairs of different items. Both are estimated
 * without bias from products in which no error meets itself: indices of models and of items all
 * differ, and so do replicates wherever two factors share an error. That is the same cell for runs;
 * the same item or the same model for templates; the same item for clusters. What is estimated is
 * the ED of ever more models and items like these; a finite table's own is lower, its inverse being
 * about 1 / ED + 1 / P + 1 / Q. Chance can put it below 1, which is the least an ED can be.
 *
 * The interval is value times exp(+- t se), se^2 = se_models^2 + se_items^2 - se_shared^2 and at
 * least the larger of the first two, from delete-one jackknives of log ED over models, over items,
 * and over both at once; it is cut at 1. "No signal" is the reason where A or B is not above 0 by
 * as much as the jackknife over both says that cells alone could do, at this level: their ratio is
 * then undefined.
 *
 * @param level    of the interval, in (0, 1).
 * @param threads  0 is all of OpenMP's; the result is the same for any number. Only templates use
 *                 more than one.
 * @return ASSAY_OK, also where nothing can be estimated, which out then says; ASSAY_E_VALUE for
 *         level or threads; ASSAY_E_NOMEM.
 * Cost, with P models, Q items: O(P^2 Q) for runs, as often as there are pairs of templates, and
 * times the number of members for clusters. Memory O(P^2 + P Q), for pairs of templates at a time.
 * Source: Chun et al. (ICLR 2026), arXiv:2509.26560, for the U-statistics; see docs/signals.md for
 * the other replicates and the interval.
 */
ASSAY_API assay_status assay_replicate_dimension_fit(const assay_replicates *replicates,
                                                     double level, int threads,
                                                     assay_replicate_dimension *out);

#ifdef __cplusplus
}
#endif
#endif
