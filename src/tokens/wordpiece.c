/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens/wordpiece.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/input.h"
#include "tokens/tokenizer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One text on its way to tokens. */
typedef struct encoding {
    const assay_wordpiece *wordpiece;
    assay_bert_text even;
    assay_tokens *tokens;
} encoding;

/* assay_tokenizer_read_json() or ..._read_vocabulary(). */
typedef assay_status (*part_reader)(assay_tokenizer_parts *parts, assay_json_source source,
                                    void *user);

static assay_status open_json(const char *path, assay_wordpiece **out);
static assay_status open_vocabulary(const char *path, const char *config, assay_wordpiece **out);
static assay_status read_part(assay_tokenizer_parts *parts, part_reader read);
static assay_status read_config(assay_tokenizer_parts *parts, const char *path);
static assay_status fail_to_find(const char *folder);
static char *path_of(const char *folder, const char *name);
static assay_status encode_raw(encoding *e, const char *text, size_t length);
static assay_status encode_even(encoding *e, const char *text, size_t length);
static assay_status encode_words(encoding *e, const char *text, size_t length);
static assay_status encode_word(encoding *e, const assay_bert_word *word);
static assay_status push(assay_tokens *tokens, uint32_t id);

assay_status assay_wordpiece_open(const char *folder, assay_wordpiece **out)
{
    char *json = path_of(folder, "tokenizer.json");
    char *vocabulary = path_of(folder, "vocab.txt");
    char *config = path_of(folder, "tokenizer_config.json");
    assay_status status;

    *out = NULL;
    if (!json || !vocabulary || !config)
        status = assay_fail(ASSAY_E_NOMEM, "%s: no memory to open a tokenizer", folder);
    else if (access(json, F_OK) == 0)
        status = open_json(json, out);
    else if (access(vocabulary, F_OK) == 0)
        status = open_vocabulary(vocabulary, config, out);
    else
        status = fail_to_find(folder);
    free(json);
    free(vocabulary);
    free(config);
    return status;
}

static assay_status open_json(const char *path, assay_wordpiece **out)
{
    assay_tokenizer_parts parts;
    assay_status status;

    assay_tokenizer_start(&parts, path);
    status = read_part(&parts, assay_tokenizer_read_json);
    if (status == ASSAY_OK) status = assay_tokenizer_finish(&parts, out);
    assay_tokenizer_free(&parts);
    return status;
}

static assay_status open_vocabulary(const char *path, const char *config, assay_wordpiece **out)
{
    assay_tokenizer_parts parts;
    assay_status status;

    assay_tokenizer_start(&parts, path);
    status = read_part(&parts, assay_tokenizer_read_vocabulary);
    if (status == ASSAY_OK && access(config, F_OK) == 0) status = read_config(&parts, config);
    if (status == ASSAY_OK) status = assay_tokenizer_list_roles(&parts);
    if (status == ASSAY_OK) status = assay_tokenizer_finish(&parts, out);
    assay_tokenizer_free(&parts);
    return status;
}

static assay_status read_part(assay_tokenizer_parts *parts, part_reader read)
{
    assay_input_stream *input;
    assay_status status = assay_input_open(parts->path, NULL, &input);

    if (status == ASSAY_OK) status = read(parts, assay_input_read, input);
    assay_input_close(input);
    return status;
}

static assay_status read_config(assay_tokenizer_parts *parts, const char *path)
{
    assay_input_stream *input;
    assay_status status = assay_input_open(path, NULL, &input);

    if (status == ASSAY_OK)
        status = assay_tokenizer_read_config(parts, path, assay_input_read, input);
    assay_input_close(input);
    return status;
}

/* What else there may be says which tokenizer it is. */
static assay_status fail_to_find(const char *folder)
{
    static const struct {
        const char *file, *kind;
    } others[] = {
        { "sentencepiece.bpe.model", "SentencePiece" },
        { "spiece.model", "SentencePiece" },
        { "tokenizer.model", "SentencePiece" },
        { "merges.txt", "BPE" },
        { "vocab.json", "BPE" },
    };

    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        char *path = path_of(folder, others[k].file);
        const int is_there = path && access(path, F_OK) == 0;

        free(path);
        if (!path) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its files", folder);
        if (is_there)
            return assay_fail_at(ASSAY_E_FORMAT, folder, 0,
                                 "a %s tokenizer (%s), expected WordPiece: tokenizer.json or "
                                 "vocab.txt",
                                 others[k].kind, others[k].file);
    }
    return assay_fail_at(ASSAY_E_READ, folder, 0,
                         "no tokenizer, expected tokenizer.json or vocab.txt");
}

static char *path_of(const char *folder, const char *name)
{
    const size_t n = strlen(folder), m = strlen(name);
    char *path = assay_alloc(n + m + 2, 1);

    if (!path) return NULL;
    memcpy(path, folder, n);
    path[n] = '/';
    memcpy(path + n + 1, name, m + 1);
    return path;
}

