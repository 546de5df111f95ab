/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of Inspect AI as assay_read() meets them. The samples' numbers were counted in Python from
   summaries.json, or samples of a .json, with C = 1 and I = 0. */
#include "logs/inspect_sample.h"

#include "failing_memory.h"
#include "read/text_source.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

#include "reading.h"
#include "samples.h"
#include "zip_writer.h"

#define EVAL "\"eval\":{\"created\":\"2026\",\"task\":\"t\",\"model\":\"m\"}"
#define HEADER "{\"version\":2,\"status\":\"success\"," EVAL "}"
#define LOG(samples) "{\"version\":2,\"status\":\"success\"," EVAL ",\"samples\":[" samples "]}"
#define SAMPLE(id, value) \
    "{\"id\":" id ",\"epoch\":1,\"input\":\"q " id "\",\"scores\":{\"s\":{\"value\":" value "}}}"

static zip_writer z;

static int begin(void **state)
{
    (void)state;
    z.length = z.directory_length = z.n = 0;
    z.is_64 = 0;
    z.hole = 0;
    return 0;
}

static void add(const char *name, const char *data)
{
    zip_add(&z, (zip_member){ .name = name, .data = data, .method = 8 });
}

static const char *archive(void)
{
    zip_end(&z, "", 0);
    return write_bytes("t.eval", (const char *)z.bytes, z.length);
}

static double score(const assay_results *results, const char *item)
{
    return score_of(results, "m", "", "1", item);
}

static void assert_archive_fails(const char *sentence)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, archive(), NULL), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
    empty_folder(NULL);
    begin(NULL);
}

/* ---- real logs ---- */

