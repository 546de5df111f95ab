/* SPDX-License-Identifier: Apache-2.0 */
/* What a folder holds beside results, and folders that cannot be read to their end. */
#include "failing_memory.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

struct dirent64 *readdir64(DIR *stream);

/* Entries that a folder still gives before its disk fails. */
static int entries_left = 1 << 30, failure;

/* In place of the C library's, whose entries are the same under the name of readdir64. */
struct dirent *readdir(DIR *stream)
{
    if (entries_left-- > 0) return (struct dirent *)readdir64(stream);
    errno = failure;
    return NULL;
}

/* ---- files that hold no results ---- */

static void test_a_file_that_gives_no_observation_is_left_out_and_leaves_nothing(void **state)
{
    assay_results *results;

    (void)state;
    write_text("a.csv", "model,q1\nx,1\n");
    write_text("b_prompts.csv", "model,prompt,notes\nx,hello,\n"); /* its columns are no items */
    write_text("c_scales.csv", "item,low,high\nq9,small,large\n"); /* nor are these models */
    write_text("d_meta.jsonl", "{\"params\":7}\n");
    write_text("e_empty.csv", "");
    write_text("f.csv", "model,q1\ny,0\n");
    results = read_ok(".", NULL);
    assert_int_equal(assay_results_n_items(results), 1);
    assert_int_equal(assay_results_n_models(results), 2);
    assert_int_equal(assay_results_n_records(results), 2);
    assert_int_equal(assay_results_n_inputs(results), 2);
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(has_note(results, "left out: ./b_prompts.csv:2: column \"prompt\" has \"hello\""));
    assert_true(has_note(results, "left out: ./c_scales.csv:2: column \"low\" has \"small\""));
    assert_true(has_note(results, "left out: ./d_meta.jsonl:1: no key is known to hold the item"));
    assert_true(has_note(results, "left out: ./e_empty.csv: the file is empty"));
    assert_true(has_note(results, ".: 2 files read, 4 left out"));
    assert_int_equal(assay_results_n_notes(results), 6); /* f.csv has the columns of a.csv */
    assay_results_free(results);
}

static void test_a_fault_after_an_observation_is_a_fault(void **state)
{
    assay_results *results = NULL;

    (void)state;
    write_text("a.csv", "model,q1\nx,1\n");
    write_text("b.csv", "model,q1\ny,1\nz,what\n");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, ".", NULL), ASSAY_E_FORMAT);
    assert_memory_equal(assay_last_error(), "./b.csv:3: ", 11);
    assay_results_free(results);
}

static void test_what_is_no_fault_of_form_is_never_left_out(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    write_text("a.csv", "model,q1\nx,1\n");
    write_text("b.csv", "model,q1\nx,0\n");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, ".", NULL), ASSAY_E_CONFLICT);
    assay_results_free(results);
    options.drop = "q2";
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, ".", &options), ASSAY_E_VALUE);
    assay_results_free(results);
}

static void test_a_folder_without_any_results_says_why(void **state)
{
    assay_results *results = NULL;

    (void)state;
    write_text("a.csv", "item,score\n");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, ".", NULL), ASSAY_E_READ);
    assert_string_equal(assay_last_error(), ".: none of its files holds results: ./a.csv: a header "
                                            "and no rows below it");
    assert_int_equal(assay_results_n_inputs(results), 0);
    assay_results_free(results);
}

