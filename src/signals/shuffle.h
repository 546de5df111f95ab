/* SPDX-License-Identifier: Apache-2.0 */
/* Each item's scores shuffled among the models, and the Gram matrix of that: one draw of the
   permutation null. */
#ifndef ASSAY_SIGNALS_SHUFFLE_H
#define ASSAY_SIGNALS_SHUFFLE_H

#include "core/random.h"
#include "signals/bit_gram.h"

/* One thread's room. Complete 0/1 data are shuffled as bits, all else as doubles. */
typedef struct assay_shuffle {
    const assay_centred *z;

    assay_bit_form form; /* bits: what the counts become G by; shift is of the draw at hand */
    uint64_t *plane;     /* the shuffled bits, R rows; NULL for doubles */
    size_t stride;
    uint32_t *order;      /* N models */
    uint32_t *counts;     /* a tile */
    uint64_t *turned;     /* by item: more than half of the models solve it; a row of the plane */
    uint64_t *all_models; /* a 1 for every model; a row of the plane */
    double shift_of_turned;

    double *cells, *shuffled; /* doubles: Z and its shuffle, R x L */
    double *sequence;         /* one item's scores, N */
} assay_shuffle;

/* ASSAY_OK or ASSAY_E_NOMEM; free it in either case. */
assay_status assay_shuffle_new(const assay_centred *z, assay_shuffle *shuffle);
void assay_shuffle_free(assay_shuffle *shuffle);

/* Draw once: the upper triangle of G (R x R). The stream decides everything. O(R^2 L). */
void assay_shuffle_gram(assay_shuffle *shuffle, assay_random *random, double *gram);

#endif
