/* SPDX-License-Identifier: Apache-2.0 */
/* The few values that a reader wants of each JSON object, picked as the object passes. */
#ifndef ASSAY_LOGS_PICK_H
#define ASSAY_LOGS_PICK_H

#include "read/header.h"
#include "read/json.h"

/* A value that was met. */
typedef struct assay_value {
    assay_json_event kind; /* ASSAY_JSON_END: the object has no such key. An object or array shows
                              only that it is one */
    char *text;            /* of a string; of a number as written; ended by NUL; else "" */
    size_t length, capacity;
    double number; /* of a number; 1 for true and 0 for false; else NaN */
} assay_value;

/* Take a value with its key, of which value holds the first event: of an object or array what is
   within comes next, and all of it is to be read, or left (assay_json_leave). */
typedef assay_status (*assay_take_value)(void *user, assay_json_reader *reader, const char *key,
                                         const assay_value *value);

/* A value that is wanted: keys from the object down with '/' between them; '*' is any key. */
typedef struct assay_pick {
    const char *path;
    assay_take_value take; /* gets the value; NULL, with which no '*' can be: values[] keeps it */
} assay_pick;

enum { ASSAY_PICKS_MAX = 64, ASSAY_PICK_DEPTH = 6 };

/* The take of values that are passed over unread. */
assay_status assay_pick_pass(void *user, assay_json_reader *reader, const char *key,
                             const assay_value *value);

typedef struct assay_picker {
    const char *path; /* of the file, for messages; borrowed, as is the next */
    const assay_pick *picks;
    size_t n;
    void *user;          /* for take */
    assay_value *values; /* values[k] of picks[k]; good until the next object */
    assay_value taken;   /* what take is given */
    assay_name *parts;   /* ASSAY_PICK_DEPTH a pick: its path's keys, a NULL text behind the last */
    struct assay_picked_key *seen; /* the keys of the object before, by their place */
    size_t n_seen;                 /* of this object so far */
    char *key;                     /* for take */
    size_t key_capacity;
    size_t line; /* where the object began */
} assay_picker;  /* all zero is none; close it whatever happened */

/* Make ready to pick n values (at most ASSAY_PICKS_MAX, each at most ASSAY_PICK_DEPTH deep).
   ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_picker_open(assay_picker *picker, const char *path, const assay_pick *picks,
                               size_t n, void *user);
void assay_picker_close(assay_picker *picker);

/* Pick from the object whose start was the latest event, to its end. ASSAY_OK; ASSAY_E_FORMAT when a
   kept value is there twice, or a key that "*" stands for holds a NUL character; what
   assay_json_next() and take return. */
assay_status assay_picker_object(assay_picker *picker, assay_json_reader *reader);

/* Pick from each object of the array whose start was the latest event, and call done with the user's
   pointer after each; elements that are no objects are passed over. The same, and what done
   returns. */
typedef assay_status (*assay_object_done)(void *user);
assay_status assay_picker_array(assay_picker *picker, assay_json_reader *reader,
                                assay_object_done done);

/* A kept value as a name: a string, a number as it is written, true or false; else no text. */
assay_name assay_value_name(const assay_value *value);

#endif
