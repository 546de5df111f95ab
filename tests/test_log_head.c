/* SPDX-License-Identifier: Apache-2.0 */
/* What is seen of a log's first bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "logs/head.h"

#include <stdlib.h>
#include <string.h>

static assay_log_head head_of(const char *text)
{
    assay_log_head head;

    assert_int_equal(assay_log_head_read(&head, "f", text, strlen(text)), ASSAY_OK);
    return head;
}

static void assert_at(const char *text, const char *path, assay_json_event event)
{
    assay_log_head head = head_of(text);

    if (assay_log_head_at(&head, path) != event) fail_msg("%s at %s", text, path);
    assay_log_head_free(&head);
}

static void values_are_found_by_their_keys(void **state)
{
    static const char text[] = "{\"a\":1,\"b\":{\"c\":\"x\",\"d\":[{\"e\":null}]},\"f/g\":true}";

    (void)state;
    assert_at(text, "a", ASSAY_JSON_NUMBER);
    assert_at(text, "b", ASSAY_JSON_OBJECT);
    assert_at(text, "b/c", ASSAY_JSON_STRING);
    assert_at(text, "b/d", ASSAY_JSON_ARRAY);
    assert_at(text, "b/d/e", ASSAY_JSON_NULL);
    assert_at(text, "b/*/e", ASSAY_JSON_NULL);
    assert_at(text, "*/c", ASSAY_JSON_STRING);
    assert_at(text, "c", ASSAY_JSON_END);
    assert_at(text, "b/c/d", ASSAY_JSON_END);
    assert_at(text, "", ASSAY_JSON_END);
}

static void an_array_shows_its_first_element(void **state)
{
    (void)state;
    assert_at("[{\"a\":1},{\"b\":2}]", "a", ASSAY_JSON_NUMBER);
    assert_at("[{\"a\":1},{\"b\":2}]", "b", ASSAY_JSON_END);
    assert_at("{\"a\":[]}", "a", ASSAY_JSON_ARRAY);
    assert_at("{\"a\":[[[{\"b\":1}]]]}", "a/b", ASSAY_JSON_NUMBER);
    assert_at("[]", "a", ASSAY_JSON_END);
    assert_at("{\"a\":1}\n{\"b\":2}", "b", ASSAY_JSON_END); /* nor a second line */
}

static void a_head_that_is_cut_shows_what_came_before(void **state)
{
    (void)state;
    assert_at("{\"a\":1,\"b\":\"unfinis", "a", ASSAY_JSON_NUMBER);
    assert_at("{\"a\":1,\"b\":\"unfinis", "b", ASSAY_JSON_END);
    assert_at("{\"a\":{\"b\":[1,", "a/b", ASSAY_JSON_ARRAY);
    assert_at("{\"a\":1 this is no JSON", "a", ASSAY_JSON_NUMBER);
}

static void kinds_are_told_by_magic_bytes(void **state)
{
    static const struct {
        const char *text;
        assay_head_kind kind;
    } cases[] = {
        { "PK\3\4rest", ASSAY_HEAD_ZIP },    { "PK\5\6", ASSAY_HEAD_ZIP },
        { "\x93NUMPY", ASSAY_HEAD_NPY },     { "PAR1", ASSAY_HEAD_PARQUET },
        { " \n{}", ASSAY_HEAD_OBJECT },      { "\xef\xbb\xbf[1]", ASSAY_HEAD_ARRAY },
        { "model,a,b\n", ASSAY_HEAD_OTHER }, { "", ASSAY_HEAD_OTHER },
        { "PAR", ASSAY_HEAD_OTHER },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assay_log_head head = head_of(cases[k].text);

        assert_int_equal(head.kind, cases[k].kind);
        assay_log_head_free(&head);
    }
}

/* Depth, keys and their lengths are bounded: what is beyond is not seen, and nothing breaks. */
static void hostile_heads_are_bounded(void **state)
{
    size_t n = 60000;
    char *text = malloc(n + 64), *at = text;
    assay_log_head head;

    (void)state;
    assert_non_null(text);
    for (size_t k = 0; k < n / 6; k++, at += 6) memcpy(at, "{\"a\":[", 7);
    head = head_of(text);
    assert_true(head.keys.count <= 6);
    assay_log_head_free(&head);

    memcpy(text, "{\"", 2);
    memset(text + 2, 'k', n);
    memcpy(text + 2 + n, "\":1,\"b\":2}", 11);
    head = head_of(text);
    assert_int_equal(assay_log_head_at(&head, "b"), ASSAY_JSON_NUMBER);
    assert_int_equal(head.keys.count, 1);
    assay_log_head_free(&head);
    free(text);
}

static assay_status read_and_free(void *context)
{
    static const char text[] = "{\"a\":1,\"b\":{\"c\":\"x\"}}";
    assay_log_head head;
    assay_status status = assay_log_head_read(&head, "f", text, sizeof text - 1);

    (void)context;
    assay_log_head_free(&head);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(read_and_free, NULL) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_found_by_their_keys),
        cmocka_unit_test(an_array_shows_its_first_element),
        cmocka_unit_test(a_head_that_is_cut_shows_what_came_before),
        cmocka_unit_test(kinds_are_told_by_magic_bytes),
        cmocka_unit_test(hostile_heads_are_bounded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
