/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/tetrachoric_pairs.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "signals/tetrachoric.h"
#include "stats/popcount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Few models make few different tables, so that what was solved is kept: the last table that fell
   on a place, and its correlation. An empty place holds the table of nothing, which is never asked
   for. */
enum { MEMO_BITS = 15, MEMO_SIZE = 1 << MEMO_BITS };
struct memo {
    assay_two_by_two table;
    double r;
};

/* A thread's own: the counts of a tile, and the memo. */
enum { ONES_ONES, ONES_SEEN, SEEN_ONES, SEEN_SEEN, N_COUNTS };
struct desk {
    uint32_t count[N_COUNTS][ASSAY_TILE * ASSAY_TILE];
    struct memo memo[MEMO_SIZE];
};

struct work {
    size_t n_models, n_items, n_tiles;
    int complete;
    uint64_t *plane; /* bits of rows over the models: the items' ones and, where cells are missing,
                        from row seen_row on which models have them */
    size_t stride, n_rows, seen_row;
    uint64_t *n_ones; /* of each item, for complete data */
    assay_popcount_kernel kernel;
    struct desk *desks;
    double *r;
};

static assay_status start(struct work *work, const assay_matrix *matrix, const size_t *items,
                          int threads);
static assay_status row_of_tiles(void *user, size_t k, int thread);

assay_status assay_tetrachoric_pairs(const assay_matrix *matrix, const size_t *items,
                                     size_t n_items, int threads, assay_progress progress,
                                     double *r)
{
    struct work work = {
        .n_models = matrix->n_models,
        .n_items = n_items,
        .n_tiles = (n_items + ASSAY_TILE - 1) / ASSAY_TILE,
        .complete = matrix->n_observed == (uint64_t)matrix->n_models * matrix->n_items,
        .r = r,
    };
    assay_status status;

    if ((size_t)threads > work.n_tiles) threads = (int)work.n_tiles; /* no desks for idle ones */
    status = start(&work, matrix, items, threads);
    if (status == ASSAY_OK)
        status =
            assay_do_pieces(work.n_tiles, threads, "tetrachoric", progress, row_of_tiles, &work);
    free(work.desks);
    free(work.n_ones);
    free(work.plane);
    return status;
}

/* The bits of the items, each a row of work->plane from first_row on. */
static void turn(const struct work *work, const assay_matrix *matrix, const uint64_t *plane,
                 const size_t *items, size_t first_row)
{
    for (size_t m = 0; m < work->n_models; m++) {
        const uint64_t *bits = plane + m * matrix->stride;
        uint64_t *to = work->plane + first_row * work->stride + m / 64, bit = (uint64_t)1 << m % 64;

        for (size_t i = 0; i < work->n_items; i++)
            if (bits[items[i] / 64] >> (items[i] % 64) & 1) to[i * work->stride] |= bit;
    }
}

static assay_status start(struct work *work, const assay_matrix *matrix, const size_t *items,
                          int threads)
{
    size_t n = work->n_items;
    assay_popcount_choice choices[4];

    assay_popcount_choices(choices);
    work->kernel = choices[0].kernel;
    work->seen_row = work->n_tiles * ASSAY_TILE;
    work->n_rows = work->complete ? n : work->seen_row + n;
    work->desks = assay_alloc_aligned((size_t)threads, sizeof *work->desks);
    work->n_ones = assay_alloc_zero(n, sizeof *work->n_ones);
    work->plane = assay_plane_new(work->n_rows, work->n_models, &work->stride);
    if (!work->desks || !work->n_ones || !work->plane)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the pairs of %zu items", n);
    turn(work, matrix, matrix->value, items, 0);
    if (!work->complete) turn(work, matrix, matrix->observed, items, work->seen_row);
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < work->stride; w++)
            work->n_ones[i] += (uint64_t)__builtin_popcountll(work->plane[i * work->stride + w]);
    return ASSAY_OK;
}

/* By a multiplication that mixes all four counts into the high bits. */
static size_t place(assay_two_by_two table)
{
    uint64_t mixed = table.n11 + table.n10 * 0x9E3779B97F4A7C15u;

    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93u + table.n01;
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93u + table.n00;
    return (size_t)(mixed * 0x9E3779B97F4A7C15u >> (64 - MEMO_BITS));
}

static double correlation(struct desk *desk, assay_two_by_two table)
{
    double sign;
    struct memo *memo;

    if (assay_two_by_two_is_degenerate(table)) return NAN;
    table = assay_two_by_two_canonical(table, &sign);
    memo = &desk->memo[place(table)];
    if (memcmp(&memo->table, &table, sizeof table) != 0)
        *memo = (struct memo){ table, assay_tetrachoric_canonical(table) };
    return sign * memo->r;
}

/* The table of items a and b, whose counts are the c-th of the tile. */
static assay_two_by_two table_of(const struct work *work, const struct desk *desk, size_t a,
                                 size_t b, size_t c)
{
    uint64_t both = desk->count[ONES_ONES][c];
    uint64_t first = work->complete ? work->n_ones[a] : desk->count[ONES_SEEN][c];
    uint64_t second = work->complete ? work->n_ones[b] : desk->count[SEEN_ONES][c];
    uint64_t n = work->complete ? work->n_models : desk->count[SEEN_SEEN][c];

    return (assay_two_by_two){ both, first - both, second - both, n - first - second + both };
}

static void count_tile(const struct work *work, size_t first_a, size_t first_b, struct desk *desk)
{
    assay_bit_rows rows = { work->plane, work->stride };
    size_t seen = work->seen_row;
    const size_t first[N_COUNTS][2] = { { first_a, first_b },
                                        { first_a, seen + first_b },
                                        { seen + first_a, first_b },
                                        { seen + first_a, seen + first_b } };

    for (size_t c = 0; c < (work->complete ? 1 : N_COUNTS); c++)
        assay_popcount_tile(work->kernel, rows, work->n_rows, first[c][0], first[c][1],
                            desk->count[c]);
}

/* The pairs of one tile: b < a. */
static void tile(const struct work *work, size_t first_a, size_t first_b, struct desk *desk)
{
    size_t n = work->n_items;

    count_tile(work, first_a, first_b, desk);
    for (size_t a = first_a; a < n && a < first_a + ASSAY_TILE; a++) {
        for (size_t b = first_b; b < a && b < first_b + ASSAY_TILE; b++) {
            size_t c = (a - first_a) * ASSAY_TILE + b - first_b;
            double r = correlation(desk, table_of(work, desk, a, b, c));

            work->r[a * n + b] = work->r[b * n + a] = r;
        }
    }
}

/* The k-th piece is the k-th longest row of tiles: the last is the first. */
static assay_status row_of_tiles(void *user, size_t k, int thread)
{
    const struct work *work = user;
    size_t last = work->n_tiles - 1 - k;

    for (size_t b = 0; b <= last; b++)
        tile(work, last * ASSAY_TILE, b * ASSAY_TILE, &work->desks[thread]);
    for (size_t a = last * ASSAY_TILE; a < work->n_items && a < (last + 1) * ASSAY_TILE; a++)
        work->r[a * work->n_items + a] = 1.0;
    return ASSAY_OK;
}
