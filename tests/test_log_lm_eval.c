/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of lm-evaluation-harness, and what stands around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "logs/lm_eval_about.h"

#include "failing_memory.h"
#include "reading.h"
#include "samples.h"

#include <math.h>

#define DATE "2026-01-02T03-04-05.678901"
#define FILE_OF(task) "samples_" task "_" DATE ".jsonl"
#define RESULTS "results_" DATE ".json"

/* A line as it is written since 0.4.7: of a document, one filter and its metrics' list and values.
 */
#define LINE(id, filter, metrics, values)                                                   \
    "{\"doc_id\":" id ",\"doc\":{\"question\":\"Q" id "\"},\"target\":\"4\",\"arguments\":" \
    "{\"gen_args_0\":{\"arg_0\":\"Question: Q" id "\",\"arg_1\":{\"until\":[\"\\n\"]}}},"   \
    "\"resps\":[[\"4\"]],\"filtered_resps\":[\"4\"],\"filter\":\"" filter "\",\"metrics\":" \
    "[" metrics "],\"doc_hash\":\"hash" id                                                  \
    "\",\"prompt_hash\":\"p\",\"target_hash\":\"t\"," values "}\n"
#define EXACT(id, filter, value) LINE(id, filter, "\"exact_match\"", "\"exact_match\":" value)

/* The same before 0.4.7, when neither the filter nor the metrics were named. */
#define BARE(id, value)                                                                  \
    "{\"doc_id\":" id ",\"doc\":{\"query\":\"q\"},\"target\":0,\"arguments\":[[\"ctx" id \
    "\",\" a\"],[\"ctx" id "\",\" b\"]],\"resps\":[[[-1.5,false]],[[-2.5,false]]],"      \
    "\"filtered_resps\":[[-1.5,false],[-2.5,false]],\"acc\":" value ",\"acc_norm\":0.0}"

static assay_results *read_as(const char *name, const char *text, const assay_read_options *options)
{
    return read_ok(write_text(name, text), options);
}

static void assert_read_fails(const char *name, const char *text, const assay_read_options *options,
                              assay_status status, const char *sentence)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text(name, text), options), status);
    assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
}

static const char *only_model(const assay_results *results)
{
    assert_int_equal(assay_results_n_models(results), 1);
    return assay_results_model(results, 0);
}

/* ---- names and companions ---- */

static void a_samples_file_is_told_by_its_name_exactly(void **state)
{
    static const struct {
        const char *name, *task, *date;
    } cases[] = {
        { "samples_gsm8k_2026-01-21T03-44-18.458309.jsonl", "gsm8k", "2026-01-21T03-44-18.458309" },
        { "samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl.gz", "math_perturbed_full",
          "2026-01-21T03-44-18.458309" },
        { "samples_a_2026-01-21T03-44-18.jsonl", "a", "2026-01-21T03-44-18" },
        { "samples_samples_x_2026-01-21T03-44-18.5.jsonl", "samples_x", "2026-01-21T03-44-18.5" },
        { "mine_samples_gsm8k_2026-01-21T03-44-18.5.jsonl", "gsm8k", "2026-01-21T03-44-18.5" },
        { "samples_gsm8k.jsonl", NULL, NULL },
        { "samples__2026-01-21T03-44-18.5.jsonl", NULL, NULL },
        { "samples_2026-01-21T03-44-18.5.jsonl", NULL, NULL },
        { "samples_gsm8k_2026-01-21T03-44.jsonl", NULL, NULL },
        { "samples_gsm8k_2026-01-21T03-44-18x.jsonl", NULL, NULL },
        { "samples_gsm8k_2026-01-21T03-44-18.5.json", NULL, NULL },
        { "resamples_gsm8k_2026-01-21T03-44-18.5.jsonl", NULL, NULL },
        { "gpt2_gsm8k.jsonl", NULL, NULL },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assay_name task, date;
        int is_one = assay_lm_eval_name_split(cases[k].name, &task, &date);

        if (is_one != (cases[k].task != NULL)) fail_msg("%s", cases[k].name);
        if (!is_one) continue;
        assert_true(assay_name_is(task, cases[k].task));
        assert_true(assay_name_is(date, cases[k].date));
    }
}

