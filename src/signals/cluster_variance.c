/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a symmetric V with a diagonal of 0, row sums r, O their sum and F = sum V_ij^2, the sum of
 * V_ij V_lr over different models is O^2 - 4 sum r^2 + 2 F. V is that of all clusters together; the same
 * of each alone is subtracted.
 */
#include "signals/cluster_variance.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

/* Sums of a V. */
struct sums {
    double o, rr, f;
};

struct work {
    size_t n, n_clusters;
    double *all, *one, *others; /* V of all clusters, of one, and of the others */
    double *all_r, *one_r, *others_r;
    double alone; /* the products of each cluster alone, summed; and without each model */
    double *alone_without;
};

static void add_clusters(const assay_replicates *replicates, struct work *work);
static void add_products(struct work *work, size_t cluster, assay_disjoint_moments *moments);
static void subtract_alone(const struct work *work, assay_disjoint_moments *moments);
static void fill_variance(const assay_replicates *replicates, size_t cluster, double *v);
static struct sums sum_rows(const double *v, size_t n, double *r);
static double products(struct sums s, size_t n_models);
static double products_without(const double *v, const double *r, struct sums s, size_t n, size_t k);

assay_status assay_cluster_variance(const assay_replicates *replicates,
                                    assay_disjoint_moments *moments)
{
    size_t n = moments->n_models;
    struct work work = { .n = n, .n_clusters = moments->n_items };
    double *matrices = NULL, *vectors = assay_alloc_zero(4 * n, sizeof *vectors);

    if (n <= SIZE_MAX / n / 3) matrices = assay_alloc_zero(3 * n * n, sizeof *matrices);
    if (!matrices || !vectors) {
        free(matrices);
        free(vectors);
        return assay_fail(ASSAY_E_NOMEM, "no memory for the differences of %zu models", n);
    }
    work.all = matrices;
    work.one = matrices + n * n;
    work.others = matrices + 2 * n * n;
    work.all_r = vectors;
    work.one_r = vectors + n;
    work.others_r = vectors + 2 * n;
    work.alone_without = vectors + 3 * n;
    add_clusters(replicates, &work);
    for (size_t a = 0; a < work.n_clusters; a++) {
        fill_variance(replicates, a, work.one);
        add_products(&work, a, moments);
    }
    subtract_alone(&work, moments);
    free(matrices);
    free(vectors);
    return ASSAY_OK;
}

static void add_clusters(const assay_replicates *replicates, struct work *work)
{
    for (size_t a = 0; a < work->n_clusters; a++) {
        fill_variance(replicates, a, work->one);
        for (size_t k = 0; k < work->n * work->n; k++) work->all[k] += work->one[k];
    }
}

/* The products of the others together, to which this cluster's own are added: what is alone is subtracted
   from all of them alike, when it is known. */
static void add_products(struct work *work, size_t cluster, assay_disjoint_moments *moments)
{
    size_t n = work->n;
    struct sums one = sum_rows(work->one, n, work->one_r), others;

    for (size_t k = 0; k < n * n; k++) work->others[k] = work->all[k] - work->one[k];
    others = sum_rows(work->others, n, work->others_r);
    work->alone += products(one, n);
    moments->without_item[cluster].a = products(others, n) + products(one, n);
    for (size_t k = 0; k < n && n > 4; k++) {
        double own = products_without(work->one, work->one_r, one, n, k);

        work->alone_without[k] += own;
        moments->without_both[cluster * n + k].a =
            products_without(work->others, work->others_r, others, n, k) + own;
    }
}

/* Everything as means over pairs of clusters. */
static void subtract_alone(const struct work *work, assay_disjoint_moments *moments)
{
    size_t n = work->n, m = work->n_clusters;
    double pairs = (double)m * ((double)m - 1.0), fewer = (double)(m - 1) * ((double)m - 2.0);
    struct sums all = sum_rows(work->all, n, work->all_r);

    moments->all.a = (products(all, n) - work->alone) / pairs;
    for (size_t k = 0; k < n && n > 4; k++)
        moments->without_model[k].a =
            (products_without(work->all, work->all_r, all, n, k) - work->alone_without[k]) / pairs;
    for (size_t a = 0; a < m; a++) {
        moments->without_item[a].a =
            m > 2 ? (moments->without_item[a].a - work->alone) / fewer : 0.0;
        for (size_t k = 0; k < n && n > 4; k++) {
            double *both = &moments->without_both[a * n + k].a;

            *both = m > 2 ? (*both - work->alone_without[k]) / fewer : 0.0;
        }
    }
}

/* V of one cluster. */
static void fill_variance(const assay_replicates *replicates, size_t cluster, double *v)
{
    size_t n = replicates->count[ASSAY_REPLICATES_N_MODELS];
    size_t first = replicates->first_member[cluster], end = replicates->first_member[cluster + 1];
    double pairs = (double)(end - first) * (double)(end - first - 1);

    for (size_t i = 0; i < n; i++) {
        v[i * n + i] = 0.0;
        for (size_t j = 0; j < i; j++) {
            double sum = 0.0, squares = 0.0;

            for (size_t k = first; k < end; k++) {
                double d = replicates->scores[k * n + i] - replicates->scores[k * n + j];

                sum += d;
                squares += d * d;
            }
            v[i * n + j] = v[j * n + i] = 0.5 * (sum * sum - squares) / pairs;
        }
    }
}

static struct sums sum_rows(const double *v, size_t n, double *r)
{
    struct sums sums = { 0 };

    for (size_t i = 0; i < n; i++) {
        r[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            r[i] += v[i * n + j];
            sums.f += v[i * n + j] * v[i * n + j];
        }
        sums.o += r[i];
        sums.rr += r[i] * r[i];
    }
    return sums;
}

static double products(struct sums s, size_t n_models)
{
    double n = (double)n_models;

    return (s.o * s.o - 4.0 * s.rr + 2.0 * s.f) / (n * (n - 1.0) * (n - 2.0) * (n - 3.0));
}

/* Without model k, whose row every other model's r loses a cell to. */
static double products_without(const double *v, const double *r, struct sums s, size_t n, size_t k)
{
    s.o -= 2.0 * r[k];
    s.rr -= r[k] * r[k];
    for (size_t i = 0; i < n; i++) {
        double cell = v[k * n + i];

        s.rr += cell * (cell - 2.0 * r[i]);
        s.f -= 2.0 * cell * cell;
    }
    return products(s, n - 1);
}
