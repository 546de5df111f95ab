/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON pull reader as a stream: pieces, lines, cut tails and failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"
#include "failing_memory.h"
#include "json_events.h"

#include <stdlib.h>

enum { BUFFER = 1 << 18 }; /* what the reader holds of its source at a time */

static const char full[] = "{\"k\\u00e9y\": [1.5e3, -Infinity, \"t\xc3\xa9xt \\ud83d\\ude00\\n\", "
                           "{\"a\": null, \"b\": [true, false, {}, []]}], \"z\": \"\"}";

static void every_beginning_of_a_document_is_cut(void **state)
{
    (void)state;
    for (size_t n = 1; n < sizeof full - 1; n++) {
        outcome out = read_chunks(full, n, ALL);
        assert_int_equal(out.status, ASSAY_E_FORMAT);
        if (!out.is_cut) fail_msg("%zu bytes: %s", n, out.sentence);
        free(out.words);
    }
}

static void expect_same(const char *text, size_t length, size_t chunk)
{
    outcome whole = read_chunks(text, length, ALL), pieces = read_chunks(text, length, chunk);

    assert_int_equal(pieces.status, whole.status);
    assert_string_equal(pieces.sentence, whole.sentence);
    assert_int_equal(pieces.length, whole.length);
    assert_memory_equal(pieces.words, whole.words, whole.length);
    free(whole.words);
    free(pieces.words);
}

static void events_do_not_depend_on_the_pieces(void **state)
{
    (void)state;
    for (size_t chunk = 1; chunk < sizeof full; chunk++) {
        expect_same(full, sizeof full - 1, chunk);
        expect_same(full, sizeof full / 2, chunk);
    }
}

/* Every token of the document lies across the end of the buffer in some turn. */
static void events_do_not_depend_on_where_the_buffer_ends(void **state)
{
    size_t size = BUFFER + sizeof full;
    char *text = malloc(size);
    outcome alone = read_chunks(full, sizeof full - 1, ALL);

    (void)state;
    for (size_t before = BUFFER - sizeof full; before <= BUFFER; before++) {
        memset(text, ' ', before);
        memcpy(text + before, full, sizeof full - 1);
        expect_bytes(text, before + sizeof full - 1, alone.words);
    }
    free(alone.words);
    free(text);
}

static void a_string_longer_than_the_buffer_is_whole(void **state)
{
    enum { N = 300000 }; /* repeats of a piece that takes 10 bytes and stands for 6 */
    char *text = malloc(10 * N + 2), *words = malloc(6 * N + 3);

    (void)state;
    text[0] = '"';
    words[0] = '\'';
    for (size_t i = 0; i < N; i++) {
        memcpy(text + 1 + 10 * i, "ab\\u00e9cd", 10);
        memcpy(words + 1 + 6 * i,
               "ab\xc3\xa9"
               "cd",
               6);
    }
    text[10 * N + 1] = '"';
    words[6 * N + 1] = '\'';
    words[6 * N + 2] = '\0';
    expect_bytes(text, 10 * N + 2, words);
    free(text);
    free(words);
}

static void lines_and_depth_are_those_of_the_latest_event(void **state)
{
    static const char text[] = "\n{\"a\":\n\n\"x\ny\", \"b\": [\n1]}\n\n2\n";
    static const size_t lines[] = { 2, 2, 4, 5, 5, 6, 6, 6, 8, 9 };
    static const size_t depths[] = { 1, 1, 1, 1, 2, 2, 1, 0, 0, 0 };
    text_source from = { text, sizeof text - 1, 3 };
    assay_json_reader *reader;

    (void)state;
    assert_int_equal(assay_json_open("f", from_text, &from, &reader), ASSAY_OK);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assay_json_event event;
        const char *got;
        size_t length;
        double number;
        assert_int_equal(assay_json_next(reader, &event, &got, &length, &number), ASSAY_OK);
        assert_int_equal(assay_json_line(reader), lines[i]);
        assert_int_equal(assay_json_depth(reader), depths[i]);
    }
    assay_json_close(reader);
}

/* ---- failures ---- */

static void after_a_failure_every_call_fails_the_same_way(void **state)
{
    static const char sentence[] = "f:1:2: 'x', expected a value";
    text_source from = { "[x, 1]", 6, ALL };
    assay_json_reader *reader;
    assay_json_event event;
    const char *text;
    size_t length;
    double number;

    (void)state;
    assert_int_equal(assay_json_open("f", from_text, &from, &reader), ASSAY_OK);
    assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(), sentence);
        assay_fail(ASSAY_E_VALUE, "something else");
        assert_int_equal(assay_json_skip(reader), ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(), sentence);
        assay_fail(ASSAY_E_VALUE, "something else");
        assert_int_equal(assay_json_leave(reader), ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(), sentence);
    }
    assay_json_close(reader);
    assay_json_close(NULL);
}

