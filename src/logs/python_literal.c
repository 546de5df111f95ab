/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/python_literal.h"

#include "core/error.h"
#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 64, SHOWN_MAX = 60 };

typedef struct parser {
    const char *at, *end;
    assay_log_text *json;
    int depth;
} parser;

static assay_status parse_value(parser *p);
static assay_status parse_many(parser *p, char close, int is_dict);
static assay_status parse_key(parser *p);
static assay_status parse_text(parser *p);
static assay_status parse_escape(parser *p);
static int parse_point(parser *p, int n_digits, uint32_t *point);
static assay_status parse_word(parser *p);
static assay_status parse_number(parser *p);
static assay_status parse_exponent(parser *p);
static assay_status add_digits(parser *p, size_t *n);
static assay_status parse_call(parser *p);
static int is_word(char c);
static int take(parser *p, char c);
static void skip_spaces(parser *p);
static assay_status add(parser *p, const char *words);
static assay_status fail(const parser *p, const char *expected);

assay_status assay_python_literal(const char *text, size_t length, assay_log_text *json)
{
    parser p = { text, text + length, json, 0 };
    assay_status status = parse_value(&p);

    if (status != ASSAY_OK) return status;
    skip_spaces(&p);
    return p.at == p.end ? ASSAY_OK : fail(&p, "nothing behind the value");
}

static assay_status parse_value(parser *p)
{
    assay_status status;

    skip_spaces(p);
    if (p->at == p->end) return fail(p, "a value");
    if (p->depth == DEPTH_MAX) return fail(p, "at most 64 levels");
    p->depth++;
    if (take(p, '{'))
        status = parse_many(p, '}', 1);
    else if (take(p, '['))
        status = parse_many(p, ']', 0);
    else if (take(p, '('))
        status = parse_many(p, ')', 0);
    else if (*p->at == '\'' || *p->at == '"')
        status = parse_text(p);
    else
        status = strchr("0123456789.+-", *p->at) && *p->at ? parse_number(p) : parse_word(p);
    p->depth--;
    return status;
}

static assay_status parse_many(parser *p, char close, int is_dict)
{
    assay_status status = add(p, is_dict ? "{" : "[");

    for (size_t k = 0; status == ASSAY_OK && !take(p, close); k++) {
        if (k > 0) status = add(p, ",");
        if (status == ASSAY_OK && is_dict) status = parse_key(p);
        if (status == ASSAY_OK) status = parse_value(p);
        if (status != ASSAY_OK) return status;
        if (take(p, ',')) continue;
        if (!take(p, close)) return fail(p, "a comma or the end");
        break;
    }
    return status == ASSAY_OK ? add(p, is_dict ? "}" : "]") : status;
}

static assay_status parse_key(parser *p)
{
    assay_status status;

    skip_spaces(p);
    if (p->at == p->end || (*p->at != '\'' && *p->at != '"')) return fail(p, "a key of text");
    status = parse_text(p);
    if (status == ASSAY_OK && !take(p, ':')) return fail(p, "a colon");
    return status == ASSAY_OK ? add(p, ":") : status;
}

/* ---- texts ---- */

static assay_status parse_text(parser *p)
{
    const char quote = *p->at++;
    assay_status status = add(p, "\"");

    while (status == ASSAY_OK && p->at < p->end && *p->at != quote) {
        const unsigned char c = (unsigned char)*p->at;
        char escaped[8];

        if (c == '\\') {
            status = parse_escape(p);
        } else if (c == '"' || c < ' ') {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            status = add(p, escaped);
            p->at++;
        } else {
            status = assay_log_text_add(p->json, p->at++, 1);
        }
    }
    if (status == ASSAY_OK && !take(p, quote)) return fail(p, "the end of a text");
    return status == ASSAY_OK ? add(p, "\"") : status;
}

static assay_status parse_escape(parser *p)
{
    static const char same[] = "\\\"bfnrt";
    char pair[3] = { '\\', 0, 0 }, point_text[4], escaped[8];
    uint32_t point = 0;
    int n;

    p->at++;
    if (p->at == p->end) return fail(p, "an escape");
    pair[1] = *p->at++;
    if (pair[1] && strchr(same, pair[1])) return add(p, pair);
    if (pair[1] == '\'') return add(p, "'");
    if (pair[1] == '/') return add(p, "/");
    n = pair[1] == 'x' ? 2 : pair[1] == 'u' ? 4 : pair[1] == 'U' ? 8 : 0;
    if (n == 0 || !parse_point(p, n, &point)) return fail(p, "an escape");
    if (point < 0x80 || (point >= 0xd800 && point < 0xe000)) {
        snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)point);
        return add(p, escaped);
    }
    return assay_log_text_add(p->json, point_text, assay_utf8_encode(point, point_text));
}

