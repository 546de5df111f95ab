/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/dates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double days(const char *text)
{
    double value = NAN;

    if (assay_date_days(text, &value) != ASSAY_OK) fail_msg("%s: %s", text, assay_last_error());
    return value;
}

/* 2024-06-20 is 19,894 days after 1970-01-01 (date -u -d 2024-06-20 +%s gives 1718841600). */
static void forms_of_one_day(void **state)
{
    static const char *const forms[] = {
        "2024-06-20",
        "20240620",
        "2024/06/20",
        "2024.06.20",
        " 2024-06-20 ",
        "20 Jun 2024",
        "20 June 2024",
        "20-Jun-2024",
        "Jun 20, 2024",
        "june 20 2024",
        "JUN. 20, 2024",
        "2024-06-20T00:00",
        "2024-06-20 00:00:00Z",
        "2024-06-20T02:00:00+02:00",
        "2024-06-19T19:00:00.000-0500",
        "2024-06-20T01:00+01",
    };

    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        assert_true(fabs(days(forms[k]) - 19894.0) < 1e-9);
}

static void what_is_left_out_is_the_first(void **state)
{
    (void)state;
    assert_true(days("2024") == days("2024-01-01"));
    assert_true(days("2024-06") == days("2024-06-01"));
    assert_true(days("2024/06") == days("2024-06-01"));
    assert_true(days("Jun 2024") == days("2024-06-01"));
    assert_true(days("5 May 2024") == days("2024-05-05"));
    assert_true(days("1970") == 0.0);
}

/* Half past noon and a quarter of a second, by hand. */
static void times_are_parts_of_a_day(void **state)
{
    (void)state;
    assert_true(fabs(days("1970-01-02T12:30:00.25") - (1.0 + 45000.25 / 86400.0)) < 1e-12);
    assert_true(days("2024-06-20T12:00") > days("2024-06-20"));
}

/* Every day of 400 years and more, against the C library's. */
static void days_are_the_c_librarys(void **state)
{
    (void)state;
    for (time_t day = -30000; day < 160000; day++) {
        time_t seconds = day * 86400;
        struct tm tm;
        char text[32];

        assert_non_null(gmtime_r(&seconds, &tm));
        assert_true(strftime(text, sizeof text, "%Y-%m-%d", &tm) > 0);
        assert_true(days(text) == (double)day);
    }
}

static void others_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "06/07/2024",
        "20.06.2024",
        "2024-13-01",
        "2024-02-30",
        "2023-02-29",
        "1900-02-29",
        "2024-00-10",
        "2024-06-00",
        "2024-6-20",
        "24-06-20",
        "yesterday",
        "2024-06-20x",
        "2024-06-20T25:00",
        "2024-06-20T12",
        "1718841600",
        "2024-06/20",
        "Juli 20, 2024",
        "20 Ju 2024",
        "0000-01-01",
        "2024-06-20T12:00+99:00",
        "-2024-06-20",
        "2024 06 20",
        "202406",
        "nan",
        "\xff\xfe",
    };
    double value = 7.0;

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (assay_date_days(texts[k], &value) != ASSAY_E_VALUE) fail_msg("%s is taken", texts[k]);
        assert_true(value == 7.0);
    }
    assert_int_equal(assay_date_days("2000-02-29", &value), ASSAY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_one_day),         cmocka_unit_test(what_is_left_out_is_the_first),
        cmocka_unit_test(times_are_parts_of_a_day), cmocka_unit_test(days_are_the_c_librarys),
        cmocka_unit_test(others_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
