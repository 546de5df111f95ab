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
    assay_bert bert;          /* if not config.is_static */
    assay_static_table table; /* if it is */
    size_t d;
    char sha256[ASSAY_SHA256_HEX];
};

#endif
