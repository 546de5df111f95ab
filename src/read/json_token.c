/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_token.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/utf8.h"

#include <math.h>
#include <string.h>

enum { LONGEST_TEXT = 1 << 30, FIRST_ROOM = 4 * ASSAY_JSON_BLOCK, REPLACEMENT = 0xfffd };

static int take_simple(assay_json_input *input, const assay_json_scan *scan, assay_json_text *text);
static assay_status read_special(assay_json_input *input, assay_json_text *text);
static assay_status read_non_ascii(assay_json_input *input, assay_json_text *text);
static assay_status read_escape(assay_json_input *input, assay_json_text *text);
static assay_status read_unicode_escape(assay_json_input *input, assay_json_text *text);
static int hex_digits(const assay_json_input *input, size_t at, uint32_t *value);
static assay_status append_code_point(assay_json_input *input, assay_json_text *text, uint32_t c);
static assay_status take_number(assay_json_input *input, assay_json_text *text);
static assay_status take_digits(assay_json_input *input, assay_json_text *text);
static assay_status take(assay_json_input *input, assay_json_text *text, size_t n);
static assay_status check_end(assay_json_input *input, const char *expected);
static double out_of_range(const char *text, size_t length);
static assay_status append(assay_json_input *input, assay_json_text *text, const char *bytes,
                           size_t n);

assay_status assay_json_text_clear(assay_json_input *input, assay_json_text *text)
{
    if (text->capacity == 0 && assay_grow(&text->bytes, &text->capacity, FIRST_ROOM, 1) != 0)
        return assay_json_input_give_up(input,
                                        assay_fail(ASSAY_E_NOMEM, "%s:%zu: no memory for a text",
                                                   input->path, input->token.line));
    text->length = 0;
    text->bytes[0] = '\0';
    return ASSAY_OK;
}

assay_status assay_json_read_string(assay_json_input *input, const assay_json_scan *scan,
                                    assay_json_text *text)
{
    assay_status status = assay_json_text_clear(input, text);

    while (status == ASSAY_OK) {
        int c = take_simple(input, scan, text);
        if (c < 0) return assay_json_input_unexpected(input, "'\"'");
        if (c == '"') {
            input->at++;
            text->bytes[text->length] = '\0';
            return ASSAY_OK;
        }
        size_t run = scan->plain_run(input->buffer + input->at, input->end - input->at);
        status = run ? take(input, text, run) : read_special(input, text);
    }
    return status;
}

/* What most strings are: runs that stand for themselves, and escapes of one letter, as far as the
   buffer shows them and text has room (but for the end's NUL). Returns what comes next, as
   assay_json_input_peek() does. */
static int take_simple(assay_json_input *input, const assay_json_scan *scan, assay_json_text *text)
{
    size_t room = text->capacity - text->length, left = input->end - input->at, made;

    if (room > ASSAY_JSON_BLOCK) {
        if (left > room - ASSAY_JSON_BLOCK) left = room - ASSAY_JSON_BLOCK;
        input->at +=
            scan->copy_simple(input->buffer + input->at, left, text->bytes + text->length, &made);
        text->length += made;
    }
    return assay_json_input_peek(input);
}

/* One or more bytes that do not stand for themselves, and are no closing quote. */
static assay_status read_special(assay_json_input *input, assay_json_text *text)
{
    unsigned char c = (unsigned char)input->buffer[input->at];

    if (c >= 0x80) return read_non_ascii(input, text);
    if (c == '\\') return read_escape(input, text);
    if (c == '\0') return assay_json_input_unexpected(input, "text");
    if (c == '\n') assay_json_input_newline(input, input->at);
    return take(input, text, 1);
}

/* As many well-formed characters as there are at once, or one byte that is not part of any. */
static assay_status read_non_ascii(assay_json_input *input, assay_json_text *text)
{
    enum { LONGEST_CHARACTER = 4 };
    assay_status status = assay_json_input_have(input, LONGEST_CHARACTER);
    const char *from = input->buffer + input->at;
    size_t left = input->end - input->at, run = 0, n = 0;
    uint32_t c;

    if (status != ASSAY_OK) return status;
    while (run < left && (unsigned char)from[run] >= 0x80 &&
           (n = assay_utf8_decode(from + run, left - run, &c)) > 0)
        run += n;
    if (run) return take(input, text, run);
    input->at++;
    input->n_mended++;
    return append_code_point(input, text, REPLACEMENT);
}

