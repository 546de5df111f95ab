/* SPDX-License-Identifier: Apache-2.0 */
/* ED of parts of a matrix: some of its models on some of its items, many times over. */
#ifndef ASSAY_SIGNALS_PARTS_H
#define ASSAY_SIGNALS_PARTS_H

#include "assay/signals.h"
#include "core/random.h"
#include "data/matrix.h"
#include "stats/popcount.h"

/* A matrix made ready. Complete 0/1 data are also held items x models, so that the chosen rows of
   either side may be counted on the chosen columns of the other. */
typedef struct assay_parts {
    const assay_matrix *matrix; /* borrowed */
    uint64_t *by_item;          /* NULL unless the data are complete and 0/1 */
    size_t by_item_stride;
    assay_popcount_kernel kernel;
    double unit; /* a power of 2 near the largest score: what other data are divided by */
} assay_parts;

/* ASSAY_OK or ASSAY_E_NOMEM; free it in either case. O(NT). */
assay_status assay_parts_new(const assay_matrix *matrix, assay_parts *parts);
void assay_parts_free(assay_parts *parts);

/* The chosen rows and columns of the matrix; NULL takes all, and then the number is not read. An
   item may be there once only; so may a model, unless models_repeat says otherwise. */
typedef struct assay_part {
    const size_t *models, *items;
    size_t n_models, n_items;
    int models_repeat;
} assay_part;

/*
 * ED of a part, NaN where nothing varies. A missing cell stands at its item's mean over the part's
 * models. ASSAY_OK or ASSAY_E_NOMEM; the caller holds BLAS. Safe from any thread. Cost: O(r^2 l)
 * with r the smaller and l the larger side of the part, 64 cells an operation where the data are
 * complete and 0/1 (then l is of the whole matrix).
 */
assay_status assay_part_ed(const assay_parts *parts, assay_part part, double *task);
assay_status assay_part_dimensions(const assay_parts *parts, assay_part part,
                                   assay_dimensions *out);

/* The same, task-centred, with every item that is not constant in the part scaled to variance 1. */
assay_status assay_part_unit_ed(const assay_parts *parts, assay_part part, double *task);

/* The part in doubles, n_models x n_items, each item's mean over the part's models taken out; a
   missing cell is 0, and the scores are in parts->unit. room is for 4 n_items numbers, of which the
   first n_items are the means afterwards. */
void assay_part_centred(const assay_parts *parts, assay_part part, double *out, double *room);

/* order becomes 0 .. n - 1 with a uniformly random choice of k of them in front, those in random
   order. */
void assay_draw_some(assay_random *random, size_t *order, size_t n, size_t k);

#endif
