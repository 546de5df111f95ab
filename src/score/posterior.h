/* SPDX-License-Identifier: Apache-2.0 */
/* The exact posterior of BHM-ESC: one model's outcomes on one dendrogram. Method: docs/score.md */
#ifndef ASSAY_SCORE_POSTERIOR_H
#define ASSAY_SCORE_POSTERIOR_H

#include "cluster/dendrogram.h"

/* x[i] successes of m[i] runs of prompt i; both may be fractional, 0 <= x <= m. A prompt whose mask
   is 0 adds no data but keeps its leaf (for cross-validation); mask NULL means all of them. */
typedef struct assay_outcomes {
    const double *x, *m;
    const unsigned char *mask;
} assay_outcomes;

/* p_k ~ Beta(a, b) in every cluster, and ln pi(S) at [S - 1]: n values, -infinity allowed. */
typedef struct assay_score_prior {
    const double *log_prior;
    double a, b;
} assay_score_prior;

/*
 * Nodes are numbered as in the dendrogram: leaves 0 .. n - 1, merge t makes node n + t; 2 n - 1 in
 * all. Node c is a cluster of the cuts S = assay_node_first(), ..., assay_node_last(). In cluster
 * c, p ~ Beta(a[c], b[c]), with mean mu and variance v. What is known of S is at [S - 1].
 */
typedef struct assay_posterior {
    size_t n;
    size_t *parent;         /* of each node; SIZE_MAX for the root */
    double *a, *b;          /* a0 + X, b0 + M - X */
    double *mu, *v;         /* mean and variance of that Beta */
    double *present;        /* V: P(c is a cluster | x), the weights of a prompt's own mixture */
    double *weight;         /* W: sum of pi(S|x) / S over the cuts of c; sums to 1 over all nodes */
    double *log_likelihood; /* ln p(x|S), with the binomial coefficients */
    double *post;           /* pi(S|x) */
    double *mean;           /* of the score, given S: the same in the readings A, B and C */
    double *var_b, *var_c;  /* variance given S, of the readings B and C */
    double log_evidence;    /* ln p(x) */
    double expected_s;      /* E[S|x] */
    double expected_n_per_s;     /* E[n/S|x] */
    double kish;                 /* E[n^2 / sum_k n_k^2 | x] */
    size_t map_s, low_s, high_s; /* mode (the smallest); 95 % set of S, by both tails' 2.5 % */
    double expected_score;
    double var_within, var_between; /* reading A: their sum is its variance */
    double variance_b, variance_c;
    double *numbers; /* the memory of all arrays but parent */
} assay_posterior;

/**
 * Everything above in closed form: no sampling.
 *
 * @param tree      borrowed for the call.
 * @param outcomes  n of each, n the tree's leaves; not checked here (assay_score_fit() does).
 * @param out       owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE when the prior leaves no S possible; ASSAY_E_NOMEM.
 * Cost: O(n) for the evidence and the moments, O(n log n) with a small constant for the nodes'
 * weights, which are sums without cancellation; 20 n numbers of memory.
 */
assay_status assay_posterior_new(const assay_dendrogram *tree, assay_outcomes outcomes,
                                 assay_score_prior prior, assay_posterior **out);
void assay_posterior_free(assay_posterior *posterior); /* NULL is fine */

/* The first half of assay_posterior_new(): nodes, parents and their Beta distributions, everything
   else 0. Then, with post, weight, mean, var_b and var_c filled in, the moments over S and of the
   score. NULL when there is no memory. */
assay_posterior *assay_posterior_start(const assay_dendrogram *tree, assay_outcomes outcomes,
                                       double a, double b);
void assay_posterior_summarise(assay_posterior *posterior);

/* X[c] and M[c]: successes and runs below each of the 2 n - 1 nodes. O(n). */
void assay_node_totals(const assay_dendrogram *tree, assay_outcomes outcomes, double *X, double *M);

/* sums[S - 1] = the sum of value[c] over the clusters c of the S-cut, for S = 1 .. n; value has
   2 n - 1 entries. One pass from the root down, with compensated sums. O(n). */
void assay_cut_sums(const assay_dendrogram *tree, const double *value, double *sums);

/* Sum of ln C(m, x) over the prompts that are not masked. O(n). */
double assay_log_coefficients(assay_outcomes outcomes, size_t n);

/* ln p(x|S) for every S, at [S - 1], and no more; O(n). ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_likelihood_curve(const assay_dendrogram *tree, assay_outcomes outcomes, double a,
                                    double b, double *log_likelihood);

/* post = exp(log_likelihood + log_prior), normalised; n of each. Returns the ln of what it was
   divided by, the ln evidence: -infinity when no S is possible, and post is then left alone. */
double assay_normalise_curve(const double *log_likelihood, const double *log_prior, size_t n,
                             double *post);

/* The cuts that node c is a cluster of: S from first to last. */
static inline size_t assay_node_first(const assay_posterior *posterior, size_t c)
{
    size_t parent = posterior->parent[c];
    return parent == SIZE_MAX ? 1 : 2 * posterior->n - parent;
}

static inline size_t assay_node_last(const assay_posterior *posterior, size_t c)
{
    return c < posterior->n ? posterior->n : 2 * posterior->n - 1 - c;
}

#endif
