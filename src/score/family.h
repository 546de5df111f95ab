/* SPDX-License-Identifier: Apache-2.0 */
/* A posterior over partitions of the prompts that are given one by one, not by a tree. */
#ifndef ASSAY_SCORE_FAMILY_H
#define ASSAY_SCORE_FAMILY_H

#include "assay/validation.h"
#include "score/posterior.h"

/* What one partition makes of a model. */
typedef struct assay_partition {
    size_t n_clusters;
    double log_likelihood;      /* ln p(x|partition), with the binomial coefficients */
    double mean;                /* of the score */
    double spread, these, like; /* its variance in the readings A, B and C */
} assay_partition;

/* labels: n of them, numbered from 0 without gaps. The formulas are those of assay_posterior_new().
   ASSAY_OK or ASSAY_E_NOMEM. O(n). */
assay_status assay_partition_measure(const size_t *labels, size_t n, assay_outcomes outcomes,
                                     const double beta[2], assay_partition *out);

/**
 * The mixture over different partitions of n prompts, as a row.
 *
 * @param partitions  n_partitions >= 1 of them, in any order.
 * @param log_prior   ln pi(S) at [S - 1], n of them. Shared equally by the partitions into S, and
 *                    scaled to sum to 1 over the S that occur.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE when no S that occurs is possible; ASSAY_E_NOMEM.
 * Cost: O(n + n_partitions).
 */
assay_status assay_family_mix(const assay_partition *partitions, size_t n_partitions,
                              const double *log_prior, size_t n, assay_sensitivity *row);

#endif
