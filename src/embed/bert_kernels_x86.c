/* SPDX-License-Identifier: Apache-2.0 */
/* The same loops for the vector units of x86-64. */
#include "embed/bert_loops.h"

__attribute__((target("avx512f"))) static void add_bias_avx512(float *x, size_t n_rows,
                                                               size_t width, size_t stride,
                                                               const float *bias)
{
    loop_add_bias(x, n_rows, width, stride, bias);
}

__attribute__((target("avx512f"))) static void gelu_avx512(float *x, size_t n_rows, size_t width,
                                                           const float *bias)
{
    loop_gelu(x, n_rows, width, bias);
}

__attribute__((target("avx512f"))) static void layer_norm_avx512(float *x, const float *y,
                                                                 const float *bias, size_t n_rows,
                                                                 size_t width, float epsilon,
                                                                 const float *gain,
                                                                 const float *shift)
{
    loop_layer_norm(x, y, bias, n_rows, width, epsilon, gain, shift);
}

__attribute__((target("avx512f"))) static void softmax_avx512(float *scores, size_t n_rows,
                                                              size_t width)
{
    loop_softmax(scores, n_rows, width);
}

__attribute__((target("avx512f"))) static void mean_row_avx512(const float *x, size_t n_rows,
                                                               size_t width, float *out)
{
    loop_mean_row(x, n_rows, width, out);
}

__attribute__((target("avx2"))) static void add_bias_avx2(float *x, size_t n_rows, size_t width,
                                                          size_t stride, const float *bias)
{
    loop_add_bias(x, n_rows, width, stride, bias);
}

__attribute__((target("avx2"))) static void gelu_avx2(float *x, size_t n_rows, size_t width,
                                                      const float *bias)
{
    loop_gelu(x, n_rows, width, bias);
}

__attribute__((target("avx2"))) static void layer_norm_avx2(float *x, const float *y,
                                                            const float *bias, size_t n_rows,
                                                            size_t width, float epsilon,
                                                            const float *gain, const float *shift)
{
    loop_layer_norm(x, y, bias, n_rows, width, epsilon, gain, shift);
}

__attribute__((target("avx2"))) static void softmax_avx2(float *scores, size_t n_rows, size_t width)
{
    loop_softmax(scores, n_rows, width);
}

__attribute__((target("avx2"))) static void mean_row_avx2(const float *x, size_t n_rows,
                                                          size_t width, float *out)
{
    loop_mean_row(x, n_rows, width, out);
}

size_t assay_bert_kernels_choices_x86(assay_bert_kernels *choices)
{
    size_t n = 0;

    if (__builtin_cpu_supports("avx512f"))
        choices[n++] = (assay_bert_kernels){ "avx512",          add_bias_avx512, gelu_avx512,
                                             layer_norm_avx512, softmax_avx512,  mean_row_avx512 };
    if (__builtin_cpu_supports("avx2"))
        choices[n++] = (assay_bert_kernels){ "avx2",          add_bias_avx2, gelu_avx2,
                                             layer_norm_avx2, softmax_avx2,  mean_row_avx2 };
    return n;
}
