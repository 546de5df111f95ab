/* SPDX-License-Identifier: Apache-2.0 */
/* Static models (model2vec): a vector a token, and a text's is the mean of its tokens'. */
#ifndef ASSAY_EMBED_STATIC_TABLE_H
#define ASSAY_EMBED_STATIC_TABLE_H

#include "embed/safetensors.h"

typedef struct assay_static_table {
    const float *vectors; /* n_rows x d */
    const float *weights; /* by token, or NULL: all 1 */
    const int64_t *rows;  /* each token's row, or NULL: its own */
    size_t n_tokens, n_rows, d;
    float *made_vectors, *made_weights; /* behind the above, where they had to be converted */
    int64_t *made_rows;
} assay_static_table;

/* Find the tables among the tensors, whose bytes must live as long. ASSAY_OK; ASSAY_E_FORMAT;
   ASSAY_E_NOMEM. To be freed in either case. */
assay_status assay_static_table_load(const assay_safetensors *tensors, assay_static_table *table);
void assay_static_table_free(assay_static_table *table);

/* vector (d numbers) = the mean over tokens of weight times vector; 0 without tokens. Ids are below
   n_tokens. */
void assay_static_table_run(const assay_static_table *table, const uint32_t *ids, size_t n,
                            float *vector);

#endif
