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

#define NAME "out/20250101_000000/results/m-7b/gsm8k.json"

static const char details[] =
    "{\"accuracy\":50.0,\"details\":{\"type\":\"GEN\",\"0\":{\"prompt\":\"p0\","
    "\"origin_prediction\":\"A\",\"predictions\":\"A\",\"references\":\"A\",\"correct\":true},"
    "\"1\":{\"prompt\":[{\"role\":\"HUMAN\",\"prompt\":\"q\"},{\"role\":\"BOT\",\"prompt\":\"a\"},"
    "{\"role\":\"HUMAN\",\"prompt\":\"last\"},{\"role\":\"BOT\",\"prompt\":\"\"}],"
    "\"predictions\":\"B\",\"references\":\"C\",\"correct\":false},"
    "\"2\":{\"predictions\":\"B\",\"references\":\"C\",\"correct\":null},"
    "\"3\":{\"predictions\":\"B\",\"references\":\"C\"}}}";

static void details_are_items_of_the_dataset(void **state)
{
    assay_results *results = read_log(NAME, details, NULL);

    (void)state;
    assert_true(score_of(results, "m-7b", "", "", "gsm8k/0") == 1.0);
    assert_true(score_of(results, "m-7b", "", "", "gsm8k/1") == 0.0);
    assert_string_equal(text_of(results, "gsm8k/0"), "p0");
    assert_string_equal(text_of(results, "gsm8k/1"), "last");
    assert_string_equal(cluster_of(results, "gsm8k/1"), "gsm8k");
    assert_coverage(results, 2, 0, 0, 2);
    assay_results_free(results);
}

static void replicas_are_runs(void **state)
{
    assay_results *results = read_log(
        NAME,
        "{\"accuracy (2 runs average)\":50.0,\"details\":[{\"example_abbr\":\"aime_0\","
        "\"pred\":[\"1\",\"2\"],\"answer\":[\"1\",\"1\"],\"correct\":[true,false],\"G-Pass@2\":1},"
        "{\"pred\":[\"1\"],\"answer\":[\"1\"],\"correct\":[\"x\",true]}]}",
        NULL);

    (void)state;
    assert_true(score_of(results, "m-7b", "", "1", "gsm8k/aime_0") == 1.0);
    assert_true(score_of(results, "m-7b", "", "2", "gsm8k/aime_0") == 0.0);
    assert_true(score_of(results, "m-7b", "", "2", "gsm8k/1") == 1.0); /* by its place */
    assert_coverage(results, 3, 0, 0, 1);
    assay_results_free(results);
}

static void several_verdicts_are_metrics(void **state)
{
    static const char text[] =
        "{\"details\":{\"type\":\"PPL\",\"0\":{\"pred\":\"A\",\"refr\":\"A\",\"is_correct\":true,"
        "\"cascade_correct\":false,\"label: A\":{\"PPL\":1.5}}}}";
    assay_read_options options = defaults();
    assay_results *results = read_log(NAME, text, NULL);

    (void)state;
    assert_true(score_of(results, "m-7b", "", "", "gsm8k/0") == 1.0);
    assert_true(
        has_note(results, "scored by \"is_correct\"; --metric chooses another: cascade_correct"));
    assay_results_free(results);
    options.metric = "cascade_correct";
    results = read_log(NAME, text, &options);
    assert_true(score_of(results, "m-7b", "", "", "gsm8k/0") == 0.0);
    assay_results_free(results);
    options.metric = "correct";
    assert_log_fails(NAME, text, &options, ASSAY_E_VALUE,
                     NAME ": no score \"correct\" (--metric); there are: is_correct, "
                          "cascade_correct");
}

static void parts_of_a_dataset_are_one_task(void **state)
{
    static const char part[] = "{\"details\":{\"type\":\"GEN\",\"0\":{\"predictions\":\"A\","
                               "\"references\":\"A\",\"correct\":true}}}";
    assay_results *results;

    (void)state;
    write_log("results/m/mmlu_1.json", part);
    results = read_log("results/m/mmlu_0.json", part, NULL);
    assert_int_equal(assay_read(results, "results/m/mmlu_1.json", NULL), ASSAY_OK);
    assert_true(score_of(results, "m", "", "", "mmlu/0/0") == 1.0);
    assert_true(score_of(results, "m", "", "", "mmlu/1/0") == 1.0);
    assert_string_equal(cluster_of(results, "mmlu/1/0"), "mmlu");
    assay_results_free(results);
    results = read_log("results/m/level_3.json", part, NULL); /* alone, it is called so */
    assert_true(score_of(results, "m", "", "", "level_3/0") == 1.0);
    assay_results_free(results);
}

