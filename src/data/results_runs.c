/* SPDX-License-Identifier: Apache-2.0 */
/* Free runs for rows that repeat a cell. A cell that is taken stays so, which is why the search for
   a free one need never begin anew. */
#include "core/memory.h"
#include "data/results_table.h"

#include <stdio.h>
#include <string.h>

static assay_status find_taken(assay_results *results, size_t model, size_t template_index,
                               size_t n_items, uint32_t **runs);
static assay_status find_run(assay_results *results, size_t model, size_t template_index, size_t k,
                             size_t *record);
static size_t find_taken_item(const assay_cells *cells, const unsigned char *codes, size_t n_items);

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
