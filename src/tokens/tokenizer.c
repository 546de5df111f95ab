/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a tokenizer, from wherever they were read, put together. */
#include "tokens/tokenizer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 };           /* bytes of a piece in a message */
enum { MAX_CHARACTERS = 100 }; /* of a word, where no file says */
enum { TEXT_MAX = 1 << 26 };   /* bytes of all pieces */
enum { N_ADDED_MAX = 1 << 18 };
enum { ADDED_MAX = ASSAY_PIECE_MAX / 4 }; /* bytes: its even form has at most three times as many */

static const char *const default_names[ASSAY_N_ROLES] = { "[UNK]", "[CLS]", "[SEP]", "[PAD]",
                                                          "[MASK]" };

static assay_status check_piece(const assay_tokenizer_parts *parts, size_t line, const char *text,
                                size_t length, uint32_t id);
static int take_id(assay_tokenizer_parts *parts, uint32_t id);
static assay_status check_listed(const assay_tokenizer_parts *parts,
                                 const assay_listed_token *token);
static assay_status take_vocabulary(assay_tokenizer_parts *parts, assay_wordpiece *wordpiece);
static assay_status take_added(assay_tokenizer_parts *parts, assay_wordpiece *wordpiece,
                               assay_pieces *known);
static assay_status resolve(assay_tokenizer_parts *parts, const assay_wordpiece *wordpiece,
                            assay_pieces *known, assay_listed_token *token);
static assay_status add(const assay_listed_token *token, assay_wordpiece *wordpiece,
                        assay_bert_text *even);
static int64_t id_of(const assay_tokenizer_parts *parts, const assay_wordpiece *wordpiece,
                     const assay_pieces *known, size_t role);
static int shown(size_t length);
static assay_status fail_memory(const assay_tokenizer_parts *parts);

void assay_tokenizer_start(assay_tokenizer_parts *parts, const char *path)
{
    *parts = (assay_tokenizer_parts){ .path = path, .strip = -1 };
    parts->rules = (assay_bert_rules){ .clean = 1, .ideographs = 1, .lower = 1 };
    parts->max_characters = MAX_CHARACTERS;
}

void assay_tokenizer_free(assay_tokenizer_parts *parts)
{
    assay_pieces_free(&parts->vocabulary);
    free(parts->is_used);
    free(parts->prefix);
    for (size_t k = 0; k < ASSAY_N_ROLES; k++) free(parts->names[k]);
    for (size_t k = 0; k < parts->n_listed; k++) free(parts->listed[k].text);
    free(parts->listed);
    *parts = (assay_tokenizer_parts){ 0 };
}

assay_status assay_tokenizer_piece(assay_tokenizer_parts *parts, size_t line, const char *text,
                                   size_t length, uint32_t id)
{
    assay_status status = check_piece(parts, line, text, length, id);

    if (status != ASSAY_OK) return status;
    switch (assay_pieces_add(&parts->vocabulary, text, length, id)) {
    case 0: return take_id(parts, id) == 0 ? ASSAY_OK : fail_memory(parts);
    case 1:
        return assay_fail_at(ASSAY_E_FORMAT, parts->path, line,
                             "the piece \"%.*s\" again, expected each once", shown(length), text);
    default: return fail_memory(parts);
    }
}

static assay_status check_piece(const assay_tokenizer_parts *parts, size_t line, const char *text,
                                size_t length, uint32_t id)
{
    uint32_t c;

    if (length < 1 || length > ASSAY_PIECE_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, parts->path, line,
                             "a piece of %zu bytes, expected 1 to %d", length, ASSAY_PIECE_MAX);
    for (size_t i = 0, n; i < length; i += n)
        if ((n = assay_utf8_decode(text + i, length - i, &c)) == 0)
            return assay_fail_at(ASSAY_E_FORMAT, parts->path, line,
                                 "the piece \"%.*s\" is not UTF-8, expected that", shown(length),
                                 text);
    if (length > TEXT_MAX - parts->vocabulary.n_bytes)
        return assay_fail_at(ASSAY_E_FORMAT, parts->path, line,
                             "more than %d bytes of pieces, expected fewer", TEXT_MAX);
    if (id < parts->n_ids && parts->is_used[id])
        return assay_fail_at(ASSAY_E_FORMAT, parts->path, line,
                             "the id %u of \"%.*s\" is that of another piece, expected its own", id,
                             shown(length), text);
    return ASSAY_OK;
}

