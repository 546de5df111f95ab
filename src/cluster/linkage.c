/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/linkage.h"

#include "cluster/agglomerate.h"
#include "cluster/dendrogram.h"
#include "cluster/distances.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/random.h"
#include "core/threads.h"
#include "stats/linalg.h"

#include <stdlib.h>
#include <string.h>

/* From here on the sums of clusters are the faster way to average linkage of dense vectors; below, the
   distances of all pairs serve every tie order. */
static const size_t many_vectors = 2000;

struct work {
    const assay_vectors *vectors;
    assay_dendrogram_options options;
    int threads;
    double *distance, *permuted;
    size_t *order;
    assay_slot_merge *merges;
};

static assay_status resolve_options(const assay_dendrogram_options *given,
                                    assay_dendrogram_options *options);
static assay_status start(const assay_vectors *vectors, size_t n_orders, struct work *work);
static void finish(struct work *work);
static assay_status fit_one(struct work *work, uint64_t k, int is_last, assay_dendrogram **out);

assay_status assay_dendrogram_fit(const assay_vectors *vectors,
                                  const assay_dendrogram_options *options, assay_dendrogram **out)
{
    return assay_dendrogram_fit_orders(vectors, options, 1, out);
}

assay_status assay_dendrogram_fit_orders(const assay_vectors *vectors,
                                         const assay_dendrogram_options *options, size_t n_orders,
                                         assay_dendrogram **out)
{
    struct work work = { 0 };
    assay_status status;

    for (size_t k = 0; k < n_orders; k++) out[k] = NULL;
    if ((status = resolve_options(options, &work.options)) != ASSAY_OK) return status;
    status = start(vectors, n_orders, &work);
    for (size_t k = 0; k < n_orders && status == ASSAY_OK; k++)
        status = fit_one(&work, work.options.tie_order + k, k + 1 == n_orders, &out[k]);
    finish(&work);
    for (size_t k = 0; k < n_orders && status != ASSAY_OK; k++) {
        assay_dendrogram_free(out[k]);
        out[k] = NULL;
    }
    return status;
}

