/* SPDX-License-Identifier: Apache-2.0 */
/* One data set, the prompts' own or one without clusters, whose Hopkins statistic is measured. */
#ifndef ASSAY_CLUSTER_HOPKINS_DATA_SET_H
#define ASSAY_CLUSTER_HOPKINS_DATA_SET_H

#include "assay/hopkins.h"
#include "cluster/hopkins_points.h"

/* What one thread works with. */
typedef struct assay_desk {
    assay_points_space space;
    size_t *order;   /* of the n points */
    double *u, *w;   /* n_sampled each */
    double *queries; /* ASSAY_QUERIES rows of random points */
} assay_desk;

typedef struct assay_data_set {
    const assay_hopkins_options *options; /* borrowed; n_sampled and repeats are not 0 */
    size_t d;        /* of the data; cosine's points have one coordinate more, for zero vectors */
    uint64_t number; /* 0 for the prompts' own; names the random streams */
    assay_points points; /* points.row is filled in by the caller, d numbers a row */
    double *low, *high;  /* the box */
    double *nearest;     /* of each point: to the nearest other */
    double *h;           /* by repeat */
    int threads;
    assay_desk *desks; /* one a thread */
} assay_data_set;

/* ASSAY_OK or ASSAY_E_NOMEM; free it whatever happened. */
assay_status assay_data_set_new(const assay_hopkins_options *options, size_t n, size_t d,
                                int threads, assay_data_set *set);
void assay_data_set_free(assay_data_set *set);

/* Measure the rows that were filled in (and may be changed by it): H over the repeats. */
void assay_data_set_measure(assay_data_set *set, double *mean, double *sd);

void assay_mean_and_sd(const double *values, size_t n, double *mean, double *sd);

#endif
