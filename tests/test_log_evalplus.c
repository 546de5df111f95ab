/* SPDX-License-Identifier: Apache-2.0 */
/* EvalPlus of all versions, and BigCodeBench, which writes much the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "samples.h"

#define SOLUTION(BASE, PLUS) \
    "{\"task_id\":\"T/0\",\"solution\":\"x\",\"base_status\":" BASE ",\"plus_status\":" PLUS "}"
#define PASSES SOLUTION("\"pass\"", "\"pass\"")
#define FAILS_PLUS SOLUTION("\"pass\"", "\"fail\"")
#define NO_BASE SOLUTION("\"fail\"", "null")
#define NO_PLUS SOLUTION("\"pass\"", "null")
#define ODD SOLUTION("\"crashed\"", "\"pass\"")
#define FAILS_BASE SOLUTION("\"fail\"", "\"pass\"")
#define NEWER                                                                                     \
    "{\"date\":\"d\",\"eval\":{\"T/0\":[" PASSES "," FAILS_PLUS "],\"T/1\":[" NO_BASE "," NO_PLUS \
    "],\"T/2\":[" FAILS_BASE "," ODD "],\"T/3\":[]},\"pass_at_k\":{\"base\":{\"pass@1\":0.5}}}"
#define OLDER                                                                                \
    "{\"date\":\"d\",\"hash\":\"h\",\"eval\":{\"T/0\":{\"nfiles\":3,\"base\":[[\"success\"," \
    "[true]],[\"success\",[true]],[\"timed out\",[[1]]]],\"plus\":[[\"success\",[true]],"    \
    "[\"failed\",[false]]]}}}"

static void plus_needs_the_base_tests_too(void **state)
{
    assay_results *results = read_log("model_temp_0.8/eval_results.json", NEWER, NULL);
    const char *model = "model_temp_0.8";

    (void)state;
    assert_true(score_of(results, model, "", "1", "T/0") == 1.0);
    assert_true(score_of(results, model, "", "2", "T/0") == 0.0);
    assert_true(score_of(results, model, "", "1", "T/1") == 0.0); /* fails whatever plus says */
    assert_true(isnan(score_of(results, model, "", "2", "T/1"))); /* plus was not run */
    assert_true(score_of(results, model, "", "1", "T/2") == 0.0);
    assert_true(isnan(score_of(results, model, "", "2", "T/2"))); /* a word it never wrote */
    assert_coverage(results, 4, 1, 0, 2);                         /* T/3 has no solution */
    assay_results_free(results);
}

static void base_is_a_metric_and_the_default_without_plus(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.metric = "base";
    results = read_log("m.eval_results.json", NEWER, &options);
    assert_true(score_of(results, "m", "", "2", "T/0") == 1.0);
    assert_true(score_of(results, "m", "", "2", "T/1") == 1.0);
    assert_coverage(results, 5, 1, 0, 1);
    assay_results_free(results);
    results = read_log("m_eval_results.json",
                       "{\"eval\":{\"T/0\":[" SOLUTION("\"pass\"", "null") "]}}", NULL);
    assert_true(score_of(results, "m", "", "1", "T/0") == 1.0);
    assay_results_free(results);
    options.metric = "plus";
    assert_log_fails(
        "m_eval_results.json", "{\"eval\":{\"T/0\":[" SOLUTION("\"pass\"", "null") "]}}", &options,
        ASSAY_E_VALUE, "m_eval_results.json: no score \"plus\" (--metric); there are: base");
}

static void the_older_layout_has_lists_beside_each_other(void **state)
{
    assay_results *results = read_log("m_eval_results.json", OLDER, NULL);

    (void)state;
    assert_true(score_of(results, "m", "", "1", "T/0") == 1.0);
    assert_true(score_of(results, "m", "", "2", "T/0") == 0.0);
    assert_true(score_of(results, "m", "", "3", "T/0") == 0.0); /* base alone decides */
    assert_coverage(results, 3, 0, 0, 0);
    assay_results_free(results);
}

/* A key that stands twice says its runs again, which must agree. */
static void a_task_that_stands_twice_loses_nothing(void **state)
{
    assay_results *results = read_log(
        "m_eval_results.json",
        "{\"eval\":{\"T/0\":[" PASSES "],\"T/1\":[" PASSES "],\"T/0\":[" PASSES "]}}", NULL);

    (void)state;
    assert_coverage(results, 2, 0, 0, 0);
    assert_int_equal(assay_results_coverage(results).duplicate, 1);
    assay_results_free(results);
    results = NULL;
    write_log("m_eval_results.json",
              "{\"eval\":{\"T/0\":[" PASSES "],\"T/1\":[" PASSES "],\"T/0\":[" FAILS_PLUS "]}}");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, "m_eval_results.json", NULL), ASSAY_E_CONFLICT);
    assay_results_free(results);
}

