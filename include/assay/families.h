/* SPDX-License-Identifier: Apache-2.0 */
/* The corrected score over families of partitions that are not the cuts of a tree: k-means and
   DBSCAN, beside the priors and trees of assay/validation.h. Method: docs/score.md */
#ifndef ASSAY_FAMILIES_H
#define ASSAY_FAMILIES_H

#include "assay/validation.h"
#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DBSCAN is for this many prompts at most. */
#define ASSAY_DBSCAN_MOST 5000

/*
 * Each family holds partitions of the prompts that a model has: those it has not are left out
 * before anything is clustered. The prior weight of a partition into S clusters is pi(S), of the
 * prior over 1 .. n, shared equally by the family's partitions into S, and scaled to sum to 1 over
 * the family: so S has the prior that it has on a tree, as far as the family reaches, and rows
 * differ in the partitions alone. Given a partition everything is as on a tree, in closed form; the
 * row is the mixture over their posterior.
 *
 * x, m and beta are as for assay_sensitivity_to_priors(), n of each as of vectors; all arguments
 * are borrowed, and row is set on success only.
 */

/**
 * For each S = 1 .. s_max the spherical k-means partition, the best of 10 restarts.
 *
 * Where s_max cuts off what the prior or the data hold likely, the row is of the prior so cut:
 * topics_high near s_max tells.
 *
 * @param s_max    0, or more prompts than the model has: as many as it has.
 * @param threads  0: every processor; the row is the same for any number.
 * @return ASSAY_OK; ASSAY_E_SHAPE when the model has no prompt, or when the work, (entries of the
 *         vectors + dimensions) x s_max^2 / 2, is above 5e8 (minutes), with the s_max that would
 *         do; ASSAY_E_VALUE for outcomes, beta, the prior or threads, and for ASSAY_TURNS_MAX, which
 *         has no centres; ASSAY_E_DEGENERATE when the prior leaves no S up to s_max possible; ASSAY_E_NOMEM.
 * Cost: O((entries + d) s_max^2) an iteration, of which a restart makes at most 100; O(d s_max)
 * memory, and a copy of the vectors where prompts are missing.
 */
ASSAY_API assay_status assay_sensitivity_to_kmeans(const assay_vectors *vectors, const double *x,
                                                   const double *m, const double beta[2],
                                                   const assay_prior *prior, size_t s_max,
                                                   uint64_t seed, int threads,
                                                   assay_sensitivity *row);

/**
 * The different partitions that DBSCAN makes as its radius grows, noise being clusters of one.
 *
 * The radii are 0 and those at which a vector becomes a core one or two clusters meet; of more than
 * 256, 256 of evenly spaced rank. With min_samples 1 these are the cuts of the single-linkage tree
 * at its heights.
 *
 * @param min_samples  1 or more, a vector itself counted.
 * @return as for k-means, but that any vectors will do; ASSAY_E_SHAPE also for more than
 *         ASSAY_DBSCAN_MOST prompts; ASSAY_E_VALUE also for min_samples; ASSAY_E_DEGENERATE when no S
 *         that occurs is possible.
 * Cost: O(n^2 d) time once, O(n^2) a radius; 4 n^2 bytes and 2 KiB a prompt.
 */
ASSAY_API assay_status assay_sensitivity_to_dbscan(const assay_vectors *vectors, const double *x,
                                                   const double *m, const double beta[2],
                                                   const assay_prior *prior, size_t min_samples,
                                                   assay_sensitivity *row);

#ifdef __cplusplus
}
#endif
#endif
