/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON pull reader: what it takes and what it refuses, by hand. test_json_oracles.cpp compares
   it to other readers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json_events.h"

#include <math.h>
#include <stdlib.h>

static void expect(const char *text, const char *words)
{
    expect_bytes(text, strlen(text), words);
}

static void refuse_bytes(const char *text, size_t length, const char *sentence, int is_cut)
{
    outcome out = read_chunks(text, length, ALL);

    if (out.status == ASSAY_OK) fail_msg("taken: %s", text);
    assert_int_equal(out.status, ASSAY_E_FORMAT);
    assert_string_equal(out.sentence, sentence);
    assert_int_equal(out.is_cut, is_cut);
    free(out.words);
}

static void refuse(const char *text, const char *sentence)
{
    refuse_bytes(text, strlen(text), sentence, 0);
}

static void refuse_cut(const char *text, const char *sentence)
{
    refuse_bytes(text, strlen(text), sentence, 1);
}

/* ---- what is taken ---- */

static void a_document_gives_its_events_in_order(void **state)
{
    (void)state;
    expect(" {\"a\" : [1, true,false , null], \"b\":{}, \"\":[ ]}\r\n",
           "{ a: [ 1=1 true false null ] b: { } : [ ] }");
    expect("", "");
    expect(" \n\t\r ", "");
}

static void any_number_of_values_follow_one_another(void **state)
{
    (void)state;
    expect("{\"a\":1}{\"a\":2}\n\n[3]\n\"x\"\"y\" 1 2\ntrue[]null{}",
           "{ a: 1=1 } { a: 2=2 } [ 3=3 ] 'x' 'y' 1=1 2=2 true [ ] null { }");
}

static void every_duplicate_key_is_reported(void **state)
{
    (void)state;
    expect("{\"a\":1,\"a\":2}", "{ a: 1=1 a: 2=2 }");
}

static void a_byte_order_mark_is_taken_at_the_very_start_only(void **state)
{
    (void)state;
    expect("\xef\xbb\xbf{}", "{ }");
    expect("\xef\xbb\xbf", "");
    refuse(" \xef\xbb\xbf{}", "f.json:1:2: byte 0xef, expected a value");
    refuse("{}\n\xef\xbb\xbf{}", "f.json:2:1: byte 0xef, expected a value");
}

static void escapes_give_the_characters_they_stand_for(void **state)
{
    (void)state;
    expect("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "'\"\\/\b\f\n\r\t'");
    expect("\"\\u0041\\u00e9\\u20AC\\uffff\"", "'A\xc3\xa9\xe2\x82\xac\xef\xbf\xbf'");
    expect("\"\\ud83d\\uDE00\"", "'\xf0\x9f\x98\x80'");
    expect("{\"\\u0061\\n\":1}", "{ a\n: 1=1 }");
}

static void an_escaped_nul_is_a_byte_of_the_text(void **state)
{
    text_source from = { "\"a\\u0000b\"", 10, ALL };
    assay_json_reader *reader;
    assay_json_event event;
    const char *text;
    size_t length;
    double number;

    (void)state;
    assert_int_equal(assay_json_open("f", from_text, &from, &reader), ASSAY_OK);
    assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "a\0b", 4);
    assay_json_close(reader);
}

#define REPLACED "\xef\xbf\xbd"

static void lone_surrogates_become_the_replacement_character(void **state)
{
    (void)state;
    expect("\"\\ud835 4\"", "'" REPLACED " 4'");
    expect("\"\\udc00\"", "'" REPLACED "'");
    expect("\"\\ud835\\u0041\"", "'" REPLACED "A'");
    expect("\"\\ud835\\ud835\\udc00\"", "'" REPLACED "\xf0\x9d\x90\x80'");
    expect("\"\\ud835\\uE000\"", "'" REPLACED "\xee\x80\x80'");
    expect("\"\\udc00\\ud835\"", "'" REPLACED REPLACED "'");
    expect("\"\\ud835\\n\"", "'" REPLACED "\n'");
}

static void each_byte_that_is_not_utf8_becomes_the_replacement_character(void **state)
{
    (void)state;
    expect("\"caf\xe9!\"", "'caf" REPLACED "!'");
    expect("\"\xc0\x80\"", "'" REPLACED REPLACED "'");              /* overlong */
    expect("\"\xed\xa0\x80\"", "'" REPLACED REPLACED REPLACED "'"); /* a surrogate */
    expect("\"\xe2\x82\"", "'" REPLACED REPLACED "'");              /* cut short */
    expect("\"\xf0\x9f\x98\x80\xff\xc3\xa9\"", "'\xf0\x9f\x98\x80" REPLACED "\xc3\xa9'");
}