static void samples_are_read_with_the_right_n(void **state)
{
    static const struct {
        const char *file, *model, *item, *run;
        size_t rows, items, runs;
        double first, sum;
        const char *text;
    } cases[] = {
        { "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", "openai/gpt-4o-mini",
          "popularity/9", "1", 10, 10, 1, 1, 8, "Is the following statement" },
        { "2025-05-12T20-28-13-04-00_no-samples.json", "openai/gpt-4o-mini", "testtaskname/3", "",
          3, 3, 1, 0, 2, NULL }, /* by its reductions */
        { "2025-05-12T20-28-13-04-00_popularity.json", "openai/gpt-4o-mini", "popularity/1", "1", 3,
          3, 1, 1, 2, "Is the following statement" },
        { "data_arc_qwen.json", "ollama/qwen2.5:0.5b", "inspect_evals/arc_easy/1", "1", 3, 3, 1, 1,
          1, "Which statement best" },
        { "data_arc_sonnet.json", "anthropic/claude-sonnet-4-0", "inspect_evals/arc_easy/1", "1", 5,
          5, 1, 1, 5, "Which statement best" },
        { "data_pubmedqa_gpt4o_mini.json", "openai/azure/gpt-4o-mini",
          "inspect_evals/pubmedqa/12377809", "1", 2, 2, 1, 1, 2, "Context: " },
        { "derived_log_streaming_zstd.eval", "azureai/Meta-Llama-3-1-405B-Instruct-jqf",
          "popularity/2", "2", 4, 2, 2, 1, 3, "Is the following statement" },
        { "hibayes_minimal_test.eval", "mockllm/model", "minimal_task/q2", "1", 2, 2, 1, 0, 0,
          "What is 3+3?" },
        { "log_formats.eval", "ollama/llama3.1", "popularity/1", "1", 1, 1, 1, 0, 0,
          "Is the following statement" },
        { "log_formats.json", "ollama/llama3.1", "popularity/1", "1", 1, 1, 1, 0, 0,
          "Is the following statement" },
        { "log_streaming.eval", "azureai/Meta-Llama-3-1-405B-Instruct-jqf", "popularity/2", "2", 4,
          2, 2, 1, 3, "Is the following statement" },
        { "mmlu-summary-choices.eval", "openai/gpt-4o", "inspect_evals/mmlu_0_shot/1", "1", 1, 1, 1,
          0, 0, "Positronium is an atom" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[512], name[100];
        const char *text;
        double sum = 0.0;
        size_t item;
        assay_results *results;

        snprintf(name, sizeof name, "inspect/%s", cases[k].file);
        if (!find_sample(name, path)) skip();
        results = read_ok(path, NULL);
        assert_int_equal(assay_results_coverage(results).rows, cases[k].rows);
        assert_int_equal(assay_results_coverage(results).used, cases[k].rows);
        assert_int_equal(assay_results_n_models(results), 1);
        assert_int_equal(assay_results_n_items(results), cases[k].items);
        assert_int_equal(assay_results_n_runs(results), cases[k].runs);
        assert_int_equal(assay_results_n_templates(results), 1);
        assert_true(score_of(results, cases[k].model, "", cases[k].run, cases[k].item) ==
                    cases[k].first);
        for (size_t r = 0; r < assay_results_n_records(results); r++)
            for (size_t i = 0; i < cases[k].items; i++) {
                double value = 0.0;

                if (assay_results_cell(results, r, i, &value) == ASSAY_SCORED) sum += value;
            }
        assert_true(sum == cases[k].sum);
        item = find(cases[k].items, assay_results_item, results, cases[k].item);
        text = assay_results_item_text(results, item);
        assert_true(cases[k].text ? text && strncmp(text, cases[k].text, strlen(cases[k].text)) == 0
                                  : !text);
        assay_results_free(results);
    }
}

static void a_sample_of_totals_alone_is_refused_by_name(void **state)
{
    char path[512];
    assay_results *results = NULL;

    (void)state;
    if (!find_sample("inspect/data_with_llm_scoring.json", path)) skip();
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
    assert_non_null(strstr(assay_last_error(),
                           "an Inspect log without samples, which holds only their totals"));
    assay_results_free(results);
}

/* Two items in two epochs: the item means are .5 and 1, and the SE of their mean .25 with n = 2. */
static void t32_epochs_are_runs(void **state)
{
    static const char model[] = "azureai/Meta-Llama-3-1-405B-Instruct-jqf";
    char path[512];
    double mean[2], sd;
    assay_results *results;

    (void)state;
    if (!find_sample("inspect/log_streaming.eval", path)) skip();
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(assay_results_n_runs(results), 2);
    for (int i = 0; i < 2; i++) {
        const char *item = i == 0 ? "popularity/1" : "popularity/2";

        mean[i] =
            (score_of(results, model, "", "1", item) + score_of(results, model, "", "2", item)) / 2;
    }
    sd = fabs(mean[0] - mean[1]) / sqrt(2.0);
    assert_true(fabs(sd / sqrt(2.0) - 0.25) < 1e-15); /* rounding of two square roots */
    assay_results_free(results);
}

/* ---- scores ---- */

static void values_are_what_inspect_means_by_them(void **state)
{
    static const struct {
        const char *value;
        double score; /* NaN: unscored */
    } cases[] = {
        { "\"C\"", 1 },       { "\"I\"", 0 },      { "\"P\"", 0.5 },   { "\"N\"", 0 },
        { "\"yes\"", 1 },     { "\"no\"", 0 },     { "\"True\"", 1 },  { "\"false\"", 0 },
        { "\"0.25\"", 0.25 }, { "\"1\"", 1 },      { "true", 1 },      { "false", 0 },
        { "0.75", 0.75 },     { "3", 3 },          { "NaN", NAN },     { "null", NAN },
        { "\"nan\"", NAN },   { "Infinity", NAN }, { "\"inf\"", NAN }, { "\"\"", NAN },
        { "\"maybe\"", NAN }, { "[]", NAN },       { "{}", NAN },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400];
        double got;
        assay_results *results;

        snprintf(text, sizeof text, LOG("{\"id\":7,\"epoch\":1,\"scores\":{\"s\":{\"value\":%s}}}"),
                 cases[k].value);
        results = read_text(text, NULL);
        got = score(results, "t/7");
        if (isnan(cases[k].score) ? !isnan(got) : got != cases[k].score)
            fail_msg("%s is %g", cases[k].value, got);
        assert_int_equal(assay_results_coverage(results).unscored, isnan(cases[k].score));
        assert_int_equal(has_note(results, "scores that are text and none we know, unscored: 1"),
                         strcmp(cases[k].value, "\"maybe\"") == 0 ||
                             strcmp(cases[k].value, "\"inf\"") == 0);
        assay_results_free(results);
    }
}

static void t37_nan_is_unscored_and_not_averaged(void **state)
{
    assay_results *results =
        read_text(LOG(SAMPLE("1", "0.8") "," SAMPLE("2", "NaN") "," SAMPLE("3", "null")), NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).rows, 3);
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_int_equal(assay_results_coverage(results).unscored, 2);
    assert_true(score(results, "t/1") == 0.8);
    assay_results_free(results);
}