static void bigcodebench_has_one_status(void **state)
{
    static const char text[] =
        "{\"eval\":{\"B/0\":[{\"task_id\":\"B/0\",\"status\":\"pass\",\"details\":{}},"
        "{\"task_id\":\"B/0\",\"status\":\"timeout\"}],\"B/1\":[{\"task_id\":\"B/1\","
        "\"status\":\"syntax\"}],\"B/2\":[]}}";
    assay_results *results = read_log("m--main_eval_results.json", text, NULL);

    (void)state;
    assert_true(score_of(results, "m--main", "", "1", "B/0") == 1.0);
    assert_true(score_of(results, "m--main", "", "2", "B/0") == 0.0);
    assert_coverage(results, 2, 1, 0, 1);
    assay_results_free(results);
    cut_anywhere("m--main_eval_results.json", text);
    assert_true(fail_every_allocation(read_and_free, "m--main_eval_results.json") > 10);
}

/* Two files of one model hold other tasks: each task is scored where it was run. */
static void t55_a_subset_of_the_tasks_is_scored(void **state)
{
    assay_results *results = read_log(
        "a_eval_results.json", "{\"eval\":{\"T/0\":[" SOLUTION("\"pass\"", "\"pass\"") "]}}", NULL);
    size_t n;

    (void)state;
    write_log("b_eval_results.json",
              "{\"eval\":{\"T/0\":[" SOLUTION("\"fail\"", "\"fail\"") "],\"T/1\":[" SOLUTION(
                  "\"pass\"", "\"pass\"") "]}}");
    assert_int_equal(assay_read(results, "b_eval_results.json", NULL), ASSAY_OK);
    assert_true(mean_of(results, "a", &n) == 1.0);
    assert_int_equal(n, 1);
    assert_true(mean_of(results, "b", &n) == 0.5);
    assert_int_equal(n, 2);
    assert_true(score_of(results, "a", "", "1", "T/1") == -1.0); /* never read, and not wrong */
    assay_results_free(results);
}

/* The means of the new one are those that it says itself under pass_at_k. */
static void samples_are_read_as_they_are(void **state)
{
    static const struct sample {
        const char *name, *model, *metric;
        double mean;
        size_t n;
    } samples[] = {
        { "evalplus_v0.3", "SYNTHETIC_evalplus_v0.3", NULL, 0.25, 4 },
        { "evalplus_v0.3", "SYNTHETIC_evalplus_v0.3", "base", 0.5, 4 },
        { "evalplus_v0.1", "SYNTHETIC_evalplus_v0.1", NULL, 0.5, 2 },
        { "bigcodebench", "SYNTHETIC_bigcodebench", NULL, 1.0 / 3.0, 3 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        assay_read_options options = defaults();
        assay_results *results;
        char name[200], path[512];
        size_t n;

        snprintf(name, sizeof name, "synthetic/SYNTHETIC_%s_eval_results.json", samples[k].name);
        if (!find_sample(name, path)) skip();
        options.metric = samples[k].metric;
        results = read_ok(path, &options);
        assert_true(mean_of(results, samples[k].model, &n) == samples[k].mean);
        assert_int_equal(n, samples[k].n);
        assay_results_free(results);
    }
}

static void a_damaged_file_ends_in_words(void **state)
{
    (void)state;
    cut_anywhere("m_eval_results.json", NEWER);
    assert_true(fail_every_allocation(read_and_free, "m_eval_results.json") > 20);
    cut_anywhere("n_eval_results.json", OLDER);
    assert_true(fail_every_allocation(read_and_free, "n_eval_results.json") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(plus_needs_the_base_tests_too, empty_log_folder),
        cmocka_unit_test_teardown(base_is_a_metric_and_the_default_without_plus, empty_log_folder),
        cmocka_unit_test_teardown(the_older_layout_has_lists_beside_each_other, empty_log_folder),
        cmocka_unit_test_teardown(a_task_that_stands_twice_loses_nothing, empty_log_folder),
        cmocka_unit_test_teardown(bigcodebench_has_one_status, empty_log_folder),
        cmocka_unit_test_teardown(t55_a_subset_of_the_tasks_is_scored, empty_log_folder),
        cmocka_unit_test(samples_are_read_as_they_are),
        cmocka_unit_test_teardown(a_damaged_file_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
