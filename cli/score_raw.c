/* SPDX-License-Identifier: Apache-2.0 */
/* The raw score of each model with its intervals. */
#include "score_answer.h"
#include "session.h"

#include <assay/intervals.h>
#include <math.h>
#include <stdlib.h>

static const double LEAST_WIDTH = 1e-9; /* of an interval: above the rounding of a mean */

/* The scores of the prompts that a model has, and their clusters numbered anew. */
struct own_scores {
    double *rate;
    size_t *label, *number; /* number[given label], SIZE_MAX where it has not come yet */
    size_t *size;           /* by number */
};

static assay_status clustered(const struct score_answer *answer, size_t model,
                              struct own_scores *own, struct score_raw *raw);

static void interval(assay_interval_kind kind, double x, double n, double level, double bounds[2])
{
    if (assay_interval(kind, x, n, level, bounds) != ASSAY_OK) bounds[0] = bounds[1] = NAN;
}

static assay_status raw_of(const struct score_answer *answer, size_t model, struct own_scores *own,
                           struct score_raw *raw)
{
    const double *x = score_successes(answer, model);
    double level = answer->request->analysis.level, successes = 0.0, x_prompts;

    raw->mean = score_value(answer, model, ASSAY_SCORE_RAW);
    raw->n = score_value(answer, model, ASSAY_SCORE_PROMPTS);
    raw->runs = score_value(answer, model, ASSAY_SCORE_RUNS);
    for (size_t i = 0; i < assay_trials_n_prompts(answer->trials); i++) successes += x[i];
    x_prompts = fmin(raw->mean * raw->n, raw->n);
    interval(ASSAY_INTERVAL_WILSON, x_prompts, raw->n, level, raw->wilson);
    interval(ASSAY_INTERVAL_CLOPPER_PEARSON, x_prompts, raw->n, level, raw->clopper_pearson);
    interval(ASSAY_INTERVAL_JEFFREYS, x_prompts, raw->n, level, raw->jeffreys);
    interval(ASSAY_INTERVAL_WALD, successes, raw->runs, level, raw->wald_trials);
    return clustered(answer, model, own, raw);
}

static double equal_clusters(const size_t *size, size_t n_clusters)
{
    double n = 0.0, squares = 0.0;

    for (size_t k = 0; k < n_clusters; k++) {
        n += (double)size[k];
        squares += (double)size[k] * (double)size[k];
    }
    return n * n / squares;
}

/* Clustered by the given labels, or by the topics that were found. Clusters that all score alike, at 0
   or 1 say, cannot tell how sure that is: an interval without width is none. */
static assay_status clustered(const struct score_answer *answer, size_t model,
                              struct own_scores *own, struct score_raw *raw)
{
    size_t n = assay_trials_n_prompts(answer->trials), n_own = 0, n_labels = 0;
    const double *x = score_successes(answer, model), *m = score_runs(answer, model);
    const size_t *labels = answer->labels ? answer->labels : answer->topics;
    assay_clustered result;
    assay_status status;

    for (size_t i = 0; i < n; i++) own->number[i] = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (m[i] <= 0.0) continue;
        if (own->number[labels[i]] == SIZE_MAX) {
            own->size[n_labels] = 0;
            own->number[labels[i]] = n_labels++;
        }
        own->size[own->number[labels[i]]]++;
        own->rate[n_own] = x[i] / m[i];
        own->label[n_own++] = own->number[labels[i]];
    }
    status = assay_clustered_mean(own->rate, own->label, n_own, answer->request->analysis.level,
                                  &result);
    if (status != ASSAY_OK) return status;
    raw->given = answer->labels != NULL;
    raw->n_clusters = result.n_clusters;
    raw->equal_clusters = equal_clusters(own->size, n_labels);
    for (size_t b = 0; b < 2; b++) /* (fmin and fmax would make a number of NaN) */
        raw->clustered[b] = isnan(result.bounds[b]) ? NAN : fmin(fmax(result.bounds[b], 0.0), 1.0);
    if (!(raw->clustered[1] - raw->clustered[0] > LEAST_WIDTH))
        raw->clustered[0] = raw->clustered[1] = NAN;
    score_lead_choose(raw);
    return ASSAY_OK;
}

assay_status score_raw(struct score_answer *answer)
{
    size_t n = assay_trials_n_prompts(answer->trials);
    size_t n_models = assay_trials_n_models(answer->trials);
    struct own_scores own = { malloc(n * sizeof *own.rate), malloc(n * sizeof *own.label),
                              malloc(n * sizeof *own.number), malloc(n * sizeof *own.size) };
    assay_status status = ASSAY_OK;

    answer->raw = calloc(n_models, sizeof *answer->raw);
    if (!own.rate || !own.label || !own.number || !own.size || !answer->raw)
        status = cli_no_memory();
    for (size_t k = 0; k < n_models && status == ASSAY_OK; k++)
        status = raw_of(answer, k, &own, &answer->raw[k]);
    free(own.rate);
    free(own.label);
    free(own.number);
    free(own.size);
    return status;
}
