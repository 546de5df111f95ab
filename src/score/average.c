/* SPDX-License-Identifier: Apache-2.0 */
#include "score/average.h"

#include "core/error.h"
#include "core/memory.h"
#include "score/readings.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

assay_status assay_average_trees(const assay_dendrogram *const *trees, const double *log_weight,
                                 size_t n_trees, assay_outcomes outcomes, assay_score_prior prior,
                                 assay_average **out)
{
    assay_average *average = NULL;
    assay_status status;

    *out = NULL;
    for (size_t k = 1; k < n_trees; k++)
        if (trees[k]->n != trees[0]->n)
            return assay_fail(ASSAY_E_SHAPE, "trees of %zu and of %zu prompts", trees[0]->n,
                              trees[k]->n);
    if ((status = assay_average_new(trees[0]->n, n_trees, &average)) != ASSAY_OK) goto done;
    for (size_t k = 0; k < n_trees; k++) {
        assay_posterior *part;
        status = assay_posterior_new(trees[k], outcomes, prior, &part);
        if (status != ASSAY_OK) goto done;
        assay_average_add(average, part, log_weight ? log_weight[k] : 0.0);
    }
    assay_average_finish(average);
    *out = average;
    average = NULL;
done:
    assay_average_free(average);
    return status;
}

assay_status assay_average_new(size_t n, size_t n_parts, assay_average **out)
{
    assay_average *average = assay_alloc_zero(1, sizeof *average);

    *out = NULL;
    if (average) {
        average->n = n;
        average->parts = assay_alloc_zero(n_parts, sizeof(assay_posterior *));
        average->weight = assay_alloc(n_parts, sizeof *average->weight);
        average->post = assay_alloc_zero(n, sizeof *average->post);
    }
    if (!average || !average->parts || !average->weight || !average->post) {
        assay_average_free(average);
        return assay_fail(ASSAY_E_NOMEM, "no memory for an average of %zu posteriors", n_parts);
    }
    *out = average;
    return ASSAY_OK;
}

void assay_average_free(assay_average *average)
{
    if (!average) return;
    for (size_t k = 0; k < average->n_parts; k++) assay_posterior_free(average->parts[k]);
    free(average->parts);
    free(average->weight);
    free(average->post);
    free(average);
}

/* Until assay_average_finish(), weight[k] is the ln of the prior weight. */
void assay_average_add(assay_average *average, assay_posterior *part, double log_weight)
{
    average->weight[average->n_parts] = log_weight;
    average->parts[average->n_parts++] = part;
}

/* Of each part the moments E, and the variances about its own mean, are known; variances add to
   what the means differ by. */
void assay_average_finish(assay_average *average)
{
    size_t n = average->n;
    double of_prior = assay_log_sum_exp(average->weight, average->n_parts);

    for (size_t k = 0; k < average->n_parts; k++)
        average->weight[k] += average->parts[k]->log_evidence;
    average->log_evidence = assay_log_sum_exp(average->weight, average->n_parts);
    average->least_s = average->least_score = INFINITY;
    average->most_s = average->most_score = -INFINITY;
    for (size_t k = 0; k < average->n_parts; k++) {
        const assay_posterior *part = average->parts[k];
        double weight = exp(average->weight[k] - average->log_evidence);

        average->weight[k] = weight;
        for (size_t s = 0; s < n; s++) average->post[s] += weight * part->post[s];
        average->expected_s += weight * part->expected_s;
        average->expected_n_per_s += weight * part->expected_n_per_s;
        average->expected_score += weight * part->expected_score;
        average->least_s = fmin(average->least_s, part->expected_s);
        average->most_s = fmax(average->most_s, part->expected_s);
        average->least_score = fmin(average->least_score, part->expected_score);
        average->most_score = fmax(average->most_score, part->expected_score);
    }
    average->log_evidence -= of_prior;
    for (size_t k = 0; k < average->n_parts; k++) {
        const assay_posterior *part = average->parts[k];
        double away = part->expected_score - average->expected_score;

        average->variance[ASSAY_READING_SPREAD] +=
            average->weight[k] * (part->var_within + part->var_between + away * away);
        average->variance[ASSAY_READING_THESE] +=
            average->weight[k] * (part->variance_b + away * away);
        average->variance[ASSAY_READING_LIKE] +=
            average->weight[k] * (part->variance_c + away * away);
    }
}

/* The parts' own mixtures one after the other, for those that have weight. */
assay_status assay_average_mixture(const assay_average *average, assay_reading reading,
                                   assay_mixture *out)
{
    double *weight = NULL, *a = NULL, *b = NULL;
    size_t room[3] = { 0, 0, 0 }, n = 0;
    assay_mixture part = { 0 };
    assay_status status = ASSAY_OK;

    *out = (assay_mixture){ 0 };
    for (size_t k = 0; k < average->n_parts; k++) {
        if (average->weight[k] < 1e-3 * ASSAY_MIXTURE_DROP / (double)average->n_parts) continue;
        status = assay_reading_mixture(average->parts[k], reading, &part);
        if (status != ASSAY_OK) goto done;
        if (assay_grow(&weight, &room[0], n + part.n, sizeof *weight) != 0 ||
            assay_grow(&a, &room[1], n + part.n, sizeof *a) != 0 ||
            assay_grow(&b, &room[2], n + part.n, sizeof *b) != 0) {
            status = assay_fail(ASSAY_E_NOMEM, "no memory for a mixture over %zu posteriors",
                                average->n_parts);
            goto done;
        }
        for (size_t i = 0; i < part.n; i++) weight[n + i] = average->weight[k] * part.weight[i];
        memcpy(a + n, part.a, part.n * sizeof *a);
        memcpy(b + n, part.b, part.n * sizeof *b);
        n += part.n;
        assay_mixture_free(&part);
    }
    status = assay_mixture_new(weight, a, b, n, out);
done:
    assay_mixture_free(&part);
    free(weight);
    free(a);
    free(b);
    return status;
}

assay_rate assay_average_prompt_rate(const assay_average *average, size_t i)
{
    assay_rate rate = { 0.0, 0.0 };
    double square = 0.0;

    for (size_t k = 0; k < average->n_parts; k++) {
        assay_rate part = assay_prompt_rate(average->parts[k], i);
        rate.mean += average->weight[k] * part.mean;
        square += average->weight[k] * (part.variance + part.mean * part.mean);
    }
    rate.variance = fmax(square - rate.mean * rate.mean, 0.0);
    return rate;
}

double assay_average_prompt_log_density(const assay_average *average, size_t i, double x, double m)
{
    double largest = -INFINITY, sum = 0.0;

    for (size_t k = 0; k < average->n_parts; k++) {
        double value = log(average->weight[k]);

        value += assay_prompt_log_density(average->parts[k], i, x, m);
        if (!(value > -INFINITY)) continue;
        if (value > largest) {
            sum *= exp(largest - value);
            largest = value;
        }
        sum += exp(value - largest);
    }
    return largest + log(sum);
}
