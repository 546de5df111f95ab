/* SPDX-License-Identifier: Apache-2.0 */
/* Rows without a score, and models that were not asked the same: what `assay score` says of them. */
#include "print_score.h"
#include "session.h"

#include <assay/intervals.h>
#include <math.h>

static const char *const policies[] = { "drop", "wrong", "bounds" };

static const assay_missing *missing_of(const struct score_answer *answer, size_t k)
{
    return &answer->missing[assay_trials_model(answer->trials, k)];
}

/* From the lower end if all were wrong to the upper end if all were right: whatever they would have
   been, and by the luck of the prompts too. */
static void widest(const struct score_answer *answer, const assay_missing *model, double out[2])
{
    double n = (double)model->all_prompts, level = answer->request->analysis.level, bounds[2];

    out[0] = out[1] = NAN;
    if (assay_interval(ASSAY_INTERVAL_WILSON, fmin(model->low * n, n), n, level, bounds) ==
        ASSAY_OK)
        out[0] = bounds[0];
    if (assay_interval(ASSAY_INTERVAL_WILSON, fmin(model->high * n, n), n, level, bounds) ==
        ASSAY_OK)
        out[1] = bounds[1];
}

static int lacks_any(const struct score_answer *answer)
{
    for (size_t k = 0; k < assay_trials_n_models(answer->trials); k++)
        if (missing_of(answer, k)->runs < missing_of(answer, k)->all_runs) return 1;
    return 0;
}

static void print_lacking(FILE *to, const struct score_answer *answer)
{
    int width = score_name_width(answer), bounds = answer->request->missing == ASSAY_MISSING_BOUNDS;

    fprintf(to, "\nruns without a score, left out of the means above%s\n",
            bounds ? "" : " (--missing wrong counts them as 0)");
    print_score_name(to, "model", width);
    fprintf(to, "  %7s  %7s  %9s  %9s  %6s  %8s  %8s", "prompts", "of", "runs", "of", "raw",
            "if wrong", "if right");
    fputs(bounds ? "        interval\n" : "\n", to);
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];
        const assay_missing *model = missing_of(answer, k);
        double interval[2];

        print_score_name(to, score_model_name(answer, k), width);
        fprintf(to, "  %7zu  %7zu  %9zu  %9zu", model->prompts, model->all_prompts, model->runs,
                model->all_runs);
        print_score_number(to, 6, 4, answer->raw[k].mean);
        print_score_number(to, 8, 4, model->low);
        print_score_number(to, 8, 4, model->high);
        widest(answer, model, interval);
        if (bounds) print_score_interval(to, interval[0], interval[1]);
        putc('\n', to);
    }
}

int score_has_other_prompts(const struct score_answer *answer)
{
    for (size_t k = 0; k < assay_trials_n_models(answer->trials); k++)
        if (missing_of(answer, k)->prompts != answer->n_shared) return 1;
    return 0;
}

static void print_shared(FILE *to, const struct score_answer *answer)
{
    int width = score_name_width(answer);

    if (answer->n_shared == 0) {
        fputs("\nno prompt has a score of every model: their raw scores cannot be compared\n", to);
        return;
    }
    fprintf(to, "\nmodels were scored on different prompts; raw scores on the %zu that all have\n",
            answer->n_shared);
    print_score_name(to, "model", width);
    fprintf(to, "  %7s  %6s  %6s\n", "prompts", "raw", "shared");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), width);
        fprintf(to, "  %7zu", missing_of(answer, k)->prompts);
        print_score_number(to, 6, 4, answer->raw[k].mean);
        print_score_number(to, 6, 4, missing_of(answer, k)->shared_mean);
        putc('\n', to);
    }
}

void print_score_missing(FILE *to, const struct score_answer *answer)
{
    if (answer->n_as_wrong > 0)
        fprintf(to, "\nruns without a score, counted as 0: %llu\n",
                (unsigned long long)answer->n_as_wrong);
    if (lacks_any(answer)) print_lacking(to, answer);
    if (score_has_other_prompts(answer)) print_shared(to, answer);
}

/* ---- JSON ---- */

static void count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void pair(assay_json *json, const char *key, double low, double high)
{
    assay_json_key(json, key);
    assay_json_begin_array_in_line(json);
    assay_json_number(json, low);
    assay_json_number(json, high);
    assay_json_end_array(json);
}

void print_score_missing_json(assay_json *json, const struct score_answer *answer, size_t k)
{
    const assay_missing *model = missing_of(answer, k);
    double interval[2];

    cli_json_estimate(json, "shared_mean", model->shared_mean,
                      "no prompt has a score of every model");
    if (model->runs == model->all_runs) {
        cli_json_estimate(json, "without_score", NAN, "every run has a score");
        return;
    }
    widest(answer, model, interval);
    assay_json_key(json, "without_score");
    assay_json_begin_object(json);
    count(json, "prompts", model->prompts);
    count(json, "all_prompts", model->all_prompts);
    count(json, "runs", model->runs);
    count(json, "all_runs", model->all_runs);
    pair(json, "bounds", model->low, model->high);
    pair(json, "interval", interval[0], interval[1]);
    assay_json_end_object(json);
}

void print_score_policy_json(assay_json *json, const struct score_answer *answer)
{
    assay_json_key(json, "missing");
    assay_json_begin_object(json);
    assay_json_key(json, "policy");
    assay_json_text(json, policies[answer->request->missing]);
    count(json, "counted_as_0", answer->n_as_wrong);
    count(json, "shared_prompts", answer->n_shared);
    assay_json_end_object(json);
}
