/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/turns.h"

#include "core/error.h"
#include "core/memory.h"
#include "text/vectors.h"

#include <stdlib.h>
#include <string.h>

/* What is joined, and how. */
typedef struct joining {
    const assay_vectors *turns;
    const size_t *start;
    size_t n, most; /* prompts, and turns of one */
    assay_turns how;
} joining;

static assay_status check(const joining *j);
static size_t most_turns(const size_t *start, size_t n);
static int side_by_side(assay_turns how);
static int join_dense(const joining *j, assay_vectors *to);
static void join_dense_row(const joining *j, size_t i, double *row);
static int join_sparse(const joining *j, assay_vectors *to);
static size_t place_side_by_side(const joining *j, size_t i, assay_vectors *to, size_t at);
static size_t place_sum(const joining *j, size_t i, assay_vectors *to, size_t at, double *sum,
                        uint32_t *columns);
static size_t first_turn(const joining *j, size_t i);
static double weight_of(const joining *j, size_t i, size_t turn);
static int copy_terms(const assay_vectors *from, assay_vectors *to);

assay_status assay_vectors_join_turns(const assay_vectors *turns, const size_t *start, size_t n,
                                      assay_turns how, assay_vectors **out)
{
    const joining j = { turns, start, n, most_turns(start, n), how };
    assay_vectors *joined = NULL;
    assay_status status = check(&j);

    *out = NULL;
    if (status != ASSAY_OK) goto done;
    joined = assay_alloc_zero(1, sizeof *joined);
    if (joined) {
        joined->n = n;
        joined->d = side_by_side(how) ? j.most * turns->d : turns->d;
        joined->n_turns = how == ASSAY_TURNS_MAX ? j.most : 1;
    }
    if (!joined || (turns->dense ? join_dense(&j, joined) : join_sparse(&j, joined)) != 0 ||
        copy_terms(turns, joined) != 0) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the turns of %zu prompts", n);
        goto done;
    }
    /* What is of length 1 already stays as it is. */
    status = j.most == 1 || how == ASSAY_TURNS_LAST || how == ASSAY_TURNS_MAX
                 ? assay_vectors_count(joined)
                 : assay_vectors_finish(joined);
    if (status != ASSAY_OK) goto done;
    *out = joined;
    joined = NULL;
done:
    assay_vectors_free(joined);
    return status;
}

static size_t most_turns(const size_t *start, size_t n)
{
    size_t most = 0;

    for (size_t i = 0; i < n; i++)
        if (start[i + 1] > start[i] && start[i + 1] - start[i] > most)
            most = start[i + 1] - start[i];
    return most;
}

static assay_status check(const joining *j)
{
    const assay_vectors *turns = j->turns;

    if ((int)j->how < ASSAY_TURNS_CONCAT || (int)j->how > ASSAY_TURNS_MAX)
        return assay_fail(ASSAY_E_VALUE, "turns: how is %d, expected 0 to 4", (int)j->how);
    if (assay_vectors_by_turn(turns))
        return assay_fail(ASSAY_E_VALUE, "turns: these are joined already, expected one a turn");
    if (j->n == 0) return assay_fail(ASSAY_E_SHAPE, "turns: 0 prompts, expected 1 or more");
    for (size_t i = 0; i < j->n; i++)
        if (j->start[i + 1] <= j->start[i])
            return assay_fail(ASSAY_E_SHAPE, "turns: prompt %zu has no turn, expected one or more",
                              i);
    if (j->start[0] != 0 || j->start[j->n] != turns->n)
        return assay_fail(ASSAY_E_SHAPE,
                          "turns: those of the prompts are %zu to %zu, expected 0 to %zu",
                          j->start[0], j->start[j->n], turns->n);
    if (side_by_side(j->how) && turns->d > (UINT32_MAX - 1) / j->most)
        return assay_fail(
            ASSAY_E_SHAPE,
            "turns: %zu turns of %zu dimensions side by side, expected fewer than 2^32", j->most,
            turns->d);
    return ASSAY_OK;
}

static int side_by_side(assay_turns how)
{
    return how == ASSAY_TURNS_CONCAT || how == ASSAY_TURNS_MAX;
}

/* ---- dense ---- */

