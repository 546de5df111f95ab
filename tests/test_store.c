/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/base.h"
#include "embed/store.h"
#include "failing_memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { D = 3, HEADER = 24, RECORD = ASSAY_STORE_KEY + 4 * D + 8, MOST_BYTES = 512 };

/* ---- a folder for each test ---- */

struct place {
    char folder[64], file[96];
};

static int make_folder(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    strcpy(place->folder, "/tmp/assay-store-XXXXXX");
    if (!mkdtemp(place->folder)) return -1;
    snprintf(place->file, sizeof place->file, "%s/s.vectors", place->folder);
    *state = place;
    return 0;
}

static int remove_folder(void **state)
{
    struct place *place = *state;

    remove(place->file);
    if (rmdir(place->folder) != 0) return -1;
    free(place);
    return 0;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *to = fopen(path, "wb");

    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    fclose(to);
}

static size_t read_file(const char *path, unsigned char bytes[MOST_BYTES])
{
    FILE *from = fopen(path, "rb");
    size_t size;

    assert_non_null(from);
    size = fread(bytes, 1, MOST_BYTES, from);
    fclose(from);
    return size;
}

static long long size_of(const char *path)
{
    struct stat there;

    assert_int_equal(stat(path, &there), 0);
    return there.st_size;
}

/* ---- vectors that are known by their number ---- */

static const unsigned char *key_of(unsigned i)
{
    static unsigned char key[ASSAY_STORE_KEY];

    memset(key, 0x5a, sizeof key);
    for (int b = 0; b < 4; b++) key[ASSAY_STORE_KEY - 1 - b] = (unsigned char)(i >> 8 * b);
    return key;
}

static float number_of(unsigned i, size_t k)
{
    return (float)i - 0.25f * (float)k;
}

static void put(assay_store *store, unsigned i, size_t d)
{
    float vector[128];

    for (size_t k = 0; k < d; k++) vector[k] = number_of(i, k);
    assert_int_equal(assay_store_put(store, key_of(i), vector, d), ASSAY_OK);
}

/* Whether it is there; if it is, it is right. */
static int finds(const assay_store *store, unsigned i)
{
    float vector[128];

    if (!assay_store_find(store, key_of(i), vector)) return 0;
    for (size_t k = 0; k < assay_store_dimensions(store); k++)
        assert_true(vector[k] == number_of(i, k));
    return 1;
}

static assay_store *open_store(const struct place *place)
{
    assay_store *store;

    assert_int_equal(assay_store_open(place->folder, "s", &store), ASSAY_OK);
    return store;
}

static void flush(assay_store *store)
{
    assert_int_equal(assay_store_flush(store), ASSAY_OK);
}

static void make_store(const struct place *place, unsigned n, size_t d)
{
    assay_store *store = open_store(place);

    for (unsigned i = 0; i < n; i++) put(store, i, d);
    flush(store);
    assay_store_close(store);
}

static void assert_all_found(const struct place *place, unsigned n)
{
    assay_store *store = open_store(place);

    for (unsigned i = 0; i < n; i++) assert_true(finds(store, i));
    assert_false(finds(store, n));
    assay_store_close(store);
}

static void assert_cannot_open(const struct place *place, assay_status status, const char *part)
{
    assay_store *store;

    assert_int_equal(assay_store_open(place->folder, "s", &store), status);
    assert_null(store);
    assert_non_null(strstr(assay_last_error(), part));
}

/* ---- keeping and finding ---- */

static void what_is_put_is_found_before_and_after_it_is_written(void **state)
{
    assay_store *store = open_store(*state);

    assert_int_equal(assay_store_dimensions(store), 0);
    assert_false(finds(store, 0));
    put(store, 0, D);
    put(store, 7, D);
    assert_int_equal(assay_store_dimensions(store), D);
    assert_true(finds(store, 0) && finds(store, 7) && !finds(store, 1));
    flush(store);
    assert_true(finds(store, 0) && finds(store, 7) && !finds(store, 1));
    put(store, 1, D);
    flush(store);
    assert_true(finds(store, 0) && finds(store, 7) && finds(store, 1));
    assay_store_close(store);
    store = open_store(*state);
    assert_int_equal(assay_store_dimensions(store), D);
    assert_true(finds(store, 0) && finds(store, 7) && finds(store, 1) && !finds(store, 2));
    assay_store_close(store);
}

static void nothing_is_written_without_a_flush(void **state)
{
    const struct place *place = *state;
    assay_store *store = open_store(place);

    flush(store);
    put(store, 0, D);
    assay_store_close(store);
    assay_store_close(NULL);
    assert_int_equal(access(place->file, F_OK), -1);
}

