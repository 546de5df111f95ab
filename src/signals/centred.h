/* SPDX-License-Identifier: Apache-2.0 */
/* Z: the matrix after each item's mean over models is taken out; a missing cell is 0. */
#ifndef ASSAY_SIGNALS_CENTRED_H
#define ASSAY_SIGNALS_CENTRED_H

#include "data/matrix.h"

/* Which of Z's two sides are the rows of a block, or of a Gram matrix. */
typedef enum assay_side { ASSAY_SIDE_MODELS, ASSAY_SIDE_ITEMS } assay_side;

typedef struct assay_centred {
    const assay_matrix *matrix; /* borrowed */
    size_t n_models, n_items;   /* N, T */
    assay_side side;            /* the smaller one: the rows of the Gram matrix */
    size_t n_rows, n_columns;   /* R and L: the numbers on that side and on the other */
    double *item_mean;          /* over the models observed */
    double *item_count;         /* 0/1 data: how many models have a 1 */
    double *item_squares;       /* d_t: the sum of z^2 over models */
    double unit;                /* what 1 in z and in the mean is in scores: a power of 2 */
    size_t n_constant;          /* items with d_t = 0 */
    int complete;               /* no cell is missing */
} assay_centred;

/* ASSAY_OK or ASSAY_E_NOMEM. Free it in either case. O(NT). */
assay_status assay_centred_new(const assay_matrix *matrix, assay_centred *z);
void assay_centred_free(assay_centred *z);

/* What may be done to a cell of Z: a model's number is taken from it, and it is multiplied by its
   item's. Either is NULL for none. */
typedef struct assay_change {
    const double *model_shift, *item_scale;
} assay_change;

/* A block of Z in doubles: rows first_row .. + n_rows of the given side, columns first_column ..
   + n_columns of the other, out[row * n_columns + column]. */
typedef struct assay_block {
    size_t first_row, n_rows, first_column, n_columns;
} assay_block;
void assay_centred_block(const assay_centred *z, assay_side side, assay_block block,
                         assay_change change, double *out);

/* a_m: each model's mean of Z over items; they sum to 0. */
void assay_centred_model_means(const assay_centred *z, int threads, double *mean);

/* The sum over items of weight[item] times the score (not centred) of a model; 0/1 data only. */
double assay_centred_ones(const assay_centred *z, size_t model, const double *weight);

#endif
