/* SPDX-License-Identifier: Apache-2.0 */
#include "read/npy_header.h"

#include "core/error.h"

#include <string.h>

enum { DESCR = 1, ORDER = 2, SHAPE = 4, ALL = 7 };
enum { SHOWN_MAX = 60, DIMENSIONS_MAX = 2, TEXT_MAX = 1 << 16 };

typedef struct parser {
    const char *path, *at, *end;
    assay_npy_header *header;
    int takes_texts;
} parser;

static assay_status parse(parser *p);
static assay_status parse_member(parser *p, int *seen);
static assay_status parse_type(parser *p);
static assay_status check_type(parser *p, const char *descr, size_t length);
static int is_text(parser *p, const char *descr, size_t length);
static assay_status fail_type(const parser *p, const char *descr, size_t length);
static assay_status parse_order(parser *p);
static assay_status parse_shape(parser *p);
static int parse_count(parser *p, size_t *count);
static int take_text(parser *p, const char **text, size_t *length);
static int take(parser *p, char c);
static void skip_spaces(parser *p);
static assay_status fail(const parser *p, const char *expected);

assay_status assay_npy_header_parse(const char *path, const char *text, size_t length,
                                    assay_npy_header *header)
{
    parser p = { path, text, text + length, header, 0 };
    return parse(&p);
}

assay_status assay_npy_header_parse_any(const char *path, const char *text, size_t length,
                                        assay_npy_header *header)
{
    parser p = { path, text, text + length, header, 1 };
    return parse(&p);
}

static assay_status parse(parser *p)
{
    int seen = 0;

    *p->header = (assay_npy_header){ 0 };
    if (!take(p, '{')) return fail(p, "a dict");
    while (!take(p, '}')) {
        assay_status status = parse_member(p, &seen);

        if (status != ASSAY_OK) return status;
        if (take(p, ',')) continue;
        if (!take(p, '}')) return fail(p, "a comma or the end of the dict");
        break;
    }
    skip_spaces(p);
    if (p->at < p->end) return fail(p, "nothing after the dict");
    if (seen != ALL) return fail(p, "'descr', 'fortran_order' and 'shape'");
    return ASSAY_OK;
}

static assay_status parse_member(parser *p, int *seen)
{
    static const struct member {
        const char *name;
        int bit;
        assay_status (*parse)(parser *p);
    } members[] = { { "descr", DESCR, parse_type },
                    { "fortran_order", ORDER, parse_order },
                    { "shape", SHAPE, parse_shape } };
    const char *name;
    size_t length;

    if (!take_text(p, &name, &length) || !take(p, ':')) return fail(p, "a key and a colon");
    for (size_t k = 0; k < sizeof members / sizeof members[0]; k++)
        if (strlen(members[k].name) == length && memcmp(members[k].name, name, length) == 0) {
            if (*seen & members[k].bit) return fail(p, "each key once");
            *seen |= members[k].bit;
            return members[k].parse(p);
        }
    return fail(p, "'descr', 'fortran_order' and 'shape' only");
}

static assay_status parse_type(parser *p)
{
    const char *descr;
    size_t length;

    if (take_text(p, &descr, &length)) return check_type(p, descr, length);
    if (take(p, '['))
        return assay_fail_at(ASSAY_E_FORMAT, p->path, 0,
                             "an array of records with named fields, expected one of plain numbers "
                             "(b1, i1 to i8, u1 to u8, f2, f4 or f8)");
    return fail(p, "the type of the numbers as text");
}

/* A byte order, a kind, and a size: "<f8". */
static assay_status check_type(parser *p, const char *descr, size_t length)
{
    static const struct type {
        char kind;
        const char *sizes;
    } types[] = { { 'b', "1" }, { 'i', "1248" }, { 'u', "1248" }, { 'f', "248" } };

    if (p->takes_texts && is_text(p, descr, length)) return ASSAY_OK;
    if (length != 3 || memchr(descr, '\0', length) || !strchr("<>|", descr[0]))
        return fail_type(p, descr, length);
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (descr[1] == types[k].kind && strchr(types[k].sizes, descr[2])) {
            p->header->kind = descr[1];
            p->header->size = (size_t)(descr[2] - '0');
            p->header->is_big_endian = descr[0] == '>';
            if (descr[0] == '|' && p->header->size > 1) break;
            return ASSAY_OK;
        }
    return fail_type(p, descr, length);
}

