/* SPDX-License-Identifier: Apache-2.0 */
#include "score/family.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>

struct work;

static void measure(const double *X, const double *M, const double beta[2], assay_partition *out);
static double weigh(struct work *work, const double *log_prior);
static void mix_scores(const struct work *work, assay_sensitivity *row);
static void mix_topics(struct work *work, assay_sensitivity *row);

assay_status assay_partition_measure(const size_t *labels, size_t n, assay_outcomes outcomes,
                                     const double beta[2], assay_partition *out)
{
    double *X = assay_alloc_zero(2 * n, sizeof *X), *M;

    if (!X) return assay_fail(ASSAY_E_NOMEM, "no memory for a partition of %zu prompts", n);
    M = X + n;
    *out = (assay_partition){ .log_likelihood = assay_log_coefficients(outcomes, n) };
    for (size_t i = 0; i < n; i++) {
        X[labels[i]] += outcomes.x[i];
        M[labels[i]] += outcomes.m[i];
        if (labels[i] >= out->n_clusters) out->n_clusters = labels[i] + 1;
    }
    measure(X, M, beta, out);
    free(X);
    return ASSAY_OK;
}

/* A: the spread of the clusters' rates; B and C as in the posterior over a tree. */
static void measure(const double *X, const double *M, const double beta[2], assay_partition *out)
{
    const double S = (double)out->n_clusters, base = assay_log_beta(beta[0], beta[1]);
    double within = 0.0, between = 0.0;

    for (size_t c = 0; c < out->n_clusters; c++) {
        const double a = beta[0] + X[c], b = beta[1] + (M[c] - X[c]), mu = a / (a + b);

        out->log_likelihood += assay_log_beta(a, b) - base;
        out->mean += mu / S;
        within += mu * (b / (a + b)) / (a + b + 1.0) / S;
    }
    for (size_t c = 0; c < out->n_clusters; c++) {
        const double away = (beta[0] + X[c]) / (beta[0] + beta[1] + M[c]) - out->mean;

        between += away * away / S;
    }
    out->spread = within + between;
    out->these = within / S;
    out->like = (2.0 * within + between) / (S + 1.0);
}

/* While partitions are mixed; by_s has n numbers, the others one a partition. */
struct work {
    const assay_partition *partitions;
    size_t n_partitions, n;
    double *log_likelihood, *log_weight, *weight, *by_s;
};

assay_status assay_family_mix(const assay_partition *partitions, size_t n_partitions,
                              const double *log_prior, size_t n, assay_sensitivity *row)
{
    double *numbers = n_partitions < SIZE_MAX / 4
                          ? assay_alloc_zero(3 * n_partitions + n, sizeof *numbers)
                          : NULL;
    struct work work = { .partitions = partitions, .n_partitions = n_partitions, .n = n };
    assay_status status = ASSAY_OK;
    double log_evidence;

    if (!numbers) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu partitions", n_partitions);
    work.log_likelihood = numbers;
    work.log_weight = numbers + n_partitions;
    work.weight = numbers + 2 * n_partitions;
    work.by_s = numbers + 3 * n_partitions;
    log_evidence = weigh(&work, log_prior);
    if (log_evidence > -INFINITY) {
        *row = (assay_sensitivity){ .log_evidence = log_evidence };
        mix_scores(&work, row);
        mix_topics(&work, row);
    } else {
        status = assay_fail(ASSAY_E_DEGENERATE,
                            "the prior leaves no number of topics possible that is among the "
                            "partitions of %zu prompts",
                            n);
    }
    free(numbers);
    return status;
}

/* The posterior weights. Returns the ln evidence, -infinity where no partition is possible. */
static double weigh(struct work *work, const double *log_prior)
{
    double log_total;

    for (size_t k = 0; k < work->n_partitions; k++)
        work->by_s[work->partitions[k].n_clusters - 1] += 1.0;
    for (size_t k = 0; k < work->n_partitions; k++) {
        const size_t s = work->partitions[k].n_clusters - 1;

        work->log_likelihood[k] = work->partitions[k].log_likelihood;
        work->log_weight[k] = log_prior[s] - log(work->by_s[s]);
    }
    log_total = assay_log_sum_exp(work->log_weight, work->n_partitions);
    if (!(log_total > -INFINITY)) return -INFINITY;
    return assay_normalise_curve(work->log_likelihood, work->log_weight, work->n_partitions,
                                 work->weight) -
           log_total;
}

static void mix_scores(const struct work *work, assay_sensitivity *row)
{
    double spread = 0.0, these = 0.0, like = 0.0;

    for (size_t k = 0; k < work->n_partitions; k++)
        row->score += work->weight[k] * work->partitions[k].mean;
    for (size_t k = 0; k < work->n_partitions; k++) {
        const assay_partition *of = &work->partitions[k];
        const double away = of->mean - row->score;

        spread += work->weight[k] * (of->spread + away * away);
        these += work->weight[k] * (of->these + away * away);
        like += work->weight[k] * (of->like + away * away);
    }
    row->spread_sd = sqrt(spread);
    row->these_sd = sqrt(these);
    row->like_sd = sqrt(like);
}

static void mix_topics(struct work *work, assay_sensitivity *row)
{
    double below = 0.0;

    for (size_t s = 0; s < work->n; s++) work->by_s[s] = 0.0;
    for (size_t k = 0; k < work->n_partitions; k++)
        work->by_s[work->partitions[k].n_clusters - 1] += work->weight[k];
    for (size_t s = 0; s < work->n; s++) {
        const double S = (double)(s + 1);

        row->topics += work->by_s[s] * S;
        below += work->by_s[s];
        if (row->topics_low == 0.0 && below >= 0.025) row->topics_low = S;
        if (row->topics_high == 0.0 && below >= 0.975) row->topics_high = S;
    }
    row->overcount = (double)work->n / row->topics;
}
