/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/kmeans.h"

#include "cluster/distances.h"
#include "cluster/labels.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 100 };

/* One restart at a time works in this. Centres lie side by side, so that a vector meets all of them
   with each of its numbers: centre[k * n_clusters + c] is number k of centre c. */
struct work {
    const assay_vectors *vectors;
    size_t n_clusters;
    int threads, worth; /* whether there is enough to do for more than one thread */
    double *centre;     /* (d + 1) x n_clusters; the last row is where zero vectors point */
    double *similarity; /* n_clusters for each thread */
    double *own;        /* by vector: its cosine with its centre; or its weight in the drawing */
    size_t *label, *best, *size;
};

static assay_status check(const assay_vectors *vectors, size_t n_clusters,
                          const assay_kmeans_options *options);
static assay_status work_new(struct work *work);
static void work_free(struct work *work);
static void draw_centres(struct work *work, assay_random *random);
static double climb(struct work *work);
static size_t assign(struct work *work);
static void fill_empty(struct work *work);
static void set_centres(struct work *work);
static double sum_of_cosines(const struct work *work);

assay_status assay_kmeans(const assay_vectors *vectors, size_t n_clusters,
                          const assay_kmeans_options *options, size_t *labels, double *objective)
{
    struct work work = { .vectors = vectors,
                         .n_clusters = n_clusters,
                         .threads = options->threads };
    const assay_progress *progress = &options->progress;
    double best = -INFINITY;
    assay_status status;

    if ((status = check(vectors, n_clusters, options)) != ASSAY_OK) return status;
    if ((status = work_new(&work)) != ASSAY_OK) goto done;
    for (size_t r = 0; r < options->restarts; r++) {
        assay_random random;
        double reached;

        if (progress->step &&
            progress->step(progress->user, "k-means", (double)r / (double)options->restarts) != 0) {
            status = assay_fail(ASSAY_E_CANCELLED, "cancelled in k-means");
            goto done;
        }
        assay_random_start(&random, options->seed, ASSAY_PURPOSE_K_MEANS,
                           ((uint64_t)n_clusters << 32) + r);
        draw_centres(&work, &random);
        reached = climb(&work);
        if (reached <= best) continue;
        best = reached;
        memcpy(work.best, work.label, vectors->n * sizeof *work.best);
    }
    memcpy(labels, work.best, vectors->n * sizeof *labels);
    assay_labels_renumber(labels, vectors->n, work.size, n_clusters);
    if (objective) *objective = best;
done:
    work_free(&work);
    return status;
}

static assay_status check(const assay_vectors *vectors, size_t n_clusters,
                          const assay_kmeans_options *options)
{
    if (assay_vectors_by_turn(vectors))
        return assay_fail(ASSAY_E_VALUE, "k-means: the largest of the turns' distances has no "
                                         "centres, expected another way to join turns");
    if (n_clusters < 1 || n_clusters > vectors->n)
        return assay_fail(ASSAY_E_VALUE, "k-means: %zu clusters were asked for, expected 1 to %zu",
                          n_clusters, vectors->n);
    if (options->restarts < 1)
        return assay_fail(ASSAY_E_VALUE, "k-means: 0 restarts were asked for, expected 1 or more");
    if (options->threads < 1)
        return assay_fail(ASSAY_E_VALUE, "k-means: threads is %d, expected 1 or more",
                          options->threads);
    return ASSAY_OK;
}

static assay_status work_new(struct work *work)
{
    const double enough = 1e6; /* multiplications, against some microseconds to meet */
    size_t n = work->vectors->n, width = work->vectors->d + 1, k = work->n_clusters;

    work->worth = (double)n * (double)width * (double)k > enough;
    work->centre = width <= SIZE_MAX / k ? assay_alloc_aligned(width * k, sizeof(double)) : NULL;
    work->similarity = assay_alloc_aligned((size_t)work->threads * k, sizeof(double));
    work->own = assay_alloc(n, sizeof(double));
    work->label = assay_alloc_zero(n, sizeof *work->label);
    work->best = assay_alloc_zero(n, sizeof *work->best);
    work->size = assay_alloc(k, sizeof *work->size);
    if (!work->centre || !work->similarity || !work->own || !work->label || !work->best ||
        !work->size)
        return assay_fail(ASSAY_E_NOMEM, "no memory for k-means with %zu clusters", k);
    return ASSAY_OK;
}

static void work_free(struct work *work)
{
    free(work->centre);
    free(work->similarity);
    free(work->own);
    free(work->label);
    free(work->best);
    free(work->size);
}

/* The entries of a vector: number e of n_entries is value[e], at this column. */
struct entries {
    size_t n;
    const double *value;
    const uint32_t *column; /* NULL: e itself */
    uint32_t last;
    double one;
};

static struct entries entries_of(const assay_vectors *x, size_t i, struct entries *zero)
{
    if (assay_vectors_is_zero(x, i)) {
        *zero = (struct entries){ .n = 1, .last = (uint32_t)x->d, .one = 1.0 };
        zero->value = &zero->one;
        zero->column = &zero->last;
        return *zero;
    }
    if (x->dense) return (struct entries){ .n = x->d, .value = x->dense + i * x->d };
    return (struct entries){ .n = x->start[i + 1] - x->start[i],
                             .value = x->value + x->start[i],
                             .column = x->column + x->start[i] };
}

static size_t column_of(const struct entries *entries, size_t e)
{
    return entries->column ? entries->column[e] : e;
}

