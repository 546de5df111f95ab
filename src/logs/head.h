/* SPDX-License-Identifier: Apache-2.0 */
/* How a log begins: what the readers of tools' logs recognise it by. */
#ifndef ASSAY_LOGS_HEAD_H
#define ASSAY_LOGS_HEAD_H

#include "data/names.h"
#include "read/json.h"

typedef enum assay_head_kind {
    ASSAY_HEAD_OTHER = 0, /* a delimited table, perhaps */
    ASSAY_HEAD_OBJECT,    /* JSON whose first value is an object: one document, or lines */
    ASSAY_HEAD_ARRAY,     /* JSON whose first value is an array */
    ASSAY_HEAD_ZIP,
    ASSAY_HEAD_NPY,
    ASSAY_HEAD_PARQUET
} assay_head_kind;

typedef struct assay_log_head {
    const char *path;
    const char *bytes; /* the first ones, as assay_input_peek() gives them */
    size_t length;
    assay_head_kind kind;
    assay_names keys;      /* of the first JSON value; within array, of its first element */
    unsigned char *events; /* by key: the assay_json_event its value begins with */
    size_t events_capacity;
} assay_log_head; /* all zero is none; free it whatever happened */

/* Look at the first bytes. A value that they cut off shows the keys that came before. ASSAY_OK or
   ASSAY_E_NOMEM. Cost: O(length). */
assay_status assay_log_head_read(assay_log_head *head, const char *path, const char *bytes,
                                 size_t length);
void assay_log_head_free(assay_log_head *head);

/* What the value at a path begins with, or ASSAY_JSON_END where there is none. A path is keys with
   '/' between them, from the first object down; '*' is any key, and arrays stand for their first
   element: "eval/ * /task_id", without the spaces. */
assay_json_event assay_log_head_at(const assay_log_head *head, const char *path);

/* Whether there is a value at every one of n paths. */
int assay_log_head_has(const assay_log_head *head, const char *const *paths, size_t n);

#endif
