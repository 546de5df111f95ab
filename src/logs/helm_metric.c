/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the many statistics that HELM keeps of an instance is its score. */
#include "logs/helm_run.h"

#include <string.h>

/* The main metrics of HELM's leaderboards where the usual order would choose another. */
static const struct main_metric {
    const char *scenario, *metric;
} mains[] = {
    { "narrative_qa", "f1_score" },
    { "natural_qa", "f1_score" },
    { "quac", "f1_score" },
    { "msmarco", "RR@10" },
    { "summarization_cnndm", "rouge_2" },
    { "summarization_xsum", "rouge_2" },
    { "wmt_14", "bleu_4" },
    { "gsm", "final_number_exact_match" },
    { "boolq", "quasi_exact_match" },
    { "imdb", "quasi_exact_match" },
    { "raft", "quasi_exact_match" },
    { "civil_comments", "quasi_exact_match" },
    { "legalbench", "quasi_exact_match" },
    { "med_qa", "quasi_exact_match" },
    { "babi_qa", "quasi_exact_match" },
    { "lsat_qa", "quasi_exact_match" },
    { "bbq", "quasi_exact_match" },
    { "entity_matching", "quasi_exact_match" },
    { "entity_data_imputation", "quasi_exact_match" },
    { "synthetic_reasoning", "quasi_exact_match" },
    { "dyck_language", "exact_match_indicator" },
};

static const char *const usual[] = { "chain_of_thought_correctness",
                                     "ifeval_strict_accuracy",
                                     "wildbench_score_rescaled",
                                     "omni_math_accuracy",
                                     "safety_score",
                                     "exact_match",
                                     "quasi_exact_match",
                                     "final_number_exact_match",
                                     "math_equiv_chain_of_thought",
                                     "math_equiv",
                                     "exact_match_indicator",
                                     "f1_score",
                                     "rouge_2",
                                     "bleu_4",
                                     "RR@10",
                                     "pass" };

int assay_helm_is_metadata(const char *statistic)
{
    static const char *const starts[] = { "num_",          "finish_reason_", "training_",
                                          "inference_",    "batch_size",     "prompt_truncated",
                                          "max_prob",      "logprob",        "perplexity",
                                          "bits_per_byte", "estimated_" };

    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++)
        if (strncmp(statistic, starts[k], strlen(starts[k])) == 0) return 1;
    return 0;
}

size_t assay_helm_main_metric(const assay_helm_run *run, const assay_names *statistics)
{
    const char *task = run->task.text ? run->task.text : "";
    const assay_name scenario = { task, strcspn(task, ":") };
    ptrdiff_t found = -1;

    for (size_t k = 0; found < 0 && k < sizeof mains / sizeof mains[0]; k++)
        if (assay_name_is(scenario, mains[k].scenario))
            found = assay_names_find(statistics, mains[k].metric, strlen(mains[k].metric));
    for (size_t k = 0; found < 0 && k < sizeof usual / sizeof usual[0]; k++)
        found = assay_names_find(statistics, usual[k], strlen(usual[k]));
    for (size_t k = 0; found < 0 && k < statistics->count; k++)
        if (!assay_helm_is_metadata(statistics->text[k])) found = (ptrdiff_t)k;
    return found < 0 ? SIZE_MAX : (size_t)found;
}