static int take_id(assay_tokenizer_parts *parts, uint32_t id)
{
    if (id >= parts->n_ids) {
        if (assay_grow(&parts->is_used, &parts->is_used_capacity, (size_t)id + 1, 1) != 0)
            return -1;
        memset(parts->is_used + parts->n_ids, 0, id + 1 - parts->n_ids);
        parts->n_ids = (size_t)id + 1;
    }
    parts->is_used[id] = 1;
    return 0;
}

assay_status assay_tokenizer_list(assay_tokenizer_parts *parts, const assay_listed_token *token)
{
    assay_status status;

    if (!token->text || !*token->text) {
        free(token->text);
        return ASSAY_OK;
    }
    status = check_listed(parts, token);
    if (status == ASSAY_OK && assay_grow(&parts->listed, &parts->listed_capacity,
                                         parts->n_listed + 1, sizeof *parts->listed) != 0)
        status = fail_memory(parts);
    if (status == ASSAY_OK)
        parts->listed[parts->n_listed++] = *token;
    else
        free(token->text);
    return status;
}

static assay_status check_listed(const assay_tokenizer_parts *parts,
                                 const assay_listed_token *token)
{
    const size_t length = strlen(token->text);

    if (length > ADDED_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, token->path, token->line,
                             "an added token of %zu bytes, expected at most %d", length, ADDED_MAX);
    if (parts->n_listed == N_ADDED_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, token->path, token->line,
                             "more than %d added tokens, expected fewer", N_ADDED_MAX);
    return ASSAY_OK;
}

const char *assay_tokenizer_name(const assay_tokenizer_parts *parts, size_t role)
{
    return parts->names[role] ? parts->names[role] : default_names[role];
}

