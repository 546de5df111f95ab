/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/server_answer.h"

#include "core/error.h"
#include "core/memory.h"
#include "net/refusal.h"
#include "read/text_source.h"

#include <math.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_SIZE = 320 };

typedef struct answer {
    const char *host;
    assay_json_reader *reader;
    size_t n, d; /* d is 0 until a vector came */
    float *rows;
    unsigned char *is_there; /* by index */
    size_t n_there;
    int has_data;

    /* the element at hand */
    float *vector;
    size_t length, capacity;
    double index;
    int has_index;

    /* the event at hand */
    assay_json_event event;
    const char *text;
    size_t text_length;
    double number;
} answer;

static assay_status read_answer(answer *a);
static assay_status next(answer *a);
static assay_status read_data(answer *a);
static assay_status read_element(answer *a);
static assay_status read_numbers(answer *a);
static assay_status read_base64(answer *a);
static assay_status add_number(answer *a, float number);
static assay_status place(answer *a);
static assay_status make_rows(answer *a);
static assay_status check_whole(const answer *a, const char *text, size_t length);
static assay_status fail_memory(const answer *a);

assay_status assay_server_answer_read(const char *host, const char *text, size_t length, size_t n,
                                      size_t *d, float **rows)
{
    answer a = { .host = host, .n = n, .d = *d };
    assay_text_source source = { text, length };
    char label[LABEL_SIZE];
    assay_status status;

    *rows = NULL;
    snprintf(label, sizeof label, "%.272s: the answer", host);
    a.is_there = assay_alloc_zero(n, 1);
    if (!a.is_there) {
        status = fail_memory(&a);
        goto done;
    }
    status = assay_json_open(label, assay_text_source_read, &source, &a.reader);
    if (status == ASSAY_OK) status = read_answer(&a);
    if (status == ASSAY_OK) status = check_whole(&a, text, length);
    if (status != ASSAY_OK) goto done;
    *d = a.d;
    *rows = a.rows;
    a.rows = NULL;
done:
    assay_json_close(a.reader);
    free(a.is_there);
    free(a.vector);
    free(a.rows);
    return status;
}

static assay_status read_answer(answer *a)
{
    assay_status status = next(a);

    if (status != ASSAY_OK) return status;
    if (a->event != ASSAY_JSON_OBJECT)
        return assay_fail(ASSAY_E_FORMAT, "%s: the answer is not an object, expected one with data",
                          a->host);
    while ((status = next(a)) == ASSAY_OK && a->event == ASSAY_JSON_KEY) {
        if (strcmp(a->text, "data") == 0)
            status = read_data(a);
        else
            status = assay_json_skip(a->reader);
        if (status != ASSAY_OK) return status;
    }
    if (status == ASSAY_OK) status = next(a);
    if (status == ASSAY_OK && a->event != ASSAY_JSON_END)
        return assay_fail(ASSAY_E_FORMAT, "%s: the answer goes on after its end", a->host);
    return status;
}

static assay_status next(answer *a)
{
    return assay_json_next(a->reader, &a->event, &a->text, &a->text_length, &a->number);
}

static assay_status read_data(answer *a)
{
    assay_status status = next(a);

    if (status != ASSAY_OK) return status;
    if (a->event == ASSAY_JSON_NULL) return ASSAY_OK; /* beside an error */
    a->has_data = a->event == ASSAY_JSON_ARRAY;
    if (!a->has_data)
        return assay_fail(ASSAY_E_FORMAT, "%s: data is not an array, expected one of vectors",
                          a->host);
    while ((status = next(a)) == ASSAY_OK && a->event == ASSAY_JSON_OBJECT)
        if ((status = read_element(a)) != ASSAY_OK) return status;
    if (status == ASSAY_OK && a->event != ASSAY_JSON_ARRAY_END)
        return assay_fail(ASSAY_E_FORMAT,
                          "%s: data has something else than objects with an embedding", a->host);
    return status;
}

static assay_status read_element(answer *a)
{
    assay_status status;

    a->has_index = 0;
    a->length = 0;
    while ((status = next(a)) == ASSAY_OK && a->event == ASSAY_JSON_KEY) {
        if (strcmp(a->text, "index") == 0) {
            if ((status = next(a)) != ASSAY_OK) return status;
            if (a->event != ASSAY_JSON_NUMBER)
                return assay_fail(ASSAY_E_FORMAT, "%s: an index is not a number", a->host);
            a->index = a->number;
            a->has_index = 1;
        } else if (strcmp(a->text, "embedding") == 0) {
            status = read_numbers(a);
        } else {
            status = assay_json_skip(a->reader);
        }
        if (status != ASSAY_OK) return status;
    }
    return status == ASSAY_OK ? place(a) : status;
}

