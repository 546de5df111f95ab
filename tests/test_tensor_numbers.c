/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/base.h"
#include "embed/safetensors.h"
#include "failing_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const assay_safetensors owner = { .path = "m" };
static char name[] = "t";

static assay_tensor tensor_of(assay_tensor_type type, const void *bytes, size_t count)
{
    return (assay_tensor){ .name = name,
                           .type = type,
                           .n_dimensions = 1,
                           .shape = { count },
                           .count = count,
                           .bytes = bytes };
}

/* The numbers, made for the caller. */
static float *made_of(assay_tensor_type type, const void *bytes, size_t count)
{
    const assay_tensor tensor = tensor_of(type, bytes, count);
    const float *values;
    float *made;

    assert_int_equal(assay_tensor_floats(&owner, &tensor, &values, &made), ASSAY_OK);
    assert_non_null(made);
    assert_ptr_equal(values, made);
    return made;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* As IEEE 754 has it, by whole numbers: a subnormal is shifted until its leading bit is implied, and
   exponents are moved from bias 15 to bias 127. */
static uint32_t single_of_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000u) << 16;
    uint32_t exponent = half >> 10 & 31u, fraction = half & 1023u;

    if (exponent == 31) return sign | 0x7f800000u | fraction << 13;
    if (exponent == 0) {
        if (fraction == 0) return sign;
        for (exponent = 113; !(fraction & 1024u); exponent--) fraction <<= 1;
        return sign | exponent << 23 | (fraction & 1023u) << 13;
    }
    return sign | (exponent + 112) << 23 | fraction << 13;
}

static void test_every_number_of_half_precision(void **state)
{
    unsigned char *bytes = malloc(2 * 65536);
    float *values;

    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        bytes[2 * h] = (unsigned char)(h & 255u);
        bytes[2 * h + 1] = (unsigned char)(h >> 8);
    }
    values = made_of(ASSAY_TENSOR_F16, bytes, 65536);
    for (unsigned h = 0; h < 65536; h++) {
        const int is_nan = (h >> 10 & 31u) == 31 && (h & 1023u);

        if (is_nan ? !isnan(values[h]) : bits_of(values[h]) != single_of_half(h))
            fail_msg("half %04x is %g", h, (double)values[h]);
    }
    assert_true(values[1] == 0x1p-24f && values[0x3c00] == 1.0f && values[0xc000] == -2.0f);
    free(values);
    free(bytes);
}

static void test_every_number_of_bf16_is_the_upper_half(void **state)
{
    unsigned char *bytes = malloc(2 * 65536);
    float *values;

    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        bytes[2 * h] = (unsigned char)(h & 255u);
        bytes[2 * h + 1] = (unsigned char)(h >> 8);
    }
    values = made_of(ASSAY_TENSOR_BF16, bytes, 65536);
    for (uint32_t h = 0; h < 65536; h++)
        if (bits_of(values[h]) != h << 16) fail_msg("bf16 %04x is %g", h, (double)values[h]);
    free(values);
    free(bytes);
}

static void test_double_precision_is_rounded(void **state)
{
    const double numbers[] = { 1.5, -0.1, 1e300, -1e-300, INFINITY, 0x1.0000008p0 };
    float *values = made_of(ASSAY_TENSOR_F64, numbers, 6);

    (void)state;
    assert_true(values[0] == 1.5f && values[1] == -0.1f && values[2] == INFINITY);
    assert_true(values[3] == 0.0f && signbit(values[3]) && values[4] == INFINITY);
    assert_true(values[5] == 1.0f);
    free(values);
}

static void test_single_precision_stays_where_it_is(void **state)
{
    const float numbers[] = { 1.5f, -0.1f, 3e38f };
    const assay_tensor tensor = tensor_of(ASSAY_TENSOR_F32, numbers, 3);
    const float *values;
    float *made;

    (void)state;
    assert_int_equal(assay_tensor_floats(&owner, &tensor, &values, &made), ASSAY_OK);
    assert_null(made);
    assert_ptr_equal(values, numbers);
}

