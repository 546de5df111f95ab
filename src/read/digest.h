/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a descriptor and their SHA-256: of many, two threads share the work. */
#ifndef ASSAY_READ_DIGEST_H
#define ASSAY_READ_DIGEST_H

#include "assay/base.h"

#include <sys/types.h>

enum { ASSAY_DIGEST_SIZE = 32 };

typedef struct assay_digest assay_digest; /* opaque */

/**
 * Begin a digest. Once 4 MB were read one helper thread is started, which takes the digest and no
 * signals, and calls nothing of the caller's. Where no thread can be had, the caller goes on alone.
 *
 * @param out  the digest, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_NOMEM, without a sentence.
 */
assay_status assay_digest_open(assay_digest **out);
void assay_digest_close(assay_digest *digest); /* ends the thread; NULL is fine */

/**
 * As read(2), with errno; what comes is taken into the digest.
 *
 * @param descriptor  the same each time.
 * @param may_go_ahead  1: the helper may read what the caller has not asked for yet, at most 1 MiB,
 *                    when it has nothing else to do. Only for regular files that nobody else reads.
 * @return as read(2), and -1 with ENOMEM where the digest could not be taken.
 */
ssize_t assay_digest_read(assay_digest *digest, int descriptor, int may_go_ahead, void *buffer,
                          size_t size);

/* The SHA-256 of all bytes, once assay_digest_read() has said that there are no more. To be called
   once, last. ASSAY_OK; ASSAY_E_NOMEM, without a sentence. */
assay_status assay_digest_finish(assay_digest *digest, unsigned char sha256[ASSAY_DIGEST_SIZE]);

#endif
