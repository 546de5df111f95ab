/* SPDX-License-Identifier: Apache-2.0 */
/* BHM-ESC with the topics' own distribution learnt from the data, p_k ~ Beta(mu nu, (1 - mu) nu) */
#ifndef ASSAY_SCORE_HYPER_H
#define ASSAY_SCORE_HYPER_H

#include "score/average.h"

/* mu = (i + 1/2) / 19 and nu = 2^-1, ..., 2^7, every pair equally likely beforehand. */
enum { ASSAY_HYPER_MUS = 19, ASSAY_HYPER_NUS = 9 };

typedef struct assay_hyper {
    assay_average *average; /* its parts are the pairs that have weight */
    double expected_mu, expected_nu;
} assay_hyper;

/**
 * The exact posterior over S, mu and nu. Pairs whose weight is below 1e-13 are left out of the
 * parts, not of the evidence.
 *
 * @param log_prior  ln pi(S), n of them.
 * @param out        to be emptied by assay_hyper_free(); empty on failure.
 * @return as assay_posterior_new().
 * Cost: 171 evidences, and a posterior (time and memory) for each pair that has weight.
 */
assay_status assay_hyper_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                             const double *log_prior, assay_hyper *out);
void assay_hyper_free(assay_hyper *hyper);

#endif