static void the_results_file_beside_names_the_model(void **state)
{
    assay_results *results;

    (void)state;
    write_text(RESULTS, "{\"results\":{},\"versions\":{},\"model_name\":\"org/m-7b\"}");
    results = read_as(FILE_OF("gsm8k"), EXACT("0", "none", "1.0") EXACT("1", "none", "0"), NULL);
    assert_string_equal(only_model(results), "org/m-7b");
    assert_true(score_of(results, "org/m-7b", "", "", "gsm8k/0") == 1.0);
    assert_true(score_of(results, "org/m-7b", "", "", "gsm8k/1") == 0.0);
    assert_string_equal(assay_results_item_text(results, 1), "Question: Q1");
    assert_string_equal(assay_results_item_cluster(results, 1), "gsm8k");
    assert_true(has_note(results, "model = the results file, item = task and doc_id, score = "
                                  "\"exact_match\", filter \"none\""));
    assay_results_free(results);
}

/* An output path that ends in .json gives the results file a name of the user's. */
static void a_results_file_may_have_another_stem(void **state)
{
    assay_results *results;

    (void)state;
    write_text("mine_" DATE ".json",
               "{\"config\":{\"model_args\":\"dtype=float,pretrained=org/a,peft=org/b\"}}");
    results = read_as(FILE_OF("gsm8k"), EXACT("0", "none", "1.0"), NULL);
    assert_string_equal(only_model(results),
                        "org/b"); /* peft before pretrained, as the tool does */
    assay_results_free(results);
}

static void without_one_the_folder_names_the_model(void **state)
{
    assay_results *results;

    (void)state;
    assert_int_equal(mkdir("org__m-7b", 0777), 0);
    results = read_as("org__m-7b/" FILE_OF("gsm8k"), EXACT("0", "none", "1.0"), NULL);
    assert_string_equal(only_model(results), "org__m-7b");
    assert_true(has_note(results, "model = the folder"));
    assay_results_free(results);
    empty_folder(NULL);
    assert_int_equal(rmdir("org__m-7b"), 0);
}

static void a_broken_results_file_is_passed_by(void **state)
{
    assay_results *results;

    (void)state;
    write_text(RESULTS, "{\"model_name\":");
    results = read_as(FILE_OF("gsm8k"), EXACT("0", "none", "1.0"), NULL);
    assert_string_equal(only_model(results), folder);
    assert_true(has_note(results, "passed by: " RESULTS ":1:"));
    assay_results_free(results);
}

/* What is on standard input stands beside nothing. */
static void standard_input_has_no_results_file(void **state)
{
    const char *path;
    assay_results *results;

    (void)state;
    write_text("results.json", "{\"model_name\":\"m\",\"configs\":{\"g\":{}}}");
    path = write_text(FILE_OF("g"), EXACT("0", "none", "1.0"));
    assert_non_null(freopen(path, "rb", stdin));
    results = read_ok("-", NULL);
    assert_true(score_of(results, "standard input", "", "", "0") == 1.0);
    assay_results_free(results);
}

/* A name of the user's own says nothing, not even together with its folder. */
static void a_renamed_file_is_a_model_of_its_own(void **state)
{
    assay_results *results = read_as("mine.jsonl", EXACT("0", "none", "1.0"), NULL);

    (void)state;
    assert_string_equal(only_model(results), "mine.jsonl");
    assert_true(score_of(results, "mine.jsonl", "", "", "0") == 1.0);
    assay_results_free(results);
}

/* ---- 0.4.0 to 0.4.2 ---- */

#define OLD_ARRAY "[\n" BARE("0", "1.0") ",\n" BARE("1", "0.0") "\n]\n"

static void an_old_array_is_read_with_its_results_file(void **state)
{
    assay_results *results;

    (void)state;
    write_text("results.json", "{\"results\":{\"arc_easy\":{\"acc,none\":0.5}},\"configs\":"
                               "{\"arc_easy\":{\"task\":\"arc_easy\"}},\"config\":{\"model_args\":"
                               "\"pretrained=org/gpt_2,dtype=float\"}}");
    results = read_as("pretrained__org__gpt_2,dtype__float_arc_easy.jsonl", OLD_ARRAY, NULL);
    assert_string_equal(only_model(results), "org/gpt_2");
    assert_true(score_of(results, "org/gpt_2", "", "", "arc_easy/0") == 1.0);
    assert_true(score_of(results, "org/gpt_2", "", "", "arc_easy/1") == 0.0);
    assert_string_equal(assay_results_item_text(results, 0), "ctx0");
    assert_true(has_note(results, "scored by \"acc\"; --metric chooses another: acc_norm"));
    assay_results_free(results);
}

