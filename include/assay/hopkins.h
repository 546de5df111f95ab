/* SPDX-License-Identifier: Apache-2.0 */
/* Do prompts cluster at all? The Hopkins statistic and its nulls. Method: docs/score.md */
#ifndef ASSAY_HOPKINS_H
#define ASSAY_HOPKINS_H

#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the random points are drawn. Numbers are part of the ABI: never renumber. */
typedef enum assay_hopkins_window {
    ASSAY_HOPKINS_BOX = 0,    /* uniform between each coordinate's least and largest value */
    ASSAY_HOPKINS_SPHERE = 1, /* uniform on the unit sphere */
    ASSAY_HOPKINS_ORTHANT = 2 /* uniform on its part where no coordinate is negative */
} assay_hopkins_window;

typedef enum assay_hopkins_metric {
    ASSAY_HOPKINS_EUCLIDEAN = 0,
    ASSAY_HOPKINS_COSINE = 1 /* 1 - cos; zero vectors are at 1 from all others, 0 from each other */
} assay_hopkins_metric;

/* Data of the same size without clusters. */
typedef enum assay_hopkins_null {
    ASSAY_HOPKINS_PERMUTATION = 0, /* each coordinate shuffled among the prompts */
    ASSAY_HOPKINS_GAUSSIAN = 1, /* normal with the data's own mean and covariance: the fair null */
    ASSAY_HOPKINS_N_NULLS = 2
} assay_hopkins_null;

/* Start from assay_hopkins_options_init(); later versions add fields only at the end. The defaults
   are the variant of the paper: box, Euclidean, exponent 1, a tenth of the prompts. */
typedef struct assay_hopkins_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;      /* default 1 */
    assay_hopkins_window window;
    assay_hopkins_metric metric;
    double exponent;  /* d, to which distances are raised; above 0, default 1 */
    size_t n_sampled; /* m, at most n; 0, the default: n / 10, rounded, at least 1 */
    size_t repeats;   /* 0, the default: 1,000 up to 300 prompts, 100 beyond; else 2 or more */
    size_t data_sets; /* R of each null, 99 or more; 0, the default: no nulls */
    int threads; /* 0, the default, is all of OpenMP's; the result is the same for any number */
    assay_progress progress;
} assay_hopkins_options;

ASSAY_API void assay_hopkins_options_init(assay_hopkins_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_hopkins_options_check(const assay_hopkins_options *options);

/* H against one null. NaN throughout where no null data sets were asked for. */
typedef struct assay_hopkins_against {
    double mean, sd; /* of the mean H of each null data set, over the data sets */
    double z;        /* (H - mean) / sd; NaN when the data sets do not differ */
    double p;        /* (1 + how many null data sets reach H) / (R + 1) */
} assay_hopkins_against;

typedef struct assay_hopkins {
    double
        mean;  /* H: the mean over the repeats; .5 for no clusters only where d is the dimension */
    double sd; /* over the repeats */
    double se; /* sd / sqrt(repeats): error of the Monte Carlo only, which says nothing of z or p */
    size_t n_sampled, repeats, data_sets;                 /* as they were used */
    assay_hopkins_against against[ASSAY_HOPKINS_N_NULLS]; /* by assay_hopkins_null */
} assay_hopkins;

/**
 * The Hopkins statistic of the vectors, repeated, and the same of data that have no clusters.
 *
 * H = sum u^d / (sum u^d + sum w^d): u from each of m random points in the window to its nearest
 * prompt, w from each of m prompts, drawn without replacement, to the nearest other one. A null's
 * data sets are measured in the same way, in as many repeats. H above a fixed threshold proves
 * little, because the box holds far corners that no data reach: judge it by z and p.
 *
 * @param vectors  at least 2. Borrowed.
 * @param options  NULL for the defaults.
 * @param out      set on success only.
 * @return ASSAY_OK; ASSAY_E_SHAPE for fewer than 2 prompts; ASSAY_E_VALUE for options, and
 *         for ASSAY_TURNS_MAX, which is no geometry of vectors;
 *         ASSAY_E_DEGENERATE when all vectors are equal; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: with D dimensions, O((n + m repeats) n D) for the data and again for each null data set, in
 * single precision but for the candidates, so that the distances are exact. Memory O(n D); sparse
 * vectors are made dense.
 * Source: Hopkins and Skellam (1954); Cross and Jain (1982) for d.
 */
ASSAY_API assay_status assay_hopkins_measure(const assay_vectors *vectors,
                                             const assay_hopkins_options *options,
                                             assay_hopkins *out);

#ifdef __cplusplus
}
#endif
#endif
