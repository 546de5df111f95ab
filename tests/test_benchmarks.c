/* SPDX-License-Identifier: Apache-2.0 */
/* Which benchmarks a path holds, what they are called, and lists of columns that only some have. */
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/benchmarks.h"
#include "reading.h"

#include <sys/stat.h>

static void a_file_is_one_whether_it_is_there_or_not(void **state)
{
    static const char *const paths[] = { "nowhere.csv", "-", "here.txt" };

    (void)state;
    write_text("here.txt", "model,q\n");
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        assay_benchmarks *list;

        assert_int_equal(assay_benchmarks_list(paths[k], &list), ASSAY_OK);
        assert_int_equal(assay_benchmarks_n(list), 1);
        assert_string_equal(assay_benchmarks_path(list, 0), paths[k]);
        assert_int_equal(assay_benchmarks_is_folder(list), 0);
        assay_benchmarks_free(list);
    }
}

/* Made before each test that needs them: files and folders of a folder. */
static void make_folder(void)
{
    mkdir("boards", 0777);
    mkdir("boards/parts", 0777);
    mkdir("boards/.hidden", 0777);
    write_text("boards/z.csv.gz", "");
    write_text("boards/a.TSV", "");
    write_text("boards/README.txt", "");
    write_text("boards/.b.csv", "");
    write_text("boards/parts/deep.csv", "");
    assert_int_equal(symlink("parts", "boards/linked"), 0);
}

static void remove_folder(void)
{
    empty_folder(NULL);
    unlink("boards/linked");
    rmdir("boards/.hidden");
    rmdir("boards/parts");
    assert_int_equal(rmdir("boards"), 0);
}

static void a_folder_has_its_files_and_sub_folders(void **state)
{
    assay_benchmarks *list;

    (void)state;
    make_folder();
    assert_int_equal(assay_benchmarks_list("boards/", &list), ASSAY_OK);
    assert_int_equal(assay_benchmarks_is_folder(list), 1);
    assert_int_equal(assay_benchmarks_n(list), 3);
    assert_string_equal(assay_benchmarks_path(list, 0), "boards/a.TSV");
    assert_string_equal(assay_benchmarks_path(list, 1), "boards/parts");
    assert_string_equal(assay_benchmarks_path(list, 2), "boards/z.csv.gz");
    assay_benchmarks_free(list);
    remove_folder();
}

static void what_has_nothing_is_refused(void **state)
{
    assay_benchmarks *list;

    (void)state;
    assert_int_equal(mkdir("bare", 0777), 0);
    assert_int_equal(assay_benchmarks_list("bare", &list), ASSAY_E_READ);
    assert_null(list);
    assert_string_equal(
        assay_last_error(),
        "bare: no readable files, expected .csv, .tsv, .json, .jsonl, .ndjson, .eval, "
        ".npy, .npz or .parquet");
    assert_int_equal(rmdir("bare"), 0);
    assert_int_equal(assay_benchmarks_list("", &list), ASSAY_E_VALUE);
    assert_int_equal(assay_benchmarks_list(NULL, &list), ASSAY_E_VALUE);
    assay_benchmarks_free(NULL);
}

static assay_status list_boards(void *unused)
{
    assay_benchmarks *list;
    assay_status status = assay_benchmarks_list("boards", &list);

    (void)unused;
    if (status != ASSAY_OK) assert_null(list);
    assay_benchmarks_free(list);
    return status;
}

static assay_status list_file(void *unused)
{
    assay_benchmarks *list;
    assay_status status = assay_benchmarks_list("x.csv", &list);

    (void)unused;
    assay_benchmarks_free(list);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    make_folder();
    assert_true(fail_every_allocation(list_boards, NULL) >= 4);
    remove_folder();
    assert_int_equal(fail_every_allocation(list_file, NULL), 2);
}

