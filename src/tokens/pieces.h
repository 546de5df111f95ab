/* SPDX-License-Identifier: Apache-2.0 */
/* The pieces of a vocabulary, found by their text or as the longest one that a text begins with. */
#ifndef ASSAY_TOKENS_PIECES_H
#define ASSAY_TOKENS_PIECES_H

#include <stddef.h>
#include <stdint.h>

enum { ASSAY_PIECE_MAX = 1024 }; /* bytes of the longest piece */

typedef struct assay_piece {
    size_t start, length; /* in the text of all */
    uint64_t hash;
    uint32_t id;
} assay_piece;

/* Open addressing; index is that of the piece and one, or 0 where free. */
typedef struct assay_piece_slot {
    uint32_t tag, index; /* tag: the upper half of the hash */
} assay_piece_slot;

typedef struct assay_pieces {
    char *text;
    size_t n_bytes, text_capacity;
    assay_piece *pieces; /* in the order in which they came */
    size_t n, capacity;
    assay_piece_slot *slots; /* a power of two of them */
    size_t n_slots;
    size_t longest; /* bytes */
} assay_pieces;     /* all zero is an empty vocabulary */

void assay_pieces_free(assay_pieces *pieces);

/* Add a piece of 1 to ASSAY_PIECE_MAX bytes. Returns 0, 1 when it is there already (and keeps its id), or
   -1 when there is no memory. */
int assay_pieces_add(assay_pieces *pieces, const char *text, size_t length, uint32_t id);

/* 1 and the id of a piece that is there, else 0. */
int assay_pieces_find(const assay_pieces *pieces, const char *text, size_t length, uint32_t *id);

/* The longest piece that text begins with: its bytes and id, or 0 when there is none. */
size_t assay_pieces_longest(const assay_pieces *pieces, const char *text, size_t length,
                            uint32_t *id);

#endif
