/* SPDX-License-Identifier: Apache-2.0 */
/* What a model's folder says about the model: Hugging Face's config.json and sentence-transformers'
   modules.json with what stands beside them. */
#ifndef ASSAY_EMBED_CONFIG_H
#define ASSAY_EMBED_CONFIG_H

#include "embed/settings.h"

typedef enum assay_pooling { ASSAY_POOLING_MEAN, ASSAY_POOLING_CLS } assay_pooling;

/* The sizes of a BERT model. */
typedef struct assay_bert_shape {
    size_t n_layers, width, n_heads, inner, n_vocabulary, n_positions, n_types;
    float epsilon; /* of layer normalisation */
} assay_bert_shape;

/* How a text becomes a vector: a BERT, or the mean over a table of tokens as model2vec takes it (unknown
   tokens say nothing) or as sentence-transformers does. */
typedef enum assay_model_kind {
    ASSAY_MODEL_BERT,
    ASSAY_MODEL_2VEC,
    ASSAY_MODEL_STATIC
} assay_model_kind;

typedef struct assay_model_config {
    assay_model_kind kind;
    assay_bert_shape bert;
    assay_pooling pooling;
    int normalise;
    size_t max_tokens;                /* of a text, [CLS] and [SEP] included; 0: any number */
    char weights[ASSAY_SETTING_TEXT]; /* the folder within, where weights and tokenizer are; "" */
} assay_model_config;

/* ASSAY_OK; ASSAY_E_READ when there is no model; ASSAY_E_FORMAT when it is malformed or of a kind that is
   not run here, which the sentence names; ASSAY_E_NOMEM. */
assay_status assay_model_config_read(const char *folder, assay_model_config *config);

#endif
