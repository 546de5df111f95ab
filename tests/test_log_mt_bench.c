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

#define SINGLE(JUDGE, SCORE, TURN)                                                 \
    "{\"question_id\":81,\"model\":\"a\",\"judge\":[\"" JUDGE "\",\"single-v1\"]," \
    "\"score\":" SCORE ",\"turn\":" TURN "}\n"
#define PAIR(SECOND, GAME_1, GAME_2)                                                           \
    "{\"question_id\":81,\"model_1\":\"a\",\"model_2\":\"" SECOND "\",\"g1_winner\":\"" GAME_1 \
    "\",\"g2_winner\":\"" GAME_2 "\",\"judge\":[\"gpt-4\",\"pair-v2\"],\"turn\":1}\n"

static void a_turn_is_an_item_of_its_question(void **state)
{
    assay_results *results =
        read_log("gpt-4_single.jsonl", SINGLE("gpt-4", "9", "1") SINGLE("gpt-4", "-1", "2"), NULL);

    (void)state;
    assert_true(score_of(results, "a", "", "", "81/1") == 9.0);
    assert_true(isnan(score_of(results, "a", "", "", "81/2"))); /* nothing could be read */
    assert_string_equal(cluster_of(results, "81/2"), "81");
    assert_coverage(results, 1, 0, 0, 1);
    assay_results_free(results);
}

static void a_judge_is_a_metric(void **state)
{
    static const char text[] = SINGLE("gpt-4", "9", "1") SINGLE("claude", "3", "1");
    assay_read_options options = defaults();
    assay_results *results = read_log("s.jsonl", text, NULL);

    (void)state;
    assert_true(score_of(results, "a", "", "", "81/1") == 9.0);
    assert_true(has_note(results, "scored by \"gpt-4\"; --metric chooses another: claude"));
    assay_results_free(results);
    options.metric = "claude";
    results = read_ok("s.jsonl", &options);
    assert_true(score_of(results, "a", "", "", "81/1") == 3.0);
    assay_results_free(results);
    options.metric = "x";
    assert_log_fails("s.jsonl", text, &options, ASSAY_E_VALUE,
                     "s.jsonl: no score \"x\" (--metric); there are: gpt-4, claude");
}

static void two_winners_are_a_tie(void **state)
{
    static const struct games {
        const char *text;
        double first; /* what model_1 gets, NaN: nothing */
    } games[] = {
        { PAIR("b", "model_1", "model_1"), 1.0 }, { PAIR("b", "model_2", "model_2"), 0.0 },
        { PAIR("b", "model_1", "model_2"), 0.5 }, { PAIR("b", "tie", "model_2"), 0.5 },
        { PAIR("b", "tie", "tie"), 0.5 },         { PAIR("b", "error", "model_1"), NAN },
        { PAIR("b", "model_1", "error"), NAN },   { PAIR("b", "odd", "odd"), NAN },
    };

    (void)state;
    for (size_t k = 0; k < sizeof games / sizeof games[0]; k++) {
        assay_results *results = read_log("gpt-4_pair.jsonl", games[k].text, NULL);
        double first = score_of(results, "a", "vs b", "", "81/1"),
               second = score_of(results, "b", "vs a", "", "81/1");

        if (isnan(games[k].first))
            assert_true(isnan(first) && isnan(second));
        else
            assert_true(first == games[k].first && second == 1.0 - first);
        assay_results_free(results);
        n_written--;
    }
    n_written++;
}

static void opponents_are_averaged_within_an_item(void **state)
{
    assay_results *results = read_log(
        "gpt-4_pair.jsonl", PAIR("b", "model_1", "model_1") PAIR("c", "model_2", "model_2"), NULL);
    size_t n;

    (void)state;
    assert_int_equal(assay_results_n_items(results), 1);
    assert_true(mean_of(results, "a", &n) == 0.5);
    assert_true(mean_of(results, "c", &n) == 1.0);
    assay_results_free(results);
}

/* Counted by eye in the files. */
static void samples_are_read_as_they_are(void **state)
{
    assay_results *results;
    char path[512];
    size_t n;

    (void)state;
    if (!find_sample("synthetic/SYNTHETIC_mtbench_gpt-4_single.jsonl", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_n_items(results), 4);
    assert_coverage(results, 7, 0, 0, 1);
    assert_true(fabs(mean_of(results, "model-a", &n) - (9.0 + 8.0 + 7.5) / 3.0) < 1e-15);
    assert_true(mean_of(results, "model-b", &n) == 7.25);
    assay_results_free(results);
    assert_true(find_sample("synthetic/SYNTHETIC_mtbench_gpt-4_pair.jsonl", path));
    results = read_ok(path, NULL);
    assert_coverage(results, 6, 0, 0, 2);
    assert_true(mean_of(results, "model-a", &n) == 2.0 / 3.0);
    assert_true(fabs(mean_of(results, "model-b", &n) - 1.0 / 3.0) < 1e-15);
    assay_results_free(results);
}

static void a_damaged_file_ends_in_words(void **state)
{
    (void)state;
    cut_anywhere("s.jsonl", SINGLE("gpt-4", "9", "1") SINGLE("claude", "3", "1"));
    assert_true(fail_every_allocation(read_and_free, "s.jsonl") > 20);
    cut_anywhere("p.jsonl", PAIR("b", "model_1", "tie"));
    assert_true(fail_every_allocation(read_and_free, "p.jsonl") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_turn_is_an_item_of_its_question, empty_log_folder),
        cmocka_unit_test_teardown(a_judge_is_a_metric, empty_log_folder),
        cmocka_unit_test_teardown(two_winners_are_a_tie, empty_log_folder),
        cmocka_unit_test_teardown(opponents_are_averaged_within_an_item, empty_log_folder),
        cmocka_unit_test(samples_are_read_as_they_are),
        cmocka_unit_test_teardown(a_damaged_file_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
