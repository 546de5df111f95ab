/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a symmetric M with a diagonal of 0, row sums r, O their sum and F = sum M_ij^2, the sums over
 * different models are O^2 - 4 sum r^2 + 2 F of M_ij M_lr, sum r^2 - F of M_ij M_jl, and F. M is
 * the V, or the K, of all clusters together; the same of each cluster alone is subtracted.
 */
#include "signals/cluster_moments.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

/* Of one M. */
struct sums {
    double o, rr, f;
};

/* V and K, n x n each, with their row sums. */
struct tables {
    double *v, *k, *v_r, *k_r;
    struct sums v_sums, k_sums;
};

struct work {
    size_t n, n_clusters;
    struct tables all, one, others;   /* of all clusters, of one, of all the others */
    assay_moment_pair alone;          /* the products of each cluster alone, summed */
    assay_moment_pair *alone_without; /* and without each model */
};

static int allocate(struct work *work, double **room);
static void add_clusters(const assay_replicates *replicates, struct work *work);
static void add_products(struct work *work, size_t cluster, assay_disjoint_moments *moments);
static void subtract_alone(struct work *work, assay_disjoint_moments *moments);
static void fill_tables(const assay_replicates *replicates, size_t cluster, struct tables *t);
static void sum_tables(struct tables *t, size_t n);
static assay_moment_pair products(const struct tables *t, size_t n);
static assay_moment_pair products_without(const struct tables *t, size_t n, size_t k);

assay_status assay_cluster_moments(const assay_replicates *replicates,
                                   assay_disjoint_moments *moments)
{
    struct work work = { .n = moments->n_models, .n_clusters = moments->n_items };
    double *room = NULL;

    if (!allocate(&work, &room))
        return assay_fail(ASSAY_E_NOMEM, "no memory for the products of %zu models", work.n);
    add_clusters(replicates, &work);
    for (size_t a = 0; a < work.n_clusters; a++) {
        fill_tables(replicates, a, &work.one);
        add_products(&work, a, moments);
    }
    subtract_alone(&work, moments);
    free(work.alone_without);
    free(room);
    return ASSAY_OK;
}

/* 0 when there is no memory. */
static int allocate(struct work *work, double **room)
{
    struct tables *tables[] = { &work->all, &work->one, &work->others };
    size_t n = work->n;

    work->alone_without = assay_alloc_zero(n, sizeof *work->alone_without);
    if (n <= SIZE_MAX / 8 / (n + 1)) *room = assay_alloc_zero(6 * n * (n + 1), sizeof(double));
    if (!work->alone_without || !*room) {
        free(work->alone_without);
        free(*room);
        return 0;
    }
    for (size_t k = 0; k < 3; k++) {
        tables[k]->v = *room + k * 2 * n * (n + 1);
        tables[k]->k = tables[k]->v + n * n;
        tables[k]->v_r = tables[k]->k + n * n;
        tables[k]->k_r = tables[k]->v_r + n;
    }
    return 1;
}

static void add_clusters(const assay_replicates *replicates, struct work *work)
{
    for (size_t a = 0; a < work->n_clusters; a++) {
        fill_tables(replicates, a, &work->one);
        for (size_t c = 0; c < work->n * work->n; c++) {
            work->all.v[c] += work->one.v[c];
            work->all.k[c] += work->one.k[c];
        }
    }
    sum_tables(&work->all, work->n);
}

static void add(assay_moment_pair *to, assay_moment_pair more)
{
    to->a += more.a;
    to->b += more.b;
}

/* The products of the others together, to which this cluster's own are added: what is alone is
   subtracted from all of them alike, when it is known. */
static void add_products(struct work *work, size_t cluster, assay_disjoint_moments *moments)
{
    size_t n = work->n;

    for (size_t c = 0; c < n * n; c++) {
        work->others.v[c] = work->all.v[c] - work->one.v[c];
        work->others.k[c] = work->all.k[c] - work->one.k[c];
    }
    sum_tables(&work->one, n);
    sum_tables(&work->others, n);
    add(&work->alone, products(&work->one, n));
    add(&moments->without_item[cluster], products(&work->others, n));
    add(&moments->without_item[cluster], products(&work->one, n));
    for (size_t k = 0; k < n && n > 4; k++) {
        assay_moment_pair own = products_without(&work->one, n, k);

        add(&work->alone_without[k], own);
        add(&moments->without_both[cluster * n + k], products_without(&work->others, n, k));
        add(&moments->without_both[cluster * n + k], own);
    }
}

