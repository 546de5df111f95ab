/* SPDX-License-Identifier: Apache-2.0 */
#include "read/input.h"

#include "core/random.h"
#include "failing_memory.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
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
    assay_status status = assay_input_open(name, NULL, &in);
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
    assert_int_equal(assay_input_open(path, NULL, &in), ASSAY_OK);
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
    assert_int_equal(assay_input_open(path, NULL, &in), ASSAY_OK);
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(assay_input_peek(in, &bytes, &length), ASSAY_OK);
        assert_int_equal(length, 65536);
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
    assert_int_equal(assay_input_open(path, NULL, &in), ASSAY_OK);
    assert_int_equal(assay_input_sha256(in, again), ASSAY_OK); /* though nothing was read */
    assert_string_equal(hex, again);
    assay_input_close(in);
}

static void test_what_cannot_be_opened_says_why(void **state)
{
    assay_input_stream *in = NULL;

    (void)state;
    assert_int_equal(assay_input_open("no/such.csv", NULL, &in), ASSAY_E_READ);
    assert_string_equal(assay_last_error(), "no/such.csv: cannot be read: No such file or "
                                            "directory");
    assert_null(in);
    assert_int_equal(assay_input_open(".", NULL, &in), ASSAY_E_READ);
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

/* ---- signals while there is nothing to read ---- */

/* Standard input is a pipe that says nothing until it is asked about for the third time: then it is
   given up, or says "abc" and ends. */
typedef struct pause {
    int writing_end, gives_up, calls;
} pause_state;

static int on_step(void *user, const char *stage, double fraction)
{
    pause_state *p = user;

    assert_string_equal(stage, "reading");
    assert_true(fraction == 0.0);
    if (++p->calls < 3) return 0;
    if (p->gives_up) return 1;
    if (p->calls == 3) {
        assert_int_equal(write(p->writing_end, "abc", 3), 3);
        close(p->writing_end);
    }
    return 0;
}

static void on_signal(int number)
{
    (void)number;
}

static assay_status read_pausing_pipe(pause_state *p, size_t *got)
{
    const assay_progress progress = { on_step, p };
    const struct sigaction interrupting = { .sa_handler = on_signal }; /* no SA_RESTART */
    const struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
    int kept = dup(STDIN_FILENO), ends[2];
    assay_input_stream *in = NULL;
    assay_status status;

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    p->writing_end = ends[1];
    assert_int_equal(sigaction(SIGALRM, &interrupting, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    status = assay_input_open("-", &progress, &in);
    if (status == ASSAY_OK) status = assay_input_read(in, back, sizeof back, got);
    assay_input_close(in);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    close(kept);
    close(ends[0]);
    return status;
}

static void test_a_signal_lets_the_progress_end_the_waiting_or_go_on(void **state)
{
    pause_state p = { .gives_up = 1 };
    size_t got = 0;

    (void)state;
    assert_int_equal(read_pausing_pipe(&p, &got), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "standard input: reading was cancelled");
    assert_int_equal(p.calls, 3);
    close(p.writing_end);
    p = (pause_state){ .gives_up = 0 };
    assert_int_equal(read_pausing_pipe(&p, &got), ASSAY_OK);
    assert_int_equal(got, 3);
    assert_memory_equal(back, "abc", 3);
    assert_true(p.calls >= 3);
}

/* ---- memory ---- */

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
enum { SANITIZED = __has_feature(address_sanitizer) };
#else
enum { SANITIZED = 0 };
#endif

/* A frame that asks for a window of 128 MiB, where no more than some 64 MiB can be had. */
static void test_a_window_for_which_there_is_no_memory_says_so(void **state)
{
    ZSTD_CCtx *z;
    ZSTD_outBuffer to = { packed, PACKED_SIZE, 0 };
    ZSTD_inBuffer from = { text, 1000, 0 }, nothing = { text, 0, 0 };
    struct rlimit limit, narrow;
    assay_status status;
    char hex[65];
    size_t length, pages = 0;
    FILE *statm;

    (void)state;
    if (SANITIZED) skip(); /* whose shadow needs all of the address space */
    z = ZSTD_createCCtx();
    assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, 27)));
    assert_false(ZSTD_isError(ZSTD_compressStream2(z, &to, &from, ZSTD_e_flush)));
    assert_int_equal(ZSTD_compressStream2(z, &to, &nothing, ZSTD_e_end), 0);
    ZSTD_freeCCtx(z);
    write_file(packed, to.pos);
    assert_int_equal(read_all(path, 1000, &length, hex), ASSAY_OK);
    statm = fopen("/proc/self/statm", "r");
    if (!statm || fscanf(statm, "%zu", &pages) != 1) skip();
    fclose(statm);
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    narrow = limit;
    narrow.rlim_cur = pages * (size_t)sysconf(_SC_PAGESIZE) + (64u << 20);
    assert_int_equal(setrlimit(RLIMIT_AS, &narrow), 0);
    status = read_all(path, 1000, &length, hex);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    assert_int_equal(status, ASSAY_E_NOMEM);
    assert_string_equal(assay_last_error(), "test_input.tmp: no memory to unpack it");
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
        cmocka_unit_test(test_a_signal_lets_the_progress_end_the_waiting_or_go_on),
        cmocka_unit_test(test_a_window_for_which_there_is_no_memory_says_so),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_text, remove_file);
}