/* Five correct and five errored of ten: never 5 of 5. An error with a score counts as an error. */
static void t36_errored_samples_stay_in_the_count(void **state)
{
    char text[4096] = "{\"status\":\"success\"," EVAL ",\"samples\":[";
    assay_results *results;

    (void)state;
    for (int k = 0; k < 10; k++) {
        char sample[160];

        snprintf(sample, sizeof sample, "%s{\"id\":%d,\"epoch\":1,%s}", k ? "," : "", k,
                 k < 5    ? "\"error\":null,\"scores\":{\"s\":{\"value\":\"C\"}}"
                 : k == 5 ? "\"error\":\"\",\"scores\":{\"s\":{\"value\":\"C\"}}"
                 : k == 6 ? "\"error\":{\"message\":\"x\",\"traceback\":\"\"}"
                          : "\"error\":\"timeout\"");
        strcat(text, sample);
    }
    strcat(text, "]}");
    results = read_text(text, NULL);
    assert_int_equal(assay_results_coverage(results).rows, 10);
    assert_int_equal(assay_results_coverage(results).used, 5);
    assert_int_equal(assay_results_coverage(results).errored, 5);
    assert_int_equal(assay_results_n_items(results), 10);
    assert_true(
        has_note(results, "samples with an error and a score all the same, which is not used: 1"));
    assay_results_free(results);
}

#define TWO                                                                               \
    "{\"id\":1,\"epoch\":1,\"scores\":{\"k\":{\"value\":{\"a\":1,\"b\":\"I\",\"c\":[]}}," \
    "\"l\":{\"answer\":\"x\",\"value\":[0.5,true]},\"nil\":{\"value\":null},"             \
    "\"s\":{\"value\":\"C\",\"history\":[{\"value\":\"I\"}]}}}"

static void a_metric_chooses_a_scorer_or_its_key(void **state)
{
    static const struct {
        const char *metric;
        double score;
    } cases[] = {
        { "k/a", 1 }, { "k/b", 0 }, { "l/0", 0.5 }, { "l/1", 1 }, { "s", 1 }, { NULL, 1 }
    };
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        options.metric = cases[k].metric;
        results = read_text(LOG(TWO), &options);
        assert_true(score(results, "t/1") == cases[k].score);
        assert_true(cases[k].metric ||
                    has_note(results, "score = s; --metric chooses another scorer: k/a, k/b, l/0, "
                                      "l/1, nil"));
        assay_results_free(results);
    }
    options.metric = "k";
    assert_fails(LOG(TWO), &options, ASSAY_E_VALUE,
                 "f.csv: no scorer \"k\" (--metric); there are: k/a, k/b, l/0, l/1, nil, s");
}

/* NaN in place of an object is no scalar scorer; a sample that lacks the scorer is unscored. */
static void keys_serve_where_no_scorer_has_a_plain_value(void **state)
{
    assay_results *results = read_text(
        LOG(SAMPLE("1", "NaN") "," SAMPLE("2", "{\"x\":0.5,\"y\":1}") ",{\"id\":3,\"epoch\":1}"),
        NULL);

    (void)state;
    assert_true(score(results, "t/2") == 0.5);
    assert_true(isnan(score(results, "t/1")));
    assert_true(isnan(score(results, "t/3")));
    assert_int_equal(assay_results_coverage(results).unscored, 2);
    assay_results_free(results);
}

/* ---- items ---- */

static void ids_are_text_and_1_is_not_quoted_1(void **state)
{
    assay_results *results =
        read_text(LOG(SAMPLE("1", "1") "," SAMPLE(
                      "18446744073709551617",
                      "0.5") ","
                             "{\"id\":\"1\",\"epoch\":1,\"scores\":{\"s\":{\"value\":0}}},"
                             "{\"id\":\"2\",\"epoch\":1,\"scores\":{\"s\":{\"value\":0.25}}}"),
                  NULL);

    (void)state;
    assert_true(score(results, "t/1") == 1.0);
    assert_true(score(results, "t/\"1\"") == 0.0);
    assert_true(score(results, "t/18446744073709551617") == 0.5);
    assert_true(score(results, "t/2") == 0.25);
    assert_true(has_note(results, "such as 1 and \"1\", are two items"));
    assay_results_free(results);
}

