/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/logs.h"

#include "logs/every_eval_ever.h"
#include "logs/garak.h"
#include "logs/lm_eval.h"
#include "logs/olmes.h"

#include <stddef.h>

static const assay_log_format formats[] = {
    { ASSAY_FORMAT_GARAK, "a garak report", assay_garak_is_report, assay_garak_read, NULL },
    { ASSAY_FORMAT_GARAK, "a garak hitlog", assay_garak_is_hitlog, NULL,
      "a garak hitlog, which lists only the attacks that worked, so that no rate follows; give the "
      "report.jsonl of the same run" },

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