static void names_lose_folders_and_endings(void **state)
{
    static const struct {
        const char *path;
        size_t folders;
        const char *name;
    } cases[] = {
        { "swe.csv", 0, "swe" },
        { "boards/swe.csv.gz", 0, "swe" },
        { "boards/swe.v2.JSONL.zst", 0, "swe.v2" },
        { "boards/mmlu", 0, "mmlu" },
        { "/boards//mmlu//", 0, "mmlu" },
        { "/boards/mmlu.csv/", 0, "mmlu.csv" }, /* a folder */
        { "notes.txt", 0, "notes.txt" },
        { ".csv", 0, ".csv" },
        { "/", 0, "/" },
        { "-", 0, "standard input" },
        { "-", 2, "standard input" },
        { "a/b/swe.csv", 1, "b/swe" },
        { "a/b//swe.csv", 1, "b//swe" },
        { "a/b/swe.csv", 2, "a/b/swe" },
        { "a/b/swe.csv", 9, "a/b/swe" },
        { "/a.csv", 1, "/a" },
    };
    char name[64], small[4];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(
            assay_benchmark_name(cases[k].path, cases[k].folders, name, sizeof name),
            cases[k].name);
    assert_string_equal(assay_benchmark_name("boards/long.csv", 0, small, sizeof small), "lon");
}

/* ---- columns that only some tables have ---- */

static uint64_t met_by(const char *text, const char *drop, assay_rows rows, size_t n_items)
{
    assay_read_options options = defaults();
    uint64_t met = 0;
    assay_results *results;

    options.drop = drop;
    options.drop_met = &met;
    options.rows = rows;
    results = read_text(text, &options);
    assert_int_equal(assay_results_n_items(results), n_items);
    assay_results_free(results);
    return met;
}

static void what_a_table_lacks_need_not_be_there(void **state)
{
    static const char drop[] = "average,\"size, b\",year";
    static const char wide[] = "model,average,q1,Year\nx,3,1,7\n";

    (void)state;
    assert_int_equal(met_by(wide, drop, ASSAY_ROWS_AUTO, 1), 5); /* Year is nearly year */
    assert_int_equal(met_by("item,x\naverage,3\nq1,1\n", drop, ASSAY_ROWS_ITEMS, 1), 1);
    assert_int_equal(met_by("model,q1\nx,1\n", drop, ASSAY_ROWS_AUTO, 1), 0);
    assert_int_equal(met_by("model,item,score\nx,q1,1\n", drop, ASSAY_ROWS_AUTO, 1), 0);
    assert_int_equal(
        met_by("{\"model\":\"x\",\"item\":\"q\",\"score\":1}\n", drop, ASSAY_ROWS_AUTO, 1), 0);
    assert_int_equal(assay_read_drop_check(drop, 7), ASSAY_OK);
    assert_int_equal(assay_read_drop_check(NULL, 0), ASSAY_OK);
    assert_int_equal(assay_read_drop_check(drop, 5), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "\"size, b\" (--drop) is an item of none of the tables");
    assert_int_equal(assay_read_drop_check("a,\"b", 3), ASSAY_E_VALUE);
}

/* Two columns that could be meant are a fault wherever the list comes from. */
static void what_could_be_two_columns_is_still_refused(void **state)
{
    assay_read_options options = defaults();
    uint64_t met = 0;

    (void)state;
    options.drop = "PARAMS";
    options.drop_met = &met;
    assert_fails("model,params,Params,q\nx,1,2,1\n", &options, ASSAY_E_VALUE,
                 "f.csv: \"PARAMS\" (--drop) could be each of: params, Params");
}

/* Only the first 64 names have a bit; a longer list is no fault. */
static void names_beyond_the_bits_are_not_told(void **state)
{
    char drop[400] = "c0", header[400] = "model,q,c0,c70\nx,1,2,3\n";

    (void)state;
    for (int k = 1; k <= 70; k++) sprintf(drop + strlen(drop), ",c%d", k);
    assert_int_equal(met_by(header, drop, ASSAY_ROWS_AUTO, 1), 1);
    assert_int_equal(assay_read_drop_check(drop, UINT64_MAX), ASSAY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_file_is_one_whether_it_is_there_or_not, empty_folder),
        cmocka_unit_test(a_folder_has_its_files_and_sub_folders),
        cmocka_unit_test(what_has_nothing_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(names_lose_folders_and_endings),
        cmocka_unit_test_teardown(what_a_table_lacks_need_not_be_there, empty_folder),
        cmocka_unit_test_teardown(what_could_be_two_columns_is_still_refused, empty_folder),
        cmocka_unit_test_teardown(names_beyond_the_bits_are_not_told, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
