/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/sequences.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"

#include <stdlib.h>
#include <string.h>

/* Texts that a thread tokenises at a time. */
enum { TEXTS_A_PIECE = 64 };

typedef struct tokenising {
    const assay_encoder *encoder;
    const char *const *texts;
    const assay_embed_options *options;
    assay_inputs *inputs;
} tokenising;

static assay_status tokenise_piece(void *user, size_t piece, int thread);
static assay_status tokenise(const tokenising *t, size_t text, assay_tokens *tokens);
static assay_status tokenise_bytes(const tokenising *t, size_t text, const char *bytes, size_t n,
                                   assay_tokens *tokens);
static size_t first_characters(const char *text, size_t length, size_t most);
static void see(const assay_encoder *encoder, assay_long_texts how, assay_inputs *inputs);
static void shorten(assay_tokens *tokens, size_t most, assay_long_texts how);
static void drop_unknown(const assay_encoder *encoder, assay_tokens *tokens);
static assay_status find_distinct(assay_inputs *inputs);
static assay_status cut_sequences(const assay_encoder *encoder, assay_inputs *inputs);

assay_status assay_inputs_new(const assay_encoder *encoder, const char *const *texts, size_t n,
                              const assay_embed_options *options, assay_inputs *inputs)
{
    tokenising t = { encoder, texts, options, inputs };
    assay_status status;

    *inputs = (assay_inputs){ .n_texts = n };
    inputs->tokens = assay_alloc_zero(n, sizeof *inputs->tokens);
    inputs->is_long = assay_alloc_zero(n, 1);
    inputs->of = assay_alloc(n, sizeof *inputs->of);
    inputs->inputs = assay_alloc(n, sizeof *inputs->inputs);
    if (!inputs->tokens || !inputs->is_long || !inputs->of || !inputs->inputs)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the tokens of %zu texts", n);
    status = assay_do_pieces((n + TEXTS_A_PIECE - 1) / TEXTS_A_PIECE, options->threads, "tokens",
                             options->progress, tokenise_piece, &t);
    if (status != ASSAY_OK) return status;
    see(encoder, options->long_texts, inputs);
    status = find_distinct(inputs);
    if (status == ASSAY_OK) status = cut_sequences(encoder, inputs);
    return status;
}

void assay_inputs_free(assay_inputs *inputs)
{
    for (size_t i = 0; inputs->tokens && i < inputs->n_texts; i++) free(inputs->tokens[i].ids);
    free(inputs->tokens);
    free(inputs->is_long);
    free(inputs->of);
    free(inputs->inputs);
    free(inputs->sequences);
    free(inputs->ids);
    *inputs = (assay_inputs){ 0 };
}

/* ---- tokens ---- */

static assay_status tokenise_piece(void *user, size_t piece, int thread)
{
    const tokenising *t = user;
    assay_inputs *inputs = t->inputs;
    size_t first = piece * TEXTS_A_PIECE, last = first + TEXTS_A_PIECE;
    assay_status status = ASSAY_OK;

    (void)thread;
    for (size_t i = first; i < last && i < inputs->n_texts && status == ASSAY_OK; i++)
        status = tokenise(t, i, &inputs->tokens[i]);
    return status;
}

/* The prefix, then the text; where that is no more than the text, as it stands. */
static assay_status tokenise(const tokenising *t, size_t text, assay_tokens *tokens)
{
    const char *prefix = t->options->prefix ? t->options->prefix : "", *body = t->texts[text];
    size_t n_prefix = strlen(prefix), n_body = strlen(body);
    char *whole;
    assay_status status;

    if (n_prefix == 0) return tokenise_bytes(t, text, body, n_body, tokens);
    whole = assay_alloc(n_prefix + n_body + 1, 1);
    if (!whole) return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", n_body);
    memcpy(whole, prefix, n_prefix);
    memcpy(whole + n_prefix, body, n_body + 1);
    status = tokenise_bytes(t, text, whole, n_prefix + n_body, tokens);
    free(whole);
    return status;
}

static assay_status tokenise_bytes(const tokenising *t, size_t text, const char *bytes, size_t n,
                                   assay_tokens *tokens)
{
    size_t most = t->encoder->max_characters, kept = n;

    if (most && t->options->long_texts == ASSAY_LONG_CUT) kept = first_characters(bytes, n, most);
    if (kept < n) t->inputs->is_long[text] = 1;
    return assay_wordpiece_encode(t->encoder->wordpiece, bytes, kept, tokens);
}

/* The bytes of the first most characters. */
static size_t first_characters(const char *text, size_t length, size_t most)
{
    size_t k = 0, seen = 0;

    for (; k < length; k++) {
        seen += ((unsigned char)text[k] & 0xc0) != 0x80;
        if (seen > most) break;
    }
    return k;
}

/* A static model has no [CLS] and no [SEP]. */
static size_t n_special(const assay_encoder *encoder)
{
    return assay_encoder_is_static(encoder) ? 0 : 2;
}

/* How many tokens of a text a model takes. */
static size_t most_tokens(const assay_encoder *encoder)
{
    size_t most = encoder->config.max_tokens;

    return most ? most - n_special(encoder) : SIZE_MAX;
}

