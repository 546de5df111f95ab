/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include <cmocka.h>

#include "reading.h"

static void test_json_rows_have_the_same_columns(void **state)
{
    assay_results *results =
        read_text("{\"id\": 7, \"model\": \"m\", \"score\": true, \"x\": {\"score\": [1, {}]}}\n"
                  "{\"score\": \"90.18%\", \"id\": \"8\", \"model\": \"m\"}"
                  "{\"model\": \"m\", \"id\": 123456789012345678901234567890, \"score\": null}\n"
                  "{\"model\": \"m\", \"id\": 9}\n",
                  NULL);

    (void)state;
    assert_true(score_of(results, "m", "", "", "7") == 1.0);
    assert_true(score_of(results, "m", "", "", "8") == 0.9018);
    assert_true(isnan(score_of(results, "m", "", "", "123456789012345678901234567890")));
    assert_true(isnan(score_of(results, "m", "", "", "9")));
    assert_string_equal(assay_results_note(results, 0),
                        "t.csv: JSON rows; model = \"model\", item = \"id\", score = "
                        "\"score\"; other keys ignored: x");
    assay_results_free(results);
    results = read_text(" [{\"id\":1,\"acc\":0.5},\n{\"id\":2,\"acc\":NaN}]", NULL);
    assert_true(score_of(results, "t.csv", "", "", "1") == 0.5);
    assert_true(isnan(score_of(results, "t.csv", "", "", "2")));
    assay_results_free(results);
}

static void test_the_first_row_decides_which_keys_serve(void **state)
{
    assay_results *results = read_text("{\"id\":1,\"acc\":1,\"prompt\":\"p\",\"question\":\"q\"}"
                                       "{\"item\":9,\"id\":2,\"score\":1,\"acc\":0}\n",
                                       NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "t.csv", "", "", "2") == 0.0);
    assert_string_equal(assay_results_item_text(results, 0), "p");
    assay_results_free(results);
    results = read_text("{\"id\":1,\"acc\":1,\"question\":\"q\",\"prompt\":\"p\"}", NULL);
    assert_string_equal(assay_results_item_text(results, 0), "p"); /* the more usual name */
    assay_results_free(results);
}

static void test_dotted_names_reach_within_json_objects(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.score = "scores.exact_match";
    options.item = "a.b.c";
    results = read_text("{\"scores\": {\"f1\": 3, \"exact_match\": 1}, \"a\": {\"x\": [{}], \"b\": "
                        "{\"c\": \"q\"}}, \"score\": 5}\n"
                        "{\"scores.exact_match\": 0, \"a.b.c\": \"r\"}\n"
                        "{\"scores\": null, \"a\": {\"b.c\": \"s\"}}\n",
                        &options);
    assert_true(score_of(results, "t.csv", "", "", "q") == 1.0);
    assert_true(score_of(results, "t.csv", "", "", "r") == 0.0);
    assert_true(isnan(score_of(results, "t.csv", "", "", "s")));
    assay_results_free(results);
    options.item = "a";
    assert_fails("{\"a\":1,\"scores\":{\"f1\":1}}", &options, ASSAY_E_VALUE,
                 "f.csv: no key \"scores.exact_match\" (--score); there are: a, "
                 "scores");
}

static void test_a_cut_tail_keeps_the_rows_before(void **state)
{
    const char *text = "{\"id\":1,\"acc\":1}\n{\"id\":2,\"acc\":0}\n{\"id\":3,\"ac";
    assay_results *results = read_text(text, NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_true(assay_results_damaged(results));
    assert_true(has_note(results, "t.csv:3: cut short; the 2 rows before were read"));
    assay_results_free(results);
    results = read_text("[{\"id\":1,\"acc\":1},{\"id\":2,\"acc\":0},", NULL);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_true(assay_results_damaged(results));
    assay_results_free(results);
    results = read_text("{\"id\":1,\"acc\":1}", NULL);
    assert_false(assay_results_damaged(results));
    assay_results_free(results);
}

/* How many whole lines zlib itself gets out of the first cut bytes; back: all that it gets out. */
static size_t lines_within(const char *packed, size_t cut, char *back)
{
    z_stream z = { 0 };
    size_t n = 0;

    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)packed;
    z.avail_in = (uInt)cut;
    z.next_out = (unsigned char *)back;
    z.avail_out = 1 << 16;
    assert_int_equal(inflate(&z, Z_SYNC_FLUSH), Z_OK);
    back[z.total_out] = '\0';
    inflateEnd(&z);
    for (const char *p = back; (p = strchr(p, '\n')) != NULL; p++) n++;
    return n;
}

