/* SPDX-License-Identifier: Apache-2.0 */
#include "score/kappa.h"

#include "core/error.h"
#include "core/memory.h"
#include "score/predict.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = ASSAY_KAPPA_POINTS };

/* For one kappa: curve[c * POINTS + j] = ln of the likelihood of what is below node c when its
   rate is p[j], the quadrature's weight included. */
struct work {
    const assay_dendrogram *tree;
    assay_outcomes outcomes;
    const double *log_prior;
    double p[POINTS], log_weight[POINTS];
    double *curve, *node, *mean_of_node; /* node: ln of the integral, then the weights V */
    double *likelihood, *mean;           /* of each kappa, over S */
    double *rate, *density;              /* of each kappa and prompt */
    double evidence[ASSAY_KAPPA_N];
    size_t *parent;
};

static void quadrature(double p[POINTS], double log_weight[POINTS]);
static assay_status allocate(struct work *work, assay_kappa **out);
static void finish(struct work *work);
static assay_status one_kappa(struct work *work, const assay_kappa *fit, size_t g);
static void make_curves(struct work *work, double kappa);
static void leave_out(struct work *work, double kappa, const double *post, size_t g);
static void combine(const struct work *work, assay_kappa *fit);

assay_status assay_kappa_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                             const double *log_prior, assay_kappa **out)
{
    static const double kappas[ASSAY_KAPPA_N] = { 1, 2, 4, 8, 16, 32, 64, 128, 512, 4096 };
    struct work work = { .tree = tree, .outcomes = outcomes, .log_prior = log_prior };
    assay_kappa *fit = NULL;
    assay_status status = allocate(&work, &fit);

    *out = NULL;
    if (status != ASSAY_OK) goto done;
    quadrature(work.p, work.log_weight);
    for (size_t g = 0; g < ASSAY_KAPPA_N; g++) {
        fit->kappa[g] = kappas[g];
        if ((status = one_kappa(&work, fit, g)) != ASSAY_OK) goto done;
    }
    combine(&work, fit);
    *out = fit;
    fit = NULL;
done:
    finish(&work);
    assay_kappa_free(fit);
    return status;
}

void assay_kappa_free(assay_kappa *kappa)
{
    if (!kappa) return;
    free(kappa->post);
    free(kappa->rate);
    free(kappa->log_density);
    free(kappa);
}

/* Gauss and Legendre on (0, 1): the roots of P_200 by Newton's method, from the usual start. */
static void quadrature(double p[POINTS], double log_weight[POINTS])
{
    const double pi = acos(-1.0);

    for (int j = 0; j < POINTS; j++) {
        double x = -cos(pi * (j + 0.75) / (POINTS + 0.5)), slope = 1.0;

        for (int step = 0; step < 8; step++) {
            double before = 1.0, value = x;
            for (int k = 2; k <= POINTS; k++) {
                double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = value;
                value = next;
            }
            slope = POINTS * (before - x * value) / (1.0 - x * x);
            x -= value / slope;
        }
        p[j] = 0.5 * (1.0 + x);
        log_weight[j] = -log((1.0 - x * x) * slope * slope); /* half of 2 / (...) */
    }
}

static assay_status allocate(struct work *work, assay_kappa **out)
{
    size_t n = work->tree->n, n_nodes = 2 * n - 1;
    assay_kappa *fit = *out = assay_alloc_zero(1, sizeof *fit);

    work->curve = assay_alloc(n_nodes, POINTS * sizeof(double));
    work->node = assay_alloc(2 * n, sizeof(double));
    work->mean_of_node = assay_alloc(n_nodes, sizeof(double));
    work->likelihood = assay_alloc(ASSAY_KAPPA_N, n * sizeof(double));
    work->mean = assay_alloc(ASSAY_KAPPA_N, n * sizeof(double));
    work->rate = assay_alloc(ASSAY_KAPPA_N, n * sizeof(double));
    work->density = assay_alloc(ASSAY_KAPPA_N, n * sizeof(double));
    work->parent = assay_alloc(n_nodes, sizeof *work->parent);
    if (fit) {
        fit->n = n;
        fit->post = assay_alloc_zero(n, sizeof(double));
        fit->rate = assay_alloc_zero(n, sizeof(double));
        fit->log_density = assay_alloc(n, sizeof(double));
    }
    if (!work->curve || !work->node || !work->mean_of_node || !work->likelihood || !work->mean ||
        !work->rate || !work->density || !work->parent || !fit || !fit->post || !fit->rate ||
        !fit->log_density)
        return assay_fail(ASSAY_E_NOMEM, "no memory for kappa of %zu prompts", n);
    work->parent[n_nodes - 1] = SIZE_MAX;
    for (size_t k = 0; k + 2 < 2 * n; k++) work->parent[work->tree->children[k]] = n + k / 2;
    return ASSAY_OK;
}

static void finish(struct work *work)
{
    free(work->curve);
    free(work->node);
    free(work->mean_of_node);
    free(work->likelihood);
    free(work->mean);
    free(work->rate);
    free(work->density);
    free(work->parent);
}

