/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/marginal_items.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/dot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void assay_item_prior_set(double spread, assay_item_prior *prior)
{
    const double end = 3.3;
    double sum = 0.0;

    for (size_t k = 0; k < ASSAY_NODES; k++) {
        double z = end * (2.0 * (double)k / (ASSAY_NODES - 1) - 1.0);

        prior->effect[k] = spread * z;
        sum += prior->weight[k] = exp(-0.5 * z * z);
    }
    for (size_t k = 0; k < ASSAY_NODES; k++) {
        prior->weight[k] /= sum;
        prior->odds[k] = exp(-prior->effect[k]);
    }
}

assay_status assay_marginal_point_new(const assay_marginal_cells *cells,
                                      assay_marginal_point *point)
{
    size_t row = ASSAY_NODES * sizeof(double);

    point->p = assay_alloc(cells->n_templates, row);
    point->q = assay_alloc(cells->n_templates, row);
    point->posterior = assay_alloc(cells->n_seen, row);
    if (!point->p || !point->q || !point->posterior)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the likelihood of %zu items",
                          cells->n_seen);
    return ASSAY_OK;
}

void assay_marginal_point_free(assay_marginal_point *point)
{
    free(point->p);
    free(point->q);
    free(point->posterior);
}

/* With odds o against it, P = 1 / (1 + o). Chances are held above 1e-30, so that several can be
   multiplied. */
static void tabulate(double theta, const assay_item_prior *prior, double *p, double *q)
{
    const double most = 1e30;
    double against = exp(-theta);

    for (size_t k = 0; k < ASSAY_NODES; k++) {
        double odds = against * prior->odds[k];

        odds = odds > most ? most : odds < 1.0 / most ? 1.0 / most : odds;
        p[k] = 1.0 / (1.0 + odds);
        q[k] = odds * p[k];
    }
}

/* To a sum of 1; the logarithm of what it was. */
static double normalise(double *row)
{
    double sum = 0.0;

    for (size_t k = 0; k < ASSAY_NODES; k++) sum += row[k];
    for (size_t k = 0; k < ASSAY_NODES; k++) row[k] /= sum;
    return log(sum);
}

double assay_score_likelihood(double y, double p, double q)
{
    if (y == 1.0) return p;
    if (y == 0.0) return q;
    return exp(y * log(p) + (1.0 - y) * log(q));
}

/* row *= the likelihood of a template's score at every node. */
static void multiply(double *row, double y, const double *p, const double *q)
{
    const double *of = y == 1.0 ? p : y == 0.0 ? q : NULL;

    for (size_t k = 0; of && k < ASSAY_NODES; k++) row[k] *= of[k];
    for (size_t k = 0; !of && k < ASSAY_NODES; k++) row[k] *= assay_score_likelihood(y, p[k], q[k]);
}

/* weight_k prod over the item's cells, normalised each time before it may get too small. */
static double find_posterior(const assay_marginal_cells *cells, const assay_item_prior *prior,
                             const assay_marginal_point *point, size_t j, double *row)
{
    enum { AT_ONCE = 8 };
    size_t begin = cells->item_start[j], end = cells->item_start[j + 1];
    double log_likelihood = 0.0;

    memcpy(row, prior->weight, sizeof prior->weight);
    for (size_t c = begin; c < end; c++) {
        size_t at = cells->item_row[c] * (size_t)ASSAY_NODES;

        multiply(row, cells->item_y[c], point->p + at, point->q + at);
        if ((c - begin) % AT_ONCE == AT_ONCE - 1 && c + 1 < end) log_likelihood += normalise(row);
    }
    return log_likelihood + normalise(row);
}

void assay_marginal_evaluate(const assay_marginal_cells *cells, const assay_item_prior *prior,
                             const double *theta, assay_marginal_point *point)
{
    for (size_t i = 0; i < cells->n_templates; i++)
        tabulate(theta[i], prior, point->p + i * ASSAY_NODES, point->q + i * ASSAY_NODES);
    point->log_likelihood = 0.0;
    for (size_t j = 0; j < cells->n_seen; j++)
        point->log_likelihood +=
            find_posterior(cells, prior, point, j, point->posterior + j * ASSAY_NODES);
}

/* One item's part. centred has a row for each of its cells: sqrt(R_k) (p_k - E p). */
static void add_item(const assay_marginal_cells *cells, const assay_marginal_point *point, size_t j,
                     double *centred, double *gradient, double *information)
{
    const double *r = point->posterior + j * ASSAY_NODES;
    const uint32_t *rows = cells->item_row + cells->item_start[j];
    size_t n = cells->item_start[j + 1] - cells->item_start[j];
    double root[ASSAY_NODES];

    for (size_t k = 0; k < ASSAY_NODES; k++) root[k] = sqrt(r[k]);
    for (size_t a = 0; a < n; a++) {
        const double *p = point->p + rows[a] * (size_t)ASSAY_NODES;
        double *of = centred + a * ASSAY_NODES;
        const double *q = point->q + rows[a] * (size_t)ASSAY_NODES;
        double mean = assay_dot_of_fours(r, p, ASSAY_NODES), noise[ASSAY_NODES];

        for (size_t k = 0; k < ASSAY_NODES; k++) {
            of[k] = root[k] * (p[k] - mean);
            noise[k] = r[k] * p[k];
        }
        gradient[rows[a]] += cells->item_y[cells->item_start[j] + a] - mean;
        information[rows[a] * cells->n_templates + rows[a]] +=
            assay_dot_of_fours(noise, q, ASSAY_NODES);
        for (size_t b = 0; b <= a; b++) /* templates ascend: row a is the lower one */
            information[rows[a] * cells->n_templates + rows[b]] -=
                assay_dot_of_fours(of, centred + b * ASSAY_NODES, ASSAY_NODES);
    }
}

assay_status assay_marginal_slope(const assay_marginal_cells *cells,
                                  const assay_marginal_point *point, double *gradient,
                                  double *information)
{
    size_t n = cells->n_templates;
    double *centred = assay_alloc(n, ASSAY_NODES * sizeof *centred);

    if (!centred) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu templates", n);
    memset(gradient, 0, n * sizeof *gradient);
    memset(information, 0, n * n * sizeof *information);
    for (size_t j = 0; j < cells->n_seen; j++)
        add_item(cells, point, j, centred, gradient, information);
    free(centred);
    return ASSAY_OK;
}
