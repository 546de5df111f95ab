/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/replicates.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPLATES = 0, MODELS = 1, ITEMS = 2 }; /* the axes of what is complete */

static assay_status check_scores(const double *scores, const size_t n[ASSAY_COMPLETE_AXES]);
static assay_status fill_templates(const double *scores, const assay_complete *complete,
                                   assay_replicates *made);
static void compare_templates(const double *scores, const assay_complete *complete,
                              assay_replicates *made);

/* ---- templates ---- */

assay_status assay_replicates_from_templates(const double *scores, size_t n_templates,
                                             size_t n_models, size_t n_items,
                                             assay_replicates **out)
{
    assay_complete complete = { .n = { n_templates, n_models, n_items }, .least = { 2, 0, 0 } };
    assay_replicates *made = NULL;
    unsigned char *lacks = NULL;
    size_t n_cells = n_templates * n_models * n_items;
    assay_status status = check_scores(scores, complete.n);

    *out = NULL;
    if (status != ASSAY_OK) return status;
    lacks = assay_alloc(n_cells, 1);
    if (!lacks) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu templates", n_templates);
    for (size_t k = 0; k < n_cells; k++) lacks[k] = (unsigned char)(scores[k] != scores[k]);
    complete.lacks = lacks;
    status = assay_complete_find(&complete);
    if (status == ASSAY_OK) {
        made = assay_replicates_new(ASSAY_REPLICATES_TEMPLATES, &complete);
        status = made ? fill_templates(scores, &complete, made)
                      : assay_fail(ASSAY_E_NOMEM, "no memory for replicates");
    }
    free(lacks);
    assay_complete_free(&complete);
    if (status == ASSAY_OK) {
        *out = made;
        made = NULL;
    }
    assay_replicates_free(made);
    return status;
}

static assay_status check_scores(const double *scores, const size_t n[ASSAY_COMPLETE_AXES])
{
    size_t n_cells = n[0];

    for (int axis = 0; axis < ASSAY_COMPLETE_AXES; axis++) {
        if (n[axis] == 0 || (axis > 0 && n_cells > SIZE_MAX / sizeof(double) / n[axis]))
            return assay_fail(ASSAY_E_SHAPE, "replicates: %zu x %zu x %zu scores", n[0], n[1],
                              n[2]);
        if (axis > 0) n_cells *= n[axis];
    }
    for (size_t k = 0; k < n_cells; k++)
        if (isinf(scores[k]))
            return assay_fail(ASSAY_E_VALUE, "replicates: scores[%zu] is %g", k, scores[k]);
    return ASSAY_OK;
}

static assay_status fill_templates(const double *scores, const assay_complete *complete,
                                   assay_replicates *made)
{
    size_t n_models = complete->n[MODELS], n_items = complete->n[ITEMS], at = 0;
    size_t n_rows = complete->left[TEMPLATES] * complete->left[ITEMS];

    made->scores = assay_alloc_aligned(n_rows * complete->left[MODELS], sizeof(double));
    if (!made->scores) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu rows", n_rows);
    for (size_t t = 0; t < complete->n[TEMPLATES]; t++)
        for (size_t a = 0; a < n_items && complete->kept[TEMPLATES][t]; a++)
            for (size_t i = 0; i < n_models && complete->kept[ITEMS][a]; i++)
                if (complete->kept[MODELS][i])
                    made->scores[at++] = scores[(t * n_models + i) * n_items + a];
    made->count[ASSAY_REPLICATES_LEAST] = made->count[ASSAY_REPLICATES_MOST] =
        complete->left[TEMPLATES];
    compare_templates(made->scores, complete, made);
    assay_replicates_scale(made, n_rows);
    return ASSAY_OK;
}

/* Which models differ between templates anywhere; before each table is centred. */
static void compare_templates(const double *scores, const assay_complete *complete,
                              assay_replicates *made)
{
    size_t n = complete->left[MODELS], n_items = complete->left[ITEMS];

    for (size_t i = 0; i < n; i++) {
        int differs = 0;

        for (size_t t = 1; t < complete->left[TEMPLATES] && !differs; t++)
            for (size_t a = 0; a < n_items && !differs; a++)
                differs = scores[(t * n_items + a) * n + i] != scores[a * n + i];
        if (!differs) made->count[ASSAY_REPLICATES_MODELS_ALIKE]++;
    }
    made->are_alike = made->count[ASSAY_REPLICATES_MODELS_ALIKE] == n;
}

/* ---- what all of them share ---- */

assay_replicates *assay_replicates_new(assay_replicate_source source,
                                       const assay_complete *complete)
{
    assay_replicates *made = assay_alloc_zero(1, sizeof *made);

    if (!made) return NULL;
    made->source = source;
    made->count[ASSAY_REPLICATES_N_MODELS] = complete->left[MODELS];
    made->count[ASSAY_REPLICATES_N_ITEMS] = complete->left[ITEMS];
    made->count[ASSAY_REPLICATES_MODELS_LEFT_OUT] = complete->n[MODELS] - complete->left[MODELS];
    made->count[ASSAY_REPLICATES_ITEMS_LEFT_OUT] = complete->n[ITEMS] - complete->left[ITEMS];
    made->count[ASSAY_REPLICATES_TEMPLATES_LEFT_OUT] =
        complete->n[TEMPLATES] - complete->left[TEMPLATES];
    return made;
}

void assay_replicates_free(assay_replicates *replicates)
{
    if (!replicates) return;
    free(replicates->scores);
    free(replicates->noise);
    free(replicates->first_member);
    free(replicates);
}

/* The unit is a power of 2, so that nothing is rounded. */
void assay_replicates_scale(assay_replicates *replicates, size_t n_rows)
{
    size_t n = replicates->count[ASSAY_REPLICATES_N_MODELS];
    double unit = assay_unit_of(replicates->scores, n_rows * n), largest = 0.0;
    int exponent;

    for (size_t k = 0; k < n_rows * n; k++) replicates->scores[k] /= unit;
    for (size_t a = 0; a < n_rows; a++) {
        double *row = replicates->scores + a * n, origin = n ? row[0] : 0.0, mean = 0.0;

        for (size_t i = 0; i < n; i++) mean += (row[i] - origin) / (double)n;
        for (size_t i = 0; i < n; i++) {
            row[i] = row[i] - origin - mean;
            largest = fmax(largest, fabs(row[i]));
        }
    }
    if (!(largest > 0.0)) return;
    frexp(largest, &exponent);
    for (size_t k = 0; k < n_rows * n; k++) {
        replicates->scores[k] = ldexp(replicates->scores[k], -exponent);
        if (replicates->noise)
            replicates->noise[k] = ldexp(replicates->noise[k] / unit / unit, -2 * exponent);
    }
}

size_t assay_replicates_get(const assay_replicates *replicates, assay_replicates_count count)
{
    return (unsigned)count < ASSAY_REPLICATES_N_COUNTS ? replicates->count[count] : 0;
}

assay_replicate_source assay_replicates_source(const assay_replicates *replicates)
{
    return replicates->source;
}
