/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of HELM's runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"
#include "samples.h"

#define STAT(metric, split, value)                                                           \
    "{\"name\":{\"name\":\"" metric "\",\"split\":\"" split "\"},\"count\":1,\"sum\":" value \
    ",\"mean\":" value "}"
#define ROW(id, stats) "{\"instance_id\":\"" id "\",\"train_trial_index\":0,\"stats\":[" stats "]}"
#define NAME "mmlu:subject=law,method=multiple_choice_joint,model=o_m"

static const char run_spec[] =
    "{\"name\":\"" NAME "\",\"scenario_spec\":{\"class_name\":\"S\",\"args\":{}},"
    "\"adapter_spec\":{\"method\":\"multiple_choice_joint\",\"model\":\"o/m\"}}";

/* Rows of metrics' groups, two splits. */
static const char scores[] = "[" ROW(
    "id1",
    STAT("num_prompt_tokens", "test", "300") "," STAT(
        "quasi_exact_match", "test",
        "1")) "," ROW("id1",
                      STAT("exact_match", "test",
                           "1")) "," ROW("id2",
                                         STAT("exact_match", "test",
                                              "0")) "," ROW("id2",
                                                            STAT("inference_runtime", "test",
                                                                 "0.5")) "," ROW("id3",
                                                                                 STAT("exact_match",
                                                                                      "valid",
                                                                                      "1")) "]";

static void make_run(const char *stats)
{
    assert_int_equal(mkdir("run", 0777), 0);
    write_text("run/per_instance_stats.json", stats);
    write_text("run/run_spec.json", run_spec);
}

static void remove_run(void)
{
    empty_folder(NULL);
    assert_int_equal(rmdir("run"), 0);
}

static size_t n_scored(const assay_results *results)
{
    return (size_t)assay_results_coverage(results).used;
}

/* The scores stand for themselves; the state of the scenario serves for the instances. */
static void what_is_broken_beside_the_scores_is_passed_by(void **state)
{
    assay_results *results;

    (void)state;
    make_run(scores);
    write_text("run/run_spec.json", "{\"name\":\"" NAME "\",");
    write_text("run/instances.json", "[{\"id\":");
    write_text(
        "run/scenario_state.json",
        "{\"adapter_spec\":{\"model\":\"o/m\"},\"request_states\":[{\"instance\":{\"id\":\"id1\","
        "\"input\":{\"text\":\"Q1\"}}}]}");
    results = read_ok("run/per_instance_stats.json", NULL);
    assert_int_equal(n_scored(results), 2);
    assert_true(has_note(results, "passed by: run/run_spec.json:1:"));
    assert_true(has_note(results, "passed by: run/instances.json:1:"));
    assert_string_equal(assay_results_model(results, 0), "o/m");
    assert_string_equal(
        assay_results_item_text(results, find(2, assay_results_item, results, "run/id1")), "Q1");
    assay_results_free(results);
    remove_run();
}

static void t67_rows_of_an_instance_are_one(void **state)
{
    assay_results *results;

    (void)state;
    make_run(scores);
    results = read_ok("run/per_instance_stats.json", NULL);
    assert_int_equal(n_scored(results), 2);
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(score_of(results, "o/m", "method=multiple_choice_joint", "0",
                         "mmlu:subject=law/id1") == 1.0);
    assert_true(score_of(results, "o/m", "method=multiple_choice_joint", "0",
                         "mmlu:subject=law/id2") == 0.0);
    assert_string_equal(assay_results_item_cluster(results, 0), "mmlu:subject=law");
    assert_true(has_note(results, "score = exact_match, split = test"));
    assert_true(has_note(results, "--metric chooses another score: quasi_exact_match"));
    assay_results_free(results);
    remove_run();
}

static void t65_splits_are_not_mixed(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    make_run(scores);
    results = read_ok("run", NULL);
    assert_int_equal(n_scored(results), 2);
    assert_true(has_note(results, "instances of other splits, which --filter chooses, left out: 1 "
                                  "(valid)"));
    assay_results_free(results);
    options.filter = "valid";
    results = read_ok("run", &options);
    assert_int_equal(n_scored(results), 1);
    assert_string_equal(assay_results_item(results, 0), "mmlu:subject=law/id3");
    assay_results_free(results);
    options.filter = "train";
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, "run/per_instance_stats.json", &options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "run/per_instance_stats.json: no split \"train\" "
                                            "(--filter); there are: test, valid");
    assay_results_free(results);
    remove_run();
}

