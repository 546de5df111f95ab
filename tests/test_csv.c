/* SPDX-License-Identifier: Apache-2.0 */
#include "read/csv.h"

#include "core/error.h"
#include "core/random.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BUFFER = 256 * 1024, OUT_SIZE = 4096 };

/* Text in memory, handed out in pieces of at most step bytes. */
typedef struct memory {
    const char *text;
    size_t left, step;
} memory;

static assay_status from_memory(void *user, char *buffer, size_t size, size_t *got)
{
    memory *m = user;

    *got = m->left < size ? m->left : size;
    if (*got > m->step) *got = m->step;
    memcpy(buffer, m->text, *got);
    m->text += *got;
    m->left -= *got;
    return ASSAY_OK;
}

/* Records as "LINE[field|field]" one after the other; stops when out is full. */
static assay_status show(const char *delimiters, const char *text, size_t length, size_t step,
                         char out[OUT_SIZE])
{
    memory m = { text, length, step };
    assay_csv *csv = NULL;
    assay_csv_record record;
    assay_status status;
    size_t used = 0;
    int more = 1;

    out[0] = '\0';
    status = assay_csv_open("t.csv", delimiters, from_memory, &m, &csv);
    if (status != ASSAY_OK) return status;
    while ((status = assay_csv_next(csv, &record, &more)) == ASSAY_OK && more) {
        char separator = '[';
        assay_csv_text field;

        used += (size_t)snprintf(out + used, OUT_SIZE - used, "%zu", record.line);
        while (assay_csv_field(&record, &field)) {
            int shown = field.length < 60 ? (int)field.length : 60;
            used += (size_t)snprintf(out + used, OUT_SIZE - used, "%c%.*s", separator, shown,
                                     field.text);
            separator = '|';
        }
        used += (size_t)snprintf(out + used, OUT_SIZE - used, "]");
        assert_true(used < OUT_SIZE);
    }
    assay_csv_close(csv);
    return status;
}

static void assert_shows(const char *text, const char *expected)
{
    char out[OUT_SIZE];

    assert_int_equal(show(",;\t", text, strlen(text), 3, out), ASSAY_OK);
    assert_string_equal(out, expected);
}

