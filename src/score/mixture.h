/* SPDX-License-Identifier: Apache-2.0 */
/* Mixtures of Beta distributions: cdf, density, quantiles, and the set of highest density. */
#ifndef ASSAY_SCORE_MIXTURE_H
#define ASSAY_SCORE_MIXTURE_H

#include "assay/base.h"

/* Component k is Beta(a[k], b[k]) with weight[k] > 0; the weights sum to 1. */
typedef struct assay_mixture {
    size_t n;
    double *weight, *a, *b, *log_beta;
    double dropped; /* the weight that was left out, before the rest was scaled up to 1 */
} assay_mixture;

/* How much weight may be left out altogether, of all components: it moves a cdf by no more. */
#define ASSAY_MIXTURE_DROP 1e-13

/**
 * A mixture of n components, of which equal ones are put together, and the lightest left out as
 * long as their weights sum to at most ASSAY_MIXTURE_DROP of the whole.
 *
 * @param out  to be emptied by assay_mixture_free(); empty on failure.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE when no weight is above 0; ASSAY_E_NOMEM.
 * Cost: O(n log n) in the components that have weight.
 */
assay_status assay_mixture_new(const double *weight, const double *a, const double *b, size_t n,
                               assay_mixture *out);
void assay_mixture_free(assay_mixture *mixture);

double assay_mixture_mean(const assay_mixture *mixture);
double assay_mixture_cdf(const assay_mixture *mixture, double q);
double assay_mixture_density(const assay_mixture *mixture, double q); /* q in (0, 1) */

/* The q with cdf(q) = p, to 1e-13. 0 < p < 1. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_mixture_quantile(const assay_mixture *mixture, double p, double *q);

/* Bounds of the intervals of a set of highest density. */
typedef struct assay_hpd {
    double (*bounds)[2];
    size_t n;
} assay_hpd;

/* The set {q: density(q) > t} that holds this much probability, to 1e-6: one interval or more,
   from left to right, in memory that free(out->bounds) returns. ASSAY_OK; ASSAY_E_NOMEM. */
assay_status assay_mixture_hpd(const assay_mixture *mixture, double level, assay_hpd *out);

#endif
