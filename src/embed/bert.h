/* SPDX-License-Identifier: Apache-2.0 */
/* The encoder of BERT (Devlin et al. 2019; Vaswani et al. 2017). */
#ifndef ASSAY_EMBED_BERT_H
#define ASSAY_EMBED_BERT_H

#include "embed/bert_kernels.h"
#include "embed/config.h"
#include "embed/safetensors.h"

/* Products are of a multiple of this many rows: it is one of 64 and of 12, by which OpenBLAS's kernels
   for all processors take them. */
enum { ASSAY_BERT_ROWS = 192 };

/* A layer's weights; matrices have a row for each input, which BLAS takes faster than the files' row for
   each output. Those of queries, keys and values stand side by side, so that one product gives all
   three. */
typedef struct assay_bert_layer {
    const float *projection, *projection_bias; /* width x 3 width, 3 width */
    const float *out, *out_bias, *out_gain, *out_shift;
    const float *inner, *inner_bias, *outer, *outer_bias, *gain, *shift;
} assay_bert_layer;

/* Tables and single numbers lie in the mapped file where they can; matrices are made from it. */
typedef struct assay_bert {
    assay_bert_shape shape;
    assay_pooling pooling;
    assay_bert_kernels kernels;
    const float *words, *positions, *types, *gain, *shift;
    assay_bert_layer *layers;
    size_t period, most_rows; /* where sequences may begin, and rows a product: bert_rows.c */
    float **made;
    size_t n_made;
} assay_bert;

/* Token ids as the model sees them, [CLS] and [SEP] included, and where its vector goes: width
   numbers. */
typedef struct assay_sequence {
    const uint32_t *ids;
    size_t n;
    float *vector;
} assay_sequence;

/* Room for one thread's work. */
typedef struct assay_bert_bench {
    size_t n_rows;                  /* a multiple of ASSAY_BERT_ROWS */
    float *x, *projected, *context; /* n_rows x width, n_rows x 3 width, n_rows x width */
    float *inner, *outer, *scores;  /* of one call of BLAS */
} assay_bert_bench;

/* Find the weights among the tensors, whose bytes must live as long. ASSAY_OK; ASSAY_E_FORMAT when one is
   missing or of another shape; ASSAY_E_NOMEM. To be freed in either case. */
assay_status assay_bert_load(const assay_safetensors *tensors, const assay_model_config *config,
                             assay_bert *bert);
void assay_bert_free(assay_bert *bert);

/* Find period and most_rows by trying, once weights are loaded. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_bert_find_rows(assay_bert *bert);

/* Rows for sequences of up to this many tokens, several of them where they are short; and the rows that a
   sequence of n tokens takes of them. */
size_t assay_bert_block_rows(size_t longest);
size_t assay_bert_rows_taken(const assay_bert *bert, size_t n);

/* ASSAY_OK or ASSAY_E_NOMEM; to be freed in either case. */
assay_status assay_bert_bench_new(const assay_bert *bert, size_t n_rows, size_t longest,
                                  assay_bert_bench *bench);
void assay_bert_bench_free(assay_bert_bench *bench);

/* Run sequences that take no more rows together than the bench has. BLAS is held to one thread by
   the caller. */
void assay_bert_run(const assay_bert *bert, const assay_sequence *const *sequences, size_t n,
                    assay_bert_bench *bench);

#endif
