/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/bert_kernels.h"

#include "embed/bert_loops.h"

static void add_bias_plain(float *x, size_t n_rows, size_t width, size_t stride, const float *bias)
{
    loop_add_bias(x, n_rows, width, stride, bias);
}

static void gelu_plain(float *x, size_t n_rows, size_t width, const float *bias)
{
    loop_gelu(x, n_rows, width, bias);
}

static void layer_norm_plain(float *x, const float *y, const float *bias, size_t n_rows,
                             size_t width, float epsilon, const float *gain, const float *shift)
{
    loop_layer_norm(x, y, bias, n_rows, width, epsilon, gain, shift);
}

static void softmax_plain(float *scores, size_t n_rows, size_t width)
{
    loop_softmax(scores, n_rows, width);
}

static void mean_row_plain(const float *x, size_t n_rows, size_t width, float *out)
{
    loop_mean_row(x, n_rows, width, out);
}

size_t assay_bert_kernels_choices(assay_bert_kernels choices[ASSAY_MOST_BERT_KERNELS])
{
    size_t n = 0;

#if defined(__x86_64__)
    n = assay_bert_kernels_choices_x86(choices);
#endif
    choices[n++] = (assay_bert_kernels){ "plain",          add_bias_plain, gelu_plain,
                                         layer_norm_plain, softmax_plain,  mean_row_plain };
    return n;
}
