/* SPDX-License-Identifier: Apache-2.0 */
/* Text in lower case, as Python's str.lower() gives it. */
#ifndef ASSAY_TEXT_LOWER_H
#define ASSAY_TEXT_LOWER_H

#include "assay/base.h"

/* UTF-8 that is used again text by text; starts as zeros, and text is freed with free(). */
typedef struct assay_lowered {
    char *text; /* not ended by NUL */
    size_t length, capacity;
} assay_lowered;

/**
 * Put text into out in lower case: full mappings (U+0130 becomes two characters), a capital sigma
 * at the end of a word the final one. Every byte that is not UTF-8 becomes U+FFFD.
 *
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 * Cost: O(length).
 */
assay_status assay_lower(const char *text, size_t length, assay_lowered *out);

#endif
