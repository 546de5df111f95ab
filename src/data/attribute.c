/* SPDX-License-Identifier: Apache-2.0 */
#include "data/attribute.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void assay_attribute_free(assay_attribute *attribute)
{
    assay_arena_free(&attribute->texts);
    free(attribute->text);
    *attribute = (assay_attribute){ 0 };
}

int assay_attribute_set(assay_attribute *attribute, size_t index, const char *text, size_t length)
{
    if (assay_grow(&attribute->text, &attribute->capacity, index + 1, sizeof *attribute->text) != 0)
        return -1;
    while (attribute->count <= index) attribute->text[attribute->count++] = NULL;
    if (attribute->text[index]) return 0;
    /* A task's items carry the same text one after the other. */
    if (!attribute->latest || attribute->latest_length != length ||
        (length > 0 && memcmp(attribute->latest, text, length) != 0)) {
        attribute->latest = assay_arena_copy(&attribute->texts, text, length);
        attribute->latest_length = length;
    }
    attribute->text[index] = attribute->latest;
    return attribute->text[index] ? 0 : -1;
}

const char *assay_attribute_get(const assay_attribute *attribute, size_t index)
{
    return index < attribute->count ? attribute->text[index] : NULL;
}
