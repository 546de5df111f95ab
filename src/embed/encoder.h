/* SPDX-License-Identifier: Apache-2.0 */
/* An encoder from the inside. */
#ifndef ASSAY_EMBED_ENCODER_H
#define ASSAY_EMBED_ENCODER_H

#include "assay/embed.h"
#include "embed/bert.h"
#include "embed/mapped.h"
#include "embed/static_table.h"
#include "tokens/wordpiece.h"

enum { ASSAY_SHA256_HEX = 65 };

struct assay_encoder {
    assay_model_config config;
    assay_wordpiece *wordpiece;
    assay_mapped file; /* the weights */
    assay_safetensors tensors;
    assay_bert bert;          /* if it is one */
    assay_static_table table; /* if it is static */
    size_t max_characters;    /* of a text; 0: any number */
    size_t d;
    char sha256[ASSAY_SHA256_HEX];
};

/* 1 for a table of tokens. */
static inline int assay_encoder_is_static(const assay_encoder *encoder)
{
    return encoder->config.kind != ASSAY_MODEL_BERT;
}

#endif
