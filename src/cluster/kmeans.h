/* SPDX-License-Identifier: Apache-2.0 */
/* Spherical k-means. */
#ifndef ASSAY_CLUSTER_KMEANS_H
#define ASSAY_CLUSTER_KMEANS_H

#include "text/vectors.h"

typedef struct assay_kmeans_options {
    uint64_t seed;
    size_t restarts; /* at least 1; 10 is usual */
    int threads;     /* the labels are the same for any number */
    assay_progress progress;
} assay_kmeans_options;

/*
 * The vectors in n_clusters (1 .. n) groups, none empty: those of the best restart by the sum of the
 * cosines of vectors with the direction of their group's sum (Dhillon and Modha 2001), which each
 * restart raises from first centres drawn by k-means++ (Arthur and Vassilvitskii 2007) until no vector
 * moves, or 100 times. A zero vector has cosine 1 with other zero vectors and 0 with the rest.
 *
 * labels: room for n, numbered by first appearance. objective (or NULL): the sum of cosines.
 * ASSAY_OK; ASSAY_E_VALUE; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(n d n_clusters) an iteration, entries in place of n d where sparse; O(d n_clusters) memory.
 */
assay_status assay_kmeans(const assay_vectors *vectors, size_t n_clusters,
                          const assay_kmeans_options *options, size_t *labels, double *objective);

#endif