/* "<U67": texts of 67 code points, four bytes each; "|S12": of 12 bytes. */
static int is_text(parser *p, const char *descr, size_t length)
{
    size_t size = 0;

    if (length < 3 || length > 8 || (descr[1] != 'U' && descr[1] != 'S')) return 0;
    if (descr[0] != '<' && descr[0] != '>' && descr[0] != '|') return 0;
    for (size_t k = 2; k < length; k++) {
        if (descr[k] < '0' || descr[k] > '9') return 0;
        size = 10 * size + (size_t)(descr[k] - '0');
    }
    if (size == 0 || size > TEXT_MAX) return 0;
    p->header->kind = descr[1];
    p->header->size = descr[1] == 'U' ? 4 * size : size;
    p->header->is_big_endian = descr[0] == '>';
    return 1;
}

static assay_status fail_type(const parser *p, const char *descr, size_t length)
{
    const int is_object = length > 1 && descr[1] == 'O';

    if (is_object) p->header->kind = 'O';
    return assay_fail_at(ASSAY_E_FORMAT, p->path, 0,
                         "an array of type '%.*s'%s, expected numbers (b1, i1 to i8, u1 to u8, f2, "
                         "f4 or f8)",
                         (int)(length < SHOWN_MAX ? length : SHOWN_MAX), descr,
                         is_object ? ", Python objects, which are never unpickled" : "");
}

static assay_status parse_order(parser *p)
{
    skip_spaces(p);
    for (int value = 0; value < 2; value++) {
        const char *word = value ? "True" : "False";
        const size_t length = strlen(word);

        if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0) continue;
        p->at += length;
        p->header->is_fortran = value;
        return ASSAY_OK;
    }
    return fail(p, "True or False for 'fortran_order'");
}

static assay_status parse_shape(parser *p)
{
    size_t size[DIMENSIONS_MAX] = { 0, 1 }, n = 0;

    if (!take(p, '(')) return fail(p, "a tuple for 'shape'");
    while (!take(p, ')')) {
        size_t count;

        if (!parse_count(p, &count)) return fail(p, "whole numbers below 2^63 in 'shape'");
        if (n < DIMENSIONS_MAX) size[n] = count;
        n++;
        if (take(p, ',')) continue;
        if (!take(p, ')')) return fail(p, "a comma or the end of 'shape'");
        break;
    }
    if (n < 1 || n > DIMENSIONS_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, p->path, 0,
                             "an array of %zu dimensions, expected rows and columns", n);
    if (size[1] && size[0] > SIZE_MAX / sizeof(double) / size[1])
        return assay_fail_at(ASSAY_E_FORMAT, p->path, 0,
                             "a shape of %zu x %zu, more than memory can hold", size[0], size[1]);
    p->header->n_dimensions = n;
    p->header->n = size[0];
    p->header->d = size[1];
    return ASSAY_OK;
}

/* Digits, and the L that Python 2 put behind them. */
static int parse_count(parser *p, size_t *count)
{
    size_t value = 0;
    const char *start;

    skip_spaces(p);
    for (start = p->at; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++) {
        if (value > (SIZE_MAX / 2 - 9) / 10) return 0;
        value = 10 * value + (size_t)(*p->at - '0');
    }
    if (p->at == start) return 0;
    if (p->at < p->end && *p->at == 'L') p->at++;
    *count = value;
    return 1;
}

/* A text in either of Python's quotes, without escapes. */
static int take_text(parser *p, const char **text, size_t *length)
{
    const char *end;

    skip_spaces(p);
    if (p->at == p->end || (*p->at != '\'' && *p->at != '"')) return 0;
    end = memchr(p->at + 1, *p->at, (size_t)(p->end - p->at - 1));
    if (!end) return 0;
    *text = p->at + 1;
    *length = (size_t)(end - *text);
    p->at = end + 1;
    return 1;
}

static int take(parser *p, char c)
{
    skip_spaces(p);
    if (p->at == p->end || *p->at != c) return 0;
    p->at++;
    return 1;
}

static void skip_spaces(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n')) p->at++;
}

static assay_status fail(const parser *p, const char *expected)
{
    const size_t left = (size_t)(p->end - p->at);

    return assay_fail_at(ASSAY_E_FORMAT, p->path, 0,
                         "a NumPy header that is not understood at \"%.*s\", expected %s",
                         (int)(left < SHOWN_MAX ? left : SHOWN_MAX), p->at, expected);
}
