/* SPDX-License-Identifier: Apache-2.0 */
#include "score/posterior.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>

static assay_posterior *allocate(size_t n);
static void make_nodes(const assay_dendrogram *tree, assay_outcomes outcomes, double a0, double b0,
                       assay_posterior *posterior);
static void make_likelihood(const assay_dendrogram *tree, double coefficients, double a0, double b0,
                            assay_posterior *posterior, double *work);
static void weigh_nodes(assay_posterior *posterior, double *work);
static void moments_by_s(const assay_dendrogram *tree, assay_posterior *posterior, double *work);
static void moments_of_sizes(const assay_dendrogram *tree, assay_posterior *posterior,
                             double *work);
static void moments_of_s(assay_posterior *posterior);
static void moments_of_score(assay_posterior *posterior);

assay_status assay_posterior_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                                 assay_score_prior prior, assay_posterior **out)
{
    size_t n = tree->n;
    assay_posterior *posterior = assay_posterior_start(tree, outcomes, prior.a, prior.b);
    double *work = assay_alloc(3 * n, sizeof *work); /* a value a node, and one an S */
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!posterior || !work) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the posterior of %zu prompts", n);
        goto done;
    }
    make_likelihood(tree, assay_log_coefficients(outcomes, n), prior.a, prior.b, posterior, work);
    posterior->log_evidence =
        assay_normalise_curve(posterior->log_likelihood, prior.log_prior, n, posterior->post);
    if (!(posterior->log_evidence > -INFINITY)) {
        status = assay_fail(ASSAY_E_DEGENERATE,
                            "the prior leaves no number of topics possible with %zu prompts", n);
        goto done;
    }
    weigh_nodes(posterior, work);
    moments_by_s(tree, posterior, work);
    moments_of_sizes(tree, posterior, work);
    assay_posterior_summarise(posterior);
    *out = posterior;
    posterior = NULL;
done:
    free(work);
    assay_posterior_free(posterior);
    return status;
}

assay_posterior *assay_posterior_start(const assay_dendrogram *tree, assay_outcomes outcomes,
                                       double a, double b)
{
    assay_posterior *posterior = allocate(tree->n);

    if (posterior) make_nodes(tree, outcomes, a, b, posterior);
    return posterior;
}

void assay_posterior_summarise(assay_posterior *posterior)
{
    moments_of_s(posterior);
    moments_of_score(posterior);
}

void assay_posterior_free(assay_posterior *posterior)
{
    if (!posterior) return;
    free(posterior->parent);
    free(posterior->numbers);
    free(posterior);
}

void assay_node_totals(const assay_dendrogram *tree, assay_outcomes outcomes, double *X, double *M)
{
    size_t n = tree->n;

    for (size_t i = 0; i < n; i++) {
        int seen = !outcomes.mask || outcomes.mask[i];
        X[i] = seen ? outcomes.x[i] : 0.0;
        M[i] = seen ? outcomes.m[i] : 0.0;
    }
    for (size_t t = 0; t + 1 < n; t++) {
        size_t left = tree->children[2 * t], right = tree->children[2 * t + 1];
        X[n + t] = X[left] + X[right];
        M[n + t] = M[left] + M[right];
    }
}

/* Neumaier's sum: what rounding loses of each addition is kept apart. */
typedef struct running_sum {
    double sum, lost;
} running_sum;

static inline void add(running_sum *to, double value)
{
    double sum = to->sum + value;

    to->lost += fabs(to->sum) >= fabs(value) ? (to->sum - sum) + value : (value - sum) + to->sum;
    to->sum = sum;
}

void assay_cut_sums(const assay_dendrogram *tree, const double *value, double *sums)
{
    size_t n = tree->n;
    running_sum running = { value[2 * n - 2], 0.0 };

    sums[0] = running.sum;
    for (size_t t = n - 1; t-- > 0;) { /* undoing merge t gives one cluster more */
        add(&running, -value[n + t]);
        add(&running, value[tree->children[2 * t]]);
        add(&running, value[tree->children[2 * t + 1]]);
        sums[n - 1 - t] = running.sum + running.lost;
    }
}

double assay_log_coefficients(assay_outcomes outcomes, size_t n)
{
    running_sum total = { 0.0, 0.0 };

    for (size_t i = 0; i < n; i++)
        if (!outcomes.mask || outcomes.mask[i])
            add(&total, assay_log_choose(outcomes.m[i], outcomes.x[i]));
    return total.sum + total.lost;
}

