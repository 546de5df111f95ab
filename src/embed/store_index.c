/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/store_index.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* Keys are digests, but nothing keeps a caller from others: all of the key counts. */
static uint64_t hash_of(const unsigned char *key)
{
    uint64_t h = 0;

    for (size_t i = 0; i < ASSAY_STORE_KEY; i += sizeof h) {
        uint64_t word;

        memcpy(&word, key + i, sizeof word);
        h = (h ^ word) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;
    }
    return h;
}

/* The slot that holds this key, or the free one where it belongs. */
static size_t slot_of(const assay_store_index *index, const unsigned char *key)
{
    size_t mask = index->n_slots - 1, slot = hash_of(key) & mask;

    while (index->slots[slot] &&
           memcmp(index->entries[index->slots[slot] - 1].key, key, ASSAY_STORE_KEY) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

assay_store_entry *assay_store_index_find(const assay_store_index *index, const unsigned char *key)
{
    size_t slot = index->n_slots ? slot_of(index, key) : 0;

    return index->n_slots && index->slots[slot] ? &index->entries[index->slots[slot] - 1] : NULL;
}

int assay_store_index_reserve(assay_store_index *index)
{
    size_t n_slots = index->n_slots ? 2 * index->n_slots : 64, *slots;

    if (assay_grow(&index->entries, &index->capacity, index->n + 1, sizeof *index->entries) != 0)
        return -1;
    if (2 * (index->n + 1) <= index->n_slots) return 0;
    slots = assay_alloc_zero(n_slots, sizeof *slots);
    if (!slots) return -1;
    free(index->slots);
    index->slots = slots;
    index->n_slots = n_slots;
    for (size_t i = 0; i < index->n; i++) slots[slot_of(index, index->entries[i].key)] = i + 1;
    return 0;
}

void assay_store_index_add(assay_store_index *index, const unsigned char *key, int64_t place)
{
    assay_store_entry *entry = &index->entries[index->n];

    memcpy(entry->key, key, ASSAY_STORE_KEY);
    entry->place = place;
    index->slots[slot_of(index, key)] = ++index->n;
}

void assay_store_index_free(assay_store_index *index)
{
    free(index->entries);
    free(index->slots);
    *index = (assay_store_index){ 0 };
}
