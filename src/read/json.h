/* SPDX-License-Identifier: Apache-2.0 */
/* The one JSON reader: a pull parser that builds nothing, streams, and takes what real logs hold.
 */
#ifndef ASSAY_READ_JSON_H
#define ASSAY_READ_JSON_H

#include "assay/base.h"

/* Where the bytes come from: fill buffer with up to size bytes and set *got; 0 is the end. */
typedef assay_status (*assay_json_source)(void *user, char *buffer, size_t size, size_t *got);

typedef enum assay_json_event {
    ASSAY_JSON_END = 0,    /* no more values */
    ASSAY_JSON_OBJECT = 1, /* { */
    ASSAY_JSON_OBJECT_END = 2,
    ASSAY_JSON_ARRAY = 3, /* [ */
    ASSAY_JSON_ARRAY_END = 4,
    ASSAY_JSON_KEY = 5,    /* text, length: the unescaped key */
    ASSAY_JSON_STRING = 6, /* text, length: unescaped, UTF-8 */
    ASSAY_JSON_NUMBER = 7, /* text, length: as written; number: its value */
    ASSAY_JSON_TRUE = 8,
    ASSAY_JSON_FALSE = 9,
    ASSAY_JSON_NULL = 10
} assay_json_event;

typedef struct assay_json_reader assay_json_reader; /* opaque */

/**
 * Read a stream of JSON values: one document, JSON lines, or values one after the other.
 *
 * More is taken than RFC 8259 allows, because evaluation logs hold it: a byte order mark; NaN,
 * Infinity and -Infinity as numbers; any number of values, with or without line ends between them
 * ("}{"); integers of any length (number is then the nearest double, text the digits); lone
 * surrogate escapes and bytes that are not UTF-8, which become U+FFFD each; literal control
 * characters other than NUL, U+0085 and U+2028 within strings; duplicate keys (each is reported).
 * Lines end with \n only. UTF-16 is refused.
 *
 * @param path    how messages call the input. Borrowed.
 * @param out     the reader, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 */
assay_status assay_json_open(const char *path, assay_json_source source, void *user,
                             assay_json_reader **out);
void assay_json_close(assay_json_reader *reader); /* NULL is fine */

/**
 * The next event. Text is borrowed, ended by NUL, and valid until the next call; "" where an event
 * has none. Number is 0 but for ASSAY_JSON_NUMBER: the nearest double, infinite where text is
 * beyond the largest one.
 *
 * @return ASSAY_OK; ASSAY_E_FORMAT with "PATH:LINE:BYTE: what, expected ..." (lines and the bytes
 *         in them count from 1), also for nesting deeper than 1,000 and a string or number over
 *         1 GiB; what the source returns; ASSAY_E_NOMEM. After a failure every further call fails
 *         the same way.
 * Memory: the longest string, and a buffer of 256 KiB.
 */
assay_status assay_json_next(assay_json_reader *reader, assay_json_event *event, const char **text,
                             size_t *length, double *number);

/* Pass over the value that comes next (after a KEY, or in an array, or at top level), whatever it
   holds, without unescaping or building any of it, in memory that does not depend on its size.
   Brackets and strings are balanced and followed exactly; what stands between them, and in strings,
   is not otherwise checked. Where an end or a key comes next, nothing is passed over.
   Returns what assay_json_next does. */
assay_status assay_json_skip(assay_json_reader *reader);

/* Pass over the rest of the innermost open object or array, its end included, in the same way. At
   top level, nothing is passed over. */
assay_status assay_json_leave(assay_json_reader *reader);

/* Whether something is within a value that begins with this event. */
static inline int assay_json_is_container(assay_json_event event)
{
    return event == ASSAY_JSON_OBJECT || event == ASSAY_JSON_ARRAY;
}

/* Pass over the rest of a value, whose first event was the latest: of a text or a number nothing is
   left. Returns what assay_json_leave does. */
static inline assay_status assay_json_leave_value(assay_json_reader *reader, assay_json_event first)
{
    return assay_json_is_container(first) ? assay_json_leave(reader) : ASSAY_OK;
}

/* After a failure: 1 when the input ended within a value (a cut tail), 0 for any other fault. */
int assay_json_is_cut(const assay_json_reader *reader);

/* How many bytes, of all strings and keys so far, were not UTF-8 and became U+FFFD. */
size_t assay_json_n_mended(const assay_json_reader *reader);

/* The line, from 1, on which the latest event or skipped value began; and how many objects and
   arrays are open. */
size_t assay_json_line(const assay_json_reader *reader);
size_t assay_json_depth(const assay_json_reader *reader);

#endif
