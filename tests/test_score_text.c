/* SPDX-License-Identifier: Apache-2.0 */
#include "read/score_text.h"

#include "core/number.h"
#include "core/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_scores(const char *text, int decimal_comma, double expected)
{
    double score;

    assert_int_equal(assay_score_text_parse(text, strlen(text), decimal_comma, &score),
                     ASSAY_SCORED);
    assert_true(score == expected); /* exactly: each is the double nearest to what is written */
}

static void test_numbers_and_percentages_are_read_exactly(void **state)
{
    (void)state;
    assert_scores("0", 0, 0.0);
    assert_scores("1", 0, 1.0);
    assert_scores("7", 0, 7.0);
    assert_scores(" 0.25\t", 0, 0.25);
    assert_scores("-1.5e3", 0, -1500.0);
    assert_scores("1.0", 0, 1.0);
    assert_scores("90.18%", 0, 0.9018);
    assert_scores("100 %", 0, 1.0);
    assert_scores("0.1%", 0, 0.001);
}

/* A percentage of two decimals is the same as that number with the point two places on. */
static void test_every_percentage_is_its_fraction(void **state)
{
    (void)state;
    for (int k = 0; k <= 10000; k++) {
        char percent[32], fraction[32];
        double expected;

        snprintf(percent, sizeof percent, "%d.%02d%%", k / 100, k % 100);
        snprintf(fraction, sizeof fraction, "%d.%04d", k / 10000, k % 10000);
        assert_int_equal(assay_number_parse(fraction, strlen(fraction), &expected), 0);
        assert_scores(percent, 0, expected);
    }
}

static void test_words_are_one_or_nought_in_any_case(void **state)
{
    static const char *const ones[] = { "true", "TRUE", "Pass", "PASSED", "correct",
                                        "C",    "c",    "yes",  " Yes ",  "True" };
    static const char *const noughts[] = { "false",     "FALSE", "Fail", "FAILED",
                                           "incorrect", "I",     "i",    "NO" };

    (void)state;
    for (size_t k = 0; k < sizeof ones / sizeof ones[0]; k++) assert_scores(ones[k], 0, 1.0);
    for (size_t k = 0; k < sizeof noughts / sizeof noughts[0]; k++)
        assert_scores(noughts[k], 0, 0.0);
}

static void test_what_says_nothing_is_missing(void **state)
{
    static const char *const missing[] = { "",     " ",    "NA",   "n/a", "NaN", "nan",  "null",
                                           "NULL", "None", "none", "-",   " - ", "#N/A", "#n/a" };

    (void)state;
    for (size_t k = 0; k < sizeof missing / sizeof missing[0]; k++) {
        double score = 0.0;
        assert_int_equal(assay_score_text_parse(missing[k], strlen(missing[k]), 0, &score),
                         ASSAY_MISSING);
        assert_true(isnan(score));
    }
}

static void test_a_decimal_comma_counts_only_where_asked_for(void **state)
{
    double score;

    (void)state;
    assert_scores("0,5", 1, 0.5);
    assert_scores("90,18%", 1, 0.9018);
    assert_scores("0.5", 1, 0.5);
    assert_int_equal(assay_score_text_parse("0,5", 3, 0, &score), -1);
    assert_int_equal(assay_score_text_parse("1,000,5", 7, 1, &score), -1);
    assert_int_equal(assay_score_text_parse("1.000,5", 7, 1, &score), -1);
}

static void test_anything_else_is_not_a_score(void **state)
{
    static const char *const other[] = { "abc",  "inf",    "-inf", "Infinity", "1e999",     "1 2",
                                         "0x10", "%",      "1%%",  "tru",      "truee",     "--",
                                         "1,0",  "passes", "e-2%", "1e2%",     "2026-01-01" };

    (void)state;
    for (size_t k = 0; k < sizeof other / sizeof other[0]; k++) {
        double score;
        if (assay_score_text_parse(other[k], strlen(other[k]), 0, &score) != -1)
            fail_msg("\"%s\" was taken for a score", other[k]);
    }
}

static void test_the_parser_never_reads_past_the_text(void **state)
{
    double score;

    (void)state; /* the sanitizers see a byte too far */
    for (size_t length = 0; length <= 6; length++) {
        char exact[6];
        memcpy(exact, "0.125%", 6);
        assay_score_text_parse(exact + 6 - length, length, 1, &score);
    }
    assert_int_equal(assay_score_text_parse("10", 1, 0, &score), ASSAY_SCORED);
    assert_true(score == 1.0);
    assert_int_equal(assay_score_text_parse("null", 3, 0, &score), -1);
}

static void test_the_sentence_names_place_column_and_text(void **state)
{
    (void)state;
    assert_int_equal(assay_score_text_fail("f.csv", 7, "acc", 3, "abc", 3), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "f.csv:7: column \"acc\" has \"abc\", expected a score (a number, a "
                        "percentage, true/false, pass/fail, correct/incorrect, yes/no, or empty "
                        "for missing)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_percentages_are_read_exactly),
        cmocka_unit_test(test_every_percentage_is_its_fraction),
        cmocka_unit_test(test_words_are_one_or_nought_in_any_case),
        cmocka_unit_test(test_what_says_nothing_is_missing),
        cmocka_unit_test(test_a_decimal_comma_counts_only_where_asked_for),
        cmocka_unit_test(test_anything_else_is_not_a_score),
        cmocka_unit_test(test_the_parser_never_reads_past_the_text),
        cmocka_unit_test(test_the_sentence_names_place_column_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