/* Fails on its second call, and must not see a third. */
static assay_status from_broken(void *user, char *buffer, size_t size, size_t *got)
{
    static const char text[] = "[{\"a\": 2";
    int *n_calls = user;

    assert_true(++*n_calls <= 2);
    if (*n_calls == 2) return assay_fail(ASSAY_E_READ, "f: the disk is gone");
    assert_true(size >= sizeof text);
    *got = sizeof text - 1;
    memcpy(buffer, text, *got);
    return ASSAY_OK;
}

static void a_failure_of_the_source_is_passed_on(void **state)
{
    enum { NEXT, SKIP, LEAVE, N_WAYS };

    (void)state;
    for (int way = NEXT; way < N_WAYS; way++) {
        int n_calls = 0, n_failures = 0;
        assay_json_reader *reader;
        assay_json_event event;
        const char *text;
        size_t length;
        double number;

        assert_int_equal(assay_json_open("f", from_broken, &n_calls, &reader), ASSAY_OK);
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
        while (n_failures < 2) {
            assay_status status = way == NEXT
                                      ? assay_json_next(reader, &event, &text, &length, &number)
                                  : way == SKIP ? assay_json_skip(reader)
                                                : assay_json_leave(reader);
            if (status == ASSAY_OK) continue;
            assert_int_equal(status, ASSAY_E_READ);
            assert_string_equal(assay_last_error(), "f: the disk is gone");
            n_failures++;
        }
        assert_int_equal(assay_json_is_cut(reader), 0);
        assay_json_close(reader);
    }
}

/* A text, and then a failure. */
static assay_status from_failing(void *user, char *buffer, size_t size, size_t *got)
{
    text_source *from = user;

    if (from->length == 0) return assay_fail(ASSAY_E_READ, "f: the disk is gone");
    return from_text(from, buffer, size, got);
}

static void a_failure_of_the_source_comes_after_every_byte_before_it(void **state)
{
    (void)state;
    for (size_t n = 1; n < sizeof full; n++) {
        text_source from = { full, n, ALL };
        outcome whole = read_chunks(full, n, ALL), out = { 0 };
        assay_json_reader *reader;
        FILE *to = open_memstream(&out.words, &out.length);

        assert_int_equal(assay_json_open("f.json", from_failing, &from, &reader), ASSAY_OK);
        walk(reader, to, &out);
        fclose(to);
        assert_int_equal(out.status, ASSAY_E_READ);
        assert_string_equal(assay_last_error(), "f: the disk is gone");
        assert_int_equal(assay_json_is_cut(reader), 0);
        assert_memory_equal(out.words, whole.words, out.length);
        if (strchr("{}[]\": ,", full[n - 1])) /* not within a number or word, which may go on */
            assert_int_equal(out.length, whole.length);
        assay_json_close(reader);
        free(out.words);
        free(whole.words);
    }
}

static assay_status read_all(void *user)
{
    text_source from = { user, strlen(user), 10000 };
    assay_json_reader *reader;
    assay_status status = assay_json_open("f", from_text, &from, &reader);
    assay_json_event event = ASSAY_JSON_NULL;

    while (status == ASSAY_OK && event != ASSAY_JSON_END) {
        const char *text;
        size_t length;
        double number;
        status = assay_json_next(reader, &event, &text, &length, &number);
    }
    assay_json_close(reader);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char *text = malloc(100001);

    (void)state;
    memset(text, 'x', 100000);
    text[0] = text[99999] = '"';
    text[100000] = '\0';
    assert_true(fail_every_allocation(read_all, text) >= 4);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_beginning_of_a_document_is_cut),
        cmocka_unit_test(events_do_not_depend_on_the_pieces),
        cmocka_unit_test(events_do_not_depend_on_where_the_buffer_ends),
        cmocka_unit_test(a_string_longer_than_the_buffer_is_whole),
        cmocka_unit_test(lines_and_depth_are_those_of_the_latest_event),
        cmocka_unit_test(after_a_failure_every_call_fails_the_same_way),
        cmocka_unit_test(a_failure_of_the_source_is_passed_on),
        cmocka_unit_test(a_failure_of_the_source_comes_after_every_byte_before_it),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("json stream", tests, NULL, NULL);
}
