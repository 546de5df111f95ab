/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of many texts that are freed at once: one after the other in large blocks, so that a text
   costs neither an allocation of its own nor, where the system has huge pages, page faults. */
#ifndef ASSAY_CORE_ARENA_H
#define ASSAY_CORE_ARENA_H

#include <stddef.h>

typedef struct assay_arena {
    struct assay_arena_block *blocks; /* the one that is filled first */
} assay_arena;                        /* all zero is an empty one */

void assay_arena_free(assay_arena *arena);

/* A NUL-ended copy of length bytes of text, which lives as long as the arena; NULL when there is no
   memory. O(length). Memory: at most twice the texts, and at most 2 MiB more than they. */
char *assay_arena_copy(assay_arena *arena, const char *text, size_t length);

#endif
