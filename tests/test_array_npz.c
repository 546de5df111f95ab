/* SPDX-License-Identifier: Apache-2.0 */
#include "read/npz.h"

#include "assay/vectors.h"
#include "core/error.h"
#include "failing_memory.h"
#include "read/input.h"

#include <archive.h>
#include <archive_entry.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

enum { SIZE = 1 << 16 };

typedef struct bytes {
    unsigned char data[SIZE];
    size_t length, at, step, fails_at; /* 0: as many as are asked for; never */
} bytes;

static bytes file; /* the archive at hand */

static assay_status give(void *user, char *buffer, size_t size, size_t *got)
{
    bytes *from = user;
    const size_t left = from->length - from->at;

    *got = left < size ? left : size;
    if (from->step && *got > from->step) *got = from->step;
    if (from->fails_at && from->at + *got >= from->fails_at) {
        *got = 0;
        return assay_fail(ASSAY_E_READ, "the disk is gone");
    }
    memcpy(buffer, from->data + from->at, *got);
    from->at += *got;
    return ASSAY_OK;
}

/* ---- archives ---- */

static struct archive *writer;

/* options: of libarchive's zip writer. */
static void begin(const char *options)
{
    writer = archive_write_new();
    assert_int_equal(archive_write_set_format_zip(writer), ARCHIVE_OK);
    assert_int_equal(archive_write_set_options(writer, options), ARCHIVE_OK);
    assert_int_equal(archive_write_set_bytes_per_block(writer, 0), ARCHIVE_OK);
    memset(&file, 0, sizeof file);
    assert_int_equal(archive_write_open_memory(writer, file.data, SIZE, &file.length), ARCHIVE_OK);
}

static void put(const char *name, const void *data, size_t length)
{
    struct archive_entry *entry = archive_entry_new();

    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)length);
    assert_int_equal(archive_write_header(writer, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(writer, data, length), length);
    archive_entry_free(entry);
}

/* An array of this type and shape in n_bytes of data. */
static void put_array(const char *name, const char *descr, const char *shape, const void *data,
                      size_t n_bytes)
{
    unsigned char npy[1024] = "\x93NUMPY\1";
    const int length =
        snprintf((char *)npy + 10, 256, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n",
                 descr, shape);

    npy[8] = (unsigned char)length;
    memcpy(npy + 10 + length, data, n_bytes);
    put(name, npy, 10 + (size_t)length + n_bytes);
}

static void end(void)
{
    assert_int_equal(archive_write_close(writer), ARCHIVE_OK);
    archive_write_free(writer);
}

/* Two rows of three bytes each from this number on. */
static void put_table(const char *name, unsigned char first)
{
    unsigned char numbers[6];

    for (unsigned char k = 0; k < 6; k++) numbers[k] = (unsigned char)(first + k);
    put_array(name, "|u1", "(2, 3)", numbers, 6);
}

static assay_status read_file(double **out, size_t *n, size_t *d)
{
    file.at = 0;
    return assay_npz_read("a.npz", give, &file, out, n, d);
}

/* The rows that put_table() made. */
static void check_table(unsigned char first)
{
    double *values;
    size_t n, d;

    if (read_file(&values, &n, &d) != ASSAY_OK) fail_msg("%s", assay_last_error());
    assert_int_equal(n, 2);
    assert_int_equal(d, 3);
    for (unsigned char k = 0; k < 6; k++) assert_true(values[k] == first + k);
    free(values);
}

