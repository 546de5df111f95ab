/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of JSON that have a text: strings, numbers and bare words. */
#ifndef ASSAY_READ_JSON_TOKEN_H
#define ASSAY_READ_JSON_TOKEN_H

#include "read/json_input.h"

typedef struct assay_json_text {
    char *bytes; /* length of them, then a NUL */
    size_t length, capacity;
} assay_json_text;

/* Make text empty. Returns ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_json_text_clear(assay_json_input *input, assay_json_text *text);

/* Read the rest of a string, its closing quote included; the place is after the opening one. */
assay_status assay_json_read_string(assay_json_input *input, const assay_json_scan *scan,
                                    assay_json_text *text);

/* Read the number, or NaN, Infinity or -Infinity, that begins at the place. Text NULL: only pass
   over it, whatever its length, and set no value. */
assay_status assay_json_read_number(assay_json_input *input, assay_json_text *text, double *value);

/* Read this word, which nothing but white space, punctuation or the end may follow. Appended to
   text unless that is NULL. */
assay_status assay_json_read_word(assay_json_input *input, const char *word, assay_json_text *text);

#endif