/* The cosines of vector i with centres first .. last - 1. */
static void cosines(const struct work *work, size_t i, size_t first, size_t last, double *out)
{
    struct entries zero, row = entries_of(work->vectors, i, &zero);

    for (size_t c = first; c < last; c++) out[c] = 0.0;
    for (size_t e = 0; e < row.n; e++) {
        const double *centre = work->centre + column_of(&row, e) * work->n_clusters;

        for (size_t c = first; c < last; c++) out[c] += row.value[e] * centre[c];
    }
}

static void add_to_centre(struct work *work, size_t i, size_t c)
{
    struct entries zero, row = entries_of(work->vectors, i, &zero);

    for (size_t e = 0; e < row.n; e++)
        work->centre[column_of(&row, e) * work->n_clusters + c] += row.value[e];
}

static void clear_centres(struct work *work)
{
    memset(work->centre, 0, (work->vectors->d + 1) * work->n_clusters * sizeof *work->centre);
}

/* A vector in proportion to its weight; the first of the heaviest where rounding leaves the sum out of
   reach, or where all weights are 0. */
static size_t draw(const double *weight, size_t n, assay_random *random)
{
    double sum = 0.0, at, so_far = 0.0;
    size_t heaviest = 0;

    for (size_t i = 0; i < n; i++) {
        sum += weight[i];
        if (weight[i] > weight[heaviest]) heaviest = i;
    }
    at = assay_random_uniform(random) * sum;
    for (size_t i = 0; i < n; i++) {
        so_far += weight[i];
        if (so_far > at) return i;
    }
    return heaviest;
}

/* Each next centre is a vector drawn in proportion to the square of its distance from the nearest
   centre so far, which for unit vectors is twice the cosine distance. */
static void draw_centres(struct work *work, assay_random *random)
{
    size_t n = work->vectors->n;

    clear_centres(work);
    for (size_t c = 0; c < work->n_clusters; c++) {
        size_t drawn = c == 0 ? (size_t)assay_random_below(random, n) : draw(work->own, n, random);

        add_to_centre(work, drawn, c);
#pragma omp parallel for num_threads(work->threads) schedule(static) if (work->worth)
        for (size_t i = 0; i < n; i++) {
            double *out = work->similarity + (size_t)omp_get_thread_num() * work->n_clusters, d;

            cosines(work, i, c, c + 1, out);
            d = assay_distance_from_similarity(out[c]);
            if (c == 0 || d < work->own[i]) work->own[i] = d;
        }
    }
}

static double climb(struct work *work)
{
    for (size_t i = 0; i < work->vectors->n; i++) work->label[i] = SIZE_MAX;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        size_t n_moved = assign(work);

        fill_empty(work);
        set_centres(work);
        if (n_moved == 0) break;
    }
    return sum_of_cosines(work);
}

/* Every vector to the centre nearest to it, the first of equals. Returns how many moved. */
static size_t assign(struct work *work)
{
    size_t n_moved = 0, k = work->n_clusters;

#pragma omp parallel for num_threads(work->threads) schedule(static) if (work->worth) reduction(+ : n_moved)
    for (size_t i = 0; i < work->vectors->n; i++) {
        double *cosine = work->similarity + (size_t)omp_get_thread_num() * k;
        size_t nearest = 0;

        cosines(work, i, 0, k, cosine);
        for (size_t c = 1; c < k; c++)
            if (cosine[c] > cosine[nearest]) nearest = c;
        n_moved += work->label[i] != nearest;
        work->label[i] = nearest;
        work->own[i] = cosine[nearest];
    }
    return n_moved;
}

/* An empty cluster gets the vector that is farthest from its centre, out of a cluster that has more. */
static void fill_empty(struct work *work)
{
    size_t n = work->vectors->n;

    memset(work->size, 0, work->n_clusters * sizeof *work->size);
    for (size_t i = 0; i < n; i++) work->size[work->label[i]]++;
    for (size_t c = 0; c < work->n_clusters; c++) {
        size_t farthest = n;

        if (work->size[c] > 0) continue;
        for (size_t i = 0; i < n; i++)
            if (work->size[work->label[i]] > 1 &&
                (farthest == n || work->own[i] < work->own[farthest]))
                farthest = i;
        work->size[work->label[farthest]]--;
        work->size[c] = 1;
        work->label[farthest] = c;
        work->own[farthest] = 1.0;
    }
}

static void set_centres(struct work *work)
{
    size_t k = work->n_clusters;
    double *square = work->similarity; /* the first thread's */

    clear_centres(work);
    for (size_t i = 0; i < work->vectors->n; i++) add_to_centre(work, i, work->label[i]);
    for (size_t c = 0; c < k; c++) square[c] = 0.0;
    for (size_t row = 0; row <= work->vectors->d; row++)
        for (size_t c = 0; c < k; c++)
            square[c] += work->centre[row * k + c] * work->centre[row * k + c];
    for (size_t row = 0; row <= work->vectors->d; row++)
        for (size_t c = 0; c < k; c++)
            if (square[c] > 0.0) work->centre[row * k + c] /= sqrt(square[c]);
}

/* With the centres of the labels as they are now, summed in the order of the vectors. */
static double sum_of_cosines(const struct work *work)
{
    double sum = 0.0;

    for (size_t i = 0; i < work->vectors->n; i++) {
        size_t c = work->label[i];

        cosines(work, i, c, c + 1, work->similarity);
        sum += work->similarity[c];
    }
    return sum;
}
