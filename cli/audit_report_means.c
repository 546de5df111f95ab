/* SPDX-License-Identifier: Apache-2.0 */
/* What each model scores with every prompt alike, which needs no texts of prompts. */
#include "audit_report.h"

#include <assay/intervals.h>
#include <math.h>
#include <stdlib.h>

static struct report_mean mean_of(const assay_trials *trials, size_t k, double level)
{
    struct report_mean mean = { .model = assay_trials_model(trials, k), .low = NAN, .high = NAN };
    size_t n_prompts = assay_trials_n_prompts(trials);
    const double *successes = assay_trials_successes(trials) + k * n_prompts;
    const double *runs = assay_trials_trials(trials) + k * n_prompts;
    double sum = 0.0, bounds[2];

    for (size_t i = 0; i < n_prompts; i++) {
        if (runs[i] <= 0.0) continue;
        sum += successes[i] / runs[i];
        mean.n++;
    }
    mean.mean = sum / mean.n;
    if (assay_interval(ASSAY_INTERVAL_WILSON, fmin(sum, mean.n), mean.n, level, bounds) != ASSAY_OK)
        return mean;
    mean.low = bounds[0];
    mean.high = bounds[1];
    return mean;
}

assay_status report_find_means(struct report *report)
{
    const assay_trials *trials = report->has_score ? report->score.trials : report->trials;

    if (!trials) return ASSAY_OK;
    report->means = calloc(assay_trials_n_models(trials), sizeof *report->means);
    if (!report->means) return cli_no_memory();
    report->n_means = assay_trials_n_models(trials);
    for (size_t k = 0; k < report->n_means; k++)
        report->means[k] = mean_of(trials, k, report->request->analysis.level);
    return ASSAY_OK;
}
