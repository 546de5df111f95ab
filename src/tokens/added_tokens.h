/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens that are found literally in a text, before it is cut into words: "[SEP]" and the like. */
#ifndef ASSAY_TOKENS_ADDED_TOKENS_H
#define ASSAY_TOKENS_ADDED_TOKENS_H

#include "tokens/pieces.h"

typedef struct assay_added_token {
    uint32_t id;
    int is_single;   /* only where no letter of a word is beside it */
    int takes_left;  /* white space before it belongs to it */
    int takes_right; /* and behind it */
} assay_added_token;

typedef struct assay_added_tokens {
    assay_pieces texts; /* whose ids are the indexes of the tokens */
    assay_added_token *tokens;
    size_t n, capacity;
    unsigned char is_first[256]; /* by byte: a token begins with it */
} assay_added_tokens;            /* all zero is none */

void assay_added_free(assay_added_tokens *added);

/* Add a token with a text of 1 to ASSAY_PIECE_MAX bytes; of two with the same text the first one is
   kept. Returns 0, or -1 when there is no memory. */
int assay_added_add(assay_added_tokens *added, const char *text, size_t length,
                    const assay_added_token *token);

/* Where a search has come to: how far tokens were looked for, and how far the last one reached. */
typedef struct assay_added_search {
    const assay_added_tokens *added;
    const char *text;
    size_t length, searched, taken;
} assay_added_search;

/* The next token of the text, from left to right and of several at one place the longest: its bytes
   start .. end - 1 and its id. 1, or 0 when there is none. O(length) for all of a text. */
int assay_added_next(assay_added_search *search, size_t *start, size_t *end, uint32_t *id);

#endif
