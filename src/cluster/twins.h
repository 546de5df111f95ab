/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that are equal but for rounding: at distance 0, and merged before anything else. Not all such
   pairs need be found; the others are merged as any two clusters are. */
#ifndef ASSAY_CLUSTER_TWINS_H
#define ASSAY_CLUSTER_TWINS_H

#include "cluster/agglomerate.h"

typedef struct assay_twins {
    size_t n, n_twins; /* slots, and those whose vector an earlier slot has too */
    uint32_t *first;   /* by slot: the first slot of the same vector */
} assay_twins;

/* ASSAY_OK or ASSAY_E_NOMEM; either way assay_twins_free() frees what there is. */
assay_status assay_twins_new(const assay_vectors *vectors, const size_t *order, assay_twins *twins);
void assay_twins_free(assay_twins *twins);

/* The n_twins merges of the twins; returns how many. */
size_t assay_twins_merge(const assay_twins *twins, assay_slot_merge *merges);

/* Put the merges at distance 0, which other vectors may be part of, in canonical order: each group in
   the order of its slots, the groups in the order of their first. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_twins_settle(size_t n, assay_slot_merge *merges);

#endif
