/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated benchmark from the inside, and the steps that fill it in order. */
#ifndef ASSAY_SIMULATE_SIMULATION_H
#define ASSAY_SIMULATE_SIMULATION_H

#include "assay/simulate.h"

#include "core/random.h"

enum { ASSAY_SIMULATED_NAME_SIZE = 24 };

typedef struct assay_simulated_name {
    char text[ASSAY_SIMULATED_NAME_SIZE];
} assay_simulated_name;

/* All arrays are row-major. */
struct assay_simulation {
    assay_simulate_options options;

    /* names.c */
    assay_simulated_name *item_name, *cluster_name, *model_name, *template_name;

    /* design.c */
    size_t *cluster_size;    /* n_clusters */
    size_t *item_cluster;    /* n_items */
    double *loading;         /* n_clusters x n_dimensions: a */
    double *ability;         /* n_models x n_dimensions: theta */
    double *skill;           /* n_models x n_clusters: a_c . theta_m */
    double *difficulty;      /* n_items: b */
    double *template_effect; /* n_templates: tau */
    double *interaction;     /* n_models x n_templates: gamma */

    /* prompt.c */
    char *texts;              /* one after the other, each ended by NUL */
    size_t *text_at;          /* n_items: where an item's text begins */
    const char **topic_label; /* n_clusters: what a cluster's prompts are about; literals */
    const char **task_label;  /* n_clusters: what they ask for; literals */
    int texts_distinct;

    /* outcome.c */
    signed char *outcome; /* n_models x n_items x n_templates x n_runs */

    /* truth.c */
    double *score, *score_of_clusters; /* n_models */
    double *cluster_score;             /* n_models x n_clusters */
    double *template_score;            /* n_models x n_templates */
    double dimension;
};

/* Parts of the design, each with a stream of its own (the replicate of SIMULATE_DESIGN), so that an
   option of one part changes no other. Frozen, as the purposes are. */
enum {
    ASSAY_DESIGN_ITEMS = 0,       /* which item is in which cluster */
    ASSAY_DESIGN_DIFFICULTY = 1,  /* clusters first, then items */
    ASSAY_DESIGN_ABILITY = 2,     /* model by model */
    ASSAY_DESIGN_TEMPLATE = 3,    /* tau */
    ASSAY_DESIGN_INTERACTION = 4, /* model by model */
    ASSAY_DESIGN_MISSING = 1024   /* plus the model; template by template, then item by item */
};

/* The steps. Each needs those before it; ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_simulation_make_names(assay_simulation *sim);
assay_status assay_simulation_draw_design(assay_simulation *sim);
assay_status assay_simulation_write_prompts(assay_simulation *sim);
assay_status assay_simulation_draw_outcomes(assay_simulation *sim);
assay_status assay_simulation_find_truth(assay_simulation *sim);

/* Bring n_wanted of the n indices, drawn at random without replacement, to the front. */
void assay_simulation_shuffle(assay_random *random, size_t *indices, size_t n, size_t n_wanted);

#endif
