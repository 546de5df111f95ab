/* SPDX-License-Identifier: Apache-2.0 */
/* The table itself: what results.c, results_records.c and results_runs.c fill and
   results_get.c shows. */
#ifndef ASSAY_DATA_RESULTS_TABLE_H
#define ASSAY_DATA_RESULTS_TABLE_H

#include "data/attribute.h"
#include "data/identity.h"
#include "data/names.h"
#include "data/record.h"
#include "data/results.h"

/* In how many runs, from "1" on without a gap, an item's cell is known to be taken: by item. */
typedef struct assay_taken {
    uint32_t *runs;
    size_t n;
} assay_taken;

struct assay_results {
    assay_names models, items, templates, runs, tasks;
    assay_record *records; /* records[r] is the key of cells[r] */
    assay_cells *cells;
    size_t n_records, records_capacity, cells_capacity;
    size_t *record_slots; /* open addressing: record + 1, or 0 where free; a power of two of them */
    size_t n_record_slots;
    assay_taken *taken; /* of a model and template, where the record of its run "1" stands */
    size_t n_taken, taken_capacity;

    assay_attribute item_text, item_cluster; /* by item */
    assay_identity identity;
    assay_names covariates;
    assay_attribute *covariate_values; /* by covariate, then model */
    size_t covariates_capacity;

    assay_coverage coverage;
    assay_input *inputs;
    assay_input_file *input_files; /* by input */
    size_t n_inputs, inputs_capacity, input_files_capacity;
    assay_names input_keys; /* files, digests, digests of a model: a folder may hold many files */
    size_t *inputs_of_keys; /* the first input of each */
    size_t inputs_of_keys_capacity;
    char **notes;
    size_t n_notes, notes_capacity;
    int force, damaged;
    int has_rows; /* 1: an input had a row an observation, and no columns to choose among */
};

/* A cell as sentences have it, names cut to 80 bytes: model "a", item "b", template "c", the last
   where templates have names. */
enum { ASSAY_CELL_NAME = 300 };
void assay_results_name_cell(const assay_results *results, size_t model, size_t template_index,
                             size_t item, char out[ASSAY_CELL_NAME]);

/* Fail for want of memory. Returns ASSAY_E_NOMEM. */
assay_status assay_results_no_memory(const assay_results *results);

#endif
