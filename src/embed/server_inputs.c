/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/server_inputs.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
    char *text;
    size_t length, capacity;
} buffer;

static assay_status add_input(assay_server_inputs *inputs, buffer *input, const char *prefix,
                              const char *text, size_t *index);
static int append_utf8(buffer *to, const char *text);
static int digest_part(EVP_MD_CTX *context, const char *part);
static assay_status fail_memory(void);

assay_status assay_server_inputs_take(assay_server_inputs *inputs, const char *const *texts,
                                      size_t n, const char *prefix)
{
    buffer input = { 0 };
    assay_status status = ASSAY_OK;

    inputs->of = assay_alloc(n, sizeof *inputs->of);
    if (!inputs->of) return fail_memory();
    for (size_t i = 0; i < n && status == ASSAY_OK; i++)
        status = add_input(inputs, &input, prefix ? prefix : "", texts[i], &inputs->of[i]);
    free(input.text);
    return status;
}

static assay_status add_input(assay_server_inputs *inputs, buffer *input, const char *prefix,
                              const char *text, size_t *index)
{
    input->length = 0;
    if (append_utf8(input, prefix) != 0 || append_utf8(input, text) != 0 ||
        (input->length == 0 && append_utf8(input, " ") != 0) ||
        assay_names_add(&inputs->distinct, input->text, input->length, index) != 0)
        return fail_memory();
    return ASSAY_OK;
}

/* A bad byte is U+FFFD, three bytes. */
static int append_utf8(buffer *to, const char *text)
{
    const size_t length = strlen(text);

    if (assay_grow(&to->text, &to->capacity, to->length + 3 * length + 1, 1) != 0) return -1;
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t n = assay_utf8_decode(text + i, length - i, &c);

        if (n == 0) {
            to->length += assay_utf8_encode(0xfffd, to->text + to->length);
            i++;
            continue;
        }
        memcpy(to->text + to->length, text + i, n);
        to->length += n;
        i += n;
    }
    return 0;
}

void assay_server_inputs_free(assay_server_inputs *inputs)
{
    assay_names_free(&inputs->distinct);
    free(inputs->of);
    inputs->of = NULL;
}

assay_status assay_server_digest(const char *const *parts, unsigned char digest[ASSAY_STORE_KEY])
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned int length = 0;
    int ok = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL);

    for (size_t k = 0; ok && parts[k]; k++) ok = digest_part(context, parts[k]);
    ok = ok && EVP_DigestFinal_ex(context, digest, &length) && length == ASSAY_STORE_KEY;
    EVP_MD_CTX_free(context);
    return ok ? ASSAY_OK : fail_memory();
}

static int digest_part(EVP_MD_CTX *context, const char *part)
{
    const uint64_t length = strlen(part);
    unsigned char bytes[8];

    for (int b = 0; b < 8; b++) bytes[b] = (unsigned char)(length >> 8 * b);
    return EVP_DigestUpdate(context, bytes, sizeof bytes) &&
           EVP_DigestUpdate(context, part, (size_t)length);
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for the texts");
}
