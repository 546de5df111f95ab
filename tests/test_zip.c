/* SPDX-License-Identifier: Apache-2.0 */
#include "read/zip.h"

#include "core/hex.h"
#include "failing_memory.h"

#include <openssl/sha.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"
#include "zip_writer.h"

enum { LONG = 300 * 1000 };
static zip_writer z;
static char text[LONG + 1]; /* packs badly, so that packed data fill several buffers */
static char back[LONG + 1];

static int make_text(void **state)
{
    uint32_t x = 1;

    for (size_t k = 0; k < LONG; k++) {
        x = x * 1664525u + 1013904223u;
        text[k] = (char)(x >> 24);
    }
    return enter_folder(state);
}

static int any(const char *name, size_t length)
{
    (void)name;
    (void)length;
    return 1;
}

static int begin(void **state)
{
    (void)state;
    z.length = z.directory_length = z.n = 0;
    z.is_64 = 0;
    return 0;
}

static const char *file(void)
{
    return write_bytes("z.zip", (const char *)z.bytes, z.length);
}

/* What the archive's opening and, if it goes well, the reading of its first member of that name
   return; what came out is in back. */
static assay_status read_back(const char *path, const char *name, size_t *length)
{
    assay_input_stream *input = NULL;
    assay_zip zip = { 0 };
    assay_zip_stream *stream = NULL;
    const assay_zip_member *member = NULL;
    assay_status status = assay_input_open(path, NULL, &input);
    size_t got = 1;

    *length = 0;
    if (status == ASSAY_OK) status = assay_zip_open(&zip, input, any);
    if (status == ASSAY_OK) status = assay_zip_find(&zip, name, &member);
    if (status == ASSAY_OK && !member) status = ASSAY_E_VALUE;
    if (status == ASSAY_OK) status = assay_zip_enter(&zip, member, &stream);
    while (status == ASSAY_OK && got > 0) {
        char piece[7000];

        status = assay_zip_read(stream, piece, sizeof piece, &got);
        if (*length + got <= LONG) memcpy(back + *length, piece, got);
        *length += got;
    }
    assay_zip_leave(stream);
    assay_zip_close(&zip);
    assay_input_close(input);
    return status;
}

static void assert_reads(const char *name, const char *data, size_t length)
{
    size_t got;
    assay_status status = read_back(file(), name, &got);

    if (status != ASSAY_OK) fail_msg("%s", assay_last_error());
    assert_int_equal(got, length);
    assert_memory_equal(back, data, length);
    empty_folder(NULL);
}

static void assert_refused(const char *why)
{
    size_t got;

    assert_int_equal(read_back(file(), "a", &got), ASSAY_E_FORMAT);
    assert_non_null(strstr(assay_last_error(), why));
    assert_null(strchr(assay_last_error(), '\n'));
    empty_folder(NULL);
}

static void members_of_every_method_come_back(void **state)
{
    (void)state;
    zip_add(&z, (zip_member){ .name = "s", .data = text, .length = LONG });
    zip_add(&z, (zip_member){ .name = "d", .data = text, .length = LONG, .method = 8 });
    zip_add(&z, (zip_member){ .name = "z", .data = "a text", .method = 93 });
    zip_add(&z, (zip_member){ .name = "empty", .data = "", .method = 8 });
    zip_end(&z, "", 0);
    assert_reads("s", text, LONG);
    assert_reads("d", text, LONG);
    assert_reads("z", "a text", 6);
    assert_reads("empty", "", 0);
}

/* libarchive 3.6 ends such a member where the frame and its buffer end together. */
static void frames_one_after_the_other_are_one_member(void **state)
{
    size_t first = 0, packed = 0;

    (void)state;
    zip_add(&z,
            (zip_member){ .name = "a", .data = text, .length = LONG, .method = 93, .frames = 5 });
    zip_end(&z, "", 0);
    assert_reads("a", text, LONG);
    for (first = 65000; packed != 65536; first++) { /* a frame as long as the reader's buffer */
        assert_true(first < 65600);
        packed = ZSTD_compress(z.bytes, ZIP_ROOM, text, first, 1);
    }
    begin(NULL);
    zip_add(&z, (zip_member){ .name = "a",
                              .data = text,
                              .length = LONG,
                              .method = 93,
                              .frames = 2,
                              .first = first - 1 });
    zip_end(&z, "", 0);
    assert_reads("a", text, LONG);
}