static void check_refused(const char *sentence)
{
    double *values;
    size_t n, d;

    assert_int_equal(read_file(&values, &n, &d), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
    assert_null(values);
}

/* ---- what is read ---- */

static const char *const kinds[] = { "zip:compression=store", "zip:compression=deflate",
                                     "zip:compression=store,zip:zip64",
                                     "zip:compression=deflate,zip:zip64" };
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Beside one table: a row, text, objects, three dimensions and no array; before and after it. */
static void put_others(const char *suffix)
{
    static const char *const all[][3] = { { "ids", "<U2", "(1,)" },
                                          { "tags", "|O", "(2, 2)" },
                                          { "counts", "<i8", "(1,)" },
                                          { "cube", "|u1", "(2, 2, 2)" } };

    for (size_t k = 0; k < 4; k++) {
        char name[64];

        snprintf(name, sizeof name, "%s%s.npy", all[k][0], suffix);
        put_array(name, all[k][1], all[k][2], "12345678", 8);
    }
    put("readme.txt", "no array", 8);
}

static void test_the_only_table_is_read_from_every_kind_of_archive(void **state)
{
    static const size_t steps[] = { 0, 1, 7, 100 };

    (void)state;
    for (size_t k = 0; k < N_KINDS; k++) {
        begin(kinds[k]);
        put_others("1");
        put_table("anything.npy", 20);
        put_others("2");
        end();
        for (size_t s = 0; s < 4; s++) {
            file.step = steps[s];
            check_table(20);
        }
    }
}

static void test_a_known_name_decides_among_several(void **state)
{
    static const char *const known[] = { "vectors", "embeddings", "X", "arr_0" };

    (void)state;
    for (size_t k = 0; k < 4; k++)
        for (size_t place = 0; place < 3; place++) {
            begin(kinds[k]);
            for (size_t at = 0; at < 3; at++) {
                char name[64];

                snprintf(name, sizeof name, "%s.npy", at == place ? known[k] : "other");
                put_table(name, (unsigned char)(10 * at));
            }
            end();
            check_table((unsigned char)(10 * place));
        }
}

/* Names are but names. */
static void test_folders_in_names_mean_nothing(void **state)
{
    (void)state;
    begin(kinds[0]);
    put_table("x/y.npy", 1);
    put_table("../../../X.npy", 2);
    put_table("/etc/vector", 3);
    end();
    check_table(2);
}

static void test_what_is_not_one_table_is_refused_with_the_names(void **state)
{
    (void)state;
    begin(kinds[1]);
    put_table("a.npy", 1);
    put_table("b.npy", 2);
    end();
    check_refused("a.npz: has 2 arrays of rows and columns (a, b), expected one, or one of them "
                  "called vectors, embeddings, X or arr_0");
    begin(kinds[1]);
    put_table("X.npy", 1);
    put_table("arr_0.npy", 2);
    put_table("c.npy", 3);
    end();
    check_refused("a.npz: has 3 arrays of rows and columns (X, arr_0, c), expected one, or one of "
                  "them called vectors, embeddings, X or arr_0");
    begin(kinds[1]);
    put_others("");
    put_array("X.npy", "|O", "(9,)", "cos\nsystem\n", 11);
    end();
    check_refused("a.npz: an archive without an array of rows and columns of numbers, expected "
                  "one; it has ids, counts, cube, readme.txt; Python objects are never unpickled: "
                  "tags, X");
    begin(kinds[0]);
    end();
    check_refused("a.npz: an archive without an array of rows and columns of numbers, expected "
                  "one");
}

/* Long lists of names end somewhere. */
static void test_many_names_are_not_all_said(void **state)
{
    char name[128];

    (void)state;
    begin(kinds[0]);
    for (int k = 0; k < 100; k++) {
        snprintf(name, sizeof name, "a_name_that_is_%d_%090d.npy", k, k);
        put_table(name, 1);
    }
    end();
    double *values;
    size_t n, d;
    assert_int_equal(read_file(&values, &n, &d), ASSAY_E_FORMAT);
    assert_non_null(strstr(assay_last_error(), "has 100 arrays of rows and columns (a_name_that"));
    assert_non_null(strstr(assay_last_error(), " and more), expected one"));
    assert_true(strlen(assay_last_error()) < 500);
}

static void test_a_size_that_is_not_the_arrays_is_refused(void **state)
{
    (void)state;
    begin(kinds[0]); /* the size stands before the entry */
    put_array("X.npy", "|u1", "(2, 3)", "1234567", 7);
    end();
    check_refused("a.npz[X]: an entry of 77 bytes, expected the 76 of 2 x 3 numbers");
    begin(kinds[0]);
    put_array("X.npy", "<f8", "(9000000000, 384)", "12345678", 8);
    end();
    check_refused("a.npz[X]: an entry of 89 bytes, expected the 27648000000081 of 9000000000 x "
                  "384 numbers");
}

/* ---- faults ---- */

static size_t find_bytes(const char *what, size_t length)
{
    for (size_t k = 0; k + length <= file.length; k++)
        if (memcmp(file.data + k, what, length) == 0) return k;
    fail_msg("not in the archive");
    return 0;
}

static void test_archives_that_are_cut_are_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_KINDS; k++) {
        begin(kinds[k]);
        put_table("X.npy", 20);
        put_others("");
        end();
        check_table(20);
        const size_t list = find_bytes("PK\1\2", 4);
        for (size_t length = 4; length < list; length++) {
            double *values;
            size_t n, d;

            file.length = length;
            assert_int_equal(read_file(&values, &n, &d), ASSAY_E_FORMAT);
            assert_null(values);
        }
    }
}

