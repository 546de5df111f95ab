/* SPDX-License-Identifier: Apache-2.0 */
#include "score/fit.h"

#include "core/error.h"
#include "core/memory.h"
#include "score/hyper.h"
#include "score/kappa.h"
#include "score/partitions.h"
#include "score/readings.h"

#include <math.h>
#include <stdlib.h>

static const char many_runs[] = "there are 20 runs a topic or more; ask for it";
static const double few_runs = 20.0;

static assay_status hyper(const assay_score_options *options, assay_score_model *model);
static assay_status kappa(assay_score_model *model);
static assay_status partitions(const assay_score_options *options, assay_score_model *model);
static assay_status trees(const assay_score_options *options, assay_score_model *model);

assay_status assay_score_model_extend(const assay_score_options *options, assay_score_model *model)
{
    int few = model->value[ASSAY_SCORE_RUNS_PER_TOPIC] < few_runs;
    assay_status status = ASSAY_OK;

    if (options->hyper == 1 || (options->hyper < 0 && few)) status = hyper(options, model);
    if (options->hyper < 0 && !few)
        for (int k = ASSAY_SCORE_HYPER_CORRECTED; k <= ASSAY_SCORE_HYPER_LOG_EVIDENCE; k++)
            model->reason[k] = many_runs;
    if (options->hyper < 0 && !few)
        for (int r = 0; r < 3; r++) model->reason[(int)ASSAY_SCORE_HYPER_SPREAD_SD + r] = many_runs;
    if (status == ASSAY_OK && options->kappa) status = kappa(model);
    if (status == ASSAY_OK && options->partitions) status = partitions(options, model);
    if (status == ASSAY_OK && options->n_trees) status = trees(options, model);
    return status;
}

/* The intervals of readings 0 .. n - 1 at first, first + 1, ... */
static assay_status average_intervals(const assay_average *average, double level,
                                      assay_score_number first, assay_score_model *model)
{
    for (int r = 0; r < 3; r++) {
        assay_mixture mixture;
        double bounds[2] = { NAN, NAN };
        assay_status status = assay_average_mixture(average, (assay_reading)r, &mixture);

        if (status == ASSAY_OK) status = assay_mixture_interval(&mixture, level, bounds);
        assay_mixture_free(&mixture);
        if (status != ASSAY_OK) return status;
        assay_score_set(model, (assay_score_number)((int)first + 2 * r), bounds[0], NULL);
        assay_score_set(model, (assay_score_number)((int)first + 2 * r + 1), bounds[1], NULL);
    }
    return ASSAY_OK;
}

static assay_status hyper(const assay_score_options *options, assay_score_model *model)
{
    assay_outcomes outcomes = { model->x, model->m, NULL };
    assay_hyper fit;
    assay_status status = assay_hyper_new(model->tree, outcomes, model->log_prior, &fit);

    if (status != ASSAY_OK) return status;
    assay_score_set(model, ASSAY_SCORE_HYPER_CORRECTED, fit.average->expected_score, NULL);
    assay_score_set(model, ASSAY_SCORE_HYPER_TOPICS, fit.average->expected_s, NULL);
    assay_score_set(model, ASSAY_SCORE_HYPER_MU, fit.expected_mu, NULL);
    assay_score_set(model, ASSAY_SCORE_HYPER_NU, fit.expected_nu, NULL);
    assay_score_set(model, ASSAY_SCORE_HYPER_LOG_EVIDENCE, fit.average->log_evidence, NULL);
    for (int r = 0; r < 3; r++)
        assay_score_set(model, (assay_score_number)((int)ASSAY_SCORE_HYPER_SPREAD_SD + r),
                        sqrt(fit.average->variance[r]), NULL);
    status = average_intervals(fit.average, options->level, ASSAY_SCORE_HYPER_SPREAD_LOW, model);
    assay_hyper_free(&fit);
    return status;
}

