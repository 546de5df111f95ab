/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/prompt_map.h"

#include "core/error.h"
#include "core/memory.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_STEPS = 200 };

static void find_component(const assay_vectors *x, const double *before, double *axis, double *work,
                           double *along, size_t which);
static double total_variance(const assay_vectors *x, double *mean);

assay_status assay_prompt_map_find(const assay_vectors *vectors, double *x, double *y,
                                   double *share)
{
    size_t n = vectors->n, d = vectors->d;
    double *axes, within = 0.0, total;

    if (assay_vectors_by_turn(vectors))
        return assay_fail(ASSAY_E_VALUE, "map: the largest of the turns' distances is no geometry "
                                         "of vectors, expected another way to join turns");
    axes = assay_alloc(3 * d, sizeof *axes);
    if (!axes) return assay_fail(ASSAY_E_NOMEM, "no memory for a map of %zu prompts", n);
    find_component(vectors, NULL, axes, axes + 2 * d, x, 0);
    find_component(vectors, axes, axes + d, axes + 2 * d, y, 1);
    for (size_t i = 0; i < n; i++) within += x[i] * x[i] + y[i] * y[i];
    total = total_variance(vectors, axes);
    *share = total > 1e-12 * (double)n ? fmin(within / total, 1.0) : NAN;
    free(axes);
    return ASSAY_OK;
}

/* out (n) = X v less its mean, and back (d) = X' out: one step of the power method on the covariance. */
static void multiply(const assay_vectors *x, const double *v, double *out)
{
    double mean = 0.0;

    for (size_t i = 0; i < x->n; i++) {
        out[i] = 0.0;
        if (x->dense)
            for (size_t k = 0; k < x->d; k++) out[i] += x->dense[i * x->d + k] * v[k];
        else
            for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
                out[i] += x->value[e] * v[x->column[e]];
        mean += out[i] / (double)x->n;
    }
    for (size_t i = 0; i < x->n; i++) out[i] -= mean;
}

static void multiply_back(const assay_vectors *x, const double *u, double *out)
{
    memset(out, 0, x->d * sizeof *out);
    for (size_t i = 0; i < x->n; i++) {
        if (x->dense)
            for (size_t k = 0; k < x->d; k++) out[k] += x->dense[i * x->d + k] * u[i];
        else
            for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
                out[x->column[e]] += x->value[e] * u[i];
    }
}

static double normalise(double *v, size_t n)
{
    double length = 0.0;

    for (size_t i = 0; i < n; i++) length += v[i] * v[i];
    length = sqrt(length);
    for (size_t i = 0; i < n && length > 0.0; i++) v[i] /= length;
    return length;
}

static void take_out(double *v, const double *direction, size_t n)
{
    double product = 0.0;

    for (size_t i = 0; i < n; i++) product += v[i] * direction[i];
    for (size_t i = 0; i < n; i++) v[i] -= product * direction[i];
}

/* Where the power method starts: fixed, and with a part along every direction. */
static void start_vector(double *v, size_t n, size_t which)
{
    for (size_t k = 0; k < n; k++) v[k] = cos((double)((k + 1) * (which + 1)));
    normalise(v, n);
}

/* A component and the places along it. The second is sought at right angles to the one before. */
static void find_component(const assay_vectors *x, const double *before, double *axis, double *work,
                           double *along, size_t which)
{
    start_vector(axis, x->d, which);
    for (size_t step = 0; step < N_STEPS; step++) {
        if (before) take_out(axis, before, x->d);
        multiply(x, axis, along);
        multiply_back(x, along, work);
        if (before) take_out(work, before, x->d);
        if (normalise(work, x->d) == 0.0) break; /* all prompts stand at one place */
        memcpy(axis, work, x->d * sizeof *axis);
    }
    multiply(x, axis, along);
}

/* sum_i |x_i|^2 - n |mean|^2: rows have length 1 or 0. */
static double total_variance(const assay_vectors *x, double *mean)
{
    double total = (double)(x->n - x->n_zero);

    memset(mean, 0, x->d * sizeof *mean);
    for (size_t i = 0; i < x->n; i++) {
        if (x->dense)
            for (size_t k = 0; k < x->d; k++) mean[k] += x->dense[i * x->d + k];
        else
            for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
                mean[x->column[e]] += x->value[e];
    }
    for (size_t k = 0; k < x->d; k++) total -= mean[k] * mean[k] / (double)x->n;
    return total;
}
