/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged and hostile input, of plain rows and of tools' logs: rows are kept that are whole, or one line
   says what is wrong and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

/* Rows with U+0085, U+2028 and U+2029 as they are, in names and texts. */
static void t27_only_line_feeds_end_lines(void **state)
{
    char text[16384];
    size_t n = 0;
    assay_results *results;

    (void)state;
    for (int k = 0; k < 82; k++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"item\":\"i%d\xc2\x85\",\"text\":\"a\xe2\x80\xa8 b\xe2\x80\xa9 "
                              "c\",\"score\":%d}\n",
                              k, k % 2);
    results = read_text(text, NULL);
    assert_int_equal(assay_results_coverage(results).used, 82);
    assert_int_equal(assay_results_n_items(results), 82);
    assert_string_equal(assay_results_item_text(results, 0), "a\xe2\x80\xa8 b\xe2\x80\xa9 c");
    assay_results_free(results);
    results = read_text("item,score\na\xc2\x85,1\nb\xe2\x80\xa8,0\n", NULL);
    assert_int_equal(assay_results_n_items(results), 2);
    assay_results_free(results);
}

/* Wherever the last row is cut, the rows before it stay. */
static void t28_rows_before_the_cut_stay(void **state)
{
    static const char text[] =
        "{\"item\":\"a\",\"score\":1}\n{\"item\":\"b\",\"score\":0,\"t\":[1]}";

    (void)state;
    for (size_t length = strlen("{\"item\":\"a\",\"score\":1}\n") + 1; length < sizeof text - 1;
         length++) {
        char part[128];
        assay_results *results;

        memcpy(part, text, length);
        part[length] = '\0';
        results = read_text(part, NULL);
        assert_int_equal(assay_results_coverage(results).used, 1);
        assert_true(assay_results_damaged(results));
        assert_true(has_note(results, "t.csv:2: cut short; the 1 rows before were read"));
        assay_results_free(results);
    }
}

static void t28_a_first_row_that_is_cut_is_an_error(void **state)
{
    assay_results *results = NULL;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text("f", "{\"item\":\"a\",\"sco"), NULL),
                     ASSAY_E_FORMAT);
    assert_memory_equal(assay_last_error(), "f:1:", 4);
    assay_results_free(results);
}

static void t29_objects_on_one_line_are_rows(void **state)
{
    static const char *const texts[] = {
        "{\"item\":\"a\",\"score\":1}{\"item\":\"b\",\"score\":0}",
        "[{\"item\":\"a\",\"score\":1},\n{\"item\":\"b\",\"score\":0}]",
        "[{\"item\":\"a\",\"score\":1}][{\"item\":\"b\",\"score\":0}]",
        "{\n\"item\":\"a\",\n\"score\":1\n}\n\n{\"item\":\"b\",\"score\":0}\n",
    };

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        assay_results *results = read_text(texts[k], NULL);

        assert_int_equal(assay_results_coverage(results).used, 2);
        assay_results_free(results);
    }
}

static void t69_keys_that_stand_twice_are_an_error(void **state)
{
    (void)state;
    assert_fails("{\"item\":\"a\",\"score\":1}\n{\"item\":\"b\",\"score\":1,\"score\":0}\n", NULL,
                 ASSAY_E_FORMAT,
                 "f.csv:2: the key \"score\" stands twice in one object, expected once");
    assert_fails("{\"item\":\"a\",\"item\":\"b\",\"score\":1}\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:1: the key \"item\" stands twice in one object, expected once");
    assert_fails("{\"testIdx\":0,\"promptIdx\":0,\"provider\":\"p\",\"score\":1,\"score\":0}\n",
                 NULL, ASSAY_E_FORMAT,
                 "f.csv:1: the key \"score\" stands twice in one object, expected once");
}

static void t69_a_more_usual_text_still_serves(void **state)
{
    assay_results *results =
        read_text("{\"item\":\"a\",\"prompt\":\"P\",\"text\":\"T\",\"score\":1}\n", NULL);

    (void)state;
    assert_string_equal(assay_results_item_text(results, 0), "T");
    assay_results_free(results);
}

