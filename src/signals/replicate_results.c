/* SPDX-License-Identifier: Apache-2.0 */
/* The replicates that a results table holds. */
#include "assay/matrix.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "signals/replicates.h"
#include "stats/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status from_runs(const assay_results *results, assay_replicates **out);
static assay_status from_templates(const assay_results *results, assay_replicates **out);
static assay_status from_clusters(const assay_results *results, const size_t *labels,
                                  assay_replicates **out);
static assay_status own_labels(const assay_results *results, size_t *labels);
static assay_status no_memory(const assay_results *results);

assay_status assay_replicates_from_results(const assay_results *results,
                                           assay_replicate_source source, const size_t *labels,
                                           assay_replicates **out)
{
    *out = NULL;
    if (assay_results_n_models(results) == 0 || assay_results_n_items(results) == 0)
        return assay_fail(ASSAY_E_SHAPE, "replicates: no cell has a score");
    switch (source) {
    case ASSAY_REPLICATES_RUNS: return from_runs(results, out);
    case ASSAY_REPLICATES_TEMPLATES: return from_templates(results, out);
    case ASSAY_REPLICATES_CLUSTERS: return from_clusters(results, labels, out);
    }
    return assay_fail(ASSAY_E_VALUE, "replicates: source %d is unknown", (int)source);
}

/* A unit for the scores of all records: sums and squares of what is divided by it are finite. */
static double unit_of(const assay_results *results)
{
    size_t n_items = assay_results_n_items(results);
    double largest = 0.0, score;

    for (size_t r = 0; r < assay_results_n_records(results); r++)
        for (size_t a = 0; a < n_items; a++)
            if (assay_results_cell(results, r, a, &score) == ASSAY_SCORED)
                largest = fmax(largest, fabs(score));
    return assay_unit_near(largest);
}

/* One template after the other, so that memory does not grow with them. */
static assay_status from_runs(const assay_results *results, assay_replicates **out)
{
    size_t n_items = assay_results_n_items(results), n_records = assay_results_n_records(results);
    assay_run_tally tally;
    assay_status status = assay_run_tally_new(assay_results_n_models(results), n_items, &tally);

    tally.unit = unit_of(results);
    for (size_t t = 0; t < assay_results_n_templates(results) && status == ASSAY_OK; t++) {
        for (size_t r = 0; r < n_records; r++) {
            assay_record record = assay_results_record(results, r);
            double score;

            if (record.template_index != t) continue;
            for (size_t a = 0; a < n_items; a++)
                if (assay_results_cell(results, r, a, &score) == ASSAY_SCORED)
                    assay_run_tally_add(&tally, record.model, a, score);
        }
        assay_run_tally_fold(&tally);
    }
    if (status == ASSAY_OK) status = assay_replicates_from_tally(&tally, out);
    assay_run_tally_free(&tally);
    return status;
}

static assay_status from_templates(const assay_results *results, assay_replicates **out)
{
    size_t n_templates = assay_results_n_templates(results);
    size_t n_models = assay_results_n_models(results), n_items = assay_results_n_items(results);
    size_t n_table = n_models * n_items, n = n_templates * n_table;
    double *scores = assay_alloc_zero(n, sizeof *scores);
    size_t *runs = assay_alloc_zero(n, sizeof *runs);
    double unit = unit_of(results);
    assay_status status = scores && runs ? ASSAY_OK : no_memory(results);

    for (size_t r = 0; r < assay_results_n_records(results) && status == ASSAY_OK; r++) {
        assay_record record = assay_results_record(results, r);
        size_t first = record.template_index * n_table + record.model * n_items;
        double score;

        for (size_t a = 0; a < n_items; a++) {
            if (assay_results_cell(results, r, a, &score) != ASSAY_SCORED) continue;
            scores[first + a] += score / unit;
            runs[first + a]++;
        }
    }
    if (status == ASSAY_OK) {
        for (size_t k = 0; k < n; k++) scores[k] = runs[k] ? scores[k] / (double)runs[k] : NAN;
        status = assay_replicates_from_templates(scores, n_templates, n_models, n_items, out);
    }
    free(scores);
    free(runs);
    return status;
}

static assay_status from_clusters(const assay_results *results, const size_t *labels,
                                  assay_replicates **out)
{
    size_t n_models = assay_results_n_models(results), n_items = assay_results_n_items(results);
    double *scores = assay_alloc(n_models * n_items, sizeof *scores);
    size_t *own = assay_alloc(n_items, sizeof *own);
    assay_matrix *matrix = NULL;
    assay_status status = scores && own ? ASSAY_OK : no_memory(results);

    if (status == ASSAY_OK && !labels) status = own_labels(results, own);
    if (status == ASSAY_OK) status = assay_matrix_from_results(results, &matrix);
    if (status == ASSAY_OK) {
        for (size_t k = 0; k < n_models * n_items; k++) scores[k] = NAN;
        for (size_t i = 0; i < assay_matrix_n_models(matrix); i++)
            for (size_t a = 0; a < assay_matrix_n_items(matrix); a++)
                scores[assay_matrix_model_source(matrix, i) * n_items +
                       assay_matrix_item_source(matrix, a)] = assay_matrix_score(matrix, i, a);
        status =
            assay_replicates_from_clusters(scores, n_models, n_items, labels ? labels : own, out);
    }
    assay_matrix_free(matrix);
    free(scores);
    free(own);
    return status;
}

/* Named clusters by first appearance; items without one are alone, numbered after them. */
static assay_status own_labels(const assay_results *results, size_t *labels)
{
    size_t n_items = assay_results_n_items(results);
    assay_names names = { 0 };
    int failed = 0;

    for (size_t a = 0; a < n_items && !failed; a++) {
        const char *cluster = assay_results_item_cluster(results, a);

        labels[a] = n_items + a;
        if (cluster) failed = assay_names_add(&names, cluster, strlen(cluster), &labels[a]) != 0;
    }
    assay_names_free(&names);
    return failed ? no_memory(results) : ASSAY_OK;
}

assay_status assay_results_repeats(const assay_results *results, int *runs, int *templates)
{
    size_t n_models = assay_results_n_models(results), n_items = assay_results_n_items(results);
    size_t *seen;
    int have_runs = 0, have_templates = 0;

    *runs = *templates = 0;
    if (assay_results_n_records(results) == n_models) return ASSAY_OK; /* one of each: no repeats */
    /* By cell: 0 nothing yet, otherwise 1 + the template that was last seen there. */
    seen = assay_alloc_zero(n_models * n_items, sizeof *seen);
    if (!seen) return no_memory(results);
    for (size_t t = 0; t < assay_results_n_templates(results); t++) {
        for (size_t r = 0; r < assay_results_n_records(results); r++) {
            assay_record record = assay_results_record(results, r);
            size_t *row = seen + record.model * n_items;
            double score;

            if (record.template_index != t) continue;
            for (size_t a = 0; a < n_items; a++) {
                if (assay_results_cell(results, r, a, &score) != ASSAY_SCORED) continue;
                have_runs |= row[a] == t + 1;
                have_templates |= row[a] != 0 && row[a] != t + 1;
                row[a] = t + 1;
            }
        }
    }
    free(seen);
    *runs = have_runs;
    *templates = have_templates;
    return ASSAY_OK;
}

static assay_status no_memory(const assay_results *results)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for the replicates of %zu models x %zu items",
                      assay_results_n_models(results), assay_results_n_items(results));
}
