/* SPDX-License-Identifier: Apache-2.0 */
#include "read/npy.h"

#include "failing_memory.h"
#include "read/input.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct bytes {
    unsigned char data[4096];
    size_t length, at, step;
} bytes;

static assay_status give(void *user, char *buffer, size_t size, size_t *got)
{
    bytes *from = user;
    const size_t left = from->length - from->at;

    *got = left < size ? left : size;
    if (from->step && *got > from->step) *got = from->step;
    memcpy(buffer, from->data + from->at, *got);
    from->at += *got;
    return ASSAY_OK;
}

/* A file of this version with this header, not padded. */
static bytes file_of(int version, const char *header, const void *data, size_t length)
{
    bytes file = { .data = "\x93NUMPY", .length = 8 };
    const size_t n = strlen(header);

    file.data[6] = (unsigned char)version;
    for (int k = 0; k < (version == 1 ? 2 : 4); k++)
        file.data[file.length++] = (unsigned char)(n >> 8 * k & 0xff);
    memcpy(file.data + file.length, header, n);
    file.length += n;
    if (length > 0) memcpy(file.data + file.length, data, length);
    file.length += length;
    return file;
}

static assay_status read_bytes(bytes *file, double **out, size_t *n, size_t *d)
{
    file->at = 0;
    return assay_npy_read("a.npy", give, file, out, n, d);
}

/* The numbers of an array of one dimension. */
static void check_numbers(const char *descr, const void *data, size_t length,
                          const double *expected, size_t count)
{
    char header[128];
    bytes file;
    double *values;
    size_t n, d;

    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }",
             descr, count);
    file = file_of(1, header, data, length);
    if (read_bytes(&file, &values, &n, &d) != ASSAY_OK) fail_msg("%s", assay_last_error());
    assert_int_equal(n, count);
    assert_int_equal(d, 1);
    for (size_t k = 0; k < count; k++)
        if (!(values[k] == expected[k] || (isnan(values[k]) && isnan(expected[k]))))
            fail_msg("%s [%zu] is %g, expected %g", descr, k, values[k], expected[k]);
    free(values);
}

/* Each line is numpy.array([...], dtype).tobytes(). */
static void test_every_type_of_number_is_read(void **state)
{
    static const double signs[] = { 1, -2, -128 }, counts[] = { 1, 254, 128 };

    (void)state;
    check_numbers("|b1", "\0\1", 2, (const double[]){ 0, 1 }, 2);
    check_numbers("|i1", "\x01\xfe\x80", 3, signs, 3);
    check_numbers("|u1", "\x01\xfe\x80", 3, counts, 3);
    check_numbers("<i2", "\x01\0\xfe\xff\x80\xff", 6, signs, 3);
    check_numbers(">i2", "\0\x01\xff\xfe\xff\x80", 6, signs, 3);
    check_numbers("<u2", "\x01\0\xfe\0\x80\0", 6, counts, 3);
    check_numbers(">u4", "\0\0\0\x01\0\0\0\xfe\0\0\0\x80", 12, counts, 3);
    check_numbers("<i4", "\x01\0\0\0\xfe\xff\xff\xff\x80\xff\xff\xff", 12, signs, 3);
    check_numbers(">i8", "\xff\xff\xff\xff\xff\xff\xff\xfe\x80\0\0\0\0\0\0\0", 16,
                  (const double[]){ -2, -0x1p63 }, 2);
    check_numbers("<u8", "\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\0\0\0\0\0", 16,
                  (const double[]){ 0x1p64, 1 }, 2);
    check_numbers("<f2", "\0\x3c\0\xc0\x01\0\xff\x7b\0\x7c\0\x7e\0\x80", 14,
                  (const double[]){ 1, -2, 0x1p-24, 65504, INFINITY, NAN, 0 }, 7);
    check_numbers(">f2", "\x35\x55\x04\0\x03\xff", 6,
                  (const double[]){ 0.333251953125, 0x1p-14, 0x3ffp-24 }, 3);
    check_numbers("<f4", "\0\0\x80\x3f\0\0\x20\xc0", 8, (const double[]){ 1, -2.5 }, 2);
    check_numbers(">f4", "\x3f\x80\0\0\xc0\x20\0\0", 8, (const double[]){ 1, -2.5 }, 2);
    check_numbers("<f8", "\0\0\0\0\0\0\xf0\x3f", 8, (const double[]){ 1 }, 1);
    check_numbers(">f8", "\xc0\x04\0\0\0\0\0\0", 8, (const double[]){ -2.5 }, 1);
}

