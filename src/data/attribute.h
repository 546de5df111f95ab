/* SPDX-License-Identifier: Apache-2.0 */
/* A text that some items, or some models, carry: index to text, NULL where there is none. */
#ifndef ASSAY_DATA_ATTRIBUTE_H
#define ASSAY_DATA_ATTRIBUTE_H

#include "core/arena.h"

#include <stddef.h>

typedef struct assay_attribute {
    const char **text; /* of texts; one may stand at several indices */
    size_t count, capacity;
    assay_arena texts;
    const char *latest; /* the one that was copied last, and its length */
    size_t latest_length;
} assay_attribute; /* all zero is an empty one */

void assay_attribute_free(assay_attribute *attribute);

/* Keep a copy of text for index, unless it has one already. 0, or -1 when there is no memory. */
int assay_attribute_set(assay_attribute *attribute, size_t index, const char *text, size_t length);

const char *assay_attribute_get(const assay_attribute *attribute, size_t index);

#endif
