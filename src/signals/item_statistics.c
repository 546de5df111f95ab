/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/item_statistics.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>

/* The matrix with its scores divided by a power of two that leaves them within -1 and 1. */
typedef struct scaled {
    const assay_matrix *matrix;
    size_t n_models, n_items;
    double lowest, highest; /* of all scores, as they are */
    int exponent;
    double *mean; /* by model, scaled */
    size_t *n;    /* by model: its scores */
} scaled;

/* An item's p, to be sorted. */
typedef struct ranked {
    double p;
    size_t item;
} ranked;

static assay_status scale(const assay_matrix *matrix, scaled *s);
static void find_one(const scaled *s, size_t item, assay_item_statistics *out);
static double rest_of(const scaled *s, size_t model, double x);
static double lower_tail(double r, size_t n);
static void mark_against(double level, ranked *sorted, size_t n, assay_item_statistics *out);
static int by_p(const void *left, const void *right);

assay_status assay_item_statistics_find(const assay_matrix *matrix, double level,
                                        assay_item_statistics *out)
{
    size_t n_items = assay_matrix_n_items(matrix), n = 0;
    ranked *sorted = NULL;
    scaled s = { 0 };
    assay_status status;

    if (!(level > 0.0 && level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "level is %g, expected between 0 and 1", level);
    status = scale(matrix, &s);
    sorted = assay_alloc(n_items, sizeof *sorted);
    if (status == ASSAY_OK && !sorted)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the statistics of %zu items", n_items);
    for (size_t j = 0; j < n_items && status == ASSAY_OK; j++) {
        find_one(&s, j, &out[j]);
        if (!isnan(out[j].p)) sorted[n++] = (ranked){ out[j].p, j };
    }
    if (status == ASSAY_OK) mark_against(level, sorted, n, out);
    free(sorted);
    free(s.mean);
    free(s.n);
    return status;
}

static assay_status scale(const assay_matrix *matrix, scaled *s)
{
    size_t n_models = assay_matrix_n_models(matrix), n_items = assay_matrix_n_items(matrix);

    *s = (scaled){ matrix, n_models, n_items, INFINITY, -INFINITY, 0, NULL, NULL };
    s->mean = assay_alloc_zero(n_models, sizeof *s->mean);
    s->n = assay_alloc_zero(n_models, sizeof *s->n);
    if (!s->mean || !s->n)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the means of %zu models", n_models);
    for (size_t m = 0; m < n_models; m++)
        for (size_t j = 0; j < n_items; j++) {
            double x = assay_matrix_score(matrix, m, j);

            s->lowest = fmin(s->lowest, x); /* of a number and NaN, fmin() is the number */
            s->highest = fmax(s->highest, x);
        }
    frexp(fmax(fabs(s->lowest), fabs(s->highest)), &s->exponent);
    for (size_t m = 0; m < n_models; m++) {
        for (size_t j = 0; j < n_items; j++) {
            double x = assay_matrix_score(matrix, m, j);

            if (isnan(x)) continue;
            s->mean[m] += ldexp(x, -s->exponent);
            s->n[m]++;
        }
        s->mean[m] /= (double)s->n[m];
    }
    return ASSAY_OK;
}

static void find_one(const scaled *s, size_t item, assay_item_statistics *out)
{
    double sum = 0.0, mean_x = 0.0, mean_r = 0.0, xx = 0.0, rr = 0.0, xr = 0.0;
    double low = INFINITY, high = -INFINITY;
    size_t n = 0;

    *out = (assay_item_statistics){ 0, NAN, NAN, NAN, ASSAY_ITEM_ORDINARY };
    for (size_t m = 0; m < s->n_models; m++) {
        double x = assay_matrix_score(s->matrix, m, item);

        if (isnan(x)) continue;
        out->n++;
        low = fmin(low, x);
        high = fmax(high, x);
        x = ldexp(x, -s->exponent);
        sum += x;
        if (s->n[m] < 2) continue;
        n++;
        mean_x += x;
        mean_r += rest_of(s, m, x);
    }
    if (out->n == 0) return;
    out->mean = ldexp(sum / (double)out->n, s->exponent);
    if (s->lowest < s->highest && low == high && high == s->highest)
        out->kind = ASSAY_ITEM_ALWAYS_RIGHT;
    if (s->lowest < s->highest && low == high && high == s->lowest)
        out->kind = ASSAY_ITEM_ALWAYS_WRONG;
    if (n < 3 || low == high) return;
    mean_x /= (double)n;
    mean_r /= (double)n;
    for (size_t m = 0; m < s->n_models; m++) {
        double x = ldexp(assay_matrix_score(s->matrix, m, item), -s->exponent), r;

        if (isnan(x) || s->n[m] < 2) continue;
        r = rest_of(s, m, x) - mean_r;
        x -= mean_x;
        xx += x * x;
        rr += r * r;
        xr += x * r;
    }
    /* What rounding leaves of a rest that does not vary is no variance. */
    if (!(xx > 0.0) || !(rr > 1e-28 * (double)n)) return;
    out->rest_correlation = fmax(-1.0, fmin(1.0, xr / sqrt(xx * rr)));
    out->p = lower_tail(out->rest_correlation, n);
}

/* The mean of a model's other scores. */
static double rest_of(const scaled *s, size_t model, double x)
{
    return s->mean[model] + (s->mean[model] - x) / (double)(s->n[model] - 1);
}

/* P(R <= r) for Pearson's correlation of n pairs whose true one is 0: with t = r sqrt((n - 2) / (1 - r^2))
   and n - 2 degrees of freedom, half the incomplete beta function at 1 - r^2. */
static double lower_tail(double r, size_t n)
{
    double half = 0.5 * assay_beta_cdf(1.0 - r * r, 0.5 * (double)(n - 2), 0.5);

    return r < 0.0 ? half : 1.0 - half;
}

/* Holm's steps over the items that have a p. */
static void mark_against(double level, ranked *sorted, size_t n, assay_item_statistics *out)
{
    qsort(sorted, n, sizeof *sorted, by_p);
    for (size_t k = 0; k < n && sorted[k].p <= level / (double)(n - k); k++)
        out[sorted[k].item].kind = ASSAY_ITEM_AGAINST_THE_GRAIN;
}

static int by_p(const void *left, const void *right)
{
    const ranked *a = left, *b = right;

    if (a->p != b->p) return a->p < b->p ? -1 : 1;
    return a->item < b->item ? -1 : a->item > b->item;
}
