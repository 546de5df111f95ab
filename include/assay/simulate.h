/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded LLM benchmarks with known truth. The model: docs/simulate.md */
#ifndef ASSAY_SIMULATE_H
#define ASSAY_SIMULATE_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the prompts of a cluster resemble each other. Numbers are part of the ABI. */
typedef enum assay_members {
    ASSAY_MEMBERS_SHARE_WORDS = 0, /* one sentence with small edits: near-duplicates by words */
    ASSAY_MEMBERS_PARAPHRASES = 1  /* one request in other words: near-duplicates by meaning */
} assay_members;

/* More clusters than this would have to repeat a request. */
enum { ASSAY_SIMULATE_MAX_CLUSTERS = 3840 };

/* What assay_simulation_outcome() says of a cell that was never run. */
enum { ASSAY_OUTCOME_MISSING = -1 };

/* Start from assay_simulate_options_init(); later versions add fields only at the end. All standard
   deviations are on the logit scale. */
typedef struct assay_simulate_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;
    size_t n_items;    /* prompts */
    size_t n_clusters; /* semantic clusters, at most n_items */
    size_t n_models;
    size_t n_dimensions; /* latent abilities, at most n_clusters; 1 is a Rasch model */
    size_t n_templates;  /* wordings of every prompt; with 1 there are no template effects */
    size_t n_runs;       /* repeats of each (model, item, template) */
    assay_members members;
    double size_exponent; /* cluster sizes fall as rank^-size_exponent; 0: all alike */
    double difficulty_mean;
    double difficulty_sd;     /* of all items together */
    double cluster_share;     /* share of the difficulty's variance between clusters, 0 to 1 */
    double ability_sd;        /* of a model along each dimension */
    double cross_loading;     /* share of a cluster's squared loading off its dimension, 0 to 0.5 */
    double template_sd;       /* of the templates' effects */
    double template_model_sd; /* of the interaction of template and model */
    double missing_rate;      /* share of (model, item, template) cells left out, 0 to below 1 */
} assay_simulate_options;

/* The defaults make the bundled example: 40 models, 200 near-duplicate prompts in 40 clusters of
   unequal size, 2 dimensions, one template, one run, 2 % missing. */
ASSAY_API void assay_simulate_options_init(assay_simulate_options *options, size_t struct_size);

/* A benchmark with its truth. Opaque; free with assay_simulation_free(). Constant once made, so any
   number of threads may read it. */
typedef struct assay_simulation assay_simulation;

/**
 * Draw a benchmark.
 *
 * Model m answers item i of cluster c under template t correctly with probability
 *   P(m, i, t) = 1 / (1 + exp(-(a_c . theta_m - b_i + tau_t + gamma_mt))),
 * each run on its own. A seed fixes every byte. Asking for more models leaves those that were there
 * as they were, and so do more runs; a different missing_rate changes no outcome that stays.
 *
 * @param options  NULL for the defaults. Borrowed for the call.
 * @param out      the simulation, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_VALUE naming the option that is out of range; ASSAY_E_NOMEM.
 * Cost: with M models, T items, O(M T n_templates n_runs) time and bytes of memory, and for the
 * true dimension O(min(M, T)^2 max(M, T)) time and 8 M T bytes more while it works.
 */
ASSAY_API assay_status assay_simulate(const assay_simulate_options *options,
                                      assay_simulation **out);
ASSAY_API void assay_simulation_free(assay_simulation *simulation); /* NULL is fine */

/* The options it was made with, defaults filled in. Owned by the simulation. */
ASSAY_API const assay_simulate_options *assay_simulation_options(
    const assay_simulation *simulation);

/* Names ("q0001", "t07", "model-03", "template-2") and texts, owned by the simulation. Indices in
   all getters start at 0 and are not checked. */
ASSAY_API const char *assay_simulation_item(const assay_simulation *simulation, size_t item);
ASSAY_API const char *assay_simulation_item_text(const assay_simulation *simulation, size_t item);
ASSAY_API size_t assay_simulation_item_cluster(const assay_simulation *simulation, size_t item);
ASSAY_API const char *assay_simulation_cluster(const assay_simulation *simulation, size_t cluster);
ASSAY_API size_t assay_simulation_cluster_size(const assay_simulation *simulation, size_t cluster);
ASSAY_API const char *assay_simulation_model(const assay_simulation *simulation, size_t model);
ASSAY_API const char *assay_simulation_template(const assay_simulation *simulation,
                                                size_t template_index);

/* 1 when all prompts differ; 0 when a cluster is larger than its request has wordings (8260 when
   members share words, 3840 for paraphrases) and so had to repeat some. */
ASSAY_API int assay_simulation_texts_distinct(const assay_simulation *simulation);

/* The parameters: theta (model, dimension), a (cluster, dimension), b (item), tau (template),
   gamma (model, template). */
ASSAY_API double assay_simulation_ability(const assay_simulation *simulation, size_t model,
                                          size_t dimension);
ASSAY_API double assay_simulation_loading(const assay_simulation *simulation, size_t cluster,
                                          size_t dimension);
ASSAY_API double assay_simulation_difficulty(const assay_simulation *simulation, size_t item);
ASSAY_API double assay_simulation_template_effect(const assay_simulation *simulation,
                                                  size_t template_index);
ASSAY_API double assay_simulation_interaction(const assay_simulation *simulation, size_t model,
                                              size_t template_index);

/* P(model, item, template), strictly between 0 and 1 short of rounding. O(1). */
ASSAY_API double assay_simulation_probability(const assay_simulation *simulation, size_t model,
                                              size_t item, size_t template_index);

/* 1 correct, 0 wrong, or ASSAY_OUTCOME_MISSING (then for all runs of the cell). O(1). */
ASSAY_API int assay_simulation_outcome(const assay_simulation *simulation, size_t model,
                                       size_t item, size_t template_index, size_t run);

/* A model's true score, P averaged over templates and then: over the items as they are; over
   clusters that count alike; over the items of one cluster. And under one template, over items. */
ASSAY_API double assay_simulation_score(const assay_simulation *simulation, size_t model);
ASSAY_API double assay_simulation_score_of_clusters(const assay_simulation *simulation,
                                                    size_t model);
ASSAY_API double assay_simulation_cluster_score(const assay_simulation *simulation, size_t model,
                                                size_t cluster);
ASSAY_API double assay_simulation_template_score(const assay_simulation *simulation, size_t model,
                                                 size_t template_index);

/* Participation ratio of P averaged over templates, each item centred on its mean over the models;
   NaN when the models do not differ. */
ASSAY_API double assay_simulation_dimension(const assay_simulation *simulation);

/**
 * Write results.csv, results.jsonl, matrix.csv, prompts.jsonl and truth.json (docs/simulate.md).
 *
 * Each file appears whole or not at all, and truth.json comes last. Files of these names are
 * replaced; whatever else is in the folder is left alone.
 *
 * @param folder  made when absent; the folder that holds it must exist.
 * @return ASSAY_OK; ASSAY_E_WRITE; ASSAY_E_NOMEM.
 * Cost: O(observations).
 */
ASSAY_API assay_status assay_simulation_write(const assay_simulation *simulation,
                                              const char *folder);

#ifdef __cplusplus
}
#endif
#endif
