/* SPDX-License-Identifier: Apache-2.0 */
/* BFCL: failures are listed, and the ids that passed are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "samples.h"

#define SCORES "score/M-1/non_live/BFCL_v4_simple_python_score.json"
#define ANSWERS "result/M-1/non_live/BFCL_v4_simple_python_result.json"

static const char scores[] =
    "{\"accuracy\":0.5,\"correct_count\":2,\"total_count\":4}\n"
    "{\"id\":\"simple_python_1\",\"model_name\":\"M\",\"valid\":false,\"error\":[\"e\"],"
    "\"error_type\":\"ast:wrong\"}\n"
    "{\"id\":\"simple_python_3\",\"model_name\":\"M\",\"valid\":false,\"error_type\":"
    "\"multi_turn:inference_error\"}\n";
static const char answers[] = "{\"id\":\"simple_python_0\",\"result\":\"a\"}\n"
                              "{\"id\":\"simple_python_1\",\"result\":\"b\"}\n"
                              "{\"id\":\"simple_python_3\",\"result\":\"c\"}\n"
                              "{\"id\":\"simple_python_10\",\"result\":\"d\"}\n";

static void t55_t73_the_ids_that_passed_are_those_of_the_answers(void **state)
{
    assay_results *results;

    (void)state;
    write_log(ANSWERS, answers);
    results = read_log(SCORES, scores, NULL);
    assert_int_equal(assay_results_n_items(results), 4);
    assert_true(score_of(results, "M-1", "", "", "simple_python/simple_python_0") == 1.0);
    assert_true(score_of(results, "M-1", "", "", "simple_python/simple_python_10") == 1.0);
    assert_true(score_of(results, "M-1", "", "", "simple_python/simple_python_1") == 0.0);
    assert_coverage(results, 3, 0, 1, 0); /* the fourth was never answered */
    assert_string_equal(cluster_of(results, "simple_python/simple_python_1"), "simple_python");
    assert_true(has_note(results, "the ids that passed are those of " ANSWERS));
    assay_results_free(results);
}

static void t73_numbered_ids_need_no_answers(void **state)
{
    assay_results *results = read_log(SCORES, scores, NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 4);
    assert_true(score_of(results, "M-1", "", "", "simple_python/simple_python_2") == 1.0);
    assert_true(has_note(results, "without the answers beside it, its ids are taken to be "
                                  "simple_python_0 to simple_python_3"));
    assay_results_free(results);
    results = read_log("executable_simple_score.json",
                       "{\"accuracy\":0.75,\"correct_count\":3,\"total_count\":4}\n"
                       "{\"id\":3,\"model_name\":\"N\",\"error_type\":\"x\"}\n",
                       NULL);
    assert_true(score_of(results, "N", "", "", "executable_simple/3") == 0.0);
    assert_true(score_of(results, "N", "", "", "executable_simple/0") == 1.0);
    assay_results_free(results);
}

static void t73_without_ids_only_the_mean_is_known(void **state)
{
#define THREE_OF_4 "{\"accuracy\":0.75,\"correct_count\":3,\"total_count\":4}\n"
#define THREE_OF_5 "{\"accuracy\":0.6,\"correct_count\":3,\"total_count\":5}\n"
    static const char *const unknown[] = {
        THREE_OF_4 "{\"id\":\"live_simple_3-3-0\"}",
        THREE_OF_4 "{\"id\":\"simple_4\"}",
        THREE_OF_4 "{\"id\":\"simple_01\"}",
        THREE_OF_5 "{\"id\":\"a_1\"}{\"id\":\"b_2\"}",
        "{\"accuracy\":1.0,\"correct_count\":4,\"total_count\":4}",
    };

    (void)state;
    for (size_t k = 0; k < sizeof unknown / sizeof unknown[0]; k++) {
        char sentence[400];

        snprintf(sentence, sizeof sentence,
                 "x_score.json: a BFCL score file names only the failures (%d of %d), and which "
                 "ids passed is not known: put the answers of the run "
                 "(result/MODEL/..._result.json) beside score/",
                 k == 4   ? 0
                 : k == 3 ? 2
                          : 1,
                 k == 3 ? 5 : 4);
        assert_log_fails("x_score.json", unknown[k], NULL, ASSAY_E_FORMAT, sentence);
        n_written--;
    }
    n_written++;
}

static void counts_that_contradict_the_ids_are_errors(void **state)
{
    (void)state;
    assert_log_fails("x_score.json",
                     "{\"accuracy\":0.5,\"correct_count\":2,\"total_count\":4}\n{\"id\":1}", NULL,
                     ASSAY_E_FORMAT,
                     "x_score.json: lists 1 failure, where its first line says 2 of 4 correct");
    /* As many ids would be made as a negative total is when taken for a size. */
    assert_log_fails("x_score.json",
                     "{\"accuracy\":0.5,\"correct_count\":-2,\"total_count\":-1}\n{\"id\":1}", NULL,
                     ASSAY_E_FORMAT,
                     "x_score.json: lists 1 failure, where its first line says -2 of -1 correct");
    assert_log_fails("x_score.json",
                     "{\"accuracy\":0.5,\"correct_count\":0.5,\"total_count\":1.5}\n{\"id\":0}",
                     NULL, ASSAY_E_FORMAT,
                     "x_score.json: lists 1 failure, where its first line says 0.5 of 1.5 correct");
    write_log("x_result.json", "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n");
    assert_log_fails("x_score.json",
                     "{\"accuracy\":0.75,\"correct_count\":3,\"total_count\":4}\n{\"id\":1}", NULL,
                     ASSAY_E_FORMAT,
                     "x_score.json: scores 4 answers, where x_result.json has 3: another run's?");
    assert_log_fails(
        "x_score.json", "{\"accuracy\":0.66,\"correct_count\":2,\"total_count\":3}\n{\"id\":9}",
        NULL, ASSAY_E_FORMAT, "x_score.json:2: the failing id \"9\" is none of x_result.json");
}

