/* SPDX-License-Identifier: Apache-2.0 */
/* The score averaged by evidence over the trees of several embeddings and all linkages. */
#include "score_answer.h"
#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status list_embeddings(struct score_average *average, const char *main,
                                    const char *others);
static assay_status fit_trees(struct score_answer *answer, const assay_vectors *vectors,
                              size_t embedding);
static assay_status fit_average(struct score_answer *answer);
static assay_status fit_rows(struct score_answer *answer);

assay_status score_average_check(const char *others)
{
    size_t n_names = 0;
    assay_status status = ASSAY_OK;

    while (*others && status == ASSAY_OK) {
        size_t length = strcspn(others, ",");
        char name[64];

        n_names += length > 0;
        if (length > 0 && length < sizeof name) { /* (a longer one is told of later) */
            memcpy(name, others, length);
            name[length] = '\0';
            status = score_embed_check(name);
        }
        others += length + (others[length] == ',');
    }
    if (status != ASSAY_OK || n_names > 0) return status;
    return cli_fail(ASSAY_E_VALUE,
                    "score: average names nothing, expected embeddings as of --embed, "
                    "joined by commas");
}

assay_status score_try_average(struct score_answer *answer)
{
    const struct score_embedding how = score_how_to_embed(answer->request);
    struct score_average *average = &answer->average;
    assay_status status =
        list_embeddings(average, answer->request->embed, answer->request->average);

    for (size_t e = 0; e < average->n_embeddings && status == ASSAY_OK; e++) {
        assay_vectors *made = NULL;
        struct score_embedded by;

        if (e > 0) status = score_embed(average->embedding[e], answer->prompts, &how, &made, &by);
        if (status == ASSAY_OK) status = fit_trees(answer, made ? made : answer->vectors, e);
        assay_vectors_free(made);
    }
    if (status == ASSAY_OK) status = fit_average(answer);
    if (status == ASSAY_OK) status = fit_rows(answer);
    return status;
}

void score_average_free(struct score_average *average)
{
    for (size_t t = 0; t < average->n_trees; t++) assay_dendrogram_free(average->tree[t].made);
    assay_score_free(average->fit);
    free(average->tree);
    free(average->rows);
    free(average->embedding);
    free(average->names);
}

/* The embedding of the answer first, then the others, each once. */
static assay_status list_embeddings(struct score_average *average, const char *main,
                                    const char *others)
{
    size_t most = 2;

    for (const char *c = others; *c; c++) most += *c == ',';
    average->names = malloc(strlen(others) + 1);
    average->embedding = malloc(most * sizeof *average->embedding);
    average->tree = malloc(most * SCORE_N_LINKAGES * sizeof *average->tree);
    if (!average->names || !average->embedding || !average->tree) return cli_no_memory();
    strcpy(average->names, others);
    average->embedding[average->n_embeddings++] = main;
    for (char *name = average->names; name;) {
        char *end = strchr(name, ',');
        int is_new;

        if (end) *end++ = '\0';
        is_new = *name != '\0';
        for (size_t e = 0; e < average->n_embeddings; e++)
            if (strcmp(average->embedding[e], name) == 0) is_new = 0;
        if (is_new) average->embedding[average->n_embeddings++] = name;
        name = end;
    }
    return ASSAY_OK;
}

/* The answer's own tree is there already. A linkage that is not for so many prompts is left out,
   which print_score_warnings() tells. */
static assay_status fit_trees(struct score_answer *answer, const assay_vectors *vectors,
                              size_t embedding)
{
    struct score_average *average = &answer->average;
    assay_dendrogram_options options = score_tree_options(answer->request);

    for (int linkage = 0; linkage < SCORE_N_LINKAGES; linkage++) {
        struct score_tree *tree = &average->tree[average->n_trees];
        int is_own = embedding == 0 && linkage == answer->request->linkage;
        assay_status status = ASSAY_OK;

        options.linkage = (assay_linkage)linkage;
        tree->made = NULL;
        if (!is_own) status = assay_dendrogram_fit(vectors, &options, &tree->made);
        if (status == ASSAY_E_SHAPE) continue;
        if (status != ASSAY_OK) return status;
        tree->tree = is_own ? answer->tree : tree->made;
        tree->embedding = embedding;
        tree->linkage = linkage;
        average->n_trees++;
    }
    return ASSAY_OK;
}

static assay_status fit_average(struct score_answer *answer)
{
    struct score_average *average = &answer->average;
    const assay_dendrogram **trees = malloc((average->n_trees + 1) * sizeof(assay_dendrogram *));
    assay_score_options options;
    assay_status status;

    if (!trees) return cli_no_memory();
    for (size_t t = 0; t < average->n_trees; t++) trees[t] = average->tree[t].tree;
    assay_score_options_init(&options, sizeof options);
    options.level = answer->request->analysis.level;
    options.prior = answer->request->parsed_prior;
    options.hyper = 0;
    options.trees = trees;
    options.n_trees = average->n_trees;
    options.progress = cli_progress(answer->request->common.quiet);
    status = assay_score_fit(answer->tree, assay_trials_n_models(answer->trials),
                             assay_trials_successes(answer->trials),
                             assay_trials_trials(answer->trials), &options, &average->fit);
    free(trees);
    return status;
}

/* What each tree alone says of each model. */
static assay_status fit_rows(struct score_answer *answer)
{
    struct score_average *average = &answer->average;
    size_t n_models = assay_trials_n_models(answer->trials);
    assay_status status = ASSAY_OK;

    average->rows = calloc(n_models, (average->n_trees + 1) * sizeof *average->rows);
    if (!average->rows) return cli_no_memory();
    for (size_t k = 0; k < n_models; k++)
        for (size_t t = 0; t < average->n_trees && status == ASSAY_OK; t++) {
            const assay_dendrogram *tree = average->tree[t].tree;

            status = assay_sensitivity_to_trees(
                &tree, 1, score_successes(answer, k), score_runs(answer, k), NULL,
                &answer->request->parsed_prior, &average->rows[k * average->n_trees + t]);
        }
    return status;
}

double score_tree_weight(const struct score_answer *answer, size_t model, size_t tree)
{
    const struct score_average *average = &answer->average;
    const assay_sensitivity *rows = average->rows + model * average->n_trees;
    double most = -INFINITY, sum = 0.0;

    for (size_t t = 0; t < average->n_trees; t++) most = fmax(most, rows[t].log_evidence);
    for (size_t t = 0; t < average->n_trees; t++) sum += exp(rows[t].log_evidence - most);
    return exp(rows[tree].log_evidence - most) / sum;
}
