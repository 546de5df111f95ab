/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as they are read, and their digest, against OpenSSL's of the same bytes at once. */
#include "read/digest.h"

#include "core/error.h"
#include "core/random.h"
#include "failing_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/sha.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIZE = 12 * 1000 * 1000 + 123, STEP_MAX = 262144 }; /* the helper takes the last 8 MB */

static const char path[] = "test_digest.tmp";
static unsigned char *bytes, back[STEP_MAX];

static int make_bytes(void **state)
{
    uint64_t word = 1;

    (void)state;
    bytes = malloc(SIZE);
    if (!bytes) return -1;
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] =
            (unsigned char)((word = word * 6364136223846793005u + 1442695040888963407u) >> 56);
    return 0;
}

static int free_bytes(void **state)
{
    (void)state;
    free(bytes);
    unlink(path);
    return 0;
}

static int open_file(size_t length)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    assert_true(descriptor >= 0);
    for (size_t at = 0; at < length;) {
        ssize_t n = write(descriptor, bytes + at, length - at);
        assert_true(n > 0);
        at += (size_t)n;
    }
    assert_int_equal(lseek(descriptor, 0, SEEK_SET), 0);
    return descriptor;
}

/* In pieces of at most step bytes: what is read, and its digest. */
static void check(size_t length, size_t step, int may_go_ahead)
{
    unsigned char expected[ASSAY_DIGEST_SIZE], sha256[ASSAY_DIGEST_SIZE];
    int descriptor = open_file(length);
    assay_digest *digest;
    size_t at = 0;
    ssize_t n;

    assert_int_equal(assay_digest_open(&digest), ASSAY_OK);
    while ((n = assay_digest_read(digest, descriptor, may_go_ahead, back, step)) > 0) {
        assert_true((size_t)n <= step && at + (size_t)n <= length);
        assert_memory_equal(back, bytes + at, (size_t)n);
        at += (size_t)n;
    }
    assert_int_equal(n, 0);
    assert_int_equal(at, length);
    assert_int_equal(assay_digest_read(digest, descriptor, may_go_ahead, back, step), 0);
    assert_int_equal(assay_digest_finish(digest, sha256), ASSAY_OK);
    assay_digest_close(digest);
    close(descriptor);
    SHA256(bytes, length, expected);
    assert_memory_equal(sha256, expected, sizeof expected);
}

static void bytes_and_digest_do_not_depend_on_threads_or_pieces(void **state)
{
    const size_t lengths[] = { 0, 1, 3999999, 4000000, 4000001, 4131072, 5242880, SIZE },
                 steps[] = { 1000, 65536, 65537, STEP_MAX };

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
            for (int ahead = 0; ahead < 2; ahead++) check(lengths[k], steps[s], ahead);
}

/* A caller who is slow, so that the helper fills the ring, and then fast, so that it empties. */
static void the_ring_may_be_full_and_empty(void **state)
{
    const struct timespec pause = { 0, 3000000 };
    unsigned char expected[ASSAY_DIGEST_SIZE], sha256[ASSAY_DIGEST_SIZE];
    int descriptor = open_file(SIZE);
    assay_digest *digest;
    size_t at = 0;
    ssize_t n;

    (void)state;
    assert_int_equal(assay_digest_open(&digest), ASSAY_OK);
    for (int k = 0; (n = assay_digest_read(digest, descriptor, 1, back, 65536)) > 0; k++) {
        assert_memory_equal(back, bytes + at, (size_t)n);
        at += (size_t)n;
        if (k > 60 && k % 40 == 0) nanosleep(&pause, NULL);
    }
    assert_int_equal(at, SIZE);
    assert_int_equal(assay_digest_finish(digest, sha256), ASSAY_OK);
    assay_digest_close(digest);
    close(descriptor);
    SHA256(bytes, SIZE, expected);
    assert_memory_equal(sha256, expected, sizeof expected);
}

static void a_digest_may_be_given_up_at_any_time(void **state)
{
    (void)state;
    for (size_t length = 1; length < SIZE; length += 700000) {
        int descriptor = open_file(SIZE);
        assay_digest *digest;

        assert_int_equal(assay_digest_open(&digest), ASSAY_OK);
        for (size_t at = 0; at < length;)
            at += (size_t)assay_digest_read(digest, descriptor, 1, back, 50000);
        assay_digest_close(digest);
        close(descriptor);
    }
    assay_digest_close(NULL);
}

/* A folder can be opened, but not read. */
static void what_cannot_be_read_says_so(void **state)
{
    int descriptor = open(".", O_RDONLY);
    assay_digest *digest;

    (void)state;
    assert_int_equal(assay_digest_open(&digest), ASSAY_OK);
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(assay_digest_read(digest, descriptor, 1, back, 10), -1);
        assert_int_equal(errno, EISDIR);
    }
    assay_digest_close(digest);
    close(descriptor);
}

static assay_status take_all(void *context)
{
    unsigned char sha256[ASSAY_DIGEST_SIZE];
    int descriptor = open_file(SIZE);
    assay_digest *digest;
    assay_status status = assay_digest_open(&digest);
    ssize_t n = 0;

    (void)context;
    while (status == ASSAY_OK &&
           (n = assay_digest_read(digest, descriptor, 1, back, STEP_MAX)) != 0)
        if (n < 0) status = errno == ENOMEM ? ASSAY_E_NOMEM : ASSAY_E_READ;
    if (status == ASSAY_OK) status = assay_digest_finish(digest, sha256);
    assay_digest_close(digest);
    close(descriptor);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(take_all, NULL) >= 2); /* what OpenSSL allocates is its own */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_and_digest_do_not_depend_on_threads_or_pieces),
        cmocka_unit_test(the_ring_may_be_full_and_empty),
        cmocka_unit_test(a_digest_may_be_given_up_at_any_time),
        cmocka_unit_test(what_cannot_be_read_says_so),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("digest", tests, make_bytes, free_bytes);
}
