/* SPDX-License-Identifier: Apache-2.0 */
/* What an item asks, as a digest. */
#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "data/identity.h"
#include "data/results_table.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* The bytes that are digested, and what digests them: finding SHA-256 among what OpenSSL has takes
   longer than hashing a short text does. */
typedef struct assay_hasher {
    EVP_MD_CTX *context;
    char *text;
    size_t length, capacity;
    int spaces; /* white space came, and something before it */
} bytes;

static bytes *open_hasher(void);
static int add(bytes *to, const char *text, size_t length);
static int add_normalised(bytes *to, const char *text, size_t length);
static int add_ascii(bytes *to, const char *text, size_t length);
static int add_composed(bytes *to, const char *text, size_t length);
static int add_character(bytes *to, uint32_t c);
static int is_space(uint32_t c);

assay_status assay_content_of(assay_identity *identity, const assay_claim *claim,
                              assay_content *content)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    bytes *said = identity->hasher ? identity->hasher : open_hasher();
    int failed = !said;

    identity->hasher = said;
    *content = (assay_content){ .kind = (unsigned char)claim->kind };
    if (!failed) {
        said->length = 0;
        said->spaces = 0;
        failed = add(said, claim->task ? claim->task : "", claim->task_length) ||
                 add(said, "", 1); /* the task ends at a NUL, which it does not hold */
    }
    if (!failed)
        failed = claim->kind == ASSAY_CONTENT_OF_TEXT
                     ? add_normalised(said, claim->content, claim->content_length)
                     : add(said, claim->content, claim->content_length);
    if (!failed)
        failed = !EVP_DigestInit_ex(said->context, NULL, NULL) ||
                 !EVP_DigestUpdate(said->context, said->text, said->length) ||
                 !EVP_DigestFinal_ex(said->context, digest, NULL);
    if (!failed) memcpy(content->digest, digest, sizeof content->digest);
    return failed ? assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes",
                               claim->content_length)
                  : ASSAY_OK;
}

static bytes *open_hasher(void)
{
    bytes *said = assay_alloc_zero(1, sizeof *said);

    if (!said) return NULL;
    said->context = EVP_MD_CTX_new();
    if (said->context && EVP_DigestInit_ex(said->context, EVP_sha256(), NULL)) return said;
    EVP_MD_CTX_free(said->context);
    free(said);
    return NULL;
}

void assay_content_free(assay_identity *identity)
{
    if (!identity->hasher) return;
    EVP_MD_CTX_free(identity->hasher->context);
    free(identity->hasher->text);
    free(identity->hasher);
    identity->hasher = NULL;
}

static int add(bytes *to, const char *text, size_t length)
{
    if (assay_grow(&to->text, &to->capacity, to->length + length, 1) != 0) return -1;
    if (length > 0) memcpy(to->text + to->length, text, length);
    to->length += length;
    return 0;
}

static int add_normalised(bytes *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0x80) return add_composed(to, text, length);
    return add_ascii(to, text, length);
}

/* Nearly every prompt: ASCII is in form NFC as it stands. */
static int add_ascii(bytes *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (add_character(to, (unsigned char)text[i]) != 0) return -1;
    return 0;
}

/* Decomposed by utf8proc into memory of our own, so that running out of it is told like any other. */
static int add_composed(bytes *to, const char *text, size_t length)
{
    const utf8proc_uint8_t *utf8 = (const utf8proc_uint8_t *)text;
    const utf8proc_option_t form = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    utf8proc_ssize_t n = utf8proc_decompose(utf8, (utf8proc_ssize_t)length, NULL, 0, form);
    utf8proc_int32_t *points;
    int failed = 0;

    if (n < 0) return add_ascii(to, text, length); /* not UTF-8: its bytes as they are */
    points = assay_alloc((size_t)n + 1, sizeof *points);
    if (!points) return -1;
    n = utf8proc_decompose(utf8, (utf8proc_ssize_t)length, points, n, form);
    n = utf8proc_normalize_utf32(points, n, form);
    for (utf8proc_ssize_t i = 0; i < n && !failed; i++)
        failed = add_character(to, (uint32_t)points[i]);
    free(points);
    return failed;
}

/* Below 0x80 a character is its byte; bytes that are no UTF-8 come here as characters and stay apart
   from every text that is. */
static int add_character(bytes *to, uint32_t c)
{
    char encoded[4];
    size_t n;

    if (is_space(c)) {
        to->spaces = 1;
        return 0;
    }
    if (to->spaces && to->text[to->length - 1] != '\0' && add(to, " ", 1) != 0) return -1;
    to->spaces = 0;
    if (c < 0x80) {
        encoded[0] = (char)c;
        n = 1;
    } else
        n = assay_utf8_encode(c, encoded);
    return add(to, encoded, n);
}

static int is_space(uint32_t c)
{
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
    if (c == 0x85) return 1;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return 1;
    default: return 0;
    }
}
