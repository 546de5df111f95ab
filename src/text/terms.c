/* SPDX-License-Identifier: Apache-2.0 */
#include "text/terms.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "text/characters.h"
#include "text/stop_words.h"

#include <stdlib.h>
#include <string.h>

static assay_status find_words(assay_terms *terms);
static assay_status find_chunks(assay_terms *terms);
static assay_status add_token(assay_terms *terms, size_t start, size_t end);
static assay_status take_words(assay_terms *terms, assay_take_term take, void *user);
static assay_status take_run_of_words(assay_terms *terms, size_t first, size_t n,
                                      assay_take_term take, void *user);
static assay_status take_characters(assay_terms *terms, assay_take_term take, void *user);
static assay_status pad(assay_terms *terms, const assay_token *chunk, size_t *n_characters);
static assay_status fail_memory(void);

assay_status assay_terms_each(assay_terms *terms, const char *text, assay_take_term take,
                              void *user)
{
    const int by_word = terms->options->analyser == ASSAY_ANALYSER_WORD;
    assay_status status = assay_lower(text, strlen(text), &terms->lowered);

    terms->n_tokens = 0;
    if (status == ASSAY_OK) status = by_word ? find_words(terms) : find_chunks(terms);
    if (status != ASSAY_OK) return status;
    return by_word ? take_words(terms, take, user) : take_characters(terms, take, user);
}

void assay_terms_free(assay_terms *terms)
{
    free(terms->lowered.text);
    free(terms->tokens);
    free(terms->joined);
    free(terms->offsets);
    *terms = (assay_terms){ 0 };
}

/* The matches of \b\w\w+\b: the longest runs of word characters, but for those of one. */
static assay_status find_words(assay_terms *terms)
{
    const char *text = terms->lowered.text;
    const size_t end = terms->lowered.length;
    const int drop = terms->options->stop_words == ASSAY_STOP_WORDS_ENGLISH;
    size_t i = 0;

    while (i < end) {
        const size_t start = i;
        size_t n = 0, bytes = 0;
        assay_status status = ASSAY_OK;

        for (; i < end; i += bytes, n++) {
            uint32_t c;

            bytes = assay_utf8_decode(text + i, end - i, &c);
            if (!assay_is_word(c)) break;
        }
        if (n >= 2 && !(drop && assay_is_english_stop_word(text + start, i - start)))
            status = add_token(terms, start, i);
        if (status != ASSAY_OK) return status;
        if (i < end) i += bytes;
    }
    return ASSAY_OK;
}

/* What white space separates. */
static assay_status find_chunks(assay_terms *terms)
{
    const char *text = terms->lowered.text;
    const size_t end = terms->lowered.length;
    size_t i = 0;

    while (i < end) {
        const size_t start = i;
        size_t bytes = 0;
        assay_status status = ASSAY_OK;

        for (; i < end; i += bytes) {
            uint32_t c;

            bytes = assay_utf8_decode(text + i, end - i, &c);
            if (assay_is_space(c)) break;
        }
        if (i > start) status = add_token(terms, start, i);
        if (status != ASSAY_OK) return status;
        if (i < end) i += bytes;
    }
    return ASSAY_OK;
}

static assay_status add_token(assay_terms *terms, size_t start, size_t end)
{
    if (assay_grow(&terms->tokens, &terms->tokens_capacity, terms->n_tokens + 1,
                   sizeof *terms->tokens) != 0)
        return fail_memory();
    terms->tokens[terms->n_tokens++] = (assay_token){ start, end - start };
    return ASSAY_OK;
}

static assay_status take_words(assay_terms *terms, assay_take_term take, void *user)
{
    for (size_t n = terms->options->ngram_low;
         n <= terms->options->ngram_high && n <= terms->n_tokens; n++)
        for (size_t k = 0; k + n <= terms->n_tokens; k++) {
            const assay_token *token = &terms->tokens[k];
            assay_status status =
                n == 1 ? take(user, terms->lowered.text + token->start, token->length)
                       : take_run_of_words(terms, k, n, take, user);

            if (status != ASSAY_OK) return status;
        }
    return ASSAY_OK;
}

/* The words with one space between each two, whatever stood there in the text. */
static assay_status take_run_of_words(assay_terms *terms, size_t first, size_t n,
                                      assay_take_term take, void *user)
{
    size_t length = 0;

    for (size_t k = first; k < first + n; k++) {
        const assay_token *token = &terms->tokens[k];

        if (assay_grow(&terms->joined, &terms->joined_capacity, length + token->length + 1, 1) != 0)
            return fail_memory();
        if (k > first) terms->joined[length++] = ' ';
        memcpy(terms->joined + length, terms->lowered.text + token->start, token->length);
        length += token->length;
    }
    return take(user, terms->joined, length);
}

/* Every run of n characters of a chunk with a space before and behind; of a chunk that is no longer
   than n the whole, once, and nothing for a larger n. */
static assay_status take_characters(assay_terms *terms, assay_take_term take, void *user)
{
    const size_t low = terms->options->ngram_low, high = terms->options->ngram_high;

    for (size_t t = 0; t < terms->n_tokens; t++) {
        size_t n_characters = 0;
        assay_status status = pad(terms, &terms->tokens[t], &n_characters);

        for (size_t n = low; status == ASSAY_OK && n <= high && (n == low || n - 1 < n_characters);
             n++) {
            const size_t size = n < n_characters ? n : n_characters;

            for (size_t k = 0; status == ASSAY_OK && k + size <= n_characters; k++)
                status = take(user, terms->joined + terms->offsets[k],
                              terms->offsets[k + size] - terms->offsets[k]);
        }
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

static assay_status pad(assay_terms *terms, const assay_token *chunk, size_t *n_characters)
{
    size_t n = 0;

    if (assay_grow(&terms->joined, &terms->joined_capacity, chunk->length + 2, 1) != 0 ||
        assay_grow(&terms->offsets, &terms->offsets_capacity, chunk->length + 3,
                   sizeof *terms->offsets) != 0)
        return fail_memory();
    terms->joined[0] = ' ';
    memcpy(terms->joined + 1, terms->lowered.text + chunk->start, chunk->length);
    terms->joined[chunk->length + 1] = ' ';
    for (size_t i = 0; i < chunk->length + 2; i++)
        if (((unsigned char)terms->joined[i] & 0xc0) != 0x80) terms->offsets[n++] = i;
    terms->offsets[n] = chunk->length + 2;
    *n_characters = n;
    return ASSAY_OK;
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "tfidf: no memory for the terms of a text");
}
