/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/radii.h"

#include "cluster/distances.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

struct work {
    size_t n, min_samples;
    double *distance;
    double *core;        /* the distance from which on a vector is a core one */
    double *reach;       /* by vector outside the spanning tree: the shortest way to it */
    double *nearest;     /* the distances to the min_samples - 1 nearest others, ascending */
    unsigned char *done; /* in the spanning tree */
    double *event;       /* 2 n of them: 0, the core distances, the edges */
    size_t n_events;
};

static int allocate(struct work *work);
static void find_core_distances(struct work *work);
static void span(struct work *work);
static size_t choose(struct work *work, size_t n_most, double *radius);

assay_status assay_dbscan_radii(const assay_vectors *vectors, size_t min_samples, int threads,
                                size_t n_most, double *radius, size_t *n_radii)
{
    struct work work = { .n = vectors->n, .min_samples = min_samples };
    assay_status status =
        assay_distances_new(vectors, threads, (assay_progress){ 0 }, &work.distance);

    if (status != ASSAY_OK) goto done;
    if (allocate(&work) != 0) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for DBSCAN of %zu vectors", work.n);
        goto done;
    }
    work.event[work.n_events++] = 0.0;
    if (min_samples <= work.n) {
        find_core_distances(&work);
        span(&work);
    }
    *n_radii = choose(&work, n_most, radius);
done:
    free(work.distance);
    free(work.core);
    free(work.reach);
    free(work.nearest);
    free(work.done);
    free(work.event);
    return status;
}

static int allocate(struct work *work)
{
    const size_t n = work->n;

    work->core = assay_alloc(n, sizeof *work->core);
    work->reach = assay_alloc(n, sizeof *work->reach);
    work->nearest =
        assay_alloc(work->min_samples < n ? work->min_samples : n, sizeof *work->nearest);
    work->done = assay_alloc_zero(n, 1);
    work->event = assay_alloc(2 * n, sizeof *work->event);
    return work->core && work->reach && work->nearest && work->done && work->event ? 0 : -1;
}

static double distance_of(const struct work *work, size_t i, size_t j)
{
    return i < j ? work->distance[assay_distances_row(work->n, i) + j]
                 : work->distance[assay_distances_row(work->n, j) + i];
}

static void find_core_distances(struct work *work)
{
    const size_t n_others = work->min_samples - 1;
    double *nearest = work->nearest;

    for (size_t i = 0; i < work->n; i++) {
        size_t n_found = 0;

        for (size_t j = 0; j < work->n; j++) {
            const double distance = j == i ? INFINITY : distance_of(work, i, j);
            size_t at = n_found < n_others ? n_found : n_others;

            if (j == i || n_others == 0) continue;
            if (n_found < n_others)
                n_found++;
            else if (distance >= nearest[--at])
                continue;
            for (; at > 0 && nearest[at - 1] > distance; at--) nearest[at] = nearest[at - 1];
            nearest[at] = distance;
        }
        work->core[i] = n_others > 0 ? nearest[n_others - 1] : 0.0;
        work->event[work->n_events++] = work->core[i];
    }
}

/* Prim's algorithm. */
static void span(struct work *work)
{
    size_t at = 0;

    for (size_t i = 0; i < work->n; i++) work->reach[i] = INFINITY;
    for (size_t k = 1; k < work->n; k++) {
        size_t next = work->n;

        work->done[at] = 1;
        for (size_t j = 0; j < work->n; j++) {
            double length;

            if (work->done[j]) continue;
            length = fmax(distance_of(work, at, j), fmax(work->core[at], work->core[j]));
            if (length < work->reach[j]) work->reach[j] = length;
            if (next == work->n || work->reach[j] < work->reach[next]) next = j;
        }
        work->event[work->n_events++] = work->reach[next];
        at = next;
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static size_t choose(struct work *work, size_t n_most, double *radius)
{
    double *event = work->event;
    size_t n = 0;

    qsort(event, work->n_events, sizeof *event, ascending);
    for (size_t k = 0; k < work->n_events; k++)
        if (n == 0 || event[k] > event[n - 1] + ASSAY_SAME_DISTANCE) event[n++] = event[k];
    if (n <= n_most) n_most = n;
    for (size_t k = 0; k < n_most; k++)
        radius[k] = event[n_most == n ? k : k * (n - 1) / (n_most - 1)];
    return n_most;
}