/* A compressed log whose writer was stopped is as good as far as it goes: to the last row of which
   every byte came out. */
static void test_a_cut_gzip_of_json_rows_keeps_the_rows_before(void **state)
{
    enum { ROWS = 2000, ROOM = ROWS * 40 };
    char *text = malloc(ROOM), *packed = malloc(ROOM);
    z_stream z = { 0 };
    assay_results *results;
    char *back = malloc(ROOM);
    size_t n = 0;

    (void)state;
    assert_non_null(text);
    assert_non_null(packed);
    assert_non_null(back);
    for (int k = 0; k < ROWS; k++)
        n += (size_t)sprintf(text + n, "{\"id\":%d,\"score\":%d}\n", k * 7919 % 10007, k % 2);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)text;
    z.avail_in = (uInt)n;
    z.next_out = (unsigned char *)packed;
    z.avail_out = ROOM;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    for (size_t cut = z.total_out / 2; cut < z.total_out / 2 + 40; cut++) {
        char note[64];
        size_t whole = lines_within(packed, cut, back);

        results = read_ok(write_bytes("cut.jsonl.gz", packed, cut), NULL);
        assert_in_range(whole, ROWS / 4, 3 * ROWS / 4);
        assert_in_range(assay_results_coverage(results).used, whole, whole + 1);
        assert_true(assay_results_coverage(results).used == whole || back[strlen(back) - 1] == '}');
        assert_int_equal(assay_results_coverage(results).rows,
                         assay_results_coverage(results).used);
        assert_true(assay_results_damaged(results));
        snprintf(note, sizeof note, "cut short; the %zu rows before were read",
                 (size_t)assay_results_coverage(results).rows);
        assert_true(has_note(results, note));
        assay_results_free(results);
        empty_folder(NULL);
    }
    deflateEnd(&z);
    free(back);
    free(text);
    free(packed);
}

/* Rows that two options cannot share, and rows of which an option takes a usual name away. */
static void test_a_key_given_to_a_role_is_no_candidate_for_another(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.item = "prompt_id";
    assert_fails("{\"prompt_id\":1,\"prompt_template\":\"p\",\"variant\":\"v\",\"score\":1}",
                 &options, ASSAY_E_FORMAT,
                 "f.csv:1: columns prompt_template and variant could both be the template: choose "
                 "with --template");
    options.item = NULL;
    options.model = "trial";
    options.template_column = "seed";
    results = read_text("{\"id\":1,\"trial\":\"m\",\"seed\":\"s\",\"score\":1}", &options);
    assert_true(score_of(results, "m", "s", "", "1") == 1.0);
    assay_results_free(results);
    options.item = "trial";
    assert_fails("{\"trial\":1,\"score\":1}", &options, ASSAY_E_VALUE,
                 "--model and --item both name \"trial\", expected a column each");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_json_rows_have_the_same_columns, empty_folder),
        cmocka_unit_test_teardown(test_the_first_row_decides_which_keys_serve, empty_folder),
        cmocka_unit_test_teardown(test_dotted_names_reach_within_json_objects, empty_folder),
        cmocka_unit_test_teardown(test_a_cut_tail_keeps_the_rows_before, empty_folder),
        cmocka_unit_test_teardown(test_a_cut_gzip_of_json_rows_keeps_the_rows_before, empty_folder),
        cmocka_unit_test_teardown(test_a_key_given_to_a_role_is_no_candidate_for_another,
                                  empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
