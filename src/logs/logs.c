/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/logs.h"

#include "logs/deepeval.h"
#include "logs/garak.h"
#include "logs/helm.h"
#include "logs/openai_evals.h"
#include "logs/promptfoo.h"

#include <stddef.h>

static const assay_log_format formats[] = {
    { ASSAY_FORMAT_GARAK, "a garak report", assay_garak_is_report, assay_garak_read, NULL },
    { ASSAY_FORMAT_GARAK, "a garak hitlog", assay_garak_is_hitlog, NULL,
      "a garak hitlog, which lists only the attacks that worked, so that no rate follows; give the "
      "report.jsonl of the same run" },
    { ASSAY_FORMAT_PROMPTFOO, "an output of promptfoo", assay_promptfoo_is_output,
      assay_promptfoo_read, NULL },
    { ASSAY_FORMAT_PROMPTFOO, "an old table of promptfoo", assay_promptfoo_is_old_table, NULL,
      "a table of an older promptfoo, which holds verdict and answer in one cell; give the run's "
      "JSON (promptfoo export eval, or -o FILE.json)" },
    { ASSAY_FORMAT_HELM, "a run of HELM", assay_helm_is_scores, assay_helm_read, NULL },
    { ASSAY_FORMAT_HELM, "HELM's run_spec.json", assay_helm_is_run_spec, NULL,
      "HELM's run_spec.json, which says how a run is made and holds no scores; give "
      "per_instance_stats.json, or the run's folder" },
    { ASSAY_FORMAT_HELM, "HELM's scenario_state.json", assay_helm_is_state, NULL,
      "HELM's scenario_state.json, which holds requests and answers and no scores; give "
      "per_instance_stats.json, or the run's folder" },
    { ASSAY_FORMAT_HELM, "HELM's stats.json", assay_helm_is_stats, NULL,
      "HELM's stats.json, which sums up a run and says nothing of its items; give "
      "per_instance_stats.json, or the run's folder" },
    { ASSAY_FORMAT_HELM, "HELM's instances.json", assay_helm_is_instances, NULL,
      "HELM's instances.json, which holds texts and no scores; give per_instance_stats.json, or "
      "the run's folder" },
    { ASSAY_FORMAT_HELM, "HELM's display_requests.json", assay_helm_is_requests, NULL,
      "HELM's display_requests.json, which holds requests and no scores; give "
      "per_instance_stats.json, or the run's folder" },
    { ASSAY_FORMAT_HELM, "HELM's scenario.json", assay_helm_is_scenario, NULL,
      "HELM's scenario.json, which describes a scenario and holds no scores; give "
      "per_instance_stats.json, or the run's folder" },
    { ASSAY_FORMAT_DEEPEVAL, "a test run of DeepEval", assay_deepeval_is_run, assay_deepeval_read,
      NULL },
    { ASSAY_FORMAT_OPENAI_EVALS, "a log of openai/evals", assay_openai_evals_is_log,
      assay_openai_evals_read, NULL },
};
enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const assay_log_format *assay_log_find(assay_format format, const assay_log_head *head)
{
    for (size_t k = 0; k < N_FORMATS; k++)
        if (format == ASSAY_FORMAT_AUTO ? formats[k].is_one(head) : formats[k].format == format)
            return &formats[k];
    return NULL;
}

const char *assay_format_name(assay_format format)
{
    static const char *const names[ASSAY_N_FORMATS] = {
        [ASSAY_FORMAT_AUTO] = "auto",
        [ASSAY_FORMAT_CSV] = "csv",
        [ASSAY_FORMAT_TSV] = "tsv",
        [ASSAY_FORMAT_JSONL] = "jsonl",
        [ASSAY_FORMAT_GARAK] = "garak",
        [ASSAY_FORMAT_LM_EVAL] = "lm-eval",
        [ASSAY_FORMAT_INSPECT] = "inspect",
        [ASSAY_FORMAT_PROMPTFOO] = "promptfoo",
        [ASSAY_FORMAT_HELM] = "helm",
        [ASSAY_FORMAT_EVERY_EVAL_EVER] = "every-eval-ever",
        [ASSAY_FORMAT_OPENCOMPASS] = "opencompass",
        [ASSAY_FORMAT_SWE_BENCH] = "swe-bench",
        [ASSAY_FORMAT_EVALPLUS] = "evalplus",
        [ASSAY_FORMAT_BIGCODEBENCH] = "bigcodebench",
        [ASSAY_FORMAT_LIVECODEBENCH] = "livecodebench",
        [ASSAY_FORMAT_DEEPEVAL] = "deepeval",
        [ASSAY_FORMAT_PY_IRT] = "py-irt",
        [ASSAY_FORMAT_BFCL] = "bfcl",
        [ASSAY_FORMAT_ALPACA_EVAL] = "alpaca-eval",
        [ASSAY_FORMAT_MT_BENCH] = "mt-bench",
        [ASSAY_FORMAT_LIGHTEVAL] = "lighteval",
        [ASSAY_FORMAT_OLMES] = "olmes",
        [ASSAY_FORMAT_OPENAI_EVALS] = "openai-evals",
        [ASSAY_FORMAT_NPY] = "npy",
        [ASSAY_FORMAT_PARQUET] = "parquet",
    };

    return (int)format >= 0 && (int)format < ASSAY_N_FORMATS ? names[format] : NULL;
}
