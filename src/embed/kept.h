/* SPDX-License-Identifier: Apache-2.0 */
/* The store as one call uses it: what fails there is told beside the answer, and the call goes on without. */
#ifndef ASSAY_EMBED_KEPT_H
#define ASSAY_EMBED_KEPT_H

#include "embed/store.h"

enum { ASSAY_FAULT_SIZE = 400 };

typedef struct assay_kept {
    assay_store *store; /* NULL: none was asked for, or it failed */
    unsigned char (*keys)[ASSAY_STORE_KEY];
    char fault[ASSAY_FAULT_SIZE]; /* the first failure, or "" */
} assay_kept;

/* Open the vectors of a space for n inputs, whose keys the caller fills in; a NULL folder is no store. To
   be closed whatever is returned: ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_kept_open(assay_kept *kept, const char *folder, const char *space, size_t n);
void assay_kept_close(assay_kept *kept);

/* 1 when the vector of input k is there and has d numbers, and is copied to out. */
int assay_kept_find(const assay_kept *kept, size_t k, size_t d, float *out);

/* Keep the vector of input k; write what was put. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_kept_put(assay_kept *kept, size_t k, const float *vector, size_t d);
assay_status assay_kept_flush(assay_kept *kept);

#endif
