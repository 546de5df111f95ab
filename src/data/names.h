/* SPDX-License-Identifier: Apache-2.0 */
/* Names numbered by first appearance: text to index by hashing, index to text by an array. */
#ifndef ASSAY_DATA_NAMES_H
#define ASSAY_DATA_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* The hash is there to pass over other names without going to their texts. */
typedef struct assay_name_slot {
    uint32_t hash, at; /* at: index + 1, or 0 where free */
} assay_name_slot;

typedef struct assay_names {
    char **text; /* text[index], each ended by NUL */
    size_t count, capacity;
    assay_name_slot *slots; /* open addressing; a power of two of them */
    size_t n_slots;
    size_t latest; /* the name that was added or met last: often it is the next one too */
} assay_names;     /* all zero is an empty table */

void assay_names_free(assay_names *names);

/* The index of a name, added when it is new. Returns 0, or -1 when there is no memory and nothing
   changed. O(length) on average. */
int assay_names_add(assay_names *names, const char *text, size_t length, size_t *index);

/* The index of a name, -1 where it is not there. */
ptrdiff_t assay_names_find(const assay_names *names, const char *text, size_t length);

/* Forget the names from index count on, which are the ones added last. */
void assay_names_cut(assay_names *names, size_t count);

#endif
