/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters as the sums of their vectors, each with a short list of clusters near it. */
#ifndef ASSAY_CLUSTER_SUMS_H
#define ASSAY_CLUSTER_SUMS_H

#include "text/vectors.h"

enum { ASSAY_NEAR = 16 };

/* A cluster that was near, and at which distance when it had this version. */
typedef struct assay_near {
    uint32_t slot, version;
    double distance;
} assay_near;

typedef enum assay_near_state {
    ASSAY_NEAR_KNOWN,     /* nearest was right when its version was nearest_version */
    ASSAY_NEAR_EXHAUSTED, /* the list does not tell which is nearest */
    ASSAY_NEAR_GONE       /* not a cluster: taken in by another, or never one */
} assay_near_state;

/*
 * Indexed by slot. Every cluster that is not in the list of slot i is at least cut[i] away from it,
 * for good: by average linkage a merged cluster is never nearer than the nearer of its parts.
 */
typedef struct assay_sums {
    size_t n, d, n_alive;
    double *sum;  /* n x d */
    double *size; /* vectors */
    uint32_t *owner, *version;
    assay_near *near; /* n x ASSAY_NEAR */
    unsigned char *n_near, *state;
    double *cut, *bound; /* bound: no cluster is nearer; INFINITY for one that is gone */
    uint32_t *nearest, *nearest_version;
    /* The means in single precision, of living clusters and some that are gone, for screening. */
    float *mean;           /* n_columns x d */
    uint32_t *column_slot; /* which slot a column is; ASSAY_NO_SLOT once it is gone */
    uint32_t *slot_column;
    size_t n_columns;
} assay_sums;

#define ASSAY_NO_SLOT UINT32_MAX

/* A cluster for each slot that is first of its twins, of all of these; vector order[slot] is that of a
   slot. ASSAY_OK or ASSAY_E_NOMEM; either way assay_sums_free() frees what there is. */
assay_status assay_sums_new(const assay_vectors *vectors, const size_t *order,
                            const uint32_t *first, assay_sums *s);
void assay_sums_free(assay_sums *s);

/* The mean distance of the vectors of two clusters, to the last bit the same on every machine. */
double assay_sums_distance(const assay_sums *s, size_t i, size_t j);

/* Whether nearest[i] and bound[i] hold. */
int assay_sums_is_current(const assay_sums *s, size_t i);

/* Bring the list of i up to date, and then nearest and bound. 1 when it tells the nearest; 0 when it
   does not (the state is then exhausted and the bound a lower one). */
int assay_sums_renew(assay_sums *s, size_t i);

/* From a list that is up to date. As above. */
int assay_sums_conclude(assay_sums *s, size_t i);

/* Cluster j joins i < j; the list of i comes from both. */
void assay_sums_unite(assay_sums *s, size_t i, size_t j);

/* Make anew the lists of n_rows slots by comparing each with every cluster; afterwards all are known.
   ASSAY_OK or ASSAY_E_NOMEM. O(n_rows n d). */
assay_status assay_sums_scan(assay_sums *s, const uint32_t *rows, size_t n_rows, int threads);

#endif
