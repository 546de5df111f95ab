/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/twins.h"

#include "cluster/distances.h"
#include "core/error.h"
#include "core/memory.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_row(const assay_vectors *vectors, size_t i);
static int are_twins(const assay_vectors *vectors, size_t i, size_t j);
static void find_first(const assay_vectors *vectors, const size_t *order, uint32_t *table,
                       size_t n_table, assay_twins *twins);

assay_status assay_twins_new(const assay_vectors *vectors, const size_t *order, assay_twins *twins)
{
    size_t n = vectors->n, n_table = 16;
    uint32_t *table;

    while (n_table < 2 * n) n_table *= 2;
    *twins = (assay_twins){ .n = n };
    twins->first = assay_alloc(n, sizeof *twins->first);
    table = assay_alloc(n_table, sizeof *table);
    if (!twins->first || !table) {
        free(table);
        return assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", n);
    }
    find_first(vectors, order, table, n_table, twins);
    free(table);
    return ASSAY_OK;
}

/* By a hash table with open addresses, whose size is a power of 2. */
static void find_first(const assay_vectors *vectors, const size_t *order, uint32_t *table,
                       size_t n_table, assay_twins *twins)
{
    memset(table, 0xff, n_table * sizeof *table);
    for (size_t slot = 0; slot < twins->n; slot++) {
        size_t at = (size_t)hash_row(vectors, order[slot]) & (n_table - 1);

        for (; table[at] != UINT32_MAX; at = (at + 1) & (n_table - 1))
            if (are_twins(vectors, order[slot], order[table[at]])) break;
        if (table[at] == UINT32_MAX) table[at] = (uint32_t)slot;
        twins->first[slot] = table[at];
        twins->n_twins += table[at] != slot;
    }
}

/* FNV-1a by words (Fowler, Noll and Vo), its high bits brought down, of numbers rounded so far that
   most twins agree. */
static uint64_t hash_row(const assay_vectors *vectors, size_t i)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t k = 0; k < vectors->d; k++) {
        int64_t rounded = (int64_t)floor(vectors->dense[i * vectors->d + k] * 512.0 + 0.5);

        hash = (hash ^ (uint64_t)rounded) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    return hash ^ hash >> 17;
}

/* So near that any two twins of a third are at distance 0 too: twice as far is four times the cosine
   distance. */
static int are_twins(const assay_vectors *vectors, size_t i, size_t j)
{
    if (assay_vectors_is_zero(vectors, i)) return assay_vectors_is_zero(vectors, j);
    return 1.0 - assay_vectors_dot(vectors, i, j) < ASSAY_SAME_DISTANCE / 10.0;
}

void assay_twins_free(assay_twins *twins)
{
    free(twins->first);
    *twins = (assay_twins){ 0 };
}

size_t assay_twins_merge(const assay_twins *twins, assay_slot_merge *merges)
{
    size_t t = 0;

    for (size_t slot = 0; slot < twins->n; slot++)
        if (twins->first[slot] != slot)
            merges[t++] = (assay_slot_merge){ twins->first[slot], slot, 0.0 };
    return t;
}

assay_status assay_twins_settle(size_t n, assay_slot_merge *merges)
{
    size_t n_zero = 0, t, *first = assay_alloc(n, sizeof *first);
    size_t *next = assay_alloc(n, sizeof *next), *last = assay_alloc(n, sizeof *last);

    if (!first || !next || !last) {
        free(first);
        free(next);
        free(last);
        return assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", n);
    }
    while (n_zero + 1 < n && merges[n_zero].distance <= ASSAY_SAME_DISTANCE) n_zero++;
    for (size_t i = 0; i < n; i++) first[i] = i;
    /* Merges backwards: what a slot was merged into has by then its own group's first slot. */
    for (t = n_zero; t-- > 0;) first[merges[t].second] = first[merges[t].first];
    for (size_t i = 0; i < n; i++) {
        next[i] = i;
        last[i] = i;
    }
    for (size_t i = 0; i < n; i++) {
        if (first[i] == i) continue;
        next[last[first[i]]] = i;
        last[first[i]] = i;
    }
    t = 0;
    for (size_t i = 0; i < n; i++) {
        if (first[i] != i) continue;
        for (size_t at = i; next[at] != at;) {
            at = next[at];
            merges[t++] = (assay_slot_merge){ i, at, 0.0 };
        }
    }
    free(first);
    free(next);
    free(last);
    return ASSAY_OK;
}
