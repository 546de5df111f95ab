/* SPDX-License-Identifier: Apache-2.0 */
/* The loops behind bert_kernels.h on vectors of 16 numbers, which the compiler makes of whatever vectors the
   processor has: to be compiled once for each. No multiplication is fused with an addition, and number
   k of a row is summed in lane k mod 16, so that all of them give the same bits. */
#ifndef ASSAY_EMBED_BERT_LOOPS_H
#define ASSAY_EMBED_BERT_LOOPS_H

#include "embed/bert_kernels.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ASSAY_INLINE static inline __attribute__((always_inline))

enum { LANES = 16 };
typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t whole_lanes __attribute__((vector_size(4 * LANES)));

/* ---- 16 numbers at a time; the last of a row may be fewer, and the rest is 0 ---- */

ASSAY_INLINE lanes load(const float *x)
{
    lanes v;

    memcpy(&v, x, sizeof v);
    return v;
}

ASSAY_INLINE lanes load_few(const float *x, size_t n)
{
    lanes v = { 0 };

    memcpy(&v, x, n * sizeof *x);
    return v;
}

ASSAY_INLINE void store(float *x, lanes v)
{
    memcpy(x, &v, sizeof v);
}

/* In each lane, a where the mask is -1 and b where it is 0. */
ASSAY_INLINE lanes choose(whole_lanes mask, lanes a, lanes b)
{
    return (lanes)((mask & (whole_lanes)a) | (~mask & (whole_lanes)b));
}

ASSAY_INLINE lanes larger(lanes a, lanes b)
{
    return choose(a > b, a, b);
}

ASSAY_INLINE float sum_of(lanes v)
{
    float sum = 0.0f;

    for (size_t j = 0; j < LANES; j++) sum += v[j];
    return sum;
}

/* exp(x) for x in [-87, 0], and exp(-87) below: 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2] (Taylor's, to
   x^7 / 5040: relative error 5e-9 before rounding). Adding and taking away 1.5 x 2^23 rounds to a
   whole number. */
ASSAY_INLINE lanes exponential(lanes x)
{
    const float round = 12582912.0f, log2_e = 1.44269504f;
    const float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f; /* their sum is ln 2 */
    const lanes least = (lanes){ 0 } - 87.0f;
    lanes n, r, y;

    x = larger(x, least);
    n = (x * log2_e + round) - round;
    r = (x - n * ln2_high) - n * ln2_low;
    y = r * (1.0f / 5040.0f) + 1.0f / 720.0f;
    y = y * r + 1.0f / 120.0f;
    y = y * r + 1.0f / 24.0f;
    y = y * r + 1.0f / 6.0f;
    y = y * r + 0.5f;
    y = y * r + 1.0f;
    y = y * r + 1.0f;
    return y * (lanes)((__builtin_convertvector(n, whole_lanes) + 127) << 23);
}

/* erf(x) for x >= 0 is 1 - (a1 t + ... + a5 t^5) exp(-x^2), t = 1 / (1 + p x); it is odd. */
ASSAY_INLINE lanes error_function(lanes x)
{
    const whole_lanes sign = (whole_lanes)x & INT32_MIN;
    const lanes size = (lanes)((whole_lanes)x ^ sign), t = 1.0f / (1.0f + 0.3275911f * size);
    lanes y = t * 1.061405429f - 1.453152027f;

    y = y * t + 1.421413741f;
    y = y * t - 0.284496736f;
    y = y * t + 0.254829592f;
    y = 1.0f - y * t * exponential(-size * size);
    return (lanes)((whole_lanes)y ^ sign);
}

/* ---- rows ---- */

ASSAY_INLINE void loop_add_bias(float *x, size_t n_rows, size_t width, size_t stride,
                                const float *bias)
{
    for (size_t i = 0; i < n_rows; i++, x += stride) {
        size_t k = 0;

        for (; k + LANES <= width; k += LANES) store(x + k, load(x + k) + load(bias + k));
        for (; k < width; k++) x[k] += bias[k];
    }
}

