/* SPDX-License-Identifier: Apache-2.0 */
/* From texts to what a model sees: tokens, cut to the length it takes, each different input once. */
#ifndef ASSAY_EMBED_SEQUENCES_H
#define ASSAY_EMBED_SEQUENCES_H

#include "embed/encoder.h"

/* A different input: the tokens that are seen, and the sequences that are run for them. */
typedef struct assay_seen {
    const uint32_t *ids; /* without [CLS] and [SEP] */
    size_t n;
    size_t first, n_sequences;
} assay_seen;

typedef struct assay_inputs {
    size_t n_texts, n, n_sequences;
    size_t n_long, n_tokens;   /* texts beyond the longest; tokens of all texts, uncut */
    size_t n_unknown;          /* texts of which most tokens are not known */
    assay_tokens *tokens;      /* by text, as they are seen */
    unsigned char *is_long;    /* by text */
    size_t *of;                /* by text: which input */
    assay_seen *inputs;        /* n */
    assay_sequence *sequences; /* n_sequences, their vectors not yet set */
    uint32_t *ids;             /* behind the sequences */
} assay_inputs;

/* ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. To be freed in either case. */
assay_status assay_inputs_new(const assay_encoder *encoder, const char *const *texts, size_t n,
                              const assay_embed_options *options, assay_inputs *inputs);
void assay_inputs_free(assay_inputs *inputs);

#endif
