/* SPDX-License-Identifier: Apache-2.0 */
/* Every file of the real logs beside the checkout, and what must come of it: so many models, items,
   templates, runs and scores, or a refusal that says why. The numbers were counted in the files by a
   few lines of Python that know nothing of assay. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

#include "samples.h"

typedef enum expectation {
    READ,
    REFUSED, /* part: what the sentence holds */
    EITHER   /* judgments of pairs, or what an optional library reads: as told if it is read */
} expectation;

/* Numbers that are 0 are not checked. */
typedef struct sample {
    const char *path;
    expectation expected;
    const char *part;
    size_t models, items, templates, runs;
    uint64_t used;
    double sum;       /* of the scores; NaN: not checked */
    const char *item; /* --item */
} sample;

#define INSPECT "inspect/"
#define HELM "helm/simple_safety_tests:model="
#define MMLU "helm/mmlu:subject=philosophy,method=multiple_choice_joint,model=openai_gpt2/"
#define SYNTHETIC "synthetic/SYNTHETIC_"
#define ALPACA "alpaca_eval/"
#define BFCL "gorilla_openfunctions_v1_test_executable_simple_result.json"
#define NO_SUM NAN

static const sample samples[] = {
    { "SOURCES.md", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    /* T52, T53: 804 of 805 have a preference; a tie is half a win */
    { ALPACA
      "Mistral-7B-Instruct-v0.2__alpaca_eval_gpt4_turbo_fn__annotations_all805_textless.json",
      READ, "", 1, 805, 1, 1, 805, NO_SUM, NULL },
    { ALPACA "Mistral-7B-Instruct-v0.2__alpaca_eval_gpt4_turbo_fn__annotations_first25.json", READ,
      "", 1, 25, 1, 1, 25, NO_SUM, NULL },
    { ALPACA "cohere__alpaca_eval_gpt4__annotations_all805_textless.json", READ, "", 1, 805, 1, 1,
      805, 729.5, NULL },
    { ALPACA "cohere__alpaca_eval_gpt4__annotations_first25.json", READ, "", 1, 25, 1, 1, 25,
      NO_SUM, NULL },
    { ALPACA "llama-2-70b-chat-hf__alpaca_eval_gpt4__annotations_all805_textless.json", READ, "", 1,
      805, 1, 1, 804, 745.0, NULL },
    { ALPACA "llama-2-70b-chat-hf__alpaca_eval_gpt4__annotations_first25.json", READ, "", 1, 25, 1,
      1, 25, NO_SUM, NULL },
    /* T73: passing ids come from the result file, or from the total */
    { "bfcl/data.csv", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "bfcl/result/Nexusflow-Raven-v2/" BFCL, REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "bfcl/result/NousResearch_Hermes-2-Pro-Mistral-7B/" BFCL, REFUSED, "", 0, 0, 0, 0, 0, NO_SUM,
      NULL },
    { "bfcl/score/Nexusflow-Raven-v2/executable_simple_score.json", READ, "", 1, 100, 1, 1, 100,
      95.0, NULL },
    { "bfcl/score/NousResearch_Hermes-2-Pro-Mistral-7B/executable_simple_score.json", READ, "", 1,
      100, 1, 1, 100, 78.0, NULL },
    { "embeddings/agentpsych_0accb67658c0.npz", REFUSED, "vectors of an embedding", 0, 0, 0, 0, 0,
      NO_SUM, NULL },
    { "every_eval_ever/98ea850e-7019-4728-a558-8b1819ec47c2.json", REFUSED, "", 0, 0, 0, 0, 0,
      NO_SUM, NULL },
    { "every_eval_ever/eval.schema.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json", REFUSED, "", 0, 0, 0, 0, 0,
      NO_SUM, NULL },
    { "every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl", READ, "", 1, 1, 1, 1, 1,
      1.0, NULL },
    { "every_eval_ever/instance_level_eval.schema.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    /* T43: each attempt is there twice */
    { "garak/report_test.report.jsonl", READ, "", 1, 8, 1, 1, 8, NO_SUM, NULL },
    { "garak/test.report.jsonl", READ, "", 1, 8, 1, 1, 8, NO_SUM, NULL },
    { "garak/test_with_ci.report.jsonl", READ, "", 1, 4, 1, 1, 4, NO_SUM, NULL },
    /* T67: 4 rows of 2 instances */
    /* T65: 9 of split test, which is the default, and 1 of split valid */
    { MMLU "per_instance_stats.json", READ, "", 1, 9, 1, 1, 9, NO_SUM, NULL },
    { MMLU "run_spec.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { MMLU "scenario.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { MMLU "scenario_state.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { MMLU "stats.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
#define SAFETY(model)                                                                        \
    { HELM model "/per_instance_stats.json", READ, "", 1, 2, 1, 1, 2, NO_SUM, NULL },        \
        { HELM model "/display_predictions.json", EITHER, "", 1, 2, 1, 1, 2, NO_SUM, NULL }, \
        { HELM model "/instances.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },          \
        { HELM model "/run_spec.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },           \
        { HELM model "/scenario_state.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },     \
    {                                                                                        \
        HELM model "/stats.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL                   \
    }
    SAFETY("anthropic_claude-3-opus-20240229"),
    SAFETY("meta_llama-3-70b"),
    SAFETY("meta_llama-3-8b"),
    SAFETY("mistralai_mixtral-8x22b"),
    /* T32: 2 items in 2 epochs are 2 items */
    { INSPECT "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", READ, "", 1, 10,
      1, 1, 10, 8.0, NULL },
    { INSPECT "2025-05-12T20-28-13-04-00_no-samples.json", READ, "", 1, 3, 1, 1, 3, NO_SUM, NULL },
    { INSPECT "2025-05-12T20-28-13-04-00_popularity.json", READ, "", 1, 3, 1, 1, 3, NO_SUM, NULL },
    { INSPECT "data_arc_qwen.json", READ, "", 1, 3, 1, 1, 3, NO_SUM, NULL },
    { INSPECT "data_arc_sonnet.json", READ, "", 1, 5, 1, 1, 5, NO_SUM, NULL },
    { INSPECT "data_pubmedqa_gpt4o_mini.json", READ, "", 1, 2, 1, 1, 2, NO_SUM, NULL },
    { INSPECT "data_with_llm_scoring.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { INSPECT "derived_log_streaming_zstd.eval", READ, "", 1, 2, 1, 2, 4, 3.0, NULL },
    { INSPECT "hibayes_minimal_test.eval", READ, "", 1, 2, 1, 1, 2, 0.0, NULL },
    { INSPECT "log_formats.eval", READ, "", 1, 1, 1, 1, 1, 0.0, NULL },
    { INSPECT "log_formats.json", READ, "", 1, 1, 1, 1, 1, 0.0, NULL },
    { INSPECT "log_streaming.eval", READ, "", 1, 2, 1, 2, 4, 3.0, NULL },
    { INSPECT "mmlu-summary-choices.eval", READ, "", 1, 1, 1, 1, 1, 0.0, NULL },
    { "lighteval/"
      "SYNTHETIC_details_mmlu_abstract_algebra|5_2026-01-01T00-00-00.000000.snappy.parquet",
      EITHER, "libduckdb", 1, 50, 1, 1, 50, 33.0, NULL },
    { "lighteval/SYNTHETIC_details_mmlu_abstract_algebra|5_2026-01-01T00-00-00.000000.uncompressed."
      "parquet",
      EITHER, "libduckdb", 1, 50, 1, 1, 50, 33.0, NULL },
    { "lighteval/SYNTHETIC_details_mmlu_abstract_algebra|5_2026-01-01T00-00-00.000000.zstd.parquet",
      EITHER, "libduckdb", 1, 50, 1, 1, 50, 33.0, NULL },
    { "lighteval/"
      "SYNTHETIC_v0.6_details_leaderboard|arc:challenge|25_2024-10-23T00-00-00.000000.parquet",
      EITHER, "libduckdb", 1, 50, 1, 1, 50, 33.0, NULL },
    { "livecodebench/performances_execution_2models.json", READ, "", 2, 479, 1, 1, 958, NO_SUM,
      NULL },
    { "livecodebench/performances_execution_slim.csv", READ, "", 37, 479, 1, 1, 17723, NO_SUM,
      "sample_id" },
    { "livecodebench/performances_execution_slim.csv", READ, "", 37, 479, 1, 1, 17723, NO_SUM,
      NULL },
    /* T22, T71: aggregates hold no items; 10 of 5000 rows */
    { "lm-eval/legacy_v0.3_anli_r1-v0-res.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "lm-eval/legacy_v0.3_arc_challenge-v2.0-res.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "lm-eval/results_2026-01-21T03-44-18.458309.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "lm-eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl", READ, "", 1, 10, 1, 1,
      10, NO_SUM, NULL },
    { "lm-eval/score_mmlu_pro_prompt_templates.json", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "matrix/swebench_verified_top12_long.csv", READ, "", 12, 500, 1, 1, 6000, NO_SUM, NULL },
    { "matrix/swebench_verified_top12_long.snappy.parquet", EITHER, "libduckdb", 12, 500, 1, 1,
      6000, NO_SUM, NULL },
    { "matrix/swebench_verified_top12_long.zstd.parquet", EITHER, "libduckdb", 12, 500, 1, 1, 6000,
      NO_SUM, NULL },
    { "matrix/swebench_verified_top12_wide_items_as_rows.tsv", READ, "", 12, 500, 1, 1, 6000,
      NO_SUM, NULL },
    { "matrix/swebench_verified_wide.csv", READ, "", 134, 500, 1, 1, 67000, NO_SUM, NULL },
    { "multi-template/bbh_causal_judgement_accuracies.csv", REFUSED, "paraphrase idx", 0, 0, 0, 0,
      0, NO_SUM, NULL },
    { "multi-template/bbh_causal_judgement_paraphrases.csv", REFUSED, "prompt idx", 0, 0, 0, 0, 0,
      NO_SUM, NULL },
    { "npy/embeddings_llm_judge.npy", REFUSED, "vectors of an embedding", 0, 0, 0, 0, 0, NO_SUM,
      NULL },
    { "npy/swebench_verified.npz", READ, "", 134, 500, 1, 1, 67000, NO_SUM, NULL },
    { "npy/swebench_verified_134x500_u1.npy", READ, "", 134, 500, 1, 1, 67000, NO_SUM, NULL },
    { "npy/swebench_verified_f64_fortran.npy", READ, "", 20, 500, 1, 1, 10000, NO_SUM, NULL },
    { "openai-evals/test-match_230417220821DPM75QNS.jsonl", READ, "", 1, 3, 1, 1, 3, 1.0, NULL },
    { "opencompass/20231208_194351/predictions/baichuan2-7b-chat-hf/COREV2_6A_.json", REFUSED, "",
      0, 0, 0, 0, 0, NO_SUM, NULL },
    { "opencompass/20231208_194351/predictions/qwen-7b-chat-hf/COREV2_6A_.json", REFUSED, "", 0, 0,
      0, 0, 0, NO_SUM, NULL },
    { "opencompass/20231208_194351/results/baichuan2-7b-chat-hf_qwen-7b-chat-hf/COREV2_6A_.json",
      EITHER, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    /* T57, T58: 3 tests x 2 prompts x 2 providers x 2 runs, of which 4 were errors */
    { "promptfoo/promptfoo_0.121.20_repeat2.csv", EITHER, "", 2, 3, 2, 2, 20, NO_SUM, NULL },
    { "promptfoo/promptfoo_0.121.20_repeat2.json", READ, "", 2, 3, 2, 2, 20, NO_SUM, NULL },
    { "promptfoo/promptfoo_0.121.20_repeat2.jsonl", READ, "", 2, 3, 2, 2, 20, NO_SUM, NULL },
    { "promptfoo/promptfooconfig.yaml", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "promptfoo/prov.js", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "prompts/bbh_navigate_templates.csv", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "prompts/lmentry_all_words_templates.csv", REFUSED, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { "py-irt/minitest.jsonlines", READ, "", 4, 4, 1, 1, 16, NO_SUM, NULL },
    { "py-irt/swebench_verified_responses.jsonl.gz", READ, "", 134, 500, 1, 1, 67000, NO_SUM,
      NULL },
    { SYNTHETIC "bigcodebench_eval_results.json", READ, "", 1, 2, 1, 2, 3, 1.0, NULL },
    { SYNTHETIC "deepeval_latest_test_run.json", READ, "", 1, 3, 1, 1, 2, 1.0, NULL },
    { SYNTHETIC "evalplus_v0.1_eval_results.json", READ, "", 1, 1, 1, 2, 2, 1.0, NULL },
    { SYNTHETIC "evalplus_v0.3_eval_results.json", READ, "", 1, 2, 1, 2, 4, 1.0, NULL },
    { SYNTHETIC "garak_hitlog.jsonl", REFUSED, "hitlog", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { SYNTHETIC "garak_v0.9_report.jsonl", READ, "", 1, 1, 1, 2, 2, 1.0, NULL },
    /* T16: each document once a filter */
    { SYNTHETIC "lm_eval_samples_gsm8k_2026-01-01T00-00-00.000000.jsonl", READ, "", 1, 3, 1, 1, 3,
      NO_SUM, NULL },
    { SYNTHETIC "lm_eval_v0.4.1_pretrained__gpt2_arc_easy.jsonl", READ, "", 1, 2, 1, 1, 2, 1.0,
      NULL },
    { SYNTHETIC "mtbench_gpt-4_pair.jsonl", EITHER, "", 0, 0, 0, 0, 0, NO_SUM, NULL },
    { SYNTHETIC "mtbench_gpt-4_single.jsonl", READ, "", 2, 0, 0, 0, 7, NO_SUM, NULL },
    { SYNTHETIC "olmes_task-000-arc_challenge-predictions.jsonl", READ, "", 1, 3, 1, 1, 3, 1.0,
      NULL },
    { SYNTHETIC "opencompass_results_4runs.json", READ, "", 1, 2, 1, 4, 8, 5.0, NULL },
    { SYNTHETIC "opencompass_results_dict.json", READ, "", 1, 3, 1, 1, 3, 2.0, NULL },
    { SYNTHETIC "swebench_experiments_results.json", EITHER, "", 1, 2, 1, 1, 2, 1.0, NULL },
    { SYNTHETIC "swebench_run_report_v2.json", READ, "", 1, 5, 1, 1, 0, 1.0, NULL },
};
enum { N_SAMPLES = sizeof samples / sizeof samples[0] };

static double sum_of(const assay_results *results)
{
    double sum = 0.0;

    for (size_t r = 0; r < assay_results_n_records(results); r++)
        for (size_t i = 0; i < assay_results_n_items(results); i++) {
            double score;

            if (assay_results_cell(results, r, i, &score) == ASSAY_SCORED) sum += score;
        }
    return sum;
}

static int differs(const sample *of, const char *what, size_t got, size_t expected)
{
    if (expected == 0 || got == expected) return 0;
    print_error("%s: %zu %s, expected %zu\n", of->path, got, what, expected);
    return 1;
}

static int is_wrong(const sample *of, const assay_results *results)
{
    int wrong = differs(of, "models", assay_results_n_models(results), of->models);

    wrong |= differs(of, "items", assay_results_n_items(results), of->items);
    wrong |= differs(of, "templates", assay_results_n_templates(results), of->templates);
    wrong |= differs(of, "runs", assay_results_n_runs(results), of->runs);
    wrong |= differs(of, "scores", (size_t)assay_results_coverage(results).used, (size_t)of->used);
    if (isnan(of->sum) || fabs(sum_of(results) - of->sum) < 1e-9) return wrong;
    print_error("%s: the scores sum to %g, expected %g\n", of->path, sum_of(results), of->sum);
    return 1;
}

static int fails(const sample *of)
{
    assay_read_options options = defaults();
    assay_results *results = NULL;
    char path[512];
    assay_status status;
    int wrong = 0;

    options.item = of->item;
    if (!find_sample(of->path, path)) return 0;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    status = assay_read(results, path, &options);
    if (status == ASSAY_OK && of->expected == REFUSED) {
        print_error("%s: read, expected a refusal\n", of->path);
        wrong = 1;
    } else if (status == ASSAY_OK) {
        wrong = is_wrong(of, results);
    } else if (of->expected == READ) {
        print_error("%s: refused, expected to be read: %s\n", of->path, assay_last_error());
        wrong = 1;
    } else if (!strstr(assay_last_error(), of->part)) {
        print_error("%s: refused without \"%s\": %s\n", of->path, of->part, assay_last_error());
        wrong = 1;
    }
    assay_results_free(results);
    return wrong;
}

static void each_sample_is_read_or_refused_as_it_should(void **state)
{
    char path[512];
    size_t n_wrong = 0;

    (void)state;
    if (!find_sample("SOURCES.md", path)) skip();
    for (size_t k = 0; k < N_SAMPLES; k++) n_wrong += (size_t)fails(&samples[k]);
    if (n_wrong > 0) fail_msg("%zu of %d samples", n_wrong, N_SAMPLES);
}

/* ---- the table has all ---- */

static int is_listed(const char *path)
{
    for (size_t k = 0; k < N_SAMPLES; k++)
        if (strcmp(samples[k].path, path) == 0) return 1;
    return 0;
}

/* Files below a folder that the table lacks; root is what paths in it begin behind. */
static size_t count_unlisted(const char *folder_path, size_t root)
{
    DIR *stream = opendir(folder_path);
    const struct dirent *entry;
    size_t n = 0;

    assert_non_null(stream);
    while ((entry = readdir(stream))) {
        char path[1024];
        struct stat about;

        if (entry->d_name[0] == '.') continue;
        assert_in_range(snprintf(path, sizeof path, "%s/%s", folder_path, entry->d_name), 1, 1023);
        assert_int_equal(stat(path, &about), 0);
        if (S_ISDIR(about.st_mode)) {
            n += count_unlisted(path, root);
        } else if (!is_listed(path + root)) {
            print_error("%s is not in the table\n", path + root);
            n++;
        }
    }
    closedir(stream);
    return n;
}

static void every_sample_is_in_the_table(void **state)
{
    char path[512];

    (void)state;
    if (!find_sample("", path)) skip();
    path[strlen(path) - 1] = '\0'; /* its slash */
    assert_int_equal(count_unlisted(path, strlen(path) + 1), 0);
}

/* ---- several together ---- */

/* T72: one log in two forms, and in two compressions. */
static void t72_one_log_in_two_files_counts_once(void **state)
{
    static const char *const pairs[][2] = {
        { INSPECT "log_formats.eval", INSPECT "log_formats.json" },
        { INSPECT "log_streaming.eval", INSPECT "derived_log_streaming_zstd.eval" },
        { "promptfoo/promptfoo_0.121.20_repeat2.json",
          "promptfoo/promptfoo_0.121.20_repeat2.jsonl" },
        { "matrix/swebench_verified_top12_long.csv",
          "matrix/swebench_verified_top12_wide_items_as_rows.tsv" },
        { "py-irt/swebench_verified_responses.jsonl.gz", "matrix/swebench_verified_wide.csv" },
    };
    char first[512], second[512];

    (void)state;
    if (!find_sample("SOURCES.md", first)) skip();
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        assay_results *results;
        assay_coverage once, twice;
        size_t n_items;

        find_sample(pairs[k][0], first);
        find_sample(pairs[k][1], second);
        results = read_ok(first, NULL);
        once = assay_results_coverage(results);
        n_items = assay_results_n_items(results);
        if (assay_read(results, second, NULL) != ASSAY_OK) fail_msg("%s", assay_last_error());
        twice = assay_results_coverage(results);
        if (twice.used != once.used || assay_results_n_items(results) != n_items)
            fail_msg("%s and %s: %zu items, %d scores; alone %zu and %d", pairs[k][0], pairs[k][1],
                     assay_results_n_items(results), (int)twice.used, n_items, (int)once.used);
        assay_results_free(results);
    }
}

/* Four models were asked the same two prompts. */
static void a_folder_of_runs_is_one_benchmark(void **state)
{
    static const char *const models[] = { "anthropic_claude-3-opus-20240229", "meta_llama-3-70b",
                                          "meta_llama-3-8b", "mistralai_mixtral-8x22b" };
    assay_results *results = NULL;
    char name[256], path[512];

    (void)state;
    if (!find_sample("SOURCES.md", path)) skip();
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    for (size_t k = 0; k < 4; k++) {
        snprintf(name, sizeof name, HELM "%s", models[k]);
        find_sample(name, path);
        if (assay_read(results, path, NULL) != ASSAY_OK) fail_msg("%s", assay_last_error());
    }
    assert_int_equal(assay_results_n_models(results), 4);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(assay_results_coverage(results).used, 8);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sample_is_read_or_refused_as_it_should),
        cmocka_unit_test(every_sample_is_in_the_table),
        cmocka_unit_test(t72_one_log_in_two_files_counts_once),
        cmocka_unit_test(a_folder_of_runs_is_one_benchmark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