static assay_status read_escape(assay_json_input *input, assay_json_text *text)
{
    enum { LONGEST_ESCAPE = 12 }; /* a surrogate pair */
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    assay_status status = assay_json_input_have(input, LONGEST_ESCAPE);
    const char *name;
    char c;

    if (status != ASSAY_OK) return status;
    if (input->end - input->at < 2) {
        input->at = input->end;
        return assay_json_input_unexpected(input, "the rest of an escape");
    }
    c = input->buffer[input->at + 1];
    if (c == 'u') return read_unicode_escape(input, text);
    name = memchr(names, c, sizeof names - 1);
    if (!name)
        return assay_json_input_fail(input, assay_json_input_here(input),
                                     "an unknown escape, expected \\\" \\\\ \\/ \\b \\f \\n \\r "
                                     "\\t or \\u and four hexadecimal digits");
    input->at += 2;
    return append(input, text, &values[name - names], 1);
}

/* A surrogate without its other half stands in logs that were cut at a character count. */
static assay_status read_unicode_escape(assay_json_input *input, assay_json_text *text)
{
    uint32_t c, low;
    int n = hex_digits(input, input->at + 2, &c);

    if (n < 4 && input->at + 2 + (size_t)n == input->end) {
        input->at = input->end;
        return assay_json_input_unexpected(input, "the rest of an escape");
    }
    if (n < 4)
        return assay_json_input_fail(input, assay_json_input_here(input),
                                     "an incomplete escape, expected \\u and four hexadecimal "
                                     "digits");
    input->at += 6;
    if (c < 0xd800 || c > 0xdfff) return append_code_point(input, text, c);
    if (c < 0xdc00 && input->end - input->at >= 6 && input->buffer[input->at] == '\\' &&
        input->buffer[input->at + 1] == 'u' && hex_digits(input, input->at + 2, &low) == 4 &&
        low >= 0xdc00 && low <= 0xdfff) {
        input->at += 6;
        return append_code_point(input, text, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
    }
    return append_code_point(input, text, REPLACEMENT);
}

/* How many hexadecimal digits there are at this place of the buffer, 4 at most, and their value. */
static int hex_digits(const assay_json_input *input, size_t at, uint32_t *value)
{
    int n = 0;

    *value = 0;
    for (; n < 4 && at < input->end; n++, at++) {
        unsigned char c = (unsigned char)input->buffer[at], letter = c | 0x20;
        if (c >= '0' && c <= '9')
            *value = *value << 4 | (uint32_t)(c - '0');
        else if (letter >= 'a' && letter <= 'f')
            *value = *value << 4 | (uint32_t)(letter - 'a' + 10);
        else
            break;
    }
    return n;
}

static assay_status append_code_point(assay_json_input *input, assay_json_text *text, uint32_t c)
{
    char bytes[4];
    size_t n = assay_utf8_encode(c, bytes);
    return append(input, text, bytes, n);
}

assay_status assay_json_read_number(assay_json_input *input, assay_json_text *text, double *value)
{
    assay_status status = text ? assay_json_text_clear(input, text) : ASSAY_OK;
    int is_negative, c;

    if (status != ASSAY_OK) return status;
    is_negative = assay_json_input_peek(input) == '-';
    if (is_negative && (status = take(input, text, 1)) != ASSAY_OK) return status;
    c = assay_json_input_peek(input);
    if (c == 'I' || (c == 'N' && !is_negative)) {
        status = assay_json_read_word(input, c == 'I' ? "Infinity" : "NaN", text);
        if (text) *value = c == 'N' ? (double)NAN : is_negative ? -(double)INFINITY : INFINITY;
        return status;
    }
    if ((status = take_number(input, text)) != ASSAY_OK) return status;
    if (text && assay_number_parse(text->bytes, text->length, value) != 0)
        *value = out_of_range(text->bytes, text->length);
    return ASSAY_OK;
}

/* The grammar of RFC 8259, section 6, after the minus sign. */
static assay_status take_number(assay_json_input *input, assay_json_text *text)
{
    assay_status status =
        assay_json_input_peek(input) == '0' ? take(input, text, 1) : take_digits(input, text);

    if (status != ASSAY_OK) return status;
    if (assay_json_input_peek(input) == '.') {
        if ((status = take(input, text, 1)) != ASSAY_OK) return status;
        if ((status = take_digits(input, text)) != ASSAY_OK) return status;
    }
    int c = assay_json_input_peek(input);
    if (c == 'e' || c == 'E') {
        if ((status = take(input, text, 1)) != ASSAY_OK) return status;
        c = assay_json_input_peek(input);
        if ((c == '+' || c == '-') && (status = take(input, text, 1)) != ASSAY_OK) return status;
        if ((status = take_digits(input, text)) != ASSAY_OK) return status;
    }
    return check_end(input, "the number's end");
}

static assay_status take_digits(assay_json_input *input, assay_json_text *text)
{
    assay_status status = ASSAY_OK;
    int c = assay_json_input_peek(input);

    if (c < '0' || c > '9') return assay_json_input_unexpected(input, "a digit");
    for (; c >= '0' && c <= '9' && status == ASSAY_OK; c = assay_json_input_peek(input)) {
        size_t n = 1, left = input->end - input->at;
        const char *from = input->buffer + input->at;
        while (n < left && from[n] >= '0' && from[n] <= '9') n++;
        status = take(input, text, n);
    }
    return status;
}

assay_status assay_json_read_word(assay_json_input *input, const char *word, assay_json_text *text)
{
    size_t n = strlen(word), left;
    assay_status status = assay_json_input_have(input, n);

    if (status != ASSAY_OK) return status;
    left = input->end - input->at;
    if (memcmp(input->buffer + input->at, word, left < n ? left : n) != 0)
        return assay_json_input_fail(input, assay_json_input_here(input),
                                     "an unknown word, expected %s", word);
    if (left < n) {
        input->at = input->end;
        return assay_json_input_unexpected(input, word);
    }
    if ((status = take(input, text, n)) != ASSAY_OK) return status;
    return check_end(input, "the word's end");
}

/* Append n bytes at the place, unless text is NULL, and step over them. */
static assay_status take(assay_json_input *input, assay_json_text *text, size_t n)
{
    assay_status status = text ? append(input, text, input->buffer + input->at, n) : ASSAY_OK;
    input->at += n;
    return status;
}

static assay_status check_end(assay_json_input *input, const char *expected)
{
    int c = assay_json_input_peek(input);

    if (c < 0) return input->status;
    if (c == '\0' || !strchr(" \t\r\n,:[]{}\"", c))
        return assay_json_input_unexpected(input, expected);
    return ASSAY_OK;
}

/* The nearest double of a well-formed number that is too large for one, or too near zero: which of
   the two, its first digit's power of ten tells. */
static double out_of_range(const char *text, size_t length)
{
    enum { LIMIT = 1 << 30 }; /* as far as an exponent is told from a longer one */
    const char *end = text + length, *p = text + (*text == '-');
    long long power = -1, exponent = 0;
    int in_fraction = 0, seen = 0;

    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        seen |= *p >= '1' && *p <= '9';
        in_fraction |= *p == '.';
        if (*p == '.') continue;
        power += seen && !in_fraction;
        power -= !seen && in_fraction;
    }
    p += p < end;
    int is_negative = p < end && *p == '-';
    for (p += p < end && (*p == '-' || *p == '+'); p < end; p++)
        if (exponent < LIMIT) exponent = 10 * exponent + (*p - '0');
    power += is_negative ? -exponent : exponent;
    double value = power > 0 ? INFINITY : 0.0;
    return *text == '-' ? -value : value;
}

/* On failure text is as it was. */
static assay_status append(assay_json_input *input, assay_json_text *text, const char *bytes,
                           size_t n)
{
    if (n > LONGEST_TEXT - text->length)
        return assay_json_input_fail(input, input->token,
                                     "a string or number longer than 1 GiB, expected a shorter "
                                     "one");
    if (assay_grow(&text->bytes, &text->capacity, text->length + n + 1, 1) != 0)
        return assay_json_input_give_up(
            input, assay_fail(ASSAY_E_NOMEM, "%s:%zu: no memory for a string of %zu bytes",
                              input->path, input->token.line, text->length + n));
    memcpy(text->bytes + text->length, bytes, n);
    text->length += n;
    text->bytes[text->length] = '\0';
    return ASSAY_OK;
}