ASSAY_INLINE lanes gelu_of(lanes t)
{
    return 0.5f * t * (1.0f + error_function(t * 0.707106781f));
}

ASSAY_INLINE void loop_gelu(float *x, size_t n_rows, size_t width, const float *bias)
{
    for (size_t i = 0; i < n_rows; i++, x += width) {
        size_t k = 0;

        for (; k + LANES <= width; k += LANES) store(x + k, gelu_of(load(x + k) + load(bias + k)));
        if (k < width) {
            const size_t few = width - k;
            const lanes y = gelu_of(load_few(x + k, few) + load_few(bias + k, few));

            memcpy(x + k, &y, few * sizeof *x);
        }
    }
}

ASSAY_INLINE float row_sum(const float *x, size_t width)
{
    lanes sum = { 0 };
    size_t k = 0;

    for (; k + LANES <= width; k += LANES) sum += load(x + k);
    return sum_of(sum + load_few(x + k, width - k));
}

ASSAY_INLINE float row_squares(const float *x, size_t width, float mean)
{
    lanes sum = { 0 };
    size_t k = 0;
    float rest = 0.0f;

    for (; k + LANES <= width; k += LANES) {
        const lanes from_mean = load(x + k) - mean;

        sum += from_mean * from_mean;
    }
    for (; k < width; k++) rest += (x[k] - mean) * (x[k] - mean);
    return sum_of(sum) + rest;
}

ASSAY_INLINE void loop_layer_norm(float *x, const float *y, const float *bias, size_t n_rows,
                                  size_t width, float epsilon, const float *gain,
                                  const float *shift)
{
    for (size_t i = 0; i < n_rows; i++, x += width, y += width) {
        float mean, scale;
        size_t k = 0;

        for (; k + LANES <= width; k += LANES)
            store(x + k, load(x + k) + (load(y + k) + load(bias + k)));
        for (; k < width; k++) x[k] += y[k] + bias[k];
        mean = row_sum(x, width) / (float)width;
        scale = 1.0f / sqrtf(row_squares(x, width, mean) / (float)width + epsilon);
        for (k = 0; k + LANES <= width; k += LANES)
            store(x + k, (load(x + k) - mean) * scale * load(gain + k) + load(shift + k));
        for (; k < width; k++) x[k] = (x[k] - mean) * scale * gain[k] + shift[k];
    }
}

/* Rows are a whole number of vectors: what is beyond width becomes nothing. A score that is no number
   makes its row none, so that broken weights are seen. */
ASSAY_INLINE void loop_softmax(float *scores, size_t n_rows, size_t width)
{
    size_t stride = assay_softmax_stride(width);

    for (size_t i = 0; i < n_rows; i++, scores += stride) {
        lanes largest, sum = { 0 };
        float most, scale;

        for (size_t k = width; k < stride; k++) scores[k] = -INFINITY;
        largest = load(scores);
        for (size_t k = LANES; k < stride; k += LANES) largest = larger(load(scores + k), largest);
        most = largest[0];
        for (size_t j = 1; j < LANES; j++) most = largest[j] > most ? largest[j] : most;
        for (size_t k = 0; k < stride; k += LANES) {
            const lanes x = load(scores + k) - most, e = choose(x == x, exponential(x), x);

            sum += e;
            store(scores + k, e);
        }
        scale = 1.0f / sum_of(sum);
        for (size_t k = 0; k < stride; k += LANES) store(scores + k, load(scores + k) * scale);
    }
}

ASSAY_INLINE void loop_mean_row(const float *x, size_t n_rows, size_t width, float *out)
{
    for (size_t k = 0; k < width; k++) out[k] = x[k];
    for (size_t i = 1; i < n_rows; i++)
        for (size_t k = 0; k < width; k++) out[k] += x[i * width + k];
    for (size_t k = 0; k < width; k++) out[k] /= (float)n_rows;
}

#endif
