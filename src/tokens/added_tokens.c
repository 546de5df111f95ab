/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens/added_tokens.h"

#include "core/memory.h"
#include "core/utf8.h"
#include "tokens/bert_characters.h"

#include <stdlib.h>

static int stands_alone(const assay_added_search *search, size_t start, size_t end);
static size_t spaces_before(const assay_added_search *search, size_t start);
static size_t spaces_behind(const assay_added_search *search, size_t end);
static size_t decode_last(const char *text, size_t length, uint32_t *c);

void assay_added_free(assay_added_tokens *added)
{
    assay_pieces_free(&added->texts);
    free(added->tokens);
    *added = (assay_added_tokens){ 0 };
}

int assay_added_add(assay_added_tokens *added, const char *text, size_t length,
                    const assay_added_token *token)
{
    if (assay_grow(&added->tokens, &added->capacity, added->n + 1, sizeof *added->tokens) != 0)
        return -1;
    switch (assay_pieces_add(&added->texts, text, length, (uint32_t)added->n)) {
    case 0: break;
    case 1: return 0;
    default: return -1;
    }
    added->tokens[added->n++] = *token;
    added->is_first[(unsigned char)text[0]] = 1;
    return 0;
}

int assay_added_next(assay_added_search *search, size_t *start, size_t *end, uint32_t *id)
{
    const assay_added_tokens *added = search->added;

    if (added->n == 0) return 0;
    while (search->searched < search->length) {
        const size_t at = search->searched;
        const assay_added_token *token;
        uint32_t index = 0;
        size_t n;

        search->searched++;
        if (!added->is_first[(unsigned char)search->text[at]]) continue;
        n = assay_pieces_longest(&added->texts, search->text + at, search->length - at, &index);
        if (n == 0) continue;
        search->searched = at + n;
        token = &added->tokens[index];
        if (token->is_single && !stands_alone(search, at, at + n)) continue;
        *start = token->takes_left ? spaces_before(search, at) : at;
        *end = token->takes_right ? spaces_behind(search, at + n) : at + n;
        *id = token->id;
        search->taken = *end;
        return 1;
    }
    return 0;
}

static int stands_alone(const assay_added_search *search, size_t start, size_t end)
{
    uint32_t c;

    if (start > 0 && decode_last(search->text, start, &c) && assay_bert_is_word(c)) return 0;
    return assay_utf8_decode(search->text + end, search->length - end, &c) == 0 ||
           !assay_bert_is_word(c);
}

/* Where the white space before start begins, as far as no token has taken it. */
static size_t spaces_before(const assay_added_search *search, size_t start)
{
    while (start > search->taken) {
        uint32_t c;
        const size_t n = decode_last(search->text, start, &c);

        if (n == 0 || !assay_bert_is_space(c)) break;
        start -= n;
    }
    return start > search->taken ? start : search->taken;
}

static size_t spaces_behind(const assay_added_search *search, size_t end)
{
    uint32_t c;
    size_t n;

    while ((n = assay_utf8_decode(search->text + end, search->length - end, &c)) > 0 &&
           assay_bert_is_space(c))
        end += n;
    return end;
}

/* The character that ends text, and how many bytes it takes; 0 when it is not UTF-8. */
static size_t decode_last(const char *text, size_t length, uint32_t *c)
{
    for (size_t n = 1; n <= 4 && n <= length; n++)
        if (assay_utf8_decode(text + length - n, n, c) == n) return n;
    return 0;
}