static int parse_point(parser *p, int n_digits, uint32_t *point)
{
    for (int k = 0; k < n_digits; k++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *found = p->at < p->end && *p->at ? strchr(digits, *p->at) : NULL;

        if (!found) return 0;
        *point = *point << 4 | (uint32_t)((found - digits) % 16);
        p->at++;
    }
    return *point <= 0x10ffff;
}

/* ---- words and numbers ---- */

static assay_status parse_word(parser *p)
{
    static const struct word {
        const char *python, *json;
    } words[] = { { "True", "true" },         { "False", "false" },  { "None", "null" },
                  { "nan", "NaN" },           { "inf", "Infinity" }, { "NaN", "NaN" },
                  { "Infinity", "Infinity" }, { "true", "true" },    { "false", "false" },
                  { "null", "null" } };
    const char *start = p->at;
    size_t length;

    while (p->at < p->end && is_word(*p->at)) p->at++;
    length = (size_t)(p->at - start);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (length == strlen(words[k].python) && memcmp(start, words[k].python, length) == 0)
            return add(p, words[k].json);
    if (length > 0 && take(p, '(')) return parse_call(p);
    p->at = start;
    return fail(p, "a value");
}

/* As JSON writes it: Python leaves out what is 0 on either side of the point. */
static assay_status parse_number(parser *p)
{
    size_t whole, fraction = 0;
    assay_status status = *p->at == '-' ? add(p, "-") : ASSAY_OK;

    if (*p->at == '-' || *p->at == '+') p->at++;
    if (status == ASSAY_OK && p->at < p->end && (*p->at == 'i' || *p->at == 'I'))
        return parse_word(p);
    if (status == ASSAY_OK) status = add_digits(p, &whole);
    if (status == ASSAY_OK && whole == 0) status = add(p, "0");
    if (status == ASSAY_OK && p->at < p->end && *p->at == '.') {
        p->at++;
        status = add(p, ".");
        if (status == ASSAY_OK) status = add_digits(p, &fraction);
        if (status == ASSAY_OK && fraction == 0) status = add(p, "0");
    }
    if (status != ASSAY_OK) return status;
    return whole + fraction > 0 ? parse_exponent(p) : fail(p, "digits");
}

static assay_status parse_exponent(parser *p)
{
    size_t n = 0;
    assay_status status;

    if (p->at == p->end || (*p->at != 'e' && *p->at != 'E')) return ASSAY_OK;
    p->at++;
    status = add(p, "e");
    if (status == ASSAY_OK && p->at < p->end && (*p->at == '-' || *p->at == '+'))
        status = assay_log_text_add(p->json, p->at++, 1);
    if (status == ASSAY_OK) status = add_digits(p, &n);
    return status == ASSAY_OK && n == 0 ? fail(p, "an exponent") : status;
}

static assay_status add_digits(parser *p, size_t *n)
{
    const char *start = p->at;

    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') p->at++;
    *n = (size_t)(p->at - start);
    return assay_log_text_add(p->json, start, *n);
}

/* np.float64(0.5): the value is what stands within. */
static assay_status parse_call(parser *p)
{
    assay_status status = parse_value(p);

    if (status == ASSAY_OK && !take(p, ')')) return fail(p, "one value in a call");
    return status;
}

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/* ---- bytes ---- */

static int take(parser *p, char c)
{
    skip_spaces(p);
    if (p->at == p->end || *p->at != c) return 0;
    p->at++;
    return 1;
}

static void skip_spaces(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
        p->at++;
}

static assay_status add(parser *p, const char *words)
{
    return assay_log_text_add(p->json, words, strlen(words));
}

static assay_status fail(const parser *p, const char *expected)
{
    const size_t left = (size_t)(p->end - p->at);

    return assay_fail(ASSAY_E_FORMAT, "no value of Python at \"%.*s\", expected %s",
                      (int)(left < SHOWN_MAX ? left : SHOWN_MAX), p->at, expected);
}
