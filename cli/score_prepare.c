/* SPDX-License-Identifier: Apache-2.0 */
/* From the inputs of `assay score` to a fit: prompts, trials, vectors, trees. */
#include "score_answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

static assay_status read_prompts(struct score_answer *answer);
static assay_status number_labels(struct score_answer *answer);
static assay_status count_missing(struct score_answer *answer);
static assay_status make_vectors(struct score_answer *answer);
static assay_status make_trees(struct score_answer *answer);
static assay_status find_topics(struct score_answer *answer);
static assay_status rank_models(struct score_answer *answer);

const char *score_model_name(const struct score_answer *answer, size_t k)
{
    return assay_results_model(answer->results, assay_trials_model(answer->trials, k));
}

double score_value(const struct score_answer *answer, size_t k, assay_score_number number)
{
    return assay_score_value(answer->fit, k, number);
}

const double *score_successes(const struct score_answer *answer, size_t k)
{
    return assay_trials_successes(answer->trials) + k * assay_trials_n_prompts(answer->trials);
}

const double *score_runs(const struct score_answer *answer, size_t k)
{
    return assay_trials_trials(answer->trials) + k * assay_trials_n_prompts(answer->trials);
}

assay_status score_prepare(struct score_answer *answer)
{
    assay_status status = read_prompts(answer);

    if (status == ASSAY_OK) status = number_labels(answer);
    if (status == ASSAY_OK) status = count_missing(answer);
    if (status == ASSAY_OK)
        status = assay_trials_count(answer->results, answer->prompts, &answer->trials);
    if (status == ASSAY_OK) status = make_vectors(answer);
    if (status == ASSAY_OK) status = make_trees(answer);
    return status;
}

static assay_status read_prompts(struct score_answer *answer)
{
    const struct score_request *request = answer->request;
    assay_prompts_options options;

    assay_prompts_options_init(&options, sizeof options);
    options.progress = cli_progress(request->common.quiet);
    if (request->prompts) return assay_prompts_read(request->prompts, &options, &answer->prompts);
    return assay_prompts_from_results(answer->results, &answer->prompts);
}

/* The given clusters, or none. */
static assay_status number_labels(struct score_answer *answer)
{
    size_t n_labels = 0;
    assay_status status;

    answer->labels = malloc(assay_prompts_n(answer->prompts) * sizeof *answer->labels);
    if (!answer->labels) return cli_no_memory();
    status = assay_prompts_labels(answer->prompts, answer->labels, &n_labels);
    if (n_labels > 0) return status;
    free(answer->labels);
    answer->labels = NULL;
    return status;
}

/* Before they are counted as trials. */
static assay_status count_missing(struct score_answer *answer)
{
    size_t n = assay_results_n_models(answer->results);
    assay_status status = ASSAY_OK;

    if (answer->request->missing == ASSAY_MISSING_WRONG)
        status = assay_missing_as_wrong(answer->results, &answer->n_as_wrong);
    if (status != ASSAY_OK) return status;
    answer->missing = malloc((n ? n : 1) * sizeof *answer->missing);
    if (!answer->missing) return cli_no_memory();
    return assay_missing_count(answer->results, answer->prompts, answer->missing,
                               &answer->n_shared);
}

struct score_embedding score_how_to_embed(const struct score_request *request)
{
    return (struct score_embedding){ .turns = request->turns,
                                     .threads = request->threads,
                                     .quiet = request->common.quiet };
}

static assay_status make_vectors(struct score_answer *answer)
{
    const struct score_embedding how = score_how_to_embed(answer->request);

    return score_embed(answer->request->embed, answer->prompts, &how, &answer->vectors,
                       &answer->embedded);
}

assay_dendrogram_options score_tree_options(const struct score_request *request)
{
    assay_dendrogram_options options;

    assay_dendrogram_options_init(&options, sizeof options);
    options.threads = request->threads;
    options.tie_seed = request->analysis.seed;
    options.progress = cli_progress(request->common.quiet);
    return options;
}

