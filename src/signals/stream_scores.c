/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/stream_scores.h"

#include "core/error.h"
#include "core/memory.h"
#include "signals/tile_pairs.h"
#include "stats/linalg.h"
#include "stats/popcount.h"

#include <math.h>
#include <stdlib.h>

/* A panel has a fixed number of items, whatever the parts in which they come, so that its sums do
   not depend on those; and room for one more column. */
enum { PANEL_ITEMS = 512, STRIDE = PANEL_ITEMS + 8, TILE_CELLS = ASSAY_TILE * ASSAY_TILE };

static void change_unit(assay_stream_scores *scores, const double *item);
static void centre_item(assay_stream_scores *scores, const double *item);
static double centre_effects(assay_stream_scores *scores, double before);
static void centre_models(assay_stream_scores *scores, double before, int threads);
static void add_products(assay_stream_scores *scores, int threads);

assay_status assay_stream_scores_new(size_t n_models, assay_stream_scores *scores)
{
    size_t n_pairs = assay_tile_pairs_of(assay_tiles_of(n_models, ASSAY_TILE));

    *scores = (assay_stream_scores){ .n_models = n_models };
    scores->n_seen = assay_alloc_zero(n_models, sizeof *scores->n_seen);
    if (n_models <= SIZE_MAX / STRIDE)
        scores->panel = assay_alloc_aligned(n_models * STRIDE, sizeof *scores->panel);
    scores->effect = assay_alloc_aligned(STRIDE, sizeof *scores->effect);
    if (n_pairs <= SIZE_MAX / TILE_CELLS)
        scores->gram = assay_alloc_aligned(n_pairs * TILE_CELLS, sizeof *scores->gram);
    scores->mean = assay_alloc_aligned(n_models, sizeof *scores->mean);
    scores->form = assay_alloc_aligned(n_models, sizeof *scores->form);
    if (scores->n_seen && scores->panel && scores->effect && scores->gram && scores->mean &&
        scores->form)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "no memory for the products of %zu x %zu models", n_models,
                      n_models);
}

void assay_stream_scores_free(assay_stream_scores *scores)
{
    free(scores->n_seen);
    free(scores->panel);
    free(scores->effect);
    free(scores->gram);
    free(scores->mean);
    free(scores->form);
    *scores = (assay_stream_scores){ 0 };
}

void assay_stream_scores_add(assay_stream_scores *scores, const double *item, int threads)
{
    change_unit(scores, item);
    centre_item(scores, item);
    scores->n_items++;
    if (++scores->n_in_panel == PANEL_ITEMS) assay_stream_scores_flush(scores, threads);
}

void assay_stream_scores_flush(assay_stream_scores *scores, int threads)
{
    size_t n = scores->n_in_panel;
    double before = (double)(scores->n_items - n);

    if (n == 0) return;
    scores->effect[n] = centre_effects(scores, before);
    for (size_t t = 0; t <= n; t++) scores->squares += scores->effect[t] * scores->effect[t];
    centre_models(scores, before, threads);
    add_products(scores, threads);
    scores->n_in_panel = 0;
}

static void multiply(double *values, size_t n, double factor)
{
    for (size_t i = 0; i < n; i++) values[i] *= factor;
}

/* A power of 2 near the largest score so far: fourth powers of what is divided by it stay finite,
   and multiplying what is there by a power of 2 loses nothing. */
static void change_unit(assay_stream_scores *scores, const double *item)
{
    size_t n = scores->n_models, n_pairs = assay_tile_pairs_of(assay_tiles_of(n, ASSAY_TILE));
    double largest = 0.0, unit, factor, square;

    for (size_t m = 0; m < n; m++) largest = fmax(largest, fabs(item[m])); /* passes over NaN */
    if (largest == 0.0) return;
    unit = ldexp(1.0, ilogb(largest));
    if (unit <= scores->unit) return;
    factor = scores->unit / unit;
    square = factor * factor;
    scores->unit = unit;
    if (factor == 0.0 && scores->n_items == 0) return;
    multiply(scores->panel, n * STRIDE, factor);
    multiply(scores->effect, STRIDE, factor);
    multiply(scores->gram, n_pairs * TILE_CELLS, square);
    multiply(scores->mean, n, factor);
    multiply(scores->form, n, square);
    scores->item_mean *= factor;
    scores->squares *= square;
    scores->spread *= square;
    scores->spread_squares *= square * square;
}

/* The next column of the panel. An item whose scores are all equal has exactly that mean: rounding
   must not make it vary. */
static void centre_item(assay_stream_scores *scores, const double *item)
{
    double sum = 0.0, low = INFINITY, high = -INFINITY, spread = 0.0, mean;
    double unit = scores->unit > 0.0 ? scores->unit : 1.0;
    size_t n = 0;

    for (size_t m = 0; m < scores->n_models; m++) {
        double score = item[m] / unit;

        if (isnan(score)) continue;
        sum += score;
        low = fmin(low, score);
        high = fmax(high, score);
        scores->n_seen[m]++;
        n++;
    }
    mean = low == high ? low : sum / (double)n;
    for (size_t m = 0; m < scores->n_models; m++) {
        double cell = isnan(item[m]) ? 0.0 : item[m] / unit - mean;

        scores->panel[m * STRIDE + scores->n_in_panel] = cell;
        spread += cell * cell;
    }
    scores->effect[scores->n_in_panel] = mean;
    scores->spread += spread;
    scores->spread_squares += spread * spread;
    scores->n_constant += low == high;
}

/* b within the panel. Returns the root of w times e, and moves the mean of the item means. */
static double centre_effects(assay_stream_scores *scores, double before)
{
    double n = (double)scores->n_in_panel, mean = 0.0, change;

    for (size_t t = 0; t < scores->n_in_panel; t++) mean += scores->effect[t] / n;
    for (size_t t = 0; t < scores->n_in_panel; t++) scores->effect[t] -= mean;
    change = mean - scores->item_mean;
    scores->item_mean += change * (n / (before + n));
    return sqrt(before * n / (before + n)) * change;
}

/* The same for every model's row, and its part of the form. */
static void centre_models(assay_stream_scores *scores, double before, int threads)
{
    size_t n_items = scores->n_in_panel;
    double n = (double)n_items;

#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t m = 0; m < scores->n_models; m++) {
        double *row = scores->panel + m * STRIDE, mean = 0.0, change;

        for (size_t t = 0; t < n_items; t++) mean += row[t];
        mean /= n;
        for (size_t t = 0; t < n_items; t++) row[t] -= mean;
        change = mean - scores->mean[m];
        scores->mean[m] += change * (n / (before + n));
        row[n_items] = sqrt(before * n / (before + n)) * change;
        for (size_t t = 0; t <= n_items; t++) scores->form[m] += row[t] * scores->effect[t];
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void add_products(assay_stream_scores *scores, int threads)
{
    size_t n = scores->n_models, n_pairs = assay_tile_pairs_of(assay_tiles_of(n, ASSAY_TILE));

    assay_blas_hold();
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < n_pairs; k++) {
        size_t a, b;

        assay_tile_pair(k, &a, &b);
        a *= ASSAY_TILE;
        b *= ASSAY_TILE;
        assay_linalg_add_abt(smaller(ASSAY_TILE, n - a), smaller(ASSAY_TILE, n - b),
                             scores->n_in_panel + 1, scores->panel + a * STRIDE, STRIDE,
                             scores->panel + b * STRIDE, STRIDE, scores->gram + k * TILE_CELLS,
                             ASSAY_TILE);
    }
    assay_blas_release();
}