static void zip64_is_read_where_fields_are_full(void **state)
{
    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = "one", .is_64 = 1 });
    zip_add(&z, (zip_member){ .name = "b", .data = "two", .is_64 = 1, .method = 8 });
    z.is_64 = 1;
    zip_end(&z, "", 0);
    assert_reads("a", "one", 3);
    assert_reads("b", "two", 3);
}

/* The 20 bytes before the end record look like a ZIP64 locator, which names nothing. */
static void a_false_locator_misleads_nobody(void **state)
{
    (void)state;
    zip_add(&z, (zip_member){ .name = "a",
                              .data = "one",
                              .comment = "PK\6\7\0\0\0\0\5\0\0\0\0\0\0\0\1\0\0\0",
                              .comment_length = 20 });
    zip_end(&z, "", 0);
    assert_reads("a", "one", 3);
}

static void a_false_end_within_the_comment_misleads_nobody(void **state)
{
    static const char end[] = "PK\5\6\0\0\0\0\1\0\1\0\xff\0\0\0\xff\xff\0\0\0\0 behind it";

    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = "one" });
    zip_end(&z, end, sizeof end - 1);
    assert_reads("a", "one", 3);
}

static void every_cut_of_an_archive_is_refused(void **state)
{
    size_t whole, got;

    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = "some text", .method = 8 });
    z.is_64 = 1;
    zip_end(&z, "", 0);
    whole = z.length;
    for (z.length = 1; z.length < whole; z.length++) {
        assert_int_equal(read_back(file(), "a", &got), ASSAY_E_FORMAT);
        empty_folder(NULL);
    }
    z.length = whole - 1;
    assert_refused("it has no directory at its end: it is cut short, or damaged there");
}

static void damage_is_told(void **state)
{
    static const struct {
        zip_member member;
        const char *why;
    } cases[] = {
        { { .name = "a", .data = "text", .wrong = 1 }, "it is damaged: its CRC-32 is another" },
        { { .name = "a", .data = "text", .method = 8, .off = -1 },
          "it unpacks to more bytes than it declares" },
        { { .name = "a", .data = "text", .method = 93, .off = 1 },
          "it unpacks to fewer bytes than it declares" },
        { { .name = "a", .data = "text", .off = 1 },
          "it is stored, but in another number of bytes than it has" },
        { { .name = "a", .data = "text", .flags = 1 }, "it is encrypted" },
        { { .name = "a", .data = "text", .method = 12 },
          "is packed by method 12, expected 0 (stored), 8 (deflate) or 93 (Zstandard)" },
        { { .name = "a", .data = "text", .local_name = "b" },
          "what stands at its place is not it" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        begin(NULL);
        zip_add(&z, cases[k].member);
        zip_end(&z, "", 0);
        assert_refused(cases[k].why);
    }
}

static void packed_data_that_are_broken_are_told(void **state)
{
    (void)state;
    for (unsigned method = 8; method <= 93; method += 85) {
        begin(NULL);
        zip_add(&z, (zip_member){ .name = "a", .data = text, .length = 1000, .method = method });
        zip_end(&z, "", 0);
        memset(z.bytes + 31, 0xff, 20);
        assert_refused("[a]: cannot be read: its packed data are corrupt");
    }
    begin(NULL); /* the entry's packed size, a byte less; the data stand 31 bytes in */
    zip_add(&z, (zip_member){ .name = "a", .data = text, .length = 100, .method = 93 });
    z.directory[20]--;
    zip_end(&z, "", 0);
    assert_refused("its packed data end too early");
    begin(NULL);
    zip_add(&z, (zip_member){ .name = "a", .data = text, .length = 100, .method = 8 });
    zip_put(z.bytes, &z.length, 0, 1);
    z.directory[20]++;
    zip_end(&z, "", 0);
    assert_refused("other bytes stand behind its packed data");
}

static void a_directory_that_contradicts_itself_is_refused(void **state)
{
    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = "one" });
    z.n = 2;
    zip_end(&z, "", 0);
    assert_refused("its directory lists another number of members than it has");
    z.bytes[z.directory_at] = 'Q';
    assert_refused("its directory is damaged");
    begin(NULL);
    zip_add(&z, (zip_member){ .name = "a", .data = "one" });
    z.directory[42] = 200; /* where it begins */
    zip_end(&z, "", 0);
    assert_refused("its directory names a member beyond itself");
    begin(NULL);
    zip_add(&z, (zip_member){ .name = "a", .data = "one" });
    z.directory[28] = 200; /* its name's length */
    zip_end(&z, "", 0);
    assert_refused("its directory is damaged");
    begin(NULL);
    zip_add(&z, (zip_member){ .name = "a", .data = "one", .is_64 = 1 });
    z.directory[46 + 1 + 6] = 2; /* its ZIP64 field is another one */
    zip_end(&z, "", 0);
    assert_refused("its directory is damaged");
}

