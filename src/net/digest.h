/* SPDX-License-Identifier: Apache-2.0 */
/* Digests of files, as a hub states them. */
#ifndef ASSAY_NET_DIGEST_H
#define ASSAY_NET_DIGEST_H

#include "assay/base.h"

enum { ASSAY_DIGEST_HEX = 65 };

typedef enum assay_digest_kind {
    ASSAY_DIGEST_SHA256,  /* of the bytes: large files */
    ASSAY_DIGEST_GIT_BLOB /* SHA-1 of "blob SIZE", a NUL and the bytes: all others */
} assay_digest_kind;

/* The hexadecimal digits that a digest has. */
size_t assay_digest_length(assay_digest_kind kind);

/* Of a file, in pieces; progress is asked between them, with its stage and fraction. ASSAY_OK; ASSAY_E_READ;
   ASSAY_E_CANCELLED; ASSAY_E_NOMEM. */
assay_status assay_digest_file(const char *path, assay_digest_kind kind,
                               const assay_progress *progress, const char *stage, double fraction,
                               char hex[ASSAY_DIGEST_HEX]);

#endif
