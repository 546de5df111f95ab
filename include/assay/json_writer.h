/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of every JSON that assay emits. */
#ifndef ASSAY_JSON_WRITER_H
#define ASSAY_JSON_WRITER_H

#include "assay/base.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ASSAY_JSON_MAX_DEPTH = 32 };

/* A document being written. Start from assay_json_start(); the fields are the writer's own. */
typedef struct assay_json {
    FILE *to;
    int pretty;                         /* 1: indented by two spaces; 0: one line */
    int depth;                          /* open objects and arrays; at most ASSAY_JSON_MAX_DEPTH */
    int after_key;                      /* a key was written and its value is due */
    char filled[ASSAY_JSON_MAX_DEPTH];  /* the container at each depth already holds a value */
    char in_line[ASSAY_JSON_MAX_DEPTH]; /* its values stand on one line although pretty */
} assay_json;

/**
 * Begin a document on a stream that stays the caller's. Failed writes are seen by ferror(to).
 *
 * Within an object each value is preceded by assay_json_key(). Text that is not UTF-8 has each bad
 * byte replaced by U+FFFD; control characters and U+2028/2029 are escaped, so that the output is
 * valid JSON whatever the input was. Numbers are written as the shortest text that reads back as
 * the same double; NaN and infinities, which JSON lacks, as null.
 */
ASSAY_API void assay_json_start(assay_json *json, FILE *to, int pretty);

ASSAY_API void assay_json_begin_object(assay_json *json);
ASSAY_API void assay_json_end_object(assay_json *json);
ASSAY_API void assay_json_begin_array(assay_json *json);
ASSAY_API void assay_json_begin_array_in_line(assay_json *json); /* for short rows of numbers */
ASSAY_API void assay_json_end_array(assay_json *json);

ASSAY_API void assay_json_key(assay_json *json, const char *key);
ASSAY_API void assay_json_text(assay_json *json, const char *text); /* NULL is null */
ASSAY_API void assay_json_text_n(assay_json *json, const char *text, size_t length);
ASSAY_API void assay_json_number(assay_json *json, double value);
ASSAY_API void assay_json_count(assay_json *json, uint64_t value);
ASSAY_API void assay_json_bool(assay_json *json, int value);
ASSAY_API void assay_json_null(assay_json *json);

#ifdef __cplusplus
}
#endif
#endif
