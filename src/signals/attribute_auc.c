/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/attribute_auc.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "signals/centred.h"
#include "signals/gram.h"
#include "stats/linalg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char no_component[] = "there is no such component";

static assay_status principal_axes(const assay_centred *z, int threads, double *gram,
                                   double *values);
static void count_kinds(const int *kind, size_t n, assay_attribute_auc *out);
static assay_status look_at_components(const assay_centred *z, const double *axes,
                                       const double *values, const int *kind, double *row,
                                       double *score, assay_attribute_auc *out);
static void scores_on(const assay_centred *z, const double *axis, double *row, double *score);
static void correct_by_holm(assay_attribute_auc *out);

assay_status assay_attribute_auc_fit(const assay_matrix *matrix, const int *kind, int threads,
                                     assay_attribute_auc *out)
{
    assay_centred z = { 0 };
    assay_attribute_auc answer = { 0 };
    double *gram = NULL, *values = NULL, *score = NULL, *row = NULL;
    assay_status status;

    if (threads < 0 || threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "attribute: threads is %d, expected 0 to 1024", threads);
    if (matrix->n_models < 2)
        return assay_fail(ASSAY_E_SHAPE, "components need 2 models or more, got %zu",
                          matrix->n_models);
    threads = assay_threads(threads);
    assay_blas_hold();
    if ((status = assay_centred_new(matrix, &z)) != ASSAY_OK) goto done;
    if (z.n_constant == z.n_items) {
        status = assay_fail(ASSAY_E_DEGENERATE, "all %zu items have one score for every model",
                            z.n_items);
        goto done;
    }
    gram = assay_alloc_aligned(z.n_rows * z.n_rows, sizeof *gram);
    values = assay_alloc(z.n_rows, sizeof *values);
    score = assay_alloc(z.n_models, sizeof *score);
    row = assay_alloc(z.n_items, sizeof *row);
    if (!gram || !values || !score || !row) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the components of %zu rows", z.n_rows);
        goto done;
    }
    if ((status = principal_axes(&z, threads, gram, values)) != ASSAY_OK) goto done;
    count_kinds(kind, z.n_models, &answer);
    status = look_at_components(&z, gram, values, kind, row, score, &answer);
    if (status != ASSAY_OK) goto done;
    correct_by_holm(&answer);
    *out = answer;
done:
    assay_blas_release();
    assay_centred_free(&z);
    free(gram);
    free(values);
    free(score);
    free(row);
    return status;
}

/* The rows of gram become unit eigenvectors, those of the largest values first. */
static assay_status principal_axes(const assay_centred *z, int threads, double *gram,
                                   double *values)
{
    assay_status status = assay_gram(z, (assay_change){ 0 }, threads, gram);

    return status == ASSAY_OK ? assay_linalg_eigenvectors(z->n_rows, gram, values) : status;
}

static void count_kinds(const int *kind, size_t n, assay_attribute_auc *out)
{
    for (size_t m = 0; m < n; m++) {
        out->n_one += kind[m] == 1;
        out->n_zero += kind[m] == 0;
    }
    out->n_left_out = n - out->n_one - out->n_zero;
}

/* Numerically zero components are none. */
static assay_status look_at_components(const assay_centred *z, const double *axes,
                                       const double *values, const int *kind, double *row,
                                       double *score, assay_attribute_auc *out)
{
    double zero = values[0] * DBL_EPSILON * (double)(z->n_models + z->n_items), total = 0.0, auc;

    for (size_t i = 0; i < z->n_rows; i++) total += fmax(values[i], 0.0);
    for (size_t k = 0; k < ASSAY_ATTRIBUTE_COMPONENTS; k++) {
        assay_component_auc *component = &out->component[k];
        assay_status status;

        *component = (assay_component_auc){ NAN, NAN, NAN, NAN, 0, no_component };
        if (k >= z->n_rows || !(values[k] > zero)) continue;
        scores_on(z, axes + k * z->n_rows, row, score);
        status =
            assay_rank_auc(score, kind, z->n_models, &auc, &component->p, &component->is_exact);
        if (status != ASSAY_OK) return status;
        component->share = values[k] / total;
        component->auc = fmax(auc, 1.0 - auc);
        component->reason = NULL;
    }
    return ASSAY_OK;
}

/* Among models the eigenvector of ZZ' is what they score, but for its length; among items z_m'v is.
   Equal models are to tie, so that what differs in the last digits alone is made equal. */
static void scores_on(const assay_centred *z, const double *axis, double *row, double *score)
{
    double largest = 0.0;

    for (size_t m = 0; m < z->n_models; m++) {
        if (z->side == ASSAY_SIDE_MODELS) {
            score[m] = axis[m];
        } else {
            assay_centred_block(z, ASSAY_SIDE_MODELS, (assay_block){ m, 1, 0, z->n_items },
                                (assay_change){ 0 }, row);
            score[m] = 0.0;
            for (size_t t = 0; t < z->n_items; t++) score[m] += row[t] * axis[t];
        }
        largest = fmax(largest, fabs(score[m]));
    }
    for (size_t m = 0; m < z->n_models; m++) score[m] = round(score[m] / largest * 0x1p40);
}

/* Of the c components that are there, in order of p, the i-th is multiplied by c - i + 1; none is
   below the one before. */
static void correct_by_holm(assay_attribute_auc *out)
{
    size_t order[ASSAY_ATTRIBUTE_COMPONENTS], n = 0;
    double least = 0.0;

    for (size_t k = 0; k < ASSAY_ATTRIBUTE_COMPONENTS; k++) {
        size_t at = n;

        if (out->component[k].reason) continue;
        for (; at > 0 && out->component[order[at - 1]].p > out->component[k].p; at--)
            order[at] = order[at - 1];
        order[at] = k;
        n++;
    }
    for (size_t i = 0; i < n; i++) {
        assay_component_auc *component = &out->component[order[i]];

        least = fmax(least, fmin((double)(n - i) * component->p, 1.0));
        component->p_holm = least;
    }
}
