/* SPDX-License-Identifier: Apache-2.0 */
/* Passing over JSON without reading it: only strings and brackets are followed. */
#ifndef ASSAY_READ_JSON_PASS_H
#define ASSAY_READ_JSON_PASS_H

#include "read/json_input.h"

enum { ASSAY_JSON_DEPTH = 1000 };

typedef struct assay_json_nesting {
    size_t depth;
    char closing[ASSAY_JSON_DEPTH]; /* the bracket, } or ], that closes each level */
} assay_json_nesting;

/* Step over the { or [ at the input's place, one level deeper. Returns ASSAY_OK; ASSAY_E_FORMAT
   when that is too deep. */
assay_status assay_json_pass_opening(assay_json_input *input, assay_json_nesting *nesting);

/* Step over everything until only depth levels are open; the place is not within a string.
   Returns ASSAY_OK; ASSAY_E_FORMAT for brackets that do not match, nesting too deep or the input's
   end; what the source returns. */
assay_status assay_json_pass_levels(assay_json_input *input, const assay_json_scan *scan,
                                    assay_json_nesting *nesting, size_t depth);

/* Step over the rest of a string, its closing quote included; the place is after the opening one.
   Returns the same. */
assay_status assay_json_pass_string(assay_json_input *input, const assay_json_scan *scan);

#endif
