/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/bit_gram.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

int assay_bit_form_fits(const assay_centred *z)
{
    return z->matrix->value != NULL && z->complete;
}

assay_status assay_bit_form_new(const assay_centred *z, assay_bit_form *form)
{
    double n = (double)z->n_models;
    assay_popcount_choice choices[4];

    assay_popcount_choices(choices);
    *form = (assay_bit_form){ .n_rows = z->n_rows, .scale = n, .divisor = n };
    form->kernel = choices[0].kernel;
    form->shift = assay_alloc_zero(z->n_rows, sizeof(double));
    form->rank = assay_alloc_zero(z->n_rows, sizeof(double));
    if (!form->shift || !form->rank)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a Gram matrix of %zu rows", z->n_rows);
    if (z->side == ASSAY_SIDE_ITEMS) {
        for (size_t t = 0; t < z->n_items; t++) form->rank[t] = z->item_count[t];
        return ASSAY_OK;
    }
    form->scale = form->divisor = n * n;
    for (size_t t = 0; t < z->n_items; t++) form->base += z->item_count[t] * z->item_count[t];
    return ASSAY_OK;
}

void assay_bit_form_free(assay_bit_form *form)
{
    free(form->shift);
    free(form->rank);
    *form = (assay_bit_form){ 0 };
}

void assay_bit_gram_tile(const assay_bit_form *form, assay_bit_rows rows, size_t first_a,
                         size_t first_b, uint32_t *counts, double *gram)
{
    size_t n = form->n_rows;

    assay_popcount_tile(form->kernel, rows, n, first_a, first_b, counts);
    for (size_t a = first_a; a < n && a < first_a + ASSAY_TILE; a++) {
        for (size_t b = first_b; b < n && b < first_b + ASSAY_TILE; b++) {
            double count = counts[(a - first_a) * ASSAY_TILE + b - first_b];
            double numerator = form->scale * count - (form->shift[a] + form->shift[b]) -
                               form->rank[a] * form->rank[b] + form->base;

            gram[a * n + b] = gram[b * n + a] = numerator / form->divisor;
        }
    }
}