static int join_dense(const joining *j, assay_vectors *to)
{
    if (to->d <= SIZE_MAX / to->n)
        to->dense = assay_alloc_aligned(to->n * to->d, sizeof *to->dense);
    for (size_t i = 0; to->dense && i < to->n; i++) join_dense_row(j, i, to->dense + i * to->d);
    return to->dense ? 0 : -1;
}

/* The row is 0 as yet. */
static void join_dense_row(const joining *j, size_t i, double *row)
{
    const size_t d = j->turns->d;

    for (size_t t = first_turn(j, i); t < j->start[i + 1]; t++) {
        const double *x = j->turns->dense + t * d, weight = weight_of(j, i, t);
        double *to = row + (side_by_side(j->how) ? (t - j->start[i]) * d : 0);

        for (size_t k = 0; k < d; k++) to[k] += weight * x[k];
    }
}

/* ---- sparse ---- */

static int join_sparse(const joining *j, assay_vectors *to)
{
    const size_t n_entries = j->turns->start[j->turns->n];
    double *sum = assay_alloc_zero(to->d, sizeof *sum);
    uint32_t *columns = assay_alloc(n_entries, sizeof *columns);
    int is_whole;

    to->start = assay_alloc(to->n + 1, sizeof *to->start);
    to->column = assay_alloc(n_entries, sizeof *to->column);
    to->value = assay_alloc(n_entries, sizeof *to->value);
    is_whole = sum && columns && to->start && to->column && to->value;
    if (is_whole) to->start[0] = 0;
    for (size_t i = 0; is_whole && i < to->n; i++)
        to->start[i + 1] = side_by_side(j->how) ? place_side_by_side(j, i, to, to->start[i])
                                                : place_sum(j, i, to, to->start[i], sum, columns);
    free(sum);
    free(columns);
    return is_whole ? 0 : -1;
}

/* From entry at on; returns where the entries end. */
static size_t place_side_by_side(const joining *j, size_t i, assay_vectors *to, size_t at)
{
    const assay_vectors *turns = j->turns;

    for (size_t t = j->start[i]; t < j->start[i + 1]; t++)
        for (size_t e = turns->start[t]; e < turns->start[t + 1]; e++, at++) {
            to->column[at] = (uint32_t)((t - j->start[i]) * turns->d) + turns->column[e];
            to->value[at] = turns->value[e];
        }
    return at;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* sum is 0 throughout, before and after. */
static size_t place_sum(const joining *j, size_t i, assay_vectors *to, size_t at, double *sum,
                        uint32_t *columns)
{
    const assay_vectors *turns = j->turns;
    size_t n = 0;

    for (size_t t = first_turn(j, i); t < j->start[i + 1]; t++)
        for (size_t e = turns->start[t]; e < turns->start[t + 1]; e++) {
            columns[n++] = turns->column[e];
            sum[turns->column[e]] += weight_of(j, i, t) * turns->value[e];
        }
    qsort(columns, n, sizeof *columns, ascending);
    for (size_t k = 0; k < n; k++) { /* a column that is there again is 0 by then */
        if (sum[columns[k]] == 0) continue;
        to->column[at] = columns[k];
        to->value[at++] = sum[columns[k]];
        sum[columns[k]] = 0;
    }
    return at;
}

/* ---- both ---- */

static size_t first_turn(const joining *j, size_t i)
{
    return j->how == ASSAY_TURNS_LAST ? j->start[i + 1] - 1 : j->start[i];
}

/* The length that comes of it does not matter. */
static double weight_of(const joining *j, size_t i, size_t turn)
{
    return j->how == ASSAY_TURNS_WEIGHTED ? (double)(turn - j->start[i] + 1) : 1.0;
}

static int copy_terms(const assay_vectors *from, assay_vectors *to)
{
    if (!from->terms) return 0;
    to->terms = assay_alloc_zero(from->n_terms, sizeof *to->terms);
    if (!to->terms) return -1;
    to->n_terms = from->n_terms;
    for (size_t k = 0; k < to->n_terms; k++) {
        to->terms[k] = assay_copy_text(from->terms[k], strlen(from->terms[k]));
        if (!to->terms[k]) return -1;
    }
    return 0;
}
