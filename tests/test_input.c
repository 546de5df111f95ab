/* SPDX-License-Identifier: Apache-2.0 */
#include "read/input.h"

#include "core/random.h"
#include "failing_memory.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

enum { TEXT_SIZE = 700 * 1000, PACKED_SIZE = 800 * 1000 };

static const char path[] = "test_input.tmp";
static char text[TEXT_SIZE], packed[PACKED_SIZE], back[TEXT_SIZE + 1];

/* Digits and letters that compress a little, so that packed data fill several chunks. */
static int make_text(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t i = 0; i < TEXT_SIZE; i++) text[i] = (char)(' ' + assay_random_below(&random, 90));
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static void write_file(const char *bytes, size_t length)
{
    FILE *to = fopen(path, "wb");

    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
}

static size_t gzip_text(char *to, size_t room, const char *from, size_t length)
{
    z_stream z = { 0 };

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)from;
    z.avail_in = (uInt)length;
    z.next_out = (unsigned char *)to;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static size_t zstd_text(char *to, size_t room, const char *from, size_t length)
{
    size_t size = ZSTD_compress(to, room, from, length, 3);
    assert_false(ZSTD_isError(size));
    return size;
}

/* All of the file in pieces of at most step bytes. */
static assay_status read_all(const char *name, size_t step, size_t *length, char hex[65])
{
    assay_input_stream *in = NULL;
    assay_status status = assay_input_open(name, &in);
    size_t got = 1;

    *length = 0;
    while (status == ASSAY_OK && got > 0) {
        size_t room = sizeof back - *length;
        status = assay_input_read(in, back + *length, room < step ? room : step, &got);
        *length += got;
    }
    if (status == ASSAY_OK) {
        if (assay_input_taken(in) > 0 && strcmp(name, "-") != 0)
            assert_true(assay_input_fraction(in) == 1.0);
        status = assay_input_sha256(in, hex);
    }
    assay_input_close(in);
    return status;
}

static void assert_reads_text(size_t length)
{
    const size_t steps[] = { 1000, 4096, 300000, sizeof back };

    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        char hex[65];
        size_t got;

        assert_int_equal(read_all(path, steps[k], &got, hex), ASSAY_OK);
        assert_int_equal(got, length);
        assert_memory_equal(back, text, length);
    }
}

static void test_plain_bytes_come_as_they_are(void **state)
{
    (void)state;
    for (size_t length = 0; length < 3; length++) {
        write_file(text, length);
        assert_reads_text(length);
    }
    write_file(text, TEXT_SIZE);
    assert_reads_text(TEXT_SIZE);
}

static void test_gzip_is_undone_also_in_members(void **state)
{
    size_t half = TEXT_SIZE / 2, n;

    (void)state;
    write_file(packed, gzip_text(packed, PACKED_SIZE, text, TEXT_SIZE));
    assert_reads_text(TEXT_SIZE);
    n = gzip_text(packed, PACKED_SIZE, text, half);
    n += gzip_text(packed + n, PACKED_SIZE - n, text + half, 0);
    n += gzip_text(packed + n, PACKED_SIZE - n, text + half, TEXT_SIZE - half);
    memset(packed + n, 0, 512); /* as a tape pads it */
    write_file(packed, n + 512);
    assert_reads_text(TEXT_SIZE);
}

static void test_zstandard_is_undone_also_in_frames(void **state)
{
    static const char skipped[] = "\x50\x2a\x4d\x18\x03\0\0\0abc";
    size_t half = TEXT_SIZE / 2, n = 11;

    (void)state;
    write_file(packed, zstd_text(packed, PACKED_SIZE, text, TEXT_SIZE));
    assert_reads_text(TEXT_SIZE);
    memcpy(packed, skipped, n);
    n += zstd_text(packed + n, PACKED_SIZE - n, text, half);
    n += zstd_text(packed + n, PACKED_SIZE - n, text + half, 0);
    n += zstd_text(packed + n, PACKED_SIZE - n, text + half, TEXT_SIZE - half);
    write_file(packed, n);
    assert_reads_text(TEXT_SIZE);
}

