/* SPDX-License-Identifier: Apache-2.0 */
/* ED of more items than memory holds, item after item. Method: docs/signals.md */
#ifndef ASSAY_DIMENSION_STREAM_H
#define ASSAY_DIMENSION_STREAM_H

#include "assay/signals.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of the items so far. Opaque; free with assay_dimension_stream_free(). Not to be
   used by two threads at a time. */
typedef struct assay_dimension_stream assay_dimension_stream;

/* Start from assay_dimension_stream_options_init(); later versions add fields only at the end. */
typedef struct assay_dimension_stream_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    int threads; /* 0, the default, is all of OpenMP's; the result is the same for any number */
    size_t block_items; /* complete 0/1 items that are counted together, rounded up to 512; 32,256;
                           the result does not depend on it, memory does: N / 8 bytes an item */
} assay_dimension_stream_options;

ASSAY_API void assay_dimension_stream_options_init(assay_dimension_stream_options *options,
                                                   size_t struct_size);

/**
 * A stream of items, of which none has come.
 *
 * Of the items only sums of products over pairs of models are kept: integer counts for complete 0/1
 * items, moments about the means for others. Both give what assay_effective_dimensions() finds on
 * the matrix of all items, to rounding, whatever the sizes of the parts in which they came.
 *
 * @param n_models  N, how many scores an item has.
 * @param options   NULL for the defaults.
 * @param out       the stream, owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE with fewer than 2 models, or more than 2^31; ASSAY_E_VALUE for
 *         options; ASSAY_E_NOMEM.
 * Memory: 4 N^2 bytes for the counts, from the first complete 0/1 item on, and N block_items / 8;
 * 4 N^2 for the moments, from the first other item on, and 4160 N.
 */
ASSAY_API assay_status assay_dimension_stream_new(size_t n_models,
                                                  const assay_dimension_stream_options *options,
                                                  assay_dimension_stream **out);
ASSAY_API void assay_dimension_stream_free(assay_dimension_stream *stream); /* NULL is fine */

/**
 * Add items.
 *
 * @param scores  n_items x n_models, an item a row, NaN where missing. A missing score stands at
 *                its item's mean; an item without any score is left out, and counted. Borrowed.
 * @return ASSAY_OK; ASSAY_E_VALUE naming an infinite score; ASSAY_E_NOMEM. After a failure the
 *         items before the one at fault are in.
 * Cost: O(N^2) an item, 64 items an operation where complete and 0/1.
 */
ASSAY_API assay_status assay_dimension_stream_add_items(assay_dimension_stream *stream,
                                                        size_t n_items, const double *scores);

/* The same for complete 0/1 items as bytes; ASSAY_E_VALUE naming a byte that is neither 0 nor 1. */
ASSAY_API assay_status assay_dimension_stream_add_bits(assay_dimension_stream *stream,
                                                       size_t n_items, const unsigned char *bits);

/* What is known at the end of a stream. */
typedef struct assay_streamed_dimensions {
    assay_dimensions ed;                   /* NaN where nothing varies */
    double marchenko_pastur, ed_over_null; /* as in assay/signals.h, for this shape */
    double permutation_ed_at_mean, ed_over_permutation;
    size_t n_models, n_models_left_out; /* with a score, and without any */
    uint64_t n_items, n_items_left_out;
    uint64_t n_constant; /* of the items: those with one score for every model */
    uint64_t n_observed; /* cells with a score */
} assay_streamed_dimensions;

/**
 * ED of the items so far under the three centrings. More may be added afterwards.
 *
 * @param out  left alone on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE when no item, or fewer than 2 models, have a score;
 *         ASSAY_E_DEGENERATE when no item tells two models apart; ASSAY_E_NOMEM.
 * Cost: O(N^2), and the count of what has come since the last full block.
 */
ASSAY_API assay_status assay_dimension_stream_result(assay_dimension_stream *stream,
                                                     assay_streamed_dimensions *out);

#ifdef __cplusplus
}
#endif
#endif
