/* SPDX-License-Identifier: Apache-2.0 */
#include "score/partitions.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>

/* Curves over the number of blocks a node is cut into, in logarithms: [s - 1] for s = 1 .. size. */
struct knapsack {
    const assay_dendrogram *tree;
    size_t n_nodes, *size;
    double *own;        /* each node as one block: ln B(a0 + X, b0 + M - X) - ln B(a0, b0) */
    double **inside;    /* all ways to cut the node */
    double **outside;   /* what is around the node, the prior included; NULL once used */
    double **outside_s; /* the same, over S */
};

static assay_status start(const assay_dendrogram *tree, const assay_posterior *posterior,
                          assay_score_prior prior, struct knapsack *work);
static void finish(struct knapsack *work);
static assay_status cut(struct knapsack *work, int counting);
static assay_status at_root(struct knapsack *work, assay_score_prior prior, double coefficients,
                            assay_posterior *posterior);
static assay_status go_down(struct knapsack *work, assay_posterior *posterior);
static void without_cuts(assay_posterior *posterior);

assay_status assay_partitions_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                                  assay_score_prior prior, assay_posterior **out)
{
    struct knapsack work = { 0 };
    assay_posterior *posterior = assay_posterior_start(tree, outcomes, prior.a, prior.b);
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!posterior) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the posterior of %zu prompts", tree->n);
        goto done;
    }
    if ((status = start(tree, posterior, prior, &work)) != ASSAY_OK) goto done;
    status = at_root(&work, prior, assay_log_coefficients(outcomes, tree->n), posterior);
    if (status != ASSAY_OK) goto done;
    if ((status = go_down(&work, posterior)) != ASSAY_OK) goto done;
    assay_posterior_summarise(posterior);
    without_cuts(posterior);
    *out = posterior;
    posterior = NULL;
done:
    finish(&work);
    assay_posterior_free(posterior);
    return status;
}

static assay_status start(const assay_dendrogram *tree, const assay_posterior *posterior,
                          assay_score_prior prior, struct knapsack *work)
{
    size_t n = tree->n;
    double base = assay_log_beta(prior.a, prior.b);

    work->tree = tree;
    work->n_nodes = 2 * n - 1;
    work->size = assay_alloc(work->n_nodes, sizeof *work->size);
    work->own = assay_alloc(work->n_nodes, sizeof *work->own);
    work->inside = assay_alloc_zero(work->n_nodes, sizeof(double *));
    work->outside = assay_alloc_zero(work->n_nodes, sizeof(double *));
    work->outside_s = assay_alloc_zero(work->n_nodes, sizeof(double *));
    if (!work->size || !work->own || !work->inside || !work->outside || !work->outside_s)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the partitions of %zu prompts", n);
    for (size_t c = 0; c < work->n_nodes; c++) {
        const size_t *child = c < n ? NULL : tree->children + 2 * (c - n);
        work->size[c] = child ? work->size[child[0]] + work->size[child[1]] : 1;
        work->own[c] = assay_log_beta(posterior->a[c], posterior->b[c]) - base;
    }
    return ASSAY_OK;
}

static void finish(struct knapsack *work)
{
    for (size_t c = 0; c < work->n_nodes && work->inside && work->outside && work->outside_s; c++) {
        free(work->inside[c]);
        free(work->outside[c]);
        free(work->outside_s[c]);
    }
    free(work->size);
    free(work->own);
    free(work->inside);
    free(work->outside);
    free(work->outside_s);
}

/* ln sum over i + j = s of exp(left[i] + right[j]), for s = 0 .. n_left + n_right - 2. */
static void convolve(const double *left, size_t n_left, const double *right, size_t n_right,
                     double *out)
{
    for (size_t s = 0; s + 1 < n_left + n_right; s++) {
        size_t first = s < n_right ? 0 : s - n_right + 1, last = s < n_left ? s : n_left - 1;
        double largest = -INFINITY, sum = 0.0;

        for (size_t i = first; i <= last; i++) {
            double value = left[i] + right[s - i];
            if (value > largest) largest = value;
        }
        for (size_t i = first; i <= last; i++) sum += exp(left[i] + right[s - i] - largest);
        out[s] = largest > -INFINITY ? largest + log(sum) : -INFINITY;
    }
}

/* Fill inside from the leaves up: a node is one block, or its children are cut into s1 + s2.
   Counting, every block weighs 1, and curves are dropped when their parent has been made. */
