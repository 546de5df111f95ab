/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON pull reader passing over values, and the scans that do it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "json_events.h"
#include "read/json_scan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A random document, with brackets, quotes and backslashes in its strings. */
static void write_value(FILE *to, assay_random *random, int depth)
{
    static const char *const scalars[] = { "1",
                                           "-0.5e+3",
                                           "true",
                                           "null",
                                           "\"\"",
                                           "\"]}\"",
                                           "\"\\\\\"",
                                           "NaN",
                                           "\"\\\"[{\\\\\\\"\"",
                                           "\"\n\xc3\xa9\"" };
    uint64_t kind = assay_random_below(random, depth < 6 ? 4 : 2), n;

    if (kind < 2) {
        fputs(scalars[assay_random_below(random, sizeof scalars / sizeof *scalars)], to);
        if (assay_random_below(random, 4) == 0)
            fprintf(to, "%*s", (int)assay_random_below(random, 80), "");
        return;
    }
    n = assay_random_below(random, 5);
    fputc(kind == 2 ? '{' : '[', to);
    for (uint64_t i = 0; i < n; i++) {
        if (i) fputs(",\n", to);
        if (kind == 2) fprintf(to, "\"k%d\\\\\":", (int)i);
        write_value(to, random, depth + 1);
    }
    fputc(kind == 2 ? '}' : ']', to);
}

/* Read with random skips and leaves; after each, the reading that reads everything catches up. */
static void compare_with_skips(const char *document, size_t size, assay_random *random)
{
    text_source from[2] = { { document, size, ALL }, { document, size, 1 } };
    assay_json_reader *reader[2];
    assay_json_event event[2] = { ASSAY_JSON_NULL, ASSAY_JSON_NULL };

    from[1].chunk = 1 + (size_t)assay_random_below(random, 200);
    for (int i = 0; i < 2; i++)
        assert_int_equal(assay_json_open("f", from_text, &from[i], &reader[i]), ASSAY_OK);
    while (event[1] != ASSAY_JSON_END) {
        const char *text[2];
        size_t length[2], depth;
        double number;

        for (int i = 0; i < 2; i++)
            if (assay_json_next(reader[i], &event[i], &text[i], &length[i], &number) != ASSAY_OK)
                fail_msg("%s in %s", assay_last_error(), document);
        assert_int_equal(event[0], event[1]);
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(text[0], text[1], length[0]);
        assert_int_equal(assay_json_depth(reader[0]), assay_json_depth(reader[1]));
        assert_int_equal(assay_json_line(reader[0]), assay_json_line(reader[1]));
        depth = assay_json_depth(reader[1]);
        if (assay_random_below(random, 4) == 0 && depth > 0) {
            if (event[1] == ASSAY_JSON_KEY && assay_random_below(random, 2)) {
                assert_int_equal(assay_json_skip(reader[1]), ASSAY_OK);
                do assay_json_next(reader[0], &event[0], &text[0], &length[0], &number);
                while (assay_json_depth(reader[0]) > depth);
            } else {
                assert_int_equal(assay_json_leave(reader[1]), ASSAY_OK);
                while (assay_json_depth(reader[0]) >= depth)
                    assay_json_next(reader[0], &event[0], &text[0], &length[0], &number);
            }
            assert_int_equal(assay_json_depth(reader[0]), assay_json_depth(reader[1]));
        }
    }
    for (int i = 0; i < 2; i++) assay_json_close(reader[i]);
}

static void what_comes_after_something_passed_over_is_unchanged(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int turn = 0; turn < 3000; turn++) {
        char *document;
        size_t size;
        FILE *to = open_memstream(&document, &size);
        for (int i = 0; i < 3; i++) {
            write_value(to, &random, 0);
            fputc('\n', to);
        }
        fclose(to);
        compare_with_skips(document, size, &random);
        free(document);
    }
}

