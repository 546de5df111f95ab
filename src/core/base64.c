/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base64.h"

#include "core/memory.h"

char *assay_base64(const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = assay_alloc((n / 3 + 1) * 4 + 1, 1), *at = text;

    if (!text) return NULL;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i < 3 ? n - i : 3;
        unsigned long group = (unsigned long)bytes[i] << 16;

        if (left > 1) group |= (unsigned long)bytes[i + 1] << 8;
        if (left > 2) group |= bytes[i + 2];
        for (size_t k = 0; k < 4; k++) *at++ = k <= left ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
    *at = '\0';
    return text;
}
