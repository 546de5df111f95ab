/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/sums.h"

#include "cluster/distances.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status allocate(assay_sums *s);
static void set_mean(assay_sums *s, size_t slot, size_t column);
static size_t gather(assay_sums *s, size_t i, size_t from, assay_near *list, size_t n_list);
static void keep_nearest(assay_sums *s, size_t i, assay_near *list, size_t n_list);
static void drop_column(assay_sums *s, size_t slot);

assay_status assay_sums_new(const assay_vectors *vectors, const size_t *order,
                            const uint32_t *first, assay_sums *s)
{
    assay_status status;

    *s = (assay_sums){ .n = vectors->n, .d = vectors->d };
    if ((status = allocate(s)) != ASSAY_OK) return status;
    for (size_t slot = 0; slot < s->n; slot++) {
        const double *x = vectors->dense + order[slot] * s->d;
        double *sum = s->sum + first[slot] * s->d;

        s->owner[slot] = (uint32_t)slot;
        s->size[first[slot]] += 1.0;
        if (first[slot] == slot)
            memcpy(sum, x, s->d * sizeof *sum);
        else
            for (size_t k = 0; k < s->d; k++) sum[k] += x[k];
    }
    for (size_t slot = 0; slot < s->n; slot++) {
        s->state[slot] = first[slot] == slot ? ASSAY_NEAR_EXHAUSTED : ASSAY_NEAR_GONE;
        s->bound[slot] = first[slot] == slot ? 0.0 : INFINITY;
        if (first[slot] != slot) continue;
        s->column_slot[s->n_columns] = (uint32_t)slot;
        s->slot_column[slot] = (uint32_t)s->n_columns;
        set_mean(s, slot, s->n_columns++);
    }
    s->n_alive = s->n_columns;
    return ASSAY_OK;
}

static assay_status allocate(assay_sums *s)
{
    size_t n = s->n, cells = n > SIZE_MAX / s->d ? SIZE_MAX : n * s->d;

    s->sum = assay_alloc(cells, sizeof *s->sum);
    s->mean = assay_alloc(cells, sizeof *s->mean);
    s->size = assay_alloc_zero(n, sizeof *s->size);
    s->owner = assay_alloc_zero(n, sizeof *s->owner);
    s->version = assay_alloc_zero(n, sizeof *s->version);
    s->near = assay_alloc_zero(n, ASSAY_NEAR * sizeof *s->near);
    s->n_near = assay_alloc_zero(n, 1);
    s->state = assay_alloc_zero(n, 1);
    s->cut = assay_alloc_zero(n, sizeof *s->cut);
    s->bound = assay_alloc_zero(n, sizeof *s->bound);
    s->nearest = assay_alloc_zero(n, sizeof *s->nearest);
    s->nearest_version = assay_alloc_zero(n, sizeof *s->nearest_version);
    s->column_slot = assay_alloc_zero(n, sizeof *s->column_slot);
    s->slot_column = assay_alloc_zero(n, sizeof *s->slot_column);
    if (!s->sum || !s->mean || !s->size || !s->owner || !s->version || !s->near || !s->n_near ||
        !s->state || !s->cut || !s->bound || !s->nearest || !s->nearest_version ||
        !s->column_slot || !s->slot_column)
        return assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", n);
    return ASSAY_OK;
}

void assay_sums_free(assay_sums *s)
{
    free(s->sum);
    free(s->mean);
    free(s->size);
    free(s->owner);
    free(s->version);
    free(s->near);
    free(s->n_near);
    free(s->state);
    free(s->cut);
    free(s->bound);
    free(s->nearest);
    free(s->nearest_version);
    free(s->column_slot);
    free(s->slot_column);
    *s = (assay_sums){ 0 };
}

static void set_mean(assay_sums *s, size_t slot, size_t column)
{
    const double *sum = s->sum + slot * s->d;
    float *mean = s->mean + column * s->d;

    for (size_t k = 0; k < s->d; k++) mean[k] = (float)(sum[k] / s->size[slot]);
}

double assay_sums_distance(const assay_sums *s, size_t i, size_t j)
{
    const double *x = s->sum + i * s->d, *y = s->sum + j * s->d;
    double product = 0.0;

    for (size_t k = 0; k < s->d; k++) product += x[k] * y[k];
    return assay_distance_from_similarity(product / (s->size[i] * s->size[j]));
}

int assay_sums_is_current(const assay_sums *s, size_t i)
{
    uint32_t j = s->nearest[i];

    return s->state[i] == ASSAY_NEAR_KNOWN && s->owner[j] == j &&
           s->version[j] == s->nearest_version[i];
}

/* The cluster that a slot belongs to now. */
static uint32_t owner_of(assay_sums *s, uint32_t slot)
{
    while (s->owner[slot] != slot) {
        s->owner[slot] = s->owner[s->owner[slot]];
        slot = s->owner[slot];
    }
    return slot;
}

