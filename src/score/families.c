/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/families.h"

#include "cluster/dbscan.h"
#include "cluster/kmeans.h"
#include "cluster/radii.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "score/family.h"
#include "score/validation.h"
#include "text/vectors_take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESTARTS = 10, MOST_RADII = 256 };
static const double most_work = 5e8;

/* One model's own prompts and what is asked of them. */
typedef struct family {
    size_t n;
    double *x, *m;
    const assay_vectors *vectors; /* theirs */
    assay_vectors *taken;         /* owned: vectors where prompts were left out, else NULL */
    double beta[2];
    double *log_prior; /* of S = 1 .. n */
} family;

static assay_status family_start(family *of, const assay_vectors *vectors, const double *x,
                                 const double *m, const double beta[2], const assay_prior *prior);
static void family_end(family *of);
static assay_status take_outcomes(family *of, size_t n, const double *x, const double *m,
                                  size_t *kept);
static assay_status check_work(const assay_vectors *vectors, size_t s_max);
static assay_status mix_kmeans(const family *of, size_t s_max, uint64_t seed, int threads,
                               assay_sensitivity *row);
static assay_status make_dbscan(const family *of, size_t min_samples, double *radius,
                                size_t **labels, size_t *n_radii);
static assay_status mix_different(const family *of, const size_t *labels, size_t n_labellings,
                                  assay_sensitivity *row);

/* ---- k-means ---- */

assay_status assay_sensitivity_to_kmeans(const assay_vectors *vectors, const double *x,
                                         const double *m, const double beta[2],
                                         const assay_prior *prior, size_t s_max, uint64_t seed,
                                         int threads, assay_sensitivity *row)
{
    family of = { 0 };
    assay_status status = ASSAY_OK;

    if (threads < 0)
        status = assay_fail(ASSAY_E_VALUE, "k-means: threads is %d, expected 0 or more", threads);
    if (status == ASSAY_OK) status = family_start(&of, vectors, x, m, beta, prior);
    if (s_max == 0 || s_max > of.n) s_max = of.n;
    if (status == ASSAY_OK) status = check_work(of.vectors, s_max);
    if (status == ASSAY_OK) status = mix_kmeans(&of, s_max, seed, assay_threads(threads), row);
    family_end(&of);
    return status;
}

static assay_status check_work(const assay_vectors *vectors, size_t s_max)
{
    const size_t n_entries = vectors->dense ? vectors->n * vectors->d : vectors->start[vectors->n];
    const double each = (double)n_entries + (double)vectors->d, S = (double)s_max;

    if (each * S * (S + 1.0) / 2.0 <= most_work) return ASSAY_OK;
    return assay_fail(
        ASSAY_E_SHAPE,
        "k-means into 1 to %zu clusters of %zu prompts with %zu dimensions would take "
        "too long, expected at most %.0f clusters",
        s_max, vectors->n, vectors->d, fmax(1.0, floor(sqrt(2.0 * most_work / each + 0.25) - 0.5)));
}

static assay_status mix_kmeans(const family *of, size_t s_max, uint64_t seed, int threads,
                               assay_sensitivity *row)
{
    const assay_kmeans_options options = { .seed = seed, .restarts = RESTARTS, .threads = threads };
    assay_partition *partitions = assay_alloc(s_max, sizeof *partitions);
    size_t *labels = assay_alloc(of->n, sizeof *labels);
    assay_status status = ASSAY_OK;

    if (!partitions || !labels)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu partitions", s_max);
    for (size_t s = 1; status == ASSAY_OK && s <= s_max; s++) {
        status = assay_kmeans(of->vectors, s, &options, labels, NULL);
        if (status == ASSAY_OK)
            status = assay_partition_measure(labels, of->n, (assay_outcomes){ of->x, of->m, NULL },
                                             of->beta, &partitions[s - 1]);
    }
    if (status == ASSAY_OK) status = assay_family_mix(partitions, s_max, of->log_prior, of->n, row);
    free(partitions);
    free(labels);
    return status;
}

/* ---- DBSCAN ---- */

