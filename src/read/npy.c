/* SPDX-License-Identifier: Apache-2.0 */
#include "read/npy.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/npy_header.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = 8, HEADER_MAX = 1 << 16, BUFFER_SIZE = 1 << 16, VALUES_FIRST = 1 << 16 };

typedef struct stream {
    const char *path;
    assay_npy_source source;
    void *user;
    int takes_texts; /* as well as numbers */
} stream;

static assay_status begin(const stream *in, assay_npy_header *header, uint64_t *length);
static assay_status read_header(const stream *in, assay_npy_header *header, size_t *size);
static assay_status read_header_text(const stream *in, size_t length, assay_npy_header *header);
static assay_status read_values(const stream *in, const assay_npy_header *header, double **out);
static int grow(double **values, size_t *capacity, size_t need, size_t total);
static double number_of(const assay_npy_header *header, uint64_t bits);
static double half_of(uint64_t bits);
static assay_status check_end(const stream *in);
static assay_status transpose(const assay_npy_header *header, double **values);
static assay_status fill(const stream *in, void *buffer, size_t size, size_t *got);

assay_status assay_npy_read(const char *path, assay_npy_source source, void *user, double **out,
                            size_t *n, size_t *d)
{
    assay_npy_header header;
    uint64_t length;
    assay_status status;

    *out = NULL;
    status = assay_npy_read_header(path, source, user, &header, &length);
    if (status == ASSAY_OK) status = assay_npy_read_values(path, source, user, &header, out);
    if (status != ASSAY_OK) return status;
    *n = header.n;
    *d = header.d;
    return ASSAY_OK;
}

assay_status assay_npy_read_header(const char *path, assay_npy_source source, void *user,
                                   assay_npy_header *header, uint64_t *length)
{
    const stream in = { path, source, user, 0 };
    return begin(&in, header, length);
}

assay_status assay_npy_read_any_header(const char *path, assay_npy_source source, void *user,
                                       assay_npy_header *header, uint64_t *length)
{
    const stream in = { path, source, user, 1 };
    return begin(&in, header, length);
}

static assay_status begin(const stream *in, assay_npy_header *header, uint64_t *length)
{
    size_t size = 0;
    assay_status status;

    *header = (assay_npy_header){ 0 };
    status = read_header(in, header, &size);
    *length = (uint64_t)size + (uint64_t)header->size * header->n * header->d;
    return status;
}

assay_status assay_npy_read_values(const char *path, assay_npy_source source, void *user,
                                   const assay_npy_header *header, double **out)
{
    const stream in = { path, source, user, 0 };
    double *values = NULL;
    assay_status status;

    *out = NULL;
    if ((status = read_values(&in, header, &values)) != ASSAY_OK) goto done;
    if ((status = check_end(&in)) != ASSAY_OK) goto done;
    if (header->is_fortran) status = transpose(header, &values);
    if (status != ASSAY_OK) goto done;
    *out = values;
    values = NULL;
done:
    free(values);
    return status;
}

/* "\x93NUMPY", the version, and how long the text is: two bytes in version 1, four from 2 on. size:
   all of it. */
static assay_status read_header(const stream *in, assay_npy_header *header, size_t *size)
{
    unsigned char prefix[PREFIX] = { 0 }, bytes[4] = { 0 };
    size_t got, n_bytes, length;
    assay_status status = fill(in, prefix, PREFIX, &got);

    if (status != ASSAY_OK) return status;
    if (got < PREFIX || memcmp(prefix, "\x93NUMPY", 6) != 0)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, 0, "not a NumPy array, expected one");
    if (prefix[6] < 1 || prefix[6] > 3)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, 0,
                             "a NumPy array of version %d.%d, expected 1 to 3", prefix[6],
                             prefix[7]);
    n_bytes = prefix[6] == 1 ? 2 : 4;
    if ((status = fill(in, bytes, n_bytes, &got)) != ASSAY_OK) return status;
    if (got < n_bytes)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, 0, "a NumPy header that is cut short");
    length =
        (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    *size = PREFIX + n_bytes + length;
    return read_header_text(in, length, header);
}

static assay_status read_header_text(const stream *in, size_t length, assay_npy_header *header)
{
    char *text;
    size_t got;
    assay_status status;

    if (length > HEADER_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, 0,
                             "a NumPy header of %zu bytes, expected at most %d", length,
                             HEADER_MAX);
    text = assay_alloc(length, 1);
    if (!text) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for the header", in->path);
    status = fill(in, text, length, &got);
    if (status == ASSAY_OK && got < length)
        status = assay_fail_at(ASSAY_E_FORMAT, in->path, 0, "a NumPy header that is cut short");
    if (status == ASSAY_OK)
        status = (in->takes_texts ? assay_npy_header_parse_any
                                  : assay_npy_header_parse)(in->path, text, length, header);
    free(text);
    return status;
}

