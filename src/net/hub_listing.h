/* SPDX-License-Identifier: Apache-2.0 */
/* What a hub says that a model consists of, and which of it an encoder reads. */
#ifndef ASSAY_NET_HUB_LISTING_H
#define ASSAY_NET_HUB_LISTING_H

#include "net/digest.h"

enum { ASSAY_HUB_FILES = 64, ASSAY_HUB_PATH = 64 };

typedef struct assay_hub_file {
    char path[ASSAY_HUB_PATH]; /* "config.json" or "1_Pooling/config.json": one of the known ones */
    uint64_t size;
    assay_digest_kind kind;
    char digest[ASSAY_DIGEST_HEX]; /* in lower case, as long as kind says */
} assay_hub_file;

typedef struct assay_hub_listing {
    assay_hub_file files[ASSAY_HUB_FILES];
    size_t n;
    uint64_t size; /* of all of them */
} assay_hub_listing;

/*
 * Choose from [{"type": "file", "path": .., "size": .., "oid": .., "lfs": {"oid": .., "size": ..}}, ..].
 * Every other path is passed by, whatever it looks like.
 *
 * @param repo  for sentences.
 * @return ASSAY_OK; ASSAY_E_FORMAT when it is not such a list, a file is there twice or has no digest, or
 *         the model has no config.json or no safetensors; ASSAY_E_NOMEM.
 */
assay_status assay_hub_listing_read(const char *repo, const char *text, size_t length,
                                    assay_hub_listing *listing);

/* Whether a file of this path is in the list, or a folder of this path has one that is. */
int assay_hub_listing_has(const assay_hub_listing *listing, const char *path);

#endif
