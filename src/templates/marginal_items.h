/* SPDX-License-Identifier: Apache-2.0 */
/* The likelihood of the templates' effects with the items integrated out. */
#ifndef ASSAY_TEMPLATES_MARGINAL_ITEMS_H
#define ASSAY_TEMPLATES_MARGINAL_ITEMS_H

#include "templates/marginal_cells.h"

/* An item's effect is one of these many: spread times a node, which stand evenly on -3.3..3.3 with
   weights as a standard normal's density. */
enum { ASSAY_NODES = 20 };

typedef struct assay_item_prior {
    double effect[ASSAY_NODES], weight[ASSAY_NODES];
    double odds[ASSAY_NODES]; /* exp(-effect): against a right answer where theta is 0 */
} assay_item_prior;

/* b ~ N(0, spread^2). */
void assay_item_prior_set(double spread, assay_item_prior *prior);

/* What is known at one point theta. Arrays have ASSAY_NODES numbers a row. */
typedef struct assay_marginal_point {
    double *p, *q;     /* of each template: sigmoid(theta_i + b_k), and 1 - p */
    double *posterior; /* of each item seen: P(its effect is b_k | its cells) */
    double log_likelihood;
} assay_marginal_point;

/* ASSAY_OK; ASSAY_E_NOMEM (freeing is then fine too). */
assay_status assay_marginal_point_new(const assay_marginal_cells *cells,
                                      assay_marginal_point *point);
void assay_marginal_point_free(assay_marginal_point *point);

/* p^y q^(1 - y): the likelihood of a score; between 0 and 1 that of the fractional logit (Papke and
   Wooldridge 1996), of which the expectation is right whatever the spread of the scores. */
double assay_score_likelihood(double y, double p, double q);

/* l(theta) = sum_j log sum_k weight_k prod_(i in j) p(y_ij | theta_i + b_k), and the posteriors of
   the items. O((I + n + M) ASSAY_NODES). */
void assay_marginal_evaluate(const assay_marginal_cells *cells, const assay_item_prior *prior,
                             const double *theta, assay_marginal_point *point);

/* Of l at an evaluated point: its gradient (n_templates), and minus its Hessian, of which the lower
   triangle is filled:
     g_i = sum_j (y_ij - E_j p_i),   H = diag(sum_j E_j p_i (1 - p_i)) - sum_j Cov_j(p_i, p_i'),
   E_j and Cov_j over the posterior of item j. O(I^2 + ASSAY_NODES sum of n_j^2). ASSAY_OK;
   ASSAY_E_NOMEM. */
assay_status assay_marginal_slope(const assay_marginal_cells *cells,
                                  const assay_marginal_point *point, double *gradient,
                                  double *information);

#endif
