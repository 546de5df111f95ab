/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that are declared to be repeats: each a further run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "reading.h"

static assay_read_options repeating(void)
{
    assay_read_options options = defaults();
    options.repeats = 1;
    return options;
}

static void test_a_wide_row_goes_where_all_of_its_items_are_free(void **state)
{
    const assay_read_options options = repeating();
    assay_results *results = read_ok(write_text("a.csv", "model,a,b\nm,1,0\n"), &options);

    (void)state;
    assert_int_equal(assay_read(results, write_text("b.csv", "model,c,b\nm,0,1\n"), &options),
                     ASSAY_OK);
    assert_true(score_of(results, "m", "", "1", "b") == 0.0);
    assert_true(score_of(results, "m", "", "2", "b") == 1.0); /* c with it, though 1 was free */
    assert_true(score_of(results, "m", "", "2", "c") == 0.0);
    assert_true(score_of(results, "m", "", "1", "c") == -1.0);
    assert_int_equal(assay_read(results, write_text("c.csv", "model,c\nm,1\nm,0\n"), &options),
                     ASSAY_OK);
    assert_true(score_of(results, "m", "", "1", "c") == 1.0); /* the lowest one that is free */
    assert_true(score_of(results, "m", "", "3", "c") == 0.0);
    assert_int_equal(assay_results_coverage(results).duplicate, 0);
    assay_results_free(results);
}

static void test_a_dropped_column_takes_no_run(void **state)
{
    assay_read_options options = repeating();
    assay_results *results = read_ok(write_text("a.csv", "model,a\nm,1\n"), &options);

    (void)state;
    options.drop = "a";
    assert_int_equal(assay_read(results, write_text("b.csv", "model,a,b\nm,x,1\n"), &options),
                     ASSAY_OK);
    assert_true(score_of(results, "m", "", "1", "b") == 1.0);
    assay_results_free(results);
}

static void test_runs_that_the_input_names_are_passed_by(void **state)
{
    const assay_read_options options = repeating();
    assay_results *results = read_text("model,item,run,score\nm,q,1,0\nm,q,3,0\n", &options);

    (void)state;
    assert_int_equal(
        assay_read(results, write_text("b.csv", "model,item,score\nm,q,1\nm,q,1\n"), &options),
        ASSAY_OK);
    assert_true(score_of(results, "m", "", "2", "q") == 1.0);
    assert_true(score_of(results, "m", "", "4", "q") == 1.0);
    assay_results_free(results);
}

/* A run column leaves no place for repeats, so that they are not advised. */
static void test_repeats_are_not_advised_where_they_are_asked_for(void **state)
{
    const assay_read_options options = repeating();

    (void)state;
    assert_fails("model,run,b\nx,1,1\nx,1,0\n", &options, ASSAY_E_CONFLICT,
                 "f.csv:3: model \"x\", item \"b\" has score 0, and 1 before; with --force the "
                 "first stays");
}

static double seconds_of(const char *path, const assay_read_options *options, size_t n_runs)
{
    struct timespec start, end;
    assay_results *results;

    clock_gettime(CLOCK_MONOTONIC, &start);
    results = read_ok(path, options);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(assay_results_n_runs(results) >= n_runs);
    assert_int_equal(assay_results_coverage(results).used, assay_results_coverage(results).rows);
    assay_results_free(results);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* Looking at every run before took 24 s for 20,000 repeats and four times that for twice as many; a
   step that looks at none takes some 0.02 s. The limit leaves room for slow machines. */
static void test_many_repeats_of_a_cell_take_a_time_in_proportion(void **state)
{
    enum { ROWS = 40000 };
    const assay_read_options options = repeating();
    char *text = malloc((size_t)ROWS * 16);

    (void)state;
    assert_non_null(text);
    for (int wide = 0; wide < 2; wide++) {
        size_t n = (size_t)sprintf(text, wide ? "model,a,b\n" : "model,item,score\n");
        double seconds;

        for (int k = 0; k < ROWS; k++) n += (size_t)sprintf(text + n, wide ? "m,1,0\n" : "m,q,1\n");
        seconds = seconds_of(write_bytes("many.csv", text, n), &options, ROWS);
        print_message("%d repeats: %.3f s\n", ROWS, seconds);
        assert_true(seconds < 5.0);
        empty_folder(NULL);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_wide_row_goes_where_all_of_its_items_are_free,
                                  empty_folder),
        cmocka_unit_test_teardown(test_a_dropped_column_takes_no_run, empty_folder),
        cmocka_unit_test_teardown(test_runs_that_the_input_names_are_passed_by, empty_folder),
        cmocka_unit_test_teardown(test_repeats_are_not_advised_where_they_are_asked_for,
                                  empty_folder),
        cmocka_unit_test_teardown(test_many_repeats_of_a_cell_take_a_time_in_proportion,
                                  empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
