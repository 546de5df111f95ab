/* SPDX-License-Identifier: Apache-2.0 */
/* The folder that a download fills, and its step into the place of a model. */
#ifndef ASSAY_NET_PARTIAL_H
#define ASSAY_NET_PARTIAL_H

#include "net/http.h"
#include "net/hub_listing.h"

typedef struct assay_partial {
    char *path, *target; /* CACHE/.partial-FOLDER and CACHE/FOLDER */
    int lock;            /* the folder itself, held; -1: not */
} assay_partial;

/* Start from zeros with lock -1; close whatever happened. Nothing is made yet. ASSAY_OK or
   ASSAY_E_NOMEM. */
assay_status assay_partial_name(assay_partial *partial, const char *cache, const char *folder);

/* Make the cache and the folder and hold it against other downloads of the same model, whose end is
   waited for. *is_there: one of them brought the model, and nothing is held. ASSAY_OK;
   ASSAY_E_WRITE; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. */
assay_status assay_partial_hold(assay_partial *partial, const char *cache, const assay_http *http,
                                int *is_there);

/* Remove what an earlier download left and the list does not have. ASSAY_OK; ASSAY_E_WRITE;
   ASSAY_E_NOMEM. */
assay_status assay_partial_tidy(const assay_partial *partial, const assay_hub_listing *listing);

/* Make the folder the model's, unless somebody else was faster. ASSAY_OK; ASSAY_E_WRITE;
   ASSAY_E_NOMEM. */
assay_status assay_partial_put(const assay_partial *partial);

void assay_partial_close(assay_partial *partial); /* what came stays */

#endif
