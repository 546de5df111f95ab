/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/base.h"
#include "embed/safetensors.h"
#include "failing_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file's bytes: this header, and as many bytes 0, 1, 2 and so on behind it. */
typedef struct file {
    unsigned char *bytes;
    size_t size;
} file;

static file make_file(const char *header, size_t n_data)
{
    const size_t n = strlen(header);
    file f = { malloc(8 + n + n_data), 8 + n + n_data };

    assert_non_null(f.bytes);
    for (size_t b = 0; b < 8; b++) f.bytes[b] = (unsigned char)((uint64_t)n >> 8 * b);
    memcpy(f.bytes + 8, header, n);
    for (size_t k = 0; k < n_data; k++) f.bytes[8 + n + k] = (unsigned char)k;
    return f;
}

static assay_status parse(const file *f, assay_safetensors *tensors)
{
    return assay_safetensors_parse("m", f->bytes, f->size, tensors);
}

static void refused(const char *header, size_t n_data, const char *sentence)
{
    file f = make_file(header, n_data);
    assay_safetensors tensors;

    assert_int_equal(parse(&f, &tensors), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
    assay_safetensors_free(&tensors);
    free(f.bytes);
}

#define BY_HAND                                                                    \
    "{\"__metadata__\":{\"format\":\"pt\"},"                                       \
    "\"b\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[4,28]},"           \
    "\"a\":{\"data_offsets\":[0,4],\"more\":[{}],\"shape\":[],\"dtype\":\"I32\"}," \
    "\"five\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,2],\"data_offsets\":[28,30]},"  \
    "\"none\":{\"dtype\":\"BF16\",\"shape\":[9007199254740992,0],\"data_offsets\":[30,30]}}  "

static void test_a_file_by_hand(void **state)
{
    file f = make_file(BY_HAND, 30);
    const unsigned char *data = f.bytes + f.size - 30;
    assay_safetensors tensors;
    const assay_tensor *t;

    (void)state;
    assert_int_equal(parse(&f, &tensors), ASSAY_OK);
    assert_int_equal(tensors.n, 4);
    t = assay_safetensors_find(&tensors, "b");
    assert_true(t && t->type == ASSAY_TENSOR_F32 && t->bytes == data + 4);
    assert_true(t->n_dimensions == 2 && t->shape[0] == 2 && t->shape[1] == 3 && t->count == 6);
    t = assay_safetensors_find(&tensors, "a");
    assert_true(t && t->type == ASSAY_TENSOR_I32 && t->bytes == data);
    assert_true(t->n_dimensions == 0 && t->count == 1);
    t = assay_safetensors_find(&tensors, "five");
    assert_true(t && t->type == ASSAY_TENSOR_OTHER && t->n_dimensions == 5 && t->count == 2);
    t = assay_safetensors_find(&tensors, "none");
    assert_true(t && t->type == ASSAY_TENSOR_BF16 && t->count == 0);
    assert_null(assay_safetensors_find(&tensors, "__metadata__"));
    assert_null(assay_safetensors_find(&tensors, "c"));
    assay_safetensors_free(&tensors);
    free(f.bytes);
}

static void test_no_tensors(void **state)
{
    file f = make_file("{}", 0);
    assay_safetensors tensors;

    (void)state;
    assert_int_equal(parse(&f, &tensors), ASSAY_OK);
    assert_int_equal(tensors.n, 0);
    assert_null(assay_safetensors_find(&tensors, ""));
    assay_safetensors_free(&tensors);
    free(f.bytes);
}

/* ---- every type has its size ---- */

static void test_types_have_their_sizes(void **state)
{
    static const struct {
        const char *name;
        assay_tensor_type type;
        size_t size;
    } known[] = {
        { "F64", ASSAY_TENSOR_F64, 8 },       { "F32", ASSAY_TENSOR_F32, 4 },
        { "F16", ASSAY_TENSOR_F16, 2 },       { "BF16", ASSAY_TENSOR_BF16, 2 },
        { "I64", ASSAY_TENSOR_I64, 8 },       { "I32", ASSAY_TENSOR_I32, 4 },
        { "I16", ASSAY_TENSOR_OTHER, 2 },     { "I8", ASSAY_TENSOR_OTHER, 1 },
        { "U64", ASSAY_TENSOR_OTHER, 8 },     { "U32", ASSAY_TENSOR_OTHER, 4 },
        { "U16", ASSAY_TENSOR_OTHER, 2 },     { "U8", ASSAY_TENSOR_OTHER, 1 },
        { "BOOL", ASSAY_TENSOR_OTHER, 1 },    { "F8_E4M3", ASSAY_TENSOR_OTHER, 1 },
        { "F8_E5M2", ASSAY_TENSOR_OTHER, 1 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char header[200];
        assay_safetensors tensors;
        file f;

        snprintf(header, sizeof header,
                 "{\"t\":{\"dtype\":\"%s\",\"shape\":[3],\"data_offsets\":[0,%zu]}}", known[k].name,
                 3 * known[k].size);
        f = make_file(header, 24);
        assert_int_equal(parse(&f, &tensors), ASSAY_OK);
        assert_int_equal(tensors.tensors[0].type, known[k].type);
        assert_int_equal(tensors.tensors[0].count, 3);
        assay_safetensors_free(&tensors);
        free(f.bytes);
    }
}

/* ---- what is malformed ---- */

static void test_files_that_are_cut_short(void **state)
{
    file f = make_file(BY_HAND, 30);
    const size_t whole = f.size;
    assay_safetensors tensors;
    char sentence[200];

    (void)state;
    for (f.size = 0; f.size < whole; f.size++) {
        /* in its own memory, so that the sanitizers see its end */
        file cut = { malloc(f.size + 1), f.size };

        memcpy(cut.bytes, f.bytes, f.size);
        cut.bytes = realloc(cut.bytes, f.size ? f.size : 1);
        assert_int_equal(parse(&cut, &tensors), ASSAY_E_FORMAT);
        if (f.size < 8)
            snprintf(sentence, sizeof sentence,
                     "m: has %zu bytes, expected safetensors with their header", f.size);
        else if (f.size < whole - 30)
            snprintf(sentence, sizeof sentence,
                     "m: the header claims %zu bytes of a file of %zu, expected safetensors that "
                     "are not cut short",
                     whole - 38, f.size);
        else if (f.size < whole - 26)
            snprintf(sentence, sizeof sentence,
                     "m: tensor \"b\" claims bytes 4 to 28 of %zu, expected as many as its shape "
                     "has, within the file",
                     f.size - (whole - 30));
        if (f.size < whole - 26) assert_string_equal(assay_last_error(), sentence);
        assay_safetensors_free(&tensors);
        free(cut.bytes);
    }
    free(f.bytes);
}

static void test_headers_too_long_for_anything(void **state)
{
    static const unsigned char most[] = { 255, 255, 255, 255, 255, 255, 255, 255, '{', '}' };
    assay_safetensors tensors;

    (void)state;
    assert_int_equal(assay_safetensors_parse("m", most, sizeof most, &tensors), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "m: the header claims 18446744073709551615 bytes of a file of 10, expected "
                        "safetensors that are not cut short");
    assay_safetensors_free(&tensors);
}

static void test_headers_of_another_kind(void **state)
{
#define NOT "m: the header is not that of safetensors, expected "
    (void)state;
    refused("[]", 0, NOT "an object of tensors");
    refused("", 0, NOT "an object of tensors");
    refused("{}{}", 0, NOT "nothing behind the object of tensors");
    refused("{\"t\":3}", 0, NOT "an object for each tensor");
    refused("{\"t\":{}}", 0, NOT "dtype, shape and two data_offsets for each tensor");
    refused("{\"t\":{\"dtype\":\"F32\",\"shape\":[0]}}", 0,
            NOT "dtype, shape and two data_offsets for each tensor");
    refused("{\"t\":{\"dtype\":\"F32\",\"data_offsets\":[0,0]}}", 0,
            NOT "dtype, shape and two data_offsets for each tensor");
    refused("{\"t\":{\"shape\":[0],\"data_offsets\":[0,0]}}", 0,
            NOT "dtype, shape and two data_offsets for each tensor");
    refused("{\"t\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0,0]}}", 0,
            NOT "dtype, shape and two data_offsets for each tensor");
    refused("{\"t\":{\"shape\":{}}}", 0, NOT "arrays for shapes and data_offsets");
    refused("{\"t\":{\"data_offsets\":3}}", 0, NOT "arrays for shapes and data_offsets");
    refused("{\"t\":{", 0, "m:1:7: the input ends here, expected a key");
}

static void test_types_that_are_not_there(void **state)
{
#define TYPES "expected F32, F16, BF16 or others that safetensors has"
    (void)state;
    refused("{\"t\":{\"dtype\":\"F31\"}}", 0, "m: tensor \"t\" is of type \"F31\", " TYPES);
    refused("{\"t\":{\"dtype\":7}}", 0, "m: tensor \"t\" is of type \"7\", " TYPES);
    refused("{\"t\":{\"dtype\":[]}}", 0, "m: tensor \"t\" is of type \"\", " TYPES);
}

static void test_sizes_that_are_no_whole_numbers(void **state)
{
    static const char *const sizes[] = {
        "NaN", "-1", "1.5",  "1e300", "\"3\"",     "Infinity", "1e17",
        "[]",  "{}", "null", "true",  "-Infinity", "-0.0001",  "9007199254740994"
    };

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char header[100], sentence[100], text[40];

        snprintf(text, sizeof text, "%s", strchr("[{nt", sizes[k][0]) ? "" : sizes[k]);
        if (sizes[k][0] == '"') strcpy(text, "3");
        snprintf(sentence, sizeof sentence,
                 "m: tensor \"t\" has a size of \"%s\", expected a whole number", text);
        snprintf(header, sizeof header, "{\"t\":{\"shape\":[1,%s]}}", sizes[k]);
        refused(header, 0, sentence);
        snprintf(header, sizeof header, "{\"t\":{\"data_offsets\":[%s,1]}}", sizes[k]);
        refused(header, 0, sentence);
    }
}

/* A tensor of single precision with this shape and these offsets, of 16 bytes. */
static void refused_place(const char *shape, const char *offsets, const char *begin,
                          const char *end)
{
    char header[200], sentence[200];

    snprintf(header, sizeof header,
             "{\"t\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%s]}}", shape, offsets);
    snprintf(sentence, sizeof sentence,
             "m: tensor \"t\" claims bytes %s to %s of 16, expected as many as its shape has, "
             "within the file",
             begin, end);
    refused(header, 16, sentence);
}

static void test_places_that_are_wrong(void **state)
{
    (void)state;
    refused_place("3", "0,16", "0", "16");
    refused_place("5", "0,16", "0", "16");
    refused_place("", "0,16", "0", "16");
    refused_place("4", "0,15", "0", "15");
    refused_place("4", "4,20", "4", "20");
    refused_place("4", "16,0", "16", "0");
    refused_place("0", "17,17", "17", "17");
    refused_place("0", "0,4", "0", "4");
    refused_place("1,1,1,1,1", "8,20", "8", "20"); /* beyond the file, whatever its shape */
    refused_place("4", "9007199254740984,9007199254740992", "9007199254740984", "9007199254740992");
    /* products that wrap around to 4 */
    refused_place("4294967296,4294967296,4294967296,4", "0,16", "0", "16");
    refused_place("9007199254740992,2048,4", "0,16", "0", "16");
}

static void test_two_tensors_of_one_name(void **state)
{
#define EMPTY(name) "\"" name "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}"
    (void)state;
    refused("{" EMPTY("t") "," EMPTY("u") "," EMPTY("t") "}", 0,
            "m: has two tensors \"t\", expected different names");
}

static void test_many_tensors_are_found(void **state)
{
    static char header[200000];
    assay_safetensors tensors;
    size_t n = 1;
    file f;

    (void)state;
    header[0] = '{';
    for (unsigned k = 0; k < 2000; k++)
        n += (size_t)snprintf(header + n, sizeof header - n,
                              "%s\"t%u\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%u,%u]}",
                              k ? "," : "", k * 7919 % 2000, k, k + 1);
    header[n] = '}';
    f = make_file(header, 2000);
    assert_int_equal(parse(&f, &tensors), ASSAY_OK);
    for (unsigned k = 0; k < 2000; k++) {
        char name[20];
        const assay_tensor *t;

        snprintf(name, sizeof name, "t%u", k * 7919 % 2000);
        t = assay_safetensors_find(&tensors, name);
        assert_true(t && t->bytes == f.bytes + f.size - 2000 + k);
    }
    assay_safetensors_free(&tensors);
    free(f.bytes);
}

static assay_status parse_and_free(void *context)
{
    assay_safetensors tensors;
    const assay_status status = parse(context, &tensors);

    assay_safetensors_free(&tensors);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    file f = make_file(BY_HAND, 30);

    (void)state;
    assert_true(fail_every_allocation(parse_and_free, &f) >= 5);
    free(f.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_by_hand),
        cmocka_unit_test(test_no_tensors),
        cmocka_unit_test(test_types_have_their_sizes),
        cmocka_unit_test(test_files_that_are_cut_short),
        cmocka_unit_test(test_headers_too_long_for_anything),
        cmocka_unit_test(test_headers_of_another_kind),
        cmocka_unit_test(test_types_that_are_not_there),
        cmocka_unit_test(test_sizes_that_are_no_whole_numbers),
        cmocka_unit_test(test_places_that_are_wrong),
        cmocka_unit_test(test_two_tensors_of_one_name),
        cmocka_unit_test(test_many_tensors_are_found),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
