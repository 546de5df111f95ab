/* SPDX-License-Identifier: Apache-2.0 */
/* The SHA-256 of bytes as they pass: of many on a thread of its own, while the caller goes on. */
#ifndef ASSAY_READ_DIGEST_H
#define ASSAY_READ_DIGEST_H

#include "assay/base.h"

enum { ASSAY_DIGEST_SIZE = 32 };

typedef struct assay_digest assay_digest; /* opaque */

/**
 * Begin a digest. The first 4 MB are taken at once. Then one helper thread is started, which takes
 * no signals and calls nothing of the caller's; bytes are copied for it, and the caller waits while
 * it is 2 MB behind. Where no thread can be had, the caller takes all.
 *
 * @param out  the digest, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_NOMEM, like the functions below without a sentence.
 */
assay_status assay_digest_open(assay_digest **out);
void assay_digest_close(assay_digest *digest); /* ends the thread; NULL is fine */

/* Take the next bytes, which are the caller's again when it returns. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_digest_add(assay_digest *digest, const void *bytes, size_t length);

/* What came is all: its SHA-256. To be called once, last. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_digest_finish(assay_digest *digest, unsigned char sha256[ASSAY_DIGEST_SIZE]);

#endif