static void test_both_orders_and_all_versions_give_the_same_rows(void **state)
{
    static const char *const headers[] = {
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }   \n",
        "{\"shape\":(2L,3L),'fortran_order':True,'descr':'|u1'}\n",
        "{'descr': '<u1', 'fortran_order': False, 'shape': ( 2 , 3 ,)}",
    };

    (void)state;
    for (int version = 1; version <= 3; version++)
        for (size_t k = 0; k < 3; k++)
            for (size_t step = 0; step < 3; step++) {
                bytes file =
                    file_of(version, headers[k], k == 1 ? "\1\4\2\5\3\6" : "\1\2\3\4\5\6", 6);
                double *values;
                size_t n, d;

                file.step = step;
                assert_int_equal(read_bytes(&file, &values, &n, &d), ASSAY_OK);
                assert_int_equal(n, 2);
                assert_int_equal(d, 3);
                for (size_t i = 0; i < 6; i++) assert_true(values[i] == (double)i + 1);
                free(values);
            }
}

/* One side of 2^60 and nothing in it: no loop may go over it. */
static void test_empty_arrays_are_read_at_once(void **state)
{
    static const char *const headers[] = {
        "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 1152921504606846976)}",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (1152921504606846976, 0)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}",
    };

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        bytes file = file_of(1, headers[k], "", 0);
        double *values;
        size_t n, d;

        assert_int_equal(read_bytes(&file, &values, &n, &d), ASSAY_OK);
        assert_true(n == 0 || d == 0);
        free(values);
    }
}

static void check_refused(const bytes *file, const char *sentence)
{
    bytes copy = *file;
    double *values;
    size_t n, d;

    assert_int_equal(read_bytes(&copy, &values, &n, &d), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
    assert_null(values);
}

static void check_header(const char *header, const char *sentence)
{
    const bytes file = file_of(1, header, "", 0);
    check_refused(&file, sentence);
}

#define NUMBERS ", expected numbers (b1, i1 to i8, u1 to u8, f2, f4 or f8)"

static void test_other_types_are_refused_by_name(void **state)
{
    static const char *const types[] = { "<U10", "|S5", "<c16", "<f16", "<M8[ns]", "|V4",
                                         "=f8",  "|f8", "<b2",  "f8",   "",        "<f3" };

    (void)state;
    check_header("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
                 "a.npy: an array of type '|O', Python objects, which are never unpickled" NUMBERS);
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        char header[128], sentence[200];

        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (3,)}",
                 types[k]);
        snprintf(sentence, sizeof sentence, "a.npy: an array of type '%s'" NUMBERS, types[k]);
        check_header(header, sentence);
    }
    for (size_t at = 0; at < 3; at++) { /* a NUL is in every C string, and no type has one */
        bytes file = file_of(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", "", 0);
        double *values;
        size_t n, d;

        memcpy(file.data + 10 + 11 + at, "", 1);
        assert_int_equal(read_bytes(&file, &values, &n, &d), ASSAY_E_FORMAT);
        assert_non_null(strstr(assay_last_error(), "an array of type"));
    }
    check_header("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (3,), }",
                 "a.npy: an array of records with named fields, expected one of plain numbers (b1, "
                 "i1 to i8, u1 to u8, f2, f4 or f8)");
}

#define HEAD "{'descr': '<f8', 'fortran_order': False, 'shape': "
#define UNKNOWN "a.npy: a NumPy header that is not understood at "

static void test_shapes_that_are_no_table_are_refused(void **state)
{
    (void)state;
    check_header(HEAD "(), }", "a.npy: an array of 0 dimensions, expected rows and columns");
    check_header(HEAD "(1, 2, 3), }", "a.npy: an array of 3 dimensions, expected rows and columns");
    check_header(HEAD "(4294967296, 4294967296)}",
                 "a.npy: a shape of 4294967296 x 4294967296, more than memory can hold");
    check_header(HEAD "(99999999999999999999,)}",
                 UNKNOWN "\"99,)}\", expected whole numbers below 2^63 in 'shape'");
    check_header(HEAD "(-1,)}", UNKNOWN "\"-1,)}\", expected whole numbers below 2^63 in 'shape'");
    check_header(HEAD "(1 2)}", UNKNOWN "\"2)}\", expected a comma or the end of 'shape'");
    check_header(HEAD "3}", UNKNOWN "\"3}\", expected a tuple for 'shape'");
}

static void test_headers_that_are_no_dict_are_refused(void **state)
{
    (void)state;
    check_header("", UNKNOWN "\"\", expected a dict");
    check_header("{}", UNKNOWN "\"\", expected 'descr', 'fortran_order' and 'shape'");
    check_header(HEAD "(1,)} x", UNKNOWN "\"x\", expected nothing after the dict");
    check_header(HEAD "(1,) 'a'", UNKNOWN "\"'a'\", expected a comma or the end of the dict");
    check_header(HEAD "(1,), 'shape': (1,)}", UNKNOWN "\" (1,)}\", expected each key once");
    check_header("{'descr", UNKNOWN "\"'descr\", expected a key and a colon");
    check_header("{'other': 1}",
                 UNKNOWN "\" 1}\", expected 'descr', 'fortran_order' and 'shape' only");
    check_header("{'descr': 8}", UNKNOWN "\"8}\", expected the type of the numbers as text");
    check_header("{'fortran_order': 1}",
                 UNKNOWN "\"1}\", expected True or False for 'fortran_order'");
}

