/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a tensor as the machine's own. */
#include "embed/safetensors.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static float of_f32(const unsigned char *bytes)
{
    uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                    (uint32_t)bytes[3] << 24;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(const unsigned char *bytes, size_t size)
{
    uint64_t bits = 0;

    for (size_t b = 0; b < size; b++) bits |= (uint64_t)bytes[b] << 8 * b;
    return bits;
}

/* Half precision: a sign, five bits of exponent and ten of fraction. */
static float of_f16(const unsigned char *bytes)
{
    uint32_t bits = (uint32_t)bits_of(bytes, 2), exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value;

    if (exponent == 31)
        value = fraction ? NAN : INFINITY;
    else
        value =
            ldexpf((float)(fraction + (exponent ? 1024 : 0)), (int)(exponent ? exponent : 1) - 25);
    return bits >> 15 ? -value : value;
}

/* The upper half of a 32-bit number. */
static float of_bf16(const unsigned char *bytes)
{
    const unsigned char whole[4] = { 0, 0, bytes[0], bytes[1] };

    return of_f32(whole);
}

static float of_f64(const unsigned char *bytes)
{
    uint64_t bits = bits_of(bytes, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

static const struct {
    float (*value)(const unsigned char *);
    size_t size;
} readers[] = {
    [ASSAY_TENSOR_F32] = { of_f32, 4 },
    [ASSAY_TENSOR_F16] = { of_f16, 2 },
    [ASSAY_TENSOR_BF16] = { of_bf16, 2 },
    [ASSAY_TENSOR_F64] = { of_f64, 8 },
};
static const size_t n_readers = sizeof readers / sizeof *readers;

static int is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;

    memcpy(&first, &one, 1);
    return first == 1;
}

assay_status assay_tensor_floats(const assay_safetensors *tensors, const assay_tensor *tensor,
                                 const float **values, float **made)
{
    const unsigned char *bytes = tensor->bytes;

    *made = NULL;
    if ((size_t)tensor->type >= n_readers)
        return assay_fail_at(
            ASSAY_E_FORMAT, tensors->path, 0,
            "tensor \"%.80s\" does not hold real numbers, expected F32, F16, BF16 or F64",
            tensor->name);
    if (tensor->type == ASSAY_TENSOR_F32 && (uintptr_t)bytes % sizeof(float) == 0 &&
        is_little_endian()) {
        *values = (const float *)(const void *)bytes;
        return ASSAY_OK;
    }
    *made = assay_alloc(tensor->count, sizeof **made);
    if (!*made) return assay_fail(ASSAY_E_NOMEM, "no memory for tensor \"%.80s\"", tensor->name);
    for (size_t k = 0; k < tensor->count; k++)
        (*made)[k] = readers[tensor->type].value(bytes + k * readers[tensor->type].size);
    *values = *made;
    return ASSAY_OK;
}

assay_status assay_tensor_integers(const assay_safetensors *tensors, const assay_tensor *tensor,
                                   int64_t **made)
{
    size_t size = tensor->type == ASSAY_TENSOR_I64 ? 8 : 4;

    *made = NULL;
    if (tensor->type != ASSAY_TENSOR_I64 && tensor->type != ASSAY_TENSOR_I32)
        return assay_fail_at(ASSAY_E_FORMAT, tensors->path, 0,
                             "tensor \"%.80s\" does not hold whole numbers, expected I64 or I32",
                             tensor->name);
    *made = assay_alloc(tensor->count, sizeof **made);
    if (!*made) return assay_fail(ASSAY_E_NOMEM, "no memory for tensor \"%.80s\"", tensor->name);
    for (size_t k = 0; k < tensor->count; k++) {
        uint64_t bits = bits_of(tensor->bytes + k * size, size);

        (*made)[k] = size == 8 ? (int64_t)bits : (int32_t)(uint32_t)bits;
    }
    return ASSAY_OK;
}
