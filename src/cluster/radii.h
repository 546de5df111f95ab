/* SPDX-License-Identifier: Apache-2.0 */
/* The radii at which DBSCAN's partition changes. */
#ifndef ASSAY_CLUSTER_RADII_H
#define ASSAY_CLUSTER_RADII_H

#include "text/vectors.h"

/*
 * 0, the distances at which a vector becomes a core one, and those at which clusters of core
 * vectors meet: the edges of a shortest spanning tree where the length of a pair is the largest of
 * its distance and the two core distances (Campello et al. 2013). Between two of them clusters stay
 * as they are, but for vectors at their edge that are not core ones.
 *
 * radius: room for n_most (2 or more) of them, ascending, different by more than
 * ASSAY_SAME_DISTANCE; where there are more, n_most of evenly spaced rank. n_radii: how many.
 * ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. At most ASSAY_MOST_PAIRWISE vectors.
 * Cost: O(n^2 (d + min_samples)) at most, O(n^2 d) as a rule; 4 n^2 bytes.
 */
assay_status assay_dbscan_radii(const assay_vectors *vectors, size_t min_samples, int threads,
                                size_t n_most, double *radius, size_t *n_radii);

#endif