/* A malformed entry of multi_turn is appended twice. */
static void a_failure_that_stands_twice_counts_once(void **state)
{
    assay_results *results =
        read_log("x_score.json",
                 "{\"accuracy\":0.75,\"correct_count\":3,\"total_count\":4}\n{\"id\":\"m_1\"}\n"
                 "{\"id\":\"m_1\"}\n",
                 NULL);

    (void)state;
    assert_coverage(results, 4, 0, 0, 0);
    assert_true(has_note(results, "x_score.json: failures listed again, counted once: 1"));
    assay_results_free(results);
}

static void what_holds_no_scores_is_refused_by_name(void **state)
{
    (void)state;
    assert_log_fails(ANSWERS, answers, NULL, ASSAY_E_FORMAT,
                     ANSWERS ": answers of BFCL without their scores; give "
                             "score/MODEL/..._score.json, beside which they say what passed");
    assert_log_fails("data.csv", "Rank,Overall Acc,Model,Model Link,AST Summary\n1,90.18%,M,l,1%\n",
                     NULL, ASSAY_E_FORMAT,
                     "data.csv: BFCL's leaderboard: means by category, of which no item is known; "
                     "give score/MODEL/..._score.json with result/ beside it, or read its columns "
                     "as items with --format csv --model Model --columns A,B,...");
}

static void the_leaderboards_percentages_are_shares_on_demand(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.format = ASSAY_FORMAT_CSV;
    options.model = "Model";
    options.columns = "AST Summary";
    results =
        read_log("data.csv", "Rank,Overall Acc,Model,Model Link,AST Summary\n1,90.18%,M,l,85.5%\n",
                 &options);
    assert_true(fabs(score_of(results, "M", "", "", "AST Summary") - 0.855) < 1e-15);
    assay_results_free(results);
}

static void t73_samples_are_rebuilt_from_their_answers(void **state)
{
    static const char *const models[] = { "Nexusflow-Raven-v2",
                                          "NousResearch_Hermes-2-Pro-Mistral-7B" };
    static const double means[] = { 0.95, 0.78 };
    static const char *const failing[] = { "16", "25", "26", "41", "56" };
    assay_results *results;
    char path[512], name[200];
    size_t n;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "bfcl/score/%s/executable_simple_score.json", models[k]);
        if (!find_sample(name, path)) skip();
        results = read_ok(path, NULL);
        assert_true(mean_of(results, models[k], &n) == means[k]);
        assert_int_equal(n, 100);
        for (size_t f = 0; k == 0 && f < 5; f++) {
            snprintf(name, sizeof name, "executable_simple/%s", failing[f]);
            assert_true(score_of(results, models[k], "", "", name) == 0.0);
        }
        assay_results_free(results);
    }
    assert_true(find_sample("bfcl/data.csv", path));
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
    assert_non_null(strstr(assay_last_error(), "BFCL's leaderboard"));
    assay_results_free(results);
}

static void a_damaged_file_ends_in_words(void **state)
{
    (void)state;
    write_log(ANSWERS, answers);
    cut_anywhere(SCORES, scores);
    assert_true(fail_every_allocation(read_and_free, SCORES) > 20);
    cut_anywhere("y_score.json", "{\"accuracy\":0.75,\"correct_count\":3,\"total_count\":4}\n"
                                 "{\"id\":\"m_1\",\"model_name\":\"M\"}\n");
    assert_true(fail_every_allocation(read_and_free, "y_score.json") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t55_t73_the_ids_that_passed_are_those_of_the_answers,
                                  empty_log_folder),
        cmocka_unit_test_teardown(t73_numbered_ids_need_no_answers, empty_log_folder),
        cmocka_unit_test_teardown(t73_without_ids_only_the_mean_is_known, empty_log_folder),
        cmocka_unit_test_teardown(counts_that_contradict_the_ids_are_errors, empty_log_folder),
        cmocka_unit_test_teardown(a_failure_that_stands_twice_counts_once, empty_log_folder),
        cmocka_unit_test_teardown(what_holds_no_scores_is_refused_by_name, empty_log_folder),
        cmocka_unit_test_teardown(the_leaderboards_percentages_are_shares_on_demand,
                                  empty_log_folder),
        cmocka_unit_test(t73_samples_are_rebuilt_from_their_answers),
        cmocka_unit_test_teardown(a_damaged_file_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
