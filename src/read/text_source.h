/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in memory as a source of the JSON reader. */
#ifndef ASSAY_READ_TEXT_SOURCE_H
#define ASSAY_READ_TEXT_SOURCE_H

#include "read/json.h"

typedef struct assay_text_source {
    const char *text;
    size_t left;
} assay_text_source;

/* user is an assay_text_source. */
assay_status assay_text_source_read(void *user, char *buffer, size_t size, size_t *got);

#endif
