/* SPDX-License-Identifier: Apache-2.0 */
#include "read/quoted.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

assay_status assay_quoted_add_bytes(assay_quoted *to, const char *bytes, size_t n)
{
    if (assay_grow(&to->bytes, &to->capacity, to->length + n + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", to->length + n);
    if (n > 0) memcpy(to->bytes + to->length, bytes, n);
    to->length += n;
    to->bytes[to->length] = '\0';
    return ASSAY_OK;
}

assay_status assay_quoted_add(assay_quoted *to, const char *words)
{
    return assay_quoted_add_bytes(to, words, strlen(words));
}

assay_status assay_quoted_add_within(assay_quoted *to, char quote, const char *bytes, size_t n)
{
    assay_status status = assay_quoted_add_bytes(to, &quote, 1);

    while (status == ASSAY_OK && n > 0) {
        const char *found = memchr(bytes, quote, n);
        const size_t length = found ? (size_t)(found - bytes) + 1 : n;

        status = assay_quoted_add_bytes(to, bytes, length);
        if (status == ASSAY_OK && found) status = assay_quoted_add_bytes(to, &quote, 1);
        bytes += length;
        n -= length;
    }
    return status == ASSAY_OK ? assay_quoted_add_bytes(to, &quote, 1) : status;
}
