/* SPDX-License-Identifier: Apache-2.0 */
/* Writes files in the safetensors format, numbers of any of its real types. Include it after cmocka.h. */
#ifndef TESTS_TINY_SAFETENSORS_H
#define TESTS_TINY_SAFETENSORS_H

#include "tiny_tokenizer.h"

#include <math.h>
#include <stdint.h>

enum { TINY_HEADER_MOST = 1 << 16, TINY_DATA_MOST = 1 << 20 };

/* A file while it grows; large, so that it is best static. */
typedef struct tiny_tensors {
    char header[TINY_HEADER_MOST];
    unsigned char data[TINY_DATA_MOST];
    size_t n_header, n_data;
} tiny_tensors;

static inline void tiny_put(unsigned char *to, uint64_t bits, size_t size)
{
    for (size_t b = 0; b < size; b++) to[b] = (unsigned char)(bits >> 8 * b);
}

/* A number that half precision has exactly, and not as a subnormal. */
static inline uint32_t tiny_f16(double value)
{
    int exponent;
    const double fraction = frexp(fabs(value), &exponent); /* in [1/2, 1) */
    const uint32_t sign = signbit(value) ? 0x8000u : 0u;

    if (fraction == 0.0) return sign;
    return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)(fraction * 2048.0) & 1023u);
}

static inline uint32_t tiny_f32(double value)
{
    const float single = (float)value;
    uint32_t bits;

    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static inline uint64_t tiny_f64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The bytes a number takes. */
static inline size_t tiny_number(const char *type, double value, unsigned char *to)
{
    if (strcmp(type, "F16") == 0) return tiny_put(to, tiny_f16(value), 2), 2u;
    if (strcmp(type, "BF16") == 0) return tiny_put(to, tiny_f32(value) >> 16, 2), 2u;
    if (strcmp(type, "F32") == 0) return tiny_put(to, tiny_f32(value), 4), 4u;
    if (strcmp(type, "F64") == 0) return tiny_put(to, tiny_f64(value), 8), 8u;
    assert_string_equal(type, "I64");
    return tiny_put(to, (uint64_t)(int64_t)value, 8), 8u;
}

/* Add a tensor of rows x columns, or of rows for no columns. */
static inline void tiny_add(tiny_tensors *file, const char *name, const char *type, size_t rows,
                            size_t columns, const double *numbers)
{
    const size_t begin = file->n_data, n = rows * (columns ? columns : 1);
    char shape[64];

    assert_true(begin + 8 * n <= sizeof file->data);
    for (size_t k = 0; k < n; k++)
        file->n_data += tiny_number(type, numbers[k], file->data + file->n_data);
    if (columns)
        snprintf(shape, sizeof shape, "[%zu,%zu]", rows, columns);
    else
        snprintf(shape, sizeof shape, "[%zu]", rows);
    file->n_header +=
        (size_t)snprintf(file->header + file->n_header, sizeof file->header - file->n_header,
                         "%c\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%zu,%zu]}",
                         file->n_header ? ',' : '{', name, type, shape, begin, file->n_data);
    assert_true(file->n_header + 16 < sizeof file->header);
}

/* The header is filled up with spaces, so that the numbers start at a multiple of 8 bytes, or
   off_by beyond one. */
static inline void tiny_write_tensors(tiny_folder *folder, tiny_tensors *file, size_t off_by)
{
    FILE *to = fopen(tiny_path(folder, "model.safetensors"), "wb");
    unsigned char length[8];

    assert_non_null(to);
    file->header[file->n_header++] = '}';
    while (file->n_header % 8 != off_by) file->header[file->n_header++] = ' ';
    tiny_put(length, file->n_header, 8);
    assert_int_equal(fwrite(length, 1, 8, to), 8);
    assert_int_equal(fwrite(file->header, 1, file->n_header, to), file->n_header);
    assert_int_equal(fwrite(file->data, 1, file->n_data, to), file->n_data);
    assert_int_equal(fclose(to), 0);
}

#endif