void assay_wordpiece_close(assay_wordpiece *wordpiece)
{
    if (!wordpiece) return;
    assay_pieces_free(&wordpiece->whole);
    assay_pieces_free(&wordpiece->within);
    assay_added_free(&wordpiece->raw);
    assay_added_free(&wordpiece->even);
    free(wordpiece);
}

size_t assay_wordpiece_n(const assay_wordpiece *wordpiece)
{
    return wordpiece->n_ids;
}

assay_special_tokens assay_wordpiece_special(const assay_wordpiece *wordpiece)
{
    return wordpiece->special;
}

/* How many characters begin in so many bytes of UTF-8. */
static size_t count_characters(const char *text, size_t length)
{
    size_t n = 0;

    for (size_t k = 0; k < length; k++) n += ((unsigned char)text[k] & 0xc0) != 0x80;
    return n;
}

/* Of an even number, the two in the middle are averaged. */
size_t assay_wordpiece_median_length(const assay_wordpiece *wordpiece)
{
    const assay_pieces *all = &wordpiece->whole;
    size_t of_length[ASSAY_PIECE_MAX + 1] = { 0 }, lower = 0, upper = 0, seen = 0;

    if (all->n == 0) return 0;
    for (size_t k = 0; k < all->n; k++)
        of_length[count_characters(all->text + all->pieces[k].start, all->pieces[k].length)]++;
    for (size_t length = 0; seen <= all->n / 2; length++) {
        seen += of_length[length];
        if (seen <= (all->n - 1) / 2) lower = length + 1;
        if (seen <= all->n / 2) upper = length + 1;
    }
    return (lower + upper) / 2;
}

/* Added tokens are found in the text as it is; what lies between two of them is made even by itself. */
assay_status assay_wordpiece_encode(const assay_wordpiece *wordpiece, const char *text,
                                    size_t length, assay_tokens *tokens)
{
    encoding e = { .wordpiece = wordpiece, .tokens = tokens };
    assay_added_search search = { .added = &wordpiece->raw, .text = text, .length = length };
    size_t from = 0, start, end;
    uint32_t id;
    assay_status status = ASSAY_OK;

    while (status == ASSAY_OK && assay_added_next(&search, &start, &end, &id)) {
        if (start > from) status = encode_raw(&e, text + from, start - from);
        if (status == ASSAY_OK) status = push(tokens, id);
        from = end;
    }
    if (status == ASSAY_OK && from < length) status = encode_raw(&e, text + from, length - from);
    free(e.even.text);
    return status;
}

static assay_status encode_raw(encoding *e, const char *text, size_t length)
{
    assay_status status = assay_bert_normalise(&e->wordpiece->rules, text, length, &e->even);

    return status == ASSAY_OK ? encode_even(e, e->even.text, e->even.length) : status;
}

static assay_status encode_even(encoding *e, const char *text, size_t length)
{
    assay_added_search search = { .added = &e->wordpiece->even, .text = text, .length = length };
    size_t from = 0, start, end;
    uint32_t id;

    while (assay_added_next(&search, &start, &end, &id)) {
        assay_status status = ASSAY_OK;

        if (start > from) status = encode_words(e, text + from, start - from);
        if (status == ASSAY_OK) status = push(e->tokens, id);
        if (status != ASSAY_OK) return status;
        from = end;
    }
    return from < length ? encode_words(e, text + from, length - from) : ASSAY_OK;
}

static assay_status encode_words(encoding *e, const char *text, size_t length)
{
    assay_bert_word word;

    for (size_t at = 0; assay_bert_next_word(text, length, &at, &word);) {
        assay_status status = encode_word(e, &word);

        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

/* The longest piece that the word begins with, then the longest one that goes on, and so on to its
   end; when that fails, or the word is too long, it is unknown as a whole. */
static assay_status encode_word(encoding *e, const assay_bert_word *word)
{
    const assay_wordpiece *wordpiece = e->wordpiece;
    const assay_pieces *pieces = &wordpiece->whole;
    const size_t n_before = e->tokens->n;
    size_t at = 0;

    while (at < word->length && word->n_characters <= wordpiece->max_characters) {
        uint32_t id;
        const size_t n = assay_pieces_longest(pieces, word->text + at, word->length - at, &id);
        assay_status status;

        if (n == 0) break;
        if ((status = push(e->tokens, id)) != ASSAY_OK) return status;
        at += n;
        pieces = &wordpiece->within;
    }
    if (at == word->length) return ASSAY_OK;
    e->tokens->n = n_before;
    return push(e->tokens, (uint32_t)wordpiece->special.unknown);
}

static assay_status push(assay_tokens *tokens, uint32_t id)
{
    if (assay_grow(&tokens->ids, &tokens->capacity, tokens->n + 1, sizeof *tokens->ids) != 0)
        return assay_fail(ASSAY_E_NOMEM, "tokenizer: no memory for %zu tokens", tokens->n + 1);
    tokens->ids[tokens->n++] = id;
    return ASSAY_OK;
}
