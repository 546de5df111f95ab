/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/near_pairs.h"

#include "cluster/distances.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "report/leaf_order.h"
#include "text/vectors.h"

#include <stdlib.h>
#include <string.h>

/* All pairs of so many prompts; of more, as many pairs in all. */
enum { MOST_PROMPTS = 5000, MOST_COMPARED = MOST_PROMPTS / 2 * MOST_PROMPTS };

/* The pairs so far; every so often only the nearest are kept. */
struct heap {
    assay_near_pair *pair;
    size_t n, room, most, n_found;
};

static assay_status among_all(const assay_vectors *vectors, double least, int threads,
                              assay_progress progress, struct heap *heap);
static assay_status among_neighbours(const assay_vectors *vectors, const assay_dendrogram *tree,
                                     double least, int threads, assay_progress progress,
                                     struct heap *heap);
static void keep_nearest(struct heap *heap);

assay_status assay_near_pairs_find(const assay_vectors *vectors, const assay_dendrogram *tree,
                                   double least, size_t most, int threads, assay_progress progress,
                                   assay_near_pair *out, size_t *n, size_t *n_found)
{
    struct heap heap = { .room = 2 * most + 1, .most = most };
    assay_status status;

    *n = *n_found = 0;
    heap.pair = assay_alloc(heap.room, sizeof *heap.pair);
    if (!heap.pair) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu pairs", most);
    if (vectors->n <= MOST_PROMPTS)
        status = among_all(vectors, least, threads, progress, &heap);
    else
        status = among_neighbours(vectors, tree, least, threads, progress, &heap);
    if (status == ASSAY_OK) {
        keep_nearest(&heap);
        memcpy(out, heap.pair, heap.n * sizeof *out);
        *n = heap.n;
        *n_found = heap.n_found;
    }
    free(heap.pair);
    return status;
}

static int nearest_first(const void *left, const void *right)
{
    const assay_near_pair *a = left, *b = right;

    if (a->similarity != b->similarity) return a->similarity > b->similarity ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

static void keep_nearest(struct heap *heap)
{
    qsort(heap->pair, heap->n, sizeof *heap->pair, nearest_first);
    if (heap->n > heap->most) heap->n = heap->most;
}

static void add(struct heap *heap, size_t i, size_t j, double distance)
{
    heap->n_found++;
    if (heap->n == heap->room) keep_nearest(heap);
    heap->pair[heap->n++] = (assay_near_pair){ i < j ? i : j, i < j ? j : i, 1.0 - distance };
}

static assay_status among_all(const assay_vectors *vectors, double least, int threads,
                              assay_progress progress, struct heap *heap)
{
    double *distance, most = 1.0 - least + ASSAY_SAME_DISTANCE;
    assay_status status = assay_distances_new(vectors, assay_threads(threads), progress, &distance);

    if (status != ASSAY_OK) return status;
    for (size_t i = 0; i < vectors->n; i++) {
        const double *row = distance + assay_distances_row(vectors->n, i);

        for (size_t j = i + 1; j < vectors->n; j++)
            if (row[j] <= most) add(heap, i, j, row[j]);
    }
    free(distance);
    return ASSAY_OK;
}

/* ---- of many prompts ---- */

/* A leaf against those that follow it. */
struct neighbours {
    const assay_vectors *vectors;
    const assay_leaf_order *order;
    size_t window;
    float *distance; /* n x window */
};

static double distance_of(const assay_vectors *vectors, size_t i, size_t j)
{
    int zeros = assay_vectors_is_zero(vectors, i) + assay_vectors_is_zero(vectors, j);

    if (zeros) return zeros == 2 ? 0.0 : 1.0;
    return assay_distance_from_similarity(assay_vectors_dot(vectors, i, j));
}

static assay_status compare_leaf(void *user, size_t place, int thread)
{
    const struct neighbours *of = user;

    (void)thread;
    for (size_t w = 0; w < of->window && place + 1 + w < of->order->n; w++)
        of->distance[place * of->window + w] =
            (float)distance_of(of->vectors, of->order->leaf[place], of->order->leaf[place + 1 + w]);
    return ASSAY_OK;
}

static assay_status among_neighbours(const assay_vectors *vectors, const assay_dendrogram *tree,
                                     double least, int threads, assay_progress progress,
                                     struct heap *heap)
{
    size_t n = vectors->n;
    double most = 1.0 - least + ASSAY_SAME_DISTANCE;
    assay_leaf_order order;
    struct neighbours of = { vectors, &order, MOST_COMPARED / n, NULL };
    assay_status status = assay_leaf_order_new(tree, &order);

    if (of.window == 0) of.window = 1;
    of.distance = assay_alloc(n * of.window, sizeof *of.distance);
    if (status == ASSAY_OK && !of.distance)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the likeness of %zu prompts", n);
    if (status == ASSAY_OK)
        status =
            assay_do_pieces(n, assay_threads(threads), "near pairs", progress, compare_leaf, &of);
    for (size_t k = 0; k < n && status == ASSAY_OK; k++)
        for (size_t w = 0; w < of.window && k + 1 + w < n; w++)
            if (of.distance[k * of.window + w] <= most + 1e-6) { /* above the rounding of a float */
                double distance = distance_of(vectors, order.leaf[k], order.leaf[k + 1 + w]);

                if (distance <= most) add(heap, order.leaf[k], order.leaf[k + 1 + w], distance);
            }
    assay_leaf_order_free(&order);
    free(of.distance);
    return status;
}