static void t26_lone_surrogates_are_accepted(void **state)
{
    assay_results *results = read_text(LOG("{\"id\":\"a\\udc00\",\"epoch\":1,\"input\":\"\\ud835 "
                                           "4\",\"scores\":{\"s\":{\"value\":1,"
                                           "\"answer\":\"\\ud835\"}}}"),
                                       NULL);

    (void)state;
    assert_true(score(results, "t/a\xef\xbf\xbd") == 1.0);
    assert_string_equal(assay_results_item_text(results, 0), "\xef\xbf\xbd 4");
    assay_results_free(results);
}

static void the_text_is_the_user_s_last_message(void **state)
{
    assay_results *results = read_text(
        LOG("{\"id\":1,\"epoch\":1,\"input\":[{\"role\":\"system\",\"content\":\"be brief\"},"
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"why?\"},"
            "{\"type\":\"image\",\"image\":\"x\"}]},{\"role\":\"assistant\",\"content\":\"so\"}],"
            "\"scores\":{\"s\":{\"value\":1}}}"),
        NULL);

    (void)state;
    assert_string_equal(assay_results_item_text(results, 0), "why?");
    assay_results_free(results);
}

static size_t n_contents(const char *samples)
{
    assay_table table = { .path = "t", .options = &(assay_read_options){ 0 } };
    assay_inspect_samples to = { .table = &table };
    assay_inspect_reader r;
    assay_text_source source = { samples, strlen(samples) };
    assay_json_reader *reader = NULL;
    assay_json_event event;
    const char *text;
    size_t length, n;
    double number;

    assert_int_equal(assay_input_open("/dev/null", NULL, &table.input), ASSAY_OK);
    assert_int_equal(assay_inspect_reader_open(&r, &to, "t"), ASSAY_OK);
    assert_int_equal(assay_json_open("t", assay_text_source_read, &source, &reader), ASSAY_OK);
    assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
    assert_int_equal(assay_picker_array(&r.samples, reader, assay_inspect_sample_done), ASSAY_OK);
    n = to.contents.count;
    assay_json_close(reader);
    assay_inspect_reader_close(&r);
    assay_inspect_samples_free(&to);
    assay_input_close(table.input);
    return n;
}

/* Models are joined by what an item asks: a bare text says it; else a digest does. */
static void content_tells_items_of_one_text_from_each_other(void **state)
{
    (void)state;
    assert_int_equal(n_contents("[{\"id\":1,\"input\":\"q\"},{\"id\":2,\"input\":\"q\"}]"), 0);
    assert_int_equal(n_contents("[{\"id\":1,\"input\":\"q\",\"choices\":[\"a\",\"b\"]},"
                                "{\"id\":2,\"choices\":[\"ab\"],\"input\":\"q\"},"
                                "{\"id\":3,\"input\":\"q\",\"choices\":[\"a\",\"b\"]}]"),
                     2);
    assert_int_equal(n_contents("[{\"id\":1,\"input\":[{\"role\":\"user\",\"content\":\"x\"},"
                                "{\"role\":\"user\",\"content\":\"go on\"}]},"
                                "{\"id\":2,\"input\":[{\"role\":\"user\",\"content\":\"y\"},"
                                "{\"role\":\"user\",\"content\":\"go on\"}]}]"),
                     2);
    assert_int_equal(n_contents("[{\"id\":1,\"input\":\"long...\\n(content truncated)\"},"
                                "{\"id\":2,\"input\":\"long...\\n(content truncated)\"}]"),
                     2);
}

static void a_template_is_what_the_task_s_arguments_name(void **state)
{
    static const char form[] =
        "{\"status\":\"success\",\"eval\":{\"created\":\"2026\",\"task\":\"t\","
        "\"task_args\":{\"cot\":true,\"prompt_template\":\"%s\"},\"model\":\"m\"},"
        "\"samples\":[" SAMPLE("1", "1") "]}";
    char text[600];
    assay_results *results;

    (void)state;
    snprintf(text, sizeof text, form, "terse");
    results = read_text(text, NULL);
    assert_true(score_of(results, "m", "terse", "1", "t/1") == 1.0);
    assert_true(has_note(results, "template = eval.task_args"));
    assay_results_free(results);
    snprintf(text, sizeof text, form,
             "Answer:\\n{prompt}"); /* printf 'Answer:\n{prompt}' | sha256sum */
    results = read_text(text, NULL);
    assert_true(score_of(results, "m", "sha256:3e4bd8e01cf3d990", "1", "t/1") == 1.0);
    assay_results_free(results);
}

/* ---- runs that did not end well, and old logs ---- */

