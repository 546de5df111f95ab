/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens/bert_characters.h"

#include <utf8proc.h>

typedef struct range {
    uint32_t first, last;
} range;

enum { CAPITAL_I_WITH_DOT = 0x130, DOT_ABOVE = 0x307, REPLACEMENT = 0xfffd };

/* The punctuation, accents, formats, combining classes and decompositions that came with Unicode 9 to
   18, and what lies between them that is none of these. Three characters changed their category:
   U+166D and U+111C9 were punctuation, U+1734 an accent. */
static const range later[] = {
    { 0x5c8, 0x5c9 },     { 0x61d, 0x61d },     { 0x7fd, 0x7fd },     { 0x890, 0x8e2 },
    { 0x9fd, 0x9fe },     { 0xa76, 0xa76 },     { 0xafa, 0xaff },     { 0xb53, 0xb55 },
    { 0xc04, 0xc3c },     { 0xc77, 0xc77 },     { 0xc84, 0xc84 },     { 0xd00, 0xd00 },
    { 0xd3b, 0xd3c },     { 0xd81, 0xd81 },     { 0xeba, 0xeba },     { 0xece, 0xece },
    { 0x1715, 0x1715 },   { 0x180f, 0x1886 },   { 0x1abf, 0x1af0 },   { 0x1b4e, 0x1b4f },
    { 0x1b7d, 0x1b7f },   { 0x1df6, 0x1dfb },   { 0x2e43, 0x2e63 },   { 0xa82c, 0xa82c },
    { 0xa8c5, 0xa8c5 },   { 0xa8ff, 0xa8ff },   { 0xa9bd, 0xa9bd },   { 0x105c9, 0x105e4 },
    { 0x10d24, 0x10f89 }, { 0x11070, 0x11074 }, { 0x110c2, 0x110cd }, { 0x111c9, 0x111c9 },
    { 0x111cf, 0x111cf }, { 0x1123e, 0x11241 }, { 0x1133b, 0x1133b }, { 0x11383, 0x1145e },
    { 0x11660, 0x1166c }, { 0x116b9, 0x116b9 }, { 0x1182f, 0x11fff }, { 0x12ff1, 0x1612f },
    { 0x16d68, 0x16f4f }, { 0x16fe2, 0x16ff1 }, { 0x1cf00, 0x1d128 }, { 0x1d250, 0x1d281 },
    { 0x1e000, 0x1e6f5 }, { 0x1e944, 0x1e95f },
};

/* Of those, the ones of Unicode 9 that have a combining class. */
static const range of_nine[] = {
    { 0x8d4, 0x8e1 },     { 0x1dfb, 0x1dfb },   { 0x11442, 0x11446 },
    { 0x11c3f, 0x11c3f }, { 0x1e000, 0x1e02a }, { 0x1e944, 0x1e94a },
};

#define IS_IN(ranges, c) is_in(ranges, sizeof(ranges) / sizeof(ranges)[0], c)

static int is_in(const range *ranges, size_t n, uint32_t c);
static utf8proc_category_t category_of(uint32_t c);

int assay_bert_is_removed(uint32_t c)
{
    switch (category_of(c)) {
    case UTF8PROC_CATEGORY_CC: return c != '\t' && c != '\n' && c != '\r';
    case UTF8PROC_CATEGORY_CO: return 1;
    case UTF8PROC_CATEGORY_CF: return !IS_IN(later, c);
    default: return c == REPLACEMENT;
    }
}

int assay_bert_is_space(uint32_t c)
{
    static const range spaces[] = {
        { 0x09, 0x0d },     { 0x20, 0x20 },     { 0x85, 0x85 },     { 0xa0, 0xa0 },
        { 0x1680, 0x1680 }, { 0x2000, 0x200a }, { 0x2028, 0x2029 }, { 0x202f, 0x202f },
        { 0x205f, 0x205f }, { 0x3000, 0x3000 },
    };
    return IS_IN(spaces, c);
}

int assay_bert_is_ideograph(uint32_t c)
{
    static const range ideographs[] = {
        { 0x3400, 0x4dbf },   { 0x4e00, 0x9fff },   { 0xf900, 0xfaff },   { 0x20000, 0x2a6df },
        { 0x2a700, 0x2b81f }, { 0x2b920, 0x2ceaf }, { 0x2f800, 0x2fa1f },
    };
    return IS_IN(ideographs, c);
}

int assay_bert_is_punctuation(uint32_t c)
{
    if (c < 0x80)
        return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
               (c >= '{' && c <= '~');
    switch (category_of(c)) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO: return !IS_IN(later, c);
    default: return c == 0x166d || c == 0x111c9;
    }
}

int assay_bert_is_accent(uint32_t c)
{
    if (category_of(c) == UTF8PROC_CATEGORY_MN) return !IS_IN(later, c);
    return c == 0x1734;
}

/* Alphabetic, marks, decimal numbers, connectors, and what joins letters. */
int assay_bert_is_word(uint32_t c)
{
    static const range others[] = { { 0x200c, 0x200d },
                                    { 0x24b6, 0x24e9 },
                                    { 0x1f130, 0x1f149 },
                                    { 0x1f150, 0x1f169 },
                                    { 0x1f170, 0x1f189 } };

    switch (category_of(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC: return 1;
    default: return IS_IN(others, c);
    }
}

unsigned assay_bert_class(uint32_t c)
{
    const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)c);

    if (property->combining_class == 0 || (IS_IN(later, c) && !IS_IN(of_nine, c))) return 0;
    return (unsigned)property->combining_class;
}

size_t assay_bert_decompose(uint32_t c, uint32_t parts[ASSAY_BERT_PARTS])
{
    utf8proc_int32_t found[ASSAY_BERT_PARTS];
    utf8proc_ssize_t n = utf8proc_decompose_char((utf8proc_int32_t)c, found, ASSAY_BERT_PARTS,
                                                 UTF8PROC_DECOMPOSE, NULL);

    parts[0] = c;
    if (n < 1 || n > ASSAY_BERT_PARTS || (found[0] != (utf8proc_int32_t)c && IS_IN(later, c)))
        return 1;
    for (utf8proc_ssize_t k = 0; k < n; k++) parts[k] = (uint32_t)found[k];
    return (size_t)n;
}

/* One letter is lowered to two, and only it (SpecialCasing of Unicode, without conditions). */
size_t assay_bert_lower(uint32_t c, uint32_t parts[ASSAY_BERT_PARTS])
{
    parts[0] = c == CAPITAL_I_WITH_DOT ? 'i' : (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);
    parts[1] = DOT_ABOVE;
    return c == CAPITAL_I_WITH_DOT ? 2 : 1;
}

static int is_in(const range *ranges, size_t n, uint32_t c)
{
    size_t low = 0;

    while (n > 0) {
        const size_t half = n / 2;

        if (ranges[low + half].last < c) {
            low += half + 1;
            n -= half + 1;
        } else if (ranges[low + half].first > c) {
            n = half;
        } else {
            return 1;
        }
    }
    return 0;
}

static utf8proc_category_t category_of(uint32_t c)
{
    return utf8proc_category((utf8proc_int32_t)c);
}
