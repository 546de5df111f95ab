/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_scan.h"

#include <string.h>

enum { ORDINARY, QUOTE, BACKSLASH, NEWLINE, BRACKET, N_KINDS };

static void masks_plain(const char *block, assay_json_masks *masks);
static size_t plain_run_plain(const char *text, size_t length);
static size_t copy_simple_plain(const char *text, size_t length, char *to, size_t *made);

const assay_json_scan assay_json_scan_plain = { masks_plain, plain_run_plain, copy_simple_plain };

const char assay_json_escapes[256] = { ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                       ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t' };

const assay_json_scan *assay_json_scan_choose(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return &assay_json_scan_avx2;
#endif
    return &assay_json_scan_plain;
}

/* Nearly every byte is ordinary, so one well-predicted branch a byte beats four comparisons. */
static void masks_plain(const char *block, assay_json_masks *masks)
{
    static const unsigned char kinds[256] = {
        ['"'] = QUOTE,   ['\\'] = BACKSLASH, ['\n'] = NEWLINE, ['{'] = BRACKET,
        ['}'] = BRACKET, ['['] = BRACKET,    [']'] = BRACKET
    };
    uint64_t found[N_KINDS] = { 0 };

    for (unsigned i = 0; i < ASSAY_JSON_BLOCK; i++) {
        unsigned kind = kinds[(unsigned char)block[i]];
        if (kind != ORDINARY) found[kind] |= (uint64_t)1 << i;
    }
    masks->quote = found[QUOTE];
    masks->backslash = found[BACKSLASH];
    masks->newline = found[NEWLINE];
    masks->bracket = found[BRACKET];
}

/* The high bit of each byte of the word that is zero; bits above the lowest one may be wrong
   (Mycroft's test), so it says whether there is one, not where. */
static uint64_t has_zero(uint64_t word)
{
    return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

static int is_plain(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

static size_t plain_run_plain(const char *text, size_t length)
{
    const uint64_t each = UINT64_C(0x0101010101010101), high = 0x80 * each;
    size_t i = 0;

    for (; i + sizeof(uint64_t) <= length; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, text + i, sizeof word);
        uint64_t control = (word - 0x20 * each) & ~word & high;
        if ((word & high) | control | has_zero(word ^ '"' * each) | has_zero(word ^ '\\' * each))
            break;
    }
    while (i < length && is_plain(text[i])) i++;
    return i;
}

static size_t copy_simple_plain(const char *text, size_t length, char *to, size_t *made)
{
    size_t used = 0;

    for (*made = 0;;) {
        size_t run = plain_run_plain(text + used, length - used);
        char value;

        memcpy(to + *made, text + used, run);
        *made += run;
        used += run;
        if (length - used < 2 || text[used] != '\\') return used;
        value = assay_json_escapes[(unsigned char)text[used + 1]];
        if (!value) return used;
        to[(*made)++] = value;
        used += 2;
    }
}
