/* SPDX-License-Identifier: Apache-2.0 */
#include "net/address.h"

#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_urls_are_taken_apart(void **state)
{
    static const struct known {
        const char *url, *end, *whole, *host;
        int is_secure, is_local;
    } known[] = {
        { "http://localhost:8080/v1", "/e", "http://localhost:8080/v1/e", "localhost:8080", 0, 1 },
        { "https://h.org/v1/", "/e", "https://h.org/v1/e", "h.org", 1, 0 },
        { "https://h.org/v1/e", "/e", "https://h.org/v1/e", "h.org", 1, 0 },
        { "https://h.org/v1/e//", "/e", "https://h.org/v1/e", "h.org", 1, 0 },
        { "https://h.org/d/e?api-version=2#x", "/e", "https://h.org/d/e?api-version=2", "h.org", 1,
          0 },
        { "http://127.9.8.7", "/e", "http://127.9.8.7/e", "127.9.8.7", 0, 1 },
        { "http://[::1]:1/", "/e", "http://[::1]:1/e", "[::1]:1", 0, 1 },
        { "http://LocalHost", "", "http://LocalHost/", "LocalHost", 0, 1 },
        { "http://127.example.org", "", "http://127.example.org/", "127.example.org", 0, 0 },
        { "http://localhost.example.org", "", "http://localhost.example.org/",
          "localhost.example.org", 0, 0 },
        { "http://10.0.0.1", "", "http://10.0.0.1/", "10.0.0.1", 0, 0 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        assay_address address;
        const int is_open = !known[k].is_secure && !known[k].is_local;

        assert_int_equal(assay_address_read(known[k].url, known[k].end, &address), ASSAY_OK);
        assert_string_equal(address.url, known[k].whole);
        assert_string_equal(address.host, known[k].host);
        assert_int_equal(address.is_secure, known[k].is_secure);
        assert_int_equal(address.is_local, known[k].is_local);
        assert_int_equal(assay_address_check_key(&address, NULL), ASSAY_OK);
        assert_int_equal(assay_address_check_key(&address, "secret"),
                         is_open ? ASSAY_E_VALUE : ASSAY_OK);
        assay_address_free(&address);
    }
}

static void test_other_urls_are_refused_and_not_repeated(void **state)
{
    static const char *const known[][2] = {
        { "", "url is not one, expected such as http://localhost:8080/v1" },
        { "localhost:8080", "url is not one, expected such as http://localhost:8080/v1" },
        { "http://a b/", "url is not one, expected such as http://localhost:8080/v1" },
        { "file:///etc/passwd", "url is of file, expected http or https" },
        { "ftp://h.org", "url is of ftp, expected http or https" },
        { "https://me:secret@h.org",
          "url has a user or a password in it, expected a key beside it" },
    };
    static const char *const keys[] = { "a b", "a\r\nX: y", "", "\x80" };
    assay_address address;

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        assert_int_equal(assay_address_read(known[k][0], "/e", &address), ASSAY_E_VALUE);
        assert_string_equal(assay_last_error(), known[k][1]);
        assay_address_free(&address);
    }
    assert_int_equal(assay_address_read("https://h.org", "", &address), ASSAY_OK);
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(assay_address_check_key(&address, keys[k]), ASSAY_E_VALUE);
    assay_address_free(&address);
}

static assay_status read_one(void *context)
{
    assay_address address;
    const assay_status status = assay_address_read(context, "/embeddings", &address);

    assay_address_free(&address);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_every_allocation(read_one, "https://h.org/v1"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls_are_taken_apart),
        cmocka_unit_test(test_other_urls_are_refused_and_not_repeated),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