/* As for medical scenarios, say, whose splits are all "valid". */
static void without_a_test_split_valid_serves(void **state)
{
    assay_results *results;

    (void)state;
    results = read_text("[" ROW("id1", STAT("exact_match", "train", "0")) "," ROW(
                            "id2", STAT("exact_match", "valid", "1")) "]",
                        NULL);
    assert_int_equal(n_scored(results), 1);
    assert_true(score_of(results, "t.csv", "", "0", "id2") == 1.0);
    assay_results_free(results);
}

static void a_metric_names_a_statistic(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.metric = "quasi_exact_match";
    results = read_text(scores, &options);
    assert_int_equal(n_scored(results), 1);
    assert_int_equal(assay_results_coverage(results).unscored, 1); /* id2 has none */
    assay_results_free(results);
    options.metric = "f1";
    assert_fails(
        scores, &options, ASSAY_E_VALUE,
        "f.csv: no statistic \"f1\" (--metric); there are: quasi_exact_match, exact_match");
    assert_fails("[" ROW("id1", STAT("num_bytes", "test", "3")) "]", NULL, ASSAY_E_FORMAT,
                 "f.csv: statistics of a HELM run, of which none is a score; --metric names one");
}

static void a_statistic_of_nothing_is_missing(void **state)
{
    assay_results *results = read_text(
        "[{\"instance_id\":\"a\",\"stats\":[{\"name\":{\"name\":\"f1_score\"},\"count\":0,"
        "\"sum\":0}]},{\"instance_id\":\"b\",\"stats\":[{\"name\":{\"name\":\"f1_score\"},"
        "\"count\":2,\"sum\":1}]}]",
        NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).missing, 1);
    assert_true(score_of(results, "t.csv", "", "", "b") == 0.5); /* sum / count */
    assay_results_free(results);
}

static void perturbations_are_templates_and_trials_runs(void **state)
{
    static const char rows[] = "[{\"instance_id\":\"a\",\"train_trial_index\":0,\"stats\":[" STAT(
        "exact_match", "test",
        "1") "]},{\"instance_id\":\"a\",\"perturbation\":{\"name\":"
             "\"typos\",\"prob\":0.1},\"train_trial_index\":0,"
             "\"stats\":[" STAT(
                 "exact_match", "test",
                 "0") "]},"
                      "{\"instance_id\":\"a\",\"train_trial_index\":1,\"stats\":[" STAT(
                          "exact_match", "test", "0") "]}]";
    assay_results *results;

    (void)state;
    results = read_text(rows, NULL);
    assert_int_equal(assay_results_n_items(results), 1);
    assert_true(score_of(results, "t.csv", "", "0", "a") == 1.0);
    assert_true(score_of(results, "t.csv", "typos", "0", "a") == 0.0);
    assert_true(score_of(results, "t.csv", "", "1", "a") == 0.0);
    assay_results_free(results);
}

/* The model is in the name of the folder, the main metric goes by the scenario. */
static void without_its_run_spec_a_folder_says_the_name(void **state)
{
    assay_results *results;

    (void)state;
    assert_int_equal(mkdir("boolq:model=x_y", 0777), 0);
    write_text("boolq:model=x_y/per_instance_stats.json",
               "[" ROW("id1", STAT("exact_match", "test", "0") "," STAT("quasi_exact_match", "test",
                                                                        "1")) "]");
    write_text("boolq:model=x_y/scenario_state.json",
               "{\"adapter_spec\":{\"method\":\"generation\"},\"request_states\":[{\"instance\":{"
               "\"input\":{\"text\":\"Is it?\"},\"references\":[],\"split\":\"test\",\"id\":"
               "\"id1\"}},{\"instance\":{\"input\":{\"text\":\"Iss it?\"},\"perturbation\":{"
               "\"name\":\"typos\"},\"id\":\"id1\"}}]}");
    results = read_ok("boolq:model=x_y", NULL);
    assert_true(score_of(results, "x_y", "", "0", "boolq/id1") == 1.0);
    assert_string_equal(assay_results_item_text(results, 0), "Is it?");
    assert_true(has_note(results, "left out: boolq:model=x_y/scenario_state.json: HELM's "
                                  "scenario_state.json, which holds requests and answers and no "
                                  "scores; give per_instance_stats.json, or the run's folder"));
    assay_results_free(results);
    empty_folder(NULL);
    assert_int_equal(rmdir("boolq:model=x_y"), 0);
}