static assay_status one_kappa(struct work *work, const assay_kappa *fit, size_t g)
{
    size_t n = work->tree->n;
    double *likelihood = work->likelihood + g * n, *post = fit->post; /* scratch until combine() */

    make_curves(work, fit->kappa[g]);
    assay_cut_sums(work->tree, work->node, likelihood);
    assay_cut_sums(work->tree, work->mean_of_node, work->mean + g * n);
    work->evidence[g] = assay_normalise_curve(likelihood, work->log_prior, n, post);
    if (!(work->evidence[g] > -INFINITY))
        return assay_fail(ASSAY_E_DEGENERATE,
                          "the prior leaves no number of topics possible with %zu prompts", n);
    leave_out(work, fit->kappa[g], post, g);
    return ASSAY_OK;
}

/* ln P(x_i of m_i) when the topic's rate is p[j]: C(m, x) B(kp + x, k(1 - p) + m - x) over
   B(kp, k(1 - p)). */
static double point(const struct work *work, size_t i, double kappa, size_t j)
{
    return assay_log_beta_binomial(work->outcomes.x[i], work->outcomes.m[i], kappa * work->p[j],
                                   kappa * (1.0 - work->p[j]));
}

static void make_curves(struct work *work, double kappa)
{
    size_t n = work->tree->n;

    for (size_t c = 0; c < 2 * n - 1; c++) {
        double *curve = work->curve + c * POINTS, sum = 0.0, mean = 0.0, largest;
        const double *left = NULL, *right = NULL;
        int seen = c < n && (!work->outcomes.mask || work->outcomes.mask[c]);

        if (c >= n) {
            left = work->curve + work->tree->children[2 * (c - n)] * POINTS;
            right = work->curve + work->tree->children[2 * (c - n) + 1] * POINTS;
        }
        for (size_t j = 0; j < POINTS; j++) /* the children have the weight twice */
            curve[j] = left   ? left[j] + right[j] - work->log_weight[j]
                       : seen ? work->log_weight[j] + point(work, c, kappa, j)
                              : work->log_weight[j];
        largest = curve[0];
        for (size_t j = 1; j < POINTS; j++) largest = fmax(largest, curve[j]);
        for (size_t j = 0; j < POINTS; j++) {
            double weight = exp(curve[j] - largest);
            sum += weight;
            mean += weight * work->p[j];
        }
        work->node[c] = largest + log(sum);
        work->mean_of_node[c] = mean / sum;
    }
}

/* A masked prompt's prediction given kappa: over the clusters it may be in, each with the weight
   V_c = sum of pi(S|x, kappa) over its cuts. */
static void leave_out(struct work *work, double kappa, const double *post, size_t g)
{
    size_t n = work->tree->n;
    double leaf[POINTS];

    for (size_t i = 0; i < n && work->outcomes.mask; i++) {
        double rate = 0.0, density = 0.0;
        size_t s = n; /* cuts up to S = s are still to be had from ancestors */

        if (work->outcomes.mask[i]) continue;
        for (size_t j = 0; j < POINTS; j++) leaf[j] = point(work, i, kappa, j);
        for (size_t c = i; c != SIZE_MAX; c = work->parent[c]) {
            const double *curve = work->curve + c * POINTS;
            size_t first = work->parent[c] == SIZE_MAX ? 1 : 2 * n - work->parent[c];
            double present = 0.0, sum = 0.0;

            for (; s >= first; s--) present += post[s - 1];
            if (present < 1e-300) continue;
            for (size_t j = 0; j < POINTS; j++) sum += exp(curve[j] - work->node[c] + leaf[j]);
            rate += present * work->mean_of_node[c];
            density += present * sum;
        }
        work->rate[g * n + i] = rate;
        work->density[g * n + i] = density;
    }
}

static void combine(const struct work *work, assay_kappa *fit)
{
    size_t n = work->tree->n;
    double total = assay_log_sum_exp(work->evidence, ASSAY_KAPPA_N);

    fit->log_evidence = total - log(ASSAY_KAPPA_N);
    for (size_t s = 0; s < n; s++) fit->post[s] = 0.0;
    for (size_t i = 0; i < n; i++) {
        int seen = !work->outcomes.mask || work->outcomes.mask[i];
        fit->log_density[i] = fit->rate[i] = seen ? NAN : 0.0;
    }
    for (size_t g = 0; g < ASSAY_KAPPA_N; g++) {
        double weight = exp(work->evidence[g] - total);

        fit->probability[g] = weight;
        fit->expected_log_kappa += weight * log(fit->kappa[g]);
        for (size_t s = 0; s < n; s++) {
            double log_post = work->likelihood[g * n + s] + work->log_prior[s] - total;
            double post = exp(log_post), S = (double)s + 1.0;
            fit->post[s] += post;
            fit->expected_s += post * S;
            fit->expected_score += post * (work->mean[g * n + s] / S);
        }
        for (size_t i = 0; i < n; i++) {
            if (isnan(fit->rate[i])) continue;
            fit->rate[i] += weight * work->rate[g * n + i];
            fit->log_density[i] += weight * work->density[g * n + i];
        }
    }
    for (size_t i = 0; i < n; i++) fit->log_density[i] = log(fit->log_density[i]);
}