/* Every byte before the fault is handed out; then the sentence comes, again and again. */
static void assert_breaks(size_t file_length, const char *sentence, int is_cut)
{
    assay_input_stream *in = NULL;
    size_t length = 0, got = 1;
    assay_status status = ASSAY_OK;

    write_file(packed, file_length);
    assert_int_equal(assay_input_open(path, &in), ASSAY_OK);
    while (status == ASSAY_OK && got > 0) {
        status = assay_input_read(in, back + length, sizeof back - length, &got);
        length += got;
    }
    assert_int_equal(status, ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
    assert_int_equal(assay_input_read(in, back, 1, &got), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
    assert_int_equal(assay_input_is_cut(in), is_cut);
    memcpy(back, text, 1); /* the read above may have gone there */
    assert_memory_equal(back, text, length);
    assay_input_close(in);
}

static void test_packed_data_that_are_cut_say_so(void **state)
{
    const char *sentence = "test_input.tmp: cut short: the compressed data end too early";
    size_t n = gzip_text(packed, PACKED_SIZE, text, TEXT_SIZE);

    (void)state;
    assert_breaks(n - 1, sentence, 1);
    assert_breaks(n - 9, sentence, 1);
    assert_breaks(n / 2, sentence, 1);
    assert_breaks(2, sentence, 1);
    n = zstd_text(packed, PACKED_SIZE, text, TEXT_SIZE);
    assert_breaks(n - 1, sentence, 1);
    assert_breaks(n / 2, sentence, 1);
    assert_breaks(4, sentence, 1);
}

static void test_packed_data_that_are_corrupt_say_so(void **state)
{
    size_t n = gzip_text(packed, PACKED_SIZE, text, 1000);

    (void)state;
    memcpy(packed + n, "more", 4);
    assert_breaks(n + 4, "test_input.tmp: corrupt: other bytes after the gzip data", 0);
    packed[n - 5] ^= 1; /* of the checksum */
    assert_breaks(n, "test_input.tmp: corrupt gzip data", 0);
    n = zstd_text(packed, PACKED_SIZE, text, 1000);
    memcpy(packed + n, "more", 4);
    assert_breaks(n + 4, "test_input.tmp: Unknown frame descriptor", 0);
}

static void test_peeking_takes_nothing_away(void **state)
{
    assay_input_stream *in = NULL;
    const char *bytes;
    size_t length, got;

    (void)state;
    write_file(packed, gzip_text(packed, PACKED_SIZE, text, TEXT_SIZE));
    assert_int_equal(assay_input_open(path, &in), ASSAY_OK);
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(assay_input_peek(in, &bytes, &length), ASSAY_OK);
        assert_int_equal(length, 4096);
        assert_memory_equal(bytes, text, length);
    }
    assert_int_equal(assay_input_read(in, back, 10, &got), ASSAY_OK);
    assert_int_equal(got, 10);
    assert_memory_equal(back, text, 10);
    assert_int_equal(assay_input_read(in, back, 10, &got), ASSAY_OK);
    assert_int_equal(got, 10);
    assert_memory_equal(back, text + 10, 10);
    assay_input_close(in);
}

/* FIPS 180-2 gives the digests of "abc" and of nothing. */
static void test_the_digest_is_that_of_the_bytes_on_disk(void **state)
{
    static const char abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                      nothing[] =
                          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assay_input_stream *in = NULL;
    char hex[65], again[65];
    size_t length;

    (void)state;
    write_file("abc", 3);
    assert_int_equal(read_all(path, 2, &length, hex), ASSAY_OK);
    assert_string_equal(hex, abc);
    write_file("", 0);
    assert_int_equal(read_all(path, 2, &length, hex), ASSAY_OK);
    assert_string_equal(hex, nothing);
    write_file(text, TEXT_SIZE);
    assert_int_equal(read_all(path, 1 << 20, &length, hex), ASSAY_OK);
    assert_int_equal(assay_input_open(path, &in), ASSAY_OK);
    assert_int_equal(assay_input_sha256(in, again), ASSAY_OK); /* though nothing was read */
    assert_string_equal(hex, again);
    assay_input_close(in);
}

static void test_what_cannot_be_opened_says_why(void **state)
{
    assay_input_stream *in = NULL;

    (void)state;
    assert_int_equal(assay_input_open("no/such.csv", &in), ASSAY_E_READ);
    assert_string_equal(assay_last_error(), "no/such.csv: cannot be read: No such file or "
                                            "directory");
    assert_null(in);
    assert_int_equal(assay_input_open(".", &in), ASSAY_E_READ);
    assert_string_equal(assay_last_error(), ".: is a folder, expected a file");
}

static void test_a_dash_is_standard_input(void **state)
{
    int kept = dup(STDIN_FILENO), file;
    char hex[65];
    size_t length;

    (void)state;
    write_file("abc", 3);
    file = open(path, O_RDONLY);
    assert_true(kept >= 0 && file >= 0);
    assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(read_all("-", 100, &length, hex), ASSAY_OK);
    assert_int_equal(length, 3);
    assert_memory_equal(back, "abc", 3);
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), 0); /* it is left open */
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    close(kept);
    close(file);
}

static assay_status open_and_read(void *context)
{
    size_t length;
    return read_all(path, 1000, &length, context);
}

static void test_every_allocation_may_fail(void **state)
{
    char hex[65];

    (void)state;
    write_file("abc", 3);
    assert_true(fail_every_allocation(open_and_read, hex) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_bytes_come_as_they_are),
        cmocka_unit_test(test_gzip_is_undone_also_in_members),
        cmocka_unit_test(test_zstandard_is_undone_also_in_frames),
        cmocka_unit_test(test_packed_data_that_are_cut_say_so),
        cmocka_unit_test(test_packed_data_that_are_corrupt_say_so),
        cmocka_unit_test(test_peeking_takes_nothing_away),
        cmocka_unit_test(test_the_digest_is_that_of_the_bytes_on_disk),
        cmocka_unit_test(test_what_cannot_be_opened_says_why),
        cmocka_unit_test(test_a_dash_is_standard_input),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_text, remove_file);
}
