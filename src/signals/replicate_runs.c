/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a cell: their mean p, and the variance of that mean, v = s^2 / n, which makes p^2 - v the
   mean over ordered pairs of different runs of their product, ((sum x)^2 - sum x^2) / (n^2 - n). */
#include "core/error.h"
#include "core/memory.h"
#include "signals/replicates.h"
#include "stats/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status fill_runs(const assay_run_tally *tally, const assay_complete *complete,
                              assay_replicates *made);
static assay_status no_memory(size_t n_models, size_t n_items);

assay_status assay_replicates_from_runs(const double *scores, size_t n_models, size_t n_items,
                                        size_t n_runs, assay_replicates **out)
{
    assay_run_tally tally = { 0 };
    assay_status status;

    *out = NULL;
    if (n_models == 0 || n_items == 0 || n_runs == 0 ||
        n_models > SIZE_MAX / sizeof *scores / n_items / n_runs)
        return assay_fail(ASSAY_E_SHAPE, "replicates: %zu models x %zu items x %zu runs", n_models,
                          n_items, n_runs);
    status = assay_run_tally_new(n_models, n_items, &tally);
    tally.unit = assay_unit_of(scores, n_models * n_items * n_runs);
    for (size_t k = 0; k < n_models * n_items * n_runs && status == ASSAY_OK; k++) {
        size_t cell = k / n_runs;

        if (isinf(scores[k]))
            status = assay_fail(ASSAY_E_VALUE, "replicates: scores[%zu, %zu, %zu] is %g",
                                cell / n_items, cell % n_items, k % n_runs, scores[k]);
        else if (!isnan(scores[k]))
            assay_run_tally_add(&tally, cell / n_items, cell % n_items, scores[k]);
    }
    if (status == ASSAY_OK) {
        assay_run_tally_fold(&tally);
        status = assay_replicates_from_tally(&tally, out);
    }
    assay_run_tally_free(&tally);
    return status;
}

/* s^2 = n p (1 - p) / (n - 1). */
assay_status assay_replicates_from_counts(const double *successes, const double *trials,
                                          size_t n_models, size_t n_items, assay_replicates **out)
{
    assay_run_tally tally = { 0 };
    assay_status status;

    *out = NULL;
    if (n_models == 0 || n_items == 0 || n_models > SIZE_MAX / sizeof *trials / n_items)
        return assay_fail(ASSAY_E_SHAPE, "replicates: %zu models x %zu items", n_models, n_items);
    status = assay_run_tally_new(n_models, n_items, &tally);
    for (size_t k = 0; k < n_models * n_items && status == ASSAY_OK; k++) {
        double n = trials[k], p;

        if (!(successes[k] >= 0.0 && successes[k] <= n && isfinite(n))) {
            status =
                assay_fail(ASSAY_E_VALUE, "replicates: %g successes of %g trials at [%zu, %zu]",
                           successes[k], n, k / n_items, k % n_items);
            break;
        }
        tally.lacks[k] = n < 2.0;
        if (n < 2.0) continue;
        p = successes[k] / n;
        tally.mean[k] = p;
        tally.noise[k] = p * (1.0 - p) / (n - 1.0);
        tally.differs[k] = successes[k] > 0.0 && successes[k] < n;
        if (n < (double)tally.least) tally.least = (size_t)n;
        if (n > (double)tally.most) tally.most = n < 9e15 ? (size_t)n : SIZE_MAX;
    }
    tally.n_templates = 1;
    if (status == ASSAY_OK) status = assay_replicates_from_tally(&tally, out);
    assay_run_tally_free(&tally);
    return status;
}

/* ---- the tally ---- */

assay_status assay_run_tally_new(size_t n_models, size_t n_items, assay_run_tally *tally)
{
    size_t n = n_models * n_items;

    *tally = (assay_run_tally){
        .n_models = n_models, .n_items = n_items, .unit = 1.0, .least = SIZE_MAX
    };
    tally->origin = assay_alloc(n_items, sizeof(double));
    tally->first = assay_alloc_zero(n, sizeof(double));
    tally->sum = assay_alloc_zero(n, sizeof(double));
    tally->squares = assay_alloc_zero(n, sizeof(double));
    tally->n = assay_alloc_zero(n, sizeof(size_t));
    tally->mean = assay_alloc_zero(n, sizeof(double));
    tally->noise = assay_alloc_zero(n, sizeof(double));
    tally->differs = assay_alloc_zero(n, 1);
    tally->lacks = assay_alloc_zero(n, 1);
    if (!tally->origin || !tally->first || !tally->sum || !tally->squares || !tally->n ||
        !tally->mean || !tally->noise || !tally->differs || !tally->lacks)
        return no_memory(n_models, n_items);
    for (size_t a = 0; a < n_items; a++) tally->origin[a] = NAN;
    return ASSAY_OK;
}

