/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions of OLMES, and the metrics file beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "reading.h"
#include "samples.h"

#define LINES "task-000-arc_easy-predictions.jsonl"
#define BESIDE "task-000-arc_easy-metrics.json"
#define LINE(id, native, metrics)                                                  \
    "{\"doc_id\":" id ",\"native_id\":" native ",\"metrics\":{" metrics "},"       \
    "\"model_output\":[{\"sum_logits\":-3.5}],\"label\":2,\"task_hash\":\"ec82\"," \
    "\"model_hash\":\"5389\"}\n"
#define METRICS "\"predicted_index_raw\":2,\"correct_choice\":2,\"acc_raw\":1,\"acc_per_char\":0"

static void the_primary_metric_scores(void **state)
{
    assay_results *results;

    (void)state;
    write_text(BESIDE, "{\"task_name\":\"arc_easy:mc\",\"task_config\":{\"primary_metric\":"
                       "\"acc_per_char\"},\"model_config\":{\"model\":\"org/m\"},\"metrics\":{}}");
    results = read_ok(write_text(LINES, LINE("0", "\"M_1\"", METRICS)
                                            LINE("1", "\"M_2\"", "\"acc_per_char\":null")
                                                LINE("2", "null", "\"acc_per_char\":1")),
                      NULL);
    assert_true(score_of(results, "org/m", "", "", "arc_easy:mc/M_1") == 0.0);
    assert_true(score_of(results, "org/m", "", "", "arc_easy:mc/2") == 1.0);
    assert_int_equal(assay_results_coverage(results).unscored, 1);
    assert_string_equal(assay_results_item_cluster(results, 0), "arc_easy:mc");
    assert_true(has_note(results, "score = \"acc_per_char\", the primary metric"));
    assay_results_free(results);
}

static void without_it_the_first_score_does(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = read_ok(
        write_text(LINES, LINE("0", "\"M_1\"", METRICS) LINE("1", "\"M_2\"", METRICS)), NULL);

    (void)state;
    assert_true(score_of(results, "5389", "", "", "arc_easy/M_1") == 1.0);
    assert_true(has_note(results, "scored by \"acc_raw\", for no metrics.json beside it names the "
                                  "primary metric; --metric chooses another: acc_per_char"));
    assay_results_free(results);
    options.metric = "acc_per_char";
    results = read_ok(LINES, &options);
    assert_true(score_of(results, "5389", "", "", "arc_easy/M_1") == 0.0);
    assay_results_free(results);
    options.metric = "correct_choice"; /* is no score, but is asked for */
    results = read_ok(LINES, &options);
    assert_true(score_of(results, "5389", "", "", "arc_easy/M_1") == 2.0);
    assay_results_free(results);
}

static void broken_metrics_beside_are_passed_by(void **state)
{
    assay_results *results;

    (void)state;
    write_text(BESIDE, "{\"model_config\":{\"model\":\"org/m\"},\"task_name\":");
    results = read_ok(write_text(LINES, LINE("0", "\"M_1\"", METRICS)), NULL);
    assert_true(score_of(results, "5389", "", "", "arc_easy/M_1") == 1.0);
    assert_true(has_note(results, "passed by: " BESIDE ":1:"));
    assay_results_free(results);
}

static void a_metric_that_is_not_there_is_named(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    options.metric = "f1";
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(
        assay_read(results, write_text(LINES, LINE("0", "\"M_1\"", METRICS)), &options),
        ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), LINES ": no metric \"f1\" (--metric); there are: "
                                                  "acc_raw, acc_per_char");
    assay_results_free(results);
}

static void what_holds_no_scores_of_items_is_refused(void **state)
{
    (void)state;
    assert_fails("{\"task_name\":\"a\",\"task_hash\":\"x\",\"model_config\":{},\"task_config\":{},"
                 "\"metrics\":{\"acc_raw\":0.5}}\n",
                 NULL, ASSAY_E_FORMAT,
                 "f.csv: metrics of OLMES, which are means of tasks and no items; give the "
                 "task-NNN-TASK-predictions.jsonl of the same run");
    assert_fails("{\"request_type\":\"loglikelihood\",\"doc\":{\"query\":\"q\"},\"request\":"
                 "{\"context\":\"c\"},\"idx\":0,\"task_name\":\"a\",\"doc_id\":0,"
                 "\"native_id\":\"M_1\",\"label\":3}\n",
                 NULL, ASSAY_E_FORMAT,
                 "f.csv: what OLMES sent to the model (requests, recorded inputs), which holds no "
                 "scores; give the task-NNN-TASK-predictions.jsonl of the same run");
    assert_fails("{\"doc\":{\"query\":\"q\"},\"task_name\":\"a\",\"doc_id\":0,\"native_id\":\"M\","
                 "\"requests\":[]}\n",
                 NULL, ASSAY_E_FORMAT,
                 "f.csv: what OLMES sent to the model (requests, recorded inputs), which holds no "
                 "scores; give the task-NNN-TASK-predictions.jsonl of the same run");
}

static assay_status read_some(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = assay_read(results, context, NULL);
    assay_results_free(results);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[] = LINES;

    (void)state;
    write_text(BESIDE, "{\"task_name\":\"t\",\"model_config\":{\"model\":\"m\"}}");
    write_text(path, LINE("0", "\"M_1\"", METRICS));
    assert_true(fail_every_allocation(read_some, path) > 20);
}

static void samples_are_read_as_they_are(void **state)
{
    assay_results *results;
    char path[512];

    (void)state;
    if (!find_sample("synthetic/SYNTHETIC_olmes_task-000-arc_challenge-predictions.jsonl", path))
        skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).used, 3);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_true(score_of(results, "5389d94da3a4", "", "", "arc_challenge/Mercury_7175875") == 1.0);
    assert_true(score_of(results, "5389d94da3a4", "", "", "arc_challenge/Mercury_7175877") == 0.0);
    assay_results_free(results);
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_primary_metric_scores),           TEST(without_it_the_first_score_does),
        TEST(a_metric_that_is_not_there_is_named), TEST(what_holds_no_scores_of_items_is_refused),
        TEST(broken_metrics_beside_are_passed_by), TEST(every_allocation_may_fail),
        TEST(samples_are_read_as_they_are),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