/* A task's name is known, the arguments are not those of the file. */
static void an_old_name_is_split_by_the_tasks_that_ran(void **state)
{
    assay_results *results;

    (void)state;
    write_text("results.json", "{\"configs\":{\"easy\":{},\"arc_easy\":{}}}");
    results = read_as("pretrained__gpt2_arc_easy.jsonl", OLD_ARRAY, NULL);
    assert_true(score_of(results, "pretrained__gpt2", "", "", "arc_easy/0") == 1.0);
    assay_results_free(results);
}

static void an_old_name_alone_cannot_be_split(void **state)
{
    assay_results *results;

    (void)state;
    write_text("results.json", "{\"model_name\":\"other\",\"configs\":{\"hellaswag\":{}}}");
    results = read_as("pretrained__gpt2_arc_easy.jsonl", OLD_ARRAY, NULL);
    assert_true(score_of(results, "pretrained__gpt2_arc_easy", "", "", "0") == 1.0);
    assay_results_free(results);
}

/* ---- filters ---- */

#define TWO_FILTERS             \
    EXACT("0", "strict", "1.0") \
    EXACT("1", "strict", "0.0") \
    EXACT("2", "strict", "1.0") \
    EXACT("0", "flexible", "1.0") EXACT("1", "flexible", "1.0") EXACT("2", "flexible", "0.0")

static void t16_filters_are_no_items(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = read_as(FILE_OF("g"), TWO_FILTERS, NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 3);
    assert_int_equal(assay_results_coverage(results).rows, 3);
    assert_true(score_of(results, folder, "", "", "g/1") == 0.0);
    assert_true(has_note(results, "those of \"strict\" are read, and --filter chooses another: "
                                  "flexible"));
    assay_results_free(results);
    options.filter = "flexible";
    results = read_as(FILE_OF("g"), TWO_FILTERS, &options);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_true(score_of(results, folder, "", "", "g/2") == 0.0);
    assay_results_free(results);
    options = defaults();
    options.metric = "exact_match,flexible"; /* as the results file calls it */
    results = read_as(FILE_OF("g"), TWO_FILTERS, &options);
    assert_true(score_of(results, folder, "", "", "g/1") == 1.0);
    assay_results_free(results);
}

static void t16_a_filter_that_is_not_there_is_named(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.filter = "lose";
    assert_read_fails(FILE_OF("g"), TWO_FILTERS, &options, ASSAY_E_VALUE,
                      FILE_OF("g") ": no filter \"lose\" (--filter); there are: strict, flexible");
}

/* A folder holds tasks with filters and tasks without. */
static void t16_a_task_without_filters_needs_none(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.filter = "strict";
    results = read_as(FILE_OF("g"), EXACT("0", "none", "1.0"), &options);
    assert_int_equal(assay_results_coverage(results).used, 1);
    assay_results_free(results);
}

/* Rows of another filter than the one asked for were read without a word. */
static void t16_none_beside_others_is_a_filter_as_they_are(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.filter = "lose";
    assert_read_fails(FILE_OF("g"), EXACT("0", "none", "1.0") EXACT("0", "strict", "0.0"), &options,
                      ASSAY_E_VALUE,
                      FILE_OF("g") ": no filter \"lose\" (--filter); there are: none, strict");
    options.filter = "strict";
    assert_read_fails(FILE_OF("g"), EXACT("0", "none", "1.0") EXACT("0", "strict", "0.0"), &options,
                      ASSAY_E_VALUE,
                      FILE_OF("g") ": lines of filter \"none\" stand before those of \"strict\" "
                                   "(--filter), where a task has the one or the other; give "
                                   "--filter none, or a file of the others alone");
}

