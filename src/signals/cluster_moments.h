/* SPDX-License-Identifier: Apache-2.0 */
/* A and B where the replicates of an item are the members of a cluster: items that all models
   answer, and that differ in difficulty. */
#ifndef ASSAY_SIGNALS_CLUSTER_MOMENTS_H
#define ASSAY_SIGNALS_CLUSTER_MOMENTS_H

#include "signals/disjoint.h"
#include "signals/replicates.h"

/*
 * What one member does to all models must not meet itself, so that products on a cluster are of
 * different members. Of cluster a, which has m,
 *     K_ij = mean over k /= l of x_ik x_jl = (sum x_i sum x_j - sum x_i x_j) / (m (m - 1)),
 *     V_ij = (K_ii + K_jj) / 2 - K_ij, which estimates half the square of the models' difference,
 *     A = <V_ij,a V_lr,b>,  B = <K_ij,a K_ij,b> - 2 <K_ij,a K_jl,b> + <K_ij,a K_lr,b>
 * as means over different models and different clusters. A difficulty that is shared by all models
 * falls out. Fills moments, which are new. ASSAY_OK or ASSAY_E_NOMEM. O(n_models^2 members), memory
 * O(n_models^2).
 */
assay_status assay_cluster_moments(const assay_replicates *replicates,
                                   assay_disjoint_moments *moments);

#endif
