/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/trials.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_trials {
    size_t n_models, n_prompts;
    double *successes, *trials; /* n_models x n_prompts */
    size_t *model;              /* of the table */
    size_t n_unknown_items, n_unscored_prompts;
    int fractional;
};

/* place[item]: the prompt that an item of the table is, or SIZE_MAX. */
static size_t *find_places(const assay_results *results, const assay_prompts *prompts,
                           assay_trials *trials);
static assay_status add_records(const assay_results *results, const size_t *place,
                                assay_trials *trials);
static void keep_scored_models(assay_trials *trials);
static assay_status fail_empty(const assay_results *results, const assay_prompts *prompts,
                               const assay_trials *trials);

assay_status assay_trials_count(const assay_results *results, const assay_prompts *prompts,
                                assay_trials **out)
{
    assay_trials *trials = assay_alloc_zero(1, sizeof *trials);
    size_t *place = NULL, row;
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!trials) return assay_fail(ASSAY_E_NOMEM, "no memory for the trials of a table");
    trials->n_models = assay_results_n_models(results);
    trials->n_prompts = prompts ? assay_prompts_n(prompts) : assay_results_n_items(results);
    row = trials->n_prompts * sizeof(double);
    trials->successes = assay_alloc_zero(trials->n_models, row);
    trials->trials = assay_alloc_zero(trials->n_models, row);
    trials->model = assay_alloc(trials->n_models, sizeof *trials->model);
    place = find_places(results, prompts, trials);
    if (!trials->successes || !trials->trials || !trials->model || !place) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the trials of %zu models on %zu prompts",
                            trials->n_models, trials->n_prompts);
        goto done;
    }
    if ((status = add_records(results, place, trials)) != ASSAY_OK) goto done;
    keep_scored_models(trials);
    if (trials->n_models == 0) {
        status = fail_empty(results, prompts, trials);
        goto done;
    }
    *out = trials;
    trials = NULL;
done:
    free(place);
    assay_trials_free(trials);
    return status;
}

static size_t *find_places(const assay_results *results, const assay_prompts *prompts,
                           assay_trials *trials)
{
    size_t n = assay_results_n_items(results), *place = assay_alloc(n, sizeof *place);

    for (size_t i = 0; place && i < n; i++) {
        ptrdiff_t found =
            prompts ? assay_prompts_find(prompts, assay_results_item(results, i)) : (ptrdiff_t)i;

        place[i] = found < 0 ? SIZE_MAX : (size_t)found;
        if (found < 0) trials->n_unknown_items++;
    }
    return place;
}

static assay_status fail_range(const assay_results *results, size_t item, double low, double high)
{
    return assay_fail(ASSAY_E_VALUE,
                      "scores run from %g to %g (item \"%.80s\"): a success rate needs 0 to 1", low,
                      high, assay_results_item(results, item));
}

static assay_status add_records(const assay_results *results, const size_t *place,
                                assay_trials *trials)
{
    size_t n_items = assay_results_n_items(results), outside = SIZE_MAX;
    double low = INFINITY, high = -INFINITY;

    for (size_t r = 0; r < assay_results_n_records(results); r++) {
        size_t row = assay_results_record(results, r).model * trials->n_prompts;

        for (size_t i = 0; i < n_items; i++) {
            double score;

            if (place[i] == SIZE_MAX || assay_results_cell(results, r, i, &score) != ASSAY_SCORED)
                continue;
            trials->successes[row + place[i]] += score;
            trials->trials[row + place[i]] += 1.0;
            if (score != 0.0 && score != 1.0) trials->fractional = 1;
            if (score < 0.0 || score > 1.0) outside = i;
            low = fmin(low, score);
            high = fmax(high, score);
        }
    }
    return outside == SIZE_MAX ? ASSAY_OK : fail_range(results, outside, low, high);
}

static void keep_scored_models(assay_trials *trials)
{
    size_t n = trials->n_prompts, kept = 0;

    for (size_t m = 0; m < trials->n_models; m++) {
        double total = 0.0;

        for (size_t i = 0; i < n; i++) total += trials->trials[m * n + i];
        if (total == 0.0) continue;
        memmove(trials->successes + kept * n, trials->successes + m * n, n * sizeof(double));
        memmove(trials->trials + kept * n, trials->trials + m * n, n * sizeof(double));
        trials->model[kept++] = m;
    }
    trials->n_models = kept;
    for (size_t i = 0; i < n; i++) {
        double total = 0.0;

        for (size_t m = 0; m < kept; m++) total += trials->trials[m * n + i];
        if (total == 0.0) trials->n_unscored_prompts++;
    }
}

static assay_status fail_empty(const assay_results *results, const assay_prompts *prompts,
                               const assay_trials *trials)
{
    size_t n_items = assay_results_n_items(results);

    if (!prompts || n_items == 0 || trials->n_unknown_items < n_items || trials->n_prompts == 0)
        return assay_fail(ASSAY_E_SHAPE, "no %s has a score", prompts ? "prompt" : "item");
    return assay_fail(
        ASSAY_E_SHAPE,
        "no item of the results is a prompt: the items are called like \"%.60s\", the "
        "prompts like \"%.60s\"",
        assay_results_item(results, 0), assay_prompts_id(prompts, 0));
}

void assay_trials_free(assay_trials *trials)
{
    if (!trials) return;
    free(trials->successes);
    free(trials->trials);
    free(trials->model);
    free(trials);
}

size_t assay_trials_n_models(const assay_trials *trials)
{
    return trials->n_models;
}

size_t assay_trials_n_prompts(const assay_trials *trials)
{
    return trials->n_prompts;
}

const double *assay_trials_successes(const assay_trials *trials)
{
    return trials->successes;
}

const double *assay_trials_trials(const assay_trials *trials)
{
    return trials->trials;
}

size_t assay_trials_model(const assay_trials *trials, size_t k)
{
    return trials->model[k];
}

size_t assay_trials_n_unknown_items(const assay_trials *trials)
{
    return trials->n_unknown_items;
}

size_t assay_trials_n_unscored_prompts(const assay_trials *trials)
{
    return trials->n_unscored_prompts;
}

int assay_trials_are_fractional(const assay_trials *trials)
{
    return trials->fractional;
}
