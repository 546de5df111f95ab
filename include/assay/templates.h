/* SPDX-License-Identifier: Apache-2.0 */
/* The score of every prompt template from some of its runs: the published estimators (PromptEval) and
   ours. */
#ifndef ASSAY_TEMPLATES_H
#define ASSAY_TEMPLATES_H

#include "assay/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A fit. Opaque; free with assay_templates_free(). */
typedef struct assay_templates assay_templates;

/* Estimators, the first three published. Part of the ABI: never renumber. */
typedef enum assay_templates_method {
    ASSAY_TEMPLATES_AVG = 0,     /* each template's mean over its observed cells */
    ASSAY_TEMPLATES_PE = 1,      /* PromptEval: PE-Rasch, or with covariates where they are given */
    ASSAY_TEMPLATES_LOGREG = 2,  /* the same without effects of the items: their ablation */
    ASSAY_TEMPLATES_MARGINAL = 3 /* our own: items integrated out, with intervals */
} assay_templates_method;

/* Start from assay_templates_options_init(); later versions add fields only at the end. */
typedef struct assay_templates_options {
    size_t struct_size;            /* sizeof this struct as the caller was compiled */
    assay_templates_method method; /* default ASSAY_TEMPLATES_PE */
    int faithful;    /* also what the released code does by accident (see assay_templates_fit());
                     default 0 */
    double c;        /* C, the weight of the data against the penalty; default 100 */
    const double *x; /* I x n_x covariates of the templates, row-major, borrowed; NULL: none */
    size_t n_x;
    const double *z; /* J x n_z covariates of the items, as x; PE only */
    size_t n_z;
    int max_iterations; /* of Newton's method; default 100 */
    double tolerance;   /* stop after a step whose length in the metric of the Hessian, which is at
                           least its Euclidean length, is below this; default 1e-4: by quadratic
                           convergence what is left is about its square */
    uint64_t seed;      /* of MARGINAL's draws; default 1 */
    size_t
        n_draws;  /* default 200; at least 10 / (1 - level); 0: no intervals, and a faster, somewhat
                       rougher distribution */
    double level; /* of its intervals; default .9 */
    const uint64_t
        *template_keys;        /* MARGINAL takes templates and items in ascending order of their */
    const uint64_t *item_keys; /* keys: with keys made of ids its answer, to the bit, does not
                                      depend on the order of the grid. NULL: as they stand */
    assay_progress progress;   /* of MARGINAL */
} assay_templates_options;

ASSAY_API void assay_templates_options_init(assay_templates_options *options, size_t struct_size);

/**
 * The score of all templates of a grid, of which some cells were run.
 *
 * PE: P(y_ij = 1) = sigmoid(theta_i + b_j), with w the coefficients,
 *     min 0.5 |w|^2 + C sum over observed cells of log(1 + exp(-(2 y_ij - 1)(theta_i + b_j))),
 * a template's effect being its own coefficient, or x_i'g with covariates; an item's likewise; where
 * both have covariates a constant (penalised as the rest) is added. LOGREG: sigmoid(theta_i), or
 * sigmoid(x_i'g + constant). There is no other intercept. Then
 *     S_i = (sum of y_ij where observed + sum of P_ij elsewhere) / J,
 * logits held within -30..30. An item that no template ran has b_j = 0. Scores between 0 and 1 are
 * taken as 1 from .5 on for the fit; the observed ones enter S as they are. AVG: the mean of the
 * observed scores, and the mean of all observed cells for a template without any.
 *
 * MARGINAL: logit P_ij = theta_i + b_j with b_j ~ N(0, r^2) summed over, theta_i = mu + x_i'psi +
 * u_i, mu ~ N(0, 9), the law of u_i found from all templates, and averages over its spread and the
 * share of x (docs/templates.md). S_i is the expectation of the same sum. A score y between 0 and 1 has the
 * likelihood P^y (1 - P)^(1 - y). Intervals are of seeded draws. z, faithful, C and the tolerance
 * are not for it.
 *
 * faithful adds what the released code does: AVG is (sum y + 1e-10) / (n_i + 1e-10), 1 without a
 * cell; PE without covariates leaves out the last item's effect, so that the order of items
 * matters; where all labels agree one is flipped, the RandomState(0).choice(n)-th in row order;
 * LOGREG without covariates adds the last template's coefficient to every logit.
 *
 * The penalty makes every optimum unique and finite: templates or items that are all right, all
 * wrong or never run, and data that a plane separates, need no care.
 *
 * @param grid     borrowed for the call, as is all of options.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK, also where the iterations were not enough (see assay_templates_converged());
 *         ASSAY_E_VALUE for options, and for covariates that are not finite; ASSAY_E_SHAPE for
 *         covariates of no column; ASSAY_E_DEGENERATE where PE's covariates are not of full column
 *         rank once centred (a principal component with at most 1e-6 of the variance), and MARGINAL's
 *         beyond the digits of a double; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost an iteration, with n cells, m = min(I, J) and d columns: O(n m + m^3) without covariates,
 * O(n d + J d^2 + d^3) with x, likewise with z, O(n d^2) with both; O(IJ) for the scores. MARGINAL:
 * some fifty steps of O(I^3 + n m) and, a draw, O(I^2 + n + J); memory O(I^2) for each of up to 24
 * spreads.
 * Source: Maia Polo et al., arXiv:2405.17202, and its released code.
 */
