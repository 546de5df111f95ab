/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/bert_kernels.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The loops below are plain C; where the compiler can, it makes one copy of each function for every
   vector unit, and the loader picks. */
#if defined(__x86_64__) && defined(__ELF__)
#define FOR_EACH_VECTOR_UNIT __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_VECTOR_UNIT
#endif

/* exp(x) for x in [-87, 88], outside of which x is taken as the nearer end: 2^n times a polynomial on
   [-ln 2 / 2, ln 2 / 2] (Taylor's, to x^7 / 5040: relative error 5e-9 before rounding). Adding and
   taking away 1.5 x 2^23 rounds to a whole number. */
static inline float exponential(float x)
{
    const float round = 12582912.0f, log2_e = 1.44269504f;
    const float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f; /* their sum is ln 2 */
    float n, r, y;
    uint32_t bits;

    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    n = (x * log2_e + round) - round;
    r = (x - n * ln2_high) - n * ln2_low;
    y = 1.0f / 5040.0f;
    y = y * r + 1.0f / 720.0f;
    y = y * r + 1.0f / 120.0f;
    y = y * r + 1.0f / 24.0f;
    y = y * r + 1.0f / 6.0f;
    y = y * r + 0.5f;
    y = y * r + 1.0f;
    y = y * r + 1.0f;
    bits = (uint32_t)((int32_t)n + 127) << 23;
    memcpy(&n, &bits, sizeof n);
    return y * n;
}

/* erf(x) for x >= 0 is 1 - (a1 t + ... + a5 t^5) exp(-x^2), t = 1 / (1 + p x). */
static inline float error_function(float x)
{
    float size = fabsf(x), t = 1.0f / (1.0f + 0.3275911f * size), y;

    y = 1.061405429f;
    y = y * t - 1.453152027f;
    y = y * t + 1.421413741f;
    y = y * t - 0.284496736f;
    y = y * t + 0.254829592f;
    y = 1.0f - y * t * exponential(-size * size);
    return x < 0.0f ? -y : y;
}

FOR_EACH_VECTOR_UNIT
void assay_add_bias(float *x, size_t n_rows, size_t width, size_t stride, const float *bias)
{
    for (size_t i = 0; i < n_rows; i++, x += stride)
#pragma omp simd
        for (size_t k = 0; k < width; k++) x[k] += bias[k];
}

FOR_EACH_VECTOR_UNIT
void assay_gelu(float *x, size_t n_rows, size_t width, const float *bias)
{
    const float root_half = 0.707106781f;

    for (size_t i = 0; i < n_rows; i++, x += width)
#pragma omp simd
        for (size_t k = 0; k < width; k++) {
            float t = x[k] + bias[k];

            x[k] = 0.5f * t * (1.0f + error_function(t * root_half));
        }
}

FOR_EACH_VECTOR_UNIT
void assay_layer_norm(float *x, const float *y, const float *bias, size_t n_rows, size_t width,
                      float epsilon, const float *gain, const float *shift)
{
    for (size_t i = 0; i < n_rows; i++, x += width) {
        float sum = 0.0f, squares = 0.0f, mean, scale;

        if (y) {
            const float *other = y + i * width;

#pragma omp simd
            for (size_t k = 0; k < width; k++) x[k] += other[k] + bias[k];
        }
#pragma omp simd reduction(+ : sum)
        for (size_t k = 0; k < width; k++) sum += x[k];
        mean = sum / (float)width;
#pragma omp simd reduction(+ : squares)
        for (size_t k = 0; k < width; k++) squares += (x[k] - mean) * (x[k] - mean);
        scale = 1.0f / sqrtf(squares / (float)width + epsilon);
#pragma omp simd
        for (size_t k = 0; k < width; k++) x[k] = (x[k] - mean) * scale * gain[k] + shift[k];
    }
}

FOR_EACH_VECTOR_UNIT
void assay_softmax(float *scores, size_t n_rows, size_t width, size_t stride)
{
    for (size_t i = 0; i < n_rows; i++, scores += stride) {
        float largest = scores[0], sum = 0.0f, scale;

#pragma omp simd reduction(max : largest)
        for (size_t k = 0; k < width; k++) largest = scores[k] > largest ? scores[k] : largest;
#pragma omp simd reduction(+ : sum)
        for (size_t k = 0; k < width; k++) {
            scores[k] = exponential(scores[k] - largest);
            sum += scores[k];
        }
        scale = 1.0f / sum;
#pragma omp simd
        for (size_t k = 0; k < width; k++) scores[k] *= scale;
    }
}

FOR_EACH_VECTOR_UNIT
void assay_mean_row(const float *x, size_t n_rows, size_t width, float *out)
{
    float scale = 1.0f / (float)n_rows;

    memcpy(out, x, width * sizeof *out);
    for (size_t i = 1; i < n_rows; i++)
#pragma omp simd
        for (size_t k = 0; k < width; k++) out[k] += x[i * width + k];
#pragma omp simd
    for (size_t k = 0; k < width; k++) out[k] *= scale;
}
