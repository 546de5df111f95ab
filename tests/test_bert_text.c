/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens/bert_text.h"

#include "core/utf8.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const assay_bert_rules none = { 0, 0, 0, 0 }, cleaning = { .clean = 1 },
                              ideographs = { .ideographs = 1 }, stripping = { .strip = 1 },
                              lowering = { .lower = 1 }, all = { 1, 1, 1, 1 };

static void check_bytes(const assay_bert_rules *rules, const char *text, size_t length,
                        const char *expected)
{
    assay_bert_text even = { 0 };

    assert_int_equal(assay_bert_normalise(rules, text, length, &even), ASSAY_OK);
    assert_int_equal(even.length, strlen(expected));
    assert_memory_equal(even.text, expected, even.length);
    free(even.text);
}

static void check(const assay_bert_rules *rules, const char *text, const char *expected)
{
    check_bytes(rules, text, strlen(text), expected);
}

#define ACUTE "\xcc\x81"

static void test_each_rule_by_hand(void **state)
{
    (void)state;
    check(&none, "A\t\x01\xc3\x89", "A\t\x01\xc3\x89");
    check(&cleaning,
          "A\tb\r\n\x01\x7f"
          "c\xc2\xa0"
          "d\xe2\x80\x8b\xef\xbf\xbd\xee\x80\x80",
          "A b  c d");
    check_bytes(&cleaning, "a\0b", 3, "ab");
    check(&ideographs, "a\xe6\x97\xa5\xe6\x9c\xac\xe3\x81\xaf",
          "a \xe6\x97\xa5  \xe6\x9c\xac \xe3\x81\xaf");
    check(&stripping,
          "\xc3\x89"
          "e" ACUTE,
          "Ee");
    check(&stripping, "\xed\x95\x9c", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"); /* Hangul */
    check(&lowering, "AZ[\xc3\x89\xc4\xb0", "az[\xc3\xa9i\xcc\x87"); /* U+0130 becomes two */
    check(&all, "\xc4\xb0\t\xc3\x89\xe6\x97\xa5", "i e \xe6\x97\xa5 ");
    check(&all, "", "");
}

/* Each becomes U+FFFD, which cleaning removes. */
static void test_bytes_that_are_not_utf8_count_one_by_one(void **state)
{
    (void)state;
    check(&none, "a\xff\xc3", "a\xef\xbf\xbd\xef\xbf\xbd");
    check(&none, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check(&cleaning,
          "a\xff"
          "b\xe6\x97",
          "ab");
}

/* Classes: U+1D165 has 216, U+1D16D 226, U+302E 224, U+0323 220 and is removed, U+0903 and U+20DD
   0, of which only U+0900, an accent, is removed too. */
#define STEM "\xf0\x9d\x85\xa5"
#define DOT "\xf0\x9d\x85\xad"
#define TONE "\xe3\x80\xae"

static void test_marks_are_put_in_their_order(void **state)
{
    (void)state;
    check(&stripping, "a" DOT STEM "b", "a" STEM DOT "b");
    check(&stripping, DOT TONE STEM DOT STEM, STEM STEM TONE DOT DOT);
    check(&stripping, "a" DOT "\xcc\xa3" STEM, "a" STEM DOT);
    check(&stripping, "a" DOT "\xe2\x83\x9d" STEM, "a" DOT "\xe2\x83\x9d" STEM);
    check(&stripping, "a" DOT "\xe0\xa4\x80" STEM, "a" DOT STEM); /* kept apart, then removed */
    check(&all, DOT "\x01" STEM " " DOT STEM, STEM DOT " " STEM DOT);
    check(&none, DOT STEM, DOT STEM);
}

static void test_a_long_run_of_marks_is_ordered_in_time(void **state)
{
    enum { PAIRS = 100000 };
    char *text = malloc(8 * PAIRS);
    assay_bert_text even = { 0 };

    (void)state;
    assert_non_null(text);
    for (size_t k = 0; k < PAIRS; k++) memcpy(text + 8 * k, DOT STEM, 8);
    assert_int_equal(assay_bert_normalise(&stripping, text, 8 * PAIRS, &even), ASSAY_OK);
    assert_int_equal(even.length, 8 * PAIRS);
    assert_memory_equal(even.text + 4 * (PAIRS - 1), STEM DOT, 8);
    free(even.text);
    free(text);
}

static uint64_t hash_on(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

/* Of every code point but surrogates its even form and a line feed, FNV-1a. */
static uint64_t hash_of_rule(const assay_bert_rules *rules)
{
    uint64_t hash = 0xcbf29ce484222325u;
    assay_bert_text even = { 0 };

    for (uint32_t c = 0; c < 0x110000; c++) {
        char text[4];

        if (c >= 0xd800 && c <= 0xdfff) continue;
        assert_int_equal(assay_bert_normalise(rules, text, assay_utf8_encode(c, text), &even),
                         ASSAY_OK);
        hash = hash_on(hash_on(hash, even.text, even.length), "\n", 1);
    }
    free(even.text);
    return hash;
}

/* The same of BertNormalizer with this rule alone, of tokenizers 0.23.3. (Lower case depends on the
   version of Unicode: tests of text/lower.c hold it to Python's.) */
static void test_rules_are_the_references_for_every_character(void **state)
{
    (void)state;
    assert_true(hash_of_rule(&cleaning) == 0xc89b1aef126ec850u);
    assert_true(hash_of_rule(&ideographs) == 0x2e767df19f1aa285u);
    assert_true(hash_of_rule(&stripping) == 0xd2a515e765a046c7u);
}

static char count_words(const char *text, size_t length)
{
    assay_bert_word word;
    char n = '0';

    for (size_t at = 0; assay_bert_next_word(text, length, &at, &word);) n++;
    return n;
}

/* How many words a, the character and b are: FNV-1a of the digits by BertPreTokenizer of tokenizers
   0.23.3. */
static void test_words_are_the_references_for_every_character(void **state)
{
    uint64_t hash = 0xcbf29ce484222325u;

    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char text[6] = "a", n;
        size_t length;

        if (c >= 0xd800 && c <= 0xdfff) continue;
        length = 1 + assay_utf8_encode(c, text + 1);
        text[length] = 'b';
        n = count_words(text, length + 1);
        hash = hash_on(hash, &n, 1);
    }
    assert_true(hash == 0x4d3cc8b5df8b6f96u);
}

static void test_words_by_hand(void **state)
{
    static const char text[] = "  it's \xc3\xa9t\xc3\xa9,\xe2\x80\xa6x ";
    static const char *const expected[] = { "it",           "'", "s", "\xc3\xa9t\xc3\xa9", ",",
                                            "\xe2\x80\xa6", "x" };
    assay_bert_word word;
    size_t at = 0;

    (void)state;
    for (size_t k = 0; k < 7; k++) {
        assert_true(assay_bert_next_word(text, sizeof text - 1, &at, &word));
        assert_int_equal(word.length, strlen(expected[k]));
        assert_memory_equal(word.text, expected[k], word.length);
        assert_int_equal(word.n_characters, k == 3 ? 3 : k == 0 ? 2 : 1);
    }
    assert_false(assay_bert_next_word(text, sizeof text - 1, &at, &word));
    assert_int_equal(at, sizeof text - 1);
}

static assay_status normalise(void *context)
{
    assay_bert_text even = { 0 };
    const char *text = context;
    assay_status status = assay_bert_normalise(&all, text, strlen(text), &even);

    free(even.text);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    char text[] = "A" DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT
        STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM DOT STEM;

    (void)state;
    assert_true(fail_every_allocation(normalise, text) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule_by_hand),
        cmocka_unit_test(test_bytes_that_are_not_utf8_count_one_by_one),
        cmocka_unit_test(test_marks_are_put_in_their_order),
        cmocka_unit_test(test_a_long_run_of_marks_is_ordered_in_time),
        cmocka_unit_test(test_rules_are_the_references_for_every_character),
        cmocka_unit_test(test_words_are_the_references_for_every_character),
        cmocka_unit_test(test_words_by_hand),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
