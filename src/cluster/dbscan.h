/* SPDX-License-Identifier: Apache-2.0 */
/* Density-based clusters (DBSCAN) by cosine distance, for several radii. */
#ifndef ASSAY_CLUSTER_DBSCAN_H
#define ASSAY_CLUSTER_DBSCAN_H

#include "text/vectors.h"

typedef struct assay_dbscan_options {
    const double *radius; /* n_radii of them, each in [0, 2] */
    size_t n_radii;
    size_t
        min_samples; /* at least 1: vectors within the radius, itself among them, of a core one */
    int threads;     /* the labels are the same for any number */
    assay_progress progress;
} assay_dbscan_options;

/*
 * A partition for each radius (Ester et al. 1996): core vectors within the radius of each other are
 * together; another vector goes with the earliest of the clusters it has a core vector of within the
 * radius; what is left is noise, each a cluster of its own. Distances within 1e-12 of the radius are
 * within it. With min_samples 1 this is single linkage cut at the radius.
 *
 * labels: n_radii x n, numbered by first appearance. n_noise (or NULL): n_radii.
 * ASSAY_OK; ASSAY_E_VALUE; ASSAY_E_SHAPE for more than 23,170 vectors; ASSAY_E_CANCELLED;
 * ASSAY_E_NOMEM. Cost: O(n^2 d) time once, O(n^2) a radius; 4 n^2 bytes.
 */
assay_status assay_dbscan(const assay_vectors *vectors, const assay_dbscan_options *options,
                          size_t *labels, size_t *n_noise);

#endif
