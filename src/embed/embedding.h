/* SPDX-License-Identifier: Apache-2.0 */
/* An embedding from the inside. */
#ifndef ASSAY_EMBED_EMBEDDING_H
#define ASSAY_EMBED_EMBEDDING_H

#include "assay/embed.h"
#include "embed/kept.h"

struct assay_embedding {
    size_t n, d;
    float *rows;            /* n x d */
    unsigned char *is_long; /* by text, or NULL where none is known to be */
    size_t n_long, n_unknown, n_tokens, n_distinct, n_stored;
    char store_fault[ASSAY_FAULT_SIZE]; /* "" for none */
};

#endif