assay_status assay_sensitivity_to_dbscan(const assay_vectors *vectors, const double *x,
                                         const double *m, const double beta[2],
                                         const assay_prior *prior, size_t min_samples,
                                         assay_sensitivity *row)
{
    family of = { 0 };
    double radius[MOST_RADII];
    size_t *labels = NULL, n_radii = 0;
    assay_status status = ASSAY_OK;

    if (min_samples < 1)
        status = assay_fail(ASSAY_E_VALUE, "DBSCAN: min_samples is 0, expected 1 or more");
    if (status == ASSAY_OK) status = family_start(&of, vectors, x, m, beta, prior);
    if (status == ASSAY_OK && of.n > ASSAY_DBSCAN_MOST)
        status = assay_fail(ASSAY_E_SHAPE, "DBSCAN of %zu prompts, expected at most %d", of.n,
                            ASSAY_DBSCAN_MOST);
    if (status == ASSAY_OK) status = make_dbscan(&of, min_samples, radius, &labels, &n_radii);
    if (status == ASSAY_OK) status = mix_different(&of, labels, n_radii, row);
    free(labels);
    family_end(&of);
    return status;
}

static assay_status make_dbscan(const family *of, size_t min_samples, double *radius,
                                size_t **labels, size_t *n_radii)
{
    const int threads = assay_threads(0);
    assay_dbscan_options options = { .radius = radius,
                                     .min_samples = min_samples,
                                     .threads = threads };
    assay_status status =
        assay_dbscan_radii(of->vectors, min_samples, threads, MOST_RADII, radius, n_radii);

    if (status != ASSAY_OK) return status;
    options.n_radii = *n_radii;
    *labels = assay_alloc(*n_radii * of->n, sizeof **labels);
    if (!*labels)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu partitions of %zu prompts", *n_radii,
                          of->n);
    return assay_dbscan(of->vectors, &options, *labels, NULL);
}

/* Equal partitions have equal labels, which are numbered by first appearance. */
static assay_status mix_different(const family *of, const size_t *labels, size_t n_labellings,
                                  assay_sensitivity *row)
{
    const size_t n = of->n, size = n * sizeof *labels;
    assay_partition *partitions = assay_alloc(n_labellings, sizeof *partitions);
    size_t n_partitions = 0;
    assay_status status = ASSAY_OK;

    if (!partitions) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu partitions", n_labellings);
    for (size_t k = 0; status == ASSAY_OK && k < n_labellings; k++) {
        size_t same = 0;

        while (memcmp(labels + same * n, labels + k * n, size) != 0) same++;
        if (same < k) continue;
        status = assay_partition_measure(labels + k * n, n, (assay_outcomes){ of->x, of->m, NULL },
                                         of->beta, &partitions[n_partitions++]);
    }
    if (status == ASSAY_OK)
        status = assay_family_mix(partitions, n_partitions, of->log_prior, n, row);
    free(partitions);
    return status;
}

/* ---- one model ---- */

static assay_status family_start(family *of, const assay_vectors *vectors, const double *x,
                                 const double *m, const double beta[2], const assay_prior *prior)
{
    size_t *kept = assay_alloc(vectors->n, sizeof *kept);
    assay_status status;

    of->beta[0] = beta ? beta[0] : 1.0;
    of->beta[1] = beta ? beta[1] : 1.0;
    of->vectors = vectors;
    status = assay_check_beta(of->beta[0], of->beta[1]);
    if (status == ASSAY_OK) status = take_outcomes(of, vectors->n, x, m, kept);
    if (status == ASSAY_OK && of->n < vectors->n) {
        status = assay_vectors_take(vectors, kept, of->n, &of->taken);
        of->vectors = of->taken;
    }
    free(kept);
    if (status != ASSAY_OK) return status;
    of->log_prior = assay_alloc(of->n, sizeof *of->log_prior);
    if (!of->log_prior) return assay_fail(ASSAY_E_NOMEM, "no memory for a prior");
    return assay_prior_log(prior, of->n, of->log_prior);
}

static assay_status take_outcomes(family *of, size_t n, const double *x, const double *m,
                                  size_t *kept)
{
    of->x = assay_alloc(n, sizeof *of->x);
    of->m = assay_alloc(n, sizeof *of->m);
    if (!of->x || !of->m || !kept)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the outcomes of %zu prompts", n);
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(m[i]) || m[i] == 0.0) continue;
        if (!(x[i] >= 0.0 && x[i] <= m[i] && isfinite(m[i])))
            return assay_fail(ASSAY_E_VALUE,
                              "prompt %zu has %g successes of %g runs, expected 0 <= successes <= "
                              "runs",
                              i, x[i], m[i]);
        of->x[of->n] = x[i];
        of->m[of->n] = m[i];
        kept[of->n++] = i;
    }
    return of->n > 0 ? ASSAY_OK : assay_fail(ASSAY_E_SHAPE, "the model has no prompt");
}

static void family_end(family *of)
{
    free(of->x);
    free(of->m);
    free(of->log_prior);
    assay_vectors_free(of->taken);
}
