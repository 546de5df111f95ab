/* SPDX-License-Identifier: Apache-2.0 */
/* Names in a .npy array. */
#include "read/npy.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 32 };

typedef struct writer {
    const char *path;
    const assay_npy_header *header;
    assay_npy_texts *to;
    size_t used, bytes_capacity, starts_capacity;
} writer;

static assay_status check(const writer *w);
static assay_status fill(assay_npy_source source, void *user, unsigned char *to, size_t size,
                         size_t *got);
static assay_status add(writer *w, const unsigned char *element);
static size_t write_points(const writer *w, const unsigned char *element, char *to);
static size_t write_number(const writer *w, const unsigned char *element, char *to);
static assay_status fail_memory(const writer *w);

assay_status assay_npy_read_texts(const char *path, assay_npy_source source, void *user,
                                  const assay_npy_header *header, assay_npy_texts *texts)
{
    writer w = { .path = path, .header = header, .to = texts };
    assay_status status = check(&w);
    unsigned char *element = NULL;
    size_t got = 0;

    if (status != ASSAY_OK) return status;
    element = assay_alloc(header->size, 1);
    if (!element || assay_grow(&texts->starts, &w.starts_capacity, 1, sizeof *texts->starts) != 0) {
        status = fail_memory(&w);
        goto done;
    }
    texts->starts[0] = 0;
    while (status == ASSAY_OK && texts->n < header->n) {
        status = fill(source, user, element, header->size, &got);
        if (status == ASSAY_OK && got < header->size)
            status = assay_fail_at(ASSAY_E_FORMAT, path, 0,
                                   "the data are cut short: %zu of %zu texts are there", texts->n,
                                   header->n);
        if (status == ASSAY_OK) status = add(&w, element);
    }
    if (status == ASSAY_OK) status = fill(source, user, element, 1, &got);
    if (status == ASSAY_OK && got > 0)
        status = assay_fail_at(ASSAY_E_FORMAT, path, 0,
                               "the data go on after the array, expected its end");
done:
    free(element);
    return status;
}

void assay_npy_texts_free(assay_npy_texts *texts)
{
    free(texts->bytes);
    free(texts->starts);
    *texts = (assay_npy_texts){ 0 };
}

static assay_status check(const writer *w)
{
    if (w->header->n_dimensions == 1 && w->header->kind && strchr("SUiu", w->header->kind))
        return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, w->path, 0,
                         "no list of names, expected an array of one dimension, of texts or whole "
                         "numbers");
}

static assay_status fill(assay_npy_source source, void *user, unsigned char *to, size_t size,
                         size_t *got)
{
    *got = 0;
    while (*got < size) {
        size_t more = 0;
        assay_status status = source(user, (char *)to + *got, size - *got, &more);

        if (status != ASSAY_OK) return status;
        if (more == 0) break;
        *got += more;
    }
    return ASSAY_OK;
}

/* A text takes at most as many bytes as its element, as UTF-8 has at most four a code point. */
static assay_status add(writer *w, const unsigned char *element)
{
    assay_npy_texts *to = w->to;
    const size_t most = w->header->size > NUMBER_SIZE ? w->header->size : NUMBER_SIZE;
    size_t length = w->header->size;
    char *end;

    if (assay_grow(&to->bytes, &w->bytes_capacity, w->used + most, 1) != 0 ||
        assay_grow(&to->starts, &w->starts_capacity, to->n + 2, sizeof *to->starts) != 0)
        return fail_memory(w);
    end = to->bytes + w->used;
    switch (w->header->kind) {
    case 'S': memcpy(end, element, length); break;
    case 'U': length = write_points(w, element, end); break;
    default: length = write_number(w, element, end); break;
    }
    if (length == SIZE_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, w->path, 0,
                             "text %zu is no text, expected code points up to U+10FFFF", to->n + 1);
    while (length > 0 && end[length - 1] == '\0') length--;
    w->used += length;
    to->starts[++to->n] = w->used;
    return ASSAY_OK;
}

/* SIZE_MAX where one is no code point. */
static size_t write_points(const writer *w, const unsigned char *element, char *to)
{
    size_t length = 0;

    for (size_t at = 0; at < w->header->size; at += 4) {
        uint32_t point = 0;

        for (size_t b = 0; b < 4; b++)
            point = point << 8 | element[at + (w->header->is_big_endian ? b : 3 - b)];
        if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return SIZE_MAX;
        length += assay_utf8_encode(point, to + length);
    }
    return length;
}

static size_t write_number(const writer *w, const unsigned char *element, char *to)
{
    uint64_t bits = 0;
    const size_t size = w->header->size;
    const unsigned shift = (unsigned)(64 - 8 * size);

    for (size_t b = 0; b < size; b++)
        bits = bits << 8 | element[w->header->is_big_endian ? b : size - 1 - b];
    if (w->header->kind == 'i') /* the sign fills what is above it */
        return (size_t)snprintf(to, NUMBER_SIZE, "%lld",
                                (long long)((int64_t)(bits << shift) >> shift));
    return (size_t)snprintf(to, NUMBER_SIZE, "%llu", (unsigned long long)bits);
}

static assay_status fail_memory(const writer *w)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu names", w->path, w->header->n);
}
