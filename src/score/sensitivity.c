/* SPDX-License-Identifier: Apache-2.0 */
#include "score/validation.h"

#include "core/error.h"
#include "core/memory.h"
#include "score/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status take_beta(const double *given, double beta[2]);
static assay_status one_row(const assay_own_prompts *own, const double beta[2],
                            const assay_prior *prior, assay_sensitivity *row);

const assay_prior *assay_sensitivity_priors(size_t *n)
{
    static const assay_prior priors[] = {
        { .kind = ASSAY_PRIOR_PAPER },
        { .kind = ASSAY_PRIOR_UNIFORM },
        { .kind = ASSAY_PRIOR_BINOMIAL, .a = 0.5 },
        { .kind = ASSAY_PRIOR_POISSON },
        { .kind = ASSAY_PRIOR_GEOMETRIC, .a = 0.5 },
    };

    *n = sizeof priors / sizeof priors[0];
    return priors;
}

assay_status assay_sensitivity_to_priors(const assay_dendrogram *tree, const double *x,
                                         const double *m, const double beta[2],
                                         const assay_prior *priors, size_t n_priors,
                                         assay_sensitivity *rows)
{
    assay_own_prompts own = { 0 };
    assay_sensitivity *made = assay_alloc(n_priors, sizeof *made);
    double used[2];
    assay_status status = take_beta(beta, used);

    if (status == ASSAY_OK && !made)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu rows", n_priors);
    if (status == ASSAY_OK) status = assay_own_prompts_take(tree, x, m, &own);
    for (size_t k = 0; status == ASSAY_OK && k < n_priors; k++)
        status = one_row(&own, used, &priors[k], &made[k]);
    if (status == ASSAY_OK) memcpy(rows, made, n_priors * sizeof *rows);
    assay_own_prompts_free(&own);
    free(made);
    return status;
}

assay_status assay_sensitivity_to_trees(const assay_dendrogram *const *trees, size_t n_trees,
                                        const double *x, const double *m, const double beta[2],
                                        const assay_prior *prior, assay_sensitivity *rows)
{
    assay_sensitivity *made = assay_alloc(n_trees, sizeof *made);
    double used[2];
    assay_status status = take_beta(beta, used);

    if (status == ASSAY_OK && !made)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu rows", n_trees);
    for (size_t k = 0; status == ASSAY_OK && k < n_trees; k++) {
        assay_own_prompts own = { 0 };

        if (trees[k]->n != trees[0]->n)
            status =
                assay_fail(ASSAY_E_SHAPE, "validation: a tree over %zu prompts beside one over %zu",
                           trees[k]->n, trees[0]->n);
        if (status == ASSAY_OK) status = assay_own_prompts_take(trees[k], x, m, &own);
        if (status == ASSAY_OK) status = one_row(&own, used, prior, &made[k]);
        assay_own_prompts_free(&own);
    }
    if (status == ASSAY_OK) memcpy(rows, made, n_trees * sizeof *rows);
    free(made);
    return status;
}

static assay_status take_beta(const double *given, double beta[2])
{
    beta[0] = given ? given[0] : 1.0;
    beta[1] = given ? given[1] : 1.0;
    return assay_check_beta(beta[0], beta[1]);
}

static assay_status one_row(const assay_own_prompts *own, const double beta[2],
                            const assay_prior *prior, assay_sensitivity *row)
{
    double *log_prior = assay_alloc(own->n, sizeof *log_prior);
    assay_posterior *of = NULL;
    assay_status status;

    if (!log_prior) return assay_fail(ASSAY_E_NOMEM, "no memory for a prior");
    status = assay_prior_log(prior, own->n, log_prior);
    if (status == ASSAY_OK)
        status = assay_posterior_new(own->tree, (assay_outcomes){ own->x, own->m, NULL },
                                     (assay_score_prior){ log_prior, beta[0], beta[1] }, &of);
    if (status == ASSAY_OK)
        *row = (assay_sensitivity){
            .topics = of->expected_s,
            .topics_low = (double)of->low_s,
            .topics_high = (double)of->high_s,
            .overcount = (double)own->n / of->expected_s,
            .score = of->expected_score,
            .spread_sd = sqrt(of->var_within + of->var_between),
            .these_sd = sqrt(of->variance_b),
            .like_sd = sqrt(of->variance_c),
            .log_evidence = of->log_evidence,
        };
    assay_posterior_free(of);
    free(log_prior);
    return status;
}
