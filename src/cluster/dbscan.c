/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/dbscan.h"

#include "cluster/distances.h"
#include "cluster/labels.h"
#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

struct work {
    size_t n, min_samples;
    double *distance;
    size_t *n_within; /* of the radius, itself among them */
    size_t *first;    /* towards the first vector of its cluster (core ones), as in a union-find */
    size_t *number;
};

static assay_status check(const assay_vectors *vectors, const assay_dbscan_options *options);
static void count_within(struct work *work, double radius);
static void join_core(struct work *work, double radius);
static size_t place_others(struct work *work, double radius, size_t *labels);

assay_status assay_dbscan(const assay_vectors *vectors, const assay_dbscan_options *options,
                          size_t *labels, size_t *n_noise)
{
    size_t n = vectors->n;
    struct work work = { .n = n, .min_samples = options->min_samples };
    assay_status status = check(vectors, options);

    if (status != ASSAY_OK) return status;
    status = assay_distances_new(vectors, options->threads, options->progress, &work.distance);
    if (status != ASSAY_OK) goto done;
    work.n_within = assay_alloc(n, sizeof *work.n_within);
    work.first = assay_alloc(n, sizeof *work.first);
    work.number = assay_alloc(n, sizeof *work.number);
    if (!work.n_within || !work.first || !work.number) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for DBSCAN of %zu vectors", n);
        goto done;
    }
    for (size_t k = 0; k < options->n_radii; k++) {
        double radius = options->radius[k] + ASSAY_SAME_DISTANCE;
        size_t n_alone;

        count_within(&work, radius);
        join_core(&work, radius);
        n_alone = place_others(&work, radius, labels + k * n);
        if (n_noise) n_noise[k] = n_alone;
        assay_labels_renumber(labels + k * n, n, work.number, n);
    }
done:
    free(work.distance);
    free(work.n_within);
    free(work.first);
    free(work.number);
    return status;
}

static assay_status check(const assay_vectors *vectors, const assay_dbscan_options *options)
{
    if (vectors->n > ASSAY_MOST_PAIRWISE)
        return assay_fail(
            ASSAY_E_SHAPE,
            "DBSCAN of %zu vectors needs the distances of all pairs, %.1f GiB; the most "
            "are %zu vectors",
            vectors->n, assay_distances_gigabytes(vectors->n), (size_t)ASSAY_MOST_PAIRWISE);
    if (options->min_samples < 1)
        return assay_fail(ASSAY_E_VALUE, "DBSCAN: min_samples is 0, expected 1 or more");
    if (options->threads < 1)
        return assay_fail(ASSAY_E_VALUE, "DBSCAN: threads is %d, expected 1 or more",
                          options->threads);
    for (size_t k = 0; k < options->n_radii; k++)
        if (!(options->radius[k] >= 0.0 && options->radius[k] <= 2.0))
            return assay_fail(ASSAY_E_VALUE, "DBSCAN: a radius is %g, expected 0 to 2",
                              options->radius[k]);
    return ASSAY_OK;
}

static void count_within(struct work *work, double radius)
{
    for (size_t i = 0; i < work->n; i++) work->n_within[i] = 1;
    for (size_t i = 0; i < work->n; i++) {
        const double *row = work->distance + assay_distances_row(work->n, i);

        for (size_t j = i + 1; j < work->n; j++) {
            if (row[j] > radius) continue;
            work->n_within[i]++;
            work->n_within[j]++;
        }
    }
}

static int is_core(const struct work *work, size_t i)
{
    return work->n_within[i] >= work->min_samples;
}

static size_t first_of(struct work *work, size_t i)
{
    while (work->first[i] != i) {
        work->first[i] = work->first[work->first[i]];
        i = work->first[i];
    }
    return i;
}

static void join_core(struct work *work, double radius)
{
    for (size_t i = 0; i < work->n; i++) work->first[i] = i;
    for (size_t i = 0; i < work->n; i++) {
        const double *row = work->distance + assay_distances_row(work->n, i);

        if (!is_core(work, i)) continue;
        for (size_t j = i + 1; j < work->n; j++) {
            size_t a, b;

            if (row[j] > radius || !is_core(work, j)) continue;
            a = first_of(work, i);
            b = first_of(work, j);
            if (a < b)
                work->first[b] = a;
            else
                work->first[a] = b;
        }
    }
}

static double distance_of(const struct work *work, size_t i, size_t j)
{
    return i < j ? work->distance[assay_distances_row(work->n, i) + j]
                 : work->distance[assay_distances_row(work->n, j) + i];
}

/* Labels are the first core vector of a cluster, or the vector itself where it is noise. Returns how
   many are noise. */
static size_t place_others(struct work *work, double radius, size_t *labels)
{
    size_t n = work->n, n_noise = 0;

    for (size_t i = 0; i < n; i++) {
        size_t earliest = n;

        if (is_core(work, i)) {
            labels[i] = first_of(work, i);
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            if (j == i || !is_core(work, j) || distance_of(work, i, j) > radius) continue;
            if (first_of(work, j) < earliest) earliest = first_of(work, j);
        }
        n_noise += earliest == n;
        labels[i] = earliest == n ? i : earliest;
    }
    return n_noise;
}
