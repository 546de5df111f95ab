/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/bert.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Queries whose scores are taken at once: with 512 keys they fill 128 KiB, which stay in the cache. */
enum { QUERIES = 64, USUAL_ROWS = 3 * ASSAY_BERT_ROWS };

/* Rows that one call of BLAS works on. */
typedef struct slice {
    size_t first, n;
} slice;

static void embed_tokens(const assay_bert *bert, const assay_sequence *const *sequences, size_t n,
                         assay_bert_bench *bench);
static void project(const assay_bert *bert, const assay_bert_layer *layer, slice at,
                    assay_bert_bench *bench);
static void attend(const assay_bert *bert, size_t first, size_t n, assay_bert_bench *bench);
static void feed_forward(const assay_bert *bert, const assay_bert_layer *layer, slice at,
                         assay_bert_bench *bench);
static void pool(const assay_bert *bert, const assay_sequence *const *sequences, size_t n,
                 const assay_bert_bench *bench);

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

size_t assay_bert_block_rows(size_t longest)
{
    return round_up(longest > USUAL_ROWS ? longest : USUAL_ROWS, ASSAY_BERT_ROWS);
}

size_t assay_bert_rows_taken(const assay_bert *bert, size_t n)
{
    return round_up(n, bert->period);
}

assay_status assay_bert_bench_new(const assay_bert *bert, size_t n_rows, size_t longest,
                                  assay_bert_bench *bench)
{
    size_t width = bert->shape.width;

    *bench = (assay_bert_bench){ .n_rows = n_rows };
    bench->x = assay_alloc_aligned(n_rows * width, sizeof(float));
    bench->projected = assay_alloc_aligned(n_rows * 3 * width, sizeof(float));
    bench->context = assay_alloc_aligned(n_rows * width, sizeof(float));
    bench->inner = assay_alloc_aligned(bert->most_rows * bert->shape.inner, sizeof(float));
    bench->outer = assay_alloc_aligned(bert->most_rows * width, sizeof(float));
    bench->scores = assay_alloc_aligned(QUERIES * assay_softmax_stride(longest), sizeof(float));
    if (!bench->x || !bench->projected || !bench->context || !bench->inner || !bench->outer ||
        !bench->scores)
        return assay_fail(ASSAY_E_NOMEM, "no memory to run a model on %zu tokens", n_rows);
    return ASSAY_OK;
}

void assay_bert_bench_free(assay_bert_bench *bench)
{
    free(bench->x);
    free(bench->projected);
    free(bench->context);
    free(bench->inner);
    free(bench->outer);
    free(bench->scores);
    *bench = (assay_bert_bench){ 0 };
}

/* The next slice of so many rows, which are a multiple of ASSAY_BERT_ROWS; 0 when there is none. */
static int next_slice(const assay_bert *bert, size_t n_rows, slice *at)
{
    size_t left;

    at->first += at->n;
    left = n_rows - at->first;
    at->n = left < bert->most_rows ? left : bert->most_rows;
    return at->n > 0;
}

void assay_bert_run(const assay_bert *bert, const assay_sequence *const *sequences, size_t n,
                    assay_bert_bench *bench)
{
    size_t n_rows = 0;

    for (size_t s = 0; s < n; s++) n_rows += assay_bert_rows_taken(bert, sequences[s]->n);
    n_rows = round_up(n_rows, ASSAY_BERT_ROWS);
    embed_tokens(bert, sequences, n, bench);
    for (size_t l = 0; l < bert->shape.n_layers; l++) {
        const assay_bert_layer *layer = &bert->layers[l];
        size_t first = 0;

        for (slice at = { 0 }; next_slice(bert, n_rows, &at);) project(bert, layer, at, bench);
        for (size_t s = 0; s < n; s++) {
            attend(bert, first, sequences[s]->n, bench);
            first += assay_bert_rows_taken(bert, sequences[s]->n);
        }
        for (slice at = { 0 }; next_slice(bert, n_rows, &at);) feed_forward(bert, layer, at, bench);
    }
    pool(bert, sequences, n, bench);
}

