/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/json_writer.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a document in memory ---- */

struct document {
    assay_json json;
    FILE *to;
    char *text;
    size_t length;
};

static void start(struct document *document, int pretty)
{
    document->to = open_memstream(&document->text, &document->length);
    assert_non_null(document->to);
    assay_json_start(&document->json, document->to, pretty);
}

/* The text so far, owned by the caller. */
static char *finish(struct document *document)
{
    assert_int_equal(ferror(document->to), 0);
    fclose(document->to);
    return document->text;
}

static void assert_finished(struct document *document, const char *want)
{
    char *text = finish(document);

    assert_string_equal(text, want);
    free(text);
}

/* ---- structure ---- */

static void write_one_of_each(assay_json *json)
{
    assay_json_begin_object(json);
    assay_json_key(json, "name");
    assay_json_text(json, "x");
    assay_json_key(json, "none");
    assay_json_text(json, NULL);
    assay_json_key(json, "empty");
    assay_json_begin_array(json);
    assay_json_end_array(json);
    assay_json_key(json, "rows");
    assay_json_begin_array(json);
    assay_json_begin_array_in_line(json);
    assay_json_number(json, 1.5);
    assay_json_count(json, 2);
    assay_json_begin_object(json);
    assay_json_key(json, "k");
    assay_json_bool(json, 1);
    assay_json_key(json, "l");
    assay_json_bool(json, 0);
    assay_json_end_object(json);
    assay_json_end_array(json);
    assay_json_begin_object(json);
    assay_json_end_object(json);
    assay_json_null(json);
    assay_json_end_array(json);
    assay_json_key(json, "last");
    assay_json_bool(json, -7);
    assay_json_end_object(json);
}

static void one_line_has_no_spaces(void **state)
{
    struct document document;

    (void)state;
    start(&document, 0);
    write_one_of_each(&document.json);
    assert_finished(&document, "{\"name\":\"x\",\"none\":null,\"empty\":[],\"rows\":[[1.5,2,"
                               "{\"k\":true,\"l\":false}],{},null],\"last\":true}");
}

static void pretty_is_indented_by_two_and_keeps_short_rows_in_line(void **state)
{
    struct document document;

    (void)state;
    start(&document, 1);
    write_one_of_each(&document.json);
    assert_finished(&document, "{\n"
                               "  \"name\": \"x\",\n"
                               "  \"none\": null,\n"
                               "  \"empty\": [],\n"
                               "  \"rows\": [\n"
                               "    [1.5, 2, {\"k\": true, \"l\": false}],\n"
                               "    {},\n"
                               "    null\n"
                               "  ],\n"
                               "  \"last\": true\n"
                               "}");
}

static void a_value_can_stand_alone(void **state)
{
    struct document document;

    (void)state;
    start(&document, 1);
    assay_json_text(&document.json, "x");
    assert_finished(&document, "\"x\"");
    start(&document, 0);
    assay_json_number(&document.json, -3);
    assert_finished(&document, "-3");
}

/* Guards on both sides of the writer: its fields are for this many containers and no more. */
static void the_greatest_depth_can_be_used(void **state)
{
    struct {
        unsigned char before[64];
        assay_json json;
        unsigned char after[64];
    } guarded;
    char want[2 * ASSAY_JSON_MAX_DEPTH + 8], *text;
    size_t length;

    (void)state;
    for (int pretty = 0; pretty < 2; pretty++) {
        FILE *to = open_memstream(&text, &length);

        memset(&guarded, 0xa5, sizeof guarded);
        assay_json_start(&guarded.json, to, pretty);
        for (int i = 0; i < ASSAY_JSON_MAX_DEPTH; i++)
            assay_json_begin_array_in_line(&guarded.json);
        assay_json_count(&guarded.json, 1);
        assay_json_count(&guarded.json, 2);
        for (int i = 0; i < ASSAY_JSON_MAX_DEPTH; i++) assay_json_end_array(&guarded.json);
        fclose(to);
        memset(want, '[', ASSAY_JSON_MAX_DEPTH);
        strcpy(want + ASSAY_JSON_MAX_DEPTH, pretty ? "1, 2" : "1,2");
        memset(want + strlen(want) + 1, 0, 1);
        for (int i = 0; i < ASSAY_JSON_MAX_DEPTH; i++) strcat(want, "]");
        assert_string_equal(text, want);
        assert_int_equal(guarded.json.depth, 0);
        for (size_t i = 0; i < 64; i++) {
            assert_int_equal(guarded.before[i], 0xa5);
            assert_int_equal(guarded.after[i], 0xa5);
        }
        free(text);
    }
}

