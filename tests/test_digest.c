/* SPDX-License-Identifier: Apache-2.0 */
/* The digest of bytes as they pass, against OpenSSL's of the same bytes at once. */
#include "read/digest.h"

#include "core/error.h"
#include "core/random.h"
#include "failing_memory.h"

#include <openssl/sha.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 12 * 1000 * 1000 + 123 }; /* the helper thread takes the last 8 MB */

static unsigned char *bytes;

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
    return 0;
}

/* Pieces of at most step bytes. */
static void check(size_t length, size_t step)
{
    unsigned char expected[ASSAY_DIGEST_SIZE], sha256[ASSAY_DIGEST_SIZE];
    assay_digest *digest;

    assert_int_equal(assay_digest_open(&digest), ASSAY_OK);
    for (size_t at = 0; at < length; at += step)
        assert_int_equal(
            assay_digest_add(digest, bytes + at, length - at < step ? length - at : step),
            ASSAY_OK);
    assert_int_equal(assay_digest_finish(digest, sha256), ASSAY_OK);
    assay_digest_close(digest);
    SHA256(bytes, length, expected);
    assert_memory_equal(sha256, expected, sizeof expected);
}

static void the_digest_does_not_depend_on_threads_or_pieces(void **state)
{
    const size_t lengths[] = { 0,       1,       3999999, 4000000, 4000001,
                               4131072, 4131073, 6097152, 6228224, SIZE },
                 steps[] = { 1000, 65536, 131072, 262144, 1000003 };

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) check(lengths[k], steps[s]);
}

static void a_digest_may_be_given_up_at_any_time(void **state)
{
    (void)state;
    for (size_t length = 1; length < SIZE; length += 1500000) {
        assay_digest *digest;

        assert_int_equal(assay_digest_open(&digest), ASSAY_OK);
        for (size_t at = 0; at < length; at += 50000)
            assert_int_equal(assay_digest_add(digest, bytes + at, 50000), ASSAY_OK);
        assay_digest_close(digest);
    }
    assay_digest_close(NULL);
}

static assay_status take_all(void *context)
{
    unsigned char sha256[ASSAY_DIGEST_SIZE];
    assay_digest *digest;
    assay_status status = assay_digest_open(&digest);

    (void)context;
    for (size_t at = 0; at < SIZE && status == ASSAY_OK; at += 1000000)
        status = assay_digest_add(digest, bytes + at, SIZE - at < 1000000 ? SIZE - at : 1000000);
    if (status == ASSAY_OK) status = assay_digest_finish(digest, sha256);
    assay_digest_close(digest);
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
        cmocka_unit_test(the_digest_does_not_depend_on_threads_or_pieces),
        cmocka_unit_test(a_digest_may_be_given_up_at_any_time),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("digest", tests, make_bytes, free_bytes);
}
