/* SPDX-License-Identifier: Apache-2.0 */
/* Free runs for rows that repeat a cell, or that count its runs. A cell that is taken stays so, which
   is why the search for a free one need never begin anew. */
#include "core/error.h"
#include "core/memory.h"
#include "data/results_table.h"

#include <stdio.h>
#include <string.h>

static assay_status find_taken(assay_results *results, size_t model, size_t template_index,
                               size_t n_items, uint32_t **runs);
static assay_status find_run(assay_results *results, size_t model, size_t template_index, size_t k,
                             size_t *record);
static size_t find_taken_item(const assay_cells *cells, const unsigned char *codes, size_t n_items);
static assay_status count_held(assay_results *results, assay_counted_cell cell, size_t n_taken,
                               double *successes, size_t *trials);
static assay_status put_again(assay_results *results, assay_counted_cell cell, size_t successes,
                              size_t trials, double held_successes, size_t held_trials);

assay_status assay_results_next_run(assay_results *results, size_t model, size_t template_index,
                                    size_t item, size_t *record)
{
    uint32_t *taken;
    assay_status status = find_taken(results, model, template_index, item + 1, &taken);

    while (status == ASSAY_OK) {
        double score;

        status = find_run(results, model, template_index, (size_t)taken[item] + 1, record);
        if (status != ASSAY_OK) break;
        if (assay_cells_get(&results->cells[*record], item, &score) == ASSAY_ABSENT) break;
        taken[item]++;
    }
    return status;
}

assay_status assay_results_next_row_run(assay_results *results, size_t model, size_t template_index,
                                        const unsigned char *codes, size_t n_items, size_t *record)
{
    uint32_t *taken;
    size_t k = 1;
    assay_status status = find_taken(results, model, template_index, n_items, &taken);

    if (status != ASSAY_OK) return status;
    for (size_t i = 0; i < n_items; i++)
        if (codes[i] != ASSAY_CODE_ABSENT && taken[i] >= k) k = (size_t)taken[i] + 1;
    for (;; k++) {
        size_t item;

        status = find_run(results, model, template_index, k, record);
        if (status != ASSAY_OK) return status;
        item = find_taken_item(&results->cells[*record], codes, n_items);
        if (item == n_items) return ASSAY_OK;
        if (taken[item] == k - 1) taken[item]++;
    }
}

assay_status assay_results_put_counts(assay_results *results, assay_counted_cell cell,
                                      size_t successes, size_t trials, int further)
{
    const assay_results_mark before = assay_results_here(results);
    double held_successes = 0.0;
    size_t record, held_trials = 0;
    uint32_t *taken;
    assay_status status =
        assay_results_next_run(results, cell.model, cell.template_index, cell.item, &record);

    if (status == ASSAY_OK)
        status = find_taken(results, cell.model, cell.template_index, cell.item + 1, &taken);
    if (status == ASSAY_OK && !further && taken[cell.item] > 0)
        status = count_held(results, cell, taken[cell.item], &held_successes, &held_trials);
    if (status == ASSAY_OK && held_trials > 0) {
        assay_results_go_back(results, before); /* the free run is not needed */
        return put_again(results, cell, successes, trials, held_successes, held_trials);
    }
    if (status == ASSAY_OK && trials == 0)
        return assay_results_put(results, record, cell.item, 0.0, ASSAY_MISSING);
    for (size_t k = 0; k < trials && status == ASSAY_OK; k++) {
        status =
            assay_results_next_run(results, cell.model, cell.template_index, cell.item, &record);
        if (status == ASSAY_OK)
            status = assay_results_put(results, record, cell.item, k < successes, ASSAY_SCORED);
    }
    return status;
}

/* What the first runs of a cell, all of them taken, come to. */
static assay_status count_held(assay_results *results, assay_counted_cell cell, size_t n_taken,
                               double *successes, size_t *trials)
{
    for (size_t k = 1; k <= n_taken; k++) {
        size_t record;
        double score;
        assay_status status = find_run(results, cell.model, cell.template_index, k, &record);

        if (status != ASSAY_OK) return status;
        if (assay_cells_get(&results->cells[record], cell.item, &score) != ASSAY_SCORED) continue;
        *successes += score;
        ++*trials;
    }
    return ASSAY_OK;
}

/* The same counts again are counted once; others contradict them. */
static assay_status put_again(assay_results *results, assay_counted_cell cell, size_t successes,
                              size_t trials, double held_successes, size_t held_trials)
{
    int same = trials == held_trials && (double)successes == held_successes;
    uint64_t n = trials > 0 ? trials : 1;
    char name[ASSAY_CELL_NAME];

    if (!same && trials > 0 && !results->force) {
        assay_results_name_cell(results, cell.model, cell.template_index, cell.item, name);
        return assay_fail(ASSAY_E_CONFLICT,
                          "%s has %zu successes in %zu runs, and %g in %zu before", name, successes,
                          trials, held_successes, held_trials);
    }
    results->coverage.rows += n;
    if (trials == 0)
        results->coverage.missing += n; /* a score is not lost to a missing one */
    else if (same)
        results->coverage.duplicate += n;
    else
        results->coverage.refused += n;
    return ASSAY_OK;
}

/* Room for n_items counts of a model and template. */
static assay_status find_taken(assay_results *results, size_t model, size_t template_index,
                               size_t n_items, uint32_t **runs)
{
    size_t first, known = results->n_taken, n;
    assay_taken *taken;
    assay_status status = find_run(results, model, template_index, 1, &first);

    if (status != ASSAY_OK) return status;
    if (first >= known) {
        if (assay_grow(&results->taken, &results->taken_capacity, first + 1,
                       sizeof *results->taken) != 0)
            return assay_results_no_memory(results);
        memset(results->taken + known, 0, (first + 1 - known) * sizeof *results->taken);
        results->n_taken = first + 1;
    }
    taken = &results->taken[first];
    n = taken->n;
    if (assay_grow(&taken->runs, &taken->n, n_items, sizeof *taken->runs) != 0)
        return assay_results_no_memory(results);
    if (taken->n > n) memset(taken->runs + n, 0, (taken->n - n) * sizeof *taken->runs);
    *runs = taken->runs;
    return ASSAY_OK;
}

/* The record of the run that is called k. */
static assay_status find_run(assay_results *results, size_t model, size_t template_index, size_t k,
                             size_t *record)
{
    char text[24];
    size_t run, length = (size_t)snprintf(text, sizeof text, "%zu", k);
    assay_status status = assay_results_name_run(results, text, length, &run);

    if (status != ASSAY_OK) return status;
    return assay_results_find_record(results, model, template_index, run, record);
}

/* The first item of the row whose cell is taken, or n_items. */
static size_t find_taken_item(const assay_cells *cells, const unsigned char *codes, size_t n_items)
{
    size_t room = 64 * cells->n_words < n_items ? 64 * cells->n_words : n_items;
    double score;

    for (size_t i = 0; i < room; i++)
        if (codes[i] != ASSAY_CODE_ABSENT && assay_cells_get(cells, i, &score) != ASSAY_ABSENT)
            return i;
    return n_items;
}