/* Before 0.4.7 the lines do not say it: the second line of a document is the second filter's. */
static void t16_filters_without_names_are_counted(void **state)
{
    assay_read_options options = defaults();
    assay_results *results =
        read_as(FILE_OF("g"), BARE("0", "1") BARE("1", "0") BARE("0", "0") BARE("1", "0"), NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).rows, 2);
    assert_true(score_of(results, folder, "", "", "g/0") == 1.0);
    assert_true(has_note(results, "--filter chooses another: #2"));
    assay_results_free(results);
    options.filter = "#2";
    results = read_as(FILE_OF("g"), BARE("0", "1") BARE("1", "0") BARE("0", "0"), &options);
    assert_int_equal(assay_results_coverage(results).rows, 1);
    assert_true(score_of(results, folder, "", "", "g/0") == 0.0);
    assay_results_free(results);
}

/* ---- repeats, order, counts ---- */

static void t17_repeats_are_one_run(void **state)
{
    static const char line[] =
        "{\"doc_id\":0,\"doc\":{},\"resps\":[[\"a\",\"b\",[\"c\"]]],\"filtered_resps\":[\"a\"],"
        "\"filter\":\"none\",\"metrics\":[\"exact_match\"],\"exact_match\":1.0}\n"
        "{\"doc_id\":1,\"doc\":{},\"resps\":[[\"a\"],[\"b\"]],\"filtered_resps\":[\"a\"],"
        "\"filter\":\"none\",\"metrics\":[\"exact_match\"],\"exact_match\":0.0}\n"
        "{\"doc_id\":2,\"doc\":{},\"resps\":[],\"filtered_resps\":[],"
        "\"filter\":\"none\",\"metrics\":[\"exact_match\"],\"exact_match\":0.0}\n";
    assay_results *results = read_as(FILE_OF("g"), line, NULL);

    (void)state;
    assert_int_equal(assay_results_n_runs(results), 1);
    assert_int_equal(assay_results_coverage(results).used, 3);
    assert_true(has_note(results, "items with several answers (repeats): 1; the harness scores one "
                                  "value of each"));
    assay_results_free(results);
}

static void t19_the_order_of_lines_is_no_matter(void **state)
{
    static const char *const sorted = EXACT("0", "none", "1.0") EXACT("1", "none", "0.0")
        EXACT("2", "none", "1.0") EXACT("3", "none", "0.0");
    static const char *const strided = EXACT("0", "none", "1.0") EXACT("2", "none", "1.0")
        EXACT("1", "none", "0.0") EXACT("3", "none", "0.0");
    assay_results *a = read_as(FILE_OF("g"), sorted, NULL);
    assay_results *b = read_as(FILE_OF("g"), strided, NULL);
    static const char *const items[] = { "g/0", "g/1", "g/2", "g/3" };

    (void)state;
    for (size_t k = 0; k < 4; k++)
        assert_true(score_of(a, folder, "", "", items[k]) == score_of(b, folder, "", "", items[k]));
    assay_results_free(a);
    assay_results_free(b);
}

static void t71_items_that_are_not_there_are_told(void **state)
{
    assay_results *results;

    (void)state;
    write_text(RESULTS,
               "{\"n-samples\":{\"h\":{\"effective\":7},\"g\":{\"original\":9,\"effective\":3}}}");
    results = read_as(FILE_OF("g"), TWO_FILTERS, NULL);
    assert_false(has_note(results, "items present"));
    assay_results_free(results);
    results = read_as(FILE_OF("h"), TWO_FILTERS, NULL);
    assert_true(has_note(results, FILE_OF("h") ": 3 of 7 items present"));
    assay_results_free(results);
}

/* ---- metrics ---- */

static void t21_errors_that_are_no_numbers_break_nothing(void **state)
{
    static const char *const errors[] = { "[]", "\"N/A\"", "null", "NaN", "{}" };
    char text[300];

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        assay_results *results;

        snprintf(text, sizeof text,
                 "{\"model_name\":\"m\",\"results\":{\"g\":{\"alias\":\"g\",\"exact_match,none\":"
                 "0.5,\"exact_match_stderr,none\":%s}}}",
                 errors[k]);
        write_text(RESULTS, text);
        results = read_as(FILE_OF("g"), EXACT("0", "none", "1.0"), NULL);
        assert_true(score_of(results, "m", "", "", "g/0") == 1.0);
        assert_true(has_note(results, RESULTS ": \"exact_match_stderr,none\" is no number"));
        assay_results_free(results);
        empty_folder(NULL);
    }
}

