/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/logs.h"

#include "logs/alpaca_eval.h"
#include "logs/bfcl.h"
#include "logs/bigcodebench.h"
#include "logs/deepeval.h"
#include "logs/evalplus.h"
#include "logs/every_eval_ever.h"
#include "logs/garak.h"
#include "logs/helm.h"
#include "logs/inspect.h"
#include "logs/lighteval.h"
#include "logs/livecodebench.h"
#include "logs/lm_eval.h"
#include "logs/mt_bench.h"
#include "logs/olmes.h"
#include "logs/openai_evals.h"
#include "logs/opencompass.h"
#include "logs/promptfoo.h"
#include "logs/py_irt.h"
#include "logs/score_array.h"
#include "logs/swebench.h"

#include <stddef.h>

static const assay_log_format formats[] = {
    { ASSAY_FORMAT_GARAK, "a garak report", assay_garak_is_report, assay_garak_read, NULL },
    { ASSAY_FORMAT_GARAK, "a garak hitlog", assay_garak_is_hitlog, NULL,
      "a garak hitlog, which lists only the attacks that worked, so that no rate follows; give the "
      "report.jsonl of the same run" },

    { ASSAY_FORMAT_INSPECT, "an Inspect log", assay_inspect_is_log, assay_inspect_read, NULL },
    { ASSAY_FORMAT_SWE_BENCH, "a SWE-bench run report", assay_swebench_is_report,
      assay_swebench_read, NULL },
    { ASSAY_FORMAT_SWE_BENCH, "SWE-bench's results.json", assay_swebench_is_lists,
      assay_swebench_read, NULL },
    { ASSAY_FORMAT_SWE_BENCH, "a SWE-bench report of an instance", assay_swebench_is_instance,
      assay_swebench_read_instance, NULL },
    { ASSAY_FORMAT_EVALPLUS, "EvalPlus results", assay_evalplus_is_one, assay_evalplus_read, NULL },
    { ASSAY_FORMAT_BIGCODEBENCH, "BigCodeBench results", assay_bigcodebench_is_one,
      assay_bigcodebench_read, NULL },
    { ASSAY_FORMAT_LIVECODEBENCH, "LiveCodeBench results", assay_livecodebench_is_graded,
      assay_livecodebench_read_graded, NULL },
    { ASSAY_FORMAT_LIVECODEBENCH, "LiveCodeBench results by position", assay_livecodebench_is_tests,
      assay_livecodebench_read_tests, NULL },
    { ASSAY_FORMAT_LIVECODEBENCH, "a table of LiveCodeBench's site", assay_livecodebench_is_site,
      assay_livecodebench_read_site, NULL },
    { ASSAY_FORMAT_LIVECODEBENCH, "a table of LiveCodeBench's site", assay_livecodebench_is_csv,
      assay_livecodebench_read_csv, NULL },
    { ASSAY_FORMAT_BFCL, "BFCL scores", assay_bfcl_is_scores, assay_bfcl_read, NULL },
    { ASSAY_FORMAT_BFCL, "BFCL answers", assay_bfcl_is_answers, NULL,
      "answers of BFCL without their scores; give score/MODEL/..._score.json, beside which they "
      "say what passed" },
    { ASSAY_FORMAT_BFCL, "BFCL's leaderboard", assay_bfcl_is_leaderboard, NULL,
      "BFCL's leaderboard: means by category, of which no item is known; give "
      "score/MODEL/..._score.json with result/ beside it, or read its columns as items with "
      "--format csv --model Model --columns A,B,..." },
    { ASSAY_FORMAT_OPENCOMPASS, "OpenCompass results", assay_opencompass_is_details,
      assay_opencompass_read, NULL },
    { ASSAY_FORMAT_OPENCOMPASS, "OpenCompass judgments", assay_opencompass_is_judgments, NULL,
      "OpenCompass judgments: a judge's words, in which each dataset reads its verdicts in a way "
      "of its own; give results with details that say what is correct" },
    { ASSAY_FORMAT_OPENCOMPASS, "OpenCompass predictions", assay_opencompass_is_predictions, NULL,
      "OpenCompass predictions: answers without their scores; give results/MODEL/DATASET.json of "
      "a run with --dump-eval-details" },
    { ASSAY_FORMAT_OPENCOMPASS, "an OpenCompass mean", assay_opencompass_is_mean, NULL,
      "OpenCompass results without details: means in percent, from which no analysis of items "
      "follows; run the evaluation with --dump-eval-details" },
    { ASSAY_FORMAT_PY_IRT, "py-irt responses", assay_py_irt_is_one, assay_py_irt_read, NULL },
    { ASSAY_FORMAT_ALPACA_EVAL, "AlpacaEval annotations", assay_alpaca_eval_is_one,
      assay_alpaca_eval_read, NULL },
    { ASSAY_FORMAT_MT_BENCH, "MT-bench judgments", assay_mt_bench_is_single, assay_mt_bench_read,
      NULL },
    { ASSAY_FORMAT_MT_BENCH, "MT-bench judgments of pairs", assay_mt_bench_is_pair,
      assay_mt_bench_read, NULL },
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
    { ASSAY_FORMAT_LM_EVAL, "a samples file of lm-evaluation-harness", assay_lm_eval_is_samples,
      assay_lm_eval_read, NULL },
    { ASSAY_FORMAT_LM_EVAL, "a results file of lm-evaluation-harness", assay_lm_eval_is_results,
      NULL,
      "a results file of lm-evaluation-harness, which holds means of tasks and no items, so that "
      "nothing follows about items; give the samples_TASK_DATE.jsonl that --log_samples writes "
      "beside it" },
    { ASSAY_FORMAT_LM_EVAL, "a file of prompts of lm-evaluation-harness", assay_lm_eval_is_prompts,
      NULL,
      "the prompt templates of lm-evaluation-harness's SCORE tasks, which are no results; give the "
      "samples_TASK_DATE.jsonl of a run" },
    { ASSAY_FORMAT_OLMES, "predictions of OLMES", assay_olmes_is_predictions, assay_olmes_read,
      NULL },
    { ASSAY_FORMAT_OLMES, "metrics of OLMES", assay_olmes_is_metrics, NULL,
      "metrics of OLMES, which are means of tasks and no items; give the "
      "task-NNN-TASK-predictions.jsonl of the same run" },
    { ASSAY_FORMAT_OLMES, "requests of OLMES", assay_olmes_is_requests, NULL,
      "what OLMES sent to the model (requests, recorded inputs), which holds no scores; give the "
      "task-NNN-TASK-predictions.jsonl of the same run" },
    { ASSAY_FORMAT_EVERY_EVAL_EVER, "instances of Every Eval Ever",
      assay_every_eval_ever_is_instances, assay_every_eval_ever_read, NULL },
    { ASSAY_FORMAT_EVERY_EVAL_EVER, "an aggregate of Every Eval Ever",
      assay_every_eval_ever_is_aggregate, NULL,
      "an aggregate of Every Eval Ever, which holds scores of whole evaluations and no items; give "
      "the UUID_samples.jsonl beside it" },
    { ASSAY_FORMAT_EVERY_EVAL_EVER, "a schema of Every Eval Ever", assay_every_eval_ever_is_schema,
      NULL,
      "a schema of Every Eval Ever, which describes results and holds none; give a "
      "UUID_samples.jsonl" },
    { ASSAY_FORMAT_LIGHTEVAL, "results of lighteval", assay_lighteval_is_results, NULL,
      "results of lighteval, which hold means of tasks (and means of these, \"all\" and "
      "\"_average\") and no items; give details/MODEL/DATE/details_TASK_DATE.parquet, which "
      "--save-details writes" },
    { ASSAY_FORMAT_NPY, "a matrix of scores", assay_score_array_is_one, assay_score_array_read,
      NULL },
};
enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const assay_log_format *assay_log_find(assay_format format, const assay_log_head *head)
{
    const int is_given = format != ASSAY_FORMAT_AUTO;

    for (size_t k = 0; k < N_FORMATS; k++)
        if ((!is_given || formats[k].format == format) && formats[k].is_one(head))
            return &formats[k];
    for (size_t k = 0; is_given && k < N_FORMATS; k++)
        if (formats[k].format == format) return &formats[k];
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
