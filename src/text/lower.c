/* SPDX-License-Identifier: Apache-2.0 */
#include "text/lower.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "text/characters.h"

#include <utf8proc.h>

enum { CAPITAL_SIGMA = 0x3a3, SIGMA = 0x3c3, FINAL_SIGMA = 0x3c2 };
enum { CAPITAL_I_WITH_DOT = 0x130, DOT_ABOVE = 0x307 };
enum { GROWTH_MAX = 3 }; /* a bad byte becomes three bytes, a character of two at most three */

static uint32_t lower_sigma(const char *text, size_t length, size_t at, size_t next);
static size_t decode_last(const char *text, size_t length, uint32_t *c);
static size_t decode_first(const char *text, size_t length, uint32_t *c);

assay_status assay_lower(const char *text, size_t length, assay_lowered *out)
{
    size_t n = 0, next;

    if (length > SIZE_MAX / GROWTH_MAX - 1 ||
        assay_grow(&out->text, &out->capacity, GROWTH_MAX * length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", length);
    for (size_t i = 0; i < length; i = next) {
        const unsigned char byte = (unsigned char)text[i];
        uint32_t c;

        if (byte < 0x80) {
            out->text[n++] = (char)(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
            next = i + 1;
            continue;
        }
        next = i + decode_first(text + i, length - i, &c);
        if (c == CAPITAL_I_WITH_DOT) {
            out->text[n++] = 'i';
            c = DOT_ABOVE;
        } else if (c == CAPITAL_SIGMA) {
            c = lower_sigma(text, length, i, next);
        } else {
            c = (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);
        }
        n += assay_utf8_encode(c, out->text + n);
    }
    out->length = n;
    return ASSAY_OK;
}

/* Final_Sigma: a cased character comes before and none after, case-ignorable ones passed over. The
   capital sigma takes the bytes from at to next. */
static uint32_t lower_sigma(const char *text, size_t length, size_t at, size_t next)
{
    uint32_t c = ASSAY_REPLACEMENT;

    while (at > 0) {
        at -= decode_last(text, at, &c);
        if (!assay_is_case_ignorable(c)) break;
        c = ASSAY_REPLACEMENT;
    }
    if (!assay_is_cased(c)) return SIGMA;
    for (c = ASSAY_REPLACEMENT; next < length; c = ASSAY_REPLACEMENT) {
        next += decode_first(text + next, length - next, &c);
        if (!assay_is_case_ignorable(c)) break;
    }
    return assay_is_cased(c) ? SIGMA : FINAL_SIGMA;
}

/* The character that ends text, and how many bytes it takes. */
static size_t decode_last(const char *text, size_t length, uint32_t *c)
{
    for (size_t n = 1; n <= 4 && n <= length; n++)
        if (assay_utf8_decode(text + length - n, n, c) == n) return n;
    *c = ASSAY_REPLACEMENT;
    return 1;
}

static size_t decode_first(const char *text, size_t length, uint32_t *c)
{
    size_t n = assay_utf8_decode(text, length, c);

    if (n == 0) *c = ASSAY_REPLACEMENT;
    return n ? n : 1;
}
