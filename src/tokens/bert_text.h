/* SPDX-License-Identifier: Apache-2.0 */
/* Text as BERT's tokenizer makes it even, and the words and marks that it consists of. */
#ifndef ASSAY_TOKENS_BERT_TEXT_H
#define ASSAY_TOKENS_BERT_TEXT_H

#include "assay/base.h"

/* What is done, in this order. */
typedef struct assay_bert_rules {
    int clean;      /* controls are removed, white space becomes a space */
    int ideographs; /* get a space before and behind */
    int strip;      /* decompose, and remove accents */
    int lower;
} assay_bert_rules;

/* UTF-8 that is used again text by text; starts as zeros, and text is freed with free(). */
typedef struct assay_bert_text {
    char *text; /* not ended by NUL */
    size_t length, capacity;
    size_t marks;       /* where the run of combining marks at the end began */
    unsigned last;      /* the class of its last mark; 0 when there is no run */
    int are_disordered; /* a mark of it has a lower class than the one before */
} assay_bert_text;

/* A word, or one mark of punctuation. */
typedef struct assay_bert_word {
    const char *text;
    size_t length, n_characters;
} assay_bert_word;

/* Put the even form of text into out, in place of what was there; a byte that is not UTF-8 counts as
   U+FFFD. ASSAY_OK or ASSAY_E_NOMEM. O(length). */
assay_status assay_bert_normalise(const assay_bert_rules *rules, const char *text, size_t length,
                                  assay_bert_text *out);

/* The next word of UTF-8 from *at on, which moves behind it. 1, or 0 when there is none. */
int assay_bert_next_word(const char *text, size_t length, size_t *at, assay_bert_word *word);

#endif
