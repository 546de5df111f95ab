/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/marginal_mode.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the prior ---- */

/* Xc of column c, scaled by the largest of all covariates; 0 where what is left of it is rounding. */
static void centre(const double *x, size_t n, size_t d, size_t c, double scale, double *column)
{
    const double rounding = 1e-12;
    double mean = 0.0, again = 0.0, most = 0.0, size = 0.0;

    for (size_t i = 0; i < n; i++) mean += x[i * d + c] / scale / (double)n;
    for (size_t i = 0; i < n; i++) again += (x[i * d + c] / scale - mean) / (double)n;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i * d + c] / scale));
        column[i] = x[i * d + c] / scale - mean - again;
        most = fmax(most, fabs(column[i]));
    }
    for (size_t i = 0; i < n && most <= rounding * size; i++) column[i] = 0.0;
}

/* Xc, n x d, or where d is the larger its transpose: the smaller side last. */
static double *centre_all(const double *x, size_t n, size_t d)
{
    double *centred = assay_alloc(n * d, sizeof *centred), *column = assay_alloc(n, sizeof *column);
    double scale = 0.0;

    for (size_t k = 0; k < n * d; k++) scale = fmax(scale, fabs(x[k]));
    for (size_t c = 0; c < d && centred && column; c++) {
        centre(x, n, d, c, scale > 0.0 ? scale : 1.0, column);
        for (size_t i = 0; i < n; i++) centred[d > n ? c * n + i : i * d + c] = column[i];
    }
    free(column);
    if (column) return centred;
    free(centred);
    return NULL;
}

/* Eigenvector k of Xc Xc', at unit length: with d <= n it is Xc v, v one of Xc'Xc. */
static void find_vector(const double *centred, size_t d, const double *v, double value, size_t n,
                        double *vector)
{
    for (size_t i = 0; i < n; i++) {
        vector[i] = d > n ? v[i] : 0.0;
        for (size_t c = 0; c < d && d <= n; c++) vector[i] += centred[i * d + c] * v[c];
        if (d <= n) vector[i] /= sqrt(value);
    }
}

static assay_status find_vectors(const double *centred, size_t d, assay_effect_kernel *kernel)
{
    const double least = 1e-10;
    size_t n = kernel->n, m = d < n ? d : n;
    double *gram = assay_alloc_zero(m * m, sizeof *gram), *values = assay_alloc(m, sizeof *values);
    double trace = 0.0;
    assay_status status = ASSAY_OK;

    kernel->values = assay_alloc(m, sizeof *kernel->values);
    kernel->vectors = assay_alloc_zero(m * n, sizeof *kernel->vectors);
    if (!gram || !values || !kernel->values || !kernel->vectors) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu covariates of %zu templates", d, n);
        goto done;
    }
    assay_linalg_add_ata(m, d < n ? n : d, 1.0, centred, 0.0, gram);
    for (size_t c = 0; c < m; c++) trace += gram[c * m + c];
    if ((status = assay_linalg_eigenvectors(m, gram, values)) != ASSAY_OK) goto done;
    for (size_t c = 0; c < m && c + 1 < n && values[c] > least * trace; c++) {
        find_vector(centred, d, gram + c * m, values[c], n, kernel->vectors + c * n);
        kernel->values[kernel->rank++] = values[c] * (double)n / trace;
    }
done:
    free(gram);
    free(values);
    return status;
}

assay_status assay_effect_kernel_new(const double *x, size_t n, size_t d,
                                     assay_effect_kernel *kernel)
{
    double *centred;
    assay_status status;

    *kernel = (assay_effect_kernel){ .n = n };
    if (!x) return ASSAY_OK;
    centred = centre_all(x, n, d);
    status = centred ? find_vectors(centred, d, kernel)
                     : assay_fail(ASSAY_E_NOMEM, "no memory for %zu covariates", d);
    free(centred);
    return status;
}

void assay_effect_kernel_free(assay_effect_kernel *kernel)
{
    free(kernel->values);
    free(kernel->vectors);
}

/* out += weight vector vector'. */
static void add_outer(size_t n, double weight, const double *vector, double *out)
{
    for (size_t i = 0; i < n; i++) {
        double by = weight * vector[i];

        for (size_t k = 0; k < n; k++) out[i * n + k] += by * vector[k];
    }
}

/* The eigenvectors of K are 1, with 9 n + own, those of Kx, with own + s^2 f value, and what is at
   right angles to them, with own = s^2 (1 - f). */