static void test_files_without_a_model_are_each_a_model(void **state)
{
    const char *text = "item,score\nq,1\nr,\n";
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    write_text("a.csv", text);
    write_text("b.csv", text);
    for (options.repeats = 0; options.repeats < 2; options.repeats++) {
        const char *run = options.repeats ? "1" : "";

        results = read_ok(".", &options);
        assert_int_equal(assay_results_n_models(results), 2);
        assert_true(score_of(results, "./a.csv", "", run, "q") == 1.0);
        assert_true(score_of(results, "./b.csv", "", run, "q") == 1.0);
        assert_int_equal(assay_results_coverage(results).used, 2);
        assert_true(has_note(results, "./b.csv: the same content as ./a.csv; counted as another "
                                      "model, because no column names it"));
        assay_results_free(results);
    }
    options.repeats = 0;
    results = read_ok("a.csv", &options);
    assert_int_equal(assay_read(results, "a.csv", &options), ASSAY_OK);
    assert_true(has_note(results, "a.csv: the same content as a.csv; counted once"));
    assert_int_equal(assay_results_coverage(results).duplicate, 2);
    assay_results_free(results);
    options.repeats = 1;
    results = read_ok("a.csv", &options);
    assert_int_equal(assay_read(results, "a.csv", &options), ASSAY_E_CONFLICT);
    assay_results_free(results);
}

/* ---- many files ---- */

static void what_many_files_have_in_common_is_said_once(void **state)
{
    assay_results *results;

    (void)state;
    write_text("a.csv", "model,id,score\nx,1,1\n");
    write_text("b.csv", "item,model,score\n1,y,1\n");
    write_text("c.csv", "model,id,score\nz,1,1\n");
    write_text("p.csv", "model,prompt\nx,hello\n");
    write_text("q.csv", "model,text\nx,other\n");
    write_text("r.csv", "model,text\nx,third\n");
    write_text("s.csv", "model,text\nx,fourth\n");
    results = read_ok(".", NULL);
    assert_int_equal(assay_results_n_inputs(results), 3);
    assert_true(has_note(results, "./b.csv: long table; model = \"model\", item = \"item\""));
    assert_true(has_note(results, "./a.csv: long table; model = \"model\", item = \"id\", "
                                  "score = \"score\"; likewise ./c.csv"));
    assert_true(has_note(results, "left out: ./p.csv:2: column \"prompt\" has \"hello\""));
    assert_true(has_note(results, "; likewise ./q.csv, ./r.csv and 1 more"));
    assert_int_equal(assay_results_n_notes(results), 4);
    assay_results_free(results);
}

static void t72_a_file_has_one_model_whatever_its_paths(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    write_text("a.csv", "id,score\n1,1\n2,0\n");
    assert_int_equal(symlink("a.csv", "b.csv"), 0);
    for (options.repeats = 0; options.repeats < 2; options.repeats++) {
        results = read_ok(".", &options);
        assert_int_equal(assay_results_n_models(results), 1);
        assert_int_equal(assay_results_coverage(results).rows, 2);
        assert_true(has_note(results, "left out, the same file under another name: ./b.csv"));
        if (options.repeats) {
            assert_int_equal(assay_read(results, "a.csv", &options), ASSAY_E_CONFLICT);
        } else {
            assert_int_equal(assay_read(results, "b.csv", &options), ASSAY_OK);
            assert_int_equal(assay_results_n_models(results), 1);
            assert_int_equal(assay_results_coverage(results).duplicate, 2);
            assert_true(has_note(results, "b.csv: the same content as ./a.csv; counted once"));
        }
        assay_results_free(results);
    }
    unlink("b.csv");
}

static void links_that_lead_round_or_nowhere_are_told(void **state)
{
    assay_results *results;

    (void)state;
    write_text("a.csv", "model,id,score\nx,1,1\n");
    assert_int_equal(symlink(".", "loop"), 0);
    assert_int_equal(symlink("d.csv", "c.csv"), 0);
    assert_int_equal(symlink("c.csv", "d.csv"), 0);
    assert_int_equal(symlink("gone", "e.csv"), 0);
    results = read_ok(".", NULL);
    assert_true(has_note(results, "left out, a symbolic link to a folder: ./loop"));
    assert_true(has_note(results, "left out, cannot be read: ./c.csv, ./d.csv, ./e.csv"));
    assert_true(has_note(results, ".: 1 file read, 4 left out"));
    assay_results_free(results);
    unlink("loop");
    unlink("c.csv");
    unlink("d.csv");
    unlink("e.csv");
}

