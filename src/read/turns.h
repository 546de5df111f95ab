/* SPDX-License-Identifier: Apache-2.0 */
/* The turns of a prompt, in the forms that JSON has for them. */
#ifndef ASSAY_READ_TURNS_H
#define ASSAY_READ_TURNS_H

#include "read/header.h"
#include "read/json.h"

typedef struct assay_turn_text {
    char *text;
    size_t length, capacity;
} assay_turn_text;

/* Where the text of a turn stands among those of all. */
typedef struct assay_turn_place {
    size_t start, length;
} assay_turn_place;

/* The turns of one value after the other; all zero is an empty list. */
typedef struct assay_turn_list {
    assay_turn_text all, content, spare; /* the last two are room for the message at hand */
    assay_turn_place *places;
    size_t n_read, places_capacity;
    size_t n;          /* of those read: without the model's own at the end */
    const char *fault; /* what stood where a text was expected ("a number"), or NULL */
    size_t fault_turn; /* from 1 */
    assay_name *names; /* what assay_turn_list_names() gives */
    size_t names_capacity;
} assay_turn_list;

void assay_turn_list_free(assay_turn_list *list);

/* Read the rest of an array or an object, whose start was the latest event, as turns in place of those
   before. What is neither turn nor text is kept as the fault, and the rest of the value is still
   passed over. ASSAY_OK; ASSAY_E_NOMEM; what assay_json_next() returns. */
assay_status assay_turn_list_read(assay_turn_list *list, assay_json_reader *reader,
                                  assay_json_event start);

/* The n turns, valid until the next call; NULL without memory. */
const assay_name *assay_turn_list_names(assay_turn_list *list);

#endif
