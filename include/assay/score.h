/* SPDX-License-Identifier: Apache-2.0 */
/* Scores corrected for prompts that depend on each other, and how many prompts a benchmark is worth
   (BHM-ESC), exact. Method: docs/score.md */
#ifndef ASSAY_SCORE_H
#define ASSAY_SCORE_H

#include "assay/dendrogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Priors on S, the number of topics among n prompts. Part of the ABI: never renumber. */
typedef enum assay_prior_kind {
    ASSAY_PRIOR_PAPER = 0,         /* S = min(n, 1 + Binomial(50 n, 0.01)) */
    ASSAY_PRIOR_UNIFORM = 1,       /* on 1 .. n */
    ASSAY_PRIOR_BINOMIAL = 2,      /* S = 1 + Binomial(n - 1, a); default a = 0.5 */
    ASSAY_PRIOR_POISSON = 3,       /* S = 1 + Poisson(a), cut at n; a = 0, the default, is n / 2 */
    ASSAY_PRIOR_BETA_BINOMIAL = 4, /* S = 1 + BetaBinomial(n - 1, a, b); default 1, 1 */
    ASSAY_PRIOR_GEOMETRIC = 5,     /* pi(S) in proportion to a^S; default a = 0.9 */
    ASSAY_PRIOR_FIXED = 6,         /* S = a */
    ASSAY_PRIOR_TABLE = 7          /* pi(S) in proportion to table[S - 1]; 0 beyond its end */
} assay_prior_kind;

typedef struct assay_prior {
    assay_prior_kind kind;
    double a, b;         /* as the kind says */
    const double *table; /* n_table numbers >= 0, borrowed */
    size_t n_table;
} assay_prior;

/* Read "paper", "uniform", "binom:0.5", "poisson:3", "betabinom:1,1", "geom:0.9" or "fixed:7";
   without the numbers of a kind, its defaults (fixed has none). ASSAY_OK; ASSAY_E_VALUE. */
ASSAY_API assay_status assay_prior_parse(const char *text, assay_prior *out);

/* How assay_prior_parse() calls a kind: "paper", ...; "table"; "" for no kind. */
ASSAY_API const char *assay_prior_name(assay_prior_kind kind);

/* log_prior[S - 1] = ln pi(S) for S = 1 .. n, normalised, -infinity where S is impossible.
   ASSAY_OK; ASSAY_E_SHAPE for n = 0; ASSAY_E_VALUE naming the parameter that is out of its range;
   ASSAY_E_DEGENERATE when no S in 1 .. n is possible. O(n). */
ASSAY_API assay_status assay_prior_log(const assay_prior *prior, size_t n, double *log_prior);

/* What "the score" is, three readings; their mean is the same. Part of the ABI: never renumber. */
typedef enum assay_reading {
    ASSAY_READING_SPREAD = 0, /* A: the success rate of a randomly chosen topic. Its interval is the
                                 spread over topics, and does not shrink with more prompts */
    ASSAY_READING_THESE = 1,  /* B: the mean over these topics */
    ASSAY_READING_LIKE = 2    /* C: the mean over topics like these */
} assay_reading;

/* Fitted models. Opaque; free with assay_score_free(). */
typedef struct assay_score assay_score;

/* Start from assay_score_options_init(); later versions add fields only at the end. */
typedef struct assay_score_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    double level;       /* of the intervals, in (0, 1); default 0.95 */
    assay_prior prior;  /* on the number of topics; default ASSAY_PRIOR_PAPER */
    double a, b;        /* p_k ~ Beta(a, b) in every topic; default 1, 1 */
    int hyper;      /* also with that Beta learnt from the data: 0 no, 1 yes, -1, the default: where
                       there are fewer than 20 runs a topic */
    int kappa;      /* also with topics whose prompts differ in their rates; default 0 */
    int partitions; /* also over all partitions that agree with the tree, O(n^2); default 0 */
    const assay_dendrogram *const
        *trees;                    /* n_trees others over the same prompts (other orders of */
    const double *log_tree_weight; /* ties, linkages, vectors), to average over with prior */
    size_t n_trees;                /* weights exp(log_tree_weight), NULL for equal ones */
    assay_progress progress;
} assay_score_options;