static void skipping_stops_where_no_value_comes(void **state)
{
    static const char text[] = "[1, [2]]{\"a\": 3}";
    text_source from = { text, sizeof text - 1, ALL };
    assay_json_reader *reader;
    assay_json_event event;
    const char *got;
    size_t length;
    double number;

    (void)state;
    assert_int_equal(assay_json_open("f", from_text, &from, &reader), ASSAY_OK);
    assert_int_equal(assay_json_next(reader, &event, &got, &length, &number), ASSAY_OK);
    for (int i = 0; i < 4; i++) assert_int_equal(assay_json_skip(reader), ASSAY_OK);
    assert_int_equal(assay_json_next(reader, &event, &got, &length, &number), ASSAY_OK);
    assert_int_equal(event, ASSAY_JSON_ARRAY_END);
    assert_int_equal(assay_json_leave(reader), ASSAY_OK); /* nothing is open */
    assert_int_equal(assay_json_next(reader, &event, &got, &length, &number), ASSAY_OK);
    assert_int_equal(event, ASSAY_JSON_OBJECT);
    assert_int_equal(assay_json_skip(reader), ASSAY_OK); /* a key comes */
    assert_int_equal(assay_json_next(reader, &event, &got, &length, &number), ASSAY_OK);
    assert_int_equal(event, ASSAY_JSON_KEY);
    assert_int_equal(assay_json_leave(reader), ASSAY_OK);
    assert_int_equal(assay_json_skip(reader), ASSAY_OK); /* the end */
    assert_int_equal(assay_json_next(reader, &event, &got, &length, &number), ASSAY_OK);
    assert_int_equal(event, ASSAY_JSON_END);
    assay_json_close(reader);
}

static void refuse_skip(const char *text, const char *sentence, int is_cut)
{
    text_source from = { text, strlen(text), 5 };
    assay_json_reader *reader;

    assert_int_equal(assay_json_open("f.json", from_text, &from, &reader), ASSAY_OK);
    assert_int_equal(assay_json_skip(reader), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
    assert_int_equal(assay_json_is_cut(reader), is_cut);
    assay_json_close(reader);
}

static void faults_of_balance_are_found_in_what_is_passed_over(void **state)
{
    (void)state;
    refuse_skip("[\n\n1}", "f.json:3:2: '}', expected ']'", 0);
    refuse_skip("{\"a\": [1]]", "f.json:1:10: ']', expected '}'", 0);
    refuse_skip("[\"]\n\\\"\"\n, \\\"]", "f.json:3:3: '\\', expected ']'", 0);
    refuse_skip("{\"a\":\n[1", "f.json:2:3: the input ends here, expected ']'", 1);
    refuse_skip("[\"a]\n", "f.json:2:1: the input ends here, expected '\"'", 1);
    refuse_skip("\"a\\\"\n", "f.json:2:1: the input ends here, expected '\"'", 1);
    refuse_skip("tru", "f.json:1:4: the input ends here, expected true", 1);
    refuse_skip("-x", "f.json:1:2: 'x', expected a digit", 0);
}

/* Begins with head, then repeats a byte, then ends with tail. */
typedef struct long_source {
    const char *head, *tail;
    char byte;
    size_t repeats;
} long_source;

static assay_status from_long(void *user, char *buffer, size_t size, size_t *got)
{
    long_source *from = user;
    const char **edge = *from->head ? &from->head : from->repeats ? NULL : &from->tail;

    *got = edge ? strlen(*edge) : from->repeats;
    if (*got > size) *got = size;
    if (edge) {
        memcpy(buffer, *edge, *got);
        *edge += *got;
    } else {
        memset(buffer, from->byte, *got);
        from->repeats -= *got;
    }
    return ASSAY_OK;
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void skipping_takes_no_memory_for_long_members(void **state)
{
    enum { LONG = 300000000, FAIRLY_LONG = LONG / 10 };
    long_source sources[] = {
        { "{\"a\": \"", "\", \"b\": 2}", 'x', LONG },
        { "{\"a\": [\"", "\"], \"b\": 2}", '[', FAIRLY_LONG },
        { "{\"a\": [", "], \"b\": 2}", ',', FAIRLY_LONG },
        { "{\"a\": 1", ", \"b\": 2}", '0', FAIRLY_LONG },
    };
    long before = peak_kilobytes();

    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        assay_json_reader *reader;
        assay_json_event event;
        const char *text;
        size_t length;
        double number;

        assert_int_equal(assay_json_open("f", from_long, &sources[i], &reader), ASSAY_OK);
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
        assert_string_equal(text, "a");
        assert_int_equal(assay_json_skip(reader), ASSAY_OK);
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
        assert_string_equal(text, "b");
        assay_json_close(reader);
    }
    assert_true(peak_kilobytes() - before < 8000); /* the buffer, and the allocator's slack */
}

static void a_string_over_one_gibibyte_is_refused(void **state)
{
    long_source from = { "\n \"", "\"", 'x', ((size_t)1 << 30) + 1 };
    assay_json_reader *reader;
    assay_json_event event;
    const char *text;
    size_t length;
    double number;

    (void)state;
    assert_int_equal(assay_json_open("f", from_long, &from, &reader), ASSAY_OK);
    assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "f:2:2: a string or number longer than 1 GiB, expected "
                                            "a shorter one");
    assay_json_close(reader);
}

