/* SPDX-License-Identifier: Apache-2.0 */
/* What other priors, linkages and families of partitions would say of each model. */
#include "score_answer.h"
#include "session.h"

#include <assay/families.h>
#include <math.h>
#include <stdlib.h>

static assay_status try_priors(const struct score_answer *answer, size_t model,
                               assay_sensitivity *rows);
static assay_status try_linkage(struct score_answer *answer, int linkage, size_t choice);
static assay_status try_family(struct score_answer *answer, size_t family);

static const char *const linkages[SCORE_N_LINKAGES] = { "average", "complete", "single" };

enum { K_MEANS, DBSCAN, N_FAMILIES };
static const char *const families[N_FAMILIES] = { "k-means", "dbscan" };

/* Neighbours that make a core prompt, itself counted. */
enum { DBSCAN_MIN_SAMPLES = 2 };

static size_t n_priors(void)
{
    size_t n;

    assay_sensitivity_priors(&n);
    return n;
}

const char *score_linkage_name(int linkage)
{
    return linkages[linkage];
}

size_t score_n_choices(const struct score_answer *answer)
{
    return n_priors() + SCORE_N_LINKAGES + (answer->request->families ? N_FAMILIES : 0);
}

const char *score_choice_kind(size_t choice)
{
    if (choice < n_priors()) return "prior";
    return choice < n_priors() + SCORE_N_LINKAGES ? "linkage" : "family";
}

const char *score_choice_name(size_t choice)
{
    size_t n;
    const assay_prior *priors = assay_sensitivity_priors(&n);

    if (choice < n) return assay_prior_name(priors[choice].kind);
    choice -= n;
    return choice < SCORE_N_LINKAGES ? linkages[choice] : families[choice - SCORE_N_LINKAGES];
}

assay_status score_try_choices(struct score_answer *answer)
{
    size_t n = score_n_choices(answer), n_models = assay_trials_n_models(answer->trials);
    assay_status status = ASSAY_OK;

    answer->choices = calloc(n_models, n * sizeof *answer->choices);
    if (!answer->choices) return cli_no_memory();
    for (size_t k = 0; k < n_models && status == ASSAY_OK; k++)
        status = try_priors(answer, k, answer->choices + k * n);
    for (int linkage = 0; linkage < SCORE_N_LINKAGES && status == ASSAY_OK; linkage++)
        status = try_linkage(answer, linkage, n_priors() + (size_t)linkage);
    for (size_t family = 0; answer->request->families && family < N_FAMILIES && status == ASSAY_OK;
         family++)
        status = try_family(answer, family);
    return status;
}

/* A choice that is impossible here (a tree too large, a prior that fits no number of prompts) is an
   empty row, no fault. */
static assay_status forgive(assay_status status, assay_sensitivity *row)
{
    if (status != ASSAY_E_DEGENERATE && status != ASSAY_E_SHAPE) return status;
    *row = (assay_sensitivity){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    return ASSAY_OK;
}

static assay_status try_priors(const struct score_answer *answer, size_t model,
                               assay_sensitivity *rows)
{
    size_t n;
    const assay_prior *priors = assay_sensitivity_priors(&n);
    assay_status status = ASSAY_OK;

    for (size_t p = 0; p < n && status == ASSAY_OK; p++)
        status = forgive(assay_sensitivity_to_priors(answer->tree, score_successes(answer, model),
                                                     score_runs(answer, model), NULL, &priors[p], 1,
                                                     &rows[p]),
                         &rows[p]);
    return status;
}

static assay_status try_linkage(struct score_answer *answer, int linkage, size_t choice)
{
    assay_dendrogram_options options = score_tree_options(answer->request);
    const assay_dendrogram *trees[1] = { answer->tree };
    assay_dendrogram *made = NULL;
    assay_status fitted = ASSAY_OK, status = ASSAY_OK;

    options.linkage = (assay_linkage)linkage;
    if (linkage != answer->request->linkage) {
        fitted = assay_dendrogram_fit(answer->vectors, &options, &made);
        trees[0] = made;
    }
    for (size_t k = 0; k < assay_trials_n_models(answer->trials) && status == ASSAY_OK; k++) {
        assay_sensitivity *row = &answer->choices[k * score_n_choices(answer) + choice];

        status = fitted;
        if (status == ASSAY_OK)
            status = assay_sensitivity_to_trees(trees, 1, score_successes(answer, k),
                                                score_runs(answer, k), NULL,
                                                &answer->request->parsed_prior, row);
        status = forgive(status, row);
    }
    assay_dendrogram_free(made);
    return status;
}

static assay_status family_row(const struct score_answer *answer, size_t family, size_t model,
                               assay_sensitivity *row)
{
    const struct score_request *request = answer->request;
    const double *x = score_successes(answer, model), *m = score_runs(answer, model);

    if (family == K_MEANS && score_is_by_turn(answer))
        return cli_fail(ASSAY_E_DEGENERATE, "score: the largest distance has no centres");
    if (family == K_MEANS)
        return assay_sensitivity_to_kmeans(answer->vectors, x, m, NULL, &request->parsed_prior, 0,
                                           request->analysis.seed, request->threads, row);
    return assay_sensitivity_to_dbscan(answer->vectors, x, m, NULL, &request->parsed_prior,
                                       DBSCAN_MIN_SAMPLES, row);
}

static assay_status try_family(struct score_answer *answer, size_t family)
{
    size_t choice = n_priors() + SCORE_N_LINKAGES + family;
    size_t n_models = assay_trials_n_models(answer->trials);
    assay_progress progress = cli_progress(answer->request->common.quiet);
    assay_status status = ASSAY_OK;

    for (size_t k = 0; k < n_models && status == ASSAY_OK; k++) {
        assay_sensitivity *row = &answer->choices[k * score_n_choices(answer) + choice];

        if (progress.step &&
            progress.step(progress.user, families[family], (double)k / (double)n_models) != 0)
            return cli_fail(ASSAY_E_CANCELLED, "score was interrupted");
        status = forgive(family_row(answer, family, k, row), row);
    }
    return status;
}
