/* SPDX-License-Identifier: Apache-2.0 */
/* The records of the results table: found by hashing, forgotten newest first. */
#include "core/memory.h"
#include "data/results_table.h"

#include <stdlib.h>

static int grow_slots(assay_results *results);
static size_t slot_of(const assay_results *results, assay_record key);
static uint64_t hash_of(assay_record key);
static void forget_newest(assay_results *results);

assay_status assay_results_find_record(assay_results *results, size_t model, size_t template_index,
                                       size_t run, size_t *record)
{
    assay_record key = { model, template_index, run };
    size_t n = results->n_records, slot;

    if (grow_slots(results) != 0) return assay_results_no_memory(results);
    slot = slot_of(results, key);
    if (!results->record_slots[slot]) {
        if (assay_grow(&results->records, &results->records_capacity, n + 1,
                       sizeof *results->records) != 0 ||
            assay_grow(&results->cells, &results->cells_capacity, n + 1, sizeof *results->cells) !=
                0)
            return assay_results_no_memory(results);
        results->records[n] = key;
        results->cells[n] = (assay_cells){ 0 };
        results->record_slots[slot] = ++results->n_records;
    }
    *record = results->record_slots[slot] - 1;
    return ASSAY_OK;
}

static int grow_slots(assay_results *results)
{
    size_t *old = results->record_slots, n = results->n_record_slots;
    size_t *slots;

    if (2 * (results->n_records + 1) <= n) return 0;
    n = n ? 2 * n : 64;
    slots = assay_alloc_zero(n, sizeof *slots);
    if (!slots) return -1;
    results->record_slots = slots;
    results->n_record_slots = n;
    for (size_t i = 0; i < results->n_records; i++)
        slots[slot_of(results, results->records[i])] = i + 1;
    free(old);
    return 0;
}

/* The slot where a record stands, or belongs. */
static size_t slot_of(const assay_results *results, assay_record key)
{
    size_t mask = results->n_record_slots - 1, slot = hash_of(key) & mask;

    for (; results->record_slots[slot]; slot = (slot + 1) & mask) {
        const assay_record *known = &results->records[results->record_slots[slot] - 1];
        if (known->model == key.model && known->template_index == key.template_index &&
            known->run == key.run)
            break;
    }
    return slot;
}

static uint64_t hash_of(assay_record key)
{
    uint64_t h = key.model * 0x9e3779b97f4a7c15u;

    h = (h ^ key.template_index) * 0xd6e8feb86659fd93u;
    h = (h ^ key.run) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 29;
}

assay_results_mark assay_results_here(const assay_results *results)
{
    return (assay_results_mark){ results->models.count,     results->items.count,
                                 results->templates.count,  results->runs.count,
                                 results->covariates.count, results->n_records,
                                 results->n_notes };
}

void assay_results_go_back(assay_results *results, assay_results_mark mark)
{
    while (results->n_records > mark.records) forget_newest(results);
    while (results->n_notes > mark.notes) free(results->notes[--results->n_notes]);
    for (size_t i = mark.covariates; i < results->covariates.count; i++)
        assay_attribute_free(&results->covariate_values[i]);
    assay_names_cut(&results->covariates, mark.covariates);
    assay_names_cut(&results->models, mark.models);
    assay_names_cut(&results->items, mark.items);
    if (results->identity.n > mark.items)
        results->identity.n = mark.items; /* without contents: a
                                      row that says one is an observation, and is not forgotten */
    assay_names_cut(&results->templates, mark.templates);
    assay_names_cut(&results->runs, mark.runs);
}

/* The slot of the newest record may be freed again: no other record's search passes over it. */
static void forget_newest(assay_results *results)
{
    size_t newest = --results->n_records;

    results->record_slots[slot_of(results, results->records[newest])] = 0;
    assay_cells_free(&results->cells[newest]);
    if (results->n_taken > newest) free(results->taken[--results->n_taken].runs);
}
