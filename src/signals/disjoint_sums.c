/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/disjoint_sums.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <stdlib.h>
#include <string.h>

enum { N_VECTORS = 9, N_BLOCKS = 7, N_REST = 3 };

static int allocate(const assay_disjoint_table *table, assay_disjoint_whole *whole);
static void fill_vectors(const assay_disjoint_table *table, assay_disjoint_whole *whole);
static void fill_taken_along(assay_disjoint_whole *whole);
static void multiply(const assay_disjoint_whole *whole, const double *matrix, const double *rows,
                     size_t n_rows, double *out);
static assay_disjoint_sums take_model(assay_disjoint_sums s, double g, double r, double c);

assay_moment_pair assay_disjoint_pair(const assay_disjoint_sums *s, size_t n_models)
{
    double n = (double)n_models, two = n * (n - 1.0), three = two * (n - 2.0);
    double four = three * (n - 3.0), apart = (s->o * s->o - s->ss + s->f + s->h) / four;

    return (assay_moment_pair){
        .a = (s->t * s->t - s->gg) / two - 2.0 * (s->t * s->o - s->gs) / three + apart,
        .b = s->h / two - 2.0 * (s->cr - s->h) / three + apart,
    };
}

/* ---- one item alone ---- */

assay_disjoint_powers assay_disjoint_powers_of(const assay_disjoint_table *table, size_t item)
{
    size_t n = table->n_models;
    const double *xs = table->x + item * n, *ys = table->y + item * n;
    const double *zs = table->square + item * n;
    assay_disjoint_powers p = { 0 };

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

assay_disjoint_powers assay_disjoint_powers_without(const assay_disjoint_powers *all,
                                                    const assay_disjoint_table *table, size_t item,
                                                    size_t model)
{
    size_t cell = item * table->n_models + model;
    double x = table->x[cell], y = table->y[cell], z = table->square[cell], xy = x * y;

    return (assay_disjoint_powers){
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
assay_disjoint_sums assay_disjoint_sums_of_powers(const assay_disjoint_powers *p)
{
    double rr = p->xx * p->y * p->y - 2.0 * p->y * p->xxy + p->xxyy;
    double cc = p->yy * p->x * p->x - 2.0 * p->x * p->xyy + p->xxyy;
    double cr = p->xy * p->x * p->y - p->x * p->xyy - p->y * p->xxy + p->xxyy;

    return (assay_disjoint_sums){
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

/* ---- all items together ---- */

assay_status assay_disjoint_whole_new(const assay_disjoint_table *table,
                                      assay_disjoint_whole *whole)
{
    size_t n = table->n_models;

    *whole = (assay_disjoint_whole){ .n = n };
    if (!allocate(table, whole))
        return assay_fail(ASSAY_E_NOMEM, "no memory for the products of %zu models", n);
    assay_linalg_atb(n, n, table->n_items, table->x, table->y, whole->g_matrix);
    fill_vectors(table, whole);
    fill_taken_along(whole);
    return ASSAY_OK;
}

/* 0 when there is no memory. */
static int allocate(const assay_disjoint_table *table, assay_disjoint_whole *whole)
{
    size_t n = whole->n;
    size_t block =
        n * (table->n_items < ASSAY_DISJOINT_BLOCK ? table->n_items : ASSAY_DISJOINT_BLOCK);
    double **of_vectors[N_VECTORS] = { &whole->g,  &whole->r,       &whole->c,
                                       &whole->s,  &whole->squares, &whole->cross,
                                       &whole->sg, &whole->ss,      &whole->cr };
    double **of_blocks[N_BLOCKS] = { &whole->u,  &whole->gx, &whole->gy, &whole->sx,
                                     &whole->sy, &whole->su, &whole->sz };

    if (n <= SIZE_MAX / n) {
        whole->g_matrix = assay_alloc_aligned(n * n, sizeof(double));
        whole->s_matrix = assay_alloc_aligned(n * n, sizeof(double));
    }
    whole->vectors = assay_alloc_zero(N_VECTORS * n, sizeof(double));
    whole->blocks = assay_alloc_aligned(N_BLOCKS * block, sizeof(double));
    whole->rest = assay_alloc_zero(N_REST * n, sizeof(double));
    if (!whole->g_matrix || !whole->s_matrix || !whole->vectors || !whole->blocks || !whole->rest)
        return 0;
    for (size_t k = 0; k < N_VECTORS; k++) *of_vectors[k] = whole->vectors + k * n;
    for (size_t k = 0; k < N_BLOCKS; k++) *of_blocks[k] = whole->blocks + k * block;
    if (table->x == table->y) {
        whole->gy = whole->gx;
        whole->sy = whole->sx;
    }
    return 1;
}

void assay_disjoint_whole_free(assay_disjoint_whole *whole)
{
    free(whole->g_matrix);
    free(whole->s_matrix);
    free(whole->vectors);
    free(whole->blocks);
    free(whole->rest);
}

static void fill_vectors(const assay_disjoint_table *table, assay_disjoint_whole *whole)
{
    size_t n = whole->n;

    for (size_t a = 0; a < table->n_items; a++)
        for (size_t i = 0; i < n; i++) whole->g[i] += table->square[a * n + i];
    for (size_t i = 0; i < n; i++) {
        whole->g_matrix[i * n + i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            double cell = whole->g_matrix[i * n + j];

            whole->r[i] += cell;
            whole->c[j] += cell;
            whole->squares[i] += cell * cell;
            whole->squares[j] += cell * cell;
            if (j > i) continue;
            whole->s_matrix[i * n + j] = whole->s_matrix[j * n + i] =
                cell + whole->g_matrix[j * n + i];
            whole->cross[i] += cell * whole->g_matrix[j * n + i];
            whole->cross[j] += cell * whole->g_matrix[j * n + i];
        }
    }
}

/* The sums, and what each model has in them through other models' r, c and s. */
static void fill_taken_along(assay_disjoint_whole *whole)
{
    size_t n = whole->n;
    assay_disjoint_sums *sums = &whole->sums;

    for (size_t i = 0; i < n; i++) {
        double g = whole->g[i], s = whole->s[i] = whole->r[i] + whole->c[i];

        sums->t += g;
        sums->gg += g * g;
        sums->gs += g * s;
        sums->o += whole->r[i];
        sums->ss += s * s;
        sums->cr += whole->c[i] * whole->r[i];
        sums->f += 0.5 * whole->squares[i];
        sums->h += whole->cross[i];
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            whole->sg[k] += whole->s_matrix[k * n + i] * whole->g[i];
            whole->ss[k] += whole->s_matrix[k * n + i] * whole->s[i];
            whole->cr[k] += whole->g_matrix[k * n + i] * whole->r[i];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) whole->cr[k] += whole->g_matrix[i * n + k] * whole->c[i];
}

void assay_disjoint_whole_block(const assay_disjoint_table *table, assay_disjoint_whole *whole,
                                size_t first)
{
    size_t n = whole->n, left = table->n_items - first;
    size_t block = left < ASSAY_DISJOINT_BLOCK ? left : ASSAY_DISJOINT_BLOCK;
    const double *x = table->x + first * n, *y = table->y + first * n;

    for (size_t k = 0; k < block * n; k++) whole->u[k] = x[k] * y[k];
    multiply(whole, whole->g_matrix, x, block, whole->gx);
    if (x == y) {
        for (size_t k = 0; k < block * n; k++) whole->sx[k] = 2.0 * whole->gx[k];
    } else {
        multiply(whole, whole->g_matrix, y, block, whole->gy);
        multiply(whole, whole->s_matrix, x, block, whole->sx);
        multiply(whole, whole->s_matrix, y, block, whole->sy);
    }
    multiply(whole, whole->s_matrix, whole->u, block, whole->su);
    multiply(whole, whole->s_matrix, table->square + first * n, block, whole->sz);
}

static void multiply(const assay_disjoint_whole *whole, const double *matrix, const double *rows,
                     size_t n_rows, double *out)
{
    memset(out, 0, n_rows * whole->n * sizeof *out);
    assay_linalg_add_abt(n_rows, whole->n, whole->n, rows, whole->n, matrix, whole->n, out,
                         whole->n);
}

/* ---- without a model, an item, both ---- */

/* What a model with this g, r and c has itself. */
static assay_disjoint_sums take_model(assay_disjoint_sums s, double g, double r, double c)
{
    s.t -= g;
    s.gg -= g * g;
    s.gs -= g * (r + c);
    s.o -= r + c;
    s.ss -= (r + c) * (r + c);
    s.cr -= c * r;
    return s;
}

/* And the cells that it shares: every other model's r and c lose one. */
static assay_disjoint_sums take_cells(assay_disjoint_sums s, double squares, double cross,
                                      double sg, double ss, double cr)
{
    s.gs -= sg;
    s.ss += squares + 2.0 * cross - 2.0 * ss;
    s.cr += cross - cr;
    s.f -= squares;
    s.h -= 2.0 * cross;
    return s;
}

assay_disjoint_sums assay_disjoint_sums_without_model(const assay_disjoint_whole *whole, size_t k)
{
    return take_cells(take_model(whole->sums, whole->g[k], whole->r[k], whole->c[k]),
                      whole->squares[k], whole->cross[k], whole->sg[k], whole->ss[k], whole->cr[k]);
}

/* G less x y' off its diagonal. */
assay_disjoint_rest assay_disjoint_without_item(const assay_disjoint_table *table,
                                                const assay_disjoint_whole *whole, size_t item,
                                                const assay_disjoint_sums *own)
{
    size_t n = whole->n, at = item * n, in_block = item % ASSAY_DISJOINT_BLOCK * n;
    double *g = whole->rest, *r = whole->rest + n, *c = whole->rest + 2 * n;
    assay_disjoint_rest rest = {
        .whole = whole,
        .x = table->x + at,
        .y = table->y + at,
        .z = table->square + at,
        .gx = whole->gx + in_block,
        .gy = whole->gy + in_block,
        .sx = whole->sx + in_block,
        .sy = whole->sy + in_block,
        .su = whole->su + in_block,
        .sz = whole->sz + in_block,
        .g = g,
        .r = r,
        .c = c,
        .sums = { .t = whole->sums.t - own->t, .o = whole->sums.o - own->o },
    };
    double f = 0.0, h = 0.0;

    for (size_t i = 0; i < n; i++) {
        rest.all_x += rest.x[i];
        rest.all_y += rest.y[i];
    }
    for (size_t i = 0; i < n; i++) {
        double x = rest.x[i], y = rest.y[i], s;

        g[i] = whole->g[i] - rest.z[i];
        r[i] = whole->r[i] - x * (rest.all_y - y);
        c[i] = whole->c[i] - y * (rest.all_x - x);
        s = r[i] + c[i];
        rest.sums.gg += g[i] * g[i];
        rest.sums.gs += g[i] * s;
        rest.sums.ss += s * s;
        rest.sums.cr += c[i] * r[i];
        rest.xx += x * x;
        rest.yy += y * y;
        rest.xy += x * y;
        rest.gx_sum += g[i] * x;
        rest.gy_sum += g[i] * y;
        rest.sx_sum += s * x;
        rest.sy_sum += s * y;
        rest.cx_sum += c[i] * x;
        rest.ry_sum += r[i] * y;
        f += x * rest.gy[i];
        h += y * rest.gx[i];
    }
    rest.sums.f = whole->sums.f + own->f - 2.0 * f;
    rest.sums.h = whole->sums.h + own->h - 2.0 * h;
    return rest;
}

/* Without model k the cells that go are in_i = G_ik - x_i y_k and out_i = G_ki - x_k y_i, but for i
   = k, where the sums below have both as -x_k y_k instead of 0. G'v = S v - G v. */
assay_disjoint_sums assay_disjoint_sums_without_both(const assay_disjoint_rest *rest, size_t k)
{
    const assay_disjoint_whole *whole = rest->whole;
    double x = rest->x[k], y = rest->y[k], u = x * y;
    double g = rest->g[k], r = rest->r[k], c = rest->c[k];
    double squares = whole->squares[k] - 2.0 * y * (rest->sx[k] - rest->gx[k]) -
                     2.0 * x * rest->gy[k] + y * y * rest->xx + x * x * rest->yy - 2.0 * u * u;
    double cross =
        whole->cross[k] - x * (rest->sy[k] - rest->gy[k]) - y * rest->gx[k] + u * rest->xy - u * u;
    double sg = whole->sg[k] - rest->sz[k] - y * rest->gx_sum - x * rest->gy_sum + 2.0 * g * u;
    double ss = whole->ss[k] - rest->all_y * rest->sx[k] - rest->all_x * rest->sy[k] +
                2.0 * rest->su[k] - y * rest->sx_sum - x * rest->sy_sum + 2.0 * (r + c) * u;
    double cr = whole->cr[k] - rest->all_x * (rest->sy[k] - rest->gy[k]) -
                rest->all_y * rest->gx[k] + rest->su[k] - y * rest->cx_sum - x * rest->ry_sum +
                (r + c) * u;

    return take_cells(take_model(rest->sums, g, r, c), squares, cross, sg, ss, cr);
}