ASSAY_API void assay_score_options_init(assay_score_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_score_options_check(const assay_score_options *options);

/**
 * The corrected score of every model, and how many topics its prompts amount to.
 *
 * Given S topics, the prompts are grouped as the dendrogram's cut into S has it, the prompts of
 * topic k share a success rate p_k ~ Beta(a, b), and x_i of m_i runs succeed. The posterior over S
 * and all rates is computed in closed form. Each model is scored on the tree pruned to the prompts
 * it has; the joint posterior of S over all models uses the tree of the prompts that any model has.
 *
 * @param tree  over n prompts; borrowed for the call, as is all of options.
 * @param x     n_models x n successes, row-major, fractional or not: 0 <= x <= m.
 * @param m     n_models x n runs; 0, or NaN in x or m: the model did not run this prompt.
 * @param options  NULL for the defaults.
 * @param out   owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE when there is no model, a model has no prompt, or another tree is
 *         over other prompts; ASSAY_E_VALUE for options and for x or m out of range, with the range
 *         seen; ASSAY_E_DEGENERATE when the prior leaves no S possible for a model's number of
 *         prompts; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(n log n) a model with the defaults; see the options for more. Memory about 200 n bytes a
 * model.
 * Source: Llewellyn and Gray, arXiv:2510.05709; see docs/score.md for what is inferred.
 */
ASSAY_API assay_status assay_score_fit(const assay_dendrogram *tree, size_t n_models,
                                       const double *x, const double *m,
                                       const assay_score_options *options, assay_score **out);
ASSAY_API void assay_score_free(assay_score *fit); /* NULL is fine */

ASSAY_API size_t assay_score_n_models(const assay_score *fit);

/* The numbers of a model. Part of the ABI: never renumber. */
typedef enum assay_score_number {
    ASSAY_SCORE_PROMPTS = 0,    /* n: prompts that the model has */
    ASSAY_SCORE_RUNS = 1,       /* sum of m */
    ASSAY_SCORE_RAW = 2,        /* mean over prompts of x / m */
    ASSAY_SCORE_CORRECTED = 3,  /* E of the score given the data: the same in all readings */
    ASSAY_SCORE_SPREAD_LOW = 4, /* reading A: spread over topics; exact */
    ASSAY_SCORE_SPREAD_HIGH = 5,
    ASSAY_SCORE_THESE_LOW = 6, /* reading B: the score on these topics; Beta-matched */
    ASSAY_SCORE_THESE_HIGH = 7,
    ASSAY_SCORE_LIKE_LOW = 8, /* reading C: topics like these; Beta-matched */
    ASSAY_SCORE_LIKE_HIGH = 9,
    ASSAY_SCORE_SPREAD_SD = 10, /* exact standard deviations */
    ASSAY_SCORE_THESE_SD = 11,
    ASSAY_SCORE_LIKE_SD = 12,
    ASSAY_SCORE_SHARE_WITHIN = 13, /* of reading A's variance, what is within topics */
    ASSAY_SCORE_TOPICS = 14,       /* E[S] */
    ASSAY_SCORE_TOPICS_MAP = 15,
    ASSAY_SCORE_TOPICS_LOW = 16, /* its 95 % set */
    ASSAY_SCORE_TOPICS_HIGH = 17,
    ASSAY_SCORE_OVERCOUNT = 18,      /* n / E[S] */
    ASSAY_SCORE_MEAN_OVERCOUNT = 19, /* E[n / S] */
    ASSAY_SCORE_REDUCTION = 20,      /* 100 (1 - E[S] / n) */
    ASSAY_SCORE_KISH = 21, /* E[n^2 / sum_k n_k^2]: what the unweighted mean is worth if the
                                       prompts of a topic are copies of each other */
    ASSAY_SCORE_ICC = 22,  /* of the prompts' scores, by analysis of variance over the most
                                       probable topics; in [0, 1] */
    ASSAY_SCORE_RESPONSE_SIZE = 23,   /* n / (1 + (m~ - 1) ICC), m~ = sum_k n_k^2 / n */
    ASSAY_SCORE_LOG_EVIDENCE = 24,    /* ln p(x) */
    ASSAY_SCORE_RUNS_PER_TOPIC = 25,  /* sum of m / E[S]: below 20 the prior decides much */
    ASSAY_SCORE_HYPER_CORRECTED = 26, /* with the topics' distribution learnt: as above */
    ASSAY_SCORE_HYPER_SPREAD_LOW = 27,
    ASSAY_SCORE_HYPER_SPREAD_HIGH = 28,
    ASSAY_SCORE_HYPER_THESE_LOW = 29,
    ASSAY_SCORE_HYPER_THESE_HIGH = 30,
    ASSAY_SCORE_HYPER_LIKE_LOW = 31,
    ASSAY_SCORE_HYPER_LIKE_HIGH = 32,
    ASSAY_SCORE_HYPER_TOPICS = 33,
    ASSAY_SCORE_HYPER_MU = 34, /* mean over topics, of the distribution they come from */
    ASSAY_SCORE_HYPER_NU = 35, /* and its a + b */
    ASSAY_SCORE_HYPER_LOG_EVIDENCE = 36,
    ASSAY_SCORE_KAPPA_CORRECTED = 37, /* with prompts of one topic that differ */
    ASSAY_SCORE_KAPPA_TOPICS = 38,
    ASSAY_SCORE_KAPPA = 39, /* exp E[ln kappa]: large when topics share one rate */
    ASSAY_SCORE_KAPPA_LOG_EVIDENCE = 40,
    ASSAY_SCORE_PARTITIONS_CORRECTED = 41, /* over all partitions of the tree */
    ASSAY_SCORE_PARTITIONS_SPREAD_LOW = 42,
    ASSAY_SCORE_PARTITIONS_SPREAD_HIGH = 43,
    ASSAY_SCORE_PARTITIONS_TOPICS = 44,
    ASSAY_SCORE_PARTITIONS_LOG_EVIDENCE = 45,
    ASSAY_SCORE_TREES_CORRECTED = 46, /* averaged over the other trees by evidence */
    ASSAY_SCORE_TREES_SPREAD_LOW = 47,
    ASSAY_SCORE_TREES_SPREAD_HIGH = 48,
    ASSAY_SCORE_TREES_THESE_LOW = 49,
    ASSAY_SCORE_TREES_THESE_HIGH = 50,
    ASSAY_SCORE_TREES_LIKE_LOW = 51,
    ASSAY_SCORE_TREES_LIKE_HIGH = 52,
    ASSAY_SCORE_TREES_TOPICS = 53,
    ASSAY_SCORE_TREES_LOG_EVIDENCE = 54,
    ASSAY_SCORE_TREES_TOPICS_LEAST = 55, /* over the trees one by one */
    ASSAY_SCORE_TREES_TOPICS_MOST = 56,
    ASSAY_SCORE_TREES_CORRECTED_LEAST = 57,
    ASSAY_SCORE_TREES_CORRECTED_MOST = 58,
    ASSAY_SCORE_HYPER_SPREAD_SD = 59,
    ASSAY_SCORE_HYPER_THESE_SD = 60,
    ASSAY_SCORE_HYPER_LIKE_SD = 61,
    ASSAY_SCORE_N_NUMBERS = 62
} assay_score_number;

/* One number; NaN where it cannot be estimated or was not asked for, and then the reason is a
   literal sentence. */
ASSAY_API double assay_score_value(const assay_score *fit, size_t model, assay_score_number number);
ASSAY_API const char *assay_score_reason(const assay_score *fit, size_t model,
                                         assay_score_number number);

/* The numbers of all models together: "how many independent prompts does the benchmark have". */
typedef enum assay_score_joint_number {
    ASSAY_SCORE_JOINT_TOPICS = 0, /* E[S], pi(S|all) in proportion to pi(S) prod p(x of model|S) */
    ASSAY_SCORE_JOINT_TOPICS_MAP = 1,
    ASSAY_SCORE_JOINT_TOPICS_LOW = 2, /* 95 % set */
    ASSAY_SCORE_JOINT_TOPICS_HIGH = 3,
    ASSAY_SCORE_JOINT_LEAST = 4, /* E[S] of the models one by one */
    ASSAY_SCORE_JOINT_MOST = 5,
    ASSAY_SCORE_JOINT_LOG_EVIDENCE = 6,
    ASSAY_SCORE_JOINT_N_NUMBERS = 7
} assay_score_joint_number;

ASSAY_API double assay_score_joint(const assay_score *fit, assay_score_joint_number number);

/* pi(S|x) of a model, or of all jointly (model = SIZE_MAX), and the prior: [S - 1], S = 1 .. *n;
   owned by the fit. */
ASSAY_API const double *assay_score_topics(const assay_score *fit, size_t model, size_t *n);
ASSAY_API const double *assay_score_topics_log_prior(const assay_score *fit, size_t model,
                                                     size_t *n);

/* A model's own prompts, *n of them: which prompt of the fit's input each is; owned by the fit. */
ASSAY_API const size_t *assay_score_prompts(const assay_score *fit, size_t model, size_t *n);

/* Success rate of prompt (of the input) i for a model: mean, standard deviation, and P(at least one
   success in k runs). NaN when the model does not have the prompt. O(depth). */
ASSAY_API double assay_score_prompt_mean(const assay_score *fit, size_t model, size_t i);
ASSAY_API double assay_score_prompt_sd(const assay_score *fit, size_t model, size_t i);
ASSAY_API double assay_score_prompt_hit(const assay_score *fit, size_t model, size_t i, double k);

/* P(at least one success in k runs on a randomly chosen topic). O(n). */
ASSAY_API double assay_score_hit(const assay_score *fit, size_t model, double k);

/* Posterior predictive of a prompt that the model has, and of a topic not seen: ln P(x of m). */
ASSAY_API double assay_score_prompt_log_density(const assay_score *fit, size_t model, size_t i,
                                                double x, double m);
ASSAY_API double assay_score_new_topic_log_density(const assay_score *fit, size_t model, double x,
                                                   double m);

/* The posterior of the score in a reading: P(score <= q), and its density (q in (0, 1)). */
ASSAY_API double assay_score_cdf(const assay_score *fit, size_t model, assay_reading reading,
                                 double q);
ASSAY_API double assay_score_density(const assay_score *fit, size_t model, assay_reading reading,
                                     double q);

/* The set of highest density that holds level of a reading: bounds[k][0 .. 1], k < *n, a union of
   intervals from left to right, of which at most capacity are written. ASSAY_OK; ASSAY_E_VALUE for
   the level, or when there are more than capacity (*n is then how many); ASSAY_E_NOMEM. */
ASSAY_API assay_status assay_score_hpd(const assay_score *fit, size_t model, assay_reading reading,
                                       double level, double (*bounds)[2], size_t capacity,
                                       size_t *n);

/* similarity[i k + j] = P(the model's own prompts i and j are of one topic), k x k for the k of
   assay_score_prompts(). ASSAY_OK or ASSAY_E_NOMEM. O(k^2). */
ASSAY_API assay_status assay_score_similarity(const assay_score *fit, size_t model,
                                              double *similarity);

#ifdef __cplusplus
}
#endif
#endif