static void test_misaligned_numbers_are_copied(void **state)
{
    const float numbers[] = { 1.5f, -0.1f, 3e38f };

    (void)state;
    for (size_t by = 1; by < 4; by++) {
        _Alignas(float) unsigned char bytes[sizeof numbers + 4];
        float *values;

        memcpy(bytes + by, numbers, sizeof numbers);
        values = made_of(ASSAY_TENSOR_F32, bytes + by, 3);
        assert_memory_equal(values, numbers, sizeof numbers);
        free(values);
    }
}

static void test_many_numbers(void **state)
{
    enum { MANY = 300000 };
    unsigned char *bytes = calloc(MANY, 2);
    float *values;

    (void)state;
    bytes[2 * MANY - 1] = 0x3c;
    values = made_of(ASSAY_TENSOR_F16, bytes, MANY);
    assert_true(values[0] == 0.0f && values[MANY - 2] == 0.0f && values[MANY - 1] == 1.0f);
    free(values);
    free(bytes);
}

static void test_whole_numbers(void **state)
{
    const unsigned char bytes[] = { 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    1,    2,    0,    0,    0,    0,    0,    0x80 };
    assay_tensor tensor = tensor_of(ASSAY_TENSOR_I64, bytes, 2);
    int64_t *made;

    (void)state;
    assert_int_equal(assay_tensor_integers(&owner, &tensor, &made), ASSAY_OK);
    assert_true(made[0] == -2 && made[1] == INT64_MIN + 513);
    free(made);
    tensor = tensor_of(ASSAY_TENSOR_I32, bytes, 4);
    assert_int_equal(assay_tensor_integers(&owner, &tensor, &made), ASSAY_OK);
    assert_true(made[0] == -2 && made[1] == -1 && made[2] == 513 && made[3] == INT32_MIN);
    free(made);
}

static void test_other_types_are_refused(void **state)
{
    const unsigned char bytes[8] = { 0 };
    const assay_tensor_type real[] = { ASSAY_TENSOR_F32, ASSAY_TENSOR_F16, ASSAY_TENSOR_BF16,
                                       ASSAY_TENSOR_F64, ASSAY_TENSOR_OTHER };
    const assay_tensor_type whole[] = { ASSAY_TENSOR_I64, ASSAY_TENSOR_I32, ASSAY_TENSOR_OTHER };
    const float *values;
    float *made;
    int64_t *integers;

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        const assay_tensor tensor = tensor_of(whole[k], bytes, 1);

        assert_int_equal(assay_tensor_floats(&owner, &tensor, &values, &made), ASSAY_E_FORMAT);
        assert_string_equal(
            assay_last_error(),
            "m: tensor \"t\" does not hold real numbers, expected F32, F16, BF16 or F64");
        assert_null(made);
    }
    for (size_t k = 0; k < 5; k++) {
        const assay_tensor tensor = tensor_of(real[k], bytes, 1);

        assert_int_equal(assay_tensor_integers(&owner, &tensor, &integers), ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(),
                            "m: tensor \"t\" does not hold whole numbers, expected I64 or I32");
        assert_null(integers);
    }
}

static assay_status make_and_free(void *context)
{
    const float *values;
    float *made;
    int64_t *integers;
    const assay_tensor half = tensor_of(ASSAY_TENSOR_F16, context, 4);
    const assay_tensor whole = tensor_of(ASSAY_TENSOR_I64, context, 1);
    assay_status status = assay_tensor_floats(&owner, &half, &values, &made);

    free(made);
    if (status != ASSAY_OK) return status;
    status = assay_tensor_integers(&owner, &whole, &integers);
    free(integers);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    unsigned char bytes[8] = { 0 };

    (void)state;
    assert_int_equal(fail_every_allocation(make_and_free, bytes), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_number_of_half_precision),
        cmocka_unit_test(test_every_number_of_bf16_is_the_upper_half),
        cmocka_unit_test(test_double_precision_is_rounded),
        cmocka_unit_test(test_single_precision_stays_where_it_is),
        cmocka_unit_test(test_misaligned_numbers_are_copied),
        cmocka_unit_test(test_many_numbers),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_other_types_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