assay_status assay_tokenizer_list_roles(assay_tokenizer_parts *parts)
{
    for (size_t role = 0; role < ASSAY_N_ROLES; role++) {
        const char *name = assay_tokenizer_name(parts, role);
        assay_listed_token token = { .path = parts->path };
        assay_status status;

        token.text = assay_copy_text(name, strlen(name));
        if (!token.text) return fail_memory(parts);
        if ((status = assay_tokenizer_list(parts, &token)) != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

assay_status assay_tokenizer_finish(assay_tokenizer_parts *parts, assay_wordpiece **out)
{
    assay_wordpiece *wordpiece = assay_alloc_zero(1, sizeof *wordpiece);
    assay_pieces known = { 0 };
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!wordpiece) return fail_memory(parts);
    wordpiece->rules = parts->rules;
    wordpiece->rules.strip = parts->strip < 0 ? parts->rules.lower : parts->strip;
    wordpiece->max_characters = parts->max_characters;
    if ((status = take_vocabulary(parts, wordpiece)) != ASSAY_OK) goto done;
    if ((status = take_added(parts, wordpiece, &known)) != ASSAY_OK) goto done;
    wordpiece->n_ids = parts->n_ids;
    wordpiece->special = (assay_special_tokens){
        .unknown = id_of(parts, wordpiece, &known, ASSAY_UNKNOWN),
        .start = id_of(parts, wordpiece, &known, ASSAY_START),
        .end = id_of(parts, wordpiece, &known, ASSAY_END),
        .padding = id_of(parts, wordpiece, &known, ASSAY_PADDING),
    };
    *out = wordpiece;
    wordpiece = NULL;
done:
    assay_pieces_free(&known);
    assay_wordpiece_close(wordpiece);
    return status;
}

static assay_status take_vocabulary(assay_tokenizer_parts *parts, assay_wordpiece *wordpiece)
{
    const char *prefix = parts->prefix ? parts->prefix : "##";
    const char *unknown = assay_tokenizer_name(parts, ASSAY_UNKNOWN);
    const size_t skipped = strlen(prefix);
    const assay_pieces *all = &wordpiece->whole;
    uint32_t id;

    wordpiece->whole = parts->vocabulary;
    parts->vocabulary = (assay_pieces){ 0 };
    if (all->n == 0)
        return assay_fail_at(ASSAY_E_FORMAT, parts->path, 0, "no vocabulary, expected one");
    if (!assay_pieces_find(all, unknown, strlen(unknown), &id))
        return assay_fail_at(ASSAY_E_FORMAT, parts->path, 0,
                             "the vocabulary has no \"%.*s\", expected that for unknown words",
                             SHOWN, unknown);
    for (size_t k = 0; k < all->n; k++) {
        const assay_piece *piece = &all->pieces[k];
        const char *text = all->text + piece->start;

        if (piece->length > skipped && memcmp(text, prefix, skipped) == 0 &&
            assay_pieces_add(&wordpiece->within, text + skipped, piece->length - skipped,
                             piece->id) < 0)
            return fail_memory(parts);
    }
    return ASSAY_OK;
}

/* known: the added tokens that the vocabulary does not have. */
static assay_status take_added(assay_tokenizer_parts *parts, assay_wordpiece *wordpiece,
                               assay_pieces *known)
{
    assay_bert_text even = { 0 };
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < parts->n_listed; k++) {
        assay_listed_token *token = &parts->listed[k];

        status = resolve(parts, wordpiece, known, token);
        if (status == ASSAY_OK && token->has_id) status = add(token, wordpiece, &even);
    }
    free(even.text);
    return status;
}

/* Find the id of an added token; one that neither the vocabulary nor the file knows has none. */
static assay_status resolve(assay_tokenizer_parts *parts, const assay_wordpiece *wordpiece,
                            assay_pieces *known, assay_listed_token *token)
{
    const size_t length = strlen(token->text);
    uint32_t id;

    if (assay_pieces_find(&wordpiece->whole, token->text, length, &id) ||
        assay_pieces_find(known, token->text, length, &id)) {
        if (token->has_id && token->how.id != id)
            return assay_fail_at(ASSAY_E_FORMAT, token->path, token->line,
                                 "the id %u of the added token \"%.*s\" is %u elsewhere, expected "
                                 "one",
                                 token->how.id, shown(length), token->text, id);
        token->how.id = id;
        token->has_id = 1;
        return ASSAY_OK;
    }
    if (!token->has_id) return ASSAY_OK;
    if (token->how.id < parts->n_ids && parts->is_used[token->how.id])
        return assay_fail_at(ASSAY_E_FORMAT, token->path, token->line,
                             "the id %u of the added token \"%.*s\" is that of another, expected "
                             "its own",
                             token->how.id, shown(length), token->text);
    if (take_id(parts, token->how.id) != 0 ||
        assay_pieces_add(known, token->text, length, token->how.id) < 0)
        return fail_memory(parts);
    return ASSAY_OK;
}

static assay_status add(const assay_listed_token *token, assay_wordpiece *wordpiece,
                        assay_bert_text *even)
{
    const char *text = token->text;
    size_t length = strlen(text);

    if (token->is_even) {
        assay_status status = assay_bert_normalise(&wordpiece->rules, text, length, even);

        if (status != ASSAY_OK) return status;
        text = even->text;
        length = even->length;
    }
    if (length == 0) return ASSAY_OK; /* nothing of it is left to look for */
    if (assay_added_add(token->is_even ? &wordpiece->even : &wordpiece->raw, text, length,
                        &token->how) != 0)
        return assay_fail(ASSAY_E_NOMEM, "tokenizer: no memory for an added token");
    return ASSAY_OK;
}

static int64_t id_of(const assay_tokenizer_parts *parts, const assay_wordpiece *wordpiece,
                     const assay_pieces *known, size_t role)
{
    const char *name = assay_tokenizer_name(parts, role);
    const size_t length = strlen(name);
    uint32_t id;

    if (assay_pieces_find(&wordpiece->whole, name, length, &id) ||
        assay_pieces_find(known, name, length, &id))
        return id;
    return -1;
}

static int shown(size_t length)
{
    return (int)(length < SHOWN ? length : SHOWN);
}

static assay_status fail_memory(const assay_tokenizer_parts *parts)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu pieces", parts->path,
                      parts->vocabulary.n);
}
