/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of prompts as the largest of their turns'. */
#include "cluster/distances_turns.h"

#include "cluster/distances.h"
#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* One turn at a time, of those rows that have it. */
struct work {
    const assay_vectors *x;
    size_t turn, d;          /* numbers of a turn */
    size_t *rows, m;         /* that have it, ascending */
    size_t *at;              /* by row, where its entries begin in a sparse one */
    unsigned char *is_there; /* by row */
    size_t n_entries;        /* of the turn, in all rows */
};

static void find_rows(struct work *work);
static size_t end_of_turn(const struct work *work, size_t i);
static int has_turn(const struct work *work, size_t i);
static assay_vectors *take_turn(const struct work *work);
static int take_dense(const struct work *work, assay_vectors *to);
static int take_sparse(const struct work *work, assay_vectors *to);
static void raise_distances(const struct work *work, const double *of_turn, double *distance);

assay_status assay_distances_by_turn(const assay_vectors *vectors, int threads,
                                     assay_progress progress, double *distance)
{
    const size_t n = vectors->n;
    struct work work = { .x = vectors, .d = vectors->d / vectors->n_turns };
    assay_status status = ASSAY_OK;

    work.rows = assay_alloc(n, sizeof *work.rows);
    work.at = assay_alloc(n, sizeof *work.at);
    work.is_there = assay_alloc(n, 1);
    if (!work.rows || !work.at || !work.is_there)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the turns of %zu vectors", n);
    else if (vectors->start)
        memcpy(work.at, vectors->start, n * sizeof *work.at);
    memset(distance, 0, assay_distances_count(n) * sizeof *distance);
    for (; status == ASSAY_OK && work.turn < vectors->n_turns; work.turn++) {
        assay_vectors *taken;
        double *of_turn = NULL;

        find_rows(&work);
        if (work.m == 0) continue;
        taken = take_turn(&work);
        status = taken ? assay_distances_new(taken, threads, progress, &of_turn)
                       : assay_fail(ASSAY_E_NOMEM, "no memory for the turns of %zu vectors", n);
        if (status == ASSAY_OK) raise_distances(&work, of_turn, distance);
        for (size_t a = 0; vectors->start && a < work.m; a++)
            work.at[work.rows[a]] = end_of_turn(&work, work.rows[a]);
        assay_vectors_free(taken);
        free(of_turn);
    }
    free(work.rows);
    free(work.at);
    free(work.is_there);
    return status;
}

static void find_rows(struct work *work)
{
    work->m = work->n_entries = 0;
    for (size_t i = 0; i < work->x->n; i++) {
        work->is_there[i] = (unsigned char)has_turn(work, i);
        if (!work->is_there[i]) continue;
        work->rows[work->m++] = i;
        if (!work->x->dense) work->n_entries += end_of_turn(work, i) - work->at[i];
    }
}

static int has_turn(const struct work *work, size_t i)
{
    const double *x;

    if (!work->x->dense) return end_of_turn(work, i) > work->at[i];
    x = work->x->dense + i * work->x->d + work->turn * work->d;
    for (size_t k = 0; k < work->d; k++)
        if (x[k] != 0) return 1;
    return 0;
}

/* Where the entries of a sparse row's turn end. */
static size_t end_of_turn(const struct work *work, size_t i)
{
    const assay_vectors *x = work->x;
    const size_t beyond = (work->turn + 1) * work->d;
    size_t e = work->at[i];

    while (e < x->start[i + 1] && x->column[e] < beyond) e++;
    return e;
}

/* The turn's vectors of the rows that have it; NULL without memory. */
static assay_vectors *take_turn(const struct work *work)
{
    assay_vectors *taken = assay_alloc_zero(1, sizeof *taken);

    if (!taken) return NULL;
    taken->n = work->m;
    taken->d = work->d;
    if ((work->x->dense ? take_dense(work, taken) : take_sparse(work, taken)) == 0) return taken;
    assay_vectors_free(taken);
    return NULL;
}

static int take_dense(const struct work *work, assay_vectors *to)
{
    to->dense = assay_alloc_aligned(work->m * work->d, sizeof *to->dense);
    for (size_t a = 0; to->dense && a < work->m; a++)
        memcpy(to->dense + a * work->d,
               work->x->dense + work->rows[a] * work->x->d + work->turn * work->d,
               work->d * sizeof *to->dense);
    return to->dense ? 0 : -1;
}

static int take_sparse(const struct work *work, assay_vectors *to)
{
    size_t n = 0;

    to->start = assay_alloc(work->m + 1, sizeof *to->start);
    to->column = assay_alloc(work->n_entries, sizeof *to->column);
    to->value = assay_alloc(work->n_entries, sizeof *to->value);
    if (!to->start || !to->column || !to->value) return -1;
    for (size_t a = 0; a < work->m; a++) {
        const size_t i = work->rows[a], end = end_of_turn(work, i);

        to->start[a] = n;
        for (size_t e = work->at[i]; e < end; e++, n++) {
            to->column[n] = work->x->column[e] - (uint32_t)(work->turn * work->d);
            to->value[n] = work->x->value[e];
        }
    }
    to->start[work->m] = n;
    return 0;
}

static void make_at_least(double *distance, double to)
{
    if (to > *distance) *distance = to;
}

/* A turn that one of two rows has is at 1; one that neither has changes nothing. */
static void raise_distances(const struct work *work, const double *of_turn, double *distance)
{
    const size_t n = work->x->n, m = work->m;

    for (size_t a = 0; a < m; a++) {
        const size_t i = work->rows[a], row = assay_distances_row(n, i);
        const double *of_pairs = of_turn + assay_distances_row(m, a);

        for (size_t b = a + 1; b < m; b++)
            make_at_least(&distance[row + work->rows[b]], of_pairs[b]);
        for (size_t j = 0; j < n && m < n; j++)
            if (!work->is_there[j])
                make_at_least(&distance[j < i ? assay_distances_row(n, j) + i : row + j], 1.0);
    }
}
