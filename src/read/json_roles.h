/* SPDX-License-Identifier: Apache-2.0 */
/* Values within nested JSON that options name by dotted paths, in JSON rows and in cells of a table
   that hold JSON. */
#ifndef ASSAY_READ_JSON_ROLES_H
#define ASSAY_READ_JSON_ROLES_H

#include "read/columns.h"
#include "read/json.h"

/* Text that grows and is used again row by row. */
typedef struct assay_json_buffer {
    char *text;
    size_t length, capacity;
} assay_json_buffer;

typedef struct assay_json_role {
    const char *given; /* "outer.inner", or NULL; borrowed */
    int ever, present; /* some row had it; this row has it */
    assay_json_buffer value;
    assay_json_event kind; /* of the value, as it stands in JSON */
} assay_json_role;

typedef struct assay_json_roles {
    const char *file; /* for messages; borrowed, as is the next */
    assay_json_reader *reader;
    size_t line; /* of the row */
    assay_json_role of[ASSAY_N_ROLES];
    assay_json_buffer path;        /* of the key at hand, with dots between */
    assay_json_buffer name, score; /* of an element of a list */
} assay_json_roles;                /* all zero is none; free it whatever happened */

void assay_json_roles_free(assay_json_roles *roles);

/* Take the roles' paths from the options; begin a row. */
void assay_json_roles_give(assay_json_roles *roles, const assay_read_options *options);
void assay_json_roles_begin(assay_json_roles *roles, size_t line);

/* Replace what stands in a buffer from byte at on, and end it by NUL. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_json_buffer_set(assay_json_buffer *to, size_t at, const char *text,
                                   size_t length);

/* The role that the path names, or one of these: a given path goes through it, or none does. */
enum { ASSAY_JSON_NO_ROLE = -1, ASSAY_JSON_WITHIN = -2 };
int assay_json_roles_choose(const assay_json_roles *roles);

/**
 * Take the value that comes next for a role. A score may be an object that holds it under "score" or
 * "value". Of a role that no option decides, an object or array is none.
 *
 * @return ASSAY_OK; ASSAY_E_FORMAT for another object or array, and for a value that the row had
 *         already; what assay_json_next() returns; ASSAY_E_NOMEM.
 */
assay_status assay_json_roles_take(assay_json_roles *roles, int role);

/**
 * Look for given paths within the value that comes next, whose own path is at hand. Objects go by
 * their keys, which may have dots and spaces in them; lists by number ("scores.0"), and those of
 * objects by what these are called, under name, key, metric or scorer ("scores.exact_match" is the
 * "score" or "value" of the element with that name). The same.
 */
assay_status assay_json_roles_descend(assay_json_roles *roles);

#endif
