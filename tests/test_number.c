/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/number.h"
#include "core/random.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void assert_reads(const char *text, double want)
{
    double got = NAN;

    if (assay_number_parse(text, strlen(text), &got) != 0) fail_msg("\"%s\" is refused", text);
    if (!same(got, want)) fail_msg("\"%s\" is read as %.17g, not %.17g", text, got, want);
}

static void assert_refused(const char *text)
{
    double got;

    if (assay_number_parse(text, strlen(text), &got) == 0)
        fail_msg("\"%s\" is read as %.17g", text, got);
}

static void decimal_numbers_are_read(void **state)
{
    (void)state;
    assert_reads("0", 0.0);
    assert_reads("-0", -0.0);
    assert_reads("+2", 2.0);
    assert_reads("+.5", 0.5);
    assert_reads(".5", 0.5);
    assert_reads("-.5", -0.5);
    assert_reads("1.", 1.0);
    assert_reads("1e5", 100000.0);
    assert_reads("1E5", 100000.0);
    assert_reads("1e+5", 100000.0);
    assert_reads("-1.5e3", -1500.0);
    assert_reads("007", 7.0);
    assert_reads("1.7976931348623157e308", 0x1.fffffffffffffp1023);
    assert_reads("4.9406564584124654e-324", 0x1p-1074);
}

