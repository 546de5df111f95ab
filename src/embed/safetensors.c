/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/safetensors.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/text_source.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, MOST_HEADER_BYTES = 100000000, MOST_TENSORS = 1000000 };

/* The names of types as the format spells them; the bytes of a number. */
static const struct {
    const char *name;
    assay_tensor_type type;
    size_t size;
} types[] = {
    { "F32", ASSAY_TENSOR_F32, 4 },       { "F16", ASSAY_TENSOR_F16, 2 },
    { "BF16", ASSAY_TENSOR_BF16, 2 },     { "F64", ASSAY_TENSOR_F64, 8 },
    { "I64", ASSAY_TENSOR_I64, 8 },       { "I32", ASSAY_TENSOR_I32, 4 },
    { "U64", ASSAY_TENSOR_OTHER, 8 },     { "U32", ASSAY_TENSOR_OTHER, 4 },
    { "I16", ASSAY_TENSOR_OTHER, 2 },     { "U16", ASSAY_TENSOR_OTHER, 2 },
    { "I8", ASSAY_TENSOR_OTHER, 1 },      { "U8", ASSAY_TENSOR_OTHER, 1 },
    { "BOOL", ASSAY_TENSOR_OTHER, 1 },    { "F8_E4M3", ASSAY_TENSOR_OTHER, 1 },
    { "F8_E5M2", ASSAY_TENSOR_OTHER, 1 },
};

/* The header while it is read. */
typedef struct header {
    assay_safetensors *out;
    const unsigned char *data;
    size_t data_size;
    assay_json_reader *reader;
} header;

/* What a tensor's entry says. */
typedef struct entry {
    size_t type; /* an index into types, or their number */
    size_t n_dimensions, shape[ASSAY_TENSOR_DIMENSIONS];
    size_t begin, end, n_offsets;
    int has_shape;
} entry;

static assay_status read_header(header *h);
static assay_status read_entry(header *h, char *name);
static assay_status read_member(header *h, const char *name, const char *key, entry *e);
static assay_status read_type(header *h, const char *name, entry *e);
static assay_status read_sizes(header *h, const char *name, size_t *sizes, size_t most, size_t *n);
static assay_status add_tensor(header *h, char *name, const entry *e);
static assay_status read_end(header *h);
static assay_status sort_tensors(header *h);
static assay_status fail_header(const header *h, const char *expected);

assay_status assay_safetensors_parse(const char *path, const unsigned char *bytes, size_t size,
                                     assay_safetensors *tensors)
{
    header h = { .out = tensors };
    assay_text_source source;
    uint64_t length = 0;
    assay_status status;

    *tensors = (assay_safetensors){ .path = path };
    if (size < LENGTH_BYTES)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "has %zu bytes, expected safetensors with their header", size);
    for (size_t b = 0; b < LENGTH_BYTES; b++) length |= (uint64_t)bytes[b] << 8 * b;
    if (length > MOST_HEADER_BYTES || length > size - LENGTH_BYTES)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "the header claims %llu bytes of a file of %zu, expected safetensors "
                             "that are not cut short",
                             (unsigned long long)length, size);
    source = (assay_text_source){ (const char *)bytes + LENGTH_BYTES, (size_t)length };
    h.data = bytes + LENGTH_BYTES + length;
    h.data_size = size - LENGTH_BYTES - (size_t)length;
    status = assay_json_open(path, assay_text_source_read, &source, &h.reader);
    if (status == ASSAY_OK) status = read_header(&h);
    if (status == ASSAY_OK) status = read_end(&h);
    if (status == ASSAY_OK) status = sort_tensors(&h);
    assay_json_close(h.reader);
    return status;
}

void assay_safetensors_free(assay_safetensors *tensors)
{
    for (size_t t = 0; t < tensors->n; t++) free(tensors->tensors[t].name);
    free(tensors->tensors);
    *tensors = (assay_safetensors){ 0 };
}

/* {"name": {...}, ..., "__metadata__": {...}} */
static assay_status read_header(header *h)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(h->reader, &event, &text, &length, &number);

    if (status != ASSAY_OK) return status;
    if (event != ASSAY_JSON_OBJECT) return fail_header(h, "an object of tensors");
    for (;;) {
        char *name;

        status = assay_json_next(h->reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_OBJECT_END) return status;
        if (strcmp(text, "__metadata__") == 0) {
            if ((status = assay_json_skip(h->reader)) != ASSAY_OK) return status;
            continue;
        }
        name = assay_copy_text(text, length);
        if (!name) return assay_fail(ASSAY_E_NOMEM, "no memory for the names of tensors");
        if ((status = read_entry(h, name)) != ASSAY_OK) return status;
    }
}

/* {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}; owns the name. */
static assay_status read_entry(header *h, char *name)
{
    entry e = { .type = sizeof types / sizeof *types };
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(h->reader, &event, &text, &length, &number);

    if (status == ASSAY_OK && event != ASSAY_JSON_OBJECT)
        status = fail_header(h, "an object for each tensor");
    while (status == ASSAY_OK) {
        status = assay_json_next(h->reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_OBJECT_END) break;
        status = read_member(h, name, text, &e);
    }
    if (status == ASSAY_OK) return add_tensor(h, name, &e);
    free(name);
    return status;
}

static assay_status read_member(header *h, const char *name, const char *key, entry *e)
{
    size_t offsets[2] = { 0 };
    assay_status status;

    if (strcmp(key, "dtype") == 0) return read_type(h, name, e);
    if (strcmp(key, "shape") == 0) {
        e->has_shape = 1;
        return read_sizes(h, name, e->shape, ASSAY_TENSOR_DIMENSIONS, &e->n_dimensions);
    }
    if (strcmp(key, "data_offsets") != 0) return assay_json_skip(h->reader);
    status = read_sizes(h, name, offsets, 2, &e->n_offsets);
    e->begin = offsets[0];
    e->end = offsets[1];
    return status;
}

