/* SPDX-License-Identifier: Apache-2.0 */
/* What servers say, however hostile: the first byte chooses between an answer with vectors, a hub's
   list of files, and the words of a refusal. What is taken must be whole, and what is not must have a
   sentence. */
#include "embed/server_answer.h"
#include "net/hub_listing.h"
#include "net/refusal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_vectors(const char *text, size_t length, size_t n);
static void read_list(const char *text, size_t length);
static void read_words(const char *text, size_t length);
static void check_refused(assay_status status);

static void check(int holds)
{
    if (!holds) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data + 1;

    if (size == 0) return 0;
    if (data[0] < '9')
        read_vectors(text, size - 1, 1 + data[0] % 8);
    else if (data[0] < 'n')
        read_list(text, size - 1);
    else
        read_words(text, size - 1);
    return 0;
}

/* A vector's number takes two bytes of the text at least, or four of base64 three of its four. */
static void read_vectors(const char *text, size_t length, size_t n)
{
    float *rows;
    size_t d = 0;
    const assay_status status = assay_server_answer_read("h", text, length, n, &d, &rows);

    check((status == ASSAY_OK) == (rows != NULL));
    if (status != ASSAY_OK) {
        check_refused(status);
        check(d == 0);
        return;
    }
    check(d >= 1 && d <= ASSAY_SERVER_MAX_DIMENSIONS && n * d <= length);
    for (size_t k = 0; k < n * d; k++) check(isfinite(rows[k]));
    free(rows);
}

/* The paths become paths on this machine. */
static void read_list(const char *text, size_t length)
{
    static assay_hub_listing list;
    const assay_status status = assay_hub_listing_read("a/b", text, length, &list);
    uint64_t size = 0;

    if (status != ASSAY_OK) {
        check_refused(status);
        return;
    }
    check(list.n >= 2 && list.n <= ASSAY_HUB_FILES);
    for (size_t k = 0; k < list.n; k++) {
        const assay_hub_file *file = &list.files[k];
        const char *slash = strchr(file->path, '/');

        check(file->path[0] != '/' && file->path[0] != '.' && !strstr(file->path, ".."));
        check(!slash || !strchr(slash + 1, '/'));
        check(strspn(file->path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_./") == strlen(file->path));
        check(strlen(file->digest) == assay_digest_length(file->kind));
        size += file->size;
    }
    check(size == list.size);
}

static void read_words(const char *text, size_t length)
{
    char words[ASSAY_WORDS_SIZE], *body = malloc(length + 1);
    const assay_http_reply reply = { .code = 400, .body = body, .length = length };

    check(body != NULL);
    memcpy(body, text, length);
    body[length] = '\0';
    check(assay_refusal_words(&reply, words) == ASSAY_OK);
    for (const char *c = words; *c; c++) check((unsigned char)*c >= ' ' && *c != 0x7f);
    check(assay_refusal("h", &reply) == ASSAY_E_READ);
    free(body);
}

static void check_refused(assay_status status)
{
    check(status == ASSAY_E_FORMAT && strlen(assay_last_error()) > 0);
}
