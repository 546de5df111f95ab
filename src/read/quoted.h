/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows, with parts of it in quotes: SQL, CSV. */
#ifndef ASSAY_READ_QUOTED_H
#define ASSAY_READ_QUOTED_H

#include "assay/base.h"

typedef struct assay_quoted {
    char *bytes; /* ended by NUL once something was added */
    size_t length, capacity;
} assay_quoted; /* all zero is empty; free bytes */

/* Append n bytes; words; n bytes between quotes, of which each within is written twice. ASSAY_OK or
   ASSAY_E_NOMEM. */
assay_status assay_quoted_add_bytes(assay_quoted *to, const char *bytes, size_t n);
assay_status assay_quoted_add(assay_quoted *to, const char *words);
assay_status assay_quoted_add_within(assay_quoted *to, char quote, const char *bytes, size_t n);

#endif
