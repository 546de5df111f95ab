/* SPDX-License-Identifier: Apache-2.0 */
/* Folders, several inputs, progress, and memory that runs out. */
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "reading.h"

/* ---- several inputs ---- */

static void test_a_folder_is_read_in_the_order_of_names(void **state)
{
    assay_results *results;

    (void)state;
    write_text("b.csv", "item,score,model\nq,1,mb\n");
    write_text("a.JSONL", "{\"item\":\"q\",\"score\":0,\"model\":\"ma\"}\n");
    write_text("c.csv", "item,score,model\nq,0,mc\n");
    write_text("notes.txt", "not this\n");
    write_text(".hidden.csv", "nor this\n");
    results = read_ok(".", NULL);
    assert_int_equal(assay_results_n_models(results), 3);
    assert_string_equal(assay_results_model(results, 0), "ma");
    assert_string_equal(assay_results_model(results, 2), "mc");
    assert_int_equal(assay_results_n_inputs(results), 3);
    assert_string_equal(assay_results_input(results, 1).path, "./b.csv");
    assert_true(has_note(results, "left out, no log by its name: ./notes.txt"));
    assert_true(has_note(results, "left out, hidden: ./.hidden.csv"));
    assert_true(has_note(results, ".: 3 files read, 2 left out"));
    assert_int_equal(assay_results_n_notes(results), 5); /* c.csv has the columns of b.csv */
    assay_results_free(results);
}

static void test_folders_below_are_read_but_not_through_links(void **state)
{
    assay_results *results;

    (void)state;
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(symlink(".", "sub/again"), 0);
    write_text("sub/x.tsv", "item\tscore\nq\t1\n");
    results = read_ok(".", NULL);
    assert_int_equal(assay_results_n_inputs(results), 1);
    assay_results_free(results);
    empty_folder(NULL);
    assert_int_equal(unlink("sub/again"), 0);
    assert_int_equal(rmdir("sub"), 0);
}

static void test_an_empty_folder_says_what_it_lacks(void **state)
{
    assay_results *results = NULL;

    (void)state;
    write_text("a.txt", "x");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, ".", NULL), ASSAY_E_READ);
    assert_string_equal(assay_last_error(),
                        ".: no readable files, expected .csv, .tsv, .json, .jsonl, .ndjson, .eval, "
                        ".npy, .npz or .parquet");
    assay_results_free(results);
}

static void test_the_same_content_twice_counts_once(void **state)
{
    const char *text = "model,item,score\nm,q,1\nm,r,0\nm,s,\n", *a = write_text("a.csv", text),
               *b = write_text("b.csv", text);
    assay_read_options options = defaults();
    assay_results *results = read_ok(a, NULL);

    (void)state;
    assert_int_equal(assay_read(results, b, NULL), ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_int_equal(assay_results_coverage(results).duplicate, 3);
    assert_int_equal(assay_results_coverage(results).missing, 1);
    assert_true(has_note(results, "b.csv: the same content as a.csv; counted once"));
    assay_results_free(results);
    options.repeats = 1;
    results = read_ok(a, &options);
    assert_int_equal(assay_read(results, b, &options), ASSAY_E_CONFLICT);
    assay_results_free(results);
}

/* promptfoo takes any JSON lines for rows of one, and would find no score in these. */
static void test_a_format_that_gives_no_score_is_refused(void **state)
{
    const char *path = write_text("r.jsonl", "{\"item\":\"a\",\"value\":1}\n");
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.format = ASSAY_FORMAT_PROMPTFOO;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, &options), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "r.jsonl: not one score was found; read as an output "
                                            "of promptfoo, as --format says");
    options.format = ASSAY_FORMAT_NPY;
    assert_int_equal(assay_read(results, path, &options), ASSAY_E_FORMAT);
    assert_string_equal(
        assay_last_error(),
        "r.jsonl: not a NumPy array, expected one; read as a matrix of scores, as --format says");
    options.format = ASSAY_FORMAT_AUTO;
    options.filter = "strict";
    assert_int_equal(assay_read(results, path, &options), ASSAY_E_FORMAT);
    assay_results_free(results);
}

/* ---- progress ---- */

typedef struct watch {
    int calls, stop_at;
    double latest;
} watch;

static int step(void *user, const char *stage, double fraction)
{
    watch *w = user;

    assert_string_equal(stage, "reading");
    assert_true(fraction >= w->latest && fraction <= 1.0);
    w->latest = fraction;
    return ++w->calls == w->stop_at;
}

static void test_progress_is_told_and_can_stop_the_reading(void **state)
{
    enum { ROWS = 500000 };
    assay_read_options options = defaults();
    watch w = { 0, 0, 0.0 };
    char *text = malloc((size_t)ROWS * 32);
    assay_results *results = NULL;
    const char *path;
    size_t n = 0;

    (void)state;
    assert_non_null(text);
    n += (size_t)sprintf(text, "item,score,padding\n");
    for (int k = 0; k < ROWS; k++)
        n += (size_t)sprintf(text + n, "q%d,1,pppppppppppppp\n", k % 100);
    path = write_bytes("big.csv", text, n);
    options.progress = (assay_progress){ step, &w };
    results = read_ok(path, &options);
    assert_in_range(w.calls, 2, 4); /* 10 MB, told every 4 */
    assert_true(w.latest > 0.5);
    assay_results_free(results);
    w = (watch){ 0, 2, 0.0 };
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, &options), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "big.csv: reading was cancelled");
    assert_int_equal(w.calls, 2);
    assay_results_free(results);
    free(text);
}

/* ---- memory ---- */

static assay_status read_folder(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = assay_read(results, ".", context);
    assay_results_free(results);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    write_text("a.csv", "model,a,b\nx,1,0.5\ny,,1\n");
    write_text("b.csv", "model,c,template,run,score,item,cluster,text\nx,,t,1,0,a,k,\"w\"\n");
    write_text("c.jsonl", "{\"item\":\"b\",\"score\":0,\"model\":\"z\",\"text\":\"t\"}\n");
    write_text("d.tsv", "item\tx\ta\nc\t1\t0\n");
    assert_true(fail_every_allocation(read_folder, &options) > 40);
    empty_folder(NULL);
    write_text("a.csv", "model,a,b\nx,1,0.5\nx,,1\n");
    options.drop = "b";
    options.repeats = 1;
    assert_true(fail_every_allocation(read_folder, &options) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_folder_is_read_in_the_order_of_names, empty_folder),
        cmocka_unit_test_teardown(test_folders_below_are_read_but_not_through_links, empty_folder),
        cmocka_unit_test_teardown(test_an_empty_folder_says_what_it_lacks, empty_folder),
        cmocka_unit_test_teardown(test_the_same_content_twice_counts_once, empty_folder),
        cmocka_unit_test_teardown(test_a_format_that_gives_no_score_is_refused, empty_folder),
        cmocka_unit_test_teardown(test_progress_is_told_and_can_stop_the_reading, empty_folder),
        cmocka_unit_test_teardown(test_every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