/* The tree, and where merges are tied its like in other orders. */
static assay_status make_trees(struct score_answer *answer)
{
    const struct score_request *request = answer->request;
    assay_dendrogram_options options = score_tree_options(request);
    size_t n_orders = request->tie_orders > 0 ? (size_t)request->tie_orders : 0;
    assay_status status;

    options.linkage = (assay_linkage)request->linkage;
    status = assay_dendrogram_fit(answer->vectors, &options, &answer->tree);
    if (status != ASSAY_OK) return status;
    if (request->tie_orders < 0 && assay_dendrogram_n_tied(answer->tree) > 0) n_orders = 20;
    answer->orders = calloc(n_orders ? n_orders : 1, sizeof(assay_dendrogram *));
    if (!answer->orders) return cli_no_memory();
    while (answer->n_orders < n_orders && status == ASSAY_OK) {
        options.tie_order = answer->n_orders + 1;
        status = assay_dendrogram_fit(answer->vectors, &options, &answer->orders[answer->n_orders]);
        if (status == ASSAY_OK) answer->n_orders++;
    }
    return status;
}

/* ---- the fit ---- */

assay_status score_fit(struct score_answer *answer)
{
    static const int hyper[] = {
        [SCORE_HYPER_AUTO] = -1, [SCORE_HYPER_ON] = 1, [SCORE_HYPER_OFF] = 0
    };
    const struct score_request *request = answer->request;
    assay_score_options options;
    assay_status status;

    assay_score_options_init(&options, sizeof options);
    options.level = request->analysis.level;
    options.prior = request->parsed_prior;
    options.hyper = hyper[request->hyper];
    options.kappa = request->kappa;
    options.partitions = request->partitions;
    options.trees = (const assay_dendrogram *const *)answer->orders;
    options.n_trees = answer->n_orders;
    options.progress = cli_progress(request->common.quiet);
    status = assay_score_fit(answer->tree, assay_trials_n_models(answer->trials),
                             assay_trials_successes(answer->trials),
                             assay_trials_trials(answer->trials), &options, &answer->fit);
    if (status == ASSAY_OK) status = find_topics(answer);
    if (status == ASSAY_OK) status = rank_models(answer);
    return status;
}

/* How many of the topics have a scored prompt; is_scored[n ..] is room. */
static size_t n_scored_topics(const struct score_answer *answer, unsigned char *is_scored,
                              size_t n_topics)
{
    size_t n = assay_prompts_n(answer->prompts), count = 0;
    unsigned char *seen = is_scored + n;

    memset(seen, 0, n_topics);
    for (size_t i = 0; i < n; i++) {
        if (!is_scored[i] || seen[answer->topics[i]]) continue;
        seen[answer->topics[i]] = 1;
        count++;
    }
    return count;
}

/* The cut in which the scored prompts are of as many topics as is most probable: prompts that nobody
   ran fall where the tree has them. */
static assay_status find_topics(struct score_answer *answer)
{
    size_t n = assay_prompts_n(answer->prompts);
    size_t wanted = (size_t)assay_score_joint(answer->fit, ASSAY_SCORE_JOINT_TOPICS_MAP);
    size_t low = wanted, high = wanted + assay_trials_n_unscored_prompts(answer->trials);
    unsigned char *is_scored = calloc(2 * n, 1);
    assay_status status = ASSAY_OK;

    answer->topics = malloc(n * sizeof *answer->topics);
    if (!answer->topics || !is_scored) status = cli_no_memory();
    for (size_t k = 0; k < assay_trials_n_models(answer->trials) && status == ASSAY_OK; k++)
        for (size_t i = 0; i < n; i++) is_scored[i] |= score_runs(answer, k)[i] > 0.0;
    while (status == ASSAY_OK && low < high) {
        size_t middle = low + (high - low) / 2;

        status = assay_dendrogram_labels(answer->tree, middle, answer->topics);
        if (status != ASSAY_OK) break;
        if (n_scored_topics(answer, is_scored, middle) >= wanted)
            high = middle;
        else
            low = middle + 1;
    }
    answer->n_topics = low;
    if (status == ASSAY_OK) status = assay_dendrogram_labels(answer->tree, low, answer->topics);
    free(is_scored);
    return status;
}

static double corrected(const struct score_answer *answer, size_t k)
{
    return score_value(answer, k, ASSAY_SCORE_CORRECTED);
}

/* By insertion: models are few, and equal ones keep their order. */
static assay_status rank_models(struct score_answer *answer)
{
    size_t n = assay_trials_n_models(answer->trials), *order = malloc(n * sizeof *order);

    if (!order) return cli_no_memory();
    for (size_t k = 0; k < n; k++) {
        size_t j = k;

        for (; j > 0 && corrected(answer, order[j - 1]) < corrected(answer, k); j--)
            order[j] = order[j - 1];
        order[j] = k;
    }
    answer->order = order;
    return ASSAY_OK;
}
