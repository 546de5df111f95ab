/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay templates` was asked, and what it found: its command, its printers and what prepares
   them share these. */
#ifndef ASSAY_CLI_TEMPLATES_ANSWER_H
#define ASSAY_CLI_TEMPLATES_ANSWER_H

#include "session.h"

#include <assay/best_study.h>
#include <assay/chosen_template.h>
#include <assay/complete_grids.h>
#include <assay/features.h>
#include <assay/grids.h>
#include <assay/published.h>
#include <assay/spread.h>
#include <assay/study.h>

/* Published scores in place of cells, and which of them. */
struct templates_published {
    const char *accuracies, *tasks, *models;
    uint64_t sample; /* 0: all */
    double concentration;
};

struct templates_request {
    struct cli_common common;
    struct cli_analysis analysis;
    struct cli_reading reading;
    const char *templates, *items; /* a count, or a file of ids */
    const char *template_features, *item_features, *template_texts;
    const char *features_columns;
    uint64_t features_dimensions;    /* at most; 0: by their kind */
    const char *quantiles, *budgets; /* lists */
    const char *per_template, *plot;
    int logreg, faithful, convention, study, best;
    int features; /* enum assay_features_rule */
    int64_t seeds;
    uint64_t draws;
    double c;
    struct templates_published published;
    int drop_incomplete; /* enum assay_incomplete */
};

enum { TEMPLATES_MOST_METHODS = 5 };

enum { TEMPLATES_MOST_BEST = 6 };

/* One grid by one method; without a fit where the scores are known. */
struct templates_estimate {
    const double *scores; /* the fit's */
    double mean;
    double *quantiles; /* n_levels of the answer */
    assay_templates *fit;
};

/* One grid. Its covariates are in the order of its own templates and items. */
struct templates_grid {
    const assay_grid *grid;
    int is_full; /* every cell was run: its averages are the scores, and all that is found */
    assay_left_out left_out; /* of a study */
    double *x, *z;
    size_t n_x, n_z;
    uint64_t *template_keys, *item_keys; /* ranks of the ids */
    assay_templates_options methods[TEMPLATES_MOST_METHODS];
    struct templates_estimate estimates[TEMPLATES_MOST_METHODS];
    assay_spread spread;
    char no_spread[256];           /* why there is none; empty where there is */
    assay_chosen_template *chosen; /* with --best */
    char no_choice[256];           /* why there is none */
};

/* The best of a task's models: how often another template makes it another. */
struct templates_winner {
    size_t first, n_models; /* the first grid of the task, and how many it has */
    size_t best;            /* a grid */
    double p, observed;
    char reason[256]; /* why none of these is known; empty where they are */
};

/* A way to the best template, for people. */
struct templates_best_way {
    const char *cells, *method;
};

struct templates_answer {
    const struct templates_request *request;
    const assay_results *results; /* NULL where there are published scores */
    assay_published *published;
    assay_grids *grids;
    size_t n_grids;
    struct templates_grid *each;
    size_t n_methods;
    const char *methods[TEMPLATES_MOST_METHODS];
    double *levels;
    size_t n_levels;
    size_t *budgets;
    size_t n_budgets;
    char **template_ids, **item_ids;  /* given ones; NULL for none */
    size_t n_templates, n_items;      /* given counts; 0 for none */
    struct templates_winner *winners; /* of tasks with several models */
    size_t n_winners;
    assay_study *study;
    assay_best_study *best_study; /* with --best --study, in place of the other */
    size_t n_best;
    struct templates_best_way best_ways[TEMPLATES_MOST_BEST];
};

/* What a request is before any option is given. */
void templates_request_init(struct templates_request *request);

/* Lists and ids of the request: before anything is read. ASSAY_OK; ASSAY_E_VALUE for a list that is
   none; ASSAY_E_READ; ASSAY_E_NOMEM. */
assay_status templates_parse_lists(struct templates_answer *answer);

/* Whether the options about published scores fit together: -1 to go on, or the exit status. */
int templates_check_published(const struct templates_request *request, int n_inputs);

/* Read the published scores that were asked for. */
assay_status templates_read_published(struct templates_answer *answer);

/* Room for what is found of each of answer->grids. ASSAY_OK; ASSAY_E_NOMEM. */
assay_status templates_list_grids(struct templates_answer *answer);

/* The grids behind published scores. */
assay_status templates_simulate(struct templates_answer *answer);

/* The methods on grid k, with its covariates. ASSAY_OK; ASSAY_E_NOMEM. */
assay_status templates_choose_methods(struct templates_answer *answer, size_t k);

/* What they make of it. */
assay_status templates_estimate(struct templates_answer *answer, size_t k);

/* Of a study on results: without templates and items that were never run or are to be left out; a
   hole that is left is refused. */
assay_status templates_complete(struct templates_answer *answer);

/* The covariates of grid k, as the options say. */
assay_status templates_read_features(struct templates_answer *answer, size_t k);

/* The study itself. */
assay_status templates_run_study(struct templates_answer *answer);

/* Grids, covariates and fits from the results or the published scores; with --study the study as well. */
assay_status templates_prepare(struct templates_answer *answer);

/* The spread of each grid, and the winners. ASSAY_OK also where the library refuses; ASSAY_E_NOMEM. */
assay_status templates_find_spread(struct templates_answer *answer);

/* ASSAY_OK where all budgets fit in every grid; else ASSAY_E_SHAPE, naming it. */
assay_status templates_check_budgets(const struct templates_answer *answer);

/* --best: the template that looks best on each grid; or, with --study, how good a one is found. */
assay_status templates_find_best(struct templates_answer *answer);

/* The estimate by which --best chooses on grid k: an index of methods. */
size_t templates_best_method(const struct templates_answer *answer, size_t k);

void templates_free(struct templates_answer *answer);

#endif
