/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/missing.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One model's runs by prompt, and over the models how many have the prompt scored. */
typedef struct counting {
    const assay_results *results;
    size_t n;                          /* prompts */
    size_t *place;                     /* by item: its prompt, or SIZE_MAX */
    size_t *first, *next;              /* records by model, SIZE_MAX ends a list */
    size_t *scored, *without, *models; /* by prompt */
    double *sum;                       /* by prompt, of the scored runs */
    size_t n_models;                   /* with a score */
} counting;

static assay_status start(counting *c, const assay_results *results, const assay_prompts *prompts);
static void list_records(counting *c);
static void add_up(counting *c, size_t model);
static assay_missing count_model(counting *c);
static double shared_mean(const counting *c, const assay_missing *model);
static assay_status check_range(const assay_results *results);
static assay_status settle_record(assay_results *results, size_t record, uint64_t *n);

assay_status assay_missing_count(const assay_results *results, const assay_prompts *prompts,
                                 assay_missing *by_model, size_t *n_shared)
{
    counting c;
    assay_status status = start(&c, results, prompts);

    *n_shared = 0;
    if (status == ASSAY_OK) {
        list_records(&c);
        for (size_t m = 0; m < results->models.count; m++) {
            add_up(&c, m);
            by_model[m] = count_model(&c);
        }
        for (size_t i = 0; i < c.n; i++) *n_shared += c.n_models > 0 && c.models[i] == c.n_models;
        for (size_t m = 0; m < results->models.count; m++) {
            add_up(&c, m);
            by_model[m].shared_mean = shared_mean(&c, &by_model[m]);
        }
    }
    free(c.place);
    free(c.first);
    free(c.next);
    free(c.scored);
    free(c.without);
    free(c.models);
    free(c.sum);
    return status;
}

static assay_status start(counting *c, const assay_results *results, const assay_prompts *prompts)
{
    size_t n_items = results->items.count, n = prompts ? assay_prompts_n(prompts) : n_items;

    *c = (counting){ .results = results,
                     .n = n,
                     .place = assay_alloc(n_items, sizeof *c->place),
                     .first = assay_alloc(results->models.count, sizeof *c->first),
                     .next = assay_alloc(results->n_records, sizeof *c->next),
                     .scored = assay_alloc(n, sizeof *c->scored),
                     .without = assay_alloc(n, sizeof *c->without),
                     .models = assay_alloc_zero(n, sizeof *c->models),
                     .sum = assay_alloc(n, sizeof *c->sum) };
    if (!c->place || !c->first || !c->next || !c->scored || !c->without || !c->models || !c->sum)
        return assay_results_no_memory(results);
    for (size_t i = 0; i < n_items; i++) {
        ptrdiff_t found =
            prompts ? assay_prompts_find(prompts, assay_results_item(results, i)) : (ptrdiff_t)i;

        c->place[i] = found < 0 ? SIZE_MAX : (size_t)found;
    }
    return ASSAY_OK;
}

static void list_records(counting *c)
{
    for (size_t m = 0; m < c->results->models.count; m++) c->first[m] = SIZE_MAX;
    for (size_t r = c->results->n_records; r-- > 0;) {
        size_t model = c->results->records[r].model;

        c->next[r] = c->first[model];
        c->first[model] = r;
    }
}

static void add_up(counting *c, size_t model)
{
    memset(c->scored, 0, c->n * sizeof *c->scored);
    memset(c->without, 0, c->n * sizeof *c->without);
    for (size_t i = 0; i < c->n; i++) c->sum[i] = 0.0;
    for (size_t r = c->first[model]; r != SIZE_MAX; r = c->next[r])
        for (size_t i = 0; i < c->results->items.count; i++) {
            double score;
            size_t at = c->place[i];
            assay_score_state state =
                at == SIZE_MAX ? ASSAY_ABSENT : assay_results_cell(c->results, r, i, &score);

            if (state == ASSAY_ABSENT) continue;
            if (state == ASSAY_SCORED) {
                c->scored[at]++;
                c->sum[at] += score;
            } else
                c->without[at]++;
        }
}

static assay_missing count_model(counting *c)
{
    assay_missing model = { .shared_mean = NAN };

    for (size_t i = 0; i < c->n; i++) {
        double runs = (double)(c->scored[i] + c->without[i]);

        if (runs == 0.0) continue;
        model.prompts += c->scored[i] > 0;
        model.all_prompts++;
        model.runs += c->scored[i];
        model.all_runs += c->scored[i] + c->without[i];
        model.low += c->sum[i] / runs;
        model.high += (c->sum[i] + (double)c->without[i]) / runs;
    }
    model.low = model.all_prompts ? model.low / (double)model.all_prompts : NAN;
    model.high = model.all_prompts ? model.high / (double)model.all_prompts : NAN;
    if (model.prompts == 0) return model;
    c->n_models++;
    for (size_t i = 0; i < c->n; i++) c->models[i] += c->scored[i] > 0;
    return model;
}

static double shared_mean(const counting *c, const assay_missing *model)
{
    double sum = 0.0;
    size_t n = 0;

    for (size_t i = 0; model->prompts > 0 && i < c->n; i++) {
        if (c->models[i] != c->n_models) continue;
        sum += c->sum[i] / (double)c->scored[i];
        n++;
    }
    return n ? sum / (double)n : NAN;
}

assay_status assay_missing_as_wrong(assay_results *results, uint64_t *n)
{
    assay_status status = check_range(results);
    uint64_t count = 0;

    for (size_t r = 0; r < results->n_records && status == ASSAY_OK; r++)
        status = settle_record(results, r, &count);
    if (n) *n = count;
    return status;
}

static assay_status check_range(const assay_results *results)
{
    for (size_t r = 0; r < results->n_records; r++)
        for (size_t i = 0; results->cells[r].scores && i < results->items.count; i++) {
            double score;

            if (assay_results_cell(results, r, i, &score) == ASSAY_SCORED &&
                (score < 0.0 || score > 1.0))
                return assay_fail(
                    ASSAY_E_VALUE,
                    "item \"%.80s\" has score %g: only where scores run from 0 to 1 can "
                    "rows without one count as 0",
                    results->items.text[i], score);
        }
    return ASSAY_OK;
}

static assay_status settle_record(assay_results *results, size_t record, uint64_t *n)
{
    assay_cells *cells = &results->cells[record];

    for (size_t i = 0; i < results->items.count; i++) {
        double score;
        assay_score_state state = assay_results_cell(results, record, i, &score);

        if (state == ASSAY_SCORED || state == ASSAY_ABSENT) continue;
        if (assay_cells_put(cells, i, 0.0, ASSAY_SCORED) != ASSAY_PUT_NEW)
            return assay_results_no_memory(results);
        ++*n;
    }
    return ASSAY_OK;
}