void assay_dendrogram_options_init(assay_dendrogram_options *options, size_t struct_size)
{
    const assay_dendrogram_options defaults = {
        .struct_size = struct_size,
        .linkage = ASSAY_LINKAGE_AVERAGE,
        .tie_seed = 1,
    };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_dendrogram_options *given,
                                    assay_dendrogram_options *options)
{
    assay_status status;

    assay_dendrogram_options_init(options, sizeof *options);
    status = assay_options_take("dendrogram", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->linkage != ASSAY_LINKAGE_AVERAGE && options->linkage != ASSAY_LINKAGE_COMPLETE &&
        options->linkage != ASSAY_LINKAGE_SINGLE)
        return assay_fail(ASSAY_E_VALUE, "dendrogram: linkage is %d, expected 0 to 2",
                          (int)options->linkage);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "dendrogram: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

static int by_sums(const struct work *work)
{
    return work->vectors->n >= many_vectors && work->vectors->dense &&
           !assay_vectors_by_turn(work->vectors) && work->options.linkage == ASSAY_LINKAGE_AVERAGE;
}

static assay_status start(const assay_vectors *vectors, size_t n_orders, struct work *work)
{
    size_t n = vectors->n;

    work->vectors = vectors;
    work->threads = assay_threads(work->options.threads);
    assay_blas_hold();
    if (n < 1) return assay_fail(ASSAY_E_SHAPE, "a dendrogram needs 1 vector or more, got 0");
    if (n > ASSAY_MOST_PAIRWISE && !by_sums(work))
        return assay_fail(
            ASSAY_E_SHAPE,
            "%s linkage of %zu %s vectors needs the distances of all pairs, %.1f GiB; "
            "the most are %zu vectors, and average linkage of dense vectors has no limit",
            work->options.linkage == ASSAY_LINKAGE_SINGLE     ? "single"
            : work->options.linkage == ASSAY_LINKAGE_COMPLETE ? "complete"
                                                              : "average",
            n,
            assay_vectors_by_turn(vectors) ? "turn-by-turn"
            : vectors->dense               ? "dense"
                                           : "sparse",
            assay_distances_gigabytes(n), (size_t)ASSAY_MOST_PAIRWISE);
    work->merges = assay_alloc(n - 1, sizeof *work->merges);
    work->order = assay_alloc(n, sizeof *work->order);
    if (!work->merges || !work->order)
        return assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", n);
    if (by_sums(work)) return ASSAY_OK;
    if (n_orders > 1 || work->options.tie_order > 0) {
        work->permuted = assay_alloc(assay_distances_count(n), sizeof(double));
        if (!work->permuted)
            return assay_fail(ASSAY_E_NOMEM, "no memory for the distances of %zu vectors", n);
    }
    return assay_distances_new(vectors, work->threads, work->options.progress, &work->distance);
}

static void finish(struct work *work)
{
    assay_blas_release();
    free(work->distance);
    free(work->permuted);
    free(work->order);
    free(work->merges);
}

/* The distances with the vectors in another order. */
static void permute(const double *distance, const size_t *order, size_t n, double *out)
{
    for (size_t i = 0; i + 1 < n; i++) {
        double *row = out + assay_distances_row(n, i);
        size_t a = order[i];

        for (size_t j = i + 1; j < n; j++) {
            size_t b = order[j];

            row[j] = a < b ? distance[assay_distances_row(n, a) + b]
                           : distance[assay_distances_row(n, b) + a];
        }
    }
}

static assay_status fit_one(struct work *work, uint64_t k, int is_last, assay_dendrogram **out)
{
    size_t n = work->vectors->n;
    double *distance = work->distance;
    assay_status status;

    assay_tie_order(work->options.tie_seed, k, n, work->order);
    if (by_sums(work)) {
        status = assay_agglomerate_sums(work->vectors, work->order, work->threads,
                                        work->options.progress, work->merges);
    } else {
        if (k > 0 || !is_last) { /* the distances are used up by what merges them */
            permute(work->distance, work->order, n, work->permuted);
            distance = work->permuted;
        }
        status = assay_agglomerate(distance, n, work->options.linkage, work->options.progress,
                                   work->merges);
    }
    if (status != ASSAY_OK) return status;
    return assay_dendrogram_from_merges(work->merges, work->order, n, out);
}

void assay_tie_order(uint64_t seed, uint64_t k, size_t n, size_t *order)
{
    assay_random random;

    for (size_t i = 0; i < n; i++) order[i] = i;
    if (k == 0) return;
    assay_random_start(&random, seed, ASSAY_PURPOSE_TIE_ORDER, k);
    for (size_t i = n; i > 1; i--) {
        size_t other = (size_t)assay_random_below(&random, i), swapped = order[i - 1];

        order[i - 1] = order[other];
        order[other] = swapped;
    }
}

assay_status assay_dendrogram_from_merges(const assay_slot_merge *merges, const size_t *order,
                                          size_t n, assay_dendrogram **out)
{
    assay_dendrogram *tree = NULL;
    size_t *node = NULL;
    assay_status status = assay_dendrogram_new(n, &tree);

    *out = NULL;
    if (status != ASSAY_OK) return status;
    node = assay_alloc(2 * n, sizeof *node);
    if (!node) {
        assay_dendrogram_free(tree);
        return assay_fail(ASSAY_E_NOMEM, "no memory for a dendrogram of %zu leaves", n);
    }
    for (size_t i = 0; i < n; i++) node[i] = order[i];
    for (size_t t = 0; t + 1 < n; t++) {
        tree->children[2 * t] = node[merges[t].first];
        tree->children[2 * t + 1] = node[merges[t].second];
        tree->height[t] = merges[t].distance;
        node[merges[t].first] = n + t;
    }
    assay_dendrogram_settle(tree, node);
    free(node);
    *out = tree;
    return ASSAY_OK;
}
