/* SPDX-License-Identifier: Apache-2.0 */
/* The moments of a stream's items under the three centrings, from its two kinds of sums. */
#ifndef ASSAY_SIGNALS_STREAM_MOMENTS_H
#define ASSAY_SIGNALS_STREAM_MOMENTS_H

#include "signals/dimension.h"
#include "signals/stream_bits.h"
#include "signals/stream_scores.h"

/* What a stream holds when everything is flushed: either kind may be without items, and then only
   its n_items is looked at. n_rows are the models, n_models those with a score. */
typedef struct assay_stream_sums {
    size_t n_rows, n_models;
    const assay_stream_bits *bits;
    const assay_stream_scores *scores;
} assay_stream_sums;

/* All in powers of one unit; spread and spread_squares are the sums of d_t = |z_t|^2 and of its
   square. */
typedef struct assay_stream_moments {
    assay_three_moments centred;
    double spread, spread_squares;
} assay_stream_moments;

/* ASSAY_OK or ASSAY_E_NOMEM. O(N^2). */
assay_status assay_stream_moments_find(const assay_stream_sums *sums, int threads,
                                       assay_stream_moments *out);

#endif