static void test_files_that_end_early_or_late_are_refused(void **state)
{
    bytes file = file_of(1, HEAD "(2, 1)}", "0123456789abcdef", 16);
    bytes cut = file;
    double *values;
    size_t n, d;

    (void)state;
    assert_int_equal(read_bytes(&file, &values, &n, &d), ASSAY_OK);
    free(values);
    for (cut.length = 0; cut.length < file.length; cut.length++) {
        assert_int_equal(read_bytes(&cut, &values, &n, &d), ASSAY_E_FORMAT);
        assert_null(values);
    }
    check_refused(&(bytes){ .data = "\x93NUMPX", .length = 30 },
                  "a.npy: not a NumPy array, expected one");
    cut.length = 9;
    check_refused(&cut, "a.npy: a NumPy header that is cut short");
    cut.length = file.length - 3;
    check_refused(&cut, "a.npy: the data are cut short: 1 of 2 x 1 numbers are there");
    file.length++;
    check_refused(&file, "a.npy: the data go on after the array, expected its end");
    file.data[6] = 4;
    check_refused(&file, "a.npy: a NumPy array of version 4.0, expected 1 to 3");
    file.data[6] = 2;
    check_refused(&file, "a.npy: a NumPy header of 662372409 bytes, expected at most 65536");
}

/* Memory follows the bytes that are there: 2^50 numbers are claimed and one is there. */
static void test_a_shape_that_is_claimed_takes_no_memory(void **state)
{
    const bytes file = file_of(1, HEAD "(1073741824, 1048576)}", "01234567", 8);

    (void)state;
    check_refused(&file,
                  "a.npy: the data are cut short: 1 of 1073741824 x 1048576 numbers are there");
}

/* The same table written by NumPy in two ways, and what NumPy says of a third one: shape (100, 25),
   a.astype(float).sum() = -2.966669967463531e-06. */
static void test_arrays_that_numpy_wrote_are_read(void **state)
{
    static const char *const names[] = { "swebench_verified_f64_fortran",
                                         "swebench_verified_134x500_u1", "embeddings_llm_judge" };
    double *values[3], sum = 0;
    size_t n[3], d[3];

    (void)state;
    if (access(ASSAY_SHARED_FOLDER "/samples/npy", R_OK) != 0) {
        print_message("no sample arrays beside the repository\n");
        skip();
    }
    for (size_t k = 0; k < 3; k++) {
        char path[512];
        assay_input_stream *input;

        snprintf(path, sizeof path, ASSAY_SHARED_FOLDER "/samples/npy/%s.npy", names[k]);
        assert_int_equal(assay_input_open(path, NULL, &input), ASSAY_OK);
        if (assay_npy_read(path, assay_input_read, input, &values[k], &n[k], &d[k]) != ASSAY_OK)
            fail_msg("%s", assay_last_error());
        assay_input_close(input);
    }
    assert_int_equal(n[0], 20);
    assert_int_equal(n[1], 134);
    assert_true(d[0] == 500 && d[1] == 500);
    assert_memory_equal(values[0], values[1], 20 * 500 * sizeof(double));
    assert_true(n[2] == 100 && d[2] == 25);
    for (size_t k = 0; k < 2500; k++) sum += values[2][k];
    assert_true(fabs(sum - -2.966669967463531e-06) < 1e-9);
    for (size_t k = 0; k < 3; k++) free(values[k]);
}

static assay_status read_some(void *context)
{
    double *values;
    size_t n, d;
    assay_status status = read_bytes(context, &values, &n, &d);

    free(values);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    bytes file =
        file_of(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "abcdef", 6);

    (void)state;
    assert_int_equal(fail_every_allocation(read_some, &file), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_of_number_is_read),
        cmocka_unit_test(test_both_orders_and_all_versions_give_the_same_rows),
        cmocka_unit_test(test_empty_arrays_are_read_at_once),
        cmocka_unit_test(test_other_types_are_refused_by_name),
        cmocka_unit_test(test_shapes_that_are_no_table_are_refused),
        cmocka_unit_test(test_headers_that_are_no_dict_are_refused),
        cmocka_unit_test(test_files_that_end_early_or_late_are_refused),
        cmocka_unit_test(test_a_shape_that_is_claimed_takes_no_memory),
        cmocka_unit_test(test_arrays_that_numpy_wrote_are_read),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
