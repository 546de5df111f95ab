/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors kept between calls, found by the digest of what they were made from. */
#ifndef ASSAY_EMBED_STORE_H
#define ASSAY_EMBED_STORE_H

#include "assay/base.h"

enum { ASSAY_STORE_KEY = 32 }; /* bytes of a key: a SHA-256 */

typedef struct assay_store assay_store; /* opaque; for one thread at a time */

/*
 * Open the vectors of one space in a folder (made if it is not there): one file, FOLDER/SPACE.vectors,
 * which the first flush makes. Records that are damaged, by a crash or otherwise, count as not there.
 * Other processes may use the same file at the same time. space is a name of 1 to 200 letters, digits,
 * - and _.
 * ASSAY_OK; ASSAY_E_VALUE for another name; ASSAY_E_READ; ASSAY_E_WRITE when the folder cannot be
 * made; ASSAY_E_FORMAT when the file is of another kind; ASSAY_E_NOMEM. *out is NULL on failure.
 */
assay_status assay_store_open(const char *folder, const char *space, assay_store **out);

/* Write what was put since the last call, and take in what other processes have written. After a
   failure all that was put is still there to be found and to be flushed.
   ASSAY_OK; ASSAY_E_WRITE; ASSAY_E_SHAPE when another process has meanwhile put vectors of other
   dimensions; ASSAY_E_READ, ASSAY_E_FORMAT and ASSAY_E_NOMEM as in opening. */
assay_status assay_store_flush(assay_store *store);
void assay_store_close(assay_store *store); /* without writing; NULL is fine */

/* Numbers a vector; 0 while there is none. */
size_t assay_store_dimensions(const assay_store *store);

/* Copy the vector of a key to out (assay_store_dimensions() numbers). 1 if it is there, else 0. */
int assay_store_find(const assay_store *store, const unsigned char key[ASSAY_STORE_KEY],
                     float *out);

/* Keep a vector of d numbers; one whose key is there already is passed by. ASSAY_OK; ASSAY_E_SHAPE
   when d is not that of the others; ASSAY_E_NOMEM. */
assay_status assay_store_put(assay_store *store, const unsigned char key[ASSAY_STORE_KEY],
                             const float *vector, size_t d);

#endif
