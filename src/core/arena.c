/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise() is no part of POSIX */
#include "core/arena.h"

#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_SIZE = 1024, LARGE_SIZE = 2 * 1024 * 1024 };

typedef struct assay_arena_block {
    struct assay_arena_block *next;
    size_t size, used; /* of bytes */
    char bytes[];
} block;

static block *add_block(assay_arena *arena, size_t need);
static block *allocate(size_t size);

void assay_arena_free(assay_arena *arena)
{
    for (block *next, *b = arena->blocks; b; b = next) {
        next = b->next;
        free(b);
    }
    arena->blocks = NULL;
}

char *assay_arena_copy(assay_arena *arena, const char *text, size_t length)
{
    block *b = arena->blocks;
    char *copy;

    if (length == SIZE_MAX) return NULL;
    if (!b || b->size - b->used <= length) b = add_block(arena, length + 1);
    if (!b) return NULL;
    copy = b->bytes + b->used;
    if (length) memcpy(copy, text, length);
    copy[length] = '\0';
    b->used += length + 1;
    return copy;
}

/* Twice as large as the last one, as far as LARGE_SIZE. A text that would fill much of a block gets its
   own, behind the one that is filled, which stays the first. */
static block *add_block(assay_arena *arena, size_t need)
{
    block *first = arena->blocks, *b;
    size_t whole = first ? 2 * (sizeof *first + first->size) : FIRST_SIZE;

    if (need > SIZE_MAX / 2) return NULL;
    if (whole > LARGE_SIZE) whole = LARGE_SIZE;
    if (first && need > whole / 4 && need > first->size - first->used) {
        b = allocate(sizeof *b + need);
        if (!b) return NULL;
        b->next = first->next;
        first->next = b;
        return b;
    }
    while (whole - sizeof *b < need) whole *= 2;
    b = allocate(whole);
    if (!b) return NULL;
    b->next = first;
    arena->blocks = b;
    return b;
}

static block *allocate(size_t size)
{
    block *b = size == LARGE_SIZE ? aligned_alloc(LARGE_SIZE, size) : assay_alloc(1, size);

    if (!b) return NULL;
#if defined(MADV_HUGEPAGE)
    if (size == LARGE_SIZE) madvise(b, size, MADV_HUGEPAGE); /* only advice: may fail */
#endif
    b->next = NULL;
    b->size = size - sizeof *b;
    b->used = 0;
    return b;
}