/* Its checksum tells. */
static void test_every_wrong_byte_of_an_array_is_noticed(void **state)
{
    (void)state;
    begin(kinds[0]);
    put_table("X.npy", 200);
    end();
    const size_t start = find_bytes("\x93NUMPY", 6), stop = find_bytes("\xc8\xc9\xca", 3) + 6;
    for (size_t k = start; k < stop; k++) {
        double *values;
        size_t n, d;

        file.data[k] ^= 1;
        assert_int_equal(read_file(&values, &n, &d), ASSAY_E_FORMAT);
        file.data[k] ^= 1;
    }
    check_table(200);
}

/* Any byte of an archive changed: no crash, and no numbers but the right ones or none. */
static void test_no_wrong_byte_gives_wrong_numbers(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        begin(kinds[kind]);
        put_others("");
        put_table("X.npy", 20);
        end();
        for (size_t k = 0; k < file.length; k++)
            for (unsigned bit = 0; bit < 8; bit += 3) {
                double *values;
                size_t n = 0, d = 0;

                file.data[k] ^= (unsigned char)(1u << bit);
                if (read_file(&values, &n, &d) == ASSAY_OK) {
                    assert_true(n == 2 && d == 3);
                    for (size_t i = 0; i < 6; i++) assert_true(values[i] == (double)(20 + i));
                }
                free(values);
                file.data[k] ^= (unsigned char)(1u << bit);
            }
    }
}

static void test_a_source_that_fails_is_believed(void **state)
{
    double *values;
    size_t n, d;

    (void)state;
    begin(kinds[1]);
    put_others("");
    put_table("X.npy", 20);
    end();
    file.step = 16;
    for (file.fails_at = 1; file.fails_at < find_bytes("PK\1\2", 4); file.fails_at++) {
        assert_int_equal(read_file(&values, &n, &d), ASSAY_E_READ);
        assert_string_equal(assay_last_error(), "the disk is gone");
        assert_null(values);
    }
}

static assay_status read_again(void *context)
{
    double *values;
    size_t n, d;
    assay_status status = read_file(&values, &n, &d);

    (void)context;
    free(values);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    begin(kinds[1]);
    put_table("a.npy", 10);
    put_others("");
    put_table("X.npy", 20);
    end();
    assert_true(fail_every_allocation(read_again, NULL) >= 8);
}

/* ---- as vectors ---- */

