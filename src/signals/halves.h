/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers by which two halves of the models are compared. */
#ifndef ASSAY_SIGNALS_HALVES_H
#define ASSAY_SIGNALS_HALVES_H

#include "assay/ageing.h"
#include "signals/parts.h"

/* ED under three centrings (task, model, both) for each of the filters of items. */
enum {
    ASSAY_HALF_SOLVE_RATE = 0,
    ASSAY_HALF_PAIRWISE_R = 1,
    ASSAY_HALF_ED = 2,
    ASSAY_HALF_NUMBERS = ASSAY_HALF_ED + 3 * ASSAY_AGEING_N_FILTERS
};

typedef struct assay_half_numbers {
    double early[ASSAY_HALF_NUMBERS], late[ASSAY_HALF_NUMBERS]; /* NaN where there is none */
    size_t n_items[ASSAY_AGEING_N_FILTERS];
} assay_half_numbers;

/* Pass rates above the filter's number and below 1 minus it are kept; 0 keeps every item. */
extern const double assay_half_filters[ASSAY_AGEING_N_FILTERS];

/* 1 when every score lies within 0 and 1, so that an item's mean is a pass rate. O(1). */
int assay_half_has_rates(const assay_matrix *matrix);

/* Pearson's r of every two models over the items, N x N: the same in whatever half they are. NaN
   for a model whose scores are all the same. A missing cell stands at its item's mean over all
   models. ASSAY_OK or ASSAY_E_NOMEM; the caller holds BLAS. O(N^2 T). */
assay_status assay_half_correlations(const assay_parts *parts, double *r);

/* One thread's room: ASSAY_OK or ASSAY_E_NOMEM; free it in either case. */
typedef struct assay_half_space {
    double *rate[2];
    uint64_t *mask;
    size_t *items;
} assay_half_space;
assay_status assay_half_space_new(const assay_parts *parts, assay_half_space *space);
void assay_half_space_free(assay_half_space *space);

/* Two halves of n_half models each. ASSAY_OK or ASSAY_E_NOMEM; the caller holds BLAS. */
assay_status assay_half_numbers_of(const assay_parts *parts, const double *r, const size_t *early,
                                   const size_t *late, size_t n_half, assay_half_space *space,
                                   assay_half_numbers *out);

#endif
