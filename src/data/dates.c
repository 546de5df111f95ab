/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/dates.h"

#include "core/error.h"

#include <string.h>

struct date {
    int year, month, day;
    double of_day; /* hours, minutes and seconds, in days, less the offset from UTC */
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_spaces(const char **at)
{
    while (is_space(**at)) (*at)++;
}

/* Exactly n digits. Returns 1 and goes behind them, or 0. */
static int take_digits(const char **at, int n, int *value)
{
    *value = 0;
    for (int i = 0; i < n; i++) {
        if (!is_digit((*at)[i])) return 0;
        *value = 10 * *value + ((*at)[i] - '0');
    }
    *at += n;
    return 1;
}

static int take(const char **at, char c)
{
    if (**at != c) return 0;
    (*at)++;
    return 1;
}

/* "Jun", "june", "June.": three letters or the whole name, in any case. */
static int take_month_name(const char **at, int *month)
{
    static const char *const names[] = { "january",   "february", "march",    "april",
                                         "may",       "june",     "july",     "august",
                                         "september", "october",  "november", "december" };
    size_t n = 0;

    while (((*at)[n] | 0x20) >= 'a' && ((*at)[n] | 0x20) <= 'z') n++;
    for (int m = 0; m < 12; m++) {
        size_t same = 0;

        while (same < n && names[m][same] && ((*at)[same] | 0x20) == names[m][same]) same++;
        if (same < n || (n != 3 && n != strlen(names[m]))) continue;
        *month = m + 1;
        *at += n;
        take(at, '.');
        return 1;
    }
    return 0;
}

/* "HH:MM", "HH:MM:SS", "HH:MM:SS.fff", and behind it "Z" or "+HH:MM", "+HHMM", "+HH". */
static int take_time(const char **at, double *of_day)
{
    int hours, minutes, seconds = 0, sign = 0, zone_hours = 0, zone_minutes = 0;
    double fraction = 0.0, unit = 1.0;

    if (!take_digits(at, 2, &hours) || !take(at, ':') || !take_digits(at, 2, &minutes)) return 0;
    if (take(at, ':')) {
        if (!take_digits(at, 2, &seconds)) return 0;
        if (**at == '.' && is_digit((*at)[1]))
            for ((*at)++; is_digit(**at); (*at)++) fraction += (**at - '0') * (unit /= 10.0);
    }
    if (hours > 23 || minutes > 59 || seconds > 60) return 0;
    if (!take(at, 'Z') && (**at == '+' || **at == '-')) {
        sign = take(at, '+') ? 1 : (take(at, '-'), -1);
        if (!take_digits(at, 2, &zone_hours)) return 0;
        if ((take(at, ':') || is_digit(**at)) && !take_digits(at, 2, &zone_minutes)) return 0;
        if (zone_hours > 23 || zone_minutes > 59) return 0;
    }
    *of_day = (hours * 3600.0 + minutes * 60.0 + seconds + fraction -
               sign * (zone_hours * 3600.0 + zone_minutes * 60.0)) /
              86400.0;
    return 1;
}

/* The year first. */
static int take_iso(const char **at, struct date *date)
{
    char separator;

    if (!take_digits(at, 4, &date->year)) return 0;
    separator = **at;
    if (is_digit(separator)) {
        if (!take_digits(at, 2, &date->month) || !take_digits(at, 2, &date->day)) return 0;
    } else if (separator == '-' || separator == '/' || separator == '.') {
        (*at)++;
        if (!take_digits(at, 2, &date->month)) return 0;
        if (**at != separator) return 1;
        (*at)++;
        if (!take_digits(at, 2, &date->day)) return 0;
    } else {
        return 1;
    }
    if (**at == 'T' || (is_space(**at) && is_digit((*at)[1]))) {
        (*at)++;
        return take_time(at, &date->of_day);
    }
    return 1;
}

static int take_day(const char **at, int *day)
{
    return take_digits(at, is_digit((*at)[0]) && is_digit((*at)[1]) ? 2 : 1, day);
}

/* "20 Jun 2024", "20-Jun-2024", "June 20, 2024", "Jun 2024". */
static int take_named(const char **at, struct date *date)
{
    if (is_digit(**at)) {
        if (!take_day(at, &date->day)) return 0;
        if (!take(at, '-')) skip_spaces(at);
        if (!take_month_name(at, &date->month)) return 0;
        if (!take(at, '-')) skip_spaces(at);
        return take_digits(at, 4, &date->year);
    }
    if (!take_month_name(at, &date->month)) return 0;
    skip_spaces(at);
    if (take_digits(at, 4, &date->year)) return 1;
    if (!take_day(at, &date->day)) return 0;
    take(at, ',');
    skip_spaces(at);
    return take_digits(at, 4, &date->year);
}

static int is_day(const struct date *date)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int y = date->year, leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

    if (y < 1 || date->month < 1 || date->month > 12 || date->day < 1) return 0;
    return date->day <= days[date->month - 1] + (leap && date->month == 2);
}

/* Years are taken to begin in March, so that a leap day is a year's last. */
static double days_of(const struct date *date)
{
    int y = date->year - (date->month <= 2), from_march = (date->month + 9) % 12;
    long days = 365L * y + y / 4 - y / 100 + y / 400 + (153 * from_march + 2) / 5 + date->day - 1;

    return (double)(days - 719468) + date->of_day;
}

assay_status assay_date_days(const char *text, double *days)
{
    struct date date = { 0, 1, 1, 0.0 };
    const char *at = text;
    int is_read;

    skip_spaces(&at);
    is_read = take_iso(&at, &date);
    if (is_read) skip_spaces(&at);
    if (!is_read || *at) {
        date = (struct date){ 0, 1, 1, 0.0 };
        at = text;
        skip_spaces(&at);
        is_read = take_named(&at, &date);
        if (is_read) skip_spaces(&at);
    }
    if (!is_read || *at || !is_day(&date))
        return assay_fail(ASSAY_E_VALUE,
                          "\"%.60s\" is no date that can be told: expected 2024-06-20, 20240620, "
                          "2024-06, 2024 or 20 Jun 2024",
                          text);
    *days = days_of(&date);
    return ASSAY_OK;
}
