/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of an Inspect log, gathered before any goes into the table: which of them count,
   and by which scorer, is known only at the log's end. */
#ifndef ASSAY_LOGS_INSPECT_SAMPLES_H
#define ASSAY_LOGS_INSPECT_SAMPLES_H

#include "data/names.h"
#include "logs/cell.h"

#define ASSAY_INSPECT_NONE SIZE_MAX

typedef struct assay_inspect_score {
    size_t metric;
    double score;
    assay_score_state state;
    int is_word; /* text that is no score */
} assay_inspect_score;

typedef struct assay_inspect_sample {
    size_t id, run, text, content; /* indices of names; NONE: it has none */
    size_t first, n;               /* its scores */
    size_t line;                   /* 0: unknown */
    unsigned char id_is_text, is_errored, is_invalidated, is_reduced;
} assay_inspect_sample;

typedef struct assay_inspect_samples {
    assay_table *table;
    int later_wins; /* a sample replaces the one of its id and epoch */
    assay_names ids, runs, texts, contents, metrics, keys; /* keys: id and epoch */
    assay_inspect_sample *samples;
    assay_inspect_score *scores;
    size_t *of_key;                     /* the latest sample of that id and epoch */
    unsigned char *is_keyed, *id_kinds; /* by metric; by id: 1 a number, 2 a text, 3 both */
    size_t n, n_scores, n_reduced;
    size_t samples_capacity, scores_capacity, of_key_capacity, keyed_capacity, kinds_capacity;
    char *key; /* room for one */
    size_t key_capacity;
} assay_inspect_samples; /* all zero but the table is none */

void assay_inspect_samples_free(assay_inspect_samples *s);

/* Add a score to those of the sample that is added next; keyed: its metric is a scorer's key.
   ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_inspect_add_score(assay_inspect_samples *s, assay_name metric, int is_keyed,
                                     const assay_inspect_score *score);

/* Add a sample, whose scores since first were added; id and epoch are checked, and named here.
   ASSAY_OK; ASSAY_E_FORMAT for an id that is none; ASSAY_E_NOMEM. */
assay_status assay_inspect_add_sample(assay_inspect_samples *s, const assay_value *id,
                                      const assay_value *epoch, assay_inspect_sample sample);

/* Mark the sample of that id and epoch, if there is one, as invalidated. ASSAY_OK or
   ASSAY_E_NOMEM. */
assay_status assay_inspect_invalidate(assay_inspect_samples *s, const assay_value *id,
                                      const assay_value *epoch);

/* Put all that count into the table: cell says model, task and template. Notes the mapping and what
   was noticed of the samples. What assay_log_put() returns; ASSAY_E_VALUE when no sample has the
   metric that was asked for. */
assay_status assay_inspect_put(assay_inspect_samples *s, assay_log_cell cell);

#endif