/* More than one block of the reader, and many times the first table. */
static void thousands_are_found(void **state)
{
    make_store(*state, 5000, 100);
    assert_all_found(*state, 5000);
}

static void a_key_that_is_there_is_passed_by(void **state)
{
    const struct place *place = *state;
    const float other[D] = { 9, 9, 9 };
    assay_store *store;

    make_store(place, 2, D);
    store = open_store(place);
    assert_int_equal(assay_store_put(store, key_of(1), other, D), ASSAY_OK);
    put(store, 2, D);
    assert_int_equal(assay_store_put(store, key_of(2), other, D), ASSAY_OK);
    flush(store);
    assert_true(finds(store, 1) && finds(store, 2));
    assay_store_close(store);
    assert_int_equal(size_of(place->file), HEADER + 3 * RECORD);
}

static void vectors_of_a_space_have_one_size(void **state)
{
    static const size_t wrong[] = { 0, 2, 4, ((size_t)1 << 20) + 1, (size_t)1 << 31 };
    const float vector[4] = { 0 };
    assay_store *store;

    make_store(*state, 1, D);
    store = open_store(*state);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(assay_store_put(store, key_of(1), vector, wrong[i]), ASSAY_E_SHAPE);
    assert_false(finds(store, 1));
    assay_store_close(store);
}

/* ---- the file ---- */

static void lay(unsigned char *to, uint64_t bits, int n_bytes)
{
    for (int b = 0; b < n_bytes; b++) to[b] = (unsigned char)(bits >> 8 * b);
}

/* The check, written down a second time. */
static void lay_check(unsigned char *bytes, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i += 4) {
        uint64_t word = 0;

        for (size_t b = 4; b > 0; b--) word = word << 8 | bytes[i + b - 1];
        h = (h ^ word) * 0xd6e8feb86659fd93u;
        h = h ^ (h >> 32);
    }
    lay(bytes + size, h, 8);
}

static void lay_header(unsigned char header[HEADER], uint32_t version, uint32_t d)
{
    memcpy(header, "ASSAYVEC", 8);
    lay(header + 8, version, 4);
    lay(header + 12, d, 4);
    lay_check(header, 16);
}

static void the_bytes_are_those_of_the_description(void **state)
{
    const struct place *place = *state;
    const float vector[D] = { 1.0f, -2.0f, 0.5f };
    unsigned char want[HEADER + RECORD], got[MOST_BYTES];
    assay_store *store = open_store(place);

    assert_int_equal(assay_store_put(store, key_of(3), vector, D), ASSAY_OK);
    flush(store);
    assay_store_close(store);
    lay_header(want, 1, D);
    memcpy(want + HEADER, key_of(3), ASSAY_STORE_KEY);
    lay(want + HEADER + 32, 0x3f800000, 4);
    lay(want + HEADER + 36, 0xc0000000, 4);
    lay(want + HEADER + 40, 0x3f000000, 4);
    lay_check(want + HEADER, RECORD - 8);
    assert_int_equal(read_file(place->file, got), sizeof want);
    assert_memory_equal(got, want, sizeof want);
}

static void a_file_of_another_kind_is_an_error(void **state)
{
    static const uint32_t hostile[] = { 0, (1u << 20) + 1, 1u << 31, UINT32_MAX };
    const struct place *place = *state;
    unsigned char header[HEADER + RECORD] = { 0 };

    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        lay_header(header, 1, hostile[i]);
        write_file(place->file, header, sizeof header);
        assert_cannot_open(place, ASSAY_E_FORMAT, "its header is damaged");
    }
    lay_header(header, 2, D);
    write_file(place->file, header, sizeof header);
    assert_cannot_open(place, ASSAY_E_FORMAT, "is of version 2");
    write_file(place->file, "id,prompt\n", 10);
    assert_cannot_open(place, ASSAY_E_FORMAT, "is not a file of stored vectors");
    write_file(place->file, "ASx", 3);
    assert_cannot_open(place, ASSAY_E_FORMAT, "is not a file of stored vectors");
}

static void what_is_no_file_is_an_error(void **state)
{
    const struct place *place = *state;

    assert_int_equal(mkdir(place->file, 0700), 0);
    assert_cannot_open(place, ASSAY_E_FORMAT, "is not a file of stored vectors");
    assert_int_equal(rmdir(place->file), 0);
    assert_int_equal(mkfifo(place->file, 0600), 0);
    assert_cannot_open(place, ASSAY_E_FORMAT, "is not a file of stored vectors");
}

