/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/model_copies.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"
#include "signals/score_bits.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

static const char too_many[] = "too many models and items to compare all of them";

/* N^2 T that may be compared, of cells that are bits and of others: seconds of one core. */
static const double most_bits = 2e11, most_scores = 4e9;

/* What a near-copy is. Ours. */
enum { MOST_DIFFERING = 100, LEAST_COMMON = 9, LEAST_AGREED = 20, LEAST_VALUES = 4 };

struct row {
    uint64_t digest;
    size_t model;
};

static uint64_t digest_of(const assay_matrix *matrix, size_t model);
static int by_digest(const void *left, const void *right);
static void find_exact(const assay_matrix *matrix, const struct row *sorted, size_t *like);
static int is_telling(const assay_matrix *matrix, size_t a, size_t b, size_t differing,
                      double *agreed);
static int differs_enough(const assay_matrix *matrix, size_t a, size_t b, size_t differing);
static void find_near(const assay_matrix *matrix, double *agreed, size_t *like,
                      unsigned char *near);

assay_status assay_model_copies_find(const assay_matrix *matrix, size_t *like, unsigned char *near,
                                     assay_model_copies *out)
{
    size_t n = matrix->n_models;
    double work = (double)n * (double)n * (double)matrix->n_items;
    struct row *sorted = assay_alloc(n, sizeof *sorted);
    double *agreed = assay_alloc(matrix->n_items, sizeof *agreed);
    assay_status status = ASSAY_OK;

    *out = (assay_model_copies){ 0 };
    if (!sorted || !agreed) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to compare %zu models", n);
        goto done;
    }
    for (size_t m = 0; m < n; m++) {
        sorted[m] = (struct row){ digest_of(matrix, m), m };
        near[m] = 0;
    }
    qsort(sorted, n, sizeof *sorted, by_digest);
    find_exact(matrix, sorted, like);
    if (matrix->n_items == 1)
        for (size_t m = 0; m < n; m++) like[m] = m;
    for (size_t m = 0; m < n; m++)
        out->n_by_chance += like[m] != m && !is_telling(matrix, like[m], m, 0, agreed);
    if (matrix->n_items > 1 && work > (matrix->value ? most_bits : most_scores))
        out->no_near = too_many;
    else
        find_near(matrix, agreed, like, near);
    for (size_t m = 0; m < n; m++) {
        out->n_near += near[m];
        out->n_exact += like[m] != m && !near[m];
    }
done:
    free(sorted);
    free(agreed);
    return status;
}

/* ---- exact copies ---- */

static uint64_t digest_of(const assay_matrix *matrix, size_t model)
{
    uint64_t digest = 0;

    for (size_t i = 0; i < matrix->n_items; i++)
        digest = assay_digest_more(digest, assay_score_bits(matrix, model, i));
    return digest;
}

static int by_digest(const void *left, const void *right)
{
    const struct row *x = left, *y = right;

    if (x->digest != y->digest) return x->digest < y->digest ? -1 : 1;
    return (x->model > y->model) - (x->model < y->model);
}

static int are_alike(const assay_matrix *matrix, size_t a, size_t b)
{
    for (size_t i = 0; i < matrix->n_items; i++)
        if (assay_score_bits(matrix, a, i) != assay_score_bits(matrix, b, i)) return 0;
    return 1;
}

/* Of each model the first that has its digest and its row: rows that share a digest only are told
   apart. */
static void find_exact(const assay_matrix *matrix, const struct row *sorted, size_t *like)
{
    size_t from = 0;

    for (size_t k = 0; k < matrix->n_models; k++) {
        size_t model = sorted[k].model;

        if (sorted[k].digest != sorted[from].digest) from = k;
        like[model] = model;
        for (size_t j = from; j < k && like[model] == model; j++)
            if (like[sorted[j].model] == sorted[j].model &&
                are_alike(matrix, sorted[j].model, model))
                like[model] = sorted[j].model;
    }
}

/* ---- near-copies ---- */

/* Of two rows: cells that both have, that either has, and that differ. */
struct pair {
    size_t common, either, differing;
};

