/* SPDX-License-Identifier: Apache-2.0 */
/* The three readings of a model's score, each as a mixture of Beta distributions. */
#ifndef ASSAY_SCORE_READINGS_H
#define ASSAY_SCORE_READINGS_H

#include "assay/score.h"
#include "score/mixture.h"
#include "score/posterior.h"

/**
 * A is exact: the clusters' own Beta distributions with the nodes' weights. B and C are matched:
 * for each S the Beta distribution of the reading's exact mean and variance given S, weighted by
 * pi(S|x).
 *
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 */
assay_status assay_reading_mixture(const assay_posterior *posterior, assay_reading reading,
                                   assay_mixture *out);

/* n Beta distributions of these means and variances, weighted: the matched form of B and C. */
assay_status assay_matched_mixture(const double *weight, const double *mean, const double *variance,
                                   size_t n, assay_mixture *out);

/* The interval between the (1 - level) / 2 and (1 + level) / 2 quantiles. */
assay_status assay_mixture_interval(const assay_mixture *mixture, double level, double bounds[2]);

#endif
