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
#include <string.h>

/* Sums of one V, and of V without each model. */
struct sums {
    double o, rr, f;
};

struct work {
    size_t n, n_clusters;
    double *all, *one;     /* V of all clusters, and of one */
    double *all_r, *one_r; /* their row sums */
    double *alone;         /* by model: the products of each cluster alone, without it */
};

static void fill_variance(const assay_replicates *replicates, size_t cluster, double *v);
static void sum_rows(const double *v, size_t n, double *r, struct sums *sums);
static struct sums sums_without_model(const double *v, const double *r, struct sums s, size_t n,
                                      size_t k);
static double products(struct sums s, size_t n_models);
static double without_cluster(const struct work *work, struct sums all, struct sums one);
static void find_moments(const assay_replicates *replicates, struct work *work,
                         assay_disjoint_moments *moments);

assay_status assay_cluster_variance(const assay_replicates *replicates,
                                    assay_disjoint_moments *moments)
{
    size_t n = moments->n_models;
    struct work work = { .n = n, .n_clusters = moments->n_items };
    assay_status status = ASSAY_OK;

    if (n <= SIZE_MAX / n) {
        work.all = assay_alloc_zero(n * n, sizeof(double));
        work.one = assay_alloc_zero(n * n, sizeof(double));
    }
    work.all_r = assay_alloc_zero(n, sizeof(double));
    work.one_r = assay_alloc_zero(n, sizeof(double));
    work.alone = assay_alloc_zero(n, sizeof(double));
    if (!work.all || !work.one || !work.all_r || !work.one_r || !work.alone)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the differences of %zu models", n);
    else
        find_moments(replicates, &work, moments);
    free(work.all);
    free(work.one);
    free(work.all_r);
    free(work.one_r);
    free(work.alone);
    return status;
}

static void find_moments(const assay_replicates *replicates, struct work *work,
                         assay_disjoint_moments *moments)
{
    size_t n = work->n, m = work->n_clusters;
    double alone = 0.0, pairs = (double)m * ((double)m - 1.0);
    struct sums all, one;

    for (size_t a = 0; a < m; a++) {
        fill_variance(replicates, a, work->one);
        for (size_t k = 0; k < n * n; k++) work->all[k] += work->one[k];
    }
    sum_rows(work->all, n, work->all_r, &all);
    /* Once more: each cluster alone, and everything without it. */
    for (size_t a = 0; a < m; a++) {
        fill_variance(replicates, a, work->one);
        sum_rows(work->one, n, work->one_r, &one);
        alone += products(one, n);
        for (size_t k = 0; k < n && n > 4; k++)
            work->alone[k] +=
                products(sums_without_model(work->one, work->one_r, one, n, k), n - 1);
        /* The others' own products are put right below, when alone is known. */
        moments->without_item[a].a = without_cluster(work, all, one) + products(one, n);
    }
    moments->all.a = (products(all, n) - alone) / pairs;
    for (size_t a = 0; a < m; a++)
        moments->without_item[a].a =
            m > 2 ? (moments->without_item[a].a - alone) / (pairs - 2.0 * ((double)m - 1.0)) : 0.0;
    for (size_t k = 0; k < n && n > 4; k++)
        moments->without_model[k].a =
            (products(sums_without_model(work->all, work->all_r, all, n, k), n - 1) -
             work->alone[k]) /
            pairs;
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

static void sum_rows(const double *v, size_t n, double *r, struct sums *sums)
{
    *sums = (struct sums){ 0 };
    for (size_t i = 0; i < n; i++) {
        r[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            r[i] += v[i * n + j];
            sums->f += v[i * n + j] * v[i * n + j];
        }
        sums->o += r[i];
        sums->rr += r[i] * r[i];
    }
}

static struct sums sums_without_model(const double *v, const double *r, struct sums s, size_t n,
                                      size_t k)
{
    s.o -= 2.0 * r[k];
    s.rr -= r[k] * r[k];
    for (size_t i = 0; i < n; i++) {
        double cell = v[k * n + i];

        s.rr += cell * (cell - 2.0 * r[i]);
        s.f -= 2.0 * cell * cell;
    }
    return s;
}

static double products(struct sums s, size_t n_models)
{
    double n = (double)n_models;

    return (s.o * s.o - 4.0 * s.rr + 2.0 * s.f) / (n * (n - 1.0) * (n - 2.0) * (n - 3.0));
}

/* The products of V less this cluster's. */
static double without_cluster(const struct work *work, struct sums all, struct sums one)
{
    struct sums s = { .o = all.o - one.o, .f = all.f + one.f };
    double both = 0.0;

    for (size_t i = 0; i < work->n; i++) {
        double r = work->all_r[i] - work->one_r[i];

        s.rr += r * r;
        for (size_t j = 0; j < work->n; j++)
            both += work->all[i * work->n + j] * work->one[i * work->n + j];
    }
    s.f -= 2.0 * both;
    return products(s, work->n);
}