assay_status assay_likelihood_curve(const assay_dendrogram *tree, assay_outcomes outcomes, double a,
                                    double b, double *log_likelihood)
{
    size_t n = tree->n, n_nodes = 2 * n - 1;
    double *X = assay_alloc(2 * n_nodes, sizeof *X), *M;
    double base = assay_log_beta(a, b), coefficients = assay_log_coefficients(outcomes, n);

    if (!X) return assay_fail(ASSAY_E_NOMEM, "no memory for the likelihood of %zu prompts", n);
    M = X + n_nodes;
    assay_node_totals(tree, outcomes, X, M);
    for (size_t c = 0; c < n_nodes; c++) X[c] = assay_log_beta(a + X[c], b + M[c] - X[c]) - base;
    assay_cut_sums(tree, X, log_likelihood);
    for (size_t s = 0; s < n; s++) log_likelihood[s] += coefficients;
    free(X);
    return ASSAY_OK;
}

double assay_normalise_curve(const double *log_likelihood, const double *log_prior, size_t n,
                             double *post)
{
    double largest = -INFINITY, sum = 0.0;

    for (size_t s = 0; s < n; s++) largest = fmax(largest, log_likelihood[s] + log_prior[s]);
    if (!(largest > -INFINITY)) return -INFINITY;
    for (size_t s = 0; s < n; s++) {
        post[s] = exp(log_likelihood[s] + log_prior[s] - largest);
        sum += post[s];
    }
    for (size_t s = 0; s < n; s++) post[s] /= sum;
    return largest + log(sum);
}

/* ---- steps, in their order ---- */

static assay_posterior *allocate(size_t n)
{
    assay_posterior *posterior = assay_alloc_zero(1, sizeof *posterior);
    size_t n_nodes = 2 * n - 1;
    double *next;

    if (!posterior) return NULL;
    posterior->n = n;
    posterior->parent = assay_alloc(n_nodes, sizeof *posterior->parent);
    posterior->numbers = assay_alloc_zero(6 * n_nodes + 5 * n, sizeof *next);
    if (!posterior->parent || !posterior->numbers) {
        assay_posterior_free(posterior);
        return NULL;
    }
    next = posterior->numbers;
    posterior->a = next;
    posterior->b = next += n_nodes;
    posterior->mu = next += n_nodes;
    posterior->v = next += n_nodes;
    posterior->present = next += n_nodes;
    posterior->weight = next += n_nodes;
    posterior->log_likelihood = next += n_nodes;
    posterior->post = next += n;
    posterior->mean = next += n;
    posterior->var_b = next += n;
    posterior->var_c = next + n;
    return posterior;
}

static void make_nodes(const assay_dendrogram *tree, assay_outcomes outcomes, double a0, double b0,
                       assay_posterior *posterior)
{
    size_t n = tree->n, n_nodes = 2 * n - 1;
    double *a = posterior->a, *b = posterior->b;

    assay_node_totals(tree, outcomes, a, b);
    posterior->parent[n_nodes - 1] = SIZE_MAX;
    for (size_t k = 0; k + 2 < 2 * n; k++) posterior->parent[tree->children[k]] = n + k / 2;
    for (size_t c = 0; c < n_nodes; c++) {
        double sum = a0 + b0 + b[c];

        b[c] = b0 + (b[c] - a[c]);
        a[c] += a0;
        posterior->mu[c] = a[c] / sum;
        posterior->v[c] = posterior->mu[c] * (b[c] / sum) / (sum + 1.0);
    }
}

static void make_likelihood(const assay_dendrogram *tree, double coefficients, double a0, double b0,
                            assay_posterior *posterior, double *work)
{
    double base = assay_log_beta(a0, b0);

    for (size_t c = 0; c < 2 * tree->n - 1; c++)
        work[c] = assay_log_beta(posterior->a[c], posterior->b[c]) - base;
    assay_cut_sums(tree, work, posterior->log_likelihood);
    for (size_t s = 0; s < tree->n; s++) posterior->log_likelihood[s] += coefficients;
}

/* Sums over any run of leaves of a binary tree of sums, which has 2 n entries: no two numbers are
   ever subtracted, so that small weights keep their digits. */
static void raise_sums(double *sums, size_t n)
{
    for (size_t i = n - 1; i > 0; i--) sums[i] = sums[2 * i] + sums[2 * i + 1];
}

