/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/stream_moments.h"

#include "core/error.h"
#include "core/memory.h"
#include "signals/tile_pairs.h"

#include <math.h>
#include <stdlib.h>

enum { TILE_CELLS = ASSAY_TILE * ASSAY_TILE };

/* The items of one kind: n of them, and a, form, squares as stream_scores.h says. */
typedef struct kind {
    double n, scale; /* scale: what their unit is in that of the answer */
    double *mean, *form;
    double item_mean, squares;
} kind;

/* Both kinds, and how they join. */
typedef struct join {
    const assay_stream_sums *sums;
    size_t n_rows;
    kind bits, scores;
    double *solved, *shared;    /* of the counts: s_a = c_aa, u_a = sum_b c_ab, */
    double n_solved, n_shared;  /*   K = sum s_a, q = sum u_a */
    double n, weight;           /* items; w of stream_scores.h */
    double *change, *mean;      /* d; a over all items */
    assay_moments *of_tiles[2]; /* doubly centred, task-centred */
} join;

static assay_status join_new(const assay_stream_sums *sums, join *all);
static void join_free(join *all);
static void sum_counts(join *all);
static void find_bits(join *all);
static void find_scores(join *all);
static void find_means(join *all);
static void sum_tile(join *all, size_t k);
static double products(const join *all, size_t cell, size_t a, size_t b);
static assay_moments sum_of(const assay_moments *parts, size_t n);
static assay_moments model_moments(const join *all, assay_moments both);
static void find_spread(const join *all, assay_stream_moments *out);

assay_status assay_stream_moments_find(const assay_stream_sums *sums, int threads,
                                       assay_stream_moments *out)
{
    size_t n_pairs = assay_tile_pairs_of(assay_tiles_of(sums->n_rows, ASSAY_TILE));
    double rounding = sums->scores->n_items ? ASSAY_ROUNDING_OF_SCORES : ASSAY_ROUNDING_OF_GRAM;
    join all;
    assay_three_moments m;
    assay_status status = join_new(sums, &all);

    if (status != ASSAY_OK) goto done;
    if (all.bits.n > 0.0) find_bits(&all);
    if (all.scores.n > 0.0) find_scores(&all);
    find_means(&all);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < n_pairs; k++) sum_tile(&all, k);
    m.task = sum_of(all.of_tiles[1], n_pairs);
    m.both = assay_moments_or_nothing(sum_of(all.of_tiles[0], n_pairs), m.task, rounding);
    m.model =
        assay_moments_or_nothing(model_moments(&all, m.both), m.task, ASSAY_ROUNDING_OF_SCORES);
    out->centred = m;
    find_spread(&all, out);
done:
    join_free(&all);
    return status;
}

static assay_status join_new(const assay_stream_sums *sums, join *all)
{
    size_t n = sums->n_rows, n_pairs = assay_tile_pairs_of(assay_tiles_of(n, ASSAY_TILE));
    double **arrays[] = { &all->bits.mean, &all->bits.form, &all->scores.mean, &all->scores.form,
                          &all->solved,    &all->shared,    &all->change,      &all->mean };
    double unit = sums->scores->unit > 0.0 ? sums->scores->unit : 1.0;
    double largest = sums->bits->n_items && unit < 1.0 ? 1.0 : unit;
    int is_whole = 1;

    *all = (join){ .sums = sums, .n_rows = n };
    all->bits.n = (double)sums->bits->n_items;
    all->scores.n = (double)sums->scores->n_items;
    /* A kind of which there is none has no part in anything: 1 / largest may be beyond all digits. */
    all->bits.scale = sums->bits->n_items ? 1.0 / largest : 0.0;
    all->scores.scale = sums->scores->n_items ? unit / largest : 0.0;
    all->n = all->bits.n + all->scores.n;
    all->weight = all->bits.n * all->scores.n / all->n;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = assay_alloc_zero(n, sizeof(double));
        is_whole = is_whole && *arrays[k];
    }
    for (size_t k = 0; k < 2; k++) {
        all->of_tiles[k] = assay_alloc_zero(n_pairs, sizeof *all->of_tiles[k]);
        is_whole = is_whole && all->of_tiles[k];
    }
    return is_whole ? ASSAY_OK
                    : assay_fail(ASSAY_E_NOMEM, "no memory for the sums of %zu models", n);
}

