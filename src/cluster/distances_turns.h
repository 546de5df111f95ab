/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of prompts as the largest of their turns'. */
#ifndef ASSAY_CLUSTER_DISTANCES_TURNS_H
#define ASSAY_CLUSTER_DISTANCES_TURNS_H

#include "text/vectors.h"

/*
 * Fill in the distances of vectors that are compared turn by turn, laid out as assay_distances_new()
 * does: those of each turn in turn, among the m rows that have it. ASSAY_OK; ASSAY_E_CANCELLED;
 * ASSAY_E_NOMEM. Cost: those of each turn by assay_distances_new(), and O(n m); the first turn's
 * distances stand beside the result, so that memory is twice what it is otherwise.
 */
assay_status assay_distances_by_turn(const assay_vectors *vectors, int threads,
                                     assay_progress progress, double *distance);

#endif