static int may_differ(const struct pair *pair)
{
    return pair->differing <= 1 || MOST_DIFFERING * pair->differing <= pair->common;
}

/* Stops where more differ than could of all items. */
static struct pair compare(const assay_matrix *matrix, size_t a, size_t b)
{
    const uint64_t *had_a = matrix->observed + a * matrix->stride;
    const uint64_t *had_b = matrix->observed + b * matrix->stride;
    size_t most = matrix->n_items / MOST_DIFFERING;
    struct pair pair = { 0 };

    if (most < 1) most = 1;
    for (size_t w = 0; w * 64 < matrix->n_items && pair.differing <= most; w++) {
        uint64_t both = had_a[w] & had_b[w];

        pair.common += (size_t)__builtin_popcountll(both);
        pair.either += (size_t)__builtin_popcountll(had_a[w] | had_b[w]);
        if (matrix->value) {
            both &= matrix->value[a * matrix->stride + w] ^ matrix->value[b * matrix->stride + w];
            pair.differing += (size_t)__builtin_popcountll(both);
            continue;
        }
        for (; both && pair.differing <= most; both &= both - 1) {
            size_t i = 64 * w + (size_t)__builtin_ctzll(both);

            pair.differing +=
                matrix->scores[a * matrix->n_items + i] != matrix->scores[b * matrix->n_items + i];
        }
    }
    return pair;
}

/* Whether the values that both have say enough: many beside the most common one, or many different
   ones. */
static int is_telling(const assay_matrix *matrix, size_t a, size_t b, size_t differing,
                      double *agreed)
{
    size_t n = 0, n_values = 0, most = 0;

    if (matrix->value) return differs_enough(matrix, a, b, differing);
    for (size_t i = 0; i < matrix->n_items; i++) {
        double x = assay_matrix_score(matrix, a, i);

        if (x == assay_matrix_score(matrix, b, i)) agreed[n++] = x; /* no NaN is */
    }
    assay_sort_numbers(agreed, n);
    for (size_t from = 0, end; from < n; from = end) {
        for (end = from; end < n && agreed[end] == agreed[from];) end++;
        if (end - from > most) most = end - from;
        n_values++;
    }
    if (differing < 1) differing = 1;
    return n - most >= LEAST_AGREED * differing || n_values >= LEAST_VALUES * differing;
}

/* The same of bits, of which there are two values at most: of models that solve next to nothing every
   pair comes here, and counting costs no more than comparing did. */
static int differs_enough(const assay_matrix *matrix, size_t a, size_t b, size_t differing)
{
    size_t ones = 0, zeros = 0;

    for (size_t w = 0; w * 64 < matrix->n_items; w++) {
        size_t at = a * matrix->stride + w, bt = b * matrix->stride + w;
        uint64_t both = matrix->observed[at] & matrix->observed[bt];

        ones += (size_t)__builtin_popcountll(both & matrix->value[at] & matrix->value[bt]);
        zeros += (size_t)__builtin_popcountll(both & ~matrix->value[at] & ~matrix->value[bt]);
    }
    return (ones < zeros ? ones : zeros) >= LEAST_AGREED * (differing < 1 ? 1 : differing);
}

static void find_near(const assay_matrix *matrix, double *agreed, size_t *like, unsigned char *near)
{
    for (size_t m = 1; m < matrix->n_models; m++) {
        for (size_t k = 0; k < m && like[m] == m; k++) {
            struct pair pair;

            if (like[k] != k) continue;
            pair = compare(matrix, k, m);
            if (!may_differ(&pair) || 10 * pair.common < LEAST_COMMON * pair.either ||
                !is_telling(matrix, k, m, pair.differing, agreed))
                continue;
            like[m] = k;
            near[m] = 1;
        }
    }
    /* What repeats a near-copy exactly repeats what that one nearly does. */
    for (size_t m = 0; m < matrix->n_models; m++)
        if (like[like[m]] != like[m]) {
            like[m] = like[like[m]];
            near[m] = 1;
        }
}
