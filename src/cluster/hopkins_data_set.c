/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/hopkins_data_set.h"

#include "cluster/hopkins.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

static assay_status start_desk(const assay_data_set *set, assay_desk *at);
static void find_window(assay_data_set *set);
static void make_units(double *rows, size_t n, size_t d);
static void find_nearest(assay_data_set *set);
static double repeat(const assay_data_set *set, assay_desk *at, size_t number);
static void draw_points(const assay_data_set *set, assay_random *random, double *rows, size_t n);
static double distance_of(const assay_data_set *set, double squared);

assay_status assay_data_set_new(const assay_hopkins_options *options, size_t n, size_t d,
                                int threads, assay_data_set *set)
{
    size_t width = d + (options->metric == ASSAY_HOPKINS_COSINE);
    assay_status status;

    *set = (assay_data_set){ .options = options, .d = d, .threads = threads };
    if ((status = assay_points_new(n, width, &set->points)) != ASSAY_OK) return status;
    set->low = assay_alloc(d, sizeof *set->low);
    set->high = assay_alloc(d, sizeof *set->high);
    set->nearest = assay_alloc(n, sizeof *set->nearest);
    set->h = assay_alloc(options->repeats, sizeof *set->h);
    set->desks = assay_alloc_zero((size_t)threads, sizeof *set->desks);
    if (!set->low || !set->high || !set->nearest || !set->h || !set->desks)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the Hopkins statistic of %zu prompts", n);
    for (int t = 0; status == ASSAY_OK && t < threads; t++)
        status = start_desk(set, &set->desks[t]);
    return status;
}

static assay_status start_desk(const assay_data_set *set, assay_desk *at)
{
    size_t m = set->options->n_sampled;

    at->order = assay_alloc(set->points.n, sizeof *at->order);
    at->u = assay_alloc(m, sizeof *at->u);
    at->w = assay_alloc(m, sizeof *at->w);
    at->queries = assay_alloc_aligned(ASSAY_QUERIES * set->points.d, sizeof *at->queries);
    if (!at->order || !at->u || !at->w || !at->queries)
        return assay_fail(ASSAY_E_NOMEM, "no memory for samples of %zu points", m);
    return assay_points_space_new(set->points.d, &at->space);
}

void assay_data_set_free(assay_data_set *set)
{
    for (int t = 0; set->desks && t < set->threads; t++) {
        assay_points_space_free(&set->desks[t].space);
        free(set->desks[t].order);
        free(set->desks[t].u);
        free(set->desks[t].w);
        free(set->desks[t].queries);
    }
    free(set->desks);
    free(set->low);
    free(set->high);
    free(set->nearest);
    free(set->h);
    assay_points_free(&set->points);
    *set = (assay_data_set){ 0 };
}

void assay_data_set_measure(assay_data_set *set, double *mean, double *sd)
{
    find_window(set);
    if (set->options->metric == ASSAY_HOPKINS_COSINE)
        make_units(set->points.row, set->points.n, set->points.d);
    assay_points_prepare(&set->points);
    find_nearest(set);
#pragma omp parallel for num_threads(set->threads) schedule(dynamic)
    for (size_t k = 0; k < set->options->repeats; k++)
        set->h[k] = repeat(set, &set->desks[omp_get_thread_num()], k);
    assay_mean_and_sd(set->h, set->options->repeats, mean, sd);
}

static void find_window(assay_data_set *set)
{
    for (size_t j = 0; j < set->d; j++) {
        set->low[j] = INFINITY;
        set->high[j] = -INFINITY;
    }
    for (size_t i = 0; i < set->points.n; i++)
        for (size_t j = 0; j < set->d; j++) {
            double value = set->points.row[i * set->points.d + j];
            if (value < set->low[j]) set->low[j] = value;
            if (value > set->high[j]) set->high[j] = value;
        }
}