static void t22_legacy_results_are_refused_by_name(void **state)
{
    static const char *const legacy[] = {
        "{\"results\": {\"arc\": {\"acc\": 0.27, \"acc_stderr\": 0.01}}, \"versions\": {\"arc\": "
        "0}}",
        "{\"results\":{\"a\":{\"acc,none\":0.5,\"acc_stderr,none\":[]}},\"versions\":{\"a\":1},"
        "\"n-shot\":{}}",
    };
    assay_read_options given = defaults();

    (void)state;
    given.format = ASSAY_FORMAT_LM_EVAL;
    for (size_t k = 0; k < 4; k++)
        assert_read_fails("r.json", legacy[k / 2], k % 2 ? &given : NULL, ASSAY_E_FORMAT,
                          "r.json: a results file of lm-evaluation-harness, which holds means of "
                          "tasks and no items, so that nothing follows about items; give the "
                          "samples_TASK_DATE.jsonl that --log_samples writes beside it");
}

static void t23_metrics_without_bounds_are_read_as_they_are(void **state)
{
    assay_results *results;

    (void)state;
    write_text(RESULTS, "{\"model_name\":\"m\",\"higher_is_better\":{\"g\":{\"perplexity\":false,"
                        "\"acc\":true}}}");
    results =
        read_as(FILE_OF("g"),
                LINE("0", "none", "\"perplexity\",\"acc\"", "\"perplexity\":-7.25,\"acc\":1")
                    LINE("1", "none", "\"perplexity\",\"acc\"", "\"perplexity\":-12.5,\"acc\":0"),
                NULL);
    assert_true(score_of(results, "m", "", "", "g/1") == -12.5);
    assert_true(has_note(results, "of \"perplexity\", lower is better"));
    assert_true(has_note(results, "an item's is a log-likelihood"));
    assay_results_free(results);
}

/* What is no number an item is passed by for one that is. */
static void metrics_of_every_kind_are_met(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = read_as(
        FILE_OF("g"),
        LINE("0", "none", "\"f1\",\"words\",\"none\",\"em\"",
             "\"f1\":[1,0],\"words\":{\"a\":1},\"none\":null,\"em\":"
             "true") "\n" LINE("1", "none", "\"f1\",\"words\",\"none\",\"em\"",
                               "\"f1\":[0,0],\"em\":NaN")
            LINE("2", "none", "\"em\"", "\"em\":\"0.5\"") LINE("3", "none", "\"em\"", "\"em\":null")
                LINE("4", "none", "\"em\"", "\"em\":[1]") LINE("5", "none", "\"em\"", "\"other\":1")
                    LINE("6", "none", "\"em\"", "\"em\":2"),
        NULL);

    (void)state;
    assert_true(score_of(results, folder, "", "", "g/0") == 1.0);
    assert_true(score_of(results, folder, "", "", "g/2") == 0.5);
    assert_true(score_of(results, folder, "", "", "g/6") == 2.0);
    assert_int_equal(assay_results_coverage(results).unscored, 4);
    assert_int_equal(assay_results_coverage(results).rows, 7);
    assay_results_free(results);
    options.metric = "f1";
    assert_read_fails(FILE_OF("g"), LINE("0", "none", "\"f1\",\"em\"", "\"f1\":[1,0],\"em\":1"),
                      &options, ASSAY_E_VALUE,
                      FILE_OF("g") ": metric \"f1\" (--metric) is no number an item, so that no "
                                   "score follows; there are: f1, em");
    options.metric = NULL;
    assert_read_fails(FILE_OF("g"), LINE("0", "none", "\"f1\"", "\"f1\":[1,0]"), &options,
                      ASSAY_E_VALUE,
                      FILE_OF("g") ": no metric is a number an item, so that no score follows; "
                                   "there are: f1");
    options.metric = "acc";
    assert_read_fails(FILE_OF("g"), EXACT("0", "none", "1"), &options, ASSAY_E_VALUE,
                      FILE_OF("g") ": no metric \"acc\" (--metric); there are: exact_match");
}

