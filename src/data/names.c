/* SPDX-License-Identifier: Apache-2.0 */
#include "data/names.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, its bits mixed once more because the slots use the low ones first. */
static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return (uint32_t)(h ^ h >> 32);
}

static int is_text(const char *known, const char *text, size_t length)
{
    return strncmp(known, text, length) == 0 && !known[length];
}

/* The slot that holds this name, or the free one where it belongs. */
static size_t slot_of(const assay_names *names, uint32_t hash, const char *text, size_t length)
{
    size_t mask = names->n_slots - 1, slot = hash & mask;

    for (; names->slots[slot].at; slot = (slot + 1) & mask) {
        const assay_name_slot *known = &names->slots[slot];

        if (known->hash == hash && is_text(names->text[known->at - 1], text, length)) return slot;
    }
    return slot;
}

static int rehash(assay_names *names, size_t n_slots)
{
    assay_name_slot *slots = assay_alloc_zero(n_slots, sizeof *slots);

    if (!slots) return -1;
    for (size_t k = 0; k < names->n_slots; k++) {
        const assay_name_slot *known = &names->slots[k];
        size_t slot = known->hash & (n_slots - 1);

        if (!known->at) continue;
        while (slots[slot].at) slot = (slot + 1) & (n_slots - 1);
        slots[slot] = *known;
    }
    free(names->slots);
    names->slots = slots;
    names->n_slots = n_slots;
    return 0;
}

int assay_names_add(assay_names *names, const char *text, size_t length, size_t *index)
{
    uint32_t hash;
    size_t slot;
    char *copy;

    length = strnlen(text, length); /* a name ends at a NUL byte, should a log hold one */
    if (names->latest < names->count && is_text(names->text[names->latest], text, length)) {
        *index = names->latest;
        return 0;
    }
    hash = hash_of(text, length);
    if (2 * (names->count + 1) > names->n_slots &&
        rehash(names, names->n_slots ? 2 * names->n_slots : 64) != 0)
        return -1;
    slot = slot_of(names, hash, text, length);
    if (names->slots[slot].at) {
        *index = names->latest = names->slots[slot].at - 1;
        return 0;
    }
    if (names->count == UINT32_MAX - 1 ||
        assay_grow(&names->text, &names->capacity, names->count + 1, sizeof *names->text) != 0)
        return -1;
    copy = assay_copy_text(text, length);
    if (!copy) return -1;
    names->text[names->count] = copy;
    names->slots[slot] = (assay_name_slot){ hash, (uint32_t)++names->count };
    *index = names->latest = names->count - 1;
    return 0;
}

ptrdiff_t assay_names_find(const assay_names *names, const char *text, size_t length)
{
    size_t slot;

    length = strnlen(text, length);
    if (names->n_slots == 0) return -1;
    slot = slot_of(names, hash_of(text, length), text, length);
    return (ptrdiff_t)names->slots[slot].at - 1;
}

/* Slots found free when a name was added may be freed again while it is the newest: no other name's
   search passes over them. */
void assay_names_cut(assay_names *names, size_t count)
{
    while (names->count > count) {
        char *text = names->text[names->count - 1];
        size_t length = strlen(text);

        names->slots[slot_of(names, hash_of(text, length), text, length)].at = 0;
        names->count--;
        free(text);
    }
}

void assay_names_free(assay_names *names)
{
    for (size_t i = 0; i < names->count; i++) free(names->text[i]);
    free(names->text);
    free(names->slots);
    *names = (assay_names){ 0 };
}
