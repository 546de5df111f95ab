/* SPDX-License-Identifier: Apache-2.0 */
/* Posteriors of the same prompts under several models of them, averaged by evidence. */
#ifndef ASSAY_SCORE_AVERAGE_H
#define ASSAY_SCORE_AVERAGE_H

#include "assay/score.h"
#include "score/mixture.h"
#include "score/posterior.h"
#include "score/predict.h"

/* Part k has probability weight[k] given the data. Each part has the same n. */
typedef struct assay_average {
    size_t n, n_parts;
    assay_posterior **parts;
    double *weight;
    double *post; /* pi(S|x) over all parts, at [S - 1] */
    double log_evidence, expected_s, expected_n_per_s, expected_score;
    double variance[3];                              /* of the readings A, B and C */
    double least_s, most_s, least_score, most_score; /* over the parts that were given */
} assay_average;

/* For averages over parts that are made one at a time: room for n_parts of them.
   ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_average_new(size_t n, size_t n_parts, assay_average **out);
void assay_average_free(assay_average *average); /* NULL is fine; frees the parts */

/* Take a part, which the average then owns, with the ln of its prior weight (they need not sum to
   1: the evidence is divided by their sum). */
void assay_average_add(assay_average *average, assay_posterior *part, double log_weight);

/* When all parts are in (at least one): weights and moments. */
void assay_average_finish(assay_average *average);

/* A reading of the score over all parts. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_average_mixture(const assay_average *average, assay_reading reading,
                                   assay_mixture *out);

/* Prompt i: its rate, and ln P(x of m), over all parts. */
assay_rate assay_average_prompt_rate(const assay_average *average, size_t i);
double assay_average_prompt_log_density(const assay_average *average, size_t i, double x, double m);

/**
 * One part a tree: embeddings, linkages or orders of ties, with weights pi(T) p(x|T).
 *
 * @param trees       n_trees >= 1 of them over the same prompts.
 * @param log_weight  ln pi(T), n_trees of them; NULL when they are equal.
 * @return ASSAY_OK; ASSAY_E_SHAPE when the trees differ in size; as assay_posterior_new().
 */
assay_status assay_average_trees(const assay_dendrogram *const *trees, const double *log_weight,
                                 size_t n_trees, assay_outcomes outcomes, assay_score_prior prior,
                                 assay_average **out);

#endif
