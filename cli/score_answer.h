/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay score` asks and has found out, and the steps between. */
#ifndef ASSAY_CLI_SCORE_ANSWER_H
#define ASSAY_CLI_SCORE_ANSWER_H

#include "options.h"
#include "score_embed.h"

#include <assay/dendrogram.h>
#include <assay/hopkins.h>
#include <assay/missing.h>
#include <assay/prompts.h>
#include <assay/results.h>
#include <assay/score.h>
#include <assay/trials.h>
#include <assay/turns.h>
#include <assay/validation.h>
#include <assay/vectors.h>

enum { SCORE_MOST_ORDERS = 1000, SCORE_N_LINKAGES = 3, SCORE_MOST_PIECES = 64 };
/* What the leading interval of a model is about. */
enum score_lead { SCORE_LEAD_PROMPTS, SCORE_LEAD_THESE, SCORE_LEAD_LIKE };
enum { SCORE_HYPER_AUTO, SCORE_HYPER_ON, SCORE_HYPER_OFF };

struct score_request {
    struct cli_common common;
    struct cli_analysis analysis;
    struct cli_reading reading;
    const char *embed; /* as given, or the default */
    int embed_by_default;
    const char *prompts, *prior, *folds, *topics, *per_prompt, *plot, *average;
    const char *every_eval_ever;
    int linkage; /* in the order of assay_linkage */
    int turns;   /* in the order of assay_turns */
    int missing; /* in the order of assay_missing_policy */
    int hyper;   /* one of SCORE_HYPER_AUTO, ... */
    int kappa, partitions, cv, hopkins, sensitivity, families, hpd;
    int64_t tie_orders; /* -1: 20 where merges are tied */
    double hit;         /* k of hit@k; 0: not asked for */
    assay_prior parsed_prior;
    int threads; /* what is out of range stays so as an int */
};

/* The raw score's intervals: n is the number of prompts, never of runs, but for Wald's, which is the
   paper's. NaN where not estimable. */
struct score_raw {
    double mean, n, runs;
    double wilson[2], clopper_pearson[2], jeffreys[2], wald_trials[2], clustered[2];
    size_t n_clusters;     /* behind clustered */
    double equal_clusters; /* n^2 / sum n_k^2: as many of equal size */
    int given;             /* they are the given labels, not inferred topics */
    enum score_lead lead;
};

/* With --average: the trees of several embeddings (the answer's own first) and all linkages. */
struct score_tree {
    const assay_dendrogram *tree;
    assay_dendrogram *made; /* behind tree; NULL for the answer's own */
    size_t embedding;
    int linkage;
};
struct score_average {
    char *names; /* behind all embeddings but the first */
    const char **embedding;
    size_t n_embeddings, n_trees;
    struct score_tree *tree;
    assay_sensitivity *rows; /* n_models x n_trees: each tree alone */
    assay_score *fit;        /* its numbers ASSAY_SCORE_TREES_... are over these trees */
};

struct score_answer {
    const struct score_request *request;
    assay_results *results;
    assay_prompts *prompts;
    assay_trials *trials;
    assay_vectors *vectors;
    struct score_embedded embedded; /* what made them */
    assay_dendrogram *tree;
    assay_dendrogram **orders; /* random orders inside ties */
    size_t n_orders;
    size_t *labels; /* given clusters of the prompts, numbered; NULL when there are none */
    size_t *topics; /* the jointly most probable cut */
    size_t n_topics;
    assay_score *fit;
    assay_missing *missing;      /* by model of the table */
    size_t n_shared;             /* prompts that every model has a score on */
    uint64_t n_as_wrong;         /* runs without a score that count as 0 */
    struct score_raw *raw;       /* by model */
    size_t *order;               /* models by corrected score, the best first */
    assay_hopkins measured;      /* with --hopkins */
    char not_measured[200];      /* why it could not be, or "" */
    assay_validation *validated; /* with --cv, by model */
    assay_sensitivity *choices;  /* with --sensitivity, score_n_choices() of each model */
    struct score_average average;
};

/* What a request is before any option is given. */
void score_request_init(struct score_request *request);

/* From request and results to the answer, without what has to be asked for: score_prepare(), score_fit()
   and score_raw(). Free it whatever happened; the results stay. */
assay_status score_find(struct score_answer *answer);
void score_free(struct score_answer *answer);

/* The name of model k of the trials. */
const char *score_model_name(const struct score_answer *answer, size_t k);

/* Whether models have scores on different prompts. */
int score_has_other_prompts(const struct score_answer *answer);

/* A number of model k of the fit. */
double score_value(const struct score_answer *answer, size_t k, assay_score_number number);

/* Successes and runs of model k, one a prompt. */
const double *score_successes(const struct score_answer *answer, size_t k);
const double *score_runs(const struct score_answer *answer, size_t k);

/* The tree's options, but for its linkage and the order of its ties. */
assay_dendrogram_options score_tree_options(const struct score_request *request);

assay_status score_average_check(const char *embeddings);
struct score_embedding score_how_to_embed(const struct score_request *request);

/* Turns' vectors, which are taken over also on failure, as one a prompt; how many turns there are. */
assay_status score_join_turns(assay_vectors *turns, const assay_prompts *prompts, int how,
                              assay_vectors **out);
size_t score_n_turns(const assay_prompts *prompts);

/* How turns are joined, NULL where none are; whether by the largest distance, which leaves no
   coordinates. */
const char *score_turns_joined(const struct score_answer *answer);
int score_is_by_turn(const struct score_answer *answer);

/* The steps, in this order; what they make stands in the answer. Each returns ASSAY_OK or a status
   whose sentence cli_failed() tells. */
assay_status score_prepare(struct score_answer *answer); /* prompts, trials, vectors, trees */
assay_status score_fit(struct score_answer *answer);     /* the fit, topics and order */
assay_status score_raw(struct score_answer *answer);
assay_status score_validate(struct score_answer *answer);
assay_status score_try_choices(struct score_answer *answer);
assay_status score_try_average(struct score_answer *answer);
void score_average_free(struct score_average *average);

/* The interval that stands first, by what was measured to cover; and what it is about. */
void score_lead_choose(struct score_raw *raw);
const double *score_lead_interval(const struct score_raw *raw);
const char *score_lead_about(const struct score_raw *raw);
const char *score_lead_method(const struct score_raw *raw);

/* Of the trees of --average, how much a tree weighs in a model's average. */
double score_tree_weight(const struct score_answer *answer, size_t model, size_t tree);

/* Other priors, linkages and families of partitions: how many, and what each is called. Rows of
   choices that are impossible for a model, or too large, are NaN throughout. */
size_t score_n_choices(const struct score_answer *answer);
const char *score_linkage_name(int linkage);
const char *score_choice_kind(size_t choice); /* "prior", "linkage" or "family" */
const char *score_choice_name(size_t choice);

#endif