static void predictions_serve_where_no_statistics_are(void **state)
{
    static const char predictions[] =
        "[{\"instance_id\":\"id1\",\"train_trial_index\":0,\"predicted_text\":\"B\",\"stats\":{"
        "\"num_output_tokens\":1,\"exact_match\":1.0}}]";
    static const char instances[] =
        "[{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Which?\"}]},\"references\":"
        "[],\"split\":\"valid\",\"id\":\"id1\"}]";
    assay_results *results;

    (void)state;
    assert_int_equal(mkdir("run", 0777), 0);
    write_text("run/display_predictions.json", predictions);
    write_text("run/instances.json", instances);
    results = read_ok("run", NULL);
    assert_int_equal(n_scored(results), 1);
    assert_string_equal(assay_results_item_text(results, 0), "Which?");
    assert_string_equal(assay_results_model(results, 0), "run");
    assert_true(has_note(results, "split = valid"));
    assay_results_free(results);
    write_text("run/per_instance_stats.json", scores);
    results = read_ok("run", NULL);
    assert_int_equal(n_scored(results), 2);
    assert_true(has_note(results, "HELM's display_predictions.json, whose scores stand in"));
    assay_results_free(results);
    remove_run();
}

static void companions_are_refused_by_name(void **state)
{
    static const struct {
        const char *text, *name;
    } files[] = {
        { run_spec, "run_spec.json" },
        { "[{\"name\":{\"name\":\"exact_match\",\"split\":\"test\"},\"count\":1,\"sum\":1,"
          "\"sum_squared\":1}]",
          "stats.json" },
        { "[{\"input\":{\"text\":\"?\"},\"references\":[],\"split\":\"test\",\"id\":\"id1\"}]",
          "instances.json" },
        { "[{\"instance_id\":\"id1\",\"train_trial_index\":0,\"request\":{}}]",
          "display_requests.json" },
        { "{\"name\":\"mmlu\",\"description\":\"d\",\"tags\":[],\"definition_path\":\"p\"}",
          "scenario.json" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        const char *path = write_text("f.json", files[k].text);
        assay_results *results = NULL;
        char begin[64];

        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
        snprintf(begin, sizeof begin, "f.json: HELM's %s, which", files[k].name);
        assert_memory_equal(assay_last_error(), begin, strlen(begin));
        assert_non_null(strstr(assay_last_error(), "; give per_instance_stats.json"));
        assay_results_free(results);
        empty_folder(NULL);
    }
}

static void samples_are_read_as_a_tree(void **state)
{
    char path[512];
    assay_results *results;
    double score, sum = 0.0;

    (void)state;
    if (!find_sample("helm", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(n_scored(results), 17); /* 4 models on 2 instances, gpt2 on 9 of test */
    assert_int_equal(assay_results_coverage(results).rows, 17);
    assert_int_equal(assay_results_n_models(results), 5);
    assert_int_equal(assay_results_n_items(results), 11);
    assert_true(has_note(results, "left out: 1 (valid)"));
    for (size_t r = 0; r < assay_results_n_records(results); r++)
        for (size_t i = 0; i < assay_results_n_items(results); i++)
            if (assay_results_cell(results, r, i, &score) == ASSAY_SCORED) sum += score;
    assert_true(sum == 3.75); /* sst_score 1, 1, .75 and zeros; exact_match of id222 */
    assert_true(score_of(results, "meta/llama-3-8b", "", "0", "simple_safety_tests/id26") == 0.75);
    assert_true(score_of(results, "openai/gpt2", "method=multiple_choice_joint", "0",
                         "mmlu:subject=philosophy/id222") == 1.0);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t67_rows_of_an_instance_are_one, empty_folder),
        cmocka_unit_test_teardown(what_is_broken_beside_the_scores_is_passed_by, empty_folder),
        cmocka_unit_test_teardown(t65_splits_are_not_mixed, empty_folder),
        cmocka_unit_test_teardown(without_a_test_split_valid_serves, empty_folder),
        cmocka_unit_test_teardown(a_metric_names_a_statistic, empty_folder),
        cmocka_unit_test_teardown(a_statistic_of_nothing_is_missing, empty_folder),
        cmocka_unit_test_teardown(perturbations_are_templates_and_trials_runs, empty_folder),
        cmocka_unit_test_teardown(without_its_run_spec_a_folder_says_the_name, empty_folder),
        cmocka_unit_test_teardown(predictions_serve_where_no_statistics_are, empty_folder),
        cmocka_unit_test_teardown(companions_are_refused_by_name, empty_folder),
        cmocka_unit_test_teardown(samples_are_read_as_a_tree, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