/* Keys beside the list are no metrics; without a list they are, but for the harness's own. */
static void keys_that_are_no_metrics_stay_out(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.metric = "stray";
    assert_read_fails(FILE_OF("g"), LINE("0", "none", "\"em\"", "\"stray\":1,\"em\":0"), &options,
                      ASSAY_E_VALUE,
                      FILE_OF("g") ": no metric \"stray\" (--metric); there are: em");
    options.metric = "target";
    assert_read_fails(FILE_OF("g"), BARE("0", "1"), &options, ASSAY_E_VALUE,
                      FILE_OF("g") ": no metric \"target\" (--metric); there are: acc, acc_norm");
}

/* ---- bytes ---- */

/* The JSON reader's policy: each byte that is not UTF-8 is one U+FFFD. */
static void t25_bytes_that_are_not_utf8_become_a_mark_and_are_told(void **state)
{
    assay_results *results = read_as(
        FILE_OF("g"),
        "{\"doc_id\":0,\"doc\":{\"q\":\"caf\xe9\"},\"arguments\":{\"gen_args_0\":{\"arg_0\":"
        "\"caf\xe9 \x93x\x94\"}},\"resps\":[[\"\\ud835\"]],\"filtered_resps\":[\"4\"],"
        "\"exact_match\":1.0}\n",
        NULL);

    (void)state;
    assert_true(score_of(results, folder, "", "", "g/0") == 1.0);
    assert_string_equal(assay_results_item_text(results, 0),
                        "caf\xEF\xBF\xBD \xEF\xBF\xBDx\xEF\xBF\xBD");
    assert_true(has_note(results, "characters that could not be read (U+FFFD), as where a file is "
                                  "not UTF-8: 1"));
    assay_results_free(results);
}

static void a_cut_tail_keeps_what_came(void **state)
{
    assay_results *results = read_as(
        FILE_OF("g"), EXACT("0", "none", "1.0") "{\"doc_id\":1,\"doc\":{\"question\":\"Q", NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).used, 1);
    assert_int_equal(assay_results_damaged(results), 1);
    assay_results_free(results);
}

static void a_line_without_an_id_is_a_fault(void **state)
{
    (void)state;
    assert_read_fails(
        FILE_OF("g"),
        EXACT("0", "none", "1.0") "{\"doc\":{},\"filter\":\"none\",\"exact_match\":1}\n", NULL,
        ASSAY_E_FORMAT, FILE_OF("g") ":2: the item is blank, expected a name");
}

/* A first line longer than what is looked at is known by its name. */
static void a_long_first_line_is_recognised(void **state)
{
    enum { LONG = 100000 };
    char *text = malloc(LONG + 1000);
    size_t at = (size_t)sprintf(text, "{\"doc_id\":0,\"doc\":{\"q\":\"");
    assay_results *results;

    (void)state;
    memset(text + at, 'x', LONG);
    strcpy(text + at + LONG, "\"},\"resps\":[[\"a\"]],\"filtered_resps\":[\"a\"],\"acc\":1}\n");
    results = read_as(FILE_OF("g"), text, NULL);
    assert_true(score_of(results, folder, "", "", "g/0") == 1.0);
    assay_results_free(results);
    free(text);
}

/* ---- templates ---- */

#define SCORE_LINE(id, doc, value)                                                               \
    "{\"doc_id\":" id ",\"doc\":{" doc "},\"arguments\":{\"gen_args_0\":{\"arg_0\":\"P" id       \
    "\"}},\"resps\":[[\"A\"]],\"filtered_resps\":[\"A\"],\"filter\":\"none\",\"doc_hash\":\"" id \
    "\",\"metrics\":[\"acc\"],\"acc\":" value "}\n"