/* Means over pairs of clusters; 0 where there are none. */
static assay_moment_pair between(assay_moment_pair together, assay_moment_pair alone, size_t n)
{
    double pairs = (double)n * ((double)n - 1.0);

    if (n < 2) return (assay_moment_pair){ 0.0, 0.0 };
    return (assay_moment_pair){ (together.a - alone.a) / pairs, (together.b - alone.b) / pairs };
}

static void subtract_alone(struct work *work, assay_disjoint_moments *moments)
{
    size_t n = work->n, m = work->n_clusters;

    moments->all = between(products(&work->all, n), work->alone, m);
    for (size_t k = 0; k < n && n > 4; k++)
        moments->without_model[k] =
            between(products_without(&work->all, n, k), work->alone_without[k], m);
    for (size_t a = 0; a < m; a++) {
        moments->without_item[a] = between(moments->without_item[a], work->alone, m - 1);
        for (size_t k = 0; k < n && n > 4; k++) {
            assay_moment_pair *both = &moments->without_both[a * n + k];

            *both = between(*both, work->alone_without[k], m - 1);
        }
    }
}

/* ---- V and K ---- */

static void fill_tables(const assay_replicates *replicates, size_t cluster, struct tables *t)
{
    size_t n = replicates->count[ASSAY_REPLICATES_N_MODELS];
    size_t first = replicates->first_member[cluster], end = replicates->first_member[cluster + 1];
    double m = (double)(end - first), pairs = m * (m - 1.0);
    double *sum = t->k_r, *own = t->v_r; /* not needed yet: a model's sum, and K_ii */

    for (size_t i = 0; i < n; i++) {
        double squares = 0.0;

        sum[i] = 0.0;
        for (size_t k = first; k < end; k++) {
            double x = replicates->scores[k * n + i];

            sum[i] += x;
            squares += x * x;
        }
        own[i] = (sum[i] * sum[i] - squares) / pairs;
    }
    for (size_t i = 0; i < n; i++) {
        t->v[i * n + i] = t->k[i * n + i] = 0.0;
        for (size_t j = 0; j < i; j++) {
            double both = 0.0, cell;

            for (size_t k = first; k < end; k++)
                both += replicates->scores[k * n + i] * replicates->scores[k * n + j];
            cell = (sum[i] * sum[j] - both) / pairs;
            t->k[i * n + j] = t->k[j * n + i] = cell;
            t->v[i * n + j] = t->v[j * n + i] = 0.5 * (own[i] + own[j]) - cell;
        }
    }
}

static struct sums sum_rows(const double *matrix, size_t n, double *r)
{
    struct sums sums = { 0 };

    for (size_t i = 0; i < n; i++) {
        r[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            r[i] += matrix[i * n + j];
            sums.f += matrix[i * n + j] * matrix[i * n + j];
        }
        sums.o += r[i];
        sums.rr += r[i] * r[i];
    }
    return sums;
}

static void sum_tables(struct tables *t, size_t n)
{
    t->v_sums = sum_rows(t->v, n, t->v_r);
    t->k_sums = sum_rows(t->k, n, t->k_r);
}

/* Without model k, to whose row every other model's r loses a cell. */
static struct sums sums_without(const double *matrix, const double *r, struct sums s, size_t n,
                                size_t k)
{
    s.o -= 2.0 * r[k];
    s.rr -= r[k] * r[k];
    for (size_t i = 0; i < n; i++) {
        double cell = matrix[k * n + i];

        s.rr += cell * (cell - 2.0 * r[i]);
        s.f -= 2.0 * cell * cell;
    }
    return s;
}

static assay_moment_pair pair_of(struct sums v, struct sums k, size_t n_models)
{
    double n = (double)n_models, two = n * (n - 1.0), three = two * (n - 2.0);
    double four = three * (n - 3.0);

    return (assay_moment_pair){
        .a = (v.o * v.o - 4.0 * v.rr + 2.0 * v.f) / four,
        .b = k.f / two - 2.0 * (k.rr - k.f) / three + (k.o * k.o - 4.0 * k.rr + 2.0 * k.f) / four,
    };
}

static assay_moment_pair products(const struct tables *t, size_t n)
{
    return pair_of(t->v_sums, t->k_sums, n);
}

static assay_moment_pair products_without(const struct tables *t, size_t n, size_t k)
{
    return pair_of(sums_without(t->v, t->v_r, t->v_sums, n, k),
                   sums_without(t->k, t->k_r, t->k_sums, n, k), n - 1);
}
