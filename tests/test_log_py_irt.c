/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "samples.h"

static void a_line_is_a_subject(void **state)
{
    assay_results *results = read_log(
        "r.jsonlines",
        "{\"subject_id\":\"a\",\"responses\":{\"q1\":1,\"q2\":0,\"q3\":null,\"q4\":true}}\n"
        "{\"responses\":{\"q2\":0.5,\"q5\":NaN},\"subject_id\":7}\n",
        NULL);

    (void)state;
    assert_true(score_of(results, "a", "", "", "q1") == 1.0);
    assert_true(score_of(results, "a", "", "", "q4") == 1.0);
    assert_true(score_of(results, "7", "", "", "q2") == 0.5);  /* its subject stands behind it */
    assert_true(score_of(results, "7", "", "", "q1") == -1.0); /* missing, and not wrong */
    assert_coverage(results, 4, 2, 0, 0);
    assay_results_free(results);
}

static void counts_are_runs(void **state)
{
    assay_results *results =
        read_log("r.jsonlines",
                 "{\"subject_id\":\"a\",\"responses\":{\"q1\":{\"successes\":2,\"trials\":3},"
                 "\"q2\":{\"trials\":1,\"successes\":0},\"q3\":{\"successes\":0,\"trials\":0}}}\n",
                 NULL);
    size_t n;

    (void)state;
    assert_true(mean_of(results, "a", &n) == 0.5);
    assert_int_equal(n, 4);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_coverage(results, 4, 1, 0, 0);
    assay_results_free(results);
}

static void what_is_no_response_is_an_error(void **state)
{
    static const char counts[] =
        "r.jsonlines:1: successes and trials of \"q\" are no counts, expected whole numbers, the "
        "first at most the second and that at most 100000";
    static const struct fault {
        const char *response, *sentence;
    } faults[] = {
        { "{\"subject_id\":\"a\",\"responses\":{\"q\":{\"successes\":2,\"trials\":1}}}", counts },
        { "{\"subject_id\":\"a\",\"responses\":{\"q\":{\"successes\":0.5,\"trials\":1}}}", counts },
        { "{\"subject_id\":\"a\",\"responses\":{\"q\":{\"successes\":1}}}", counts },
        { "{\"subject_id\":\"a\",\"responses\":{\"q\":{\"successes\":1,\"trials\":1e9}}}", counts },
        { "{\"subject_id\":\"a\",\"responses\":{\"q\":\"maybe\"}}",
          "r.jsonlines:1: the response to \"q\" is no score, expected 0, 1, a number, null, or "
          "{\"successes\": K, \"trials\": N}" },
        { "{\"subject_id\":\"a\",\"responses\":{\"q\\u0000x\":1}}",
          "r.jsonlines:1: a key has a NUL character after \"q\", expected text" },
        { "{\"subject_id\":null,\"responses\":{\"q\":1}}",
          "r.jsonlines:1: a line without a \"subject_id\"" },
        { "{\"subject_id\":\"a\",\"responses\":{\"q\":1}}{\"subject_id\":\"a\",\"responses\":"
          "{\"\":1}}",
          "r.jsonlines:1: the item is blank, expected a name" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        assay_results *results = NULL;

        write_log("r.jsonlines", faults[k].response);
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, "r.jsonlines", NULL), ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(), faults[k].sentence);
        assay_results_free(results);
        n_written--;
    }
    n_written++;
}

static void a_response_said_twice_conflicts_unless_it_is_a_repeat(void **state)
{
    static const char text[] = "{\"subject_id\":\"a\",\"responses\":{\"q\":1}}\n"
                               "{\"subject_id\":\"a\",\"responses\":{\"q\":0}}\n";
    assay_read_options options = defaults();
    assay_results *results = NULL;
    size_t n;

    (void)state;
    write_log("r.jsonlines", text);
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, "r.jsonlines", NULL), ASSAY_E_CONFLICT);
    assay_results_free(results);
    options.repeats = 1;
    results = read_ok("r.jsonlines", &options);
    assert_true(mean_of(results, "a", &n) == 0.5);
    assay_results_free(results);
}

/* The same outcomes as the table of the same boards, which is SWE-bench Verified's. */
static void samples_are_read_as_they_are(void **state)
{
    assay_results *results, *table;
    char path[512];
    size_t n, m;

    (void)state;
    if (!find_sample("py-irt/minitest.jsonlines", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_n_models(results), 4);
    assert_true(mean_of(results, "pinguino", &n) == 0.5);
    assert_true(mean_of(results, "burt", &n) == 0.0);
    assert_true(mean_of(results, "ken", &n) == 1.0);
    assay_results_free(results);
    assert_true(find_sample("py-irt/swebench_verified_responses.jsonl.gz", path));
    results = read_ok(path, NULL);
    assert_true(find_sample("matrix/swebench_verified_wide.csv", path));
    table = read_ok(path, NULL);
    assert_int_equal(assay_results_n_models(results), 134);
    assert_int_equal(assay_results_n_items(results), 500);
    for (size_t k = 0; k < 134; k++) {
        const char *model = assay_results_model(table, k);

        assert_true(mean_of(results, model, &n) == mean_of(table, model, &m));
        assert_int_equal(n, m);
    }
    assay_results_free(results);
    assay_results_free(table);
}

static void a_damaged_file_ends_in_words(void **state)
{
    static const char text[] = "{\"subject_id\":\"a\",\"responses\":{\"q1\":1,\"q2\":{"
                               "\"successes\":2,\"trials\":3}}}\n{\"subject_id\":\"b\","
                               "\"responses\":{\"q1\":0}}\n";

    (void)state;
    cut_anywhere("r.jsonlines", text);
    assert_true(fail_every_allocation(read_and_free, "r.jsonlines") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_line_is_a_subject, empty_log_folder),
        cmocka_unit_test_teardown(counts_are_runs, empty_log_folder),
        cmocka_unit_test_teardown(what_is_no_response_is_an_error, empty_log_folder),
        cmocka_unit_test_teardown(a_response_said_twice_conflicts_unless_it_is_a_repeat,
                                  empty_log_folder),
        cmocka_unit_test(samples_are_read_as_they_are),
        cmocka_unit_test_teardown(a_damaged_file_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
