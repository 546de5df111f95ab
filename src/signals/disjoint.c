/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With G = X'Y over items, its diagonal made 0, g_i = the sum of z_ia over items, and O, r, c the sum of
 * G, of its rows and of its columns, the sums over different models are
 *     z z: t^2 - sum g^2,   t = sum g         z x y: t O - sum g (r + c)
 *     x y x y, all different:                  O^2 - sum (r + c)^2 + F + H
 *     the same two models: H = sum G_ij G_ji   one shared: sum r c - H,    F = sum G_ij^2.
 * The same of one item alone is subtracted for each, which leaves the different items.
 */
#include "signals/disjoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; /* items whose products with G are made at a time */

struct sums {
    double t, gg, gs, o, ss, cr, f, h; /* s = r + c */
};

/* Power sums over models of one item's x, y and z: all that its own sums need. */
struct powers {
    double x, y, xy, xx, yy, xxy, xyy, xxyy, z, zz, zx, zy, zxy;
};

/* G and what follows from it, by model. */
struct whole {
    double *gram, *g, *r, *c;
    double *gx, *gy; /* BLOCK x n_models: G x and G y of the items of a block */
    struct sums sums;
};

static assay_status make_whole(const assay_disjoint_table *table, struct whole *whole);
static void free_whole(struct whole *whole);
static struct sums sums_without_model(const struct whole *whole, size_t n, size_t k);
static struct sums sums_without_item(const assay_disjoint_table *table, const struct whole *whole,
                                     size_t item, const double *gx, const double *gy,
                                     const struct sums *own);
static struct powers powers_of(const assay_disjoint_table *table, size_t item);
static struct powers powers_without(const struct powers *all, double x, double y, double z);
static struct sums sums_of_powers(const struct powers *p);
static assay_moment_pair moments_of(const struct sums *sums, size_t n_models);
static assay_moment_pair scaled_difference(assay_moment_pair total, assay_moment_pair part,
                                           size_t n_items);
static void add(assay_moment_pair *to, assay_moment_pair more);
static assay_status add_items(const assay_disjoint_table *table, struct whole *whole,
                              assay_disjoint_moments *moments);

assay_status assay_disjoint_moments_new(size_t n_models, size_t n_items,
                                        assay_disjoint_moments *moments)
{
    *moments = (assay_disjoint_moments){ .n_models = n_models, .n_items = n_items };
    moments->without_model = assay_alloc_zero(n_models, sizeof *moments->without_model);
    moments->without_item = assay_alloc_zero(n_items, sizeof *moments->without_item);
    if (!moments->without_model || !moments->without_item)
        return assay_fail(ASSAY_E_NOMEM, "no memory to leave out %zu models and %zu items",
                          n_models, n_items);
    return ASSAY_OK;
}

void assay_disjoint_moments_free(assay_disjoint_moments *moments)
{
    free(moments->without_model);
    free(moments->without_item);
    *moments = (assay_disjoint_moments){ 0 };
}

assay_status assay_disjoint_add(const assay_disjoint_table *table, assay_disjoint_moments *moments)
{
    struct whole whole = { 0 };
    assay_status status = make_whole(table, &whole);

    if (status == ASSAY_OK) status = add_items(table, &whole, moments);
    free_whole(&whole);
    return status;
}

/* ---- all items together ---- */

