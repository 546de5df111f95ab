/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/agglomerate.h"

#include "cluster/distances.h"
#include "cluster/least.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The nearest later cluster of each, kept between merges (Anderberg 1973; Muellner 2011 calls the
 * lazy form generic). A merge never brings a third cluster nearer than it was to one of the two, so
 * that an outdated bound is still a lower bound, and is looked at only when it comes first.
 */
struct clusters {
    size_t n;
    double *distance;
    assay_linkage linkage;
    size_t *active, n_active; /* slots that are clusters, ascending */
    double *size;             /* leaves, by slot */
    double *bound;            /* by slot: the least distance to a later one, or below it; INFINITY
                                 where there is none */
    size_t *nearest;          /* by slot: the first at that distance, while known is set */
    unsigned char *known;
};

static assay_status clusters_new(double *distance, size_t n, assay_linkage linkage,
                                 struct clusters *c);
static void clusters_free(struct clusters *c);
static void find_nearest(struct clusters *c, size_t i);
static size_t first_of_nearest_pair(struct clusters *c);
static void unite(struct clusters *c, size_t i, size_t j);

assay_status assay_agglomerate(double *distance, size_t n, assay_linkage linkage,
                               assay_progress progress, assay_slot_merge *merges)
{
    enum { REPORTS = 256 };
    struct clusters c = { 0 };
    assay_status status = clusters_new(distance, n, linkage, &c);

    if (status != ASSAY_OK) goto done;
    for (size_t t = 0; t + 1 < n; t++) {
        if (t % REPORTS == 0 && progress.step &&
            progress.step(progress.user, "linkage", (double)t / (double)n) != 0) {
            status = assay_fail(ASSAY_E_CANCELLED, "cancelled in linkage");
            goto done;
        }
        size_t i = first_of_nearest_pair(&c), j = c.nearest[i];

        merges[t] = (assay_slot_merge){ i, j, distance[assay_distances_row(n, i) + j] };
        unite(&c, i, j);
    }
done:
    clusters_free(&c);
    return status;
}

static assay_status clusters_new(double *distance, size_t n, assay_linkage linkage,
                                 struct clusters *c)
{
    *c = (struct clusters){ .n = n, .distance = distance, .linkage = linkage, .n_active = n };
    c->active = assay_alloc(n, sizeof *c->active);
    c->size = assay_alloc(n, sizeof *c->size);
    c->bound = assay_alloc(n, sizeof *c->bound);
    c->nearest = assay_alloc(n, sizeof *c->nearest);
    c->known = assay_alloc(n, sizeof *c->known);
    if (!c->active || !c->size || !c->bound || !c->nearest || !c->known)
        return assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", n);
    for (size_t i = 0; i < n; i++) {
        c->active[i] = i;
        c->size[i] = 1.0;
    }
    for (size_t i = 0; i < n; i++) find_nearest(c, i);
    return ASSAY_OK;
}

static void clusters_free(struct clusters *c)
{
    free(c->active);
    free(c->size);
    free(c->bound);
    free(c->nearest);
    free(c->known);
}

/* Where in active the clusters after slot i begin. */
static size_t place_after(const struct clusters *c, size_t i)
{
    size_t low = 0, high = c->n_active;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (c->active[middle] <= i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_nearest(struct clusters *c, size_t i)
{
    const double *row = c->distance + assay_distances_row(c->n, i);
    size_t from = place_after(c, i), p = from;
    double least = INFINITY;

    for (size_t q = from; q < c->n_active; q++) {
        double d = row[c->active[q]];

        least = d < least ? d : least;
    }
    c->bound[i] = least;
    c->known[i] = 1;
    if (from == c->n_active) return;
    while (row[c->active[p]] > least + ASSAY_SAME_DISTANCE) p++;
    c->nearest[i] = c->active[p];
}

static size_t first_of_nearest_pair(struct clusters *c)
{
    for (;;) {
        double least = assay_least(c->bound, c->n);
        size_t i = assay_first_within(c->bound, least + ASSAY_SAME_DISTANCE);

        if (c->known[i]) return i;
        find_nearest(c, i);
    }
}

/* Distances of the merged cluster to another one, from those of its parts (Lance and Williams 1967). */
static inline double combined(const struct clusters *c, size_t i, size_t j, double to_i,
                              double to_j)
{
    switch (c->linkage) {
    case ASSAY_LINKAGE_COMPLETE: return to_i > to_j ? to_i : to_j;
    case ASSAY_LINKAGE_SINGLE: return to_i < to_j ? to_i : to_j;
    case ASSAY_LINKAGE_AVERAGE: break;
    }
    return (c->size[i] * to_i + c->size[j] * to_j) / (c->size[i] + c->size[j]);
}

/* Earlier cluster k is now at distance d from i, which has taken in j. */
static void renew_earlier(struct clusters *c, size_t k, size_t i, size_t j, double d)
{
    size_t was = c->nearest[k];

    if (!c->known[k]) return;
    if (d <= c->bound[k] + ASSAY_SAME_DISTANCE) { /* as near as before, so that only order counts */
        if (i < was) c->nearest[k] = i;
        if (d < c->bound[k]) c->bound[k] = d;
    } else if (was == i || was == j) {
        c->known[k] = 0;
    }
}

/* Each row that a column is read in is a page of its own: they are asked for ahead of time. Rows
   beyond slot i have nothing to give. */
static inline void prefetch_column(const struct clusters *c, size_t p, size_t i)
{
    enum { AHEAD = 12 };

    if (p + AHEAD < c->n_active)
        __builtin_prefetch(c->distance + assay_distances_row(c->n, c->active[p + AHEAD]) + i, 1);
}

static void unite(struct clusters *c, size_t i, size_t j)
{
    size_t n = c->n, p = 0, from_i = assay_distances_row(n, i), from_j = assay_distances_row(n, j);
    double *distance = c->distance, least = INFINITY;

    for (; c->active[p] < i; p++) {
        size_t k = c->active[p], from_k = assay_distances_row(n, k);

        prefetch_column(c, p, i);
        prefetch_column(c, p, j);
        double d = combined(c, i, j, distance[from_k + i], distance[from_k + j]);

        distance[from_k + i] = d;
        renew_earlier(c, k, i, j, d);
    }
    for (p++; c->active[p] < j; p++) {
        size_t k = c->active[p];
        double d = combined(c, i, j, distance[from_i + k], distance[assay_distances_row(n, k) + j]);

        prefetch_column(c, p, j);
        distance[from_i + k] = d;
        least = d < least ? d : least;
        if (c->nearest[k] == j) c->known[k] = 0;
    }
    memmove(c->active + p, c->active + p + 1, (--c->n_active - p) * sizeof *c->active);
    for (; p < c->n_active; p++) {
        size_t k = c->active[p];
        double d = combined(c, i, j, distance[from_i + k], distance[from_j + k]);

        distance[from_i + k] = d;
        least = d < least ? d : least;
    }
    c->size[i] += c->size[j];
    c->bound[i] = least;
    c->known[i] = 0;
    c->bound[j] = INFINITY;
}
