/* SPDX-License-Identifier: Apache-2.0 */
/* What a transformer does to numbers one by one or a row at a time, between its matrix products. Each is
   compiled for the vector units there are, and chosen at run time; processors differ in the last bits. */
#ifndef ASSAY_EMBED_BERT_KERNELS_H
#define ASSAY_EMBED_BERT_KERNELS_H

#include <stddef.h>

/* x (n_rows x width, rows stride apart) += bias (width). */
void assay_add_bias(float *x, size_t n_rows, size_t width, size_t stride, const float *bias);

/* x = gelu(x + bias), gelu(t) = t (1 + erf(t / sqrt 2)) / 2 (Hendrycks and Gimpel 2016), with erf to 1.5e-7
   (Abramowitz and Stegun 7.1.26). */
void assay_gelu(float *x, size_t n_rows, size_t width, const float *bias);

/* x = layer_norm(x + y + bias) (Ba, Kiros and Hinton 2016): each row brought to mean 0 and variance 1, times
   gain, plus shift. y and bias may be NULL. */
void assay_layer_norm(float *x, const float *y, const float *bias, size_t n_rows, size_t width,
                      float epsilon, const float *gain, const float *shift);

/* Each row of scores (n_rows x width, rows stride apart) to exp(score) over the row's sum. */
void assay_softmax(float *scores, size_t n_rows, size_t width, size_t stride);

/* out = the mean of the rows of x (n_rows x width). */
void assay_mean_row(const float *x, size_t n_rows, size_t width, float *out);

#endif
