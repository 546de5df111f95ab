/* SPDX-License-Identifier: Apache-2.0 */
#include "core/hex.h"

void assay_hex(const unsigned char *bytes, size_t n, char *hex)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t k = 0; k < n; k++) {
        hex[2 * k] = digits[bytes[k] >> 4];
        hex[2 * k + 1] = digits[bytes[k] & 15];
    }
    hex[2 * n] = '\0';
}
