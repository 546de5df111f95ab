/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated measurements of a models x items table: runs, templates, or items of one meaning. */
#ifndef ASSAY_REPLICATES_H
#define ASSAY_REPLICATES_H

#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the replicates of a cell are. Part of the ABI: never renumber. */
typedef enum assay_replicate_source {
    ASSAY_REPLICATES_RUNS = 0,      /* runs of a cell: errors of their own, alike in distribution */
    ASSAY_REPLICATES_TEMPLATES = 1, /* wordings: a template may move all models and all items */
    ASSAY_REPLICATES_CLUSTERS = 2   /* items of a cluster, which stands for one item */
} assay_replicate_source;

/* A complete table with two replicates or more in every cell. Opaque and unchanging; free with
   assay_replicates_free(). */
typedef struct assay_replicates assay_replicates;

/*
 * All of these take scores of any kind, 0/1 or real; NaN is no score, and infinity is
 * ASSAY_E_VALUE. A cell with fewer than two replicates lacks them, and the estimators need complete
 * tables: the model or the item with the largest share of lacking cells is left out, and again,
 * until none lacks (with equal shares the item, then the one that stands first). What remains may
 * be nothing at all; how much was left out can be asked. Other returns: ASSAY_OK; ASSAY_E_SHAPE
 * when a size is 0; ASSAY_E_NOMEM. The arrays are borrowed for the call. Cost: O(scores).
 */

/* scores[(model * n_items + item) * n_runs + run]. The order of a cell's runs means nothing. */
ASSAY_API assay_status assay_replicates_from_runs(const double *scores, size_t n_models,
                                                  size_t n_items, size_t n_runs,
                                                  assay_replicates **out);

/* n_models x n_items counts of 0/1 runs: successes of trials. ASSAY_E_VALUE also for counts that
   are negative or more successes than trials. */
ASSAY_API assay_status assay_replicates_from_counts(const double *successes, const double *trials,
                                                    size_t n_models, size_t n_items,
                                                    assay_replicates **out);

/* scores[(template * n_models + model) * n_items + item]. A template with the largest share of
   cells without a score is left out as models and items are, while more than two remain. */
ASSAY_API assay_status assay_replicates_from_templates(const double *scores, size_t n_templates,
                                                       size_t n_models, size_t n_items,
                                                       assay_replicates **out);

/* scores[model * n_items + item], labels[item] the item's cluster, any numbers. Items alone in
   their cluster are left out and counted, also where others of it went for lack of scores. */
ASSAY_API assay_status assay_replicates_from_clusters(const double *scores, size_t n_models,
                                                      size_t n_items, const size_t *labels,
                                                      assay_replicates **out);

/**
 * The replicates of a results table.
 *
 * Runs: those of one cell. With several templates a cell is the mean over all of them, each of
 * which then needs two runs. Templates: a cell's score is the mean of its runs. Clusters: the mean
 * over templates and runs.
 *
 * @param labels  for clusters: the cluster of each of the table's items; NULL: as the table has
 *                them (assay_results_item_cluster()), items without one being alone. Else ignored.
 * @return as above; ASSAY_E_SHAPE for an empty table.
 * Cost: O(records x items).
 */
ASSAY_API assay_status assay_replicates_from_results(const assay_results *results,
                                                     assay_replicate_source source,
                                                     const size_t *labels, assay_replicates **out);
ASSAY_API void assay_replicates_free(assay_replicates *replicates); /* NULL is fine */

/* Whether some cell of the table has two scored runs of one template; whether two templates have a
   score for one model and item. O(records x items). ASSAY_OK or ASSAY_E_NOMEM. */
ASSAY_API assay_status assay_results_repeats(const assay_results *results, int *runs,
                                             int *templates);

/**
 * The clusters of a results table's items, from a file.
 *
 * A CSV or TSV file with the columns item and cluster (or a usual name of either, or topic, as
 * `assay score --topics` writes), or a prompt set in JSON lines with clusters. Rows of items that
 * the table does not have are passed by.
 *
 * @param labels  as many as the table has items; an item without a row is alone in a cluster.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT, naming the line, for a missing column, and for an
 *         item with two clusters; ASSAY_E_SHAPE when no row is of an item of the table;
 *         ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_item_clusters_read(const char *path, const assay_results *results,
                                                size_t *labels);

/* Numbers of the table. Part of the ABI: never renumber. */
typedef enum assay_replicates_count {
    ASSAY_REPLICATES_N_MODELS = 0, /* in the complete table; either of these may be 0 */
    ASSAY_REPLICATES_N_ITEMS = 1,  /* of clusters: how many clusters */
    ASSAY_REPLICATES_LEAST = 2,    /* replicates a cell, */
    ASSAY_REPLICATES_MOST = 3,     /* with several templates: runs of one of them */
    ASSAY_REPLICATES_MODELS_LEFT_OUT = 4,
    ASSAY_REPLICATES_ITEMS_LEFT_OUT = 5, /* for lack of scores */
    ASSAY_REPLICATES_TEMPLATES_LEFT_OUT = 6,
    ASSAY_REPLICATES_SINGLETONS = 7,   /* of clusters: items left out for being alone */
    ASSAY_REPLICATES_MODELS_ALIKE = 8, /* whose replicates never differ */
    ASSAY_REPLICATES_N_COUNTS = 9
} assay_replicates_count;
ASSAY_API size_t assay_replicates_get(const assay_replicates *replicates,
                                      assay_replicates_count count);
ASSAY_API assay_replicate_source assay_replicates_source(const assay_replicates *replicates);

#ifdef __cplusplus
}
#endif
#endif