static void join_free(join *all)
{
    free(all->bits.mean);
    free(all->bits.form);
    free(all->scores.mean);
    free(all->scores.form);
    free(all->solved);
    free(all->shared);
    free(all->change);
    free(all->mean);
    free(all->of_tiles[0]);
    free(all->of_tiles[1]);
}

/* ---- the two kinds ---- */

/* Whole numbers below 2^53: the order does not matter. */
static void sum_counts(join *all)
{
    const uint64_t *counts = all->sums->bits->counts;
    size_t n_pairs = assay_tile_pairs_of(assay_tiles_of(all->n_rows, ASSAY_TILE));

    for (size_t k = 0; k < n_pairs; k++, counts += TILE_CELLS) {
        size_t a, b;

        assay_tile_pair(k, &a, &b);
        for (size_t i = 0; i < ASSAY_TILE && a * ASSAY_TILE + i < all->n_rows; i++) {
            for (size_t j = 0; j < ASSAY_TILE && b * ASSAY_TILE + j < all->n_rows; j++) {
                double count = (double)counts[i * ASSAY_TILE + j];

                all->shared[a * ASSAY_TILE + i] += count;
                if (a != b) all->shared[b * ASSAY_TILE + j] += count;
                if (a == b && i == j) all->solved[a * ASSAY_TILE + i] = count;
            }
        }
    }
    for (size_t m = 0; m < all->n_rows; m++) {
        all->n_solved += all->solved[m];
        all->n_shared += all->shared[m];
    }
}

/* a b - c d to a rounding or two of the difference, where the products cancel (Kahan). */
static double difference(double a, double b, double c, double d)
{
    double product = c * d, rest = fma(-c, d, product);

    return fma(a, b, -product) + rest;
}

/* With r_a = N s_a - K all of these are whole numbers over N T or N^2 T:
   a = r_a / (N T), form = [T (N u_a - q) - r_a K] / (N^2 T), squares = [T q - K^2] / (N^2 T). */
static void find_bits(join *all)
{
    kind *bits = &all->bits;
    double n = (double)all->n_rows, t = bits->n;

    sum_counts(all);
    for (size_t m = 0; m < all->n_rows; m++) {
        double r = n * all->solved[m] - all->n_solved;

        bits->mean[m] = r / (n * t);
        bits->form[m] =
            difference(t, n * all->shared[m] - all->n_shared, r, all->n_solved) / (n * n * t);
    }
    bits->item_mean = all->n_solved / (n * t);
    bits->squares = difference(t, all->n_shared, all->n_solved, all->n_solved) / (n * n * t);
}

static void find_scores(join *all)
{
    const assay_stream_scores *from = all->sums->scores;

    for (size_t m = 0; m < all->n_rows; m++) {
        all->scores.mean[m] = from->mean[m];
        all->scores.form[m] = from->form[m];
    }
    all->scores.item_mean = from->item_mean;
    all->scores.squares = from->squares;
}

static void find_means(join *all)
{
    const kind *bits = &all->bits, *scores = &all->scores;

    for (size_t m = 0; m < all->n_rows; m++) {
        double of_bits = bits->scale * bits->mean[m], of_scores = scores->scale * scores->mean[m];

        all->change[m] = of_scores - of_bits;
        all->mean[m] = (bits->n * of_bits + scores->n * of_scores) / all->n;
    }
}

/* ---- their moments ---- */