static void what_a_run_lacks_is_noted(void **state)
{
    assay_results *results = read_text(
        "{\"status\":\"cancelled\"," EVAL
        ",\"results\":{\"total_samples\":10,\"completed_samples\":3},\"samples\":[" SAMPLE(
            "1", "1") "," SAMPLE("2", "1") "," SAMPLE("3", "1") "]}",
        NULL);

    (void)state;
    assert_true(has_note(results, "a run that did not succeed (status cancelled)"));
    assert_true(has_note(results, "3 of 10 samples were completed"));
    assay_results_free(results);
    results =
        read_text("{\"status\":\"success\",\"eval\":{\"created\":\"2026\",\"task\":\"t\",\"model\":"
                  "\"m\",\"dataset\":{\"samples\":5000}},\"results\":{\"total_samples\":10,"
                  "\"completed_samples\":10},\"samples\":[" SAMPLE("1", "1") "]}",
                  NULL);
    assert_true(has_note(results, "1 of 10 samples are there"));
    assert_true(has_note(results, "1 of the data set's 5000 samples are there"));
    assay_results_free(results);
}

static void invalidated_samples_are_left_out(void **state)
{
    assay_results *results =
        read_text(LOG(SAMPLE("1", "1") ",{\"id\":2,\"epoch\":1,\"invalidation\":{\"author\":\"x\"},"
                                       "\"scores\":{\"s\":{\"value\":0}}}"),
                  NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 1);
    assert_true(has_note(results, "samples that were invalidated, left out: 1"));
    assay_results_free(results);
}

/* Summaries do not say it, only the header says that there are some: the samples are looked at. */
static void invalidated_samples_of_an_archive_are_left_out(void **state)
{
    assay_results *results;

    (void)state;
    add("samples/1_epoch_1.json", "{\"id\":1,\"epoch\":1,\"events\":[[{}]]}");
    add("samples/2_epoch_1.json", "{\"id\":2,\"epoch\":1,\"invalidation\":{\"author\":\"x\"}}");
    add("samples/x/events.json", "[]"); /* of formats to come */
    add("summaries.json", "[" SAMPLE("1", "1") "," SAMPLE("2", "0") "]");
    add("header.json", "{\"status\":\"success\"," EVAL ",\"invalidated\":true}");
    results = read_ok(archive(), NULL);
    assert_int_equal(assay_results_n_items(results), 1);
    assert_true(score(results, "t/1") == 1.0);
    assert_true(has_note(results, "samples that were invalidated, left out: 1"));
    assay_results_free(results);
}

/* 2 comes before 10, and the later entry of an id and epoch stays. */
static void a_broken_run_is_read_from_its_journal(void **state)
{
    assay_results *results;

    (void)state;
    add("_journal/start.json", "{\"version\":2," EVAL "}");
    add("_journal/summaries/10.json", "[" SAMPLE("1", "1") "]");
    add("_journal/summaries/2.json", "[" SAMPLE("1", "0") "," SAMPLE("2", "0") "]");
    add("_journal/summaries/notes.json", "no JSON");
    results = read_ok(archive(), NULL);
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(score(results, "t/1") == 1.0);
    assert_true(score(results, "t/2") == 0.0);
    assert_true(has_note(results, "no summaries.json, as of a run that was broken off"));
    assay_results_free(results);
}

static void without_summaries_the_samples_themselves_are_read(void **state)
{
    assay_results *results;

    (void)state;
    add("header.json", HEADER);
    zip_add(&z,
            (zip_member){
                .name = "samples/a_epoch_1.json",
                .data = "{\"messages\":[{}],\"id\":\"a\",\"epoch\":1,\"input\":\"q\",\"scores\":{"
                        "\"s\":{\"value\":\"C\"}}}",
                .method = 93,
                .frames = 2 });
    add("samples/b_epoch_1.json", "{\"id\":\"b\",\"epoch\":1,\"score\":{\"value\":\"I\"}}");
    results = read_ok(archive(), NULL);
    assert_true(score(results, "t/a") == 1.0);
    assert_true(isnan(score(results, "t/b"))); /* scored by "score", not by s */
    assert_true(has_note(results, "no summaries; the samples themselves were read"));
    assay_results_free(results);
}

