/* SPDX-License-Identifier: Apache-2.0 */
/* BHM-ESC with prompts of one topic that need not share one rate:
   x_i | p_k ~ BetaBinomial(m_i, kappa p_k, kappa (1 - p_k)), p_k ~ U(0, 1). */
#ifndef ASSAY_SCORE_KAPPA_H
#define ASSAY_SCORE_KAPPA_H

#include "score/posterior.h"

/* kappa = 1, 2, 4, ..., 128, 512, 4096, equally likely beforehand; infinity is BHM-ESC itself. */
enum { ASSAY_KAPPA_N = 10, ASSAY_KAPPA_POINTS = 200 };

typedef struct assay_kappa {
    size_t n;
    double kappa[ASSAY_KAPPA_N], probability[ASSAY_KAPPA_N]; /* given the data */
    double *post;                                            /* pi(S|x), at [S - 1] */
    double log_evidence, expected_s, expected_score, expected_log_kappa;
    /* Of each prompt that is masked: its mean rate, and ln P(x of m); NaN for the others. */
    double *rate, *log_density;
} assay_kappa;

/**
 * The exact posterior over S and kappa but for quadrature in p: 200 points of Gauss and Legendre.
 *
 * @param log_prior  ln pi(S), n of them.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE when the prior leaves no S possible; ASSAY_E_NOMEM.
 * Cost: O(n) with a factor of 10 x 200; memory 3,200 bytes a prompt. Each masked prompt costs as
 * many points as its leaf has nodes above it.
 */
assay_status assay_kappa_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                             const double *log_prior, assay_kappa **out);
void assay_kappa_free(assay_kappa *kappa); /* NULL is fine */

#endif
