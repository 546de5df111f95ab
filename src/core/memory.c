/* SPDX-License-Identifier: Apache-2.0 */
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

void *assay_alloc(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) return NULL;
    return malloc(count && size ? count * size : 1);
}

void *assay_alloc_zero(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) return NULL; /* AddressSanitizer's calloc() would abort */
    return calloc(count ? count : 1, size ? size : 1);
}

void *assay_alloc_aligned(size_t count, size_t size)
{
    size_t bytes;
    void *p;

    if (size && count > (SIZE_MAX - ALIGNMENT) / size) return NULL;
    bytes = (count * size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1);
    p = aligned_alloc(ALIGNMENT, bytes);
    if (p) memset(p, 0, bytes);
    return p;
}

int assay_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    size_t grown = *capacity;
    void *old, *p;

    if (need <= *capacity) return 0;
    if (need > SIZE_MAX / 2 / size) return -1;
    if (grown < 16) grown = 16;
    while (grown < need) grown = grown > SIZE_MAX / 4 / size ? need : 2 * grown;
    memcpy(&old, array, sizeof old);
    p = realloc(old, grown * size);
    if (!p) return -1;
    memcpy(array, &p, sizeof p);
    *capacity = grown;
    return 0;
}

char *assay_copy_text(const char *text, size_t length)
{
    char *copy = assay_alloc(length + 1, 1);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
