/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay score` asks and has found out, and the steps between. */
#ifndef ASSAY_CLI_SCORE_ANSWER_H
#define ASSAY_CLI_SCORE_ANSWER_H

#include "options.h"

#include <assay/dendrogram.h>
#include <assay/hopkins.h>
#include <assay/prompts.h>
#include <assay/results.h>
#include <assay/score.h>
#include <assay/trials.h>
#include <assay/validation.h>
#include <assay/vectors.h>

enum { SCORE_MOST_ORDERS = 1000, SCORE_N_LINKAGES = 3 };
enum { SCORE_HYPER_AUTO, SCORE_HYPER_ON, SCORE_HYPER_OFF };

struct score_request {
    struct cli_common common;
    struct cli_analysis analysis;
    struct cli_reading reading;
    const char *prompts, *embed, *prior, *folds, *topics, *plot;
    int linkage; /* in the order of assay_linkage */
    int hyper;   /* one of SCORE_HYPER_AUTO, ... */
    int kappa, partitions, cv, hopkins, sensitivity;
    int64_t tie_orders; /* -1: 20 where merges are tied */
    double hit;         /* k of hit@k; 0: not asked for */
    assay_prior parsed_prior;
    int threads; /* what is out of range stays so as an int */
};

/* The raw score's intervals: n is the number of prompts, never of runs, but for Wald's, which is the
   paper's. NaN where not estimable. */
struct score_raw {
    double mean, n, runs;
    double wilson[2], wald_trials[2], clustered[2];
    size_t n_clusters; /* behind clustered */
    int given;         /* they are the given labels, not inferred topics */
};

struct score_answer {
    const struct score_request *request;
    assay_results *results;
    assay_prompts *prompts;
    assay_trials *trials;
    assay_vectors *vectors;
    assay_dendrogram *tree;
    assay_dendrogram **orders; /* random orders inside ties */
    size_t n_orders;
    size_t *labels; /* given clusters of the prompts, numbered; NULL when there are none */
    size_t *topics; /* the jointly most probable cut */
    size_t n_topics;
    assay_score *fit;
    struct score_raw *raw;       /* by model */
    size_t *order;               /* models by corrected score, the best first */
    assay_hopkins measured;      /* with --hopkins */
    assay_validation *validated; /* with --cv, by model */
    assay_sensitivity *choices;  /* with --sensitivity, score_n_choices() of each model */
};

/* The name of model k of the trials. */
const char *score_model_name(const struct score_answer *answer, size_t k);

/* Successes and runs of model k, one a prompt. */
const double *score_successes(const struct score_answer *answer, size_t k);
const double *score_runs(const struct score_answer *answer, size_t k);

/* The tree's options, but for its linkage and the order of its ties. */
assay_dendrogram_options score_tree_options(const struct score_request *request);

/* The steps, in this order; what they make stands in the answer. Each returns ASSAY_OK or a status
   whose sentence cli_failed() tells. */
assay_status score_prepare(struct score_answer *answer); /* prompts, trials, vectors, trees */
assay_status score_fit(struct score_answer *answer);     /* the fit, topics and order */
assay_status score_raw(struct score_answer *answer);
assay_status score_validate(struct score_answer *answer);
assay_status score_try_choices(struct score_answer *answer);

/* Other priors and then other linkages: how many, and what each is called. Rows of choices that are
   impossible for a model are NaN throughout. */
size_t score_n_choices(void);
const char *score_choice_kind(size_t choice); /* "prior" or "linkage" */
const char *score_choice_name(size_t choice);

#endif
