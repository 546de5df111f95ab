/* SPDX-License-Identifier: Apache-2.0 */
/* The two moments behind an ED without noise, as means over indices that all differ, in closed
   form. */
#ifndef ASSAY_SIGNALS_DISJOINT_H
#define ASSAY_SIGNALS_DISJOINT_H

#include "assay/base.h"

#include <stddef.h>

/*
 * Two replicates of a complete table, item-major: x[a * n_models + i] is model i on item a. Both
 * have errors of their own, so that products of x with y are free of them; square, in the place of
 * x y on one cell, is such a product too. x = y, both the mean of all runs, serves where square is
 * the unbiased square of the expectation: on two cells their errors are independent anyway.
 */
typedef struct assay_disjoint_table {
    size_t n_models, n_items;
    const double *x, *y, *square;
} assay_disjoint_table;

/*
 * A and B of all models and items, and without each of them. With i, j, l, r different models and
 * a, b different items,
 *     A = <z_ia z_jb> - 2 <z_ia x_jb y_lb> + <x_ia y_ja x_lb y_rb>,                  z = square,
 *     B = <x_ia y_ja x_jb y_ib> - 2 <x_ia y_ja x_jb y_lb> + <x_ia y_ja x_lb y_rb>.
 * Their expectations are the mean over pairs of items of Var Var and of Cov^2, over models. Neither
 * changes when a constant is added to an item's x, or to its y (and square with them).
 */
typedef struct assay_moment_pair {
    double a, b;
} assay_moment_pair;

typedef struct assay_disjoint_moments {
    size_t n_models, n_items;
    assay_moment_pair all;
    assay_moment_pair *without_model; /* n_models; 0 where there are fewer than 5 */
    assay_moment_pair *without_item;  /* n_items; 0 where there are fewer than 3 */
    assay_moment_pair *without_both;  /* an item and a model, item-major; 0 where either is */
} assay_disjoint_moments;

/* All zero. ASSAY_OK or ASSAY_E_NOMEM. Free it in either case. */
assay_status assay_disjoint_moments_new(size_t n_models, size_t n_items,
                                        assay_disjoint_moments *moments);
void assay_disjoint_moments_free(assay_disjoint_moments *moments);

/* Add the moments of a table of n_models >= 4 and n_items >= 2 to what is there, so that several
   pairs of replicates may be averaged. BLAS must be held. ASSAY_OK or ASSAY_E_NOMEM. O(n_models^2
   n_items), memory O(n_models^2 + n_models n_items). */
assay_status assay_disjoint_add(const assay_disjoint_table *table, assay_disjoint_moments *moments);

#endif