static void t69_nesting_is_bounded(void **state)
{
    static const char *const begins[] = {
        "{\"item\":\"a\",\"score\":1,\"x\":",
        "{\"testIdx\":0,\"promptIdx\":0,\"provider\":0,\"vars\":{\"q\":",
        "[{\"instance_id\":\"a\",\"stats\":[{\"name\":{\"name\":\"m\"},\"x\":",
        "{\"testRunData\":{\"testCases\":[{\"turns\":",
        "{\"spec\":{\"eval_name\":\"e\",\"run_config\":",
    };
    const size_t depth = 12000;

    (void)state;
    for (size_t k = 0; k < sizeof begins / sizeof begins[0]; k++) {
        size_t length = strlen(begins[k]);
        char *text = malloc(length + depth);
        const char *path;
        assay_results *results = NULL;

        assert_non_null(text);
        memcpy(text, begins[k], length);
        memset(text + length, '[', depth);
        path = write_bytes("f", text, length + depth);
        free(text);
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
        assert_memory_equal(assay_last_error(), "f:1:", 4);
        assert_non_null(strstr(assay_last_error(), "1000"));
        assay_results_free(results);
        empty_folder(NULL);
    }
}

static void t69_a_byte_order_mark_is_accepted(void **state)
{
    static const char *const texts[] = {
        "\xef\xbb\xbfitem,score\na,1\n",
        "\xef\xbb\xbf{\"item\":\"a\",\"score\":1}\n",
        "\xef\xbb\xbf[{\"item\":\"a\",\"score\":1}]",
        "\xef\xbb\xbf{\"testIdx\":0,\"promptIdx\":0,\"provider\":\"p\",\"score\":1}\n",
        "\xef\xbb\xbf[{\"instance_id\":\"a\",\"stats\":[{\"name\":{\"name\":\"m\"},\"mean\":1}]}]",
        "\xef\xbb\xbfq,[A] P,Status,Score,Named Scores,Grader Reason,Comment\none,x,PASS,1,,,\n",
    };

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        assay_results *results = read_text(texts[k], NULL);

        assert_int_equal(assay_results_coverage(results).used, 1);
        assay_results_free(results);
    }
}

/* Two names that differ in such a byte alone must not become one. */
static void t69_names_that_are_not_utf8_are_an_error(void **state)
{
    (void)state;
    assert_fails("item,score\na,1\ncaf\xe9,1\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:3: the item \"caf\\xe9\" is not UTF-8, expected UTF-8");
    assert_fails("{\"item\":\"a\",\"score\":1}\n{\"item\":\"caf\xe9\",\"score\":1}\n", NULL,
                 ASSAY_E_FORMAT,
                 "f.csv:2: the item \"caf\xef\xbf\xbd\" is not UTF-8, expected UTF-8");
}

/* T26: the half of a surrogate pair, as an escape, is what a log cut at a character count has. */
static void t69_texts_that_are_not_utf8_are_mended(void **state)
{
    assay_results *results =
        read_text("{\"item\":\"a\",\"text\":\"caf\xe9 \\ud835\",\"score\":1}\n", NULL);

    (void)state;
    assert_string_equal(assay_results_item_text(results, 0), "caf\xef\xbf\xbd \xef\xbf\xbd");
    assay_results_free(results);
}

static void t69_faults_of_tables_are_told_with_their_place(void **state)
{
    (void)state;
    assert_fails("item,score,score\na,1,1\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:1: columns 2 and 3 are both called \"score\"");
    assert_fails("item,score\na,1\n\"b,1\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:3: a quote opens here and is not closed");
    assert_fails("item,score\na,1\n ,1\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:3: the item is blank, expected a name");
    assert_fails("{\"item\":\"\",\"score\":1}\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:1: the item is blank, expected a name");
    assert_fails("{\"item\":null,\"score\":1}\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:1: the item is blank, expected a name");
    assert_fails("[{\"instance_id\":\"\",\"stats\":[{\"name\":{\"name\":\"m\"},\"mean\":1}]}]",
                 NULL, ASSAY_E_FORMAT, "f.csv:1: the instance_id is blank, expected a name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t27_only_line_feeds_end_lines, empty_folder),
        cmocka_unit_test_teardown(t28_rows_before_the_cut_stay, empty_folder),
        cmocka_unit_test_teardown(t28_a_first_row_that_is_cut_is_an_error, empty_folder),
        cmocka_unit_test_teardown(t29_objects_on_one_line_are_rows, empty_folder),
        cmocka_unit_test_teardown(t69_keys_that_stand_twice_are_an_error, empty_folder),
        cmocka_unit_test_teardown(t69_a_more_usual_text_still_serves, empty_folder),
        cmocka_unit_test_teardown(t69_nesting_is_bounded, empty_folder),
        cmocka_unit_test_teardown(t69_a_byte_order_mark_is_accepted, empty_folder),
        cmocka_unit_test_teardown(t69_names_that_are_not_utf8_are_an_error, empty_folder),
        cmocka_unit_test_teardown(t69_texts_that_are_not_utf8_are_mended, empty_folder),
        cmocka_unit_test_teardown(t69_faults_of_tables_are_told_with_their_place, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
