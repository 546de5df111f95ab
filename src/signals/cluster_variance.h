/* SPDX-License-Identifier: Apache-2.0 */
/* A, the mean of Var Var over pairs of clusters, where the members of a cluster differ in difficulty. */
#ifndef ASSAY_SIGNALS_CLUSTER_VARIANCE_H
#define ASSAY_SIGNALS_CLUSTER_VARIANCE_H

#include "signals/disjoint.h"
#include "signals/replicates.h"

/*
 * With d_k = x_ik - x_jk on member k of cluster a, which has m of them,
 *     V_ij,a = mean over k /= l of d_k d_l / 2 = ((sum d)^2 - sum d^2) / (2 m (m - 1)),
 *     A = the mean of V_ij,a V_lr,b over different models and different clusters.
 * A difficulty that all models share falls out of d; an error of one member meets itself nowhere.
 * Puts A, and A without each model, each cluster and both, in the place of what moments holds.
 * ASSAY_OK or ASSAY_E_NOMEM. O(n_models^2 members), memory O(n_models^2).
 */
assay_status assay_cluster_variance(const assay_replicates *replicates,
                                    assay_disjoint_moments *moments);

#endif
