/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/intervals.h"
#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "samples.h"

#define GRADED "output/GPT-9/Scenario.codegeneration_2_0.2_eval_all.json"
#define TESTS "output/GPT-9/Scenario.codegeneration_2_0.2_eval.json"

static const char graded[] =
    "[{\"question_title\":\"t\",\"question_content\":\"add two "
    "numbers\",\"question_id\":\"1873_A\","
    "\"contest_id\":\"c\",\"output_list\":[\"o\",\"p\"],\"code_list\":[\"o\",\"p\"],"
    "\"graded_list\":[true,false],\"pass@1\":0.5,\"metadata\":[\"{}\"]},"
    "{\"question_id\":2777,\"code_list\":[],\"graded_list\":[]},"
    "{\"question_id\":2778,\"graded_list\":[true,null]}]";

static void runs_are_the_graded_list(void **state)
{
    assay_results *results = read_log(GRADED, graded, NULL);

    (void)state;
    assert_true(score_of(results, "GPT-9", "", "1", "1873_A") == 1.0);
    assert_true(score_of(results, "GPT-9", "", "2", "1873_A") == 0.0);
    assert_string_equal(text_of(results, "1873_A"), "add two numbers");
    assert_null(cluster_of(results, "1873_A"));
    assert_coverage(results, 3, 1, 0, 1);
    assay_results_free(results);
}

/* The tests of a question share its text, and its samples are asked of one program: neither is one item. */
static void samples_and_tests_of_a_question_are_its_cluster(void **state)
{
    assay_results *results = read_log(
        "output/M/Scenario.codeexecution_1_0.2_eval_all.json",
        "[{\"question_id\":2777,\"id\":\"sample_0\",\"graded_list\":[true]},"
        "{\"question_id\":2777,\"id\":\"sample_1\",\"graded_list\":[false]},"
        "{\"question_id\":3000,\"test_id\":0,\"question_content\":\"q\",\"graded_list\":[true]},"
        "{\"question_id\":3000,\"test_id\":1,\"question_content\":\"q\",\"graded_list\":[false]}]",
        NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 4);
    assert_string_equal(cluster_of(results, "sample_1"), "2777");
    assert_string_equal(cluster_of(results, "3000/1"), "3000");
    assert_null(text_of(results, "3000/0"));
    assert_true(score_of(results, "M", "", "1", "3000/0") == 1.0);
    assay_results_free(results);
}

static void all_tests_of_a_run_must_pass(void **state)
{
    assay_results *results = read_log(TESTS,
                                      "[{\"pass@1\":0.25,\"detail\":{\"pass@1\":{\"0\":0.5}}},"
                                      "{\"0\":[[true,1,1],[true,-2]],\"1\":[[],[null,true]],"
                                      "\"2\":[true,false],\"3\":[]},[[\"{}\"]]]",
                                      NULL);

    (void)state;
    assert_true(score_of(results, "GPT-9", "", "1", "0") == 1.0);
    assert_true(score_of(results, "GPT-9", "", "2", "0") == 0.0);
    assert_true(score_of(results, "GPT-9", "", "1", "2") == 1.0);
    assert_coverage(results, 4, 1, 0, 2);
    assay_results_free(results);
}

static const char site[] =
    "{\"performances\":[{\"model\":\"m\",\"sample_id\":\"s0\",\"question_id\":1,\"Pass@1\":70.0,"
    "\"date\":168,\"Pass@1-COT\":null},{\"model\":\"m\",\"sample_id\":\"s1\",\"question_id\":1,"
    "\"Pass@1\":0,\"date\":168,\"Pass@1-COT\":40.0},{\"model\":\"m\",\"question_id\":9,"
    "\"Pass@1\":100}],\"models\":[],\"date_marks\":[1]}";

static void the_sites_percentages_are_shares(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = read_log("mock.json", site, NULL);

    (void)state;
    assert_true(score_of(results, "m", "", "", "s0") == 0.7);
    assert_true(score_of(results, "m", "", "", "9") == 1.0);
    assert_string_equal(cluster_of(results, "s1"), "1");
    assert_null(cluster_of(results, "9"));
    assert_true(has_note(results, "scored by \"Pass@1\"; --metric chooses another: Pass@1-COT"));
    assay_results_free(results);
    options.metric = "Pass@1-COT";
    results = read_log("mock.json", site, &options);
    assert_coverage(results, 1, 2, 0, 0);
    assay_results_free(results);
    options.metric = "x";
    assert_log_fails("mock.json", site, &options, ASSAY_E_VALUE,
                     "mock.json: no score \"x\" (--metric); there are: Pass@1, Pass@1-COT");
}

