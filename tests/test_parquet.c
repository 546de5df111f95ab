/* SPDX-License-Identifier: Apache-2.0 */
#include "read/parquet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "parquet_writer.h"
#include "samples.h"

static void fails(const char *path, const assay_read_options *options, assay_status status,
                  const char *sentence)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, options), status);
    assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
}

/* ---- without the library ---- */

static char own[512]; /* what ASSAY_DUCKDB was */

static void name_library(const char *path)
{
    const char *now = getenv("ASSAY_DUCKDB");

    snprintf(own, sizeof own, "%s", now ? now : "");
    assert_int_equal(setenv("ASSAY_DUCKDB", path, 1), 0);
}

static void forget_library(void)
{
    if (own[0])
        setenv("ASSAY_DUCKDB", own, 1);
    else
        unsetenv("ASSAY_DUCKDB");
}

static void without_the_library_a_line_says_what_to_do(void **state)
{
    (void)state;
    name_library("/nowhere/libduckdb.so");
    fails(write_text("a.parquet", "PAR1....PAR1"), NULL, ASSAY_E_FORMAT,
          "a.parquet: a Parquet file, and \"/nowhere/libduckdb.so\" (ASSAY_DUCKDB) is no library "
          "that loads, expected libduckdb.so; give another, or write the file as CSV: duckdb -c "
          "\"copy (from 'x.parquet') to 'x.csv'\"");
    forget_library();
}

/* In a folder it is said before what is left out in any case. */
static void a_folder_of_nothing_else_says_it_too(void **state)
{
    static const char start[] =
        "logs: none of its files holds results: logs/a.parquet: a Parquet file, and "
        "\"/nowhere/libduckdb.so\" (ASSAY_DUCKDB) is no library that loads";
    assay_results *results = NULL;

    (void)state;
    name_library("/nowhere/libduckdb.so");
    write_log("logs/a.parquet", "PAR1....PAR1");
    write_log("logs/b.csv", "item,score\n");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, "logs", NULL), ASSAY_E_READ);
    assert_memory_equal(assay_last_error(), start, sizeof start - 1);
    assay_results_free(results);
    write_log("logs/c.csv", "item,score\na,1\n");
    results = read_ok("logs", NULL);
    assert_true(has_note(results, "left out: logs/a.parquet: a Parquet file, and"));
    assay_results_free(results);
    forget_library();
}

static void another_library_is_none(void **state)
{
    (void)state;
    name_library("libm.so.6");
    fails(write_text("a.parquet", "PAR1....PAR1"), NULL, ASSAY_E_FORMAT,
          "a.parquet: a Parquet file, and the library that is there for it has no "
          "duckdb_create_config, expected libduckdb 1.2 or later; give another by "
          "ASSAY_DUCKDB=/path/libduckdb.so, or write the file as CSV: duckdb -c \"copy (from "
          "'x.parquet') to 'x.csv'\"");
    forget_library();
}