/* The deepest container is separated and closed like any other. */
static void lines_and_commas_are_right_at_every_depth(void **state)
{
    (void)state;
    for (int depth = 1; depth <= ASSAY_JSON_MAX_DEPTH; depth++) {
        struct document document;
        char *want, *text;
        size_t length;
        FILE *to = open_memstream(&want, &length);

        start(&document, 1);
        for (int i = 0; i < depth; i++) {
            assay_json_begin_array(&document.json);
            fprintf(to, "%s\n%*s", "[", 2 * (i + 1), "");
            assay_json_null(&document.json);
            fprintf(to, "null%s", i + 1 < depth ? "," : "");
            if (i + 1 < depth) fprintf(to, "\n%*s", 2 * (i + 1), "");
        }
        for (int i = depth; i-- > 0;) {
            assay_json_end_array(&document.json);
            fprintf(to, "\n%*s]", 2 * i, "");
        }
        fclose(to);
        text = finish(&document);
        assert_string_equal(text, want);
        free(text);
        free(want);
    }
}

/* ---- text ---- */

static void assert_text(const char *text, size_t length, const char *want)
{
    struct document document;

    start(&document, 0);
    assay_json_text_n(&document.json, text, length);
    assert_finished(&document, want);
}

static void special_characters_are_escaped(void **state)
{
    (void)state;
    assert_text("", 0, "\"\"");
    assert_text("a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"");
    assert_text("\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"");
    assert_text("\0\x01\x1b\x1f\x7f", 5, "\"\\u0000\\u0001\\u001b\\u001f\\u007f\"");
    assert_text("\xc2\x80\xc2\x9b\xc2\x9f", 6, "\"\\u0080\\u009b\\u009f\"");
    assert_text("\xe2\x80\xa8\xe2\x80\xa9", 6, "\"\\u2028\\u2029\"");
    assert_text("\xc2\xa0\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80", 11,
                "\"\xc2\xa0\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\"");
}

#define FFFD "\xef\xbf\xbd"

static void each_bad_byte_becomes_a_replacement_character(void **state)
{
    (void)state;
    assert_text("a\xff"
                "b",
                3, "\"a" FFFD "b\"");
    assert_text("\xe2\x82", 2, "\"" FFFD FFFD "\"");
    assert_text("\xc0\x80", 2, "\"" FFFD FFFD "\"");
    assert_text("\xed\xa0\x80", 3, "\"" FFFD FFFD FFFD "\"");
    assert_text("\xe2\x28\xa1", 3, "\"" FFFD "(" FFFD "\"");
    assert_text("\xf0\x9f\x98\"", 4, "\"" FFFD FFFD FFFD "\\\"\"");
}

static void keys_are_escaped_like_text(void **state)
{
    struct document document;

    (void)state;
    start(&document, 0);
    assay_json_begin_object(&document.json);
    assay_json_key(&document.json, "a\"\n\xff");
    assay_json_count(&document.json, 1);
    assay_json_end_object(&document.json);
    assert_finished(&document, "{\"a\\\"\\n" FFFD "\":1}");
}

/* Unescape by RFC 8259, strictly; returns the length, and fails on anything that is not a string
   of printable UTF-8. */
static size_t unescape(const char *text, char *out)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    size_t n = 0;

    assert_int_equal(*text++, '"');
    while (*text != '"') {
        assert_true((unsigned char)*text >= 0x20 && *text != 0x7f);
        if (*text != '\\') {
            out[n++] = *text++;
            continue;
        }
        text++;
        if (*text == 'u') {
            char digits[5] = { text[1], text[2], text[3], text[4], 0 }, *end;
            long c = strtol(digits, &end, 16);

            assert_true(end == digits + 4);
            if (c >= 0x800) out[n++] = (char)(0xe0 | c >> 12);
            if (c >= 0x80) out[n++] = (char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
            out[n++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
            text += 5;
        } else {
            assert_non_null(strchr(letters, *text));
            out[n++] = values[strchr(letters, *text++) - letters];
        }
    }
    assert_int_equal(text[1], '\0');
    return n;
}

static void well_formed_text_comes_back(void **state)
{
    static const char *const pieces[] = { "\"",
                                          "\\",
                                          "/",
                                          "a",
                                          " ",
                                          "\n",
                                          "\t",
                                          "\x01",
                                          "\x7f",
                                          "\xc2\x85",
                                          "\xc3\xa9",
                                          "\xe2\x80\xa8",
                                          "\xef\xbf\xbf",
                                          "\xf0\x9f\x98\x80",
                                          "u0041",
                                          "\r" };
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int trial = 0; trial < 5000; trial++) {
        size_t n_pieces = (size_t)assay_random_below(&random, 20);
        struct document document;
        char text[128] = "", back[256], *written;

        for (size_t i = 0; i < n_pieces; i++) strcat(text, pieces[assay_random_below(&random, 16)]);
        start(&document, 0);
        assay_json_text(&document.json, text);
        written = finish(&document);
        back[unescape(written, back)] = '\0';
        assert_string_equal(back, text);
        free(written);
    }
}

/* ---- numbers ---- */

static void numbers_are_shortest_and_never_nan(void **state)
{
    struct document document;

    (void)state;
    start(&document, 0);
    assay_json_begin_array(&document.json);
    assay_json_number(&document.json, 0.1);
    assay_json_number(&document.json, -0.0);
    assay_json_number(&document.json, 1e300);
    assay_json_number(&document.json, 0x1p-1074);
    assay_json_number(&document.json, 3.0);
    assay_json_number(&document.json, NAN);
    assay_json_number(&document.json, INFINITY);
    assay_json_number(&document.json, -INFINITY);
    assay_json_count(&document.json, 0);
    assay_json_count(&document.json, UINT64_MAX);
    assay_json_end_array(&document.json);
    assert_finished(&document, "[0.1,-0,1e+300,5e-324,3,null,null,null,0,18446744073709551615]");
}

static void nan_after_a_key_is_null_and_the_next_key_is_separated(void **state)
{
    struct document document;

    (void)state;
    start(&document, 0);
    assay_json_begin_object(&document.json);
    assay_json_key(&document.json, "a");
    assay_json_number(&document.json, NAN);
    assay_json_key(&document.json, "b");
    assay_json_begin_object(&document.json);
    assay_json_end_object(&document.json);
    assay_json_key(&document.json, "c");
    assay_json_null(&document.json);
    assay_json_end_object(&document.json);
    assert_finished(&document, "{\"a\":null,\"b\":{},\"c\":null}");
}

static void a_failed_write_is_seen_by_the_stream(void **state)
{
    FILE *to = fopen("/dev/full", "w");
    assay_json json;

    (void)state;
    if (!to) skip();
    assay_json_start(&json, to, 0);
    assay_json_text(&json, "x");
    fflush(to);
    assert_true(ferror(to));
    fclose(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_has_no_spaces),
        cmocka_unit_test(pretty_is_indented_by_two_and_keeps_short_rows_in_line),
        cmocka_unit_test(a_value_can_stand_alone),
        cmocka_unit_test(the_greatest_depth_can_be_used),
        cmocka_unit_test(lines_and_commas_are_right_at_every_depth),
        cmocka_unit_test(special_characters_are_escaped),
        cmocka_unit_test(each_bad_byte_becomes_a_replacement_character),
        cmocka_unit_test(keys_are_escaped_like_text),
        cmocka_unit_test(well_formed_text_comes_back),
        cmocka_unit_test(numbers_are_shortest_and_never_nan),
        cmocka_unit_test(nan_after_a_key_is_null_and_the_next_key_is_separated),
        cmocka_unit_test(a_failed_write_is_seen_by_the_stream),
    };

    return cmocka_run_group_tests_name("json writer", tests, NULL, NULL);
}