static void control_characters_and_line_separators_stand_in_strings(void **state)
{
    (void)state;
    expect("\"a\tb\nc\x01\x1f\x7f\"", "'a\tb\nc\x01\x1f\x7f'");
    expect("\"a\xc2\x85"
           "b\xe2\x80\xa8"
           "c\"",
           "'a\xc2\x85"
           "b\xe2\x80\xa8"
           "c'");
}

static void expect_number(const char *text, double value)
{
    text_source from = { text, strlen(text), ALL };
    assay_json_reader *reader;
    assay_json_event event;
    const char *got;
    size_t length;
    double number;

    assert_int_equal(assay_json_open("f", from_text, &from, &reader), ASSAY_OK);
    if (assay_json_next(reader, &event, &got, &length, &number) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    assert_int_equal(event, ASSAY_JSON_NUMBER);
    assert_string_equal(got, text);
    assert_int_equal(length, strlen(text));
    if (isnan(value))
        assert_true(isnan(number));
    else if (memcmp(&value, &number, sizeof value) != 0) /* the sign of 0 too */
        fail_msg("%s is %.17g, not %.17g", text, value, number);
    assay_json_close(reader);
}

static void numbers_have_their_nearest_double_and_their_text(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        { "0", 0 },
        { "-0", -0.0 },
        { "-0.0e-0", -0.0 },
        { "1.0", 1 },
        { "0.1", 0.1 },
        { "1E+2", 100 },
        { "-12.5e-1", -1.25 },
        { "9007199254740993", 9007199254740992.0 },
        { "9223372036854775808", 0x1p63 },
        { "18446744073709551616", 0x1p64 },
        { "123456789012345678901234567890", 1.2345678901234568e29 },
        { "1e400", INFINITY },
        { "-1e400", -INFINITY },
        { "1e99999999999999999999", INFINITY },
        { "-1e99999999999999999999", -INFINITY },
        { "1e-400", 0 },
        { "-1e-400", -0.0 },
        { "-1e-99999999999999999999", -0.0 },
        { "0e99999999999999999999", 0 },
        { "0.0001e310", 1e306 },
        { "0.0001e320", INFINITY },
        { "5e-324", 0x1p-1074 },
        { "1234e-1000", 0 },
        { "1234E+1000", INFINITY },
        { "NaN", NAN },
        { "Infinity", INFINITY },
        { "-Infinity", -INFINITY },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_number(cases[i].text, cases[i].value);
}

/* 10^400, 10^-400, and both brought back to 1 by an exponent. */
static void long_digits_that_leave_the_range_are_told_apart(void **state)
{
    char zeros[401], text[1000];

    (void)state;
    memset(zeros, '0', 400);
    zeros[400] = '\0';
    snprintf(text, sizeof text, "-1%s", zeros);
    expect_number(text, -INFINITY);
    snprintf(text, sizeof text, "-0.%s1", zeros);
    expect_number(text, -0.0);
    snprintf(text, sizeof text, "1%s.5e-400", zeros);
    expect_number(text, 1);
    snprintf(text, sizeof text, "0.%s1e401", zeros);
    expect_number(text, 1);
    snprintf(text, sizeof text, "0.%s1e810", zeros);
    expect_number(text, INFINITY);
    snprintf(text, sizeof text, "1%s0e-810", zeros);
    expect_number(text, 0);
    snprintf(text, sizeof text, "0.%s%se400", zeros, zeros + 1);
    memcpy(strchr(text, 'e') - 1, "1", 1);
    expect_number(text, 0);
    snprintf(text, sizeof text, "1.%se-350", zeros);
    expect_number(text, 0);
}

/* ---- what is refused ---- */

static void faults_are_named_with_their_line_and_byte(void **state)
{
    (void)state;
    refuse("{\"a\" 1}", "f.json:1:6: '1', expected ':'");
    refuse("{\"a\":1,}", "f.json:1:8: '}', expected a key");
    refuse("[1,]", "f.json:1:4: ']', expected a value");
    refuse("[,1]", "f.json:1:2: ',', expected a value");
    refuse("[1 2]", "f.json:1:4: '2', expected ',' or ']'");
    refuse("{\"a\":1 \"b\":2}", "f.json:1:8: '\"', expected ',' or '}'");
    refuse("{\"a\":}", "f.json:1:6: '}', expected a value");
    refuse("{1:2}", "f.json:1:2: '1', expected a key");
    refuse("[1}", "f.json:1:3: '}', expected ',' or ']'");
    refuse("{}\n{}\n {\"a\":1]", "f.json:3:8: ']', expected ',' or '}'");
    refuse("{},{}", "f.json:1:3: ',', expected a value");
    refuse("]", "f.json:1:1: ']', expected a value");
    refuse("[\n\"a\nb\", x]", "f.json:3:5: 'x', expected a value");
    refuse("\r[1,\r\n\r'a']", "f.json:2:2: ''', expected a value");
    refuse("\xef\xbb\xbf[x]", "f.json:1:5: 'x', expected a value");
}

static void words_are_spelt_exactly(void **state)
{
    (void)state;
    refuse("[True]", "f.json:1:2: 'T', expected a value");
    refuse("[tru]", "f.json:1:2: an unknown word, expected true");
    refuse("[nil]", "f.json:1:2: an unknown word, expected null");
    refuse("[fAlse]", "f.json:1:2: an unknown word, expected false");
    refuse("[nan]", "f.json:1:2: an unknown word, expected null");
    refuse("[Inf]", "f.json:1:2: an unknown word, expected Infinity");
    refuse("[-NaN]", "f.json:1:3: 'N', expected a digit");
    refuse("[truefalse]", "f.json:1:6: 'f', expected the word's end");
    refuse("nullx", "f.json:1:5: 'x', expected the word's end");
}

static void numbers_follow_the_grammar(void **state)
{
    (void)state;
    refuse("[01]", "f.json:1:3: '1', expected the number's end");
    refuse("[-01]", "f.json:1:4: '1', expected the number's end");
    refuse("[1.]", "f.json:1:4: ']', expected a digit");
    refuse("[.5]", "f.json:1:2: '.', expected a value");
    refuse("[+1]", "f.json:1:2: '+', expected a value");
    refuse("[-]", "f.json:1:3: ']', expected a digit");
    refuse("[1e]", "f.json:1:4: ']', expected a digit");
    refuse("[1e+]", "f.json:1:5: ']', expected a digit");
    refuse("[1.e1]", "f.json:1:4: 'e', expected a digit");
    refuse("[0x10]", "f.json:1:3: 'x', expected the number's end");
    refuse("[1_000]", "f.json:1:3: '_', expected the number's end");
    refuse("[1-2]", "f.json:1:3: '-', expected the number's end");
    refuse("[1.2.3]", "f.json:1:5: '.', expected the number's end");
    refuse("[1e5.0]", "f.json:1:5: '.', expected the number's end");
}

static void escapes_are_known_ones(void **state)
{
    (void)state;
    refuse("[\"ab\\x41\"]", "f.json:1:5: an unknown escape, expected \\\" \\\\ \\/ \\b \\f \\n \\r "
                            "\\t or \\u and four hexadecimal digits");
    refuse("\"\\u12g4\"",
           "f.json:1:2: an incomplete escape, expected \\u and four hexadecimal digits");
    refuse("\"\\u12\"",
           "f.json:1:2: an incomplete escape, expected \\u and four hexadecimal digits");
    refuse("\"\\ud835\\u00\"",
           "f.json:1:8: an incomplete escape, expected \\u and four hexadecimal digits");
}

static void utf16_is_refused(void **state)
{
    (void)state;
    refuse_bytes("\xff\xfe{\0}\0", 6, "f.json:1:1: UTF-16; expected UTF-8", 0);
    refuse_bytes("\xfe\xff\0{\0}", 6, "f.json:1:1: UTF-16; expected UTF-8", 0);
    refuse_bytes("{\0}\0", 4, "f.json:1:1: UTF-16; expected UTF-8", 0);
    refuse_bytes("\0{\0}", 4, "f.json:1:1: UTF-16; expected UTF-8", 0);
}

static void binary_files_are_refused(void **state)
{
    (void)state;
    refuse("\x1f\x8b\x08", "f.json:1:1: byte 0x1f, expected a value: is this a binary file?");
    refuse_bytes("\0\0\0", 3, "f.json:1:1: byte 0x00, expected a value: is this a binary file?", 0);
    refuse_bytes("{\"a\"\0:1}", 8, "f.json:1:5: byte 0x00, expected ':': is this a binary file?",
                 0);
    refuse_bytes("[1\0]", 4,
                 "f.json:1:3: byte 0x00, expected the number's end: is this a binary file?", 0);
    refuse_bytes("[\n\"a\0b\"]", 8, "f.json:2:3: byte 0x00, expected text: is this a binary file?",
                 0);
}

static void a_cut_tail_is_told_from_other_faults(void **state)
{
    (void)state;
    refuse_cut("{\"a\":1}\n{\"a\"", "f.json:2:5: the input ends here, expected ':'");
    refuse_cut("[1, 2", "f.json:1:6: the input ends here, expected ',' or ']'");
    refuse_cut("[1,\n", "f.json:2:1: the input ends here, expected a value");
    refuse_cut("{", "f.json:1:2: the input ends here, expected a key");
    refuse_cut("[\"abc", "f.json:1:6: the input ends here, expected '\"'");
    refuse_cut("[\"abc\\", "f.json:1:7: the input ends here, expected the rest of an escape");
    refuse_cut("[\"\\u12", "f.json:1:7: the input ends here, expected the rest of an escape");
    refuse_cut("[\"\\ud835\\ud",
               "f.json:1:12: the input ends here, expected the rest of an escape");
    refuse_cut("[\"\xe2\x82", "f.json:1:5: the input ends here, expected '\"'");
    refuse_cut("[tru", "f.json:1:5: the input ends here, expected true");
    refuse_cut("tru", "f.json:1:4: the input ends here, expected true");
    refuse_cut("-", "f.json:1:2: the input ends here, expected a digit");
    refuse_cut("1.5e", "f.json:1:5: the input ends here, expected a digit");
    refuse_cut("-Inf", "f.json:1:5: the input ends here, expected Infinity");
}

/* ---- depth ---- */

static outcome read_depth(size_t depth, int skips)
{
    char *text = malloc(2 * depth);
    text_source from = { text, 2 * depth, 7 };
    outcome out = { 0 };

    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    if (skips) {
        assay_json_reader *reader;
        assert_int_equal(assay_json_open("f.json", from_text, &from, &reader), ASSAY_OK);
        out.status = assay_json_skip(reader);
        if (out.status) snprintf(out.sentence, sizeof out.sentence, "%s", assay_last_error());
        assay_json_close(reader);
    } else {
        out = read_chunks(text, 2 * depth, 7);
        free(out.words);
    }
    free(text);
    return out;
}

static void a_thousand_levels_are_taken_and_no_more(void **state)
{
    (void)state;
    for (int skips = 0; skips <= 1; skips++) {
        outcome deepest = read_depth(1000, skips), deeper = read_depth(12000, skips);
        assert_int_equal(deepest.status, ASSAY_OK);
        assert_int_equal(deeper.status, ASSAY_E_FORMAT);
        assert_string_equal(
            deeper.sentence,
            "f.json:1:1001: 1001 objects and arrays one in another, expected at most 1000");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_gives_its_events_in_order),
        cmocka_unit_test(any_number_of_values_follow_one_another),
        cmocka_unit_test(every_duplicate_key_is_reported),
        cmocka_unit_test(a_byte_order_mark_is_taken_at_the_very_start_only),
        cmocka_unit_test(escapes_give_the_characters_they_stand_for),
        cmocka_unit_test(an_escaped_nul_is_a_byte_of_the_text),
        cmocka_unit_test(lone_surrogates_become_the_replacement_character),
        cmocka_unit_test(each_byte_that_is_not_utf8_becomes_the_replacement_character),
        cmocka_unit_test(control_characters_and_line_separators_stand_in_strings),
        cmocka_unit_test(numbers_have_their_nearest_double_and_their_text),
        cmocka_unit_test(long_digits_that_leave_the_range_are_told_apart),
        cmocka_unit_test(faults_are_named_with_their_line_and_byte),
        cmocka_unit_test(words_are_spelt_exactly),
        cmocka_unit_test(numbers_follow_the_grammar),
        cmocka_unit_test(escapes_are_known_ones),
        cmocka_unit_test(utf16_is_refused),
        cmocka_unit_test(binary_files_are_refused),
        cmocka_unit_test(a_cut_tail_is_told_from_other_faults),
        cmocka_unit_test(a_thousand_levels_are_taken_and_no_more),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