static void score_tasks_have_templates(void **state)
{
    assay_results *results = read_as(
        FILE_OF("score"),
        SCORE_LINE("0", "\"prompt_id\":0,\"question_id\":70,\"question\":\"Why?\"", "1.0")
            SCORE_LINE("1", "\"prompt_id\":1,\"question_id\":70,\"question\":\"Why?\"", "0.0")
                SCORE_LINE("2", "\"prompt_id\":0,\"question_id\":71,\"problem\":\"How?\"", "0.0"),
        NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(assay_results_n_templates(results), 2);
    assert_true(score_of(results, folder, "0", "", "score/70") == 1.0);
    assert_true(score_of(results, folder, "1", "", "score/70") == 0.0);
    assert_true(score_of(results, folder, "0", "", "score/71") == 0.0);
    assert_string_equal(assay_results_item_text(results, 0), "Why?");
    assert_string_equal(assay_results_item_text(results, 1), "How?");
    assert_true(has_note(results, "item = doc.question_id, template = doc.prompt_id"));
    assay_results_free(results);
    results = read_as(FILE_OF("order"),
                      SCORE_LINE("0", "\"always_same_option\":\"A\",\"question_id\":5", "1")
                          SCORE_LINE("1", "\"always_same_option\":\"B\",\"question_id\":5", "0")
                              SCORE_LINE("2", "\"prompt_id\":3,\"original_answer_index\":9", "1"),
                      NULL);
    assert_true(score_of(results, folder, "B", "", "order/5") == 0.0);
    assert_true(score_of(results, folder, "3", "", "order/9") == 1.0);
    assay_results_free(results);
}

/* MMLU-Pro's documents have a question_id of their own, and no template. */
static void a_question_id_alone_is_no_score_task(void **state)
{
    assay_results *results =
        read_as(FILE_OF("g"), SCORE_LINE("0", "\"question_id\":70", "1.0"), NULL);

    (void)state;
    assert_true(score_of(results, folder, "", "", "g/0") == 1.0);
    assay_results_free(results);
}

static void tasks_that_are_templates_are_read_as_such(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    write_text(FILE_OF("anatomy_0"), EXACT("0", "none", "1.0") EXACT("3", "none", "0.0"));
    write_text(FILE_OF("anatomy_1"), EXACT("0", "none", "0.0"));
    write_text(FILE_OF("hellaswag"), EXACT("0", "none", "1.0"));
    options.task_name = "anatomy_{template}";
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    for (size_t k = 0; k < 3; k++) assert_int_equal(assay_read(results, written[k], &options), 0);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_true(score_of(results, folder, "0", "", "anatomy/0") == 1.0);
    assert_true(score_of(results, folder, "1", "", "anatomy/0") == 0.0);
    assert_true(score_of(results, folder, "", "", "hellaswag/0") == 1.0);
    assert_true(has_note(results, "the task \"hellaswag\" does not fit --task-name"));
    assay_results_free(results);
}

/* `assay templates` asks for models by task: then an item is called as its document is. */
static void by_task_the_items_are_numbers(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.by_task = 1;
    options.task_name = "{task}_{template}";
    results = read_as(FILE_OF("anatomy_7"), EXACT("4", "none", "1.0"), &options);
    assert_string_equal(only_model(results) + strlen(folder), " / anatomy");
    assert_string_equal(assay_results_item(results, 0), "4");
    assert_string_equal(assay_results_template(results, 0), "7");
    assay_results_free(results);
}

static void a_pattern_is_of_this_tool_only(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.task_name = "{task}_{template}";
    assert_fails("item,score\na,1\n", &options, ASSAY_E_FORMAT,
                 "f.csv: is no log of lm-evaluation-harness, of whose tasks --task-name makes "
                 "templates; --template names a column");
    options.task_name = "{task}";
    assert_fails("item,score\na,1\n", &options, ASSAY_E_VALUE,
                 "read: task-name is \"{task}\", expected {template} in it once");
}

/* ---- memory and real files ---- */

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
    char new_name[] = FILE_OF("g"), old_name[] = "pretrained__m_g.jsonl";
    static const char lines[] =
        TWO_FILTERS BARE("7", "1") LINE("8", "strict", "\"em\"", "\"em\":[1]");

    (void)state;
    write_text(RESULTS, "{\"model_name\":\"m\",\"n-samples\":{\"g\":{\"effective\":9}},"
                        "\"higher_is_better\":{\"g\":{\"exact_match\":false}},"
                        "\"results\":{\"g\":{\"em_stderr,none\":null}}}");
    write_text("results.json",
               "{\"configs\":{\"g\":{}},\"config\":{\"model_args\":\"pretrained=m\"}}");
    write_text(new_name, lines);
    write_text(old_name, lines);
    assert_true(fail_every_allocation(read_some, new_name) > 40);
    assert_true(fail_every_allocation(read_some, old_name) > 40);
}