static void check_masks(const assay_json_scan *scan, const char *block)
{
    assay_json_masks masks;

    scan->masks(block, &masks);
    for (int i = 0; i < ASSAY_JSON_BLOCK; i++) {
        char c = block[i];
        assert_int_equal(masks.quote >> i & 1, c == '"');
        assert_int_equal(masks.backslash >> i & 1, c == '\\');
        assert_int_equal(masks.newline >> i & 1, c == '\n');
        assert_int_equal(masks.bracket >> i & 1, c == '{' || c == '}' || c == '[' || c == ']');
    }
}

static size_t obvious_run(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && (unsigned char)text[n] >= 0x20 && (unsigned char)text[n] < 0x80 &&
           text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

/* Against a loop a byte at a time, and nothing is written further than is allowed. */
static void check_copy(const assay_json_scan *scan, const char *text, size_t length)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char to[5 * ASSAY_JSON_BLOCK + 1], expected[4 * ASSAY_JSON_BLOCK];
    size_t used = 0, made = 0, came, n;

    for (; used < length; used++) {
        const char *letter = NULL;

        if (obvious_run(text + used, 1) == 0) {
            if (text[used] != '\\' || used + 1 == length) break;
            letter = memchr(letters, text[used + 1], sizeof letters - 1);
            if (!letter) break;
            used++;
        }
        expected[made++] = letter ? values[letter - letters] : text[used];
    }
    memset(to, '#', sizeof to);
    n = scan->copy_simple(text, length, to, &came);
    assert_int_equal(n, used);
    assert_int_equal(came, made);
    assert_memory_equal(to, expected, made);
    for (size_t i = length + ASSAY_JSON_BLOCK; i < sizeof to; i++) assert_int_equal(to[i], '#');
}

static void the_scans_find_what_an_obvious_loop_finds(void **state)
{
    static const char special[] = "\"\\\\nbu/\n{}[]\x1f\x80\xff\0;:|~A\x7f";
    const assay_json_scan *scans[] = { &assay_json_scan_plain, assay_json_scan_choose() };
    char text[4 * ASSAY_JSON_BLOCK];
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int turn = 0; turn < 100000; turn++) {
        uint64_t rarity = 1 + assay_random_below(&random, 100);
        size_t from = (size_t)assay_random_below(&random, ASSAY_JSON_BLOCK);
        size_t length = (size_t)assay_random_below(&random, 2 * ASSAY_JSON_BLOCK);

        for (size_t i = 0; i < sizeof text; i++)
            text[i] = assay_random_below(&random, rarity)
                          ? (char)(0x20 + assay_random_below(&random, 2))
                          : special[assay_random_below(&random, sizeof special - 1)];
        for (size_t k = 0; k < 2; k++) {
            if (turn % 10 == 0) check_masks(scans[k], text + from);
            assert_int_equal(scans[k]->plain_run(text + from, length),
                             obvious_run(text + from, length));
            check_copy(scans[k], text + from, length);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_takes_no_memory_for_long_members),
        cmocka_unit_test(what_comes_after_something_passed_over_is_unchanged),
        cmocka_unit_test(skipping_stops_where_no_value_comes),
        cmocka_unit_test(faults_of_balance_are_found_in_what_is_passed_over),
        cmocka_unit_test(a_string_over_one_gibibyte_is_refused),
        cmocka_unit_test(the_scans_find_what_an_obvious_loop_finds),
    };
    return cmocka_run_group_tests_name("json pass", tests, NULL, NULL);
}
