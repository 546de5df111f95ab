/* SPDX-License-Identifier: Apache-2.0 */
/* The page as a file: what a browser makes of it is tested in tests/browser. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/page.h"
#include "failing_memory.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test_page.tmp.html";

static assay_status write_page(void *json)
{
    assay_output output;
    assay_status status = assay_output_open(&output, path);

    if (status != ASSAY_OK) return status;
    status = assay_page_write(&output, json, strlen(json));
    if (status == ASSAY_OK) return assay_output_commit(&output);
    assay_output_abandon(&output);
    return status;
}

/* The file as text; to be freed. */
static char *page_of(const char *json)
{
    char *text;
    long n;
    FILE *from;

    assert_int_equal(write_page((void *)(uintptr_t)json), ASSAY_OK);
    from = fopen(path, "rb");
    assert_non_null(from);
    assert_int_equal(fseek(from, 0, SEEK_END), 0);
    n = ftell(from);
    assert_true(n > 0);
    rewind(from);
    text = malloc((size_t)n + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)n, from), (size_t)n);
    text[n] = '\0';
    fclose(from);
    unlink(path);
    assert_int_equal(strlen(text), (size_t)n); /* no NUL within */
    return text;
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) n++;
    return n;
}

static void the_audit_stands_as_data_without_a_bracket(void **state)
{
    static const char json[] = "{\"title\":\"</script><script>alert(1)</script><!--\",\"n\":1}";
    char *text = page_of(json);
    const char *data = strstr(text, "id=\"audit\">"), *end;

    (void)state;
    assert_non_null(data);
    data += strlen("id=\"audit\">");
    end = strchr(data, '<');
    assert_memory_equal(end, "</script>\n<script>", 18);
    assert_memory_equal(data,
                        "{\"title\":\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>"
                        "\\u003c!--\",\"n\":1}",
                        (size_t)(end - data));
    free(text);
}

/* Three elements begin and end: the data, the charts and the page. Nothing names an address but the
   notices of licences and the names of XML's spaces. */
static void nothing_else_is_within(void **state)
{
    char *text = page_of("{}");

    (void)state;
    assert_int_equal(count(text, "<script"), 3);
    assert_int_equal(count(text, "</script"), 3);
    assert_int_equal(count(text, "<!--"), 0);
    assert_int_equal(count(text, "src=\"http"), 0);
    assert_int_equal(count(text, "href=\"http"), 0);
    assert_int_equal(count(text, "@import"), 0);
    assert_true(count(text, "Permission to use, copy, modify") > 0); /* the notices go with it */
    free(text);
}

/* The policy lets exactly these scripts run: their digests are taken here anew. */
static void the_policy_names_the_scripts_by_their_digests(void **state)
{
    char *text = page_of("{}"), *at = strstr(text, "id=\"audit\">");

    (void)state;
    for (int k = 0; k < 2; k++) {
        unsigned char digest[SHA256_DIGEST_LENGTH], base64[64];
        char wanted[100];
        char *start, *end;

        start = strstr(at, "<script>");
        assert_non_null(start);
        start += strlen("<script>");
        end = strstr(start, "</script>");
        assert_non_null(end);
        assert_true(end - start > 10000);
        SHA256((unsigned char *)start, (size_t)(end - start), digest);
        EVP_EncodeBlock(base64, digest, sizeof digest);
        snprintf(wanted, sizeof wanted, "'sha256-%s'", (char *)base64);
        assert_int_equal(count(text, wanted), 1);
        at = end;
    }
    free(text);
}

static void every_allocation_may_fail(void **state)
{
    static char json[] = "{}";

    (void)state;
    assert_true(fail_every_allocation(write_page, json) >= 1);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_audit_stands_as_data_without_a_bracket),
        cmocka_unit_test(nothing_else_is_within),
        cmocka_unit_test(the_policy_names_the_scripts_by_their_digests),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
