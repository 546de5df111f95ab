/* SPDX-License-Identifier: Apache-2.0 */
/* Some models of a matrix as a matrix. */
#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"

#include <stdlib.h>
#include <string.h>

static assay_status make_room(const assay_matrix *matrix, size_t n, assay_matrix *made);
static assay_status check_items(const assay_matrix *made);

assay_status assay_matrix_take_models(const assay_matrix *matrix, const size_t *models, size_t n,
                                      assay_matrix **out)
{
    size_t t = matrix->n_items, stride = matrix->stride;
    assay_matrix *made = assay_alloc_zero(1, sizeof *made);
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!made) return assay_fail(ASSAY_E_NOMEM, "no memory for a matrix of %zu models", n);
    if ((status = make_room(matrix, n, made)) != ASSAY_OK) goto done;
    for (size_t k = 0; k < n; k++) {
        size_t m = models[k], bytes = stride * sizeof *made->observed;
        const char *name = matrix->model_names[m];

        made->model_source[k] = matrix->model_source[m];
        made->model_names[k] = assay_copy_text(name, strlen(name));
        if (!made->model_names[k]) {
            status = assay_fail(ASSAY_E_NOMEM, "no memory for the names of %zu models", n);
            goto done;
        }
        memcpy(made->observed + k * stride, matrix->observed + m * stride, bytes);
        if (made->value) memcpy(made->value + k * stride, matrix->value + m * stride, bytes);
        if (made->scores)
            memcpy(made->scores + k * t, matrix->scores + m * t, t * sizeof *made->scores);
        for (size_t w = 0; w < stride; w++)
            made->n_observed += (uint64_t)__builtin_popcountll(made->observed[k * stride + w]);
    }
    if ((status = check_items(made)) != ASSAY_OK) goto done;
    made->n_within = assay_matrix_count_within_0_and_1(made);
    *out = made;
    made = NULL;
done:
    assay_matrix_free(made);
    return status;
}

static assay_status make_room(const assay_matrix *matrix, size_t n, assay_matrix *made)
{
    size_t t = matrix->n_items;

    made->n_models = n;
    made->n_items = t;
    made->n_models_left_out = matrix->n_models_left_out + matrix->n_models - n;
    made->n_items_left_out = matrix->n_items_left_out;
    made->model_names = assay_alloc_zero(n, sizeof *made->model_names);
    made->item_names = assay_alloc_zero(t, sizeof *made->item_names);
    made->model_source = assay_alloc(n, sizeof *made->model_source);
    made->item_source = assay_alloc(t, sizeof *made->item_source);
    made->observed = assay_plane_new(n, t, &made->stride);
    if (matrix->value) made->value = assay_plane_new(n, t, &made->stride);
    if (matrix->scores) made->scores = assay_alloc(n * t, sizeof *made->scores);
    if (!made->model_names || !made->item_names || !made->model_source || !made->item_source ||
        !made->observed || (!made->value && !made->scores))
        return assay_fail(ASSAY_E_NOMEM, "no memory for a matrix of %zu models x %zu items", n, t);
    memcpy(made->item_source, matrix->item_source, t * sizeof *made->item_source);
    for (size_t i = 0; i < t; i++) {
        made->item_names[i] = assay_copy_text(matrix->item_names[i], strlen(matrix->item_names[i]));
        if (!made->item_names[i])
            return assay_fail(ASSAY_E_NOMEM, "no memory for the names of %zu items", t);
    }
    return ASSAY_OK;
}

/* A matrix has no item without a score. */
static assay_status check_items(const assay_matrix *made)
{
    for (size_t w = 0; w * 64 < made->n_items; w++) {
        size_t left = made->n_items - w * 64;
        uint64_t seen = 0, all = left < 64 ? ((uint64_t)1 << left) - 1 : UINT64_MAX;

        for (size_t m = 0; m < made->n_models; m++) seen |= made->observed[m * made->stride + w];
        if (seen != all)
            return assay_fail(ASSAY_E_SHAPE, "item \"%.80s\" has no score of these %zu models",
                              made->item_names[w * 64 + (size_t)__builtin_ctzll(~seen)],
                              made->n_models);
    }
    return ASSAY_OK;
}
