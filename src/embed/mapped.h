/* SPDX-License-Identifier: Apache-2.0 */
/* A file as memory that is read only where it is looked at. */
#ifndef ASSAY_EMBED_MAPPED_H
#define ASSAY_EMBED_MAPPED_H

#include "assay/base.h"

#include <time.h>

typedef struct assay_mapped {
    const unsigned char *bytes; /* NULL for an empty file */
    size_t size;
    int descriptor;           /* stays open, where there are bytes */
    struct timespec modified; /* the file, when it was mapped */
} assay_mapped;

/* Map a file, for reading. Whoever cuts it short while it is mapped ends the process, as for any
   mapped file. ASSAY_OK; ASSAY_E_READ. */
assay_status assay_map(const char *path, assay_mapped *mapped);
void assay_unmap(assay_mapped *mapped); /* nothing mapped is fine */

/* 1 while the file has not been written to since. */
int assay_mapped_is_as_it_was(const assay_mapped *mapped);

#endif