static void anything_else_is_refused(void **state)
{
    static const char *const texts[] = {
        "",     "+",   "-",     ".",     "+-1",   "-+1",   "++1",    "--1",      "1e",
        "1e+",  "e5",  ".e5",   "0x10",  "inf",   "-inf",  "nan",    "-nan",     "1 ",
        " 1",   "1,5", "1_0",   "1.2.3", "1e5.0", "1e999", "-1e999", "infinity", "+inf",
        "+nan", "1f",  "0x1p3", "1\n",   "\t1",   "1d5",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_refused(texts[i]);
}

static void what_is_too_small_is_nearest_to_zero_and_what_is_too_large_is_refused(void **state)
{
    char text[1100];

    (void)state;
    assert_reads("1e-999", 0.0);
    assert_reads("-1e-400", -0.0);
    assert_reads("2e-324", 0.0); /* less than half of the smallest double */
    assert_reads("3e-324", 0x1p-1074);
    assert_reads("0e999", 0.0);
    assert_reads("1e-99999999999999999999", 0.0);
    assert_refused("1e99999999999999999999");
    memset(text, '0', sizeof text); /* 0.00...01 e+50: small although the exponent is not */
    memcpy(text, "0.", 2);
    strcpy(text + 1000, "1e50");
    assert_reads(text, 0.0);
    memset(text, '0', sizeof text); /* 100...0 e-50: large although the exponent is not */
    text[0] = '1';
    strcpy(text + 1000, "e-50");
    assert_refused(text);
    strcpy(text + 1000, "e-1000");
    assert_reads(text, 0.1);
}

/* A heap copy without an end: the sanitizer sees a byte read too far. */
static void nothing_is_read_past_the_length(void **state)
{
    char *text = malloc(3);
    double value;

    (void)state;
    memcpy(text, "125", 3);
    assert_int_equal(assay_number_parse(text, 3, &value), 0);
    assert_true(same(value, 125.0));
    assert_int_equal(assay_number_parse(text, 2, &value), 0);
    assert_true(same(value, 12.0));
    assert_int_equal(assay_number_parse(text, 0, &value), -1);
    memcpy(text, "1e-", 3);
    assert_int_equal(assay_number_parse(text, 3, &value), -1);
    text[0] = '+';
    assert_int_equal(assay_number_parse(text, 1, &value), -1);
    assert_int_equal(assay_number_parse("1\0", 2, &value), -1);
    free(text);
}

static void known_doubles_have_known_texts(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = { { 0.0, "0" },
                  { -0.0, "-0" },
                  { 1.0, "1" },
                  { 0.1, "0.1" },
                  { 1.0 / 3.0, "0.3333333333333333" },
                  { -2.5, "-2.5" },
                  { 1e100, "1e+100" },
                  { 0x1p-1074, "5e-324" },
                  { 123456.0, "123456" } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[ASSAY_NUMBER_SIZE];

        assert_int_equal(assay_number_format(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

/* The length of the shorter of printf's two notations, with as few digits as read back. */
static size_t shortest_length(double value)
{
    char text[64], plain[64];

    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (!same(strtod(text, NULL), value)) continue;
        snprintf(plain, sizeof plain, "%.*g", digits, value);
        break;
    }
    return strlen(plain) < strlen(text) ? strlen(plain) : strlen(text);
}

/* A million bit patterns; printf as the oracle is slow, so every 16th is compared with it. */
static void random_doubles_round_trip_in_the_shortest_text(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int trial = 0; trial < 1000000; trial++) {
        uint64_t bits = assay_random_bits(&random);
        double value, back = NAN;
        char text[ASSAY_NUMBER_SIZE];
        size_t n;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        n = assay_number_format(value, text);
        if (n >= sizeof text || text[n] != '\0' || assay_number_parse(text, n, &back) != 0 ||
            !same(back, value))
            fail_msg("%a is written as \"%.32s\" and read as %a", value, text, back);
        if (trial % 16 == 0 && n > shortest_length(value))
            fail_msg("\"%s\" is longer than need be for %.17g", text, value);
    }
}

/* Of everyday size, where the notation without an exponent is the shorter one. */
static void short_decimals_keep_their_text(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 4, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int trial = 0; trial < 20000; trial++) {
        unsigned hundredths = (unsigned)assay_random_below(&random, 100000) * 10 + 1;
        char want[ASSAY_NUMBER_SIZE], text[ASSAY_NUMBER_SIZE];
        double value = NAN;

        snprintf(want, sizeof want, "%u.%04u", hundredths / 10000, hundredths % 10000);
        assert_int_equal(assay_number_parse(want, strlen(want), &value), 0);
        assay_number_format(value, text);
        assert_int_equal(strlen(text), shortest_length(value));
        if (strcmp(text, want) != 0) assert_non_null(strchr(text, 'e')); /* 1e-04 */
    }
}

/* Any text of decimal digits, with and without point and exponent. */
static void random_decimal(assay_random *random, char *out)
{
    size_t n_whole = (size_t)assay_random_below(random, 25), n_part;

    if (assay_random_below(random, 2)) *out++ = '-';
    for (size_t i = 0; i < n_whole; i++) *out++ = (char)('0' + assay_random_below(random, 10));
    n_part = (size_t)assay_random_below(random, 25) + (n_whole == 0);
    if (n_part) *out++ = '.';
    for (size_t i = 0; i < n_part; i++) *out++ = (char)('0' + assay_random_below(random, 10));
    *out = '\0';
    if (assay_random_below(random, 2))
        sprintf(out, "e%d", (int)assay_random_below(random, 720) - 360);
}

/* The tests never set a locale before this one, so strtod() is that of the C locale. */
static void random_decimals_are_read_as_strtod_reads_them(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int trial = 0; trial < 200000; trial++) {
        char text[80];
        double want, got = NAN;
        int refused;

        random_decimal(&random, text);
        want = strtod(text, NULL);
        refused = assay_number_parse(text, strlen(text), &got) != 0;
        if (refused != !isfinite(want) || (!refused && !same(got, want)))
            fail_msg("\"%s\": %s %a, strtod says %a", text, refused ? "refused" : "read as", got,
                     want);
    }
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8" };
    char text[ASSAY_NUMBER_SIZE];
    int found = 0;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found) skip();
    assert_string_equal(localeconv()->decimal_point, ",");
    assert_reads("1.5", 1.5);
    assert_refused("1,5");
    assay_number_format(2.25, text);
    assert_string_equal(text, "2.25");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_numbers_are_read),
        cmocka_unit_test(anything_else_is_refused),
        cmocka_unit_test(what_is_too_small_is_nearest_to_zero_and_what_is_too_large_is_refused),
        cmocka_unit_test(nothing_is_read_past_the_length),
        cmocka_unit_test(known_doubles_have_known_texts),
        cmocka_unit_test(random_doubles_round_trip_in_the_shortest_text),
        cmocka_unit_test(short_decimals_keep_their_text),
        cmocka_unit_test(random_decimals_are_read_as_strtod_reads_them),
        cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
    };

    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