static void what_cannot_be_read_from_its_end_is_refused(void **state)
{
    static const char packed[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03\x0bp\x0c\x32\x04\0\xae\x42\xb6\x9c"
                                 "\x04\0\0\0";
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    write_bytes("a.gz", packed, sizeof packed - 1);
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_true(assay_read(results, "a.gz", NULL) != ASSAY_OK);
    assay_results_free(results);
    options.format = ASSAY_FORMAT_PARQUET;
    fails(write_text("a.csv", "item,score\na,1\n"), &options, ASSAY_E_FORMAT,
          "a.csv: is no Parquet file, expected one");
    options.format = ASSAY_FORMAT_CSV;
    fails(
        write_text("a.parquet", "PAR1"), &options, ASSAY_E_FORMAT,
        "a.parquet: a Parquet file, expected a table of text; DuckDB writes it as one: copy (from "
        "'x.parquet') to 'x.csv'");
}

/* ---- with it ---- */

static void a_wide_table_is_what_it_is_in_csv(void **state)
{
    assay_results *results;

    (void)state;
    if (!has_duckdb()) skip();
    results =
        read_ok(write_parquet("w.parquet", "select 'a' model, 1 q1, true q2, 0.25::decimal(4,"
                                           "2) \"q,\"\"3\" union all select ' b', 0, NULL, 2"),
                NULL);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_true(score_of(results, "a", "", "", "q2") == 1.0);
    assert_true(score_of(results, "a", "", "", "q,\"3") == 0.25);
    assert_true(isnan(score_of(results, " b", "", "", "q2")));
    assert_coverage(results, 5, 1, 0, 0);
    assert_true(assay_results_is_wide(results));
    assay_results_free(results);
}

/* Rows are counted, however many lines their texts have. */
static void what_is_nested_has_a_dotted_name(void **state)
{
    static const char query[] =
        "select 'a' item, {'acc': 1.5, 'n': {'x': 2}} metric, ['t'] tags, 'two\nlines' \"text\" "
        "union all select 'b', {'acc': NULL, 'n': {'x': 3}}, NULL, 'a \"quote\"' "
        "union all select 'c', {'acc': 0.25, 'n': {'x': 3}}, NULL, '' "
        "union all select '', NULL, NULL, NULL";
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    if (!has_duckdb()) skip();
    write_parquet("n.parquet", query);
    options.score = "metric.acc";
    fails("n.parquet", &options, ASSAY_E_FORMAT, "n.parquet:4: the item is blank, expected a name");
    n_written--;
    write_parquet("n.parquet", "select * from (select unnest(['a', 'b']) item, {'acc': 0.5, 'n': "
                               "{'x': 2}} metric, 'two\nlines' \"text\")");
    results = read_ok("n.parquet", &options);
    assert_true(score_of(results, "n.parquet", "", "", "a") == 0.5);
    assert_string_equal(text_of(results, "a"), "two\nlines");
    assay_results_free(results);
    options.score = "metric.n.x";
    results = read_ok("n.parquet", &options);
    assert_true(score_of(results, "n.parquet", "", "", "b") == 2.0);
    assay_results_free(results);
    options.score = "metric.f1";
    fails("n.parquet", &options, ASSAY_E_VALUE,
          "n.parquet: no column and no key \"metric.f1\" (--score); there are: item, metric, text");
    options.score = NULL;
    options.metric = "acc";
    fails(
        "n.parquet", &options, ASSAY_E_FORMAT,
        "n.parquet: is no tool's log, of whose scores --metric names one; --score names a column");
}

/* Neither a pattern, nor a quote, nor a folder "a=b" is more than a name. */
static void any_path_is_one_file(void **state)
{
    assay_results *results;

    (void)state;
    if (!has_duckdb()) skip();
    assert_int_equal(mkdir("k=v[1]*?", 0777), 0);
    write_parquet("k=v[1]*?/it''s.parquet", "select 'a' item, 1 score");
    snprintf(written[n_written - 1], PATH_SIZE, "k=v[1]*?/it's.parquet");
    write_parquet("other.parquet", "select 'b' item, 1 score");
    results = read_ok("k=v[1]*?/it's.parquet", NULL);
    assert_int_equal(assay_results_n_items(results), 1);
    assert_int_equal(assay_results_n_models(results), 1);
    assay_results_free(results);
    results = NULL;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, "*.parquet", NULL), ASSAY_E_READ);
    assay_results_free(results);
}

static void damaged_files_end_in_words(void **state)
{
    char bytes[4096];
    size_t length;
    FILE *from;

    (void)state;
    if (!has_duckdb()) skip();
    write_parquet("d.parquet", "select i::varchar item, i % 2 score from range(40) t(i)");
    assert_true(fail_every_allocation(read_and_free, "d.parquet") > 20);
    from = fopen("d.parquet", "rb");
    assert_non_null(from);
    length = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    assert_in_range(length, 100, sizeof bytes - 1);
    for (size_t k = 4; k < length; k += 7) {
        assay_results *results = NULL;
        const char kept = bytes[k];

        bytes[k] = (char)(kept ^ 0x15);
        write_bytes("d.parquet", bytes, k % 2 ? k : length);
        n_written--;
        bytes[k] = kept;
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        if (assay_read(results, "d.parquet", NULL) != ASSAY_OK)
            assert_true(strlen(assay_last_error()) > 10);
        assay_results_free(results);
    }
}

/* ---- real files ---- */

static void samples_are_the_csv_they_were_made_of(void **state)
{
    static const char *const names[] = { "matrix/swebench_verified_top12_long.snappy.parquet",
                                         "matrix/swebench_verified_top12_long.zstd.parquet" };
    char csv[512], path[512];

    (void)state;
    if (!find_sample("matrix/swebench_verified_top12_long.csv", csv) || !has_duckdb()) skip();
    for (size_t k = 0; k < 2; k++) {
        assay_results *results = read_ok(csv, NULL);

        assert_true(find_sample(names[k], path));
        assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
        assert_int_equal(assay_results_coverage(results).duplicate, 6000);
        assert_int_equal(assay_results_n_records(results), 12);
        assert_int_equal(assay_results_n_items(results), 500);
        assay_results_free(results);
        results = read_ok(path, NULL);
        assert_coverage(results, 6000, 0, 0, 0);
        assert_string_equal(cluster_of(results, "astropy__astropy-12907"), "astropy");
        assay_results_free(results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(without_the_library_a_line_says_what_to_do, empty_folder),
        cmocka_unit_test_teardown(a_folder_of_nothing_else_says_it_too, empty_log_folder),
        cmocka_unit_test_teardown(another_library_is_none, empty_folder),
        cmocka_unit_test_teardown(what_cannot_be_read_from_its_end_is_refused, empty_folder),
        cmocka_unit_test_teardown(a_wide_table_is_what_it_is_in_csv, empty_folder),
        cmocka_unit_test_teardown(what_is_nested_has_a_dotted_name, empty_folder),
        cmocka_unit_test_teardown(any_path_is_one_file, empty_log_folder),
        cmocka_unit_test_teardown(damaged_files_end_in_words, empty_folder),
        cmocka_unit_test(samples_are_the_csv_they_were_made_of),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