/* ---- damage ---- */

/* As a crash leaves it, at every byte: what is whole is there, and the rest can be put again. */
static void a_file_that_is_cut_anywhere_is_read_and_mended(void **state)
{
    const struct place *place = *state;
    unsigned char whole[MOST_BYTES], mended[MOST_BYTES];
    size_t size;

    make_store(place, 3, D);
    size = read_file(place->file, whole);
    assert_int_equal(size, HEADER + 3 * RECORD);
    for (size_t cut = 0; cut <= size; cut++) {
        assay_store *store;

        write_file(place->file, whole, cut);
        store = open_store(place);
        assert_int_equal(assay_store_dimensions(store), cut < HEADER ? 0 : D);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(finds(store, i), cut >= HEADER + (i + 1) * RECORD);
        for (unsigned i = 0; i < 3; i++) put(store, i, D);
        flush(store);
        assay_store_close(store);
        assert_int_equal(read_file(place->file, mended), size);
        assert_memory_equal(mended, whole, size);
    }
}

static void a_cut_file_with_less_to_write_than_was_cut_is_mended(void **state)
{
    const struct place *place = *state;
    assay_store *store;

    make_store(place, 3, D);
    assert_int_equal(truncate(place->file, HEADER + 3 * RECORD - 1), 0);
    store = open_store(place);
    put(store, 2, D);
    flush(store);
    assay_store_close(store);
    assert_all_found(place, 3);
    assert_int_equal(size_of(place->file), HEADER + 3 * RECORD);
}

static void a_damaged_record_is_not_there_and_can_be_put_again(void **state)
{
    const struct place *place = *state;
    unsigned char bytes[MOST_BYTES];
    size_t size;

    make_store(place, 3, D);
    size = read_file(place->file, bytes);
    for (size_t at = 0; at < size; at++) {
        unsigned hurt = at < HEADER ? 3 : (unsigned)(at - HEADER) / RECORD;
        assay_store *store;

        bytes[at] ^= 0x10;
        write_file(place->file, bytes, size);
        bytes[at] ^= 0x10;
        if (hurt == 3) {
            assert_cannot_open(place, ASSAY_E_FORMAT, place->file);
            continue;
        }
        store = open_store(place);
        for (unsigned i = 0; i < 3; i++) assert_int_equal(finds(store, i), i != hurt);
        for (unsigned i = 0; i < 3; i++) put(store, i, D);
        flush(store);
        assay_store_close(store);
        assert_all_found(place, 3);
        assert_int_equal(size_of(place->file), HEADER + 4 * RECORD);
    }
}

static void what_goes_from_the_file_later_is_not_there(void **state)
{
    const struct place *place = *state;
    assay_store *store;

    make_store(place, 3, D);
    store = open_store(place);
    assert_int_equal(truncate(place->file, HEADER + RECORD + 5), 0);
    assert_true(finds(store, 0) && !finds(store, 1) && !finds(store, 2));
    put(store, 5, D);
    flush(store);
    assert_true(finds(store, 0) && !finds(store, 1) && !finds(store, 2) && finds(store, 5));
    assay_store_close(store);
    assert_int_equal(size_of(place->file), HEADER + 2 * RECORD);
}

/* ---- several at once ---- */

static void two_stores_on_one_file_add_to_each_other(void **state)
{
    const struct place *place = *state;
    assay_store *a = open_store(place), *b = open_store(place);

    put(a, 0, D);
    put(a, 1, D);
    put(b, 1, D);
    put(b, 2, D);
    flush(a);
    assert_false(finds(b, 0));
    flush(b);
    assert_true(finds(b, 0) && finds(b, 1) && finds(b, 2));
    assert_false(finds(a, 2));
    put(b, 3, D);
    flush(b);
    put(a, 2, D);
    flush(a);
    assert_true(finds(a, 0) && finds(a, 1) && finds(a, 2) && finds(a, 3));
    assay_store_close(a);
    assay_store_close(b);
    assert_all_found(place, 4);
    assert_int_equal(size_of(place->file), HEADER + 4 * RECORD);
}

static void the_first_to_write_decides_the_size(void **state)
{
    assay_store *a = open_store(*state), *b = open_store(*state);

    put(a, 0, D);
    put(b, 0, D + 1);
    flush(a);
    assert_int_equal(assay_store_flush(b), ASSAY_E_SHAPE);
    assert_non_null(strstr(assay_last_error(), "vectors of 3 numbers, and these have 4"));
    assert_true(finds(b, 0));
    assay_store_close(a);
    assay_store_close(b);
    assert_all_found(*state, 1);
}

