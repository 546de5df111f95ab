/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/hopkins_null.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows that are drawn at a time */

static double *centred_columns(const assay_null_source *source);
static assay_status factor_covariance(assay_null_source *source, const double *columns);
static void permute(const assay_null_source *source, uint64_t number, double *rows, size_t stride);
static assay_status draw_normal(const assay_null_source *source, uint64_t number, double *rows,
                                size_t stride);
static void draw_block(const assay_null_source *source, uint64_t number, size_t first,
                       double *normal, double *rows, size_t stride);

assay_status assay_null_source_new(const double *data, size_t n, size_t d, uint64_t seed,
                                   assay_null_source *source)
{
    double *columns = NULL;
    assay_status status;

    *source = (assay_null_source){ .data = data, .n = n, .d = d, .seed = seed };
    source->mean = assay_alloc_zero(d, sizeof(double));
    if (!source->mean) return assay_fail(ASSAY_E_NOMEM, "no memory for a mean");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) source->mean[j] += data[i * d + j] / (double)n;
    columns = centred_columns(source);
    if (!columns) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu columns of %zu", d, n);
    if (d > n) { /* no smaller factor: the centred columns themselves */
        source->factor = columns;
        source->n_factors = n;
        return ASSAY_OK;
    }
    status = factor_covariance(source, columns);
    free(columns);
    return status;
}

void assay_null_source_free(assay_null_source *source)
{
    free(source->mean);
    free(source->factor);
    *source = (assay_null_source){ 0 };
}

/* d x n: each coordinate's distances from its mean, over the square root of n - 1. */
static double *centred_columns(const assay_null_source *source)
{
    size_t n = source->n, d = source->d;
    double *columns = assay_alloc_aligned(n * d, sizeof *columns);

    for (size_t i = 0; columns && i < n; i++)
        for (size_t j = 0; j < d; j++)
            columns[j * n + i] =
                (source->data[i * d + j] - source->mean[j]) / sqrt((double)n - 1.0);
    return columns;
}

static assay_status factor_covariance(assay_null_source *source, const double *columns)
{
    size_t d = source->d;
    double *covariance = assay_alloc_aligned(d * d, sizeof *covariance);
    double *work = assay_alloc(2 * d, sizeof *work);
    int *pivots = assay_alloc_zero(d, sizeof *pivots);
    double *factor = assay_alloc_aligned(d * d, sizeof *factor);
    assay_status status = ASSAY_E_NOMEM;
    size_t rank;

    if (covariance && work && pivots && factor) {
        assay_linalg_aat(d, source->n, columns, covariance);
        assay_linalg_semidefinite_factor(d, covariance, pivots, work, factor, &rank);
        source->factor = factor;
        source->n_factors = d; /* columns beyond the rank are zero */
        factor = NULL;
        status = ASSAY_OK;
    }
    free(covariance);
    free(work);
    free(pivots);
    free(factor);
    return status == ASSAY_OK
               ? ASSAY_OK
               : assay_fail(ASSAY_E_NOMEM, "no memory for a covariance of %zu dimensions", d);
}

assay_status assay_null_fill(const assay_null_source *source, assay_hopkins_null kind,
                             uint64_t number, double *rows, size_t stride)
{
    if (kind == ASSAY_HOPKINS_GAUSSIAN) return draw_normal(source, number, rows, stride);
    permute(source, number, rows, stride);
    return ASSAY_OK;
}

/* Fisher and Yates, from the inside out: each column a stream. */
static void permute(const assay_null_source *source, uint64_t number, double *rows, size_t stride)
{
    for (size_t j = 0; j < source->d; j++) {
        assay_random random;

        assay_random_start(&random, source->seed, ASSAY_PURPOSE_HOPKINS_NULL, number << 32 | j);
        for (size_t i = 0; i < source->n; i++) {
            size_t k = (size_t)assay_random_below(&random, i + 1);

            rows[i * stride + j] = rows[k * stride + j];
            rows[k * stride + j] = source->data[i * source->d + j];
        }
    }
}

static assay_status draw_normal(const assay_null_source *source, uint64_t number, double *rows,
                                size_t stride)
{
    double *normal = assay_alloc_aligned(BLOCK * source->n_factors, sizeof *normal);

    if (!normal)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu random numbers", source->n_factors);
    for (size_t first = 0; first < source->n; first += BLOCK)
        draw_block(source, number, first, normal, rows, stride);
    free(normal);
    return ASSAY_OK;
}

/* Each row a stream. */
static void draw_block(const assay_null_source *source, uint64_t number, size_t first,
                       double *normal, double *rows, size_t stride)
{
    size_t n = source->n - first < BLOCK ? source->n - first : BLOCK;

    for (size_t i = 0; i < n; i++) {
        assay_random random;

        assay_random_start(&random, source->seed, ASSAY_PURPOSE_HOPKINS_NULL,
                           number << 32 | (first + i));
        for (size_t k = 0; k < source->n_factors; k++)
            normal[i * source->n_factors + k] = assay_random_normal(&random);
        memcpy(rows + (first + i) * stride, source->mean, source->d * sizeof(double));
    }
    assay_linalg_add_abt(n, source->d, source->n_factors, normal, source->n_factors, source->factor,
                         source->n_factors, rows + first * stride, stride);
}