static double sum_of_run(const double *sums, size_t n, size_t first, size_t end)
{
    double sum = 0.0;

    for (first += n, end += n; first < end; first /= 2, end /= 2) {
        if (first & 1) sum += sums[first++];
        if (end & 1) sum += sums[--end];
    }
    return sum;
}

static void weigh_nodes(assay_posterior *posterior, double *work)
{
    size_t n = posterior->n;

    for (size_t s = 0; s < n; s++) work[n + s] = posterior->post[s];
    raise_sums(work, n);
    for (size_t c = 0; c < 2 * n - 1; c++)
        posterior->present[c] =
            sum_of_run(work, n, assay_node_first(posterior, c) - 1, assay_node_last(posterior, c));
    for (size_t s = 0; s < n; s++) work[n + s] = posterior->post[s] / (double)(s + 1);
    raise_sums(work, n);
    for (size_t c = 0; c < 2 * n - 1; c++)
        posterior->weight[c] =
            sum_of_run(work, n, assay_node_first(posterior, c) - 1, assay_node_last(posterior, c));
}

/* Given S: mean = sum mu / S; B: sum v / S^2; C, a Dirichlet(1, ..., 1) average of the clusters:
   2 sum v / (S (S + 1)) + (mean of mu^2 - mean^2) / (S + 1). */
static void moments_by_s(const assay_dendrogram *tree, assay_posterior *posterior, double *work)
{
    size_t n = tree->n, n_nodes = 2 * n - 1;

    assay_cut_sums(tree, posterior->mu, posterior->mean);
    assay_cut_sums(tree, posterior->v, posterior->var_b);
    for (size_t c = 0; c < n_nodes; c++) work[c] = posterior->mu[c] * posterior->mu[c];
    assay_cut_sums(tree, work, posterior->var_c);
    for (size_t s = 0; s < n; s++) {
        double S = (double)(s + 1), mean = posterior->mean[s] / S, v = posterior->var_b[s];
        double spread = fmax(posterior->var_c[s] / S - mean * mean, 0.0);

        posterior->mean[s] = mean;
        posterior->var_b[s] = v / (S * S);
        posterior->var_c[s] = 2.0 * v / (S * (S + 1.0)) + spread / (S + 1.0);
    }
}

/* E[n^2 / sum_k n_k^2]: the squares of the clusters' sizes are whole numbers, added exactly. */
static void moments_of_sizes(const assay_dendrogram *tree, assay_posterior *posterior, double *work)
{
    size_t n = tree->n, n_nodes = 2 * n - 1;
    double *squares = work + n_nodes;

    for (size_t c = 0; c < n; c++) work[c] = 1.0;
    for (size_t t = 0; t + 1 < n; t++)
        work[n + t] = work[tree->children[2 * t]] + work[tree->children[2 * t + 1]];
    for (size_t c = 0; c < n_nodes; c++) work[c] *= work[c];
    assay_cut_sums(tree, work, squares);
    for (size_t s = 0; s < n; s++)
        posterior->kish += posterior->post[s] * ((double)n * (double)n / squares[s]);
}

static void moments_of_s(assay_posterior *posterior)
{
    size_t n = posterior->n;
    double below = 0.0;

    posterior->map_s = 1;
    for (size_t s = 0; s < n; s++) {
        double p = posterior->post[s], S = (double)(s + 1);

        if (p > posterior->post[posterior->map_s - 1]) posterior->map_s = s + 1;
        posterior->expected_s += p * S;
        posterior->expected_n_per_s += p * ((double)n / S);
        below += p;
        if (!posterior->low_s && below >= 0.025) posterior->low_s = s + 1;
        if (!posterior->high_s && below >= 0.975) posterior->high_s = s + 1;
    }
}

static void moments_of_score(assay_posterior *posterior)
{
    size_t n = posterior->n;
    double mean = 0.0;

    for (size_t c = 0; c < 2 * n - 1; c++) mean += posterior->weight[c] * posterior->mu[c];
    posterior->expected_score = mean;
    for (size_t c = 0; c < 2 * n - 1; c++) {
        double away = posterior->mu[c] - mean;

        posterior->var_within += posterior->weight[c] * posterior->v[c];
        posterior->var_between += posterior->weight[c] * away * away;
    }
    for (size_t s = 0; s < n; s++) {
        double away = posterior->mean[s] - mean;

        posterior->variance_b += posterior->post[s] * (posterior->var_b[s] + away * away);
        posterior->variance_c += posterior->post[s] * (posterior->var_c[s] + away * away);
    }
}