static void assert_fails_n(const char *text, size_t length, const char *sentence)
{
    char out[OUT_SIZE];

    assert_int_equal(show(",;\t", text, length, 3, out), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
}

static void assert_fails(const char *text, const char *sentence)
{
    assert_fails_n(text, strlen(text), sentence);
}

static void test_records_and_fields_are_told_apart(void **state)
{
    (void)state;
    assert_shows("", "");
    assert_shows("\n\r\n", "");
    assert_shows("a", "1[a]");
    assert_shows("a,b\nc,d\n", "1[a|b]2[c|d]");
    assert_shows("a,b\r\nc,d\ne,\r\n,", "1[a|b]2[c|d]3[e|]4[|]");
    assert_shows("\xef\xbb\xbf"
                 "a,b",
                 "1[a|b]");
    assert_shows("\n\na,b\n\nc,d\n\n", "3[a|b]5[c|d]");
}

static void test_quoted_fields_hold_delimiters_quotes_and_line_ends(void **state)
{
    (void)state;
    assert_shows("a,\"b,c\"\n\"d\"\"e\",\"\"\n", "1[a|b,c]2[d\"e|]");
    assert_shows("\"a\nb\r\nc\",d\ne,f", "1[a\nb\r\nc|d]4[e|f]");
    assert_shows("\"\"\"\",\"\"\"\"\"\"\r\n\"x\"", "1[\"|\"\"]2[x]");
}

static void test_a_quote_within_an_unquoted_field_is_data(void **state)
{
    (void)state;
    assert_shows("a\"b,c\n5\" disk,\"d\"\n \"e\",f", "1[a\"b|c]2[5\" disk|d]3[ \"e\"|f]");
}

static void test_the_delimiter_is_the_most_frequent_outside_quotes(void **state)
{
    (void)state;
    assert_shows("a;b;c,d\n1,5;2;3", "1[a|b|c,d]2[1,5|2|3]");
    assert_shows("a\tb\n1,2,3\t4", "1[a|b]2[1,2,3|4]");
    assert_shows("\"a;;;\"\"b;\",c,d\n", "1[a;;;\"b;|c|d]");
    assert_shows("a\nb", "1[a]2[b]");
}

static void test_each_fault_names_its_line(void **state)
{
    (void)state;
    assert_fails("a,b\nc,\"d\n\n\n", "t.csv:2: a quote opens here and is not closed");
    assert_fails("a,b\n\"x\ny\",\"d", "t.csv:3: a quote opens here and is not closed");
    assert_fails("a,b\n\"c\nd\"e,f\n",
                 "t.csv:3: text after a closing quote, expected a delimiter or the line's end (a "
                 "quote within quotes is written twice)");
    assert_fails_n("a,b\nc\0,d", 8, "t.csv:2: a NUL byte: binary data, expected text");
    assert_fails_n("\xff\xfe"
                   "a\0",
                   4, "t.csv: UTF-16; expected UTF-8");
    assert_fails_n("\xfe\xff\0a", 4, "t.csv: UTF-16; expected UTF-8");
    assert_fails_n("a\0,\0b\0", 6, "t.csv: UTF-16; expected UTF-8");
    assert_fails_n("\0a\0,", 4, "t.csv: UTF-16; expected UTF-8");
    assert_fails("a,b\rc,d\r", "t.csv:1: a carriage return within the line, expected lines that "
                               "end in LF or CRLF");
}

static void test_a_failed_reader_keeps_failing(void **state)
{
    const char text[] = "a\n\"b";
    memory m = { text, strlen(text), 100 };
    assay_csv *csv = NULL;
    assay_csv_record record;
    int more;

    (void)state;
    assert_int_equal(assay_csv_open("t.csv", ",", from_memory, &m, &csv), ASSAY_OK);
    assert_int_equal(assay_csv_next(csv, &record, &more), ASSAY_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(assay_csv_next(csv, &record, &more), ASSAY_E_FORMAT);
    assay_csv_close(csv);
}

/* The oracle: RFC 4180 with the liberties of csv.h, one character at a time over the whole text,
   which holds CR before LF only. Returns 0 when it is malformed. */
static int show_plainly(const char *p, const char *end, char out[OUT_SIZE])
{
    size_t line = 1, used = 0;

    out[0] = '\0';
    while (p < end) {
        char separator = '[';
        int more = 1;

        if (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n')) {
            p += *p == '\n' ? 1 : 2;
            line++;
            continue;
        }
        used += (size_t)snprintf(out + used, OUT_SIZE - used, "%zu", line);
        while (more) {
            size_t length = 0;

            out[used++] = separator;
            separator = '|';
            if (p < end && *p == '"') {
                for (p++;; p++) {
                    if (p == end) return 0;
                    if (*p == '"' && (p + 1 == end || p[1] != '"')) break;
                    if (*p == '"') p++;
                    line += *p == '\n';
                    if (length++ < 60) out[used++] = *p;
                }
                p++;
            } else {
                for (; p < end && *p != ',' && *p != '\n'; p++) {
                    if (*p == '\r' && p + 1 < end && p[1] == '\n') break;
                    if (length++ < 60) out[used++] = *p;
                }
            }
            if (p < end && *p == '\r') p++;
            more = p < end && *p == ',';
            if (p < end && *p != ',' && *p != '\n') return 0;
            if (p < end && *p == '\n') line++;
            if (p < end) p++;
        }
        out[used++] = ']';
        out[used] = '\0';
    }
    return 1;
}

static void test_random_text_is_read_as_a_plain_parser_reads_it(void **state)
{
    static const char *const pieces[] = { "a", "b\"", ",", "\"", "\"\"", "\n", "\r\n", "\"," };
    char *text = malloc(BUFFER + 400);
    size_t n_whole = 0;
    assay_random random;

    (void)state;
    assert_non_null(text);
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t trial = 0; trial < 4000; trial++) {
        char out[OUT_SIZE], expected[OUT_SIZE];
        size_t length = 0, n = assay_random_below(&random, 40);
        int whole;

        if (trial % 20 == 0) { /* what is of interest straddles the buffer's end */
            length = BUFFER - assay_random_below(&random, 60);
            memset(text, 'x', length);
            text[length++] = '\n';
        }
        for (size_t k = 0; k < n; k++) {
            const char *piece = pieces[assay_random_below(&random, 8)];
            memcpy(text + length, piece, strlen(piece));
            length += strlen(piece);
        }
        whole = show_plainly(text, text + length, expected);
        n_whole += (size_t)whole;
        assert_int_equal(show(",", text, length, 1 + assay_random_below(&random, 5000), out),
                         whole ? ASSAY_OK : ASSAY_E_FORMAT);
        if (whole) assert_string_equal(out, expected);
    }
    assert_in_range(n_whole, 1000, 3900); /* both kinds came up */
    free(text);
}

static void test_a_record_may_be_longer_than_the_buffer(void **state)
{
    size_t length = 3 * BUFFER;
    char *text = malloc(length), out[OUT_SIZE];

    (void)state;
    assert_non_null(text);
    memset(text, 'x', length);
    memcpy(text, "a,b\n\"", 5);
    for (size_t i = 100; i < length; i += 1000) text[i] = '\n';
    memcpy(text + length - 6, "\",y\nz,", 6);
    assert_int_equal(show(",", text, length, length, out), ASSAY_OK);
    assert_memory_equal(out, "1[a|b]2[xxx", 11);
    assert_non_null(strstr(out, "|y]790[z|]")); /* 787 line ends lie within the quotes */
    free(text);
}

static assay_status read_long_record(void *context)
{
    char out[OUT_SIZE];

    return show(",", context, strlen(context), 1 << 20, out);
}

static void test_every_allocation_may_fail(void **state)
{
    size_t length = 2 * BUFFER;
    char *text = malloc(length);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', length - 1);
    text[length - 1] = '\0';
    assert_true(fail_every_allocation(read_long_record, text) >= 3);
    free(text);
}

static void test_a_first_line_may_name_the_delimiter(void **state)
{
    (void)state;
    assert_shows("sep=;\na,b,c;d\n1;2\n", "2[a,b,c|d]3[1|2]");
    assert_shows("\xef\xbb\xbfSEP=,\r\na;b;c,d\r\n", "2[a;b;c|d]");
    assert_shows("sep=\t\n\na\tb\n", "3[a|b]");
    assert_shows("sep=;\n\"a\n;\";b,,,\n", "2[a\n;|b,,,]");
    assert_shows("sep=;", "");
    assert_shows("sep=;\r\n", "");
    assert_shows("sep=|\na|b\n", "1[sep=|]2[a|b]"); /* not one that is known */
    assert_shows("sep=;x\n", "1[sep=|x]");
    assert_shows("sep=\n", "1[sep=]");
    assert_shows("a,b\nsep=;\n", "1[a|b]2[sep=;]"); /* not the first line */
}

static void test_a_field_tells_whether_it_was_quoted(void **state)
{
    char text[] = "a,\"b\",\"\", \"c\"";
    static const int quoted[] = { 0, 1, 1, 0 };
    assay_csv_record record = { text, text + strlen(text), 1, ',' };
    assay_csv_text field;

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        assert_true(assay_csv_field(&record, &field));
        assert_int_equal(field.quoted, quoted[k]);
    }
    assert_false(assay_csv_field(&record, &field));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_and_fields_are_told_apart),
        cmocka_unit_test(test_quoted_fields_hold_delimiters_quotes_and_line_ends),
        cmocka_unit_test(test_a_quote_within_an_unquoted_field_is_data),
        cmocka_unit_test(test_the_delimiter_is_the_most_frequent_outside_quotes),
        cmocka_unit_test(test_each_fault_names_its_line),
        cmocka_unit_test(test_a_failed_reader_keeps_failing),
        cmocka_unit_test(test_random_text_is_read_as_a_plain_parser_reads_it),
        cmocka_unit_test(test_a_record_may_be_longer_than_the_buffer),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_a_first_line_may_name_the_delimiter),
        cmocka_unit_test(test_a_field_tells_whether_it_was_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
