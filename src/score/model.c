/* SPDX-License-Identifier: Apache-2.0 */
#include "score/fit.h"

#include "core/error.h"
#include "core/memory.h"
#include "score/readings.h"

#include <math.h>
#include <stdlib.h>

static const char one_topic[] = "all prompts are one topic, or each is its own";
static const char no_variance[] = "every prompt has the same score";
static const char not_asked[] = "was not asked for";

static assay_status take_prompts(const assay_dendrogram *tree, const double *x, const double *m,
                                 assay_score_model *model);
static assay_status intervals(const assay_score_options *options, assay_score_model *model);
static void raw(assay_score_model *model);
static void corrected(assay_score_model *model);
static assay_status from_responses(assay_score_model *model);

assay_status assay_score_model_fit(const assay_dendrogram *tree, const double *x, const double *m,
                                   const assay_score_options *options, assay_score_model *model)
{
    assay_score_prior prior = { NULL, options->a, options->b };
    assay_status status;

    for (int k = 0; k < ASSAY_SCORE_N_NUMBERS; k++)
        assay_score_set(model, (assay_score_number)k, NAN, not_asked);
    if ((status = take_prompts(tree, x, m, model)) != ASSAY_OK) return status;
    if ((status = assay_prior_log(&options->prior, model->n, model->log_prior)) != ASSAY_OK)
        return status;
    prior.log_prior = model->log_prior;
    status = assay_posterior_new(model->tree, (assay_outcomes){ model->x, model->m, NULL }, prior,
                                 &model->posterior);
    if (status != ASSAY_OK) return status;
    raw(model);
    corrected(model);
    if ((status = intervals(options, model)) != ASSAY_OK) return status;
    if ((status = from_responses(model)) != ASSAY_OK) return status;
    return assay_score_model_extend(options, model);
}

void assay_score_model_free(assay_score_model *model)
{
    assay_dendrogram_free(model->tree);
    assay_posterior_free(model->posterior);
    for (int r = 0; r < 3; r++) assay_mixture_free(&model->reading[r]);
    free(model->has);
    free(model->kept);
    free(model->x);
    free(model->m);
    free(model->log_prior);
}

static assay_status take_prompts(const assay_dendrogram *tree, const double *x, const double *m,
                                 assay_score_model *model)
{
    size_t n = tree->n;

    model->has = assay_alloc(n, 1);
    model->kept = assay_alloc(n, sizeof *model->kept);
    model->x = assay_alloc(n, sizeof *model->x);
    model->m = assay_alloc(n, sizeof *model->m);
    model->log_prior = assay_alloc(n, sizeof *model->log_prior);
    if (!model->has || !model->kept || !model->x || !model->m || !model->log_prior)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the outcomes of %zu prompts", n);
    for (size_t i = 0; i < n; i++) {
        model->has[i] = !(isnan(x[i]) || isnan(m[i]) || m[i] == 0.0);
        model->n += model->has[i];
    }
    if (model->n == 0) return assay_fail(ASSAY_E_SHAPE, "score: a model has no prompt");
    for (size_t i = 0, j = 0; i < n; i++) {
        if (!model->has[i]) continue;
        model->x[j] = x[i];
        model->m[j++] = m[i];
    }
    return assay_dendrogram_prune(tree, model->has, model->kept, &model->tree);
}

static void raw(assay_score_model *model)
{
    double runs = 0.0, sum = 0.0;

    for (size_t i = 0; i < model->n; i++) {
        runs += model->m[i];
        sum += model->x[i] / model->m[i];
    }
    assay_score_set(model, ASSAY_SCORE_PROMPTS, (double)model->n, NULL);
    assay_score_set(model, ASSAY_SCORE_RUNS, runs, NULL);
    assay_score_set(model, ASSAY_SCORE_RAW, sum / (double)model->n, NULL);
}

