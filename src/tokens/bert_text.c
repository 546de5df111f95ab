/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens/bert_text.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "tokens/bert_characters.h"

#include <string.h>

/* ROOM: bytes that one character may become, and more: its parts, lowered, between two spaces. */
enum { REPLACEMENT = 0xfffd, ROOM = 128 };

typedef enum kind { LETTER, SPACE, PUNCTUATION } kind;

static int make_room(assay_bert_text *out, size_t more);
static size_t put_ascii(const assay_bert_rules *rules, const char *text, size_t length,
                        assay_bert_text *out);
static void put_cleaned(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out);
static void put_decomposed(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out);
static void put_in_order(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out);
static void put_lowered(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out);
static void end_marks(assay_bert_text *out);
static unsigned copy_marks(assay_bert_text *out, unsigned above, size_t end);
static kind next_kind(const char *text, size_t length, size_t *n);

assay_status assay_bert_normalise(const assay_bert_rules *rules, const char *text, size_t length,
                                  assay_bert_text *out)
{
    out->length = 0;
    out->last = 0;
    out->are_disordered = 0;
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t n;

        if (make_room(out, length - i) != 0)
            return assay_fail(ASSAY_E_NOMEM, "tokenizer: no memory for a text of %zu bytes",
                              length);
        i += put_ascii(rules, text + i, length - i, out);
        if (i == length) break;
        n = assay_utf8_decode(text + i, length - i, &c);
        put_cleaned(rules, n ? c : REPLACEMENT, out);
        i += n ? n : 1;
    }
    end_marks(out);
    return ASSAY_OK;
}

/* For more bytes of ASCII, any one character, and a copy of the marks at the end, so that nothing
   below may fail. */
static int make_room(assay_bert_text *out, size_t more)
{
    const size_t run = out->last ? out->length - out->marks : 0;

    if (more > SIZE_MAX / 4) return -1;
    return assay_grow(&out->text, &out->capacity, out->length + run + more + ROOM, 1);
}

/* The ASCII characters that come next, which are most of most texts. Returns how many. */
static size_t put_ascii(const assay_bert_rules *rules, const char *text, size_t length,
                        assay_bert_text *out)
{
    size_t i = 0;

    for (; i < length && (unsigned char)text[i] < 0x80; i++) {
        char c = text[i];

        if (rules->clean && (c < ' ' || c == 0x7f)) {
            if (c != '\t' && c != '\n' && c != '\r') continue;
            c = ' ';
        }
        if (out->last) end_marks(out);
        out->text[out->length++] = rules->lower && c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    return i;
}

static void put_cleaned(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out)
{
    if (rules->clean) {
        if (assay_bert_is_removed(c)) return;
        if (assay_bert_is_space(c)) c = ' ';
    }
    if (rules->ideographs && assay_bert_is_ideograph(c)) {
        put_decomposed(rules, ' ', out);
        put_decomposed(rules, c, out);
        c = ' ';
    }
    put_decomposed(rules, c, out);
}

static void put_decomposed(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out)
{
    uint32_t parts[ASSAY_BERT_PARTS];
    size_t n;

    if (!rules->strip) {
        put_lowered(rules, c, out);
        return;
    }
    n = assay_bert_decompose(c, parts);
    for (size_t k = 0; k < n; k++) put_in_order(rules, parts[k], out);
}

/* Unicode's canonical order: the marks behind a letter by their class. Accents are removed after
   that, so that one of class 0 still keeps those before it from those behind. */
static void put_in_order(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out)
{
    const unsigned class = assay_bert_class(c);

    if (class == 0) end_marks(out);
    if (assay_bert_is_accent(c)) return;
    if (class > 0) {
        if (out->last == 0) out->marks = out->length;
        if (class < out->last) out->are_disordered = 1;
        out->last = class;
    }
    put_lowered(rules, c, out);
}

static void put_lowered(const assay_bert_rules *rules, uint32_t c, assay_bert_text *out)
{
    uint32_t parts[ASSAY_BERT_PARTS] = { c };
    const size_t n = rules->lower ? assay_bert_lower(c, parts) : 1;

    for (size_t k = 0; k < n; k++)
        out->length += assay_utf8_encode(parts[k], out->text + out->length);
}

static void end_marks(assay_bert_text *out)
{
    if (out->are_disordered) {
        const size_t end = out->length;

        for (unsigned class = 0; (class = copy_marks(out, class, end)) > 0;) continue;
        memcpy(out->text + out->marks, out->text + end, end - out->marks);
        out->length = end;
    }
    out->last = 0;
    out->are_disordered = 0;
}

/* Append a copy of those marks before end that are of the lowest class above this one. Returns that
   class, or 0 when there is none. (A mark has no other case, so that lowering did not change it.) */
static unsigned copy_marks(assay_bert_text *out, unsigned above, size_t end)
{
    const size_t before = out->length;
    unsigned lowest = 0;

    for (size_t i = out->marks, n; i < end; i += n) {
        unsigned class;
        uint32_t c;

        n = assay_utf8_decode(out->text + i, end - i, &c);
        class = assay_bert_class(c);
        if (class <= above || (lowest > 0 && class > lowest)) continue;
        if (class != lowest) out->length = before;
        lowest = class;
        memcpy(out->text + out->length, out->text + i, n);
        out->length += n;
    }
    return lowest;
}

int assay_bert_next_word(const char *text, size_t length, size_t *at, assay_bert_word *word)
{
    size_t i = *at, n = 0, n_characters = 0;
    kind first = SPACE;

    while (i < length && (first = next_kind(text + i, length - i, &n)) == SPACE) i += n;
    if (i >= length) {
        *at = length;
        return 0;
    }
    word->text = text + i;
    do {
        i += n;
        n_characters++;
    } while (first == LETTER && i < length && next_kind(text + i, length - i, &n) == LETTER);
    word->length = (size_t)(text + i - word->text);
    word->n_characters = n_characters;
    *at = i;
    return 1;
}

/* What the character at text is, and how many bytes it takes. */
static kind next_kind(const char *text, size_t length, size_t *n)
{
    const unsigned char byte = (unsigned char)*text;
    uint32_t c = byte;

    *n = 1;
    if ((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')) return LETTER;
    if (byte >= 0x80) *n = assay_utf8_decode(text, length, &c);
    if (assay_bert_is_space(c)) return SPACE;
    return assay_bert_is_punctuation(c) ? PUNCTUATION : LETTER;
}