static void without_samples_their_reductions_are_read(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    add("summaries.json", "[]");
    add("header.json", HEADER);
    add("reductions.json",
        "[{\"scorer\":\"s\",\"reducer\":\"mean\",\"samples\":[{\"value\":0.5,"
        "\"sample_id\":1},{\"value\":1,\"sample_id\":2}]},{\"scorer\":\"s\",\"reducer\":"
        "\"max\",\"samples\":[{\"value\":1,\"sample_id\":1}]}]");
    results = read_ok(archive(), NULL);
    assert_true(score_of(results, "m", "", "", "t/1") == 0.5);
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(has_note(results, "no samples; the scores are their reductions over epochs"));
    assay_results_free(results);
    options.metric = "s (max)";
    results = read_ok("t.eval", &options);
    assert_int_equal(assay_results_coverage(results).rows, 1);
    assert_true(score_of(results, "m", "", "", "t/1") == 1.0);
    assay_results_free(results);
}

/* Old headers hold reductions, which are no reason to leave the journal unread. */
static void samples_go_before_the_reductions_of_a_header(void **state)
{
    static const char header[] =
        "{\"status\":\"error\"," EVAL ",\"results\":{\"total_samples\":4,\"completed_samples\":4,"
        "\"sample_reductions\":[{\"scorer\":\"s\",\"samples\":[{\"value\":0,\"sample_id\":1}]}]}}";
    assay_results *results;

    (void)state;
    add("header.json", header);
    add("_journal/summaries/1.json", "[" SAMPLE("1", "1") "," SAMPLE("2", "1") "]");
    results = read_ok(archive(), NULL);
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(score(results, "t/1") == 1.0);
    assert_true(has_note(results, "the samples are those of its journal"));
    assert_true(has_note(results, "2 of 4 samples are there"));
    assay_results_free(results);
    empty_folder(NULL);
    begin(NULL);
    add("header.json", header);
    results = read_ok(archive(), NULL);
    assert_true(score_of(results, "m", "", "", "t/1") == 0.0);
    assert_true(has_note(results, "no samples; the scores are their reductions over epochs"));
    assert_false(has_note(results, "journal"));
    assay_results_free(results);
}

/* No version, one score a sample, and reductions before the samples, which they do not add to. */
static void old_documents_are_read(void **state)
{
    assay_results *results = read_text(
        "{\"status\":\"success\"," EVAL
        ",\"results\":{\"sample_reductions\":[{\"scorer\":\"match\","
        "\"samples\":[{\"value\":0,\"sample_id\":1}]}]},\"samples\":[{\"id\":1,\"epoch\":1,"
        "\"input\":\"q\","
        "\"score\":{\"value\":\"C\",\"answer\":\"x\"}},{\"id\":2,\"epoch\":1,\"score\":null}]}",
        NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_true(score(results, "t/1") == 1.0);
    assay_results_free(results);
}

/* inspect eval-retry: what had failed gets its score, and what had not is counted once. */
static void a_retry_completes_the_log_before_it(void **state)
{
    assay_results *results = read_ok(
        write_text("a.json", LOG(SAMPLE("1", "1") ",{\"id\":2,\"epoch\":1,\"error\":\"x\"}")),
        NULL);

    (void)state;
    write_text("b.json", LOG(SAMPLE("1", "1") "," SAMPLE("2", "0")));
    assert_int_equal(assay_read(results, "b.json", NULL), ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).duplicate, 1);
    assert_true(score(results, "t/1") == 1.0 && score(results, "t/2") == 0.0);
    assay_results_free(results);
}

static void a_document_that_was_cut_keeps_its_whole_samples(void **state)
{
    static const char whole[] = LOG(SAMPLE("1", "1") "," SAMPLE("2", "0"));
    char text[sizeof whole];
    assay_results *results;

    (void)state;
    memcpy(text, whole, sizeof whole - 10);
    text[sizeof whole - 10] = '\0';
    results = read_text(text, NULL);
    assert_int_equal(assay_results_coverage(results).rows, 1);
    assert_true(assay_results_damaged(results));
    assert_true(has_note(results, "cut short; the 1 samples before were read"));
    assay_results_free(results);
}

/* ---- inputs ---- */