static void shares_are_not_taken_for_percentages(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;
    static const char text[] = "model,sample_id,question_id,pass1\nm,a,1,1\nm,b,1,0\n";

    (void)state;
    assert_log_fails("s.csv", text, NULL, ASSAY_E_FORMAT,
                     "s.csv: no score is above 1, where LiveCodeBench's site has percentages; if "
                     "these are shares, give --score and --item");
    options.score = "pass1";
    options.item = "sample_id";
    results = read_log("s.csv", text, &options);
    assert_true(score_of(results, "m", "", "", "a") == 1.0);
    assay_results_free(results);
    assert_log_fails("t.csv", "model,sample_id,question_id,pass1\nm,a,1,50\nm,b,1\n", NULL,
                     ASSAY_E_FORMAT, "t.csv:3: 3 fields, expected 4");
}

/* Scores of one model and the questions they belong to, as numbers. */
static size_t scores_of(const assay_results *results, const char *model, double *scores,
                        size_t *labels)
{
    size_t n = 0, n_items = assay_results_n_items(results);

    for (size_t k = 0; k < n_items; k++) {
        double score = score_of(results, model, "", "", assay_results_item(results, k));

        if (!(score >= 0.0)) continue;
        scores[n] = score;
        for (labels[n] = 0; strcmp(assay_results_item_cluster(results, labels[n]),
                                   assay_results_item_cluster(results, k)) != 0;)
            labels[n]++;
        n++;
    }
    return n;
}

/* The numbers that cases T31 gives to 6 digits: half a unit of the last. */
static void t31_samples_of_a_question_widen_the_standard_error(void **state)
{
    static const struct wanted {
        const char *model;
        double mean, naive, clustered;
    } wanted[] = { { "GPT-4-Turbo-1106", 0.498121, 0.021965, 0.038657 },
                   { "Claude-2", 0.427557, 0.022077, 0.037836 } };
    static const char *const files[] = { "livecodebench/performances_execution_slim.csv",
                                         "livecodebench/performances_execution_2models.json" };
    static double scores[479];
    static size_t labels[479];
    char path[512];

    (void)state;
    for (size_t f = 0; f < 2; f++) {
        assay_results *results;

        if (!find_sample(files[f], path)) skip();
        results = read_ok(path, NULL);
        assert_int_equal(assay_results_n_models(results), f == 0 ? 37 : 2);
        assert_int_equal(assay_results_n_items(results), 479);
        for (size_t k = 0; k < 2; k++) {
            assay_clustered of;

            assert_int_equal(scores_of(results, wanted[k].model, scores, labels), 479);
            assert_int_equal(assay_clustered_mean(scores, labels, 479, 0.95, &of), ASSAY_OK);
            assert_true(fabs(of.mean - wanted[k].mean) < 5e-7);
            assert_true(fabs(of.plain - wanted[k].naive) < 5e-7);
            assert_true(fabs(of.inspect - wanted[k].clustered) < 5e-7);
            assert_int_equal(of.n_clusters, 92);
        }
        assay_results_free(results);
    }
}

static void a_damaged_file_ends_in_words(void **state)
{
    (void)state;
    cut_anywhere(GRADED, graded);
    assert_true(fail_every_allocation(read_and_free, GRADED) > 20);
    cut_anywhere("mock.json", site);
    assert_true(fail_every_allocation(read_and_free, "mock.json") > 20);
    write_log("s.csv", "model,sample_id,question_id,pass1\nm,a,1,50\n");
    assert_true(fail_every_allocation(read_and_free, "s.csv") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(runs_are_the_graded_list, empty_log_folder),
        cmocka_unit_test_teardown(samples_and_tests_of_a_question_are_its_cluster,
                                  empty_log_folder),
        cmocka_unit_test_teardown(all_tests_of_a_run_must_pass, empty_log_folder),
        cmocka_unit_test_teardown(the_sites_percentages_are_shares, empty_log_folder),
        cmocka_unit_test_teardown(shares_are_not_taken_for_percentages, empty_log_folder),
        cmocka_unit_test(t31_samples_of_a_question_widen_the_standard_error),
        cmocka_unit_test_teardown(a_damaged_file_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
