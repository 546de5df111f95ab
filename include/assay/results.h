/* SPDX-License-Identifier: Apache-2.0 */
/* The table of observations that every command works on: model, item, template, run -> score. */
#ifndef ASSAY_RESULTS_H
#define ASSAY_RESULTS_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What became of one observation. */
typedef enum assay_score_state {
    ASSAY_SCORED = 0,   /* it has a score */
    ASSAY_MISSING = 1,  /* the cell is there and says that there is no score (empty, NA, ...) */
    ASSAY_ERRORED = 2,  /* the run failed before it could be scored */
    ASSAY_UNSCORED = 3, /* it ran, but the scorer gave no verdict */
    ASSAY_ABSENT = 4    /* nothing was ever read for this cell */
} assay_score_state;

/* What was read. rows = used + missing + errored + unscored + duplicate + refused, always. */
typedef struct assay_coverage {
    uint64_t rows;      /* observations read: rows of a long table, cells of a wide one */
    uint64_t used;      /* with a score that is in the table */
    uint64_t missing;   /* without a score */
    uint64_t errored;   /* failed runs */
    uint64_t unscored;  /* runs that the scorer gave no verdict on */
    uint64_t duplicate; /* said again what was known already; counted once */
    uint64_t refused;   /* contradicted what was known already, and left out by force; or of a
                           model that a table that was joined into does not know */
} assay_coverage;

/* An input, as it was read. */
typedef struct assay_input {
    const char *path;
    const char *sha256;    /* of its bytes on disk, 64 hexadecimal digits */
    uint64_t rows;         /* observations it gave */
    const char *sha256_of; /* NULL: all bytes on disk; "central directory": of a zip archive above
                              256 MiB, which holds every member's name, size and CRC-32 */
} assay_input;

/* One observation, to add by hand. Text is copied; NULL for template_id and run means the only
   one. A state other than ASSAY_SCORED makes the score void. */
typedef struct assay_observation {
    const char *model, *item, *template_id, *run;
    double score;
    assay_score_state state;
} assay_observation;

/* Opaque; free with assay_results_free(). Not to be changed by two threads at once. */
typedef struct assay_results assay_results;

/**
 * An empty table.
 *
 * Observations with the same model, template and run form a record, and a record holds at most one
 * score an item: 2 bits where all its scores are 0 or 1, 8 bytes more a cell otherwise. A cell said
 * twice is counted once when both agree; when they do not, it is a conflict.
 *
 * @param force  0: a conflict is an error; 1: the first value stays, the second is counted refused.
 * @param out    the table, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_results_new(int force, assay_results **out);
ASSAY_API void assay_results_free(assay_results *results); /* NULL is fine */

/**
 * Add one observation.
 *
 * @return ASSAY_OK; ASSAY_E_CONFLICT (without force) when the cell already holds another value;
 *         ASSAY_E_VALUE when model or item is NULL or empty, a score is not finite, or the
 *         state is none that a row can have;
 *         ASSAY_E_NOMEM. After a failure the table is as it was.
 * Cost: O(1) amortised.
 */
ASSAY_API assay_status assay_results_add(assay_results *results,
                                         const assay_observation *observation);

/**
 * Add the observations of another table that are about models of this one, matched by name, with
 * what its items carry, its inputs and its notes. Those of other models are counted refused: they
 * make no model here. A cell that both tables have is said twice, as in assay_results_add().
 *
 * @param other      borrowed for the call, not this table itself.
 * @param n_matched  how many of its models this table knows.
 * @return ASSAY_OK; ASSAY_E_SHAPE, naming a few models of either side, when it knows none of them:
 *         nothing changed then; ASSAY_E_CONFLICT (without force); ASSAY_E_NOMEM. After these two the
 *         table holds what was added before.
 * Cost: O(records x items) of the other table.
 */
ASSAY_API assay_status assay_results_join(assay_results *results, const assay_results *other,
                                          size_t *n_matched);

/* How many there are. Ids are numbered by first appearance; all names are owned by the table and
   live as long as it does. A model, template or run that was never named is called "". */
ASSAY_API size_t assay_results_n_models(const assay_results *results);
ASSAY_API size_t assay_results_n_items(const assay_results *results);
ASSAY_API size_t assay_results_n_templates(const assay_results *results);
ASSAY_API size_t assay_results_n_runs(const assay_results *results);
ASSAY_API size_t assay_results_n_records(const assay_results *results);

ASSAY_API const char *assay_results_model(const assay_results *results, size_t model);
ASSAY_API const char *assay_results_item(const assay_results *results, size_t item);
ASSAY_API const char *assay_results_template(const assay_results *results, size_t template_index);
ASSAY_API const char *assay_results_run(const assay_results *results, size_t run);

/* The tasks that logs say their items are of. */
ASSAY_API size_t assay_results_n_tasks(const assay_results *results);
ASSAY_API const char *assay_results_task(const assay_results *results, size_t task);

/* What an item carries, or NULL: its text, and the label of the cluster it belongs to. */
ASSAY_API const char *assay_results_item_text(const assay_results *results, size_t item);
ASSAY_API const char *assay_results_item_cluster(const assay_results *results, size_t item);

/* Columns that describe models rather than being items (dropped from a wide table): their names,
   and the text of a model's cell, NULL where there is none. */
ASSAY_API size_t assay_results_n_covariates(const assay_results *results);
ASSAY_API const char *assay_results_covariate(const assay_results *results, size_t covariate);
ASSAY_API const char *assay_results_covariate_value(const assay_results *results, size_t covariate,
                                                    size_t model);

/* One record: all observations of one model, template and run. Indices, not names. */
typedef struct assay_record {
    size_t model, template_index, run;
} assay_record;
ASSAY_API assay_record assay_results_record(const assay_results *results, size_t record);

/* The state of one cell of a record, and its score (NaN unless ASSAY_SCORED). O(1). */
ASSAY_API assay_score_state assay_results_cell(const assay_results *results, size_t record,
                                               size_t item, double *score);

ASSAY_API assay_coverage assay_results_coverage(const assay_results *results);

ASSAY_API size_t assay_results_n_inputs(const assay_results *results);
ASSAY_API assay_input assay_results_input(const assay_results *results, size_t input);

/* What an input was taken for, "a long table" or "a garak report"; NULL: not known. */
ASSAY_API const char *assay_results_input_format(const assay_results *results, size_t input);

/* What a reader noticed and the user should hear, one sentence each, safe to print. */
ASSAY_API size_t assay_results_n_notes(const assay_results *results);
ASSAY_API const char *assay_results_note(const assay_results *results, size_t note);

/* 1 when an input was damaged (a cut tail, say) and was read as far as it goes. */
ASSAY_API int assay_results_damaged(const assay_results *results);

/* 1 while every input was a wide table, so that its items can be chosen among (columns and drop of
   assay_read_options); 0 once one had a row an observation. */
ASSAY_API int assay_results_is_wide(const assay_results *results);

#ifdef __cplusplus
}
#endif
#endif