/* A child of this process: no assertion may leave it. */
static int put_a_thousand(const struct place *place, unsigned from)
{
    assay_store *store;

    if (assay_store_open(place->folder, "s", &store) != ASSAY_OK) return 1;
    for (unsigned i = from; i < from + 1000; i++) {
        const float vector[D] = { number_of(i, 0), number_of(i, 1), number_of(i, 2) };

        if (assay_store_put(store, key_of(i), vector, D) != ASSAY_OK) return 2;
        if (i % 7 == 0 && assay_store_flush(store) != ASSAY_OK) return 3;
    }
    if (assay_store_flush(store) != ASSAY_OK) return 4;
    assay_store_close(store);
    return 0;
}

static void two_processes_lose_nothing_and_write_nothing_twice(void **state)
{
    const struct place *place = *state;
    pid_t children[2];

    for (unsigned c = 0; c < 2; c++) {
        children[c] = fork();
        assert_true(children[c] >= 0);
        if (children[c] == 0) _exit(put_a_thousand(place, 500 * c)); /* half of them in common */
    }
    for (unsigned c = 0; c < 2; c++) {
        int how;

        assert_int_equal(waitpid(children[c], &how, 0), children[c]);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    assert_all_found(place, 1500);
    assert_int_equal(size_of(place->file), HEADER + 1500 * RECORD);
}

/* ---- failures ---- */

static void other_names_of_spaces_are_refused(void **state)
{
    static const char *const names[] = { "", ".", "..", "a/b", "../s", "a b", "a.b", "\xc3\xa9" };
    const struct place *place = *state;
    char longest[202];
    assay_store *store;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(assay_store_open(place->folder, names[i], &store), ASSAY_E_VALUE);
    memset(longest, 'x', 201);
    longest[201] = '\0';
    assert_int_equal(assay_store_open(place->folder, longest, &store), ASSAY_E_VALUE);
    longest[200] = '\0';
    assert_int_equal(assay_store_open(place->folder, longest, &store), ASSAY_OK);
    assay_store_close(store);
}

static void the_folder_is_made_or_the_reason_named(void **state)
{
    const struct place *place = *state;
    char inner[96], deep[128];
    assay_store *store;

    snprintf(inner, sizeof inner, "%s/a", place->folder);
    snprintf(deep, sizeof deep, "%s/b", inner);
    assert_int_equal(assay_store_open(deep, "aZ09-_", &store), ASSAY_OK);
    assay_store_close(store);
    assert_int_equal(rmdir(deep), 0);
    assert_int_equal(rmdir(inner), 0);
    write_file(place->file, "", 0);
    assert_int_equal(assay_store_open(place->file, "s", &store), ASSAY_E_WRITE);
    assert_non_null(strstr(assay_last_error(), "the folder cannot be made"));
    assert_int_equal(assay_store_open("", "s", &store), ASSAY_E_WRITE);
}

/* Root may write everywhere, and so stops being root for this. */
static void where_nothing_may_be_written_there_is_reading(void **state)
{
    const struct place *place = *state;
    uid_t before = geteuid();
    assay_store *store;

    make_store(place, 2, D);
    assert_int_equal(chmod(place->file, 0444), 0);
    assert_int_equal(chmod(place->folder, 0555), 0);
    if (before == 0 && seteuid(65534) != 0) skip();
    store = open_store(place);
    assert_true(finds(store, 0) && finds(store, 1));
    flush(store);
    put(store, 2, D);
    assert_int_equal(assay_store_flush(store), ASSAY_E_WRITE);
    assert_non_null(strstr(assay_last_error(), "s.vectors: cannot be written: Permission denied"));
    assert_true(finds(store, 0) && finds(store, 2));
    assay_store_close(store);
    assert_int_equal(assay_store_open(place->folder, "new", &store), ASSAY_OK);
    put(store, 2, D);
    assert_int_equal(assay_store_flush(store), ASSAY_E_WRITE);
    assay_store_close(store);
    assert_int_equal(seteuid(before), 0);
    assert_int_equal(chmod(place->folder, 0700), 0);
}

/* A limit on the size of files stands for a full disk: within the header, at its end, within a
   record, and between two. */
static void a_disk_that_is_full_loses_nothing(void **state)
{
    static const rlim_t limits[] = { 10, HEADER, HEADER + RECORD - 1, HEADER + RECORD };
    const struct place *place = *state;

    signal(SIGXFSZ, SIG_IGN);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        assay_store *store = open_store(place);
        struct rlimit before, small;
        assay_status status;

        for (unsigned i = 0; i < 3; i++) put(store, i, D);
        getrlimit(RLIMIT_FSIZE, &before);
        small = before;
        small.rlim_cur = limits[k];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        status = assay_store_flush(store);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(status, ASSAY_E_WRITE);
        assert_true(finds(store, 0) && finds(store, 1) && finds(store, 2));
        flush(store);
        assay_store_close(store);
        assert_all_found(place, 3);
        assert_int_equal(size_of(place->file), HEADER + 3 * RECORD);
        remove(place->file);
    }
}