int assay_sums_renew(assay_sums *s, size_t i)
{
    assay_near *list = s->near + i * ASSAY_NEAR, renewed[ASSAY_NEAR];
    size_t n_list = gather(s, i, i, renewed, 0);

    for (size_t p = 0; p < n_list; p++) {
        assay_near *entry = &renewed[p];

        if (entry->version == s->version[entry->slot]) continue;
        entry->version = s->version[entry->slot];
        entry->distance = assay_sums_distance(s, i, entry->slot);
    }
    memcpy(list, renewed, n_list * sizeof *list);
    s->n_near[i] = (unsigned char)n_list;
    return assay_sums_conclude(s, i);
}

/* Append the list of a cluster to that of i: what its entries are part of now, each once. */
static size_t gather(assay_sums *s, size_t i, size_t from, assay_near *list, size_t n_list)
{
    for (size_t p = 0; p < s->n_near[from]; p++) {
        assay_near entry = s->near[from * ASSAY_NEAR + p];
        uint32_t owner = owner_of(s, entry.slot);
        size_t q = 0;

        if (owner == i) continue;
        if (owner != entry.slot) entry.version = s->version[owner] - 1; /* out of date */
        entry.slot = owner;
        while (q < n_list && list[q].slot != owner) q++;
        if (q == n_list)
            list[n_list++] = entry;
        else if (list[q].version != s->version[owner])
            list[q] = entry;
    }
    return n_list;
}

int assay_sums_conclude(assay_sums *s, size_t i)
{
    const assay_near *list = s->near + i * ASSAY_NEAR, *best = NULL;
    double least = INFINITY;

    for (size_t p = 0; p < s->n_near[i]; p++)
        if (list[p].distance < least) least = list[p].distance;
    s->bound[i] = least < s->cut[i] ? least : s->cut[i];
    s->state[i] = ASSAY_NEAR_EXHAUSTED;
    if (!(least + ASSAY_SAME_DISTANCE < s->cut[i])) return 0;
    for (size_t p = 0; p < s->n_near[i]; p++)
        if (list[p].distance <= least + ASSAY_SAME_DISTANCE && (!best || list[p].slot < best->slot))
            best = &list[p];
    if (!best) return 0;
    s->nearest[i] = best->slot;
    s->nearest_version[i] = best->version;
    s->state[i] = ASSAY_NEAR_KNOWN;
    return 1;
}

void assay_sums_unite(assay_sums *s, size_t i, size_t j)
{
    assay_near list[2 * ASSAY_NEAR];
    double *x = s->sum + i * s->d, *y = s->sum + j * s->d;
    double size = s->size[i] + s->size[j];
    size_t n_list;

    /* What is in neither list is at least this far from both together. */
    s->cut[i] = (s->size[i] * s->cut[i] + s->size[j] * s->cut[j]) / size;
    for (size_t k = 0; k < s->d; k++) x[k] += y[k];
    s->size[i] = size;
    s->version[i]++;
    s->owner[j] = (uint32_t)i;
    s->state[j] = ASSAY_NEAR_GONE;
    s->bound[j] = INFINITY;
    s->n_alive--;
    n_list = gather(s, i, i, list, 0);
    n_list = gather(s, i, j, list, n_list);
    keep_nearest(s, i, list, n_list);
    set_mean(s, i, s->slot_column[i]);
    drop_column(s, j);
    assay_sums_conclude(s, i);
}

/* The nearest of the list by distances computed anew; what is left out lowers the cut. */
static void keep_nearest(assay_sums *s, size_t i, assay_near *list, size_t n_list)
{
    size_t n_kept = 0;

    for (size_t p = 0; p < n_list; p++) {
        assay_near entry = { list[p].slot, s->version[list[p].slot], 0.0 };
        size_t q = p;

        entry.distance = assay_sums_distance(s, i, entry.slot);
        for (; q > 0 && list[q - 1].distance > entry.distance; q--) list[q] = list[q - 1];
        list[q] = entry;
    }
    n_kept = n_list < ASSAY_NEAR ? n_list : ASSAY_NEAR;
    if (n_list > n_kept && list[n_kept].distance < s->cut[i]) s->cut[i] = list[n_kept].distance;
    memcpy(s->near + i * ASSAY_NEAR, list, n_kept * sizeof *list);
    s->n_near[i] = (unsigned char)n_kept;
}

/* Columns of clusters that are gone stay, as zeros, until they are a quarter of all. */
static void drop_column(assay_sums *s, size_t slot)
{
    size_t column = s->slot_column[slot], n_columns = 0;

    s->column_slot[column] = ASSAY_NO_SLOT;
    memset(s->mean + column * s->d, 0, s->d * sizeof *s->mean);
    if (s->n_alive + s->n_alive / 3 > s->n_columns) return;
    for (size_t c = 0; c < s->n_columns; c++) {
        uint32_t of = s->column_slot[c];

        if (of == ASSAY_NO_SLOT) continue;
        memmove(s->mean + n_columns * s->d, s->mean + c * s->d, s->d * sizeof *s->mean);
        s->column_slot[n_columns] = of;
        s->slot_column[of] = (uint32_t)n_columns++;
    }
    s->n_columns = n_columns;
}
