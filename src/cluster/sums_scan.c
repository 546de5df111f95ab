/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest of every cluster to some of them: screened in single precision, decided in double. */
#include "cluster/distances.h"
#include "cluster/least.h"
#include "cluster/sums.h"
#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, COLUMNS = 1024, STEP = 16 };

/* What one thread works in: rows to compare, and their products with a block of columns. */
struct bench {
    float *row, *product;
};

/* The largest similarities met so far, unsorted. */
struct most_similar {
    size_t n, least_at;
    float similarity[ASSAY_NEAR];
    uint32_t slot[ASSAY_NEAR];
};

static void scan_rows(assay_sums *s, const uint32_t *rows, size_t n_rows, struct bench bench);
static void screen(const assay_sums *s, uint32_t self, const float *product, size_t from,
                   size_t n_columns, struct most_similar *most);
static void decide(assay_sums *s, size_t i, const struct most_similar *most);
static assay_status compare_with_all(assay_sums *s, size_t i, int threads);

/* Threads take some microseconds to meet, and more on a busy machine. */
static int is_worth_threads(const assay_sums *s, size_t n_rows)
{
    const double enough = 1e6; /* multiplications */

    return (double)n_rows * (double)s->n_alive * (double)s->d > enough;
}

assay_status assay_sums_scan(assay_sums *s, const uint32_t *rows, size_t n_rows, int threads)
{
    size_t n_chunks = (n_rows + ROWS - 1) / ROWS;
    float *row = assay_alloc_aligned((size_t)threads * ROWS * s->d, sizeof *row);
    float *product = assay_alloc_aligned((size_t)threads * ROWS * COLUMNS, sizeof *product);
    assay_status status = ASSAY_OK;

    if (!row || !product) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", s->n);
        goto done;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (is_worth_threads(s, n_rows))
    for (size_t c = 0; c < n_chunks; c++) {
        size_t me = (size_t)omp_get_thread_num(), first = c * ROWS;
        struct bench bench = { row + me * ROWS * s->d, product + me * ROWS * COLUMNS };

        scan_rows(s, rows + first, n_rows - first < ROWS ? n_rows - first : ROWS, bench);
    }
    for (size_t r = 0; r < n_rows && status == ASSAY_OK; r++)
        if (!assay_sums_conclude(s, rows[r])) status = compare_with_all(s, rows[r], threads);
done:
    free(row);
    free(product);
    return status;
}

static void scan_rows(assay_sums *s, const uint32_t *rows, size_t n_rows, struct bench bench)
{
    struct most_similar most[ROWS];

    for (size_t r = 0; r < n_rows; r++) {
        memcpy(bench.row + r * s->d, s->mean + s->slot_column[rows[r]] * s->d,
               s->d * sizeof *bench.row);
        most[r] = (struct most_similar){ .n = 0 };
    }
    for (size_t c = 0; c < s->n_columns; c += COLUMNS) {
        size_t n_columns = s->n_columns - c < COLUMNS ? s->n_columns - c : COLUMNS;

        assay_linalg_abt_single(n_rows, n_columns, s->d, 1.0f, bench.row, s->d, s->mean + c * s->d,
                                s->d, bench.product, n_columns);
        for (size_t r = 0; r < n_rows; r++)
            screen(s, rows[r], bench.product + r * n_columns, c, n_columns, &most[r]);
    }
    for (size_t r = 0; r < n_rows; r++) decide(s, rows[r], &most[r]);
}

static void note(struct most_similar *most, float similarity, uint32_t slot)
{
    size_t at = most->n < ASSAY_NEAR ? most->n++ : most->least_at;

    most->similarity[at] = similarity;
    most->slot[at] = slot;
    most->least_at = 0;
    for (size_t p = 1; p < most->n; p++)
        if (most->similarity[p] < most->similarity[most->least_at]) most->least_at = p;
}

static void screen(const assay_sums *s, uint32_t self, const float *product, size_t from,
                   size_t n_columns, struct most_similar *most)
{
    for (size_t c = 0; c < n_columns; c += STEP) {
        size_t end = c + STEP < n_columns ? c + STEP : n_columns;
        float floor = most->n < ASSAY_NEAR ? -FLT_MAX : most->similarity[most->least_at];
        int any = 0;

        for (size_t k = c; k < end; k++) any |= product[k] > floor;
        for (size_t k = c; any && k < end; k++) {
            uint32_t slot = s->column_slot[from + k];

            if (slot == ASSAY_NO_SLOT || slot == self) continue;
            if (most->n < ASSAY_NEAR || product[k] > most->similarity[most->least_at])
                note(most, product[k], slot);
        }
    }
}

/* The list with exact distances. What is not in it was no more similar in single precision, whose
   error is at most this much for means of length 1 or less: d + 2 roundings of relative size 2^-24
   each (Higham 2002, section 3.1), and some more for the second order. */
static void decide(assay_sums *s, size_t i, const struct most_similar *most)
{
    double error = ((double)s->d + 16.0) * 0x1p-24;
    assay_near *list = s->near + i * ASSAY_NEAR;

    for (size_t p = 0; p < most->n; p++) {
        uint32_t j = most->slot[p];

        list[p] = (assay_near){ j, s->version[j], assay_sums_distance(s, i, j) };
    }
    s->n_near[i] = (unsigned char)most->n;
    s->cut[i] = INFINITY;
    if (s->n_alive > most->n + 1)
        s->cut[i] = 1.0 - (double)most->similarity[most->least_at] - error;
}

/* Where screening cannot tell, as among many copies with small changes: every distance in double. */
static assay_status compare_with_all(assay_sums *s, size_t i, int threads)
{
    double *distance = assay_alloc(s->n, sizeof *distance), least;
    assay_near *list = s->near + i * ASSAY_NEAR;
    size_t n_list = 0;

    if (!distance) return assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", s->n);
#pragma omp parallel for num_threads(threads) schedule(static) if (is_worth_threads(s, 1))
    for (size_t j = 0; j < s->n; j++) {
        int is_other = s->state[j] != ASSAY_NEAR_GONE && j != i;

        distance[j] = is_other ? assay_sums_distance(s, i, j) : INFINITY;
    }
    least = assay_least(distance, s->n);
    s->bound[i] = least;
    s->nearest[i] = (uint32_t)assay_first_within(distance, least + ASSAY_SAME_DISTANCE);
    s->nearest_version[i] = s->version[s->nearest[i]];
    s->state[i] = ASSAY_NEAR_KNOWN;
    s->cut[i] = INFINITY;
    for (; n_list < ASSAY_NEAR; n_list++) {
        double next = assay_least(distance, s->n);
        uint32_t j;

        if (isinf(next)) break;
        j = (uint32_t)assay_first_within(distance, next);
        list[n_list] = (assay_near){ j, s->version[j], next };
        s->cut[i] = next;
        distance[j] = INFINITY;
    }
    if (n_list < ASSAY_NEAR) s->cut[i] = INFINITY;
    s->n_near[i] = (unsigned char)n_list;
    free(distance);
    return ASSAY_OK;
}