static int is_unknown(const assay_encoder *encoder, const assay_tokens *tokens)
{
    int64_t unknown = assay_wordpiece_special(encoder->wordpiece).unknown;
    size_t n = 0;

    for (size_t k = 0; k < tokens->n; k++) n += tokens->ids[k] == unknown;
    return 2 * n > tokens->n;
}

/* Cut each text's tokens down to those that are seen. */
static void see(const assay_encoder *encoder, assay_long_texts how, assay_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n_texts; i++) {
        assay_tokens *tokens = &inputs->tokens[i];

        inputs->n_tokens += tokens->n + n_special(encoder);
        inputs->n_unknown += (size_t)is_unknown(encoder, tokens);
        if (tokens->n > most_tokens(encoder)) {
            inputs->is_long[i] = 1;
            shorten(tokens, most_tokens(encoder), how);
        }
        inputs->n_long += inputs->is_long[i];
        if (encoder->config.kind == ASSAY_MODEL_2VEC) drop_unknown(encoder, tokens);
    }
}

static void shorten(assay_tokens *tokens, size_t most, assay_long_texts how)
{
    size_t tail = most / 2;

    if (how == ASSAY_LONG_WINDOWS) return;
    if (how == ASSAY_LONG_HEAD_TAIL)
        memmove(tokens->ids + most - tail, tokens->ids + tokens->n - tail,
                tail * sizeof *tokens->ids);
    tokens->n = most;
}

/* What model2vec does not know says nothing. */
static void drop_unknown(const assay_encoder *encoder, assay_tokens *tokens)
{
    int64_t unknown = assay_wordpiece_special(encoder->wordpiece).unknown;
    size_t kept = 0;

    for (size_t k = 0; k < tokens->n; k++)
        if (tokens->ids[k] != unknown) tokens->ids[kept++] = tokens->ids[k];
    tokens->n = kept;
}

/* ---- different inputs ---- */

static uint64_t hash_tokens(const assay_tokens *tokens)
{
    uint64_t h = tokens->n;

    for (size_t k = 0; k < tokens->n; k++) {
        h = (h ^ tokens->ids[k]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h ^ h >> 32;
}

static int are_equal(const assay_tokens *tokens, const assay_seen *input)
{
    return tokens->n == input->n &&
           (input->n == 0 || memcmp(tokens->ids, input->ids, input->n * sizeof *input->ids) == 0);
}

/* Open addressing: a slot holds an input + 1, or 0. */
static assay_status find_distinct(assay_inputs *inputs)
{
    size_t n_slots = 16, *slots;

    while (n_slots / 2 < inputs->n_texts) n_slots *= 2;
    slots = assay_alloc_zero(n_slots, sizeof *slots);
    if (!slots) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu texts", inputs->n_texts);
    for (size_t i = 0; i < inputs->n_texts; i++) {
        const assay_tokens *tokens = &inputs->tokens[i];
        size_t slot = (size_t)hash_tokens(tokens) & (n_slots - 1);

        while (slots[slot] && !are_equal(tokens, &inputs->inputs[slots[slot] - 1]))
            slot = (slot + 1) & (n_slots - 1);
        if (!slots[slot]) {
            inputs->inputs[inputs->n] = (assay_seen){ .ids = tokens->ids, .n = tokens->n };
            slots[slot] = ++inputs->n;
        }
        inputs->of[i] = slots[slot] - 1;
    }
    free(slots);
    return ASSAY_OK;
}

/* ---- sequences ---- */

/* As few windows as hold all tokens, of lengths that differ by one at most. */
static void cut_input(const assay_encoder *encoder, assay_seen *input, assay_inputs *inputs,
                      uint32_t **room)
{
    const assay_special_tokens special = assay_wordpiece_special(encoder->wordpiece);
    size_t from = 0;

    for (size_t w = 0; w < input->n_sequences; w++) {
        size_t to = input->n * (w + 1) / input->n_sequences, n = 0;
        uint32_t *ids = *room;

        if (n_special(encoder)) ids[n++] = (uint32_t)special.start;
        if (to > from) memcpy(ids + n, input->ids + from, (to - from) * sizeof *ids);
        n += to - from;
        if (n_special(encoder)) ids[n++] = (uint32_t)special.end;
        inputs->sequences[input->first + w] = (assay_sequence){ .ids = ids, .n = n };
        *room += n;
        from = to;
    }
}

static assay_status cut_sequences(const assay_encoder *encoder, assay_inputs *inputs)
{
    size_t most = most_tokens(encoder), n_ids = 0;
    uint32_t *room;

    for (size_t k = 0; k < inputs->n; k++) {
        assay_seen *input = &inputs->inputs[k];

        input->first = inputs->n_sequences;
        input->n_sequences = input->n > most ? (input->n - 1) / most + 1 : 1;
        inputs->n_sequences += input->n_sequences;
        n_ids += input->n + n_special(encoder) * input->n_sequences;
    }
    inputs->sequences = assay_alloc(inputs->n_sequences, sizeof *inputs->sequences);
    inputs->ids = room = assay_alloc(n_ids, sizeof *inputs->ids);
    if (!inputs->sequences || !room)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu tokens", n_ids);
    for (size_t k = 0; k < inputs->n; k++) cut_input(encoder, &inputs->inputs[k], inputs, &room);
    return ASSAY_OK;
}
