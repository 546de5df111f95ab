/* SPDX-License-Identifier: Apache-2.0 */
#include "net/digest.h"

#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PIECE = 1 << 18 };

typedef struct hashing {
    const char *path;
    FILE *from;
    EVP_MD_CTX *context;
    unsigned char *piece; /* PIECE bytes */
} hashing;

static assay_status start(hashing *h, assay_digest_kind kind);
static assay_status start_blob(hashing *h);
static assay_status finish(hashing *h, char hex[ASSAY_DIGEST_HEX]);
static assay_status fail_memory(const hashing *h);
static assay_status cannot_read(const hashing *h);

size_t assay_digest_length(assay_digest_kind kind)
{
    return kind == ASSAY_DIGEST_SHA256 ? 64 : 40;
}

assay_status assay_digest_file(const char *path, assay_digest_kind kind,
                               const assay_progress *progress, const char *stage, double fraction,
                               char hex[ASSAY_DIGEST_HEX])
{
    hashing h = { .path = path };
    assay_status status = start(&h, kind);
    size_t n;

    while (status == ASSAY_OK && (n = fread(h.piece, 1, PIECE, h.from)) > 0) {
        if (progress->step && progress->step(progress->user, stage, fraction) != 0)
            status = assay_fail(ASSAY_E_CANCELLED, "cancelled in %s", stage);
        else if (!EVP_DigestUpdate(h.context, h.piece, n))
            status = fail_memory(&h);
    }
    if (status == ASSAY_OK && ferror(h.from)) status = cannot_read(&h);
    if (status == ASSAY_OK) status = finish(&h, hex);
    if (h.from) fclose(h.from);
    EVP_MD_CTX_free(h.context);
    free(h.piece);
    return status;
}

static assay_status start(hashing *h, assay_digest_kind kind)
{
    h->piece = assay_alloc(PIECE, 1);
    h->context = EVP_MD_CTX_new();
    if (!h->piece || !h->context ||
        !EVP_DigestInit_ex(h->context, kind == ASSAY_DIGEST_SHA256 ? EVP_sha256() : EVP_sha1(),
                           NULL))
        return fail_memory(h);
    h->from = fopen(h->path, "rb");
    if (!h->from) return cannot_read(h);
    return kind == ASSAY_DIGEST_GIT_BLOB ? start_blob(h) : ASSAY_OK;
}

static assay_status start_blob(hashing *h)
{
    char header[40];
    struct stat there;
    int length;

    if (fstat(fileno(h->from), &there) != 0) return cannot_read(h);
    length = snprintf(header, sizeof header, "blob %lld", (long long)there.st_size);
    return EVP_DigestUpdate(h->context, header, (size_t)length + 1) ? ASSAY_OK : fail_memory(h);
}

static assay_status finish(hashing *h, char hex[ASSAY_DIGEST_HEX])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;

    if (!EVP_DigestFinal_ex(h->context, digest, &length) || 2 * length >= ASSAY_DIGEST_HEX)
        return fail_memory(h);
    assay_hex(digest, length, hex);
    return ASSAY_OK;
}

static assay_status fail_memory(const hashing *h)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a digest", h->path);
}

static assay_status cannot_read(const hashing *h)
{
    return assay_fail_at(ASSAY_E_READ, h->path, 0, "cannot be read: %s", strerror(errno));
}