static void corrected(assay_score_model *model)
{
    const assay_posterior *p = model->posterior;
    double n = (double)p->n, variance = p->var_within + p->var_between;

    assay_score_set(model, ASSAY_SCORE_CORRECTED, p->expected_score, NULL);
    assay_score_set(model, ASSAY_SCORE_SPREAD_SD, sqrt(variance), NULL);
    assay_score_set(model, ASSAY_SCORE_THESE_SD, sqrt(p->variance_b), NULL);
    assay_score_set(model, ASSAY_SCORE_LIKE_SD, sqrt(p->variance_c), NULL);
    assay_score_set(model, ASSAY_SCORE_SHARE_WITHIN, p->var_within / variance, NULL);
    assay_score_set(model, ASSAY_SCORE_TOPICS, p->expected_s, NULL);
    assay_score_set(model, ASSAY_SCORE_TOPICS_MAP, (double)p->map_s, NULL);
    assay_score_set(model, ASSAY_SCORE_TOPICS_LOW, (double)p->low_s, NULL);
    assay_score_set(model, ASSAY_SCORE_TOPICS_HIGH, (double)p->high_s, NULL);
    assay_score_set(model, ASSAY_SCORE_OVERCOUNT, n / p->expected_s, NULL);
    assay_score_set(model, ASSAY_SCORE_MEAN_OVERCOUNT, p->expected_n_per_s, NULL);
    assay_score_set(model, ASSAY_SCORE_REDUCTION, 100.0 * (1.0 - p->expected_s / n), NULL);
    assay_score_set(model, ASSAY_SCORE_KISH, p->kish, NULL);
    assay_score_set(model, ASSAY_SCORE_LOG_EVIDENCE, p->log_evidence, NULL);
    assay_score_set(model, ASSAY_SCORE_RUNS_PER_TOPIC,
                    model->value[ASSAY_SCORE_RUNS] / p->expected_s, NULL);
}

static assay_status intervals(const assay_score_options *options, assay_score_model *model)
{
    for (int r = 0; r < 3; r++) {
        double bounds[2];
        assay_status status =
            assay_reading_mixture(model->posterior, (assay_reading)r, &model->reading[r]);

        if (status != ASSAY_OK) return status;
        status = assay_mixture_interval(&model->reading[r], options->level, bounds);
        if (status != ASSAY_OK) return status;
        model->value[ASSAY_SCORE_SPREAD_LOW + 2 * r] = bounds[0];
        model->value[ASSAY_SCORE_SPREAD_HIGH + 2 * r] = bounds[1];
        model->reason[ASSAY_SCORE_SPREAD_LOW + 2 * r] = NULL;
        model->reason[ASSAY_SCORE_SPREAD_HIGH + 2 * r] = NULL;
    }
    return ASSAY_OK;
}

/* One-way analysis of variance of the prompts' scores over the most probable topics. */
static assay_status from_responses(assay_score_model *model)
{
    size_t n = model->n, C = model->posterior->map_s, *label = assay_alloc(n, sizeof *label);
    double *sum = assay_alloc_zero(2 * n, sizeof *sum), *count;
    double N = (double)n, K = (double)C, between = 0.0, within = 0.0, squares = 0.0, icc;
    assay_status status = ASSAY_E_NOMEM;

    if (!label || !sum) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the topics of %zu prompts", n);
        goto done;
    }
    count = sum + n;
    if ((status = assay_dendrogram_labels(model->tree, C, label)) != ASSAY_OK) goto done;
    for (size_t i = 0; i < n; i++) {
        sum[label[i]] += model->x[i] / model->m[i];
        count[label[i]] += 1.0;
    }
    for (size_t k = 0; k < C; k++) {
        double away = sum[k] / count[k] - model->value[ASSAY_SCORE_RAW];
        between += count[k] * away * away;
        squares += count[k] * count[k];
    }
    for (size_t i = 0; i < n; i++) {
        double away = model->x[i] / model->m[i] - sum[label[i]] / count[label[i]];
        within += away * away;
    }
    between /= K - 1.0;
    within /= N - K;
    icc = (between - within) / (between + ((N - squares / N) / (K - 1.0) - 1.0) * within);
    if (C < 2 || C == n) icc = NAN;
    icc = isnan(icc) ? NAN : fmin(fmax(icc, 0.0), 1.0);
    assay_score_set(model, ASSAY_SCORE_ICC, icc, C < 2 || C == n ? one_topic : no_variance);
    assay_score_set(model, ASSAY_SCORE_RESPONSE_SIZE, N / (1.0 + (squares / N - 1.0) * icc),
                    C < 2 || C == n ? one_topic : no_variance);
done:
    free(label);
    free(sum);
    return status;
}
