/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of a text: words, runs of words, or runs of characters within words. */
#ifndef ASSAY_TEXT_TERMS_H
#define ASSAY_TEXT_TERMS_H

#include "assay/vectors.h"
#include "text/lower.h"

typedef struct assay_token {
    size_t start, length; /* bytes of the lowered text */
} assay_token;

/* What is used again text by text; starts as zeros but for the options, which are checked and have
   no default left in them. Free it whatever happened. */
typedef struct assay_terms {
    const assay_tfidf_options *options;
    assay_lowered lowered;
    assay_token *tokens;
    size_t n_tokens, tokens_capacity;
    char *joined; /* a term that is not a piece of the text */
    size_t joined_capacity;
    size_t *offsets; /* in joined, where each character begins */
    size_t offsets_capacity;
} assay_terms;

/* Take one term; it is UTF-8, borrowed, and not ended by NUL. */
typedef assay_status (*assay_take_term)(void *user, const char *term, size_t length);

/* Give every term of a text, as often as it occurs. ASSAY_OK; what take returns; ASSAY_E_NOMEM. */
assay_status assay_terms_each(assay_terms *terms, const char *text, assay_take_term take,
                              void *user);
void assay_terms_free(assay_terms *terms);

#endif
