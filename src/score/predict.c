/* SPDX-License-Identifier: Apache-2.0 */
#include "score/predict.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>

assay_rate assay_prompt_rate(const assay_posterior *posterior, size_t i)
{
    assay_rate rate = { 0.0, 0.0 };
    double total = 0.0;

    for (size_t c = i; c != SIZE_MAX; c = posterior->parent[c]) {
        rate.mean += posterior->present[c] * posterior->mu[c];
        total += posterior->present[c];
    }
    rate.mean /= total; /* 1 but for rounding */
    for (size_t c = i; c != SIZE_MAX; c = posterior->parent[c]) {
        double away = posterior->mu[c] - rate.mean;
        rate.variance += posterior->present[c] * (posterior->v[c] + away * away);
    }
    return rate;
}

/* ln of a sum that grows: sum times exp(largest). */
typedef struct log_total {
    double largest, sum;
} log_total;

static void add_log(log_total *total, double weight, double value)
{
    if (!(weight > 0.0)) return;
    if (value > total->largest) {
        total->sum *= exp(total->largest - value);
        total->largest = value;
    }
    total->sum += weight * exp(value - total->largest);
}

double assay_log_beta_binomial(double x, double m, double a, double b)
{
    return assay_log_choose(m, x) + assay_log_beta(a + x, b + (m - x)) - assay_log_beta(a, b);
}

double assay_prompt_log_density(const assay_posterior *posterior, size_t i, double x, double m)
{
    log_total total = { -INFINITY, 0.0 };

    for (size_t c = i; c != SIZE_MAX; c = posterior->parent[c])
        add_log(&total, posterior->present[c],
                assay_log_beta_binomial(x, m, posterior->a[c], posterior->b[c]));
    return total.largest + log(total.sum);
}

double assay_new_topic_log_density(const assay_posterior *posterior, double x, double m)
{
    log_total total = { -INFINITY, 0.0 };

    for (size_t c = 0; c < 2 * posterior->n - 1; c++)
        add_log(&total, posterior->weight[c],
                assay_log_beta_binomial(x, m, posterior->a[c], posterior->b[c]));
    return total.largest + log(total.sum);
}

/* 1 - B(a, b + k) / B(a, b) */
static double hit(const assay_posterior *posterior, size_t c, double k)
{
    double a = posterior->a[c], b = posterior->b[c];

    return -expm1(assay_log_beta(a, b + k) - assay_log_beta(a, b));
}

double assay_hit_at_k(const assay_posterior *posterior, size_t i, double k)
{
    double sum = 0.0;

    if (i == SIZE_MAX) {
        for (size_t c = 0; c < 2 * posterior->n - 1; c++)
            if (posterior->weight[c] > 0.0) sum += posterior->weight[c] * hit(posterior, c, k);
        return sum;
    }
    for (size_t c = i; c != SIZE_MAX; c = posterior->parent[c])
        sum += posterior->present[c] * hit(posterior, c, k);
    return sum;
}

/* Put value at every pair of a leaf of one cluster and a leaf of the other; then the two lists of
   leaves, linked by next, become one. */
static void join(double *psm, size_t n, size_t *next, const size_t first[2], size_t last,
                 double value)
{
    for (size_t i = first[0]; i != SIZE_MAX; i = next[i])
        for (size_t j = first[1]; j != SIZE_MAX; j = next[j])
            psm[i * n + j] = psm[j * n + i] = value;
    next[last] = first[1];
}

assay_status assay_posterior_similarity(const assay_posterior *posterior,
                                        const assay_dendrogram *tree, double *psm)
{
    size_t n = posterior->n;
    size_t *next = assay_alloc(n, sizeof *next);
    size_t *ends = assay_alloc(2 * (2 * n - 1), sizeof *ends); /* first and last leaf of a node */
    double *below = assay_alloc(n, sizeof *below);             /* P(S <= s + 1 | x) */
    assay_status status = ASSAY_OK;

    if (!next || !ends || !below) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the similarity of %zu prompts", n);
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        next[i] = SIZE_MAX;
        ends[2 * i] = ends[2 * i + 1] = i;
        psm[i * n + i] = 1.0;
        below[i] = posterior->post[i] + (i ? below[i - 1] : 0.0);
    }
    for (size_t t = 0; t + 1 < n; t++) {
        const size_t *left = ends + 2 * tree->children[2 * t];
        const size_t *right = ends + 2 * tree->children[2 * t + 1];
        size_t *both = ends + 2 * (n + t);

        join(psm, n, next, (const size_t[2]){ left[0], right[0] }, left[1], below[n - 2 - t]);
        both[0] = left[0];
        both[1] = right[1];
    }
done:
    free(below);
    free(ends);
    free(next);
    return status;
}