/* A thousand entries that are the same kilobyte. */
static void members_that_overlap_are_refused(void **state)
{
    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = text, .length = 1000 });
    for (size_t k = 0; k < 1000; k++) {
        memmove(z.directory + z.directory_length, z.directory, 47);
        z.directory_length += 47;
        z.n++;
    }
    zip_end(&z, "", 0);
    assert_refused("its members overlap");
}

static void two_members_of_a_name_are_one_only_where_they_are_equal(void **state)
{
    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = "one" });
    zip_add(&z, (zip_member){ .name = "a", .data = "one", .method = 8 });
    zip_end(&z, "", 0);
    assert_reads("a", "one", 3);
    begin(NULL);
    zip_add(&z, (zip_member){ .name = "a", .data = "one" });
    zip_add(&z, (zip_member){ .name = "a", .data = "two" });
    zip_end(&z, "", 0);
    assert_refused("a zip archive with two members \"a\" that differ, expected one");
}

/* They are compared and never opened as paths; one with a NUL character is nobody's. */
static void hostile_names_are_only_names(void **state)
{
    size_t got;

    (void)state;
    zip_add(&z, (zip_member){ .name = "../../a", .data = "up" });
    zip_add(&z, (zip_member){ .name = "/etc/a", .data = "root" });
    zip_add(&z, (zip_member){ .name = "a\0.json", .name_length = 7, .data = "NUL" });
    zip_add(&z, (zip_member){ .name = "\x1b[31mb", .data = "esc", .wrong = 1 });
    zip_end(&z, "", 0);
    assert_reads("../../a", "up", 2);
    assert_int_equal(read_back(file(), "a", &got), ASSAY_E_VALUE);
    assert_int_equal(read_back("z.zip", "\x1b[31mb", &got), ASSAY_E_FORMAT);
    assert_null(strchr(assay_last_error(), '\x1b'));
}

/* 100 MB of zeros: deflate cannot pack them below its 1,032 to 1, which streams; Zstandard packs
   them to 3 KB, which no log's member is. */
