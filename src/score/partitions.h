/* SPDX-License-Identifier: Apache-2.0 */
/* BHM-ESC over every partition that agrees with the tree, not only its horizontal cuts. */
#ifndef ASSAY_SCORE_PARTITIONS_H
#define ASSAY_SCORE_PARTITIONS_H

#include "score/posterior.h"

/**
 * The posterior when, given S, all partitions of the tree into S of its nodes are equally likely.
 *
 * present and weight, post, log_likelihood and what follows from them are filled in as in
 * assay_posterior_new(). There is no one cut for an S, so that mean, var_b, var_c, variance_b,
 * variance_c and kish are NaN, and assay_posterior_similarity() does not apply.
 *
 * @return as assay_posterior_new().
 * Cost: O(n^2) time; memory 8 bytes times the sum over nodes of the leaves below them (O(n log n)
 * when the tree is balanced, O(n^2) when it is a chain).
 */
assay_status assay_partitions_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                                  assay_score_prior prior, assay_posterior **out);

#endif