static assay_status kappa(assay_score_model *model)
{
    assay_outcomes outcomes = { model->x, model->m, NULL };
    assay_kappa *fit;
    assay_status status = assay_kappa_new(model->tree, outcomes, model->log_prior, &fit);

    if (status != ASSAY_OK) return status;
    assay_score_set(model, ASSAY_SCORE_KAPPA_CORRECTED, fit->expected_score, NULL);
    assay_score_set(model, ASSAY_SCORE_KAPPA_TOPICS, fit->expected_s, NULL);
    assay_score_set(model, ASSAY_SCORE_KAPPA, exp(fit->expected_log_kappa), NULL);
    assay_score_set(model, ASSAY_SCORE_KAPPA_LOG_EVIDENCE, fit->log_evidence, NULL);
    assay_kappa_free(fit);
    return ASSAY_OK;
}

static assay_status partitions(const assay_score_options *options, assay_score_model *model)
{
    assay_outcomes outcomes = { model->x, model->m, NULL };
    assay_score_prior prior = { model->log_prior, options->a, options->b };
    assay_posterior *fit;
    assay_mixture mixture;
    double bounds[2] = { NAN, NAN };
    assay_status status = assay_partitions_new(model->tree, outcomes, prior, &fit);

    if (status != ASSAY_OK) return status;
    status = assay_reading_mixture(fit, ASSAY_READING_SPREAD, &mixture);
    if (status == ASSAY_OK) status = assay_mixture_interval(&mixture, options->level, bounds);
    assay_score_set(model, ASSAY_SCORE_PARTITIONS_CORRECTED, fit->expected_score, NULL);
    assay_score_set(model, ASSAY_SCORE_PARTITIONS_SPREAD_LOW, bounds[0], NULL);
    assay_score_set(model, ASSAY_SCORE_PARTITIONS_SPREAD_HIGH, bounds[1], NULL);
    assay_score_set(model, ASSAY_SCORE_PARTITIONS_TOPICS, fit->expected_s, NULL);
    assay_score_set(model, ASSAY_SCORE_PARTITIONS_LOG_EVIDENCE, fit->log_evidence, NULL);
    assay_mixture_free(&mixture);
    assay_posterior_free(fit);
    return status;
}

/* Each of the trees pruned as the model's own was, so that prompts keep their places. */
static assay_status trees(const assay_score_options *options, assay_score_model *model)
{
    assay_outcomes outcomes = { model->x, model->m, NULL };
    assay_score_prior prior = { model->log_prior, options->a, options->b };
    size_t n_trees = options->n_trees;
    assay_dendrogram **pruned = assay_alloc_zero(n_trees, sizeof *pruned);
    assay_average *fit = NULL;
    assay_status status = ASSAY_OK;

    if (!pruned) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu trees", n_trees);
    for (size_t k = 0; k < n_trees && status == ASSAY_OK; k++)
        status = assay_dendrogram_prune(options->trees[k], model->has, NULL, &pruned[k]);
    if (status != ASSAY_OK) goto done;
    status = assay_average_trees((const assay_dendrogram *const *)pruned, options->log_tree_weight,
                                 n_trees, outcomes, prior, &fit);
    if (status != ASSAY_OK) goto done;
    assay_score_set(model, ASSAY_SCORE_TREES_CORRECTED, fit->expected_score, NULL);
    assay_score_set(model, ASSAY_SCORE_TREES_TOPICS, fit->expected_s, NULL);
    assay_score_set(model, ASSAY_SCORE_TREES_LOG_EVIDENCE, fit->log_evidence, NULL);
    assay_score_set(model, ASSAY_SCORE_TREES_TOPICS_LEAST, fit->least_s, NULL);
    assay_score_set(model, ASSAY_SCORE_TREES_TOPICS_MOST, fit->most_s, NULL);
    assay_score_set(model, ASSAY_SCORE_TREES_CORRECTED_LEAST, fit->least_score, NULL);
    assay_score_set(model, ASSAY_SCORE_TREES_CORRECTED_MOST, fit->most_score, NULL);
    status = average_intervals(fit, options->level, ASSAY_SCORE_TREES_SPREAD_LOW, model);
done:
    for (size_t k = 0; k < n_trees; k++) assay_dendrogram_free(pruned[k]);
    free(pruned);
    assay_average_free(fit);
    return status;
}