/* x = layer_norm(word + position + type 0); the rows that are left over are 0. */
static void embed_tokens(const assay_bert *bert, const assay_sequence *const *sequences, size_t n,
                         assay_bert_bench *bench)
{
    size_t width = bert->shape.width, first = 0;

    memset(bench->x, 0, bench->n_rows * width * sizeof(float));
    for (size_t s = 0; s < n; s++) {
        for (size_t p = 0; p < sequences[s]->n; p++) {
            float *x = bench->x + (first + p) * width;

            memcpy(x, bert->words + (size_t)sequences[s]->ids[p] * width, width * sizeof *x);
            bert->kernels.layer_norm(x, bert->positions + p * width, bert->types, 1, width,
                                     bert->shape.epsilon, bert->gain, bert->shift);
        }
        first += assay_bert_rows_taken(bert, sequences[s]->n);
    }
}

/* Queries, keys and values of the rows, side by side: x W + b for each. */
static void project(const assay_bert *bert, const assay_bert_layer *layer, slice at,
                    assay_bert_bench *bench)
{
    size_t width = bert->shape.width, stride = 3 * width;
    float *projected = bench->projected + at.first * stride;

    assay_linalg_ab_single(at.n, stride, width, bench->x + at.first * width, width,
                           layer->projection, stride, projected, stride);
    bert->kernels.add_bias(projected, at.n, stride, stride, layer->projection_bias);
}

/* softmax(Q K' / sqrt(d)) V for each head of one sequence, its scores never further away than the
   cache. The products' shapes follow from the sequence's length alone. */
static void attend(const assay_bert *bert, size_t first, size_t n, assay_bert_bench *bench)
{
    size_t width = bert->shape.width, stride = 3 * width, d = width / bert->shape.n_heads;
    size_t n_scores = assay_softmax_stride(n);
    float scale = 1.0f / sqrtf((float)d);

    for (size_t h = 0; h < bert->shape.n_heads; h++) {
        const float *query = bench->projected + first * stride + h * d;
        const float *key = query + width, *value = key + width;
        float *context = bench->context + first * width + h * d;

        for (size_t q = 0; q < n; q += QUERIES) {
            size_t n_queries = n - q < QUERIES ? n - q : QUERIES;

            assay_linalg_abt_single(n_queries, n, d, scale, query + q * stride, stride, key, stride,
                                    bench->scores, n_scores);
            bert->kernels.softmax(bench->scores, n_queries, n);
            assay_linalg_ab_single(n_queries, d, n, bench->scores, n_scores, value, stride,
                                   context + q * width, width);
        }
    }
}

/* x = layer_norm(x + context Wo + bo), then x = layer_norm(x + gelu(x W1 + b1) W2 + b2). */
static void feed_forward(const assay_bert *bert, const assay_bert_layer *layer, slice at,
                         assay_bert_bench *bench)
{
    size_t width = bert->shape.width, inner = bert->shape.inner;
    const float *context = bench->context + at.first * width;
    float *x = bench->x + at.first * width, epsilon = bert->shape.epsilon;

    assay_linalg_ab_single(at.n, width, width, context, width, layer->out, width, bench->outer,
                           width);
    bert->kernels.layer_norm(x, bench->outer, layer->out_bias, at.n, width, epsilon,
                             layer->out_gain, layer->out_shift);
    assay_linalg_ab_single(at.n, inner, width, x, width, layer->inner, inner, bench->inner, inner);
    bert->kernels.gelu(bench->inner, at.n, inner, layer->inner_bias);
    assay_linalg_ab_single(at.n, width, inner, bench->inner, inner, layer->outer, width,
                           bench->outer, width);
    bert->kernels.layer_norm(x, bench->outer, layer->outer_bias, at.n, width, epsilon, layer->gain,
                             layer->shift);
}

/* The mean over all tokens, or what [CLS] has become. */
static void pool(const assay_bert *bert, const assay_sequence *const *sequences, size_t n,
                 const assay_bert_bench *bench)
{
    size_t width = bert->shape.width, first = 0;

    for (size_t s = 0; s < n; s++) {
        bert->kernels.mean_row(bench->x + first * width,
                               bert->pooling == ASSAY_POOLING_CLS ? 1 : sequences[s]->n, width,
                               sequences[s]->vector);
        first += assay_bert_rows_taken(bert, sequences[s]->n);
    }
}