static void what_holds_no_verdicts_is_refused_by_name(void **state)
{
    (void)state;
    assert_log_fails(NAME, "{\"accuracy\":66.67}", NULL, ASSAY_E_FORMAT,
                     NAME ": OpenCompass results without details: means in percent, from which no "
                          "analysis of items follows; run the evaluation with "
                          "--dump-eval-details");
    assert_log_fails("x.json", "{\"accuracy (4 runs average)\":66.67}", NULL, ASSAY_E_FORMAT,
                     "x.json: OpenCompass results without details: means in percent, from which "
                     "no analysis of items follows; run the evaluation with --dump-eval-details");
    assert_log_fails(
        "predictions/m/gsm8k.json",
        "{\"0\":{\"origin_prompt\":\"q\",\"prediction\":\"a\",\"gold\":\"b\"}}", NULL,
        ASSAY_E_FORMAT,
        "predictions/m/gsm8k.json: OpenCompass predictions: answers without their scores; give "
        "results/MODEL/DATASET.json of a run with --dump-eval-details");
    assert_log_fails(NAME,
                     "{\"details\":{\"type\":\"GEN\",\"0\":{\"predictions\":\"A\",\"references\":"
                     "\"A\"}}}",
                     NULL, ASSAY_E_FORMAT,
                     NAME ": no detail (of 1) says whether it is correct, so that only the "
                          "mean is known; use an evaluator that does");
}

static void rows_of_numbers_are_no_mean(void **state)
{
    assay_results *results =
        read_log("results/m/x.json", "{\"id\":1,\"score\":1}\n{\"id\":2,\"score\":0}\n", NULL);

    (void)state;
    assert_coverage(results, 2, 0, 0, 0);
    assay_results_free(results);
}

static void samples_are_read_or_refused(void **state)
{
    static const char *const refused[][2] = {
        { "opencompass/20231208_194351/predictions/baichuan2-7b-chat-hf/COREV2_6A_.json",
          "OpenCompass predictions" },
        { "opencompass/20231208_194351/predictions/qwen-7b-chat-hf/COREV2_6A_.json",
          "OpenCompass predictions" },
        { "opencompass/20231208_194351/results/baichuan2-7b-chat-hf_qwen-7b-chat-hf/"
          "COREV2_6A_.json",
          "OpenCompass judgments" },
    };
    assay_results *results;
    char path[512];
    size_t n;

    (void)state;
    if (!find_sample("synthetic/SYNTHETIC_opencompass_results_dict.json", path)) skip();
    results = read_ok(path, NULL);
    assert_true(mean_of(results, path, &n) == 2.0 / 3.0);
    assert_int_equal(n, 3);
    assay_results_free(results);
    assert_true(find_sample("synthetic/SYNTHETIC_opencompass_results_4runs.json", path));
    results = read_ok(path, NULL);
    assert_true(mean_of(results, path, &n) == 5.0 / 8.0);
    assert_int_equal(n, 8);
    assert_int_equal(assay_results_n_items(results), 2);
    assay_results_free(results);
    for (size_t k = 0; k < 3; k++) {
        assert_true(find_sample(refused[k][0], path));
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
        assert_non_null(strstr(assay_last_error(), refused[k][1]));
        assay_results_free(results);
    }
}

static void a_damaged_file_ends_in_words(void **state)
{
    (void)state;
    cut_anywhere(NAME, details);
    assert_true(fail_every_allocation(read_and_free, NAME) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(details_are_items_of_the_dataset, empty_log_folder),
        cmocka_unit_test_teardown(replicas_are_runs, empty_log_folder),
        cmocka_unit_test_teardown(several_verdicts_are_metrics, empty_log_folder),
        cmocka_unit_test_teardown(parts_of_a_dataset_are_one_task, empty_log_folder),
        cmocka_unit_test_teardown(what_holds_no_verdicts_is_refused_by_name, empty_log_folder),
        cmocka_unit_test_teardown(rows_of_numbers_are_no_mean, empty_log_folder),
        cmocka_unit_test(samples_are_read_or_refused),
        cmocka_unit_test_teardown(a_damaged_file_ends_in_words, empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