void assay_run_tally_free(assay_run_tally *tally)
{
    free(tally->origin);
    free(tally->first);
    free(tally->sum);
    free(tally->squares);
    free(tally->n);
    free(tally->mean);
    free(tally->noise);
    free(tally->differs);
    free(tally->lacks);
}

void assay_run_tally_add(assay_run_tally *tally, size_t model, size_t item, double score)
{
    size_t cell = model * tally->n_items + item;

    score /= tally->unit;
    if (isnan(tally->origin[item])) tally->origin[item] = score;
    score -= tally->origin[item];
    if (tally->n[cell]++ == 0) tally->first[cell] = score;
    if (score != tally->first[cell]) tally->differs[cell] = 1;
    tally->sum[cell] += score;
    /* Around the first run of the cell, for the digits of a variance far from the origin. */
    tally->squares[cell] += (score - tally->first[cell]) * (score - tally->first[cell]);
}

/* Each template counts alike in a cell, and its runs have a variance of their own. */
void assay_run_tally_fold(assay_run_tally *tally)
{
    size_t n_cells = tally->n_models * tally->n_items;

    for (size_t k = 0; k < n_cells; k++) {
        double n = (double)tally->n[k], around = tally->sum[k] - n * tally->first[k];

        if (tally->n[k] < 2) {
            tally->lacks[k] = 1;
        } else {
            tally->mean[k] += tally->sum[k] / n;
            tally->noise[k] += fmax(tally->squares[k] - around * around / n, 0.0) / (n * (n - 1.0));
            if (tally->n[k] < tally->least) tally->least = tally->n[k];
            if (tally->n[k] > tally->most) tally->most = tally->n[k];
        }
        tally->n[k] = 0;
        tally->first[k] = tally->sum[k] = tally->squares[k] = 0.0;
    }
    tally->n_templates++;
}

/* ---- the complete table ---- */

assay_status assay_replicates_from_tally(const assay_run_tally *tally, assay_replicates **out)
{
    assay_complete complete = { .n = { 1, tally->n_models, tally->n_items },
                                .least = { 1, 0, 0 },
                                .lacks = tally->lacks };
    assay_replicates *made = NULL;
    assay_status status = assay_complete_find(&complete);

    if (status == ASSAY_OK) {
        made = assay_replicates_new(ASSAY_REPLICATES_RUNS, &complete);
        status =
            made ? fill_runs(tally, &complete, made) : no_memory(tally->n_models, tally->n_items);
    }
    assay_complete_free(&complete);
    if (status == ASSAY_OK) {
        *out = made;
        made = NULL;
    }
    assay_replicates_free(made);
    return status;
}

static assay_status fill_runs(const assay_run_tally *tally, const assay_complete *complete,
                              assay_replicates *made)
{
    size_t n = complete->left[1], n_rows = complete->left[2], *differs, row = 0;
    double n_templates = (double)tally->n_templates;

    made->scores = assay_alloc_aligned(n * n_rows, sizeof(double));
    made->noise = assay_alloc_aligned(n * n_rows, sizeof(double));
    differs = assay_alloc_zero(n, sizeof *differs);
    if (!made->scores || !made->noise || !differs) {
        free(differs);
        return no_memory(n, n_rows);
    }
    for (size_t a = 0; a < tally->n_items; a++) {
        if (!complete->kept[2][a]) continue;
        for (size_t m = 0, i = 0; m < tally->n_models; m++) {
            size_t cell = m * tally->n_items + a;

            if (!complete->kept[1][m]) continue;
            made->scores[row * n + i] = tally->mean[cell] / n_templates;
            made->noise[row * n + i] = tally->noise[cell] / (n_templates * n_templates);
            differs[i++] += tally->differs[cell];
        }
        row++;
    }
    for (size_t i = 0; i < n; i++) made->count[ASSAY_REPLICATES_MODELS_ALIKE] += differs[i] == 0;
    made->are_alike = made->count[ASSAY_REPLICATES_MODELS_ALIKE] == n;
    made->count[ASSAY_REPLICATES_LEAST] = tally->most ? tally->least : 0;
    made->count[ASSAY_REPLICATES_MOST] = tally->most;
    assay_replicates_scale(made, n_rows);
    free(differs);
    return ASSAY_OK;
}

static assay_status no_memory(size_t n_models, size_t n_items)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for the runs of %zu models x %zu items", n_models,
                      n_items);
}
