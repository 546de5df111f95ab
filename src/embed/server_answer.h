/* SPDX-License-Identifier: Apache-2.0 */
/* What comes back from POST /embeddings. */
#ifndef ASSAY_EMBED_SERVER_ANSWER_H
#define ASSAY_EMBED_SERVER_ANSWER_H

#include "assay/base.h"

enum { ASSAY_SERVER_MAX_DIMENSIONS = 1 << 16 };

/*
 * Read {"data": [{"index": 0, "embedding": [..]}, ..]}: n vectors in any order, each index once, as
 * arrays of numbers or as little-endian single precision in base64.
 *
 * @param host  for sentences.
 * @param d     how many numbers a vector must have, or 0 when that is not known; set on success.
 * @param rows  n x d, by index, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_FORMAT for anything else; ASSAY_E_NOMEM.
 */
assay_status assay_server_answer_read(const char *host, const char *text, size_t length, size_t n,
                                      size_t *d, float **rows);

#endif