void assay_effect_prior_set(const assay_effect_kernel *kernel, double s, double f,
                            assay_effect_prior *prior)
{
    size_t n = kernel->n, rank = f > 0.0 ? kernel->rank : 0;
    double own = s * s * (1.0 - f), of_level = ASSAY_LEVEL_VARIANCE * (double)n + own;
    double shared = (1.0 / of_level - 1.0 / own) / (double)n;

    prior->s = s;
    prior->f = f;
    prior->log_determinant = log(of_level) + (double)(n - 1 - rank) * log(own);
    for (size_t k = 0; k < n * n; k++) prior->precision[k] = shared;
    for (size_t i = 0; i < n; i++) prior->precision[i * n + i] += 1.0 / own;
    for (size_t r = 0; r < rank; r++) {
        double value = own + s * s * f * kernel->values[r];

        prior->log_determinant += log(value);
        add_outer(n, 1.0 / value - 1.0 / own, kernel->vectors + r * n, prior->precision);
    }
}

void assay_effect_prior_shared(const assay_effect_kernel *kernel, double s, double f, double *out)
{
    size_t n = kernel->n;

    for (size_t k = 0; k < n * n; k++) out[k] = ASSAY_LEVEL_VARIANCE;
    for (size_t r = 0; f > 0.0 && r < kernel->rank; r++)
        add_outer(n, s * s * f * kernel->values[r], kernel->vectors + r * n, out);
}

/* ---- the mode ---- */

/* theta'K^-1 theta / 2, and out = K^-1 theta. */
static double penalty(size_t n, const double *precision, const double *theta, double *out)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) out[i] = 0.0;
    for (size_t k = 0; k < n; k++) /* by columns, which are rows */
        for (size_t i = 0; i < n; i++) out[i] += precision[k * n + i] * theta[k];
    for (size_t i = 0; i < n; i++) sum += theta[i] * out[i];
    return 0.5 * sum;
}

/* factor = the Cholesky factor of H + ridge K^-1, with the least ridge of 1, 1.1, 1.4, 2.6 .. at
   which there is one: as nodes are few, l is not exactly concave. ASSAY_OK; ASSAY_E_DEGENERATE. */
static assay_status factor_hessian(size_t n, const double *information, const double *precision,
                                   double *factor)
{
    const double most = 1e9;

    for (double more = 0.0; more<most; more = more> 0.0 ? 4.0 * more : 0.1) {
        for (size_t k = 0; k < n * n; k++) factor[k] = information[k] + (1.0 + more) * precision[k];
        if (assay_linalg_factor_definite(n, factor) == 0) return ASSAY_OK;
    }
    return assay_fail(ASSAY_E_DEGENERATE, "the prior of %zu templates has no inverse", n);
}

static double longest(size_t n, const double *step)
{
    double most = 0.0;

    for (size_t i = 0; i < n; i++) most = fabs(step[i]) > most ? fabs(step[i]) : most;
    return most;
}

assay_status assay_marginal_mode(const assay_marginal_cells *cells, const assay_item_prior *items,
                                 const assay_effect_prior *prior, int is_known, double *theta,
                                 assay_marginal_point *point, double *gradient, double *information,
                                 double *factor, double *evidence)
{
    enum { MOST_STEPS = 30 };
    const double enough = 3e-3, least = 1e-3;
    size_t n = cells->n_templates;
    double *pull = assay_alloc(n, sizeof *pull), *step = assay_alloc(n, sizeof *step);
    double *tried = assay_alloc(n, sizeof *tried), objective;
    assay_status status = ASSAY_OK;

    if (!pull || !step || !tried) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu templates", n);
        goto done;
    }
    if (!is_known) {
        assay_marginal_evaluate(cells, items, theta, point);
        status = assay_marginal_slope(cells, point, gradient, information);
        if (status != ASSAY_OK) goto done;
    }
    objective = point->log_likelihood - penalty(n, prior->precision, theta, pull);
    for (int steps = 0;; steps++) {
        double scale = 1.0, found;

        status = factor_hessian(n, information, prior->precision, factor);
        if (status != ASSAY_OK) goto done;
        for (size_t i = 0; i < n; i++) step[i] = gradient[i] - pull[i];
        assay_linalg_solve_factored(n, factor, step);
        if (longest(n, step) < enough || steps == MOST_STEPS) break;
        for (;; scale /= 2.0) {
            for (size_t i = 0; i < n; i++) tried[i] = theta[i] + scale * step[i];
            assay_marginal_evaluate(cells, items, tried, point);
            found = point->log_likelihood - penalty(n, prior->precision, tried, pull);
            if (found >= objective || scale < least) break;
        }
        memcpy(theta, tried, n * sizeof *theta);
        objective = found;
        status = assay_marginal_slope(cells, point, gradient, information);
        if (status != ASSAY_OK) goto done;
    }
    *evidence = objective - 0.5 * prior->log_determinant;
    for (size_t i = 0; i < n; i++) *evidence -= log(factor[i * n + i]);
done:
    free(pull);
    free(step);
    free(tried);
    return status;
}
