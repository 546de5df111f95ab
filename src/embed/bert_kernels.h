/* SPDX-License-Identifier: Apache-2.0 */
/* What a transformer does to numbers one by one or a row at a time, between its matrix products: compiled
   for each vector unit and chosen at run time. All give the same bits. */
#ifndef ASSAY_EMBED_BERT_KERNELS_H
#define ASSAY_EMBED_BERT_KERNELS_H

#include <stddef.h>

typedef struct assay_bert_kernels {
    const char *name;

    /* x (n_rows x width, rows stride apart) += bias (width). */
    void (*add_bias)(float *x, size_t n_rows, size_t width, size_t stride, const float *bias);

    /* x = gelu(x + bias), gelu(t) = t (1 + erf(t / sqrt 2)) / 2 (Hendrycks and Gimpel 2016), with erf to
       1.5e-7 (Abramowitz and Stegun 7.1.26). */
    void (*gelu)(float *x, size_t n_rows, size_t width, const float *bias);

    /* x = layer_norm(x + y + bias), x and y n_rows x width (Ba, Kiros and Hinton 2016): each row brought
       to mean 0 and variance 1, times gain, plus shift. */
    void (*layer_norm)(float *x, const float *y, const float *bias, size_t n_rows, size_t width,
                       float epsilon, const float *gain, const float *shift);

    /* Each row of scores (n_rows x width, rows assay_softmax_stride(width) apart) to exp(score) over the
       row's sum. What lies between width and the next row is overwritten. */
    void (*softmax)(float *scores, size_t n_rows, size_t width);

    /* out = the mean of the rows of x (n_rows x width). */
    void (*mean_row)(const float *x, size_t n_rows, size_t width, float *out);
} assay_bert_kernels;

static inline size_t assay_softmax_stride(size_t width)
{
    return (width + 15) / 16 * 16;
}

/* Those that this processor has, fastest first, at most three; returns how many. */
enum { ASSAY_MOST_BERT_KERNELS = 3 };
size_t assay_bert_kernels_choices(assay_bert_kernels choices[ASSAY_MOST_BERT_KERNELS]);

/* The same without the plain ones. bert_kernels_x86.c */
size_t assay_bert_kernels_choices_x86(assay_bert_kernels *choices);

#endif
