/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/dimension_stream.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "signals/null.h"
#include "signals/stream_bits.h"
#include "signals/stream_moments.h"
#include "signals/stream_scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 504 words a model: rows whose length is no multiple of a page fall on different sets of the
   cache, when a word of each is written. */
enum { BLOCK_ITEMS = 504 * 64, BLOCK_ITEMS_MAX = 1 << 24, THREADS_MAX = 1024 };

static const size_t models_max = (size_t)1 << 31;

/* Items of either kind are kept apart; the room for a kind is made when its first item comes. */
struct assay_dimension_stream {
    size_t n_models;
    int threads;
    size_t block_items;
    assay_stream_bits bits;
    assay_stream_scores scores;
    int has_bits, has_scores;
    unsigned char *item; /* the one being added, as bytes */
    uint64_t n_left_out, n_observed;
};

static assay_status resolve_options(const assay_dimension_stream_options *given,
                                    assay_dimension_stream_options *options);
static assay_status add_item(assay_dimension_stream *stream, const double *item);
static assay_status add_bits(assay_dimension_stream *stream, const unsigned char *item);
static size_t count_models(const assay_dimension_stream *stream);
static uint64_t count_constant(const assay_dimension_stream *stream);
static void put_moments(const assay_stream_moments *moments, assay_streamed_dimensions *found);

void assay_dimension_stream_options_init(assay_dimension_stream_options *options,
                                         size_t struct_size)
{
    const assay_dimension_stream_options defaults = { .struct_size = struct_size,
                                                      .block_items = BLOCK_ITEMS };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_dimension_stream_options *given,
                                    assay_dimension_stream_options *options)
{
    assay_status status;

    assay_dimension_stream_options_init(options, sizeof *options);
    status = assay_options_take("stream", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->threads < 0 || options->threads > THREADS_MAX)
        return assay_fail(ASSAY_E_VALUE, "stream: threads is %d, expected 0 to %d",
                          options->threads, THREADS_MAX);
    if (options->block_items < 1 || options->block_items > BLOCK_ITEMS_MAX)
        return assay_fail(ASSAY_E_VALUE, "stream: block_items is %zu, expected 1 to %d",
                          options->block_items, BLOCK_ITEMS_MAX);
    return ASSAY_OK;
}

assay_status assay_dimension_stream_new(size_t n_models,
                                        const assay_dimension_stream_options *options,
                                        assay_dimension_stream **out)
{
    assay_dimension_stream_options opt;
    assay_dimension_stream *stream;
    assay_status status;

    *out = NULL;
    if ((status = resolve_options(options, &opt)) != ASSAY_OK) return status;
    if (n_models < 2 || n_models > models_max)
        return assay_fail(ASSAY_E_SHAPE,
                          "signals needs 2 models or more to see differences between them, and "
                          "at most %zu, got %zu",
                          models_max, n_models);
    stream = assay_alloc_zero(1, sizeof *stream);
    if (stream) stream->item = assay_alloc_zero(n_models, 1);
    if (!stream || !stream->item) {
        assay_dimension_stream_free(stream);
        return assay_fail(ASSAY_E_NOMEM, "no memory for a stream of items of %zu scores", n_models);
    }
    stream->n_models = n_models;
    stream->threads = assay_threads(opt.threads);
    stream->block_items = opt.block_items;
    *out = stream;
    return ASSAY_OK;
}

void assay_dimension_stream_free(assay_dimension_stream *stream)
{
    if (!stream) return;
    assay_stream_bits_free(&stream->bits);
    assay_stream_scores_free(&stream->scores);
    free(stream->item);
    free(stream);
}

/* ---- adding ---- */

