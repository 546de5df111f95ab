/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"

#include "core/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SENTENCE_SIZE = 1024 };

static _Thread_local char last_error[SENTENCE_SIZE];

static assay_status keep(assay_status status, const char *raw)
{
    assay_printable(last_error, sizeof last_error, raw, strlen(raw));
    return status;
}

assay_status assay_fail(assay_status status, const char *format, ...)
{
    char raw[SENTENCE_SIZE + 1]; /* a byte more than fits, so that a cut shows */
    va_list args;

    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    return keep(status, raw);
}

assay_status assay_fail_at(assay_status status, const char *path, size_t line, const char *format,
                           ...)
{
    char raw[SENTENCE_SIZE + 1];
    int prefix = line ? snprintf(raw, sizeof raw / 2, "%.400s:%zu: ", path, line)
                      : snprintf(raw, sizeof raw / 2, "%.400s: ", path);
    va_list args;

    va_start(args, format);
    vsnprintf(raw + prefix, sizeof raw - (size_t)prefix, format, args);
    va_end(args);
    return keep(status, raw);
}

const char *assay_last_error(void)
{
    return last_error;
}

const char *assay_status_text(assay_status status)
{
    switch (status) {
    case ASSAY_OK: return "ok";
    case ASSAY_E_NOMEM: return "out of memory";
    case ASSAY_E_SHAPE: return "bad shape";
    case ASSAY_E_VALUE: return "bad value";
    case ASSAY_E_DEGENERATE: return "undefined for this input";
    case ASSAY_E_CANCELLED: return "cancelled";
    case ASSAY_E_READ: return "cannot be read";
    case ASSAY_E_FORMAT: return "malformed input";
    case ASSAY_E_CONFLICT: return "conflicting observations";
    case ASSAY_E_WRITE: return "cannot be written";
    }
    return "unknown status";
}

const char *assay_version(void)
{
    return ASSAY_VERSION;
}

/* What a terminal may act on: C0, DEL and C1 controls, and marks that reorder the text around them.
 */
static int is_unsafe(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

char *assay_printable(char *out, size_t size, const char *text, size_t length)
{
    static const char ellipsis[] = "...";
    size_t used = 0, cut = 0; /* cut: the last place that leaves room for the ellipsis */

    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t n = assay_utf8_decode(text + i, length - i, &c);
        int escaped = n == 0 || is_unsafe(c);
        size_t bytes = n ? n : 1, need = escaped ? 4 * bytes : bytes;

        if (used + need >= size) {
            memcpy(out + cut, ellipsis, sizeof ellipsis);
            return out;
        }
        for (size_t k = 0; k < bytes; k++) {
            if (escaped)
                used += (size_t)snprintf(out + used, 5, "\\x%02x", (unsigned char)text[i + k]);
            else
                out[used++] = text[i + k];
        }
        i += bytes;
        if (used + sizeof ellipsis <= size) cut = used;
    }
    out[used] = '\0';
    return out;
}
