/* SPDX-License-Identifier: Apache-2.0 */
/* Which item of the table a row is about, when several inputs name and number their items each in
   their own way. */
#ifndef ASSAY_DATA_IDENTITY_H
#define ASSAY_DATA_IDENTITY_H

#include "assay/results.h"
#include "data/names.h"

enum { ASSAY_CONTENT_SIZE = 16, ASSAY_NO_RECORD = -1 };

/* How an input writes an id. */
typedef enum assay_id_kind {
    ASSAY_ID_UNKNOWN = 0, /* a CSV file has only text */
    ASSAY_ID_NUMBER = 1,
    ASSAY_ID_TEXT = 2
} assay_id_kind;

/* What an item asks, as a digest; kind 0 is none. Only two of one kind are compared. */
typedef struct assay_content {
    unsigned char digest[ASSAY_CONTENT_SIZE];
    unsigned char kind;
} assay_content;

enum { ASSAY_CONTENT_OF_TEXT = 1 }; /* any other kind is the caller's: digests of one tool */

/* What a row says about its item. Text need not end in NUL. */
typedef struct assay_claim {
    const char *id;
    size_t id_length;
    const char *task; /* only contents of one task are equal; NULL: of none */
    size_t task_length;
    const char *content; /* the text, or the tool's digest; NULL: the row says nothing of it */
    size_t content_length;
    int kind; /* of content: ASSAY_CONTENT_OF_TEXT, or a larger number */
    assay_id_kind id_kind;
    ptrdiff_t record; /* where the score goes; ASSAY_NO_RECORD */
} assay_claim;

/* What is known of an item for the sake of joining: 40 bytes an item, of inputs that say contents. */
typedef struct assay_known_item {
    assay_content content;
    unsigned char own;      /* in that source its id is its name */
    unsigned char id_kinds; /* assay_id_kind as bits, of all sources */
    uint32_t source;        /* the latest that took it */
    uint32_t input;         /* of the table's inputs the one that brought it */
    uint32_t next;          /* of equal content, + 1 */
    uint32_t untaken;       /* of the first of equal content: where to look in this source, + 1 */
} assay_known_item;

/* An id that means an item of another name. */
typedef struct assay_alias {
    assay_content content;
    uint32_t item, source;
} assay_alias;

/* The start of a digest, and the first item of that content, + 1; 0 where free. */
typedef struct assay_content_slot {
    uint32_t start, first;
} assay_content_slot;

typedef struct assay_identity {
    assay_known_item *items; /* by item of the table */
    size_t n, capacity;
    assay_content_slot *slots; /* open addressing by content */
    size_t n_slots, n_contents;
    assay_names alias_names;
    assay_alias *aliases;
    size_t aliases_capacity;
    struct assay_hasher *hasher;           /* kept from one content to the next; or NULL */
    uint32_t source;                       /* the one that is read, from 1 */
    size_t joined, collided, mixed_kinds;  /* of this source */
    size_t checked_items, checked_aliases; /* at the end of the source before */
} assay_identity;                          /* all zero is an empty one */

void assay_identity_free(assay_identity *identity);

/* A source (one input file) begins. */
void assay_identity_begin(assay_results *results);

/**
 * The item that a row of the current source is about, new or known.
 *
 * Within a source the id is the identity: two ids of equal content stay two items. An id that is new
 * in this source is, in this order,
 *   an item of equal content that no other id of this source took: the one of that id first, else
 *     one whose cell in the row's record is free;
 *   the item of that id, where one of the two has no content;
 *   a new item.
 * An id that stood for another content in an earlier source is a conflict; with the table's force the
 * content decides, and a new item is called "ID~" and eight digits of its content.
 *
 * @return ASSAY_OK; ASSAY_E_CONFLICT, whose sentence names the id and the earlier input but no file;
 *         ASSAY_E_NOMEM.
 * Cost: O(1) on average, and for an id that is new in its source O(length of the content).
 */
assay_status assay_identity_find(assay_results *results, const assay_claim *claim, size_t *item);

/* The source was read to its end: note what was joined, and join items that it showed to be one. path
   is what the notes call it. ASSAY_OK; ASSAY_E_CONFLICT; ASSAY_E_NOMEM. */
assay_status assay_identity_end(assay_results *results, const char *path);

/* The content of a text: SHA-256, its first bytes, of the text in Unicode's form NFC without white
   space around it and with one space for each run of white space within; the case counts. Of a tool's
   digest: of its bytes. The identity keeps what serves the next one. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_content_of(assay_identity *identity, const assay_claim *claim,
                              assay_content *content);
void assay_content_free(assay_identity *identity); /* what is kept */

/* Let items be others: item i becomes into[i], which is i where it stays; no record holds cells of
   both. Items are numbered anew. ASSAY_OK or ASSAY_E_NOMEM. O(cells). */
assay_status assay_identity_merge(assay_results *results, const size_t *into);

#endif