/* Two stores, so that what the other wrote is taken in too. */
static assay_status put_flush_and_read(void *context)
{
    const struct place *place = context;
    const float vector[D] = { 1, 2, 3 };
    assay_store *a = NULL, *b = NULL;
    assay_status status;

    remove(place->file);
    if ((status = assay_store_open(place->folder, "s", &a)) != ASSAY_OK) goto done;
    if ((status = assay_store_open(place->folder, "s", &b)) != ASSAY_OK) goto done;
    for (unsigned i = 0; i < 40 && status == ASSAY_OK; i++)
        status = assay_store_put(i % 2 ? a : b, key_of(i), vector, D);
    if (status != ASSAY_OK || (status = assay_store_flush(a)) != ASSAY_OK) goto done;
    if ((status = assay_store_flush(b)) != ASSAY_OK) goto done;
    assay_store_close(a);
    status = assay_store_open(place->folder, "s", &a);
done:
    assay_store_close(a);
    assay_store_close(b);
    return status;
}

static void memory_that_runs_out_is_an_error(void **state)
{
    assert_true(fail_every_allocation(put_flush_and_read, *state) >= 10);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static void a_lock_that_is_held_is_not_waited_for_for_ever(void **state)
{
    const unsigned char key[ASSAY_STORE_KEY] = { 9 };
    const float vector[2] = { 1, 2 };
    assay_store *store;
    int other;

    (void)state;
    assert_int_equal(assay_store_open(".", "held", &store), ASSAY_OK);
    assert_int_equal(assay_store_put(store, key, vector, 2), ASSAY_OK);
    assert_int_equal(assay_store_flush(store), ASSAY_OK);
    other = open("./held.vectors", O_RDWR);
    assert_int_equal(flock(other, LOCK_EX), 0);
    assert_int_equal(assay_store_put(store, (const unsigned char[ASSAY_STORE_KEY]){ 8 }, vector, 2),
                     ASSAY_OK);
    assert_int_equal(assay_store_flush(store), ASSAY_E_WRITE);
    assert_string_equal(assay_last_error(), "./held.vectors: another process holds its lock");
    close(other);
    assert_int_equal(assay_store_flush(store), ASSAY_OK);
    assay_store_close(store);
    unlink("./held.vectors");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(what_is_put_is_found_before_and_after_it_is_written),
        IN_A_FOLDER(nothing_is_written_without_a_flush),
        IN_A_FOLDER(thousands_are_found),
        IN_A_FOLDER(a_key_that_is_there_is_passed_by),
        IN_A_FOLDER(vectors_of_a_space_have_one_size),
        IN_A_FOLDER(the_bytes_are_those_of_the_description),
        IN_A_FOLDER(a_file_of_another_kind_is_an_error),
        IN_A_FOLDER(what_is_no_file_is_an_error),
        IN_A_FOLDER(a_file_that_is_cut_anywhere_is_read_and_mended),
        IN_A_FOLDER(a_cut_file_with_less_to_write_than_was_cut_is_mended),
        IN_A_FOLDER(a_damaged_record_is_not_there_and_can_be_put_again),
        IN_A_FOLDER(what_goes_from_the_file_later_is_not_there),
        IN_A_FOLDER(a_lock_that_is_held_is_not_waited_for_for_ever),
        IN_A_FOLDER(two_stores_on_one_file_add_to_each_other),
        IN_A_FOLDER(the_first_to_write_decides_the_size),
        IN_A_FOLDER(two_processes_lose_nothing_and_write_nothing_twice),
        IN_A_FOLDER(other_names_of_spaces_are_refused),
        IN_A_FOLDER(the_folder_is_made_or_the_reason_named),
        IN_A_FOLDER(where_nothing_may_be_written_there_is_reading),
        IN_A_FOLDER(a_disk_that_is_full_loses_nothing),
        IN_A_FOLDER(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
