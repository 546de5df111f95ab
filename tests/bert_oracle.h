/* SPDX-License-Identifier: Apache-2.0 */
/* BERT in double precision as the papers have it, one number after the other: slow and obvious, and of
   another hand than src/embed/bert.c. Include it after tiny_bert.h. */
#ifndef TESTS_BERT_ORACLE_H
#define TESTS_BERT_ORACLE_H

#include "tiny_bert.h"

enum { ORACLE_TOKENS = 320, ORACLE_WIDTH = 64 };

typedef double oracle_rows[ORACLE_TOKENS][ORACLE_WIDTH];

static inline const double *oracle_weight(const tiny_bert *bert, size_t layer, const char *name)
{
    char whole[96];

    snprintf(whole, sizeof whole, "encoder.layer.%zu.%s", layer, name);
    return tiny_numbers(bert, whole);
}

/* y = W x + b for each row x, W n_out x n_in. */
static inline void oracle_linear(oracle_rows x, size_t n, size_t n_in, size_t n_out,
                                 const double *weight, const double *bias, oracle_rows y)
{
    for (size_t i = 0; i < n; i++)
        for (size_t o = 0; o < n_out; o++) {
            y[i][o] = bias[o];
            for (size_t k = 0; k < n_in; k++) y[i][o] += weight[o * n_in + k] * x[i][k];
        }
}

static inline void oracle_norm(oracle_rows x, size_t n, size_t width, const double *gain,
                               const double *shift)
{
    for (size_t i = 0; i < n; i++) {
        double mean = 0, variance = 0;

        for (size_t k = 0; k < width; k++) mean += x[i][k] / (double)width;
        for (size_t k = 0; k < width; k++)
            variance += (x[i][k] - mean) * (x[i][k] - mean) / (double)width;
        for (size_t k = 0; k < width; k++)
            x[i][k] = (x[i][k] - mean) / sqrt(variance + 1e-12) * gain[k] + shift[k];
    }
}

static inline void oracle_attention(oracle_rows query, oracle_rows key, oracle_rows value, size_t n,
                                    size_t width, size_t heads, oracle_rows context)
{
    const size_t d = width / heads;

    for (size_t h = 0; h < heads; h++)
        for (size_t i = 0; i < n; i++) {
            double weight[ORACLE_TOKENS], sum = 0;

            for (size_t j = 0; j < n; j++) {
                double score = 0;

                for (size_t k = h * d; k < (h + 1) * d; k++) score += query[i][k] * key[j][k];
                sum += weight[j] = exp(score / sqrt((double)d));
            }
            for (size_t k = h * d; k < (h + 1) * d; k++) {
                context[i][k] = 0;
                for (size_t j = 0; j < n; j++) context[i][k] += weight[j] / sum * value[j][k];
            }
        }
}

static inline void oracle_layer(const tiny_bert *bert, size_t layer, size_t n, oracle_rows x)
{
    static oracle_rows query, key, value, context, out, inner;
    const size_t width = bert->shape.width, n_inner = bert->shape.inner;
#define WEIGHT(name) oracle_weight(bert, layer, name ".weight")
#define BIAS(name) oracle_weight(bert, layer, name ".bias")

    oracle_linear(x, n, width, width, WEIGHT("attention.self.query"), BIAS("attention.self.query"),
                  query);
    oracle_linear(x, n, width, width, WEIGHT("attention.self.key"), BIAS("attention.self.key"),
                  key);
    oracle_linear(x, n, width, width, WEIGHT("attention.self.value"), BIAS("attention.self.value"),
                  value);
    oracle_attention(query, key, value, n, width, bert->shape.heads, context);
    oracle_linear(context, n, width, width, WEIGHT("attention.output.dense"),
                  BIAS("attention.output.dense"), out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++) x[i][k] += out[i][k];
    oracle_norm(x, n, width, WEIGHT("attention.output.LayerNorm"),
                BIAS("attention.output.LayerNorm"));
    oracle_linear(x, n, width, n_inner, WEIGHT("intermediate.dense"), BIAS("intermediate.dense"),
                  inner);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_inner; k++)
            inner[i][k] *= 0.5 * (1.0 + erf(inner[i][k] / sqrt(2.0)));
    oracle_linear(inner, n, n_inner, width, WEIGHT("output.dense"), BIAS("output.dense"), out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++) x[i][k] += out[i][k];
    oracle_norm(x, n, width, WEIGHT("output.LayerNorm"), BIAS("output.LayerNorm"));
#undef WEIGHT
#undef BIAS
}

/* The vector of a text's ids, to which [CLS] and [SEP] are added. */
static inline void oracle_embed(const tiny_bert *bert, const uint32_t *ids, size_t n_ids,
                                int is_cls, int normalise, double *vector)
{
    static oracle_rows x;
    const size_t width = bert->shape.width, n = n_ids + 2;
    const double *words = tiny_numbers(bert, "embeddings.word_embeddings.weight");
    const double *positions = tiny_numbers(bert, "embeddings.position_embeddings.weight");
    const double *types = tiny_numbers(bert, "embeddings.token_type_embeddings.weight");
    double squares = 0;

    assert_true(n <= ORACLE_TOKENS && width <= ORACLE_WIDTH && bert->shape.inner <= ORACLE_WIDTH);
    for (size_t p = 0; p < n; p++) {
        const size_t id = p == 0 ? TINY_CLS : p + 1 == n ? TINY_SEP : ids[p - 1];

        for (size_t k = 0; k < width; k++)
            x[p][k] = words[id * width + k] + positions[p * width + k] + types[k];
    }
    oracle_norm(x, n, width, tiny_numbers(bert, "embeddings.LayerNorm.weight"),
                tiny_numbers(bert, "embeddings.LayerNorm.bias"));
    for (size_t layer = 0; layer < bert->shape.layers; layer++) oracle_layer(bert, layer, n, x);
    for (size_t k = 0; k < width; k++) {
        vector[k] = 0;
        for (size_t p = 0; p < (is_cls ? 1 : n); p++)
            vector[k] += x[p][k] / (is_cls ? 1.0 : (double)n);
        squares += vector[k] * vector[k];
    }
    for (size_t k = 0; normalise && k < width; k++) vector[k] /= sqrt(squares);
}

/*
 * Whether the vector of an encoder is the oracle's. In single precision (half a unit is 6e-8) each of a
 * tiny model's sums has up to 50 terms of size 1, in eight matrices after one another, and gelu adds
 * 1.5e-7: components are right to 1e-5. Two such errors in quadrature leave a cosine of 1 - 1e-10.
 */
static inline void assert_like_oracle(const float *vector, const double *expected, size_t d)
{
    double product = 0, a = 0, b = 0;

    for (size_t k = 0; k < d; k++) {
        if (!(fabs((double)vector[k] - expected[k]) <= 1e-5))
            fail_msg("component %zu is %.9g, not %.9g", k, (double)vector[k], expected[k]);
        product += (double)vector[k] * expected[k];
        a += (double)vector[k] * (double)vector[k];
        b += expected[k] * expected[k];
    }
    if (!(product / sqrt(a * b) >= 1 - 1e-10))
        fail_msg("the cosine is 1 - %g", 1 - product / sqrt(a * b));
}

#endif
