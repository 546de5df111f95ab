/* SPDX-License-Identifier: Apache-2.0 */
/* The sums that moments over disjoint indices are made of (disjoint.c has the formulas), with all
   models and items and without some, each in O(n_models) or less. */
#ifndef ASSAY_SIGNALS_DISJOINT_SUMS_H
#define ASSAY_SIGNALS_DISJOINT_SUMS_H

#include "signals/disjoint.h"

/* Of a G: t, sum g^2, sum g s, O, sum s^2, sum r c, F and H, with s = r + c. */
typedef struct assay_disjoint_sums {
    double t, gg, gs, o, ss, cr, f, h;
} assay_disjoint_sums;

/* A and B as means over n_models different models, of one item or of all together. */
assay_moment_pair assay_disjoint_pair(const assay_disjoint_sums *sums, size_t n_models);

/* ---- one item alone ---- */

/* Power sums over models of its x, y and z. */
typedef struct assay_disjoint_powers {
    double x, y, xy, xx, yy, xxy, xyy, xxyy, z, zz, zx, zy, zxy;
} assay_disjoint_powers;

assay_disjoint_powers assay_disjoint_powers_of(const assay_disjoint_table *table, size_t item);
assay_disjoint_powers assay_disjoint_powers_without(const assay_disjoint_powers *all,
                                                    const assay_disjoint_table *table, size_t item,
                                                    size_t model);
assay_disjoint_sums assay_disjoint_sums_of_powers(const assay_disjoint_powers *powers);

/* ---- all items together ---- */

enum { ASSAY_DISJOINT_BLOCK = 256 }; /* items whose products with G are made at a time */

/* G, S = G + G', and by model: g, r, c, s; the squares of G's row and column together and the sum
   of G_ik G_ki; and S g, S s and G'c + G r, which say what a model takes along. */
typedef struct assay_disjoint_whole {
    size_t n;
    double *g_matrix, *s_matrix;
    double *vectors; /* what the next point into */
    double *g, *r, *c, *s, *squares, *cross, *sg, *ss, *cr;
    double *u;                           /* x y of the items of a block */
    double *gx, *gy, *sx, *sy, *su, *sz; /* G x, .., S z of them; y's are x's where x = y */
    double *blocks;                      /* what the last point into */
    double *rest;                        /* room for what an item leaves */
    assay_disjoint_sums sums;
} assay_disjoint_whole;

/* ASSAY_OK or ASSAY_E_NOMEM; free it in either case. O(n_models^2 n_items). */
assay_status assay_disjoint_whole_new(const assay_disjoint_table *table,
                                      assay_disjoint_whole *whole);
void assay_disjoint_whole_free(assay_disjoint_whole *whole);

/* Make the products of the block of items that begins at first. */
void assay_disjoint_whole_block(const assay_disjoint_table *table, assay_disjoint_whole *whole,
                                size_t first);

/* Without a model. O(1). */
assay_disjoint_sums assay_disjoint_sums_without_model(const assay_disjoint_whole *whole, size_t k);

/* What an item of the present block leaves, own being its own sums; valid until the next is asked
   for. O(n_models). */
typedef struct assay_disjoint_rest {
    const assay_disjoint_whole *whole;
    const double *x, *y, *z, *gx, *gy, *sx, *sy, *su, *sz; /* the item's */
    const double *g, *r, *c;                               /* without it, by model */
    double all_x, all_y, xx, yy, xy;                       /* its power sums */
    double gx_sum, gy_sum, sx_sum, sy_sum, cx_sum, ry_sum; /* sum g x, .. with those g, s, c, r */
    assay_disjoint_sums sums;
} assay_disjoint_rest;
assay_disjoint_rest assay_disjoint_without_item(const assay_disjoint_table *table,
                                                const assay_disjoint_whole *whole, size_t item,
                                                const assay_disjoint_sums *own);

/* And without a model, too. O(1). */
assay_disjoint_sums assay_disjoint_sums_without_both(const assay_disjoint_rest *rest, size_t k);

#endif