static void the_digest_of_a_small_archive_is_the_file_s(void **state)
{
    assay_results *results;

    (void)state;
    add("header.json", HEADER);
    add("summaries.json", "[" SAMPLE("1", "1") "]");
    results = read_ok(archive(), NULL);
    assert_null(assay_results_input(results, 0).sha256_of);
    assert_int_equal(assay_results_input(results, 0).rows, 1);
    assay_results_free(results);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A sample of 5 GB, of which the file has only the place: it is not looked at. */
static void t40_large_logs_take_a_second_and_little_memory(void **state)
{
    const uint64_t size = UINT64_C(5) << 30;
    struct rusage before, after;
    double began;
    size_t at;
    int to;
    assay_results *results;

    (void)state;
    add("header.json", HEADER);
    add("summaries.json", "[" SAMPLE("1", "1") "," SAMPLE("2", "0") "]");
    zip_add(&z, (zip_member){ .name = "samples/1_epoch_1.json", .data = "x", .is_64 = 1 });
    at = z.directory_length - 24;
    zip_put(z.directory, &at, size, 8);
    zip_put(z.directory, &at, size, 8);
    z.is_64 = 1;
    z.hole = size - 1;
    zip_end(&z, "", 0);
    write_bytes("t.eval", "", 0);
    to = open("t.eval", O_WRONLY);
    assert_true(to >= 0);
    assert_true(pwrite(to, z.bytes, z.directory_at, 0) == (ssize_t)z.directory_at);
    assert_true(pwrite(to, z.bytes + z.directory_at, z.length - z.directory_at,
                       (off_t)(z.directory_at + z.hole)) == (ssize_t)(z.length - z.directory_at));
    close(to);
    getrusage(RUSAGE_SELF, &before);
    began = seconds();
    results = read_ok("t.eval", NULL);
    assert_true(seconds() - began < 1.0);
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 32 * 1024); /* KiB */
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_string_equal(assay_results_input(results, 0).sha256_of, "central directory");
    assert_int_equal(strlen(assay_results_input(results, 0).sha256), 64);
    assay_results_free(results);
}

static void archives_that_cannot_be_read_are_refused_in_a_line(void **state)
{
    static char deep[5000];

    (void)state;
    add("header.json", HEADER);
    assert_archive_fails(
        "t.eval: an Inspect log without samples, which holds only their totals, so "
        "that no analysis of items follows; give the log of a run without "
        "--no-log-samples");
    add("summaries.json", "[]");
    assert_archive_fails(
        "t.eval: a zip archive without header.json and _journal/start.json, expected "
        "an Inspect log");
    zip_add(&z, (zip_member){ .name = "header.json", .data = HEADER, .wrong = 1 });
    add("summaries.json", "[" SAMPLE("1", "1") "]");
    assert_archive_fails(
        "t.eval[header.json]: cannot be read: it is damaged: its CRC-32 is another");
    add("header.json", HEADER);
    add("summaries.json", "{}");
    assert_archive_fails("t.eval[summaries.json]: holds no array, expected one");
    add("header.json", HEADER);
    add("summaries.json", "[{\"epoch\":1}]");
    assert_archive_fails("t.eval: a sample without an id, expected a number or a text");
    add("header.json", HEADER);
    add("summaries.json", "[{\"id\":\"a\\u0000b\",\"epoch\":1}]");
    assert_archive_fails("t.eval: the id has a NUL character after \"a\", expected text");
    add("header.json", HEADER);
    add("summaries.json", "[" SAMPLE("1", "1") "] []");
    assert_archive_fails("t.eval[summaries.json]: other values behind the first");
    memset(deep, '[', sizeof deep - 1);
    add("header.json", HEADER);
    add("summaries.json", deep);
    assert_archive_fails("t.eval[summaries.json]:1:1001: 1001 objects and arrays one in another, "
                         "expected at most 1000");
    add("header.json", HEADER);
    add("header.json", "{}");
    assert_archive_fails("t.eval: a zip archive with two members \"header.json\" that differ, "
                         "expected one");
}

static void other_archives_are_none(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    add("word/document.xml", "<x/>");
    assert_archive_fails("t.eval: a zip archive, which is not read; unpack it first");
    options.format = ASSAY_FORMAT_INSPECT;
    assert_fails("item,score\na,1\n", &options, ASSAY_E_FORMAT,
                 "f.csv:1:1: 'i', expected a value; read as an Inspect log, as --format says");
    add("word/document.xml", "<x/>");
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, archive(), &options), ASSAY_E_FORMAT);
    assay_results_free(results);
}

