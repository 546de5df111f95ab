/* SPDX-License-Identifier: Apache-2.0 */
/* Texts as a server gets them. */
#ifndef ASSAY_EMBED_SERVER_INPUTS_H
#define ASSAY_EMBED_SERVER_INPUTS_H

#include "data/names.h"
#include "embed/store.h"

typedef struct assay_server_inputs {
    assay_names distinct; /* prefix and text in UTF-8, each once */
    size_t *of;           /* by text: its place among them */
} assay_server_inputs;

/* Start from zeros; free whatever happened. What would be empty is a single space, which servers take
   where they refuse an empty text. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_server_inputs_take(assay_server_inputs *inputs, const char *const *texts,
                                      size_t n, const char *prefix);
void assay_server_inputs_free(assay_server_inputs *inputs);

/* SHA-256 over texts, each behind its length, so that no two lists run together. parts ends with NULL.
   ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_server_digest(const char *const *parts, unsigned char digest[ASSAY_STORE_KEY]);

#endif