static assay_status cut(struct knapsack *work, int counting)
{
    size_t n = work->tree->n;

    for (size_t c = 0; c < work->n_nodes; c++) {
        double *curve = assay_alloc(work->size[c], sizeof *curve);

        if (!curve)
            return assay_fail(ASSAY_E_NOMEM, "no memory for the partitions of %zu prompts", n);
        free(work->inside[c]);
        work->inside[c] = curve;
        curve[0] = counting ? 0.0 : work->own[c];
        if (c < n) continue;
        size_t left = work->tree->children[2 * (c - n)];
        size_t right = work->tree->children[2 * (c - n) + 1];
        convolve(work->inside[left], work->size[left], work->inside[right], work->size[right],
                 curve + 1);
        for (size_t k = 0; k < 2 && counting; k++) {
            size_t child = k ? right : left;
            free(work->inside[child]);
            work->inside[child] = NULL;
        }
    }
    return ASSAY_OK;
}

/* pi(S|x), and what is outside of the root: pi(S) / N(S) / p(x). */
static assay_status at_root(struct knapsack *work, assay_score_prior prior, double coefficients,
                            assay_posterior *posterior)
{
    size_t n = work->tree->n, root = work->n_nodes - 1;
    double *outside = assay_alloc(n, sizeof *outside);
    double *outside_s = assay_alloc(n, sizeof *outside_s);
    double evidence;
    assay_status status;

    work->outside[root] = outside;
    work->outside_s[root] = outside_s;
    if (!outside || !outside_s)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the partitions of %zu prompts", n);
    if ((status = cut(work, 1)) != ASSAY_OK) return status;
    for (size_t s = 0; s < n; s++) outside[s] = prior.log_prior[s] - work->inside[root][s];
    for (size_t s = 0; s < n; s++) posterior->log_likelihood[s] = -work->inside[root][s];
    if ((status = cut(work, 0)) != ASSAY_OK) return status;
    for (size_t s = 0; s < n; s++) posterior->log_likelihood[s] += work->inside[root][s];
    evidence =
        assay_normalise_curve(posterior->log_likelihood, prior.log_prior, n, posterior->post);
    if (!(evidence > -INFINITY))
        return assay_fail(ASSAY_E_DEGENERATE,
                          "the prior leaves no number of topics possible with %zu prompts", n);
    for (size_t s = 0; s < n; s++) {
        posterior->log_likelihood[s] += coefficients;
        outside[s] -= evidence;
        outside_s[s] = outside[s] - log((double)s + 1.0);
    }
    posterior->log_evidence = evidence + coefficients;
    return ASSAY_OK;
}

/* A child's outside: its parent's, with any way to cut the other child. */
static double *pass_on(const double *outside, const double *other, size_t n_other, size_t n_child)
{
    double *out = assay_alloc(n_child, sizeof *out);

    for (size_t s = 0; s < n_child && out; s++) {
        double largest = -INFINITY, sum = 0.0;

        for (size_t j = 0; j < n_other; j++) {
            double value = outside[s + j + 1] + other[j];
            if (value > largest) largest = value;
        }
        for (size_t j = 0; j < n_other; j++) sum += exp(outside[s + j + 1] + other[j] - largest);
        out[s] = largest > -INFINITY ? largest + log(sum) : -INFINITY;
    }
    return out;
}

static assay_status go_down(struct knapsack *work, assay_posterior *posterior)
{
    size_t n = work->tree->n;

    for (size_t c = work->n_nodes; c-- > 0;) {
        posterior->present[c] = exp(work->outside[c][0] + work->own[c]);
        posterior->weight[c] = exp(work->outside_s[c][0] + work->own[c]);
        for (size_t k = 0; k < 2 && c >= n; k++) {
            size_t child = work->tree->children[2 * (c - n) + k];
            size_t other = work->tree->children[2 * (c - n) + 1 - k];

            work->outside[child] = pass_on(work->outside[c], work->inside[other], work->size[other],
                                           work->size[child]);
            work->outside_s[child] = pass_on(work->outside_s[c], work->inside[other],
                                             work->size[other], work->size[child]);
            if (!work->outside[child] || !work->outside_s[child])
                return assay_fail(ASSAY_E_NOMEM, "no memory for the partitions of %zu prompts", n);
        }
        free(work->outside[c]);
        free(work->outside_s[c]);
        work->outside[c] = work->outside_s[c] = NULL;
    }
    return ASSAY_OK;
}

static void without_cuts(assay_posterior *posterior)
{
    for (size_t s = 0; s < posterior->n; s++)
        posterior->mean[s] = posterior->var_b[s] = posterior->var_c[s] = NAN;
    posterior->variance_b = posterior->variance_c = posterior->kish = NAN;
}