/* Between rows of length 1, 1 - cos is half the squared distance. Zero vectors get a coordinate of
   their own, the last. */
static void make_units(double *rows, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        double *row = rows + i * d, square = 0.0;

        for (size_t j = 0; j + 1 < d; j++) square += row[j] * row[j];
        row[d - 1] = square == 0.0;
        for (size_t j = 0; square > 0.0 && j + 1 < d; j++) row[j] /= sqrt(square);
    }
}

/* w of every point, once: the repeats draw among them. */
static void find_nearest(assay_data_set *set)
{
    size_t n = set->points.n, n_blocks = (n + ASSAY_QUERIES - 1) / ASSAY_QUERIES;

#pragma omp parallel for num_threads(set->threads) schedule(dynamic)
    for (size_t b = 0; b < n_blocks; b++) {
        size_t first = b * ASSAY_QUERIES, left = n - first;
        size_t here = left < ASSAY_QUERIES ? left : ASSAY_QUERIES;

        assay_points_nearest(&set->points, set->points.row + first * set->points.d, here, first,
                             &set->desks[omp_get_thread_num()].space, set->nearest + first);
        for (size_t q = first; q < first + here; q++)
            set->nearest[q] = distance_of(set, set->nearest[q]);
    }
}

static double repeat(const assay_data_set *set, assay_desk *at, size_t number)
{
    size_t n = set->points.n, m = set->options->n_sampled;
    assay_random random;

    assay_random_start(&random, set->options->seed, ASSAY_PURPOSE_HOPKINS,
                       set->number << 32 | number);
    for (size_t i = 0; i < n; i++) at->order[i] = i;
    for (size_t k = 0; k < m; k++) { /* without replacement */
        size_t other = k + (size_t)assay_random_below(&random, n - k), chosen = at->order[other];

        at->order[other] = at->order[k];
        at->w[k] = set->nearest[chosen];
    }
    for (size_t first = 0; first < m; first += ASSAY_QUERIES) {
        size_t here = m - first < ASSAY_QUERIES ? m - first : ASSAY_QUERIES;

        draw_points(set, &random, at->queries, here);
        assay_points_nearest(&set->points, at->queries, here, SIZE_MAX, &at->space, at->u + first);
    }
    for (size_t k = 0; k < m; k++) at->u[k] = distance_of(set, at->u[k]);
    return assay_hopkins_statistic(at->u, at->w, m, set->options->exponent);
}

static void draw_points(const assay_data_set *set, assay_random *random, double *rows, size_t n)
{
    size_t stride = set->points.d;

    for (size_t i = 0; i < n; i++) {
        double *row = rows + i * stride, square = 0.0;

        for (size_t j = 0; j < set->d; j++) {
            if (set->options->window == ASSAY_HOPKINS_BOX)
                row[j] = set->low[j] + (set->high[j] - set->low[j]) * assay_random_uniform(random);
            else
                row[j] = assay_random_normal(random);
            if (set->options->window == ASSAY_HOPKINS_ORTHANT) row[j] = fabs(row[j]);
            square += row[j] * row[j];
        }
        if (set->options->window == ASSAY_HOPKINS_BOX) continue;
        for (size_t j = 0; j < set->d; j++) row[j] /= sqrt(square);
    }
    if (set->options->metric == ASSAY_HOPKINS_COSINE) make_units(rows, n, stride);
}

static double distance_of(const assay_data_set *set, double squared)
{
    return set->options->metric == ASSAY_HOPKINS_COSINE ? 0.5 * squared : sqrt(squared);
}

void assay_mean_and_sd(const double *values, size_t n, double *mean, double *sd)
{
    double sum = 0.0, squares = 0.0;

    for (size_t k = 0; k < n; k++) sum += values[k];
    *mean = sum / (double)n;
    for (size_t k = 0; k < n; k++) squares += (values[k] - *mean) * (values[k] - *mean);
    *sd = sqrt(squares / ((double)n - 1.0));
}
