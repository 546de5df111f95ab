/* SPDX-License-Identifier: Apache-2.0 */
#include "score/hyper.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>

enum { N_PAIRS = ASSAY_HYPER_MUS * ASSAY_HYPER_NUS };
static const double least_weight = 1e-13;

static assay_score_prior pair(const double *log_prior, size_t k);
static assay_status evidences(const assay_dendrogram *tree, assay_outcomes outcomes,
                              const double *log_prior, double evidence[N_PAIRS]);

assay_status assay_hyper_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                             const double *log_prior, assay_hyper *out)
{
    double evidence[N_PAIRS], total;
    assay_hyper hyper = { 0 };
    assay_status status = evidences(tree, outcomes, log_prior, evidence);

    *out = (assay_hyper){ 0 };
    if (status != ASSAY_OK) goto done;
    total = assay_log_sum_exp(evidence, N_PAIRS);
    if ((status = assay_average_new(tree->n, N_PAIRS, &hyper.average)) != ASSAY_OK) goto done;
    for (size_t k = 0; k < N_PAIRS; k++) {
        assay_score_prior prior = pair(log_prior, k);
        double weight = exp(evidence[k] - total);
        assay_posterior *part;

        hyper.expected_mu += weight * (prior.a / (prior.a + prior.b));
        hyper.expected_nu += weight * (prior.a + prior.b);
        if (weight < least_weight) continue;
        if ((status = assay_posterior_new(tree, outcomes, prior, &part)) != ASSAY_OK) goto done;
        assay_average_add(hyper.average, part, 0.0);
    }
    assay_average_finish(hyper.average);
    hyper.average->log_evidence = total - log(N_PAIRS);
    *out = hyper;
    hyper.average = NULL;
done:
    assay_hyper_free(&hyper);
    return status;
}

void assay_hyper_free(assay_hyper *hyper)
{
    assay_average_free(hyper->average);
    *hyper = (assay_hyper){ 0 };
}

static assay_score_prior pair(const double *log_prior, size_t k)
{
    double mu = ((double)(k / ASSAY_HYPER_NUS) + 0.5) / ASSAY_HYPER_MUS;
    double nu = ldexp(1.0, (int)(k % ASSAY_HYPER_NUS) - 1);

    return (assay_score_prior){ log_prior, mu * nu, (1.0 - mu) * nu };
}

static assay_status evidences(const assay_dendrogram *tree, assay_outcomes outcomes,
                              const double *log_prior, double evidence[N_PAIRS])
{
    double *curve = assay_alloc(tree->n, sizeof *curve);
    assay_status status = ASSAY_OK;

    if (!curve) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu evidences", (size_t)N_PAIRS);
    for (size_t k = 0; k < N_PAIRS && status == ASSAY_OK; k++) {
        assay_score_prior prior = pair(log_prior, k);
        status = assay_likelihood_curve(tree, outcomes, prior.a, prior.b, curve);
        if (status != ASSAY_OK) break;
        evidence[k] = assay_normalise_curve(curve, log_prior, tree->n, curve);
        if (!(evidence[k] > -INFINITY))
            status = assay_fail(ASSAY_E_DEGENERATE,
                                "the prior leaves no number of topics possible with %zu prompts",
                                tree->n);
    }
    free(curve);
    return status;
}