static assay_status read_numbers(answer *a)
{
    assay_status status = next(a);

    a->length = 0;
    if (status != ASSAY_OK) return status;
    if (a->event == ASSAY_JSON_STRING) return read_base64(a);
    if (a->event != ASSAY_JSON_ARRAY)
        return assay_fail(ASSAY_E_FORMAT, "%s: an embedding is not an array of numbers", a->host);
    while ((status = next(a)) == ASSAY_OK && a->event == ASSAY_JSON_NUMBER)
        if ((status = add_number(a, (float)a->number)) != ASSAY_OK) return status;
    if (status == ASSAY_OK && a->event != ASSAY_JSON_ARRAY_END)
        return assay_fail(ASSAY_E_FORMAT, "%s: an embedding has something else than numbers",
                          a->host);
    return status;
}

static assay_status read_base64(answer *a)
{
    const size_t length = a->text_length, most = 4 * (4 * (size_t)ASSAY_SERVER_MAX_DIMENSIONS / 3);
    size_t n_bytes = length / 4 * 3;
    unsigned char *bytes = NULL;
    assay_status status = ASSAY_OK;

    for (size_t k = length; k > 0 && k + 2 > length && a->text[k - 1] == '='; k--) n_bytes--;
    if (length % 4 != 0 || n_bytes % 4 != 0 || length > most + 8)
        return assay_fail(ASSAY_E_FORMAT,
                          "%s: an embedding is a text of %zu bytes, expected numbers or base64",
                          a->host, length);
    bytes = assay_alloc(length / 4 * 3 + 1, 1);
    if (!bytes) return fail_memory(a);
    if (EVP_DecodeBlock(bytes, (const unsigned char *)a->text, (int)length) !=
        (int)(length / 4 * 3))
        status =
            assay_fail(ASSAY_E_FORMAT, "%s: an embedding is a text that is not base64", a->host);
    for (size_t k = 0; status == ASSAY_OK && k < n_bytes; k += 4) {
        const uint32_t bits = (uint32_t)bytes[k] | (uint32_t)bytes[k + 1] << 8 |
                              (uint32_t)bytes[k + 2] << 16 | (uint32_t)bytes[k + 3] << 24;
        float number;

        memcpy(&number, &bits, sizeof number);
        status = add_number(a, number);
    }
    free(bytes);
    return status;
}

static assay_status add_number(answer *a, float number)
{
    if (!isfinite(number))
        return assay_fail(ASSAY_E_FORMAT, "%s: an embedding has a number that is not finite",
                          a->host);
    if (a->length == ASSAY_SERVER_MAX_DIMENSIONS)
        return assay_fail(ASSAY_E_FORMAT, "%s: an embedding has more than %d numbers", a->host,
                          ASSAY_SERVER_MAX_DIMENSIONS);
    if (assay_grow(&a->vector, &a->capacity, a->length + 1, sizeof *a->vector) != 0)
        return fail_memory(a);
    a->vector[a->length++] = number;
    return ASSAY_OK;
}

static assay_status place(answer *a)
{
    assay_status status;
    size_t i;

    if (!a->has_index)
        return assay_fail(ASSAY_E_FORMAT, "%s: a vector without an index, expected one of 0 to %zu",
                          a->host, a->n - 1);
    if (!(a->index >= 0 && a->index < (double)a->n) || a->index != floor(a->index))
        return assay_fail(ASSAY_E_FORMAT, "%s: a vector of index %g, expected one of 0 to %zu",
                          a->host, a->index, a->n - 1);
    i = (size_t)a->index;
    if (a->is_there[i]) return assay_fail(ASSAY_E_FORMAT, "%s: vector %zu came twice", a->host, i);
    if (a->length == 0)
        return assay_fail(ASSAY_E_FORMAT, "%s: vector %zu has no numbers", a->host, i);
    if (a->d == 0) a->d = a->length;
    if (a->length != a->d)
        return assay_fail(ASSAY_E_FORMAT, "%s: vector %zu has %zu numbers, expected %zu as before",
                          a->host, i, a->length, a->d);
    if (!a->rows && (status = make_rows(a)) != ASSAY_OK) return status;
    memcpy(a->rows + i * a->d, a->vector, a->d * sizeof *a->rows);
    a->is_there[i] = 1;
    a->n_there++;
    return ASSAY_OK;
}

static assay_status make_rows(answer *a)
{
    a->rows = assay_alloc(a->n * a->d, sizeof *a->rows);
    return a->rows ? ASSAY_OK : fail_memory(a);
}

/* Some servers say "200" and then why not. */
static assay_status check_whole(const answer *a, const char *text, size_t length)
{
    const assay_http_reply reply = { .body = (char *)(uintptr_t)text, .length = length };
    char words[ASSAY_WORDS_SIZE];

    if (a->n_there == a->n) return ASSAY_OK;
    if (a->has_data)
        return assay_fail(ASSAY_E_FORMAT, "%s: %zu vectors came, expected %zu", a->host, a->n_there,
                          a->n);
    if (assay_refusal_words(&reply, words) != ASSAY_OK) return ASSAY_E_NOMEM;
    return assay_fail(ASSAY_E_FORMAT, "%s: an answer without data, expected %zu vectors%s%s",
                      a->host, a->n, *words ? ": " : "", words);
}

static assay_status fail_memory(const answer *a)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for an answer of %s", a->host);
}
