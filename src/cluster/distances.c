/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/distances.h"

#include "cluster/distances_turns.h"
#include "cluster/dot_tile.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Columns are packed 64 at a time: with 384 numbers each they stay in the second cache. */
enum { PANELS = 8, BLOCK = PANELS * ASSAY_PANEL, SPARSE_ROWS = 16 };
/* So few vectors are sooner done by one thread than threads have met. */
enum { FEW = 200 };

/* What the threads share; a block that finds stop set does nothing. */
struct work {
    const assay_vectors *vectors;
    double *distance;
    int threads;
    assay_progress progress;
    size_t n_blocks, n_done;
    int stop;
    double *panels; /* BLOCK x d for each thread */
    /* the sparse rows by columns: rows ascending within each */
    size_t *column_start, *row;
    double *value;
};

static assay_status by_blocks(struct work *work, void (*block)(const struct work *, size_t));
static assay_status of_dense(struct work *work);
static void dense_block(const struct work *work, size_t b);
static assay_status of_sparse(struct work *work);
static assay_status by_columns(struct work *work);
static void sparse_block(const struct work *work, size_t b);
static void join_zeros(const struct work *work);

double assay_distance_from_similarity(double similarity)
{
    double d = 1.0 - similarity;

    if (d < ASSAY_SAME_DISTANCE) return 0.0; /* below 0 only by rounding */
    return d > 2.0 ? 2.0 : d;
}

double assay_distances_gigabytes(size_t n)
{
    return 4.0 * (double)n * ((double)n - 1.0) / 0x1p30;
}

size_t assay_distances_count(size_t n)
{
    size_t even = n % 2 == 0 ? n / 2 : n, odd = n % 2 == 0 ? n - 1 : (n - 1) / 2;

    if (n < 2) return 1;
    return even >= SIZE_MAX / odd ? SIZE_MAX : even * odd + 1;
}

assay_status assay_distances_new(const assay_vectors *vectors, int threads, assay_progress progress,
                                 double **out)
{
    struct work work = { .vectors = vectors, .threads = threads, .progress = progress };
    assay_status status;

    *out = NULL;
    work.distance = assay_alloc(assay_distances_count(vectors->n), sizeof(double));
    if (!work.distance) {
        status =
            assay_fail(ASSAY_E_NOMEM, "no memory for the distances of %zu vectors", vectors->n);
        goto done;
    }
    status = assay_vectors_by_turn(vectors)
                 ? assay_distances_by_turn(vectors, threads, progress, work.distance)
             : vectors->dense ? of_dense(&work)
                              : of_sparse(&work);
    if (status != ASSAY_OK) goto done;
    join_zeros(&work);
    *out = work.distance;
    work.distance = NULL;
done:
    free(work.distance);
    free(work.panels);
    free(work.column_start);
    free(work.row);
    free(work.value);
    return status;
}

static assay_status by_blocks(struct work *work, void (*block)(const struct work *, size_t))
{
#pragma omp parallel for num_threads(work->threads) schedule(dynamic) if (work->vectors->n > FEW)
    for (size_t b = 0; b < work->n_blocks; b++) {
        int stop;
        size_t done;

#pragma omp atomic read
        stop = work->stop;
        if (stop) continue;
        block(work, b);
#pragma omp atomic capture
        done = ++work->n_done;
        if (omp_get_thread_num() == 0 && work->progress.step &&
            work->progress.step(work->progress.user, "distances",
                                (double)done / (double)work->n_blocks) != 0) {
#pragma omp atomic write
            work->stop = 1;
        }
    }
    return work->stop ? assay_fail(ASSAY_E_CANCELLED, "cancelled in distances") : ASSAY_OK;
}

static assay_status of_dense(struct work *work)
{
    size_t n = work->vectors->n, d = work->vectors->d;

    work->n_blocks = (n + BLOCK - 1) / BLOCK;
    work->panels = assay_alloc_aligned((size_t)work->threads * BLOCK * d, sizeof(double));
    if (!work->panels) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu vectors", n);
    return by_blocks(work, dense_block);
}

