/* SPDX-License-Identifier: Apache-2.0 */
/* What a posterior says of one prompt, of a new topic, and of pairs of prompts. */
#ifndef ASSAY_SCORE_PREDICT_H
#define ASSAY_SCORE_PREDICT_H

#include "score/posterior.h"

/* Success rate of a prompt, or of a topic: mean and variance over everything unknown. */
typedef struct assay_rate {
    double mean, variance;
} assay_rate;

/* Prompt i's own rate: the mixture over the clusters it may be in. O(depth of the leaf). */
assay_rate assay_prompt_rate(const assay_posterior *posterior, size_t i);

/* ln P(x successes of m runs) of prompt i, given the data the posterior saw (leave i out of those
   by the mask to score a held-out prompt). x and m may be fractional. O(depth of the leaf). */
double assay_prompt_log_density(const assay_posterior *posterior, size_t i, double x, double m);

/* The same of a topic that was not seen: reading A. Its mean is expected_score. O(n). */
double assay_new_topic_log_density(const assay_posterior *posterior, double x, double m);

/* P(at least one success in k runs) = 1 - E[(1 - p)^k]: of prompt i, and of a randomly chosen topic
   (i = SIZE_MAX). k >= 0 */
double assay_hit_at_k(const assay_posterior *posterior, size_t i, double k);

/* psm[i n + j] = P(i and j are in one cluster | x): n x n, row-major, symmetric, 1 on the diagonal.
   tree is the one the posterior was made of. ASSAY_OK or ASSAY_E_NOMEM. O(n^2). */
assay_status assay_posterior_similarity(const assay_posterior *posterior,
                                        const assay_dendrogram *tree, double *psm);

/* ln of the beta-binomial probability of x of m when p ~ Beta(a, b). */
double assay_log_beta_binomial(double x, double m, double a, double b);

#endif
