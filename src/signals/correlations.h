/* SPDX-License-Identifier: Apache-2.0 */
/* Correlations of two or three columns over the models that have all of them, each model counting
   as often as a resample drew it. */
#ifndef ASSAY_SIGNALS_CORRELATIONS_H
#define ASSAY_SIGNALS_CORRELATIONS_H

#include "assay/base.h"

#include <stddef.h>

enum { ASSAY_PANEL_COLUMNS = 3 };

/* A number of each model, NaN where there is none, and the models that have one in its order. */
typedef struct assay_column {
    double *value;
    size_t *order;
    size_t n;
} assay_column;

/* Fill in what is there for n_models values, not infinite: they are divided by a power of 2 near
   the largest, which changes no correlation, and put in order. ASSAY_OK or ASSAY_E_NOMEM.
   O(N log N). */
assay_status assay_column_settle(assay_column *column, size_t n_models);

/* The models that have all of some columns. Room for n_models of them. */
typedef struct assay_panel {
    size_t n_columns, n;
    size_t *model;                      /* which, ascending */
    double *value[ASSAY_PANEL_COLUMNS]; /* by place among them */
    size_t *order[ASSAY_PANEL_COLUMNS]; /* places in the order of their value */
    double *rank[ASSAY_PANEL_COLUMNS];  /* of a resample: see assay_panel_correlate() */
    double *weight;                     /* of a resample, by place */
    size_t *place;                      /* of a model, SIZE_MAX for one that is not here */
} assay_panel;

/* ASSAY_OK or ASSAY_E_NOMEM; free it whatever happened. */
assay_status assay_panel_new(size_t n_models, size_t n_columns, assay_panel *panel);
void assay_panel_free(assay_panel *panel);

/* Take in the models that have all n_columns of them. O(N). */
void assay_panel_fill(assay_panel *panel, const assay_column *const *columns, size_t n_models);

/* The correlation of columns 0 and 1, alone or, with three, given the last. NaN where a column is
   constant, or the last one decides one of the others. */
typedef struct assay_two_correlations {
    double pearson, spearman;
} assay_two_correlations;

/* With each model as often as count says (NULL: once). Ranks are mid-ranks among the models as
   drawn. O(n). */
assay_two_correlations assay_panel_correlate(assay_panel *panel, const unsigned char *count);

#endif
