/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy choice of items, without the Gram matrix of all of them. */
#ifndef ASSAY_SIGNALS_GREEDY_H
#define ASSAY_SIGNALS_GREEDY_H

#include "assay/short_form.h"
#include "stats/popcount.h"

/* Some models' scores, each item's mean over them taken out; a missing cell is 0. Of complete 0/1
   data they are multiplied by the number of models: whole numbers, so that items that tie do so
   exactly. Otherwise they are in a unit that is a power of 2. */
typedef struct assay_deviations {
    size_t n_models, n_items, n_varying;
    double *cell;    /* n_models x n_items */
    double *squares; /* d: of each item, divided as products are */
    double divisor;  /* of products of cells, so that they are whole numbers, but no larger */
    /* Of complete 0/1 data also bits, a row an item, and how many there are in each. */
    uint64_t *plane;
    size_t stride;
    double *ones;
    assay_popcount_kernel kernel;
} assay_deviations;

/* Of the models listed; n_models of them. ASSAY_OK or ASSAY_E_NOMEM; free it whatever happened. */
assay_status assay_deviations_new(const assay_matrix *matrix, const size_t *models, size_t n_models,
                                  assay_deviations *z);
void assay_deviations_free(assay_deviations *z);

/* product[t] = the sum over models of weight times item t, over the divisor. Summed in the order of
   models for any number of threads. O(NT) */
void assay_deviations_product(const assay_deviations *z, const double *weight, int threads,
                              double *product);

/* Column u of G: the products of every item with item u; weight is room for a number of each model.
   By bit counts where there are bits, and then exact. O(NT), or O(NT / 64) */
void assay_deviations_gram_column(const assay_deviations *z, size_t u, int threads, double *weight,
                                  double *column);

/* Choose n_items (no more than vary). items: in their order; ed (or NULL): of the first 1, 2, ...
   ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. */
assay_status assay_greedy_ed(const assay_deviations *z, size_t n_items, int threads,
                             assay_progress progress, size_t *items, double *ed);
assay_status assay_greedy_ranking(const assay_deviations *z, size_t n_items, int threads,
                                  assay_progress progress, size_t *items);

/* The ED of the first 1, 2, ... of these items. ASSAY_OK or ASSAY_E_NOMEM. O(n_items T N) */
assay_status assay_ed_of_first(const assay_deviations *z, const size_t *items, size_t n_items,
                               int threads, double *ed);

#endif
