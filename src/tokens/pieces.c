/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens/pieces.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a goes byte by byte, so that the hashes of all beginnings of a text cost one pass. */
static const uint64_t HASH_START = 0xcbf29ce484222325u;

static uint64_t hash_on(uint64_t hash, char byte);
static int rehash(assay_pieces *pieces, size_t n_slots);
static size_t slot_of(const assay_pieces *pieces, uint64_t hash, const char *text, size_t length);

void assay_pieces_free(assay_pieces *pieces)
{
    free(pieces->text);
    free(pieces->pieces);
    free(pieces->slots);
    *pieces = (assay_pieces){ 0 };
}

int assay_pieces_add(assay_pieces *pieces, const char *text, size_t length, uint32_t id)
{
    uint64_t hash = HASH_START;
    size_t slot;

    for (size_t i = 0; i < length; i++) hash = hash_on(hash, text[i]);
    if (2 * (pieces->n + 1) > pieces->n_slots &&
        rehash(pieces, pieces->n_slots ? 2 * pieces->n_slots : 64) != 0)
        return -1;
    slot = slot_of(pieces, hash, text, length);
    if (pieces->slots[slot].index) return 1;
    if (assay_grow(&pieces->pieces, &pieces->capacity, pieces->n + 1, sizeof *pieces->pieces) ||
        assay_grow(&pieces->text, &pieces->text_capacity, pieces->n_bytes + length, 1))
        return -1;
    memcpy(pieces->text + pieces->n_bytes, text, length);
    pieces->pieces[pieces->n++] = (assay_piece){ pieces->n_bytes, length, hash, id };
    pieces->slots[slot] = (assay_piece_slot){ (uint32_t)(hash >> 32), (uint32_t)pieces->n };
    pieces->n_bytes += length;
    if (length > pieces->longest) pieces->longest = length;
    return 0;
}

int assay_pieces_find(const assay_pieces *pieces, const char *text, size_t length, uint32_t *id)
{
    uint64_t hash = HASH_START;
    uint32_t index;

    if (length > pieces->longest || pieces->n == 0) return 0;
    for (size_t i = 0; i < length; i++) hash = hash_on(hash, text[i]);
    index = pieces->slots[slot_of(pieces, hash, text, length)].index;
    if (index) *id = pieces->pieces[index - 1].id;
    return index != 0;
}

size_t assay_pieces_longest(const assay_pieces *pieces, const char *text, size_t length,
                            uint32_t *id)
{
    uint64_t hashes[ASSAY_PIECE_MAX + 1];

    if (length > pieces->longest) length = pieces->longest;
    hashes[0] = HASH_START;
    for (size_t i = 0; i < length; i++) hashes[i + 1] = hash_on(hashes[i], text[i]);
    for (; length > 0; length--) {
        const uint32_t index = pieces->slots[slot_of(pieces, hashes[length], text, length)].index;

        if (!index) continue;
        *id = pieces->pieces[index - 1].id;
        return length;
    }
    return 0;
}

static uint64_t hash_on(uint64_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * 0x100000001b3u;
}

static int rehash(assay_pieces *pieces, size_t n_slots)
{
    assay_piece_slot *slots = assay_alloc_zero(n_slots, sizeof *slots);

    if (!slots) return -1;
    for (size_t k = 0; k < pieces->n; k++) {
        const uint64_t hash = pieces->pieces[k].hash;
        size_t slot = (hash ^ hash >> 32) & (n_slots - 1);

        while (slots[slot].index) slot = (slot + 1) & (n_slots - 1);
        slots[slot] = (assay_piece_slot){ (uint32_t)(hash >> 32), (uint32_t)k + 1 };
    }
    free(pieces->slots);
    pieces->slots = slots;
    pieces->n_slots = n_slots;
    return 0;
}

/* The slot that holds this text, or the free one where it belongs. */
static size_t slot_of(const assay_pieces *pieces, uint64_t hash, const char *text, size_t length)
{
    const size_t mask = pieces->n_slots - 1;
    size_t slot = (hash ^ hash >> 32) & mask;

    for (; pieces->slots[slot].index; slot = (slot + 1) & mask) {
        const assay_piece *piece;

        if (pieces->slots[slot].tag != (uint32_t)(hash >> 32)) continue;
        piece = &pieces->pieces[pieces->slots[slot].index - 1];
        if (piece->length == length && memcmp(pieces->text + piece->start, text, length) == 0)
            return slot;
    }
    return slot;
}