static void of_many_that_are_left_three_are_named(void **state)
{
    char name[8] = "n0.txt";
    assay_results *results;

    (void)state;
    write_text("a.csv", "model,id,score\nx,1,1\n");
    for (int k = 6; k >= 0; k--) {
        name[1] = (char)('0' + k);
        write_text(name, "");
    }
    results = read_ok(".", NULL);
    assert_true(
        has_note(results, "left out, no log by its name: ./n0.txt, ./n1.txt, ./n2.txt and 4 more"));
    assay_results_free(results);
}

static void every_ending_of_a_log_is_looked_into(void **state)
{
    static const char *const names[] = { "a.json", "b.jsonlines", "c.NDJSON", "d.jsonl" };
    char row[64];
    assay_results *results;

    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(row, sizeof row, "{\"model\":\"%c\",\"id\":1,\"score\":1}", names[k][0]);
        write_text(names[k], row);
    }
    write_text("e.eval", "no archive");
    write_text("f.parquet", "PAR1");
    results = read_ok(".", NULL);
    assert_int_equal(assay_results_n_models(results), 4);
    assert_true(has_note(results, "left out: ./e.eval"));
    assert_true(has_note(results, "left out: ./f.parquet"));
    assay_results_free(results);
}

/* ---- folders that fail ---- */

static void test_a_folder_that_fails_halfway_is_not_taken_for_a_short_one(void **state)
{
    static const struct {
        int failure;
        assay_status status;
        const char *sentence;
    } cases[] = { { EIO, ASSAY_E_READ, ".: cannot be read: Input/output error" },
                  { ENOMEM, ASSAY_E_NOMEM, ".: cannot be read: Cannot allocate memory" } };

    (void)state;
    write_text("a.csv", "model,q1\nx,1\n");
    write_text("b.csv", "model,q1\ny,1\n");
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 5; n++) { /* a.csv, b.csv, . and .., in any order; then the end */
            assay_results *results = NULL;

            assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
            entries_left = n;
            failure = cases[k].failure;
            assert_int_equal(assay_read(results, ".", NULL), cases[k].status);
            assert_string_equal(assay_last_error(), cases[k].sentence);
            entries_left = 1 << 30;
            assay_results_free(results);
        }
}

static assay_status read_folder(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    (void)context;
    if (status == ASSAY_OK) status = assay_read(results, ".", NULL);
    assay_results_free(results);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    write_text("a.csv", "model,q1\nx,1\n");
    write_text("b.csv", "model,prompt,notes\nx,hello,\n");
    write_text("c.csv", "item,score\nq,1\n");
    assert_true(fail_every_allocation(read_folder, NULL) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(
            test_a_file_that_gives_no_observation_is_left_out_and_leaves_nothing, empty_folder),
        cmocka_unit_test_teardown(test_a_fault_after_an_observation_is_a_fault, empty_folder),
        cmocka_unit_test_teardown(test_what_is_no_fault_of_form_is_never_left_out, empty_folder),
        cmocka_unit_test_teardown(test_a_folder_without_any_results_says_why, empty_folder),
        cmocka_unit_test_teardown(test_files_without_a_model_are_each_a_model, empty_folder),
        cmocka_unit_test_teardown(what_many_files_have_in_common_is_said_once, empty_folder),
        cmocka_unit_test_teardown(t72_a_file_has_one_model_whatever_its_paths, empty_folder),
        cmocka_unit_test_teardown(links_that_lead_round_or_nowhere_are_told, empty_folder),
        cmocka_unit_test_teardown(of_many_that_are_left_three_are_named, empty_folder),
        cmocka_unit_test_teardown(every_ending_of_a_log_is_looked_into, empty_folder),
        cmocka_unit_test_teardown(test_a_folder_that_fails_halfway_is_not_taken_for_a_short_one,
                                  empty_folder),
        cmocka_unit_test_teardown(test_every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
