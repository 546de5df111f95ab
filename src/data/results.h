/* SPDX-License-Identifier: Apache-2.0 */
/* How readers fill a results table: names first, then scores by index, a row at a time where the
   input has rows. */
#ifndef ASSAY_DATA_RESULTS_H
#define ASSAY_DATA_RESULTS_H

#include "assay/results.h"

/* The index of a name, which is new or known. ASSAY_OK or ASSAY_E_NOMEM. Text need not end in NUL.
 */
assay_status assay_results_name_model(assay_results *results, const char *text, size_t length,
                                      size_t *index);
assay_status assay_results_name_item(assay_results *results, const char *text, size_t length,
                                     size_t *index);
assay_status assay_results_name_template(assay_results *results, const char *text, size_t length,
                                         size_t *index);
assay_status assay_results_name_run(assay_results *results, const char *text, size_t length,
                                    size_t *index);
assay_status assay_results_name_task(assay_results *results, const char *text, size_t length);
assay_status assay_results_name_covariate(assay_results *results, const char *text, size_t length,
                                          size_t *index);

/* The record of a model, template and run, which is new or known. */
assay_status assay_results_find_record(assay_results *results, size_t model, size_t template_index,
                                       size_t run, size_t *record);

/* Put one observation into a record. ASSAY_OK, ASSAY_E_CONFLICT, ASSAY_E_VALUE (a score that is not
   finite) or ASSAY_E_NOMEM; the sentence names model, item, template and values, but no file. */
assay_status assay_results_put(assay_results *results, size_t record, size_t item, double score,
                               assay_score_state state);

/* The codes of a row: a score of exactly 0 or 1, a score that stands in scores[], or a state. */
enum {
    ASSAY_CODE_ZERO = 0,
    ASSAY_CODE_ONE = 1,
    ASSAY_CODE_OTHER = 2,
    ASSAY_CODE_MISSING = 3,
    ASSAY_CODE_ABSENT = 4
};

/* The same for a whole row: codes[item] for items 0 .. n_items - 1, and scores[item] where the code
   is ASSAY_CODE_OTHER (scores may be NULL when none is). On ASSAY_E_CONFLICT *item is the first
   that conflicts. Fast where the record is new and every code is 0, 1, missing or absent. */
assay_status assay_results_put_row(assay_results *results, size_t record,
                                   const unsigned char *codes, const double *scores, size_t n_items,
                                   size_t *item);

/* A free run for this model, item and template: the lowest-numbered run, named "1", "2", ..., whose
   cell is still absent. For logs whose repeated rows are declared to be repeats. O(1) amortised
   over the calls for one cell. */
assay_status assay_results_next_run(assay_results *results, size_t model, size_t template_index,
                                    size_t item, size_t *record);

/* The same for a row of codes: the lowest-numbered run in which the cell of every item whose code
   is not ASSAY_CODE_ABSENT is absent. O(n_items) amortised, unless runs that the input names by
   number lie between. */
assay_status assay_results_next_row_run(assay_results *results, size_t model, size_t template_index,
                                        const unsigned char *codes, size_t n_items, size_t *record);

typedef struct assay_counted_cell {
    size_t model, template_index, item;
} assay_counted_cell;

/* Put so many successes of so many trials into free runs of a cell, the successes first; 0 trials are
   a cell without a score. A cell that has runs already holds them from an earlier row: the same
   counts are trials duplicates, others ASSAY_E_CONFLICT, or refused with force. further = 1: such a
   row is further runs. ASSAY_OK, ASSAY_E_CONFLICT or ASSAY_E_NOMEM. O(trials) amortised. */
assay_status assay_results_put_counts(assay_results *results, assay_counted_cell cell,
                                      size_t successes, size_t trials, int further);

/* What the table held at some moment. */
typedef struct assay_results_mark {
    size_t models, items, templates, runs, covariates, records, notes;
} assay_results_mark;
assay_results_mark assay_results_here(const assay_results *results);

/* Forget the names, records and notes that came since then, when no observation did. */
void assay_results_go_back(assay_results *results, assay_results_mark mark);

/* Attach what an item or model carries; the first value stays. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_results_set_item_text(assay_results *results, size_t item, const char *text,
                                         size_t length);
assay_status assay_results_set_item_cluster(assay_results *results, size_t item, const char *label,
                                            size_t length);
assay_status assay_results_set_covariate(assay_results *results, size_t covariate, size_t model,
                                         const char *text, size_t length);

/* A file of this machine, whatever its path (zeros: none); what it was taken for, and what its digest
   is of where that is not the file: literal texts, or NULL; and the model that its rows name first. */
typedef struct assay_input_file {
    uint64_t device, number;
    const char *format, *sha256_of;
    size_t model; /* + 1; 0: not told */
} assay_input_file;

/* Remember an input that was read to its end. */
assay_status assay_results_add_input(assay_results *results, const char *path,
                                     const char sha256[65], uint64_t rows, assay_input_file file);

/* The first input that was this file, or -1. */
ptrdiff_t assay_results_find_input(const assay_results *results, assay_input_file file);

/* The first input of that digest, or -1: of any model, and of that one (+ 1; 0: none told). */
ptrdiff_t assay_results_find_content(const assay_results *results, const char sha256[65]);
ptrdiff_t assay_results_find_content_of(const assay_results *results, const char sha256[65],
                                        size_t model);

/* Let one note stand for those of several files that say the same: notes starts[k] to
   starts[k + 1] - 1 are of the file paths[k], k < n, and begin with its path, perhaps behind "left
   out: ". Numbers may differ, and what is quoted in those that were left out. ASSAY_OK or
   ASSAY_E_NOMEM; the notes are then as they were. O(notes). */
assay_status assay_results_gather_notes(assay_results *results, const size_t *starts,
                                        const char *const *paths, size_t n);

/* Add a note for the user. */
__attribute__((format(printf, 2, 3))) assay_status assay_results_add_note(assay_results *results,
                                                                          const char *format, ...);
void assay_results_mark_damaged(assay_results *results);

/* An input had a row an observation: see assay_results_is_wide(). */
void assay_results_mark_rows(assay_results *results);

#endif