static assay_status make_whole(const assay_disjoint_table *table, struct whole *whole)
{
    size_t n = table->n_models, block = table->n_items < BLOCK ? table->n_items : BLOCK;
    struct sums *s = &whole->sums;

    if (n <= SIZE_MAX / n) whole->gram = assay_alloc_aligned(n * n, sizeof(double));
    whole->g = assay_alloc_zero(n, sizeof(double));
    whole->r = assay_alloc_zero(n, sizeof(double));
    whole->c = assay_alloc_zero(n, sizeof(double));
    whole->gx = assay_alloc_aligned(block * n, sizeof(double));
    whole->gy = assay_alloc_aligned(block * n, sizeof(double));
    if (!whole->gram || !whole->g || !whole->r || !whole->c || !whole->gx || !whole->gy)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the products of %zu models", n);
    assay_linalg_atb(n, n, table->n_items, table->x, table->y, whole->gram);
    for (size_t a = 0; a < table->n_items; a++)
        for (size_t i = 0; i < n; i++) whole->g[i] += table->square[a * n + i];
    for (size_t i = 0; i < n; i++) {
        whole->gram[i * n + i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            double cell = whole->gram[i * n + j];

            whole->r[i] += cell;
            whole->c[j] += cell;
            s->f += cell * cell;
            if (j < i) s->h += 2.0 * cell * whole->gram[j * n + i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        double both = whole->r[i] + whole->c[i];

        s->t += whole->g[i];
        s->gg += whole->g[i] * whole->g[i];
        s->gs += whole->g[i] * both;
        s->o += whole->r[i];
        s->ss += both * both;
        s->cr += whole->c[i] * whole->r[i];
    }
    return ASSAY_OK;
}

static void free_whole(struct whole *whole)
{
    free(whole->gram);
    free(whole->g);
    free(whole->r);
    free(whole->c);
    free(whole->gx);
    free(whole->gy);
}

/* Row and column k go, and every other model's r and c lose a cell. */
static struct sums sums_without_model(const struct whole *whole, size_t n, size_t k)
{
    const double *g = whole->g, *r = whole->r, *c = whole->c;
    struct sums s = whole->sums;
    double both = r[k] + c[k], f = 0.0, h = 0.0;

    s.t -= g[k];
    s.gg -= g[k] * g[k];
    s.gs -= g[k] * both;
    s.o -= both;
    s.ss -= both * both;
    s.cr -= c[k] * r[k];
    for (size_t i = 0; i < n; i++) {
        double in = whole->gram[i * n + k], out = whole->gram[k * n + i];

        f += in * in + out * out;
        h += in * out;
        s.gs -= g[i] * (in + out);
        s.ss -= 2.0 * (r[i] + c[i]) * (in + out);
        s.cr -= c[i] * in + r[i] * out;
    }
    s.ss += f + 2.0 * h;
    s.cr += h;
    s.f -= f;
    s.h -= 2.0 * h;
    return s;
}

/* G less x y' off its diagonal: its own sums, and the products of both. */
static struct sums sums_without_item(const assay_disjoint_table *table, const struct whole *whole,
                                     size_t item, const double *gx, const double *gy,
                                     const struct sums *own)
{
    size_t n = table->n_models;
    const double *x = table->x + item * n, *y = table->y + item * n, *z = table->square + item * n;
    struct sums s = whole->sums;
    double all_x = 0.0, all_y = 0.0, f = 0.0, h = 0.0;

    for (size_t i = 0; i < n; i++) {
        all_x += x[i];
        all_y += y[i];
    }
    s.t -= own->t;
    s.o -= own->o;
    s.gg = s.gs = s.ss = s.cr = 0.0;
    for (size_t i = 0; i < n; i++) {
        double g = whole->g[i] - z[i];
        double r = whole->r[i] - x[i] * (all_y - y[i]), c = whole->c[i] - y[i] * (all_x - x[i]);

        s.gg += g * g;
        s.gs += g * (r + c);
        s.ss += (r + c) * (r + c);
        s.cr += c * r;
        f += x[i] * gy[i];
        h += y[i] * gx[i];
    }
    s.f += own->f - 2.0 * f;
    s.h += own->h - 2.0 * h;
    return s;
}

/* ---- one item alone ---- */

static struct powers powers_of(const assay_disjoint_table *table, size_t item)
{
    size_t n = table->n_models;
    const double *xs = table->x + item * n, *ys = table->y + item * n;
    const double *zs = table->square + item * n;
    struct powers p = { 0 };

    for (size_t i = 0; i < n; i++) {
        double x = xs[i], y = ys[i], z = zs[i], xy = x * y;

        p.x += x;
        p.y += y;
        p.xy += xy;
        p.xx += x * x;
        p.yy += y * y;
        p.xxy += x * xy;
        p.xyy += xy * y;
        p.xxyy += xy * xy;
        p.z += z;
        p.zz += z * z;
        p.zx += z * x;
        p.zy += z * y;
        p.zxy += z * xy;
    }
    return p;
}

static struct powers powers_without(const struct powers *all, double x, double y, double z)
{
    double xy = x * y;

    return (struct powers){
        .x = all->x - x,
        .y = all->y - y,
        .xy = all->xy - xy,
        .xx = all->xx - x * x,
        .yy = all->yy - y * y,
        .xxy = all->xxy - x * xy,
        .xyy = all->xyy - xy * y,
        .xxyy = all->xxyy - xy * xy,
        .z = all->z - z,
        .zz = all->zz - z * z,
        .zx = all->zx - z * x,
        .zy = all->zy - z * y,
        .zxy = all->zxy - z * xy,
    };
}

/* G_ij = x_i y_j, r_i = x_i (sum y - y_i), c_i = y_i (sum x - x_i). */
static struct sums sums_of_powers(const struct powers *p)
{
    double rr = p->xx * p->y * p->y - 2.0 * p->y * p->xxy + p->xxyy;
    double cc = p->yy * p->x * p->x - 2.0 * p->x * p->xyy + p->xxyy;
    double cr = p->xy * p->x * p->y - p->x * p->xyy - p->y * p->xxy + p->xxyy;

    return (struct sums){
        .t = p->z,
        .gg = p->zz,
        .gs = p->y * p->zx + p->x * p->zy - 2.0 * p->zxy,
        .o = p->x * p->y - p->xy,
        .ss = rr + cc + 2.0 * cr,
        .cr = cr,
        .f = p->xx * p->yy - p->xxyy,
        .h = p->xy * p->xy - p->xxyy,
    };
}

/* ---- moments ---- */

/* Means over models, sums over items. */
static assay_moment_pair moments_of(const struct sums *s, size_t n_models)
{
    double n = (double)n_models, two = n * (n - 1.0), three = two * (n - 2.0);
    double four = three * (n - 3.0), apart = (s->o * s->o - s->ss + s->f + s->h) / four;

    return (assay_moment_pair){
        .a = (s->t * s->t - s->gg) / two - 2.0 * (s->t * s->o - s->gs) / three + apart,
        .b = s->h / two - 2.0 * (s->cr - s->h) / three + apart,
    };
}

static assay_moment_pair scaled_difference(assay_moment_pair total, assay_moment_pair part,
                                           size_t n_items)
{
    double pairs = (double)n_items * ((double)n_items - 1.0);

    return (assay_moment_pair){ (total.a - part.a) / pairs, (total.b - part.b) / pairs };
}

static void add(assay_moment_pair *to, assay_moment_pair more)
{
    to->a += more.a;
    to->b += more.b;
}

/* What every item has alone, with all models and without each. */
struct alone {
    assay_moment_pair all, *without_model;
    struct sums *own;
};

static assay_status items_alone(const assay_disjoint_table *table, struct alone *alone)
{
    size_t n = table->n_models;

    alone->own = assay_alloc(table->n_items, sizeof *alone->own);
    alone->without_model = assay_alloc_zero(n, sizeof *alone->without_model);
    if (!alone->own || !alone->without_model)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the sums of %zu items", table->n_items);
    for (size_t a = 0; a < table->n_items; a++) {
        const struct powers p = powers_of(table, a);

        alone->own[a] = sums_of_powers(&p);
        add(&alone->all, moments_of(&alone->own[a], n));
        for (size_t k = 0; k < n && n > 4; k++) {
            const size_t cell = a * n + k;
            const struct powers q =
                powers_without(&p, table->x[cell], table->y[cell], table->square[cell]);
            const struct sums s = sums_of_powers(&q);

            add(&alone->without_model[k], moments_of(&s, n - 1));
        }
    }
    return ASSAY_OK;
}

static void without_items(const assay_disjoint_table *table, struct whole *whole,
                          const struct alone *alone, assay_disjoint_moments *moments)
{
    size_t n = table->n_models;
    const double *gx = whole->gx, *gy = table->x == table->y ? gx : whole->gy;

    for (size_t first = 0; first < table->n_items; first += BLOCK) {
        size_t left = table->n_items - first, block = left < BLOCK ? left : BLOCK;

        memset(whole->gx, 0, block * n * sizeof(double));
        assay_linalg_add_abt(block, n, n, table->x + first * n, n, whole->gram, n, whole->gx, n);
        if (gy != gx) {
            memset(whole->gy, 0, block * n * sizeof(double));
            assay_linalg_add_abt(block, n, n, table->y + first * n, n, whole->gram, n, whole->gy,
                                 n);
        }
        for (size_t a = 0; a < block; a++) {
            const struct sums *own = &alone->own[first + a];
            const struct sums s =
                sums_without_item(table, whole, first + a, gx + a * n, gy + a * n, own);
            const assay_moment_pair part = moments_of(own, n);
            const assay_moment_pair others = { alone->all.a - part.a, alone->all.b - part.b };

            add(&moments->without_item[first + a],
                scaled_difference(moments_of(&s, n), others, table->n_items - 1));
        }
    }
}

static assay_status add_items(const assay_disjoint_table *table, struct whole *whole,
                              assay_disjoint_moments *moments)
{
    size_t n = table->n_models;
    struct alone alone = { 0 };
    assay_status status = items_alone(table, &alone);

    if (status == ASSAY_OK) {
        add(&moments->all,
            scaled_difference(moments_of(&whole->sums, n), alone.all, table->n_items));
        for (size_t k = 0; k < n && n > 4; k++) {
            const struct sums s = sums_without_model(whole, n, k);

            add(&moments->without_model[k],
                scaled_difference(moments_of(&s, n - 1), alone.without_model[k], table->n_items));
        }
        if (table->n_items > 2) without_items(table, whole, &alone, moments);
    }
    free(alone.own);
    free(alone.without_model);
    return status;
}
