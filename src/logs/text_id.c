/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/text_id.h"

#include "core/hex.h"

#include <openssl/sha.h>

void assay_log_text_id(const char *text, size_t length, char id[ASSAY_TEXT_ID_LENGTH + 1])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];

    SHA256((const unsigned char *)text, length, digest);
    assay_hex(digest, ASSAY_TEXT_ID_LENGTH / 2, id);
}
