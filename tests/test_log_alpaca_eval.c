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

#define ROW(TEXT, ANNOTATOR, PREFERENCE)                                                         \
    "{\"instruction\":\"" TEXT "\",\"dataset\":\"d\",\"output_1\":\"\",\"generator_1\":\"ref\"," \
    "\"output_2\":\"\",\"generator_2\":\"m\",\"annotator\":\"" ANNOTATOR                         \
    "\",\"preference\":" PREFERENCE "}"
#define HELLO "d/2cf24dba5fb0a30e" /* sha256 of hello */

static const struct preference {
    const char *text;
    double score; /* NaN: unscored */
} preferences[] = {
    { "1", 0.0 },   { "2", 1.0 },     { "1.0", 0.0 },   { "1.5", 0.5 },      { "0", 0.5 },
    { "0.0", 0.5 }, { "1.25", 0.25 }, { "null", NAN },  { "NaN", NAN },      { "3", NAN },
    { "-1", NAN },  { "0.5", NAN },   { "\"2\"", NAN }, { "Infinity", NAN },
};

static void t53_a_preference_of_0_is_a_tie_and_none_is_no_loss(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof preferences / sizeof preferences[0]; k++) {
        char text[400];
        assay_results *results;
        double score;

        snprintf(text, sizeof text, "[" ROW("hello", "a", "%s") "]", preferences[k].text);
        results = read_log("annotations.json", text, NULL);
        score = score_of(results, "m", "", "", HELLO);
        if (isnan(preferences[k].score))
            assert_true(isnan(score));
        else
            assert_true(score == preferences[k].score);
        assert_coverage(results, isnan(score) ? 0u : 1u, 0, 0, isnan(score) ? 1u : 0u);
        assert_string_equal(text_of(results, HELLO), "hello");
        assert_string_equal(cluster_of(results, HELLO), "d");
        assay_results_free(results);
        n_written--;
    }
    n_written++;
}

static void an_annotator_is_a_metric(void **state)
{
    static const char text[] = "[" ROW("hello", "a", "1") "," ROW("hello", "b", "2") "]";
    assay_read_options options = defaults();
    assay_results *results = read_log("annotations.json", text, NULL);

    (void)state;
    assert_true(score_of(results, "m", "", "", HELLO) == 0.0);
    assert_true(has_note(results, "scored by \"a\"; --metric chooses another: b"));
    assay_results_free(results);
    options.metric = "b";
    results = read_ok("annotations.json", &options);
    assert_true(score_of(results, "m", "", "", HELLO) == 1.0);
    assay_results_free(results);
    options.metric = "c";
    assert_log_fails("annotations.json", text, &options, ASSAY_E_VALUE,
                     "annotations.json: no score \"c\" (--metric); there are: a, b");
}

/* Percentages as the leaderboard printed them, to its two digits. */
static void t52_t53_samples_give_the_published_win_rates(void **state)
{
    static const struct sample {
        const char *name, *model;
        double percent;
        size_t n;
    } samples[] = {
        { "llama-2-70b-chat-hf__alpaca_eval_gpt4", "llama-2-70b-chat-hf", 92.66, 804 },
        { "cohere__alpaca_eval_gpt4", "cohere", 90.62, 805 },
        { "Mistral-7B-Instruct-v0.2__alpaca_eval_gpt4_turbo_fn", "Mistral-7B-Instruct-v0.2", 15.53,
          805 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        char name[200], path[512];
        assay_results *results;
        size_t n;
        double mean;

        snprintf(name, sizeof name, "alpaca_eval/%s__annotations_all805_textless.json",
                 samples[k].name);
        if (!find_sample(name, path)) skip();
        results = read_ok(path, NULL);
        mean = mean_of(results, samples[k].model, &n);
        assert_true(fabs(100.0 * mean - samples[k].percent) <= 0.005);
        assert_int_equal(n, samples[k].n);
        assert_coverage(results, n, 0, 0, 805 - n);
        assert_int_equal(assay_results_n_items(results), 805);
        assay_results_free(results);
        /* The first 25 with their answers are items of the same names and scores. */
        snprintf(name, sizeof name, "alpaca_eval/%s__annotations_first25.json", samples[k].name);
        assert_true(find_sample(name, path));
        results = read_ok(path, NULL);
        snprintf(name, sizeof name, "alpaca_eval/%s__annotations_all805_textless.json",
                 samples[k].name);
        assert_true(find_sample(name, path));
        assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
        assert_int_equal(assay_results_n_items(results), 805);
        assert_int_equal(assay_results_coverage(results).duplicate, 25);
        assay_results_free(results);
    }
}

static void a_damaged_file_ends_in_words(void **state)
{
    (void)state;
    cut_anywhere("annotations.json", "[" ROW("hello", "a", "1") "," ROW("bye", "b", "2") "]");
    assert_true(fail_every_allocation(read_and_free, "annotations.json") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t53_a_preference_of_0_is_a_tie_and_none_is_no_loss,
                                  empty_log_folder),
        cmocka_unit_test_teardown(an_annotator_is_a_metric, empty_log_folder),
        cmocka_unit_test(t52_t53_samples_give_the_published_win_rates),
        cmocka_unit_test_teardown(a_damaged_file_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
