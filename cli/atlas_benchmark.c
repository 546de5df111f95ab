/* SPDX-License-Identifier: Apache-2.0 */
#include "atlas_benchmark.h"

#include "print_signals.h"

#include <assay/benchmarks.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status name_it(const char *path, struct atlas_row *row);
static assay_status fit(const struct atlas_request *request, const assay_results *results,
                        struct atlas_row *row);
static assay_status remove_noise(const struct atlas_request *request, const assay_results *results,
                                 struct atlas_replicate *out);
static assay_status keep_inputs(const assay_results *results, struct atlas_row *row);

assay_status atlas_benchmark_fit(const struct atlas_request *request, const char *path,
                                 struct atlas_row *row, uint64_t *n_rows)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(request->common->force, &results);

    *row = (struct atlas_row){ 0 };
    *n_rows = 0;
    if (status != ASSAY_OK) return status;
    status = assay_read(results, path, request->read);
    *n_rows = assay_results_coverage(results).rows;
    cli_progress_done();
    if (status == ASSAY_OK && !request->common->quiet) cli_print_notes(results);
    if (status == ASSAY_OK) status = name_it(path, row);
    if (status == ASSAY_OK) status = fit(request, results, row);
    if (status == ASSAY_OK) status = remove_noise(request, results, &row->replicate);
    if (status == ASSAY_OK) status = keep_inputs(results, row);
    if (status != ASSAY_OK) atlas_row_free(row);
    assay_results_free(results);
    return status;
}

void atlas_row_free(struct atlas_row *row)
{
    for (size_t k = 0; k < row->n_inputs; k++) {
        free((char *)row->inputs[k].path);
        free((char *)row->inputs[k].sha256);
    }
    free(row->inputs);
    free(row->path);
    free(row->name);
    free(row->replicate.reason);
    assay_signals_free(row->fit);
    *row = (struct atlas_row){ 0 };
}

static assay_status name_it(const char *path, struct atlas_row *row)
{
    size_t size = strlen(path) + sizeof "standard input";
    char *name = malloc(size);

    row->path = strdup(path);
    row->name = name ? assay_benchmark_name(path, 0, name, size) : NULL;
    return row->path && row->name ? ASSAY_OK : cli_no_memory();
}

static assay_status fit(const struct atlas_request *request, const assay_results *results,
                        struct atlas_row *row)
{
    assay_matrix *matrix = NULL;
    assay_status status = assay_matrix_from_results(results, &matrix);

    if (status != ASSAY_OK) return status;
    if (!request->common->quiet) print_signals_doubts(matrix, row->path);
    row->models = assay_matrix_n_models(matrix);
    row->items = assay_matrix_n_items(matrix);
    row->observed = assay_matrix_n_observed(matrix);
    status = assay_signals_fit(matrix, request->signals, &row->fit);
    cli_progress_done();
    assay_matrix_free(matrix);
    return status;
}

/* A benchmark whose noise cannot be removed (its runs leave no complete table, say) keeps its row. */
static assay_status remove_noise(const struct atlas_request *request, const assay_results *results,
                                 struct atlas_replicate *out)
{
    struct signals_replicate part = { .choice = request->replicates };
    assay_status status =
        signals_replicate_find(&part, results, request->signals->level, request->signals->threads);
    const char *reason = status == ASSAY_OK ? signals_replicate_reason(&part) : assay_last_error();

    *out = (struct atlas_replicate){ NAN, NAN, NAN, NULL, 0, NULL };
    if (status == ASSAY_E_NOMEM || status == ASSAY_E_CANCELLED) goto done;
    if (status == ASSAY_OK && part.table) {
        out->value = part.fit.value;
        out->low = part.fit.low;
        out->high = part.fit.high;
        out->source = signals_replicate_source(&part);
        out->runs = assay_replicates_get(part.table, ASSAY_REPLICATES_LEAST);
    }
    out->reason = reason ? strdup(reason) : NULL;
    status = reason && !out->reason ? cli_no_memory() : ASSAY_OK;
done:
    signals_replicate_free(&part);
    return status;
}

static assay_status keep_inputs(const assay_results *results, struct atlas_row *row)
{
    size_t n = assay_results_n_inputs(results);

    row->coverage = assay_results_coverage(results);
    row->is_damaged = assay_results_damaged(results);
    row->inputs = calloc(n + 1, sizeof *row->inputs);
    if (!row->inputs) return cli_no_memory();
    for (row->n_inputs = 0; row->n_inputs < n;) {
        assay_input from = assay_results_input(results, row->n_inputs);
        assay_input *to = &row->inputs[row->n_inputs++];

        to->path = strdup(from.path);
        to->sha256 = strdup(from.sha256);
        to->rows = from.rows;
        to->sha256_of = from.sha256_of;
        if (!to->path || !to->sha256) return cli_no_memory();
    }
    return ASSAY_OK;
}
