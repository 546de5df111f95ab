/* SPDX-License-Identifier: Apache-2.0 */
/* Does the correction predict prompts that it has not seen, and what do its choices change?
   Cross-validation of BHM-ESC and its rivals, and tables of sensitivity. Method: docs/score.md */
#ifndef ASSAY_VALIDATION_H
#define ASSAY_VALIDATION_H

#include "assay/score.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What predicts a held-out prompt. Part of the ABI: never renumber. */
typedef enum assay_validation_method {
    ASSAY_VALIDATION_BHM_ESC = 0,
    ASSAY_VALIDATION_ONE_TOPIC = 1,       /* BAYES-S=1: one rate for all prompts */
    ASSAY_VALIDATION_EACH_ITS_OWN = 2,    /* BAYES-S=n: nothing is known of a new one: the prior */
    ASSAY_VALIDATION_EACH_FROM_SCORE = 3, /* BAYES-S=n, but predicted from the score: the mixture of
                                              all training prompts' rates */
    ASSAY_VALIDATION_ORACLE = 4,          /* the given labels as topics */
    ASSAY_VALIDATION_FREQUENCY = 5,       /* FREQ-naive: successes over runs, taken for certain */
    ASSAY_VALIDATION_FREQUENCY_ORACLE = 6, /* the same within the label, or over all where the label
                                              has no training prompt */
    ASSAY_VALIDATION_HYPER = 7,            /* BHM-ESC with the topics' distribution learnt */
    ASSAY_VALIDATION_N_METHODS = 8
} assay_validation_method;

/* "BHM-ESC", "BAYES-S=1", ...; "" for none. */
ASSAY_API const char *assay_validation_name(assay_validation_method method);

/* Start from assay_validation_options_init(); later versions add fields only at the end. */
typedef struct assay_validation_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;      /* of the folds; default 1 */
    size_t n_folds;     /* 2 or more; default 5 */
    assay_prior prior;  /* default ASSAY_PRIOR_PAPER */
    double a, b;        /* p ~ Beta(a, b); default 1, 1 */
    int hyper;          /* ASSAY_VALIDATION_HYPER too; default 1 */
    assay_progress progress;
} assay_validation_options;

ASSAY_API void assay_validation_options_init(assay_validation_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_validation_options_check(const assay_validation_options *options);

/**
 * Deal n prompts into folds: shuffled within each label, labels in the order of their first
 * appearance, one after the other round the folds, each label going on where the one before
 * stopped. So a label's prompts are spread as evenly as can be, and so are all.
 *
 * @param labels  numbers below n; NULL: all alike.
 * @param fold    n numbers below n_folds.
 * @return ASSAY_OK; ASSAY_E_VALUE for a label or n_folds below 1; ASSAY_E_NOMEM. O(n).
 */
ASSAY_API assay_status assay_validation_folds(const size_t *labels, size_t n, size_t n_folds,
                                              uint64_t seed, size_t *fold);

/* How well a method predicts held-out prompts; NaN for a method that could not be tried. */
typedef struct assay_validation_score {
    double mae;     /* mean of |x - m E[p]|, in successes */
    double elpd;    /* sum of ln P(x of m): higher is better */
    double elpd_se; /* sqrt(n) times the standard deviation of the terms */
} assay_validation_score;

typedef struct assay_validation {
    assay_validation_score method[ASSAY_VALIDATION_N_METHODS];
    size_t n;       /* prompts that were held out in their turn */
    size_t n_folds; /* with any prompt */
    int stratified; /* the folds were made by labels */
} assay_validation;

/**
 * Cross-validate one model's outcomes.
 *
 * The tree is over all prompts that the model has; only outcomes of the training folds are seen.
 * Frequencies of 0 and 1 give densities as if they were 1e-12 away from there.
 *
 * @param tree    over n prompts. All arguments are borrowed.
 * @param x       n successes.
 * @param m       n runs; 0, or NaN in x or m: the model did not run this prompt.
 * @param labels  the true topics, n numbers below n; NULL: not known, and then there is no oracle.
 * @param fold    n numbers below n, which fold each is in; NULL: assay_validation_folds() by the labels.
 * @param options NULL for the defaults.
 * @param out     set on success only.
 * @return ASSAY_OK; ASSAY_E_SHAPE when fewer than 2 folds have a prompt; ASSAY_E_VALUE for options,
 *         labels, or outcomes out of range; ASSAY_E_DEGENERATE when the prior leaves no S possible;
 *         ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: a posterior a fold, O(n log n), and O(n^2) for ASSAY_VALIDATION_EACH_FROM_SCORE; up to 342
 * times the first for ASSAY_VALIDATION_HYPER.
 */
ASSAY_API assay_status assay_validate(const assay_dendrogram *tree, const double *x,
                                      const double *m, const size_t *labels, const size_t *fold,
                                      const assay_validation_options *options,
                                      assay_validation *out);

/* What one choice of prior or tree makes of a model. */
typedef struct assay_sensitivity {
    double topics, topics_low, topics_high; /* E[S] and its 95 % set */
    double overcount;                       /* n / E[S] */
    double score;                           /* corrected */
    double spread_sd, these_sd, like_sd;    /* of the readings A, B and C */
    double log_evidence;                    /* ln p(x): higher is better */
} assay_sensitivity;

/* The priors that a table of sensitivity shows by default: paper, uniform, binom, poisson, geom:0.5;
   *n of them, a constant. */
ASSAY_API const assay_prior *assay_sensitivity_priors(size_t *n);

/**
 * The same model under several priors; under several trees over the same prompts (linkages,
 * vectors, orders of ties).
 *
 * @param x, m  as for assay_validate().
 * @param beta  p ~ Beta(beta[0], beta[1]); NULL for 1, 1.
 * @param rows  one a prior, or a tree; set on success only.
 * @return ASSAY_OK; ASSAY_E_SHAPE when the model has no prompt or the trees differ in size;
 *         ASSAY_E_VALUE; ASSAY_E_DEGENERATE when a prior leaves no S possible; ASSAY_E_NOMEM.
 * Cost: O(n log n) a row.
 */
ASSAY_API assay_status assay_sensitivity_to_priors(const assay_dendrogram *tree, const double *x,
                                                   const double *m, const double beta[2],
                                                   const assay_prior *priors, size_t n_priors,
                                                   assay_sensitivity *rows);
ASSAY_API assay_status assay_sensitivity_to_trees(const assay_dendrogram *const *trees,
                                                  size_t n_trees, const double *x, const double *m,
                                                  const double beta[2], const assay_prior *prior,
                                                  assay_sensitivity *rows);

#ifdef __cplusplus
}
#endif
#endif