static void bombs_are_refused_and_large_members_stream(void **state)
{
    enum { SIZE = 100 * 1000 * 1000 };
    char *zeros = calloc(SIZE, 1);
    size_t got;

    (void)state;
    assert_non_null(zeros);
    zip_add(&z, (zip_member){ .name = "a", .data = zeros, .length = SIZE, .method = 8 });
    zip_end(&z, "", 0);
    assert_int_equal(read_back(file(), "a", &got), ASSAY_OK);
    assert_int_equal(got, SIZE);
    empty_folder(NULL);
    begin(NULL);
    zip_add(&z, (zip_member){ .name = "a", .data = zeros, .length = SIZE, .method = 93 });
    zip_end(&z, "", 0);
    assert_refused("it declares more than 1,100 times its packed size, as no log does");
    begin(NULL); /* the ratio that is declared is fine, since bytes behind are counted in */
    zip_add(&z, (zip_member){ .name = "a", .data = zeros, .length = SIZE, .method = 93 });
    zip_copy(z.bytes, &z.length, text, 60000);
    z.directory[20] = (unsigned char)(60000 & 255);
    z.directory[21] = 60000 >> 8;
    zip_end(&z, "", 0);
    assert_int_equal(read_back(file(), "a", &got), ASSAY_E_FORMAT);
    free(zeros);
}

static void the_digest_is_of_the_directory_s_bytes(void **state)
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    char hex[65];
    assay_input_stream *input = NULL;
    assay_zip zip = { 0 };

    (void)state;
    for (int k = 0; k < 5000; k++) { /* in several pieces: 370 KB */
        char name[32];

        snprintf(name, sizeof name, "samples/%020d", k);
        zip_add(&z, (zip_member){ .name = name, .data = "x" });
    }
    zip_end(&z, "", 0);
    SHA256(z.bytes + z.directory_at, z.directory_length, digest);
    assay_hex(digest, sizeof digest, hex);
    assert_int_equal(assay_input_open(file(), NULL, &input), ASSAY_OK);
    assert_int_equal(assay_zip_open(&zip, input, any), ASSAY_OK);
    assert_string_equal(zip.sha256, hex);
    assert_int_equal(zip.n, 5000);
    assert_int_equal(zip.n_listed, 5000);
    assay_zip_close(&zip);
    assay_input_close(input);
}

static void an_archive_within_gzip_is_refused(void **state)
{
    gzFile to;
    size_t got;

    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = "one" });
    zip_end(&z, "", 0);
    file();
    to = gzopen("z.zip", "wb");
    assert_int_equal(gzwrite(to, z.bytes, (unsigned)z.length), z.length);
    gzclose(to);
    assert_int_equal(read_back("z.zip", "a", &got), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "z.zip: a zip archive, whose directory stands at its end: give the file "
                        "itself, neither on standard input nor compressed once more");
}

static assay_status read_first(void *context)
{
    size_t got;

    (void)context;
    return read_back("z.zip", "a", &got);
}

static void no_memory_is_told_wherever_it_ends(void **state)
{
    (void)state;
    zip_add(&z, (zip_member){ .name = "a", .data = "one", .method = 93 });
    zip_add(&z, (zip_member){ .name = "b", .data = "one" });
    zip_end(&z, "", 0);
    file();
    assert_true(fail_every_allocation(read_first, NULL) > 8);
}

#define ZIP_TEST(name) cmocka_unit_test_setup_teardown(name, begin, empty_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ZIP_TEST(members_of_every_method_come_back),
        ZIP_TEST(frames_one_after_the_other_are_one_member),
        ZIP_TEST(zip64_is_read_where_fields_are_full),
        ZIP_TEST(a_false_locator_misleads_nobody),
        ZIP_TEST(a_false_end_within_the_comment_misleads_nobody),
        ZIP_TEST(every_cut_of_an_archive_is_refused),
        ZIP_TEST(damage_is_told),
        ZIP_TEST(packed_data_that_are_broken_are_told),
        ZIP_TEST(a_directory_that_contradicts_itself_is_refused),
        ZIP_TEST(members_that_overlap_are_refused),
        ZIP_TEST(two_members_of_a_name_are_one_only_where_they_are_equal),
        ZIP_TEST(hostile_names_are_only_names),
        ZIP_TEST(bombs_are_refused_and_large_members_stream),
        ZIP_TEST(the_digest_is_of_the_directory_s_bytes),
        ZIP_TEST(an_archive_within_gzip_is_refused),
        ZIP_TEST(no_memory_is_told_wherever_it_ends),
    };
    return cmocka_run_group_tests(tests, make_text, leave_folder);
}
