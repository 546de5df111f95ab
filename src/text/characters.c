/* SPDX-License-Identifier: Apache-2.0 */
#include "text/characters.h"

#include <stddef.h>
#include <utf8proc.h>

typedef struct range {
    uint32_t first, last;
} range;

static int is_in(const range *ranges, size_t n, uint32_t c);

int assay_is_word(uint32_t c)
{
    if (c < 0x80)
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return 1;
    default: return 0;
    }
}

/* What is Zs, or of the bidirectional classes WS, B and S. */
int assay_is_space(uint32_t c)
{
    static const range spaces[] = {
        { 0x09, 0x0d },     { 0x1c, 0x20 },     { 0x85, 0x85 },     { 0xa0, 0xa0 },
        { 0x1680, 0x1680 }, { 0x2000, 0x200a }, { 0x2028, 0x2029 }, { 0x202f, 0x202f },
        { 0x205f, 0x205f }, { 0x3000, 0x3000 },
    };
    return is_in(spaces, sizeof spaces / sizeof spaces[0], c);
}

/* Letters with a case, and Other_Lowercase and Other_Uppercase as far as they are not ignorable. */
int assay_is_cased(uint32_t c)
{
    static const range others[] = {
        { 0xaa, 0xaa },       { 0xba, 0xba },       { 0x2160, 0x217f },   { 0x24b6, 0x24e9 },
        { 0x1f130, 0x1f149 }, { 0x1f150, 0x1f169 }, { 0x1f170, 0x1f189 },
    };

    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT: return 1;
    default: return is_in(others, sizeof others / sizeof others[0], c);
    }
}

/* Marks, formats, modifiers, and what may stand within a word: MidLetter, MidNumLet, Single_Quote.
 */
int assay_is_case_ignorable(uint32_t c)
{
    static const range within[] = {
        { 0x27, 0x27 },     { 0x2e, 0x2e },     { 0x3a, 0x3a },     { 0xb7, 0xb7 },
        { 0x387, 0x387 },   { 0x55f, 0x55f },   { 0x5f4, 0x5f4 },   { 0x2018, 0x2019 },
        { 0x2024, 0x2024 }, { 0x2027, 0x2027 }, { 0xfe13, 0xfe13 }, { 0xfe52, 0xfe52 },
        { 0xfe55, 0xfe55 }, { 0xff07, 0xff07 }, { 0xff0e, 0xff0e }, { 0xff1a, 0xff1a },
    };

    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return 1;
    default: return is_in(within, sizeof within / sizeof within[0], c);
    }
}

static int is_in(const range *ranges, size_t n, uint32_t c)
{
    for (size_t k = 0; k < n; k++)
        if (c >= ranges[k].first && c <= ranges[k].last) return 1;
    return 0;
}
