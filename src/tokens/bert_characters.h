/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of characters as BERT's reference tokenizer has them. Its tables are those of Unicode 8
   (categories) and 9 (decompositions): what came later is a letter like any other, so that a text has
   the same tokens for good. */
#ifndef ASSAY_TOKENS_BERT_CHARACTERS_H
#define ASSAY_TOKENS_BERT_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

enum { ASSAY_BERT_PARTS = 8 }; /* characters that one decomposes into, and more */

/* Controls, formats, private use, U+FFFD: what cleaning removes. White space may be one too. */
int assay_bert_is_removed(uint32_t c);
int assay_bert_is_space(uint32_t c);     /* White_Space */
int assay_bert_is_ideograph(uint32_t c); /* CJK, which stand for themselves; not kana, not Hangul */
int assay_bert_is_punctuation(uint32_t c); /* P*, and ASCII's symbols */
int assay_bert_is_accent(uint32_t c);      /* Mn */

/* What may stand within a word, as regular expressions have it. */
int assay_bert_is_word(uint32_t c);

/* The canonical combining class, 0 for what begins anew. */
unsigned assay_bert_class(uint32_t c);

/* The canonical decomposition, in full; and the lower case. Return how many characters, at least 1. */
size_t assay_bert_decompose(uint32_t c, uint32_t parts[ASSAY_BERT_PARTS]);
size_t assay_bert_lower(uint32_t c, uint32_t parts[ASSAY_BERT_PARTS]);

#endif
