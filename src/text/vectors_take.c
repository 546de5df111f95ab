/* SPDX-License-Identifier: Apache-2.0 */
#include "text/vectors_take.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

static int copy_dense(const assay_vectors *from, const size_t *rows, assay_vectors *to);
static int copy_sparse(const assay_vectors *from, const size_t *rows, assay_vectors *to);

assay_status assay_vectors_take(const assay_vectors *vectors, const size_t *rows, size_t n,
                                assay_vectors **out)
{
    assay_vectors *taken = assay_alloc_zero(1, sizeof *taken);
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (taken) {
        taken->n = n;
        taken->d = vectors->d;
        taken->n_turns = vectors->n_turns;
    }
    if (!taken || (vectors->dense ? copy_dense(vectors, rows, taken)
                                  : copy_sparse(vectors, rows, taken)) != 0)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu vectors", n);
    if (status == ASSAY_OK) status = assay_vectors_count(taken);
    if (status == ASSAY_OK)
        *out = taken;
    else
        assay_vectors_free(taken);
    return status;
}

static int copy_dense(const assay_vectors *from, const size_t *rows, assay_vectors *to)
{
    to->dense = assay_alloc_aligned(to->n * to->d, sizeof *to->dense);
    if (!to->dense) return -1;
    for (size_t i = 0; i < to->n; i++)
        memcpy(to->dense + i * to->d, from->dense + rows[i] * from->d, to->d * sizeof *to->dense);
    return 0;
}

static int copy_sparse(const assay_vectors *from, const size_t *rows, assay_vectors *to)
{
    size_t n_entries = 0;

    to->start = assay_alloc(to->n + 1, sizeof *to->start);
    if (!to->start) return -1;
    for (size_t i = 0; i < to->n; i++) {
        to->start[i] = n_entries;
        n_entries += from->start[rows[i] + 1] - from->start[rows[i]];
    }
    to->start[to->n] = n_entries;
    to->column = assay_alloc(n_entries, sizeof *to->column);
    to->value = assay_alloc(n_entries, sizeof *to->value);
    if (!to->column || !to->value) return -1;
    for (size_t i = 0; i < to->n; i++) {
        const size_t at = from->start[rows[i]], length = from->start[rows[i] + 1] - at;

        memcpy(to->column + to->start[i], from->column + at, length * sizeof *to->column);
        memcpy(to->value + to->start[i], from->value + at, length * sizeof *to->value);
    }
    return 0;
}