static assay_prompts *prompts_of(size_t n)
{
    assay_prompts *prompts;
    char *text = malloc(32 * n + 32);
    size_t length = (size_t)sprintf(text, "id,text\n");

    for (size_t i = 0; i < n; i++) length += (size_t)sprintf(text + length, "p%zu,x%zu\n", i, i);
    assert_int_equal(assay_prompts_read(write_bytes("p.csv", text, length), NULL, &prompts),
                     ASSAY_OK);
    free(text);
    return prompts;
}

static void test_vectors_are_read_from_an_archive(void **state)
{
    assay_prompts *two = prompts_of(2), *three = prompts_of(3);
    assay_vectors *vectors;
    const char *path;

    (void)state;
    begin(kinds[1]);
    put_others("");
    put_array("E.npy", "|i1", "(2, 2)", "\3\4\0\1", 4);
    end();
    path = write_bytes("v", (const char *)file.data, file.length);
    assert_int_equal(assay_vectors_read(path, two, &vectors), ASSAY_OK);
    assert_int_equal(assay_vectors_n(vectors), 2);
    assert_int_equal(assay_vectors_dimensions(vectors), 2);
    assay_vectors_free(vectors);
    assert_int_equal(assay_vectors_read(path, three, &vectors), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(),
                        "v: has 2 vectors without ids, expected 3: one a prompt, in their order");
    /* Only the signature of an archive makes one. */
    path = write_text("w", "PK,1,2\nb,3,4\n");
    assert_int_equal(assay_vectors_read(path, two, &vectors), ASSAY_E_SHAPE);
    assay_prompts_free(two);
    assay_prompts_free(three);
}

/* Archives that NumPy wrote, which people have: deflated, one with ZIP64 sizes and objects. The
   first number and the sum are what NumPy says; sums of numbers of few digits, exact or nearly so.
   */
static void test_archives_of_others_are_read(void **state)
{
    static const struct known {
        const char *path;
        size_t n, d;
        double first, sum;
    } known[] = { { "/samples/npy/swebench_verified.npz", 134, 500, 0, 34485 },
                  { "/samples/embeddings/agentpsych_0accb67658c0.npz", 89, 5120, -1.5546875,
                    25279.01861000061 } };

    (void)state;
    if (access(ASSAY_SHARED_FOLDER "/samples/npy", R_OK) != 0) {
        print_message("no samples beside the repository\n");
        skip();
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        assay_input_stream *input;
        char path[512];
        double *values, sum = 0;
        size_t n, d;

        snprintf(path, sizeof path, ASSAY_SHARED_FOLDER "%s", known[k].path);
        assert_int_equal(assay_input_open(path, NULL, &input), ASSAY_OK);
        if (assay_npz_read(path, assay_input_read, input, &values, &n, &d) != ASSAY_OK)
            fail_msg("%s", assay_last_error());
        assert_int_equal(n, known[k].n);
        assert_int_equal(d, known[k].d);
        assert_true(values[0] == known[k].first);
        for (size_t i = 0; i < n * d; i++) sum += values[i];
        assert_true(fabs(sum - known[k].sum) < 1e-6);
        assay_input_close(input);
        free(values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_only_table_is_read_from_every_kind_of_archive),
        cmocka_unit_test(test_a_known_name_decides_among_several),
        cmocka_unit_test(test_folders_in_names_mean_nothing),
        cmocka_unit_test(test_what_is_not_one_table_is_refused_with_the_names),
        cmocka_unit_test(test_many_names_are_not_all_said),
        cmocka_unit_test(test_a_size_that_is_not_the_arrays_is_refused),
        cmocka_unit_test(test_archives_that_are_cut_are_refused),
        cmocka_unit_test(test_every_wrong_byte_of_an_array_is_noticed),
        cmocka_unit_test(test_no_wrong_byte_gives_wrong_numbers),
        cmocka_unit_test(test_a_source_that_fails_is_believed),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test_teardown(test_vectors_are_read_from_an_archive, empty_folder),
        cmocka_unit_test(test_archives_of_others_are_read),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
