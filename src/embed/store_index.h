/* SPDX-License-Identifier: Apache-2.0 */
/* Where the vector of a key is: an open hash table. */
#ifndef ASSAY_EMBED_STORE_INDEX_H
#define ASSAY_EMBED_STORE_INDEX_H

#include "embed/store.h"

typedef struct assay_store_entry {
    unsigned char key[ASSAY_STORE_KEY];
    int64_t place; /* the number of the record in the file, or ~i for the i-th that waits */
} assay_store_entry;

typedef struct assay_store_index {
    assay_store_entry *entries;
    size_t n, capacity;
    size_t *slots, n_slots; /* 1 + the entry; 0 is free; at most half are taken */
} assay_store_index;

/* The entry of a key, or NULL; good until the next one is added. */
assay_store_entry *assay_store_index_find(const assay_store_index *index, const unsigned char *key);

/* Make room for one entry more: 0, or -1 when there is no memory and nothing changed. */
int assay_store_index_reserve(assay_store_index *index);

/* Add a key that is not there; room was made. */
void assay_store_index_add(assay_store_index *index, const unsigned char *key, int64_t place);
void assay_store_index_free(assay_store_index *index);

#endif