static void samples_are_read_as_they_are(void **state)
{
    assay_results *results;
    assay_coverage coverage;
    char path[512];

    (void)state;
    if (!find_sample("lm-eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl", path))
        skip();
    results = read_ok(path, NULL);
    coverage = assay_results_coverage(results);
    assert_string_equal(only_model(results),
                        "RylanSchaeffer/mem_Qwen3-93M_minerva_math_rep_0_sbst_1.0000_epch_1_ot_1");
    assert_int_equal(coverage.used, 10);
    assert_int_equal(assay_results_n_items(results), 10);
    assert_string_equal(assay_results_item(results, 9), "math_perturbed_full/9");
    assert_true(has_note(results, "10 of 5000 items present"));
    assay_results_free(results);
    assert_true(find_sample(
        "synthetic/SYNTHETIC_lm_eval_samples_gsm8k_2026-01-01T00-00-00.000000.jsonl", path));
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).rows, 3);
    assert_true(score_of(results, "synthetic", "", "", "gsm8k/1") == 0.0);
    assay_results_free(results);
    assert_true(
        find_sample("synthetic/SYNTHETIC_lm_eval_v0.4.1_pretrained__gpt2_arc_easy.jsonl", path));
    results = read_ok(path, NULL);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assert_true(score_of(results, "SYNTHETIC_lm_eval_v0.4.1_pretrained__gpt2_arc_easy", "", "",
                         "0") == 1.0);
    assay_results_free(results);
}

static void samples_without_items_are_refused(void **state)
{
    static const char *const names[] = { "legacy_v0.3_anli_r1-v0-res.json",
                                         "legacy_v0.3_arc_challenge-v2.0-res.json",
                                         "results_2026-01-21T03-44-18.458309.json",
                                         "score_mmlu_pro_prompt_templates.json" };

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        assay_results *results = NULL;
        char path[512], name[100];

        snprintf(name, sizeof name, "lm-eval/%s", names[k]);
        if (!find_sample(name, path)) skip();
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, path, NULL), ASSAY_E_FORMAT);
        assert_non_null(strstr(assay_last_error(), "lm-evaluation-harness"));
        assay_results_free(results);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_samples_file_is_told_by_its_name_exactly),
        TEST(the_results_file_beside_names_the_model),
        TEST(a_results_file_may_have_another_stem),
        TEST(without_one_the_folder_names_the_model),
        TEST(a_broken_results_file_is_passed_by),
        TEST(standard_input_has_no_results_file),
        TEST(a_renamed_file_is_a_model_of_its_own),
        TEST(an_old_array_is_read_with_its_results_file),
        TEST(an_old_name_is_split_by_the_tasks_that_ran),
        TEST(an_old_name_alone_cannot_be_split),
        TEST(t16_filters_are_no_items),
        TEST(t16_a_filter_that_is_not_there_is_named),
        TEST(t16_a_task_without_filters_needs_none),
        TEST(t16_none_beside_others_is_a_filter_as_they_are),
        TEST(t16_filters_without_names_are_counted),
        TEST(t17_repeats_are_one_run),
        TEST(t19_the_order_of_lines_is_no_matter),
        TEST(t71_items_that_are_not_there_are_told),
        TEST(t21_errors_that_are_no_numbers_break_nothing),
        TEST(t22_legacy_results_are_refused_by_name),
        TEST(t23_metrics_without_bounds_are_read_as_they_are),
        TEST(metrics_of_every_kind_are_met),
        TEST(keys_that_are_no_metrics_stay_out),
        TEST(t25_bytes_that_are_not_utf8_become_a_mark_and_are_told),
        TEST(a_cut_tail_keeps_what_came),
        TEST(a_line_without_an_id_is_a_fault),
        TEST(a_long_first_line_is_recognised),
        TEST(score_tasks_have_templates),
        TEST(a_question_id_alone_is_no_score_task),
        TEST(tasks_that_are_templates_are_read_as_such),
        TEST(by_task_the_items_are_numbers),
        TEST(a_pattern_is_of_this_tool_only),
        TEST(every_allocation_may_fail),
        TEST(samples_are_read_as_they_are),
        TEST(samples_without_items_are_refused),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