static assay_status read_type(header *h, const char *name, entry *e)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(h->reader, &event, &text, &length, &number);

    if (status != ASSAY_OK) return status;
    for (e->type = 0; e->type < sizeof types / sizeof *types; e->type++)
        if (strcmp(types[e->type].name, text) == 0) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, h->out->path, 0,
                         "tensor \"%.80s\" is of type \"%.20s\", expected F32, F16, BF16 or others "
                         "that safetensors has",
                         name, text);
}

/* An array of whole numbers: the first most of them, and how many there are. */
static assay_status read_sizes(header *h, const char *name, size_t *sizes, size_t most, size_t *n)
{
    const double largest = SIZE_MAX < (1ull << 53) ? (double)SIZE_MAX : 0x1p53;
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(h->reader, &event, &text, &length, &number);

    *n = 0;
    if (status == ASSAY_OK && event != ASSAY_JSON_ARRAY)
        return fail_header(h, "arrays for shapes and data_offsets");
    while (status == ASSAY_OK) {
        status = assay_json_next(h->reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_ARRAY_END) break;
        if (event != ASSAY_JSON_NUMBER || !(number >= 0 && number <= largest) ||
            number != (double)(size_t)number)
            return assay_fail_at(
                ASSAY_E_FORMAT, h->out->path, 0,
                "tensor \"%.80s\" has a size of \"%.40s\", expected a whole number", name, text);
        if (*n < most) sizes[*n] = (size_t)number;
        ++*n;
    }
    return status;
}

/* How many numbers a shape has, or SIZE_MAX when that is beyond any file. */
static size_t count_of(const entry *e, size_t most)
{
    size_t count = 1;

    if (e->n_dimensions > ASSAY_TENSOR_DIMENSIONS) return SIZE_MAX;
    for (size_t k = 0; k < e->n_dimensions; k++)
        if (e->shape[k] == 0) return 0;
    for (size_t k = 0; k < e->n_dimensions; k++) {
        if (count > most / e->shape[k]) return SIZE_MAX;
        count *= e->shape[k];
    }
    return count;
}

/* Owns the name. */
static assay_status add_tensor(header *h, char *name, const entry *e)
{
    assay_safetensors *out = h->out;
    size_t size, bytes, count;

    if (e->type == sizeof types / sizeof *types || !e->has_shape || e->n_offsets != 2) {
        free(name);
        return fail_header(h, "dtype, shape and two data_offsets for each tensor");
    }
    size = types[e->type].size;
    bytes = e->end - e->begin;
    count = count_of(e, h->data_size);
    if (e->begin > e->end || e->end > h->data_size ||
        (e->n_dimensions <= ASSAY_TENSOR_DIMENSIONS &&
         (count > bytes / size || count * size != bytes))) {
        assay_fail_at(
            ASSAY_E_FORMAT, out->path, 0,
            "tensor \"%.80s\" claims bytes %zu to %zu of %zu, expected as many as its shape "
            "has, within the file",
            name, e->begin, e->end, h->data_size);
        free(name);
        return ASSAY_E_FORMAT;
    }
    if (out->n == MOST_TENSORS) {
        free(name);
        return assay_fail_at(ASSAY_E_FORMAT, out->path, 0, "has more than %d tensors",
                             MOST_TENSORS);
    }
    if (assay_grow(&out->tensors, &out->capacity, out->n + 1, sizeof *out->tensors) != 0) {
        free(name);
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu tensors", out->n + 1);
    }
    out->tensors[out->n] = (assay_tensor){ .name = name,
                                           .type = types[e->type].type,
                                           .n_dimensions = e->n_dimensions,
                                           .count = bytes / size,
                                           .bytes = h->data + e->begin };
    memcpy(out->tensors[out->n++].shape, e->shape, sizeof e->shape);
    return ASSAY_OK;
}

static assay_status read_end(header *h)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(h->reader, &event, &text, &length, &number);

    if (status == ASSAY_OK && event != ASSAY_JSON_END)
        return fail_header(h, "nothing behind the object of tensors");
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const assay_tensor *)a)->name, ((const assay_tensor *)b)->name);
}

/* In the order of their names, which are different. */
static assay_status sort_tensors(header *h)
{
    const assay_safetensors *out = h->out;

    if (out->n) qsort(out->tensors, out->n, sizeof *out->tensors, by_name);
    for (size_t t = 1; t < out->n; t++)
        if (strcmp(out->tensors[t - 1].name, out->tensors[t].name) == 0)
            return assay_fail_at(ASSAY_E_FORMAT, out->path, 0,
                                 "has two tensors \"%.80s\", expected different names",
                                 out->tensors[t].name);
    return ASSAY_OK;
}

static assay_status fail_header(const header *h, const char *expected)
{
    return assay_fail_at(ASSAY_E_FORMAT, h->out->path, 0,
                         "the header is not that of safetensors, expected %s", expected);
}

static int compare_name(const void *name, const void *tensor)
{
    return strcmp(name, ((const assay_tensor *)tensor)->name);
}

const assay_tensor *assay_safetensors_find(const assay_safetensors *tensors, const char *name)
{
    if (tensors->n == 0) return NULL;
    return bsearch(name, tensors->tensors, tensors->n, sizeof *tensors->tensors, compare_name);
}
