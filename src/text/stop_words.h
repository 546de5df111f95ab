/* SPDX-License-Identifier: Apache-2.0 */
/* Function words that say little about what a text is about. */
#ifndef ASSAY_TEXT_STOP_WORDS_H
#define ASSAY_TEXT_STOP_WORDS_H

#include <stddef.h>

/* 1 for a common English function word in lower case, of two letters or more: articles, pronouns,
   prepositions, conjunctions, auxiliaries, and the pieces that the token rule leaves of their short
   forms ("don" of "don't", "ll" of "we'll"). assay's own list. O(log words). */
int assay_is_english_stop_word(const char *word, size_t length);

#endif