/* DD' = sum (z - a)(z - a)' and, since a is what was taken out of Z, ZZ' = DD' + T a a'. */
static void sum_tile(join *all, size_t k)
{
    size_t a, b;
    assay_moments both = { 0.0, 0.0 }, task = { 0.0, 0.0 };
    double times;

    assay_tile_pair(k, &a, &b);
    times = a == b ? 1.0 : 2.0; /* the mirror image */
    for (size_t i = 0; i < ASSAY_TILE && a * ASSAY_TILE + i < all->n_rows; i++) {
        for (size_t j = 0; j < ASSAY_TILE && b * ASSAY_TILE + j < all->n_rows; j++) {
            size_t row = a * ASSAY_TILE + i, column = b * ASSAY_TILE + j;
            double d = products(all, k * TILE_CELLS + i * ASSAY_TILE + j, row, column);
            double g = d + all->n * all->mean[row] * all->mean[column];

            both.squares += times * d * d;
            task.squares += times * g * g;
            if (row != column) continue;
            both.trace += d;
            task.trace += g;
        }
    }
    all->of_tiles[0][k] = both;
    all->of_tiles[1][k] = task;
}

/* DD' of models a and b. Of the bits it is
   [T (N^2 c_ab - N (u_a + u_b) + q) - r_a r_b] / (N^2 T). */
static double products(const join *all, size_t cell, size_t a, size_t b)
{
    double n = (double)all->n_rows, t = all->bits.n;
    double sum = all->weight * all->change[a] * all->change[b];

    if (all->scores.n > 0.0)
        sum += all->scores.scale * all->scores.scale * all->sums->scores->gram[cell];
    if (t > 0.0) {
        double centred = n * n * (double)all->sums->bits->counts[cell] -
                         n * (all->shared[a] + all->shared[b]) + all->n_shared;
        double r_a = n * all->solved[a] - all->n_solved, r_b = n * all->solved[b] - all->n_solved;

        sum += all->bits.scale * all->bits.scale * difference(t, centred, r_a, r_b) / (n * n * t);
    }
    return sum;
}

static assay_moments sum_of(const assay_moments *parts, size_t n)
{
    assay_moments sum = { 0.0, 0.0 };

    for (size_t k = 0; k < n; k++) {
        sum.trace += parts[k].trace;
        sum.squares += parts[k].squares;
    }
    return sum;
}

/* (2) of docs/signals.md, with the form D'b. */
static assay_moments model_moments(const join *all, assay_moments both)
{
    const kind *bits = &all->bits, *scores = &all->scores;
    double n = (double)all->sums->n_models, forms = 0.0;
    double change = scores->scale * scores->item_mean - bits->scale * bits->item_mean;
    double squares = bits->scale * bits->scale * bits->squares +
                     scores->scale * scores->scale * scores->squares +
                     all->weight * change * change;

    for (size_t m = 0; m < all->n_rows; m++) {
        double form = bits->scale * bits->scale * bits->form[m] +
                      scores->scale * scores->scale * scores->form[m] +
                      all->weight * all->change[m] * change;

        forms += form * form;
    }
    return (assay_moments){ both.trace + n * squares,
                            both.squares + 2.0 * n * forms + n * n * squares * squares };
}

/* An item that k of N models solve has d = k (N - k) / N. */
static void find_spread(const join *all, assay_stream_moments *out)
{
    double n = (double)all->n_rows, of_bits = all->bits.scale * all->bits.scale,
           of_scores = all->scores.scale * all->scores.scale;

    out->spread = of_scores * all->sums->scores->spread;
    out->spread_squares = of_scores * of_scores * all->sums->scores->spread_squares;
    if (all->bits.n == 0.0) return;
    for (size_t k = 0; k <= all->n_rows; k++) {
        double d = of_bits * (double)k * (n - (double)k) / n;
        double times = (double)all->sums->bits->solved_by[k];

        out->spread += times * d;
        out->spread_squares += times * d * d;
    }
}