static void of_a_folder_the_archives_are_read(void **state)
{
    assay_results *results;

    (void)state;
    assert_int_equal(mkdir("run", 0777), 0);
    add("header.json", HEADER);
    add("summaries.json", "[" SAMPLE("1", "1") "]");
    zip_end(&z, "", 0);
    write_bytes("run/a.eval", (const char *)z.bytes, z.length);
    write_bytes("run/b.eval", (const char *)z.bytes, z.length - 1);
    results = read_ok("run", NULL);
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_true(has_note(results, "left out: run/b.eval: a zip archive that cannot be read"));
    assay_results_free(results);
    empty_folder(NULL);
    assert_int_equal(rmdir("run"), 0);
}

static int stop(void *user, const char *what, double fraction)
{
    (void)what;
    (void)fraction;
    ++*(int *)user;
    return 1;
}

/* Progress is told every 4 MiB. */
static void reading_can_be_cancelled(void **state)
{
    enum { PART = 900 * 1000, N = 10 };
    char *text = malloc(N * PART + 200);
    int asked = 0;
    size_t length = 0;
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    assert_non_null(text);
    options.progress = (assay_progress){ stop, &asked };
    length += (size_t)sprintf(text, "{\"status\":\"success\"," EVAL ",\"samples\":[");
    for (int k = 0; k < N; k++)
        length += (size_t)sprintf(text + length, "%s{\"id\":%d,\"x\":\"%0*d\"}", k ? "," : "", k,
                                  PART - 50, 0);
    length += (size_t)sprintf(text + length, "]}");
    write_bytes("t.json", text, length);
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, "t.json", &options), ASSAY_E_CANCELLED);
    assert_int_equal(asked, 1);
    assay_results_free(results);
    free(text);
}

static assay_status read_archive(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    (void)context;
    if (status == ASSAY_OK) status = assay_read(results, "t.eval", NULL);
    assay_results_free(results);
    return status;
}

static void no_memory_is_told_wherever_it_ends(void **state)
{
    (void)state;
    add("_journal/start.json",
        "{\"eval\":{\"task\":\"t\",\"model\":\"m\",\"task_args\":{\"template\":\"x\"}}}");
    add("_journal/summaries/1.json",
        "[" SAMPLE(
            "1", "{\"a\":1}") ",{\"id\":\"1\",\"epoch\":2,\"input\":[\"x\","
                              "\"y\"],\"choices\":[\"a\"],\"scores\":{\"s\":{\"value\":\"P\"}}}]");
    archive();
    assert_true(fail_every_allocation(read_archive, NULL) > 30);
}

#define LOG_TEST(name) cmocka_unit_test_setup_teardown(name, begin, empty_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOG_TEST(samples_are_read_with_the_right_n),
        LOG_TEST(a_sample_of_totals_alone_is_refused_by_name),
        LOG_TEST(t32_epochs_are_runs),
        LOG_TEST(values_are_what_inspect_means_by_them),
        LOG_TEST(t37_nan_is_unscored_and_not_averaged),
        LOG_TEST(t36_errored_samples_stay_in_the_count),
        LOG_TEST(a_metric_chooses_a_scorer_or_its_key),
        LOG_TEST(keys_serve_where_no_scorer_has_a_plain_value),
        LOG_TEST(ids_are_text_and_1_is_not_quoted_1),
        LOG_TEST(t26_lone_surrogates_are_accepted),
        LOG_TEST(the_text_is_the_user_s_last_message),
        LOG_TEST(content_tells_items_of_one_text_from_each_other),
        LOG_TEST(a_template_is_what_the_task_s_arguments_name),
        LOG_TEST(what_a_run_lacks_is_noted),
        LOG_TEST(invalidated_samples_are_left_out),
        LOG_TEST(invalidated_samples_of_an_archive_are_left_out),
        LOG_TEST(a_broken_run_is_read_from_its_journal),
        LOG_TEST(without_summaries_the_samples_themselves_are_read),
        LOG_TEST(without_samples_their_reductions_are_read),
        LOG_TEST(samples_go_before_the_reductions_of_a_header),
        LOG_TEST(old_documents_are_read),
        LOG_TEST(a_retry_completes_the_log_before_it),
        LOG_TEST(a_document_that_was_cut_keeps_its_whole_samples),
        LOG_TEST(the_digest_of_a_small_archive_is_the_file_s),
        LOG_TEST(t40_large_logs_take_a_second_and_little_memory),
        LOG_TEST(archives_that_cannot_be_read_are_refused_in_a_line),
        LOG_TEST(other_archives_are_none),
        LOG_TEST(of_a_folder_the_archives_are_read),
        LOG_TEST(reading_can_be_cancelled),
        LOG_TEST(no_memory_is_told_wherever_it_ends),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