/* The distances of up to six rows from i on to the columns of one panel that come after each. */
static void tile_to_distances(const struct work *work, size_t i, size_t first_column,
                              const double *panel)
{
    const assay_vectors *x = work->vectors;
    const double *rows[ASSAY_TILE_ROWS];
    double product[ASSAY_TILE_ROWS][ASSAY_PANEL];
    size_t n = x->n, last = first_column + ASSAY_PANEL < n ? first_column + ASSAY_PANEL : n;

    for (size_t r = 0; r < ASSAY_TILE_ROWS; r++)
        rows[r] = x->dense + (i + r < n ? i + r : n - 1) * x->d;
    assay_dot_tile(rows, panel, x->d, product);
    for (size_t r = 0; r < ASSAY_TILE_ROWS && i + r < last; r++) {
        double *row = work->distance + assay_distances_row(n, i + r);

        for (size_t j = i + r < first_column ? first_column : i + r + 1; j < last; j++)
            row[j] = assay_distance_from_similarity(product[r][j - first_column]);
    }
}

/* All rows against the columns of block b. The longest blocks, at the end, come first. */
static void dense_block(const struct work *work, size_t b)
{
    const assay_vectors *x = work->vectors;
    size_t first = (work->n_blocks - 1 - b) * BLOCK, d = x->d;
    size_t last = first + BLOCK < x->n ? first + BLOCK : x->n;
    double *panels = work->panels + (size_t)omp_get_thread_num() * BLOCK * d;

    for (size_t j = first; j < last; j += ASSAY_PANEL)
        assay_dot_panel(x->dense + j * d, last - j < ASSAY_PANEL ? last - j : ASSAY_PANEL, d, d,
                        panels + (j - first) * d);
    for (size_t i = 0; i + 1 < last; i += ASSAY_TILE_ROWS)
        for (size_t j = first; j < last; j += ASSAY_PANEL)
            if (i < j + ASSAY_PANEL) tile_to_distances(work, i, j, panels + (j - first) * d);
}

static assay_status of_sparse(struct work *work)
{
    assay_status status = by_columns(work);

    if (status != ASSAY_OK) return status;
    work->n_blocks = (work->vectors->n + SPARSE_ROWS - 1) / SPARSE_ROWS;
    return by_blocks(work, sparse_block);
}

static assay_status by_columns(struct work *work)
{
    const assay_vectors *x = work->vectors;
    size_t n_entries = x->start[x->n], *at;

    at = work->column_start = assay_alloc_zero(x->d + 2, sizeof *work->column_start);
    work->row = assay_alloc(n_entries, sizeof *work->row);
    work->value = assay_alloc(n_entries, sizeof *work->value);
    if (!work->column_start || !work->row || !work->value)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu sparse entries", n_entries);
    /* Counted two places on, so that after the filling each column's start is where it belongs. */
    for (size_t e = 0; e < n_entries; e++) at[x->column[e] + 2]++;
    for (size_t c = 1; c < x->d + 2; c++) at[c] += at[c - 1];
    for (size_t i = 0; i < x->n; i++) {
        for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
            size_t place = at[x->column[e] + 1]++;

            work->row[place] = i;
            work->value[place] = x->value[e];
        }
    }
    return ASSAY_OK;
}

/* The products of row i with all later ones, a column at a time: the terms of each are added in the
   order of the columns. */
static void sparse_row(const struct work *work, size_t i)
{
    const assay_vectors *x = work->vectors;
    double *row = work->distance + assay_distances_row(x->n, i);

    for (size_t j = i + 1; j < x->n; j++) row[j] = 0.0;
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
        size_t from = work->column_start[x->column[e]], p = work->column_start[x->column[e] + 1];

        while (p > from && work->row[p - 1] > i) {
            p--;
            row[work->row[p]] += x->value[e] * work->value[p];
        }
    }
    for (size_t j = i + 1; j < x->n; j++) row[j] = assay_distance_from_similarity(row[j]);
}

static void sparse_block(const struct work *work, size_t b)
{
    size_t first = b * SPARSE_ROWS, n = work->vectors->n;

    for (size_t i = first; i < first + SPARSE_ROWS && i < n; i++) sparse_row(work, i);
}

static void join_zeros(const struct work *work)
{
    const assay_vectors *x = work->vectors;

    if (x->n_zero < 2) return;
    for (size_t i = 0; i < x->n; i++) {
        double *row = work->distance + assay_distances_row(x->n, i);

        if (!assay_vectors_is_zero(x, i)) continue;
        for (size_t j = i + 1; j < x->n; j++)
            if (assay_vectors_is_zero(x, j)) row[j] = 0.0;
    }
}
