/* SPDX-License-Identifier: Apache-2.0 */
/* BERT's tokenizer: normalise, split into words and punctuation, and cut words into pieces of a
   vocabulary (Devlin et al. 2019; Schuster and Nakajima 2012). */
#ifndef ASSAY_TOKENS_WORDPIECE_H
#define ASSAY_TOKENS_WORDPIECE_H

#include "assay/base.h"

typedef struct assay_wordpiece assay_wordpiece; /* opaque and unchanging: threads may share it */

typedef struct assay_tokens {
    uint32_t *ids;
    size_t n, capacity;
} assay_tokens;

/* The tokens with a meaning of their own; -1 for one that the vocabulary does not have. */
typedef struct assay_special_tokens {
    int64_t unknown, start, end, padding; /* [UNK], [CLS], [SEP], [PAD] */
} assay_special_tokens;

/*
 * Read the tokenizer of a model's folder: tokenizer.json, or vocab.txt with tokenizer_config.json (which
 * may be missing). The tokenizer is owned by the caller; NULL on failure. ASSAY_OK; ASSAY_E_READ when
 * there is none; ASSAY_E_FORMAT when it is malformed or not WordPiece behind BERT's normaliser, naming
 * what it is; ASSAY_E_NOMEM.
 */
assay_status assay_wordpiece_open(const char *folder, assay_wordpiece **out);
void assay_wordpiece_close(assay_wordpiece *wordpiece); /* NULL is fine */

/* How many ids there are: the largest and one. */
size_t assay_wordpiece_n(const assay_wordpiece *wordpiece);
assay_special_tokens assay_wordpiece_special(const assay_wordpiece *wordpiece);

/* The median of the characters that the pieces have, "##" included, rounded down. O(bytes); needs no
   memory. */
size_t assay_wordpiece_median_length(const assay_wordpiece *wordpiece);

/* Append the ids of a text, without [CLS] and [SEP]; a byte that is not UTF-8 counts as U+FFFD.
   tokens->ids is freed with free(). ASSAY_OK or ASSAY_E_NOMEM. O(bytes). */
assay_status assay_wordpiece_encode(const assay_wordpiece *wordpiece, const char *text,
                                    size_t length, assay_tokens *tokens);

#endif
