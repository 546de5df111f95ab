/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/predict.h"

#include "core/error.h"
#include "core/memory.h"
#include "templates/grid.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 8 };
static const double most = 30.0;                  /* of a logit */
static const double safe_to_exponentiate = 300.0; /* products of two such exponentials are finite */

static double largest(const double *x, size_t n, double shift)
{
    double most_of_all = 0.0;

    for (size_t k = 0; k < n; k++) most_of_all = fmax(most_of_all, fabs(x[k] + shift));
    return most_of_all;
}

/* odds_j = exp(-b_j); padded with infinities, at which a sigmoid is 0. */
static void exponentiate(const double *beta, size_t n, size_t n_padded, double *odds)
{
    for (size_t j = 0; j < n; j++) odds[j] = exp(-beta[j]);
    for (size_t j = n; j < n_padded; j++) odds[j] = INFINITY;
}

/* Sum over items of 1 / (1 + u odds_j), the product held within exp(-30)..exp(30); in lanes that the
   compiler makes vectors of, so that the order of the sum is the same on any processor. */
static double sum_of_sigmoids(double u, const double *odds, size_t n_padded)
{
    const double low = exp(-most), high = exp(most);
    double lane[LANES] = { 0.0 }, sum = 0.0;

    for (size_t j = 0; j < n_padded; j += LANES) {
        for (size_t k = 0; k < LANES; k++) {
            double x = u * odds[j + k];

            x = x > low ? x : low;
            x = x < high ? x : high;
            lane[k] += 1.0 / (1.0 + x);
        }
    }
    for (size_t k = 0; k < LANES; k++) sum += lane[k];
    return sum;
}

static double sigmoid(double logit)
{
    return 1.0 / (1.0 + exp(-fmax(-most, fmin(most, logit))));
}

/* The padding, at the upper limit, adds next to nothing, and is taken off. */
static double padding_of(size_t n, size_t n_padded)
{
    return (double)(n_padded - n) / (1.0 + exp(most));
}

static double slow_sum(double theta, const double *beta, size_t n)
{
    double sum = 0.0;

    for (size_t j = 0; j < n; j++) sum += sigmoid(theta + beta[j]);
    return sum;
}

assay_status assay_predict_scores(const assay_grid *grid, const double *theta, const double *beta,
                                  double constant, double *scores)
{
    size_t n = grid->n_items, n_padded = (n + LANES - 1) / LANES * LANES;
    int fast = largest(theta, grid->n_templates, constant) < safe_to_exponentiate &&
               largest(beta, n, 0.0) < safe_to_exponentiate;
    double *odds = assay_alloc_aligned(n_padded, sizeof *odds);

    if (!odds) return assay_fail(ASSAY_E_NOMEM, "no memory for the odds of %zu items", n);
    if (fast) exponentiate(beta, n, n_padded, odds);
    for (size_t i = 0; i < grid->n_templates; i++) {
        double logit = theta[i] + constant, sum = 0.0;
        int full = grid->start[i + 1] - grid->start[i] == n; /* nothing to predict, or to round */

        if (!full && fast)
            sum = sum_of_sigmoids(exp(-logit), odds, n_padded) - padding_of(n, n_padded);
        else if (!full)
            sum = slow_sum(logit, beta, n);
        for (size_t k = grid->start[i]; k < grid->start[i + 1]; k++)
            sum += grid->score[k] - (full ? 0.0 : sigmoid(logit + beta[grid->item[k]]));
        scores[i] = fmax(0.0, fmin(1.0, sum / (double)n));
    }
    free(odds);
    return ASSAY_OK;
}