ASSAY_API assay_status assay_templates_fit(const assay_grid *grid,
                                           const assay_templates_options *options,
                                           assay_templates **out);
ASSAY_API void assay_templates_free(assay_templates *fit); /* NULL is fine */

/* S_i of the I templates, owned by the fit; and their mean. */
ASSAY_API const double *assay_templates_scores(const assay_templates *fit, size_t *n);
ASSAY_API double assay_templates_mean(const assay_templates *fit);

/* The distribution of the scores of all templates: I of them, ascending, owned by the fit. Those of
   a published estimator are its scores, sorted; MARGINAL's are not, since what is expected of each
   template lies closer together than what they are. Quantiles and W1 are of these. */
ASSAY_API const double *assay_templates_distribution(const assay_templates *fit, size_t *n);

/* Which number is the p-quantile of n scores s_1 <= .. <= s_n. Part of the ABI: never renumber. */
typedef enum assay_quantile_rule {
    ASSAY_QUANTILE_PROTOCOL = 0, /* s[min(int(n p), n - 1)], counted from 0: the default here */
    ASSAY_QUANTILE_LINEAR = 1,   /* linear at p (n - 1), as np.percentile and the released code */
    ASSAY_QUANTILE_INVERSE = 2   /* inf { s: F(s) >= p }, as the paper defines it */
} assay_quantile_rule;

/*
 * Intervals of MARGINAL, with draws: low and high of each template's score, of their mean, of the
 * p-quantile of the scores, and a band around the distribution whose n pairs hold all at once.
 * What they were measured to hold is in docs/templates.md. Where that was too seldom there are none: of
 * quantiles and the band with more than 200 templates, of scores with fewer cells than templates.
 *
 * @param low_high  a pair; for scores and band n pairs owned by the fit.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE where there is none, with the reason in its sentence;
 *         ASSAY_E_VALUE and ASSAY_E_NOMEM of a quantile. O(1); O(n_draws log n_draws) of a quantile.
 */
ASSAY_API assay_status assay_templates_score_intervals(const assay_templates *fit,
                                                       const double **low_high);
ASSAY_API assay_status assay_templates_mean_interval(const assay_templates *fit, double *low_high);
ASSAY_API assay_status assay_templates_quantile_interval(const assay_templates *fit, double p,
                                                         assay_quantile_rule rule,
                                                         double *low_high);
ASSAY_API assay_status assay_templates_band(const assay_templates *fit, const double **low_high);

/* theta_i (without the constant) of the templates and b_j of the items, owned by the fit; MARGINAL's are
   expectations. NULL and 0 of them for AVG, and for MARGINAL where every cell was run. */
ASSAY_API const double *assay_templates_theta(const assay_templates *fit, size_t *n);
ASSAY_API const double *assay_templates_beta(const assay_templates *fit, size_t *n);

/* What is added to every logit besides: the constant; 0 where there is none. */
ASSAY_API double assay_templates_constant(const assay_templates *fit);

/* The coefficients w in the order templates, items, constant; NULL and 0 of them for AVG and MARGINAL. */
ASSAY_API const double *assay_templates_weights(const assay_templates *fit, size_t *n);

/* Newton steps, whether they were enough, and the objective where they ended; 0, 1 and 0 for AVG and
   MARGINAL. */
ASSAY_API int assay_templates_iterations(const assay_templates *fit);
ASSAY_API int assay_templates_converged(const assay_templates *fit);
ASSAY_API double assay_templates_objective(const assay_templates *fit);

/* A quantile of n >= 1 scores, p in [0, 1]. ASSAY_OK; ASSAY_E_VALUE; ASSAY_E_SHAPE for n = 0;
   ASSAY_E_NOMEM. O(n log n). */
ASSAY_API assay_status assay_scores_quantile(const double *scores, size_t n, double p,
                                             assay_quantile_rule rule, double *out);

/* Wasserstein-1 distance between two distributions of n >= 1 scores: the mean of |a_(k) - b_(k)|,
   each sorted. ASSAY_OK; ASSAY_E_SHAPE for n = 0; ASSAY_E_NOMEM. O(n log n). */
ASSAY_API assay_status assay_scores_w1(const double *a, const double *b, size_t n, double *out);

#ifdef __cplusplus
}
#endif
#endif