assay_status assay_dimension_stream_add_items(assay_dimension_stream *stream, size_t n_items,
                                              const double *scores)
{
    for (size_t t = 0; t < n_items; t++, scores += stream->n_models) {
        assay_status status;
        int is_bits = 1;

        for (size_t m = 0; m < stream->n_models; m++) {
            is_bits &= (scores[m] == 0.0) | (scores[m] == 1.0);
            stream->item[m] = scores[m] == 1.0;
        }
        status = is_bits ? add_bits(stream, stream->item) : add_item(stream, scores);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

assay_status assay_dimension_stream_add_bits(assay_dimension_stream *stream, size_t n_items,
                                             const unsigned char *bits)
{
    for (size_t t = 0; t < n_items; t++, bits += stream->n_models) {
        unsigned char any = 0;
        assay_status status;

        for (size_t m = 0; m < stream->n_models; m++) any |= bits[m];
        for (size_t m = 0; any > 1 && m < stream->n_models; m++)
            if (bits[m] > 1)
                return assay_fail(ASSAY_E_VALUE, "stream: bits[%zu, %zu] is %d, expected 0 or 1", t,
                                  m, bits[m]);
        if ((status = add_bits(stream, bits)) != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

static assay_status add_bits(assay_dimension_stream *stream, const unsigned char *item)
{
    if (!stream->has_bits) {
        assay_status status = assay_stream_bits_new(stream->n_models, stream->block_items,
                                                    stream->threads, &stream->bits);

        if (status != ASSAY_OK) {
            assay_stream_bits_free(&stream->bits);
            return status;
        }
        stream->has_bits = 1;
    }
    assay_stream_bits_add(&stream->bits, item, stream->threads);
    stream->n_observed += stream->n_models;
    return ASSAY_OK;
}

static assay_status add_item(assay_dimension_stream *stream, const double *item)
{
    size_t n_observed = 0;

    for (size_t m = 0; m < stream->n_models; m++) {
        if (isinf(item[m]))
            return assay_fail(ASSAY_E_VALUE, "stream: the score of model %zu is %g", m, item[m]);
        if (!isnan(item[m])) n_observed++;
    }
    if (n_observed == 0) {
        stream->n_left_out++;
        return ASSAY_OK;
    }
    if (!stream->has_scores) {
        assay_status status = assay_stream_scores_new(stream->n_models, &stream->scores);

        if (status != ASSAY_OK) {
            assay_stream_scores_free(&stream->scores);
            return status;
        }
        stream->has_scores = 1;
    }
    assay_stream_scores_add(&stream->scores, item, stream->threads);
    stream->n_observed += n_observed;
    return ASSAY_OK;
}

/* ---- the result ---- */

assay_status assay_dimension_stream_result(assay_dimension_stream *stream,
                                           assay_streamed_dimensions *out)
{
    assay_streamed_dimensions found = { .n_items_left_out = stream->n_left_out,
                                        .n_observed = stream->n_observed };
    assay_stream_sums sums = { .n_rows = stream->n_models,
                               .bits = &stream->bits,
                               .scores = &stream->scores };
    assay_stream_moments moments;
    assay_status status;

    found.n_items = stream->bits.n_items + stream->scores.n_items;
    found.n_models = sums.n_models = count_models(stream);
    found.n_models_left_out = stream->n_models - found.n_models;
    found.n_constant = count_constant(stream);
    if (found.n_items == 0) return assay_fail(ASSAY_E_SHAPE, "signals: no item has a score");
    if (found.n_models < 2)
        return assay_fail(ASSAY_E_SHAPE,
                          "signals needs 2 models or more to see differences between them, got %zu",
                          found.n_models);
    if (found.n_constant == found.n_items)
        return assay_fail(
            ASSAY_E_DEGENERATE,
            "all %llu items have one score for every model: there is no signal to count",
            (unsigned long long)found.n_items);
    if (stream->has_bits) assay_stream_bits_flush(&stream->bits, stream->threads);
    if (stream->has_scores) assay_stream_scores_flush(&stream->scores, stream->threads);
    status = assay_stream_moments_find(&sums, stream->threads, &moments);
    if (status != ASSAY_OK) return status;
    put_moments(&moments, &found);
    *out = found;
    return ASSAY_OK;
}

/* A complete item has a score of every model. */
static size_t count_models(const assay_dimension_stream *stream)
{
    size_t n = 0;

    if (stream->bits.n_items) return stream->n_models;
    for (size_t m = 0; stream->has_scores && m < stream->n_models; m++)
        n += stream->scores.n_seen[m] > 0;
    return n;
}

static uint64_t count_constant(const assay_dimension_stream *stream)
{
    uint64_t n = stream->scores.n_constant;

    if (stream->has_bits) n += stream->bits.solved_by[0] + stream->bits.solved_by[stream->n_models];
    return n;
}

static void put_moments(const assay_stream_moments *moments, assay_streamed_dimensions *found)
{
    const assay_three_moments *centred = &moments->centred;

    found->ed.task = assay_participation_ratio(centred->task);
    found->ed.model = assay_participation_ratio(centred->model);
    found->ed.both = assay_participation_ratio(centred->both);
    found->marchenko_pastur = assay_marchenko_pastur(found->n_models, (size_t)found->n_items);
    found->ed_over_null = found->ed.task / found->marchenko_pastur;
    found->permutation_ed_at_mean =
        assay_permutation_ed_of_spread(moments->spread, moments->spread_squares, found->n_models);
    found->ed_over_permutation = found->ed.task / found->permutation_ed_at_mean;
}
