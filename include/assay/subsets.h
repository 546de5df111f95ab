/* SPDX-License-Identifier: Apache-2.0 */
/* ED on random parts of a matrix: halves, parts of one size for all matrices, and an interval from
   half samples. Method: docs/signals.md */
#ifndef ASSAY_SUBSETS_H
#define ASSAY_SUBSETS_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* min(N, T) up to which ED, which it bounds, says little. */
#define ASSAY_SMALL_SHAPE 6

/* Start from assay_subsets_options_init(); later versions add fields only at the end. */
typedef struct assay_subsets_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;      /* default 1 */
    size_t draws;       /* up to 1,000,000; 0, the default: 100, and 1,000 for an interval */
    int threads;        /* 0, the default, is all of OpenMP's; the result is the same for any */
    assay_progress progress;
} assay_subsets_options;

ASSAY_API void assay_subsets_options_init(assay_subsets_options *options, size_t struct_size);

/* NaN, and a reason, a literal sentence, where nothing can be estimated; else reason is NULL. */
typedef struct assay_halves {
    double mean, sd;   /* of ED over all halves */
    double difference; /* mean of |ED of one half - ED of the other| */
    double agreement;  /* 1 - difference / mean */
    size_t draws;      /* splits both of whose halves have an ED */
    const char *reason;
} assay_halves;

typedef struct assay_split_half {
    assay_halves items, models;
} assay_split_half;

/**
 * ED (items' means out) of random complementary halves, of the items and of the models.
 *
 * Of an odd number one half has one more. How far two halves lie apart says how much of ED hangs on
 * which items, or models, were chosen. (The correlation of the two over splits would say nothing:
 * what one half has the other lacks, so that it is near -1 by construction.)
 *
 * @param matrix   borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      left alone on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE with fewer than 2 models; ASSAY_E_VALUE for options;
 *         ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: about draws times that of ED. Memory O(NT) a thread. Safe to call from any thread.
 */
ASSAY_API assay_status assay_split_halves(const assay_matrix *matrix,
                                          const assay_subsets_options *options,
                                          assay_split_half *out);

/* NaN, and a reason, where the matrix has fewer items or models, or no part has an ED. */
typedef struct assay_matched {
    size_t n_items, n_models;
    double mean, sd; /* over the parts; sd NaN for fewer than 2 */
    size_t draws;    /* parts that have an ED */
    const char *reason;
} assay_matched;

/**
 * Mean ED of random parts of n_items x n_models: what matrices of different size may be compared
 * by.
 *
 * @return as above; ASSAY_E_VALUE also for n_items of 0 or n_models below 2.
 * Source: BenchScope, arXiv:2603.29357, compares benchmarks at 300 x 50.
 */
ASSAY_API assay_status assay_matched_dimension(const assay_matrix *matrix, size_t n_items,
                                               size_t n_models,
                                               const assay_subsets_options *options,
                                               assay_matched *out);

/* NaN, and a reason, with fewer than 4 models or where ED is not defined. */
typedef struct assay_half_sample {
    double low, high;
    double mean; /* ED of the half samples: below ED, which is why the interval is centred */
    size_t draws;
    const char *reason;
} assay_half_sample;

/**
 * An interval of ED from random halves of the models: with q the quantiles of their ED,
 *
 *     ED + (q(1/2 -+ level/2) - mean),
 *
 * cut to where ED can be. Half of the models without replacement vary about all of them as much as
 * all of them about their population. Centring takes out that halves have a lower ED. It covers
 * less than the jackknife of assay_signals_fit(): docs/signals.md has the figures.
 *
 * @param level  in (0, 1).
 * @return as above.
 */
ASSAY_API assay_status assay_half_sample_interval(const assay_matrix *matrix, double level,
                                                  const assay_subsets_options *options,
                                                  assay_half_sample *out);

#ifdef __cplusplus
}
#endif
#endif