/* In the order of the file. */
static assay_status read_values(const stream *in, const assay_npy_header *header, double **out)
{
    const size_t total = header->n * header->d;
    unsigned char *buffer = assay_alloc(BUFFER_SIZE, 1);
    size_t used = 0, capacity = 0;
    assay_status status = ASSAY_OK;

    do {
        const size_t left = total - used, most = BUFFER_SIZE / header->size;
        const size_t n = left < most ? left : most;
        size_t got = 0;

        if (!buffer || grow(out, &capacity, used + n, total) != 0) {
            status = assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu x %zu numbers", in->path,
                                header->n, header->d);
            break;
        }
        if ((status = fill(in, buffer, n * header->size, &got)) != ASSAY_OK) break;
        assay_npy_convert(header, buffer, got / header->size, *out + used);
        used += got / header->size;
        if (got < n * header->size)
            status = assay_fail_at(ASSAY_E_FORMAT, in->path, 0,
                                   "the data are cut short: %zu of %zu x %zu numbers are there",
                                   used, header->n, header->d);
    } while (status == ASSAY_OK && used < total);
    free(buffer);
    return status;
}

/* Room for need numbers, of the total that there will be. */
static int grow(double **values, size_t *capacity, size_t need, size_t total)
{
    size_t larger = *capacity ? *capacity : VALUES_FIRST;
    double *grown;

    if (*values && need <= *capacity) return 0;
    while (larger < need) larger *= 2;
    if (larger > total) larger = total;
    grown = assay_alloc_aligned(larger, sizeof *grown);
    if (!grown) return -1;
    if (*values) memcpy(grown, *values, *capacity * sizeof *grown);
    free(*values);
    *values = grown;
    *capacity = larger;
    return 0;
}

void assay_npy_convert(const assay_npy_header *header, const unsigned char *from, size_t n,
                       double *to)
{
    const size_t size = header->size;

    if (header->kind == 'u' && size == 1) {
        for (size_t k = 0; k < n; k++) to[k] = from[k];
        return;
    }
    for (size_t k = 0; k < n; k++, from += size) {
        uint64_t bits = 0;

        for (size_t b = 0; b < size; b++)
            bits = bits << 8 | from[header->is_big_endian ? b : size - 1 - b];
        to[k] = number_of(header, bits);
    }
}

static double number_of(const assay_npy_header *header, uint64_t bits)
{
    const uint64_t sign = (uint64_t)1 << (8 * header->size - 1);
    const uint32_t low = (uint32_t)bits;
    double wide;
    float narrow;

    switch (header->kind) {
    case 'b': return bits != 0;
    case 'u': return (double)bits;
    case 'i': return bits & sign ? -1.0 - (double)((sign - 1) - (bits & (sign - 1))) : (double)bits;
    default: break;
    }
    if (header->size == 2) return half_of(bits);
    if (header->size == 4) {
        memcpy(&narrow, &low, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

/* IEEE 754 binary16: a sign, five bits of exponent, ten of the fraction. */
static double half_of(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 0x1f);
    const double fraction = (double)(bits & 0x3ff);
    double size;

    if (exponent == 0x1f)
        size = fraction > 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        size = ldexp(fraction, -24);
    else
        size = ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}

static assay_status check_end(const stream *in)
{
    char byte;
    size_t got;
    assay_status status = fill(in, &byte, 1, &got);

    if (status == ASSAY_OK && got > 0)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, 0,
                             "the data go on after the array, expected its end");
    return status;
}

static assay_status transpose(const assay_npy_header *header, double **values)
{
    double *rows;

    if (header->n <= 1 || header->d <= 1) return ASSAY_OK; /* the same in either order */
    rows = assay_alloc_aligned(header->n * header->d, sizeof *rows);
    if (!rows)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu x %zu numbers", header->n, header->d);
    for (size_t k = 0; k < header->d; k++)
        for (size_t i = 0; i < header->n; i++)
            rows[i * header->d + k] = (*values)[k * header->n + i];
    free(*values);
    *values = rows;
    return ASSAY_OK;
}

/* As many bytes as there are, up to size. */
static assay_status fill(const stream *in, void *buffer, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        size_t more = 0;
        assay_status status = in->source(in->user, (char *)buffer + *got, size - *got, &more);

        if (status != ASSAY_OK) return status;
        if (more == 0) break;
        *got += more;
    }
    return ASSAY_OK;
}
