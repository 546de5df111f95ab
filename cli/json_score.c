/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay score` as JSON: the contract is in docs/score.md. */
#include "embedder.h"
#include "print_score.h"
#include "session.h"

#include <math.h>
#include <string.h>

static const char no_orders[] = "no orders of ties were averaged over";

static void number(assay_json *json, const char *key, double x)
{
    assay_json_key(json, key);
    assay_json_number(json, x);
}

static void count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void text(assay_json *json, const char *key, const char *words)
{
    assay_json_key(json, key);
    assay_json_text(json, words);
}

static void pair(assay_json *json, const char *key, double low, double high)
{
    assay_json_key(json, key);
    if (isnan(low) || isnan(high)) {
        assay_json_null(json);
        return;
    }
    assay_json_begin_array_in_line(json);
    assay_json_number(json, low);
    assay_json_number(json, high);
    assay_json_end_array(json);
}

static void open_object(assay_json *json, const char *key)
{
    assay_json_key(json, key);
    assay_json_begin_object(json);
}

/* An object, or null with the reason beside it when its first number cannot be given. */
static int open_or_null(assay_json *json, const char *key, const struct score_answer *answer,
                        size_t k, assay_score_number first)
{
    if (!isnan(score_value(answer, k, first))) {
        open_object(json, key);
        return 1;
    }
    cli_json_estimate(json, key, NAN, assay_score_reason(answer->fit, k, first));
    return 0;
}

static void json_raw(assay_json *json, const struct score_answer *answer, size_t k)
{
    const struct score_raw *raw = &answer->raw[k];

    open_object(json, "raw");
    number(json, "mean", raw->mean);
    pair(json, "wilson", raw->wilson[0], raw->wilson[1]);
    pair(json, "clopper_pearson", raw->clopper_pearson[0], raw->clopper_pearson[1]);
    pair(json, "jeffreys", raw->jeffreys[0], raw->jeffreys[1]);
    pair(json, "wald_trials", raw->wald_trials[0], raw->wald_trials[1]);
    pair(json, "clustered", raw->clustered[0], raw->clustered[1]);
    if (isnan(raw->clustered[0]))
        text(json, "clustered_reason",
             raw->n_clusters < 2 ? "all prompts are of one cluster" : "all clusters score alike");
    count(json, "clusters", raw->n_clusters);
    number(json, "equal_clusters", raw->equal_clusters);
    text(json, "clustered_by", raw->given ? "given labels" : "inferred topics");
    open_object(json, "lead");
    pair(json, "interval", score_lead_interval(raw)[0], score_lead_interval(raw)[1]);
    text(json, "method", score_lead_method(raw));
    text(json, "about", score_lead_about(raw));
    assay_json_end_object(json);
    assay_json_end_object(json);
}

/* With --hpd: a list of intervals for each reading. */
static void json_densest(assay_json *json, const struct score_answer *answer, size_t k)
{
    static const char *const keys[] = { "topics", "mean", "new_topics" };

    if (!answer->request->hpd) return;
    open_object(json, "hpd");
    for (int reading = 0; reading < 3; reading++) {
        double set[SCORE_MOST_PIECES][2];
        size_t n = 0;

        if (assay_score_hpd(answer->fit, k, (assay_reading)reading, answer->request->analysis.level,
                            set, SCORE_MOST_PIECES, &n) != ASSAY_OK) {
            cli_json_estimate(json, keys[reading], NAN, assay_last_error());
            continue;
        }
        assay_json_key(json, keys[reading]);
        assay_json_begin_array_in_line(json);
        for (size_t i = 0; i < n; i++) {
            assay_json_begin_array_in_line(json);
            assay_json_number(json, set[i][0]);
            assay_json_number(json, set[i][1]);
            assay_json_end_array(json);
        }
        assay_json_end_array(json);
    }
    assay_json_end_object(json);
}

static void json_bounds(assay_json *json, const char *key, const struct score_answer *answer,
                        size_t k, const assay_score_number bounds[2])
{
    pair(json, key, score_value(answer, k, bounds[0]), score_value(answer, k, bounds[1]));
}

static void json_readings(assay_json *json, const struct score_answer *answer, size_t k,
                          const struct score_readings *at)
{
    number(json, "mean", score_value(answer, k, at->mean));
    number(json, "sd", score_value(answer, k, at->spread_sd));
    json_bounds(json, "interval_topics", answer, k, at->spread);
    json_bounds(json, "interval_mean", answer, k, at->these);
    json_bounds(json, "interval_new_topics", answer, k, at->like);
    number(json, "sd_mean", score_value(answer, k, at->these_sd));
    number(json, "sd_new_topics", score_value(answer, k, at->like_sd));
}

static void json_corrected(assay_json *json, const struct score_answer *answer, size_t k)
{
    open_object(json, "corrected");
    json_readings(json, answer, k, &score_published);
    json_densest(json, answer, k);
    assay_json_end_object(json);
}

static void json_hyper(assay_json *json, const struct score_answer *answer, size_t k)
{
    if (!open_or_null(json, "hyper", answer, k, ASSAY_SCORE_HYPER_CORRECTED)) return;
    json_readings(json, answer, k, &score_learnt);
    number(json, "clusters", score_value(answer, k, ASSAY_SCORE_HYPER_TOPICS));
    number(json, "mu", score_value(answer, k, ASSAY_SCORE_HYPER_MU));
    number(json, "nu", score_value(answer, k, ASSAY_SCORE_HYPER_NU));
    number(json, "log_evidence", score_value(answer, k, ASSAY_SCORE_HYPER_LOG_EVIDENCE));
    assay_json_end_object(json);
}

static void json_extensions(assay_json *json, const struct score_answer *answer, size_t k)
{
    if (open_or_null(json, "kappa", answer, k, ASSAY_SCORE_KAPPA_CORRECTED)) {
        number(json, "mean", score_value(answer, k, ASSAY_SCORE_KAPPA_CORRECTED));
        number(json, "kappa", score_value(answer, k, ASSAY_SCORE_KAPPA));
        number(json, "clusters", score_value(answer, k, ASSAY_SCORE_KAPPA_TOPICS));
        number(json, "log_evidence", score_value(answer, k, ASSAY_SCORE_KAPPA_LOG_EVIDENCE));
        assay_json_end_object(json);
    }
    if (open_or_null(json, "partitions", answer, k, ASSAY_SCORE_PARTITIONS_CORRECTED)) {
        number(json, "mean", score_value(answer, k, ASSAY_SCORE_PARTITIONS_CORRECTED));
        pair(json, "interval_topics", score_value(answer, k, ASSAY_SCORE_PARTITIONS_SPREAD_LOW),
             score_value(answer, k, ASSAY_SCORE_PARTITIONS_SPREAD_HIGH));
        number(json, "clusters", score_value(answer, k, ASSAY_SCORE_PARTITIONS_TOPICS));
        number(json, "log_evidence", score_value(answer, k, ASSAY_SCORE_PARTITIONS_LOG_EVIDENCE));
        assay_json_end_object(json);
    }
}

static void json_sizes(assay_json *json, const struct score_answer *answer, size_t k)
{
    open_object(json, "clusters");
    number(json, "mean", score_value(answer, k, ASSAY_SCORE_TOPICS));
    number(json, "low", score_value(answer, k, ASSAY_SCORE_TOPICS_LOW));
    number(json, "high", score_value(answer, k, ASSAY_SCORE_TOPICS_HIGH));
    number(json, "map", score_value(answer, k, ASSAY_SCORE_TOPICS_MAP));
    number(json, "ratio", score_value(answer, k, ASSAY_SCORE_OVERCOUNT));
    number(json, "reduction", score_value(answer, k, ASSAY_SCORE_REDUCTION));
    number(json, "runs_per_topic", score_value(answer, k, ASSAY_SCORE_RUNS_PER_TOPIC));
    assay_json_end_object(json);
    open_object(json, "ess");
    number(json, "topics", score_value(answer, k, ASSAY_SCORE_TOPICS));
    number(json, "unweighted_mean", score_value(answer, k, ASSAY_SCORE_KISH));
    cli_json_estimate(json, "response", score_value(answer, k, ASSAY_SCORE_RESPONSE_SIZE),
                      assay_score_reason(answer->fit, k, ASSAY_SCORE_RESPONSE_SIZE));
    assay_json_end_object(json);
}

static void json_ties_of_model(assay_json *json, const struct score_answer *answer, size_t k)
{
    if (!answer->n_orders) {
        cli_json_estimate(json, "ties", NAN, no_orders);
        return;
    }
    open_object(json, "ties");
    number(json, "mean", score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED));
    pair(json, "mean_range", score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_LEAST),
         score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_MOST));
    pair(json, "interval_mean", score_value(answer, k, ASSAY_SCORE_TREES_THESE_LOW),
         score_value(answer, k, ASSAY_SCORE_TREES_THESE_HIGH));
    number(json, "clusters", score_value(answer, k, ASSAY_SCORE_TREES_TOPICS));
    pair(json, "clusters_range", score_value(answer, k, ASSAY_SCORE_TREES_TOPICS_LEAST),
         score_value(answer, k, ASSAY_SCORE_TREES_TOPICS_MOST));
    assay_json_end_object(json);
}

static void json_validation(assay_json *json, const struct score_answer *answer, size_t k)
{
    if (!answer->validated) return;
    if (answer->validated[k].n == 0) {
        cli_json_estimate(json, "cv", NAN, "fewer than 2 folds have prompts of this model");
        return;
    }
    assay_json_key(json, "cv");
    assay_json_begin_array(json);
    for (int method = 0; method < ASSAY_VALIDATION_N_METHODS; method++) {
        assay_validation_score s = answer->validated[k].method[method];

        if (isnan(s.mae)) continue;
        assay_json_begin_object(json);
        text(json, "method", assay_validation_name((assay_validation_method)method));
        number(json, "mae", s.mae);
        number(json, "elpd", s.elpd);
        number(json, "elpd_se", s.elpd_se);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_choices(assay_json *json, const struct score_answer *answer, size_t k)
{
    if (!answer->choices) return;
    assay_json_key(json, "sensitivity");
    assay_json_begin_array(json);
    for (size_t c = 0; c < score_n_choices(answer); c++) {
        const assay_sensitivity *row = &answer->choices[k * score_n_choices(answer) + c];

        assay_json_begin_object(json);
        text(json, score_choice_kind(c), score_choice_name(c));
        number(json, "clusters", row->topics);
        number(json, "low", row->topics_low);
        number(json, "high", row->topics_high);
        number(json, "mean", row->score);
        number(json, "log_evidence", row->log_evidence);
        if (isnan(row->topics)) text(json, "reason", "impossible with these prompts, or too large");
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_average(assay_json *json, const struct score_answer *answer, size_t k)
{
    const struct score_average *average = &answer->average;

    if (!average->fit) return;
    open_object(json, "average");
    number(json, "mean", assay_score_value(average->fit, k, ASSAY_SCORE_TREES_CORRECTED));
    pair(json, "interval_topics", assay_score_value(average->fit, k, ASSAY_SCORE_TREES_SPREAD_LOW),
         assay_score_value(average->fit, k, ASSAY_SCORE_TREES_SPREAD_HIGH));
    pair(json, "interval_mean", assay_score_value(average->fit, k, ASSAY_SCORE_TREES_THESE_LOW),
         assay_score_value(average->fit, k, ASSAY_SCORE_TREES_THESE_HIGH));
    pair(json, "interval_new_topics",
         assay_score_value(average->fit, k, ASSAY_SCORE_TREES_LIKE_LOW),
         assay_score_value(average->fit, k, ASSAY_SCORE_TREES_LIKE_HIGH));
    number(json, "clusters", assay_score_value(average->fit, k, ASSAY_SCORE_TREES_TOPICS));
    number(json, "log_evidence",
           assay_score_value(average->fit, k, ASSAY_SCORE_TREES_LOG_EVIDENCE));
    assay_json_key(json, "over");
    assay_json_begin_array(json);
    for (size_t t = 0; t < average->n_trees; t++) {
        const assay_sensitivity *row = &average->rows[k * average->n_trees + t];
        char shown[CLI_URL_SIZE];

        assay_json_begin_object(json);
        text(json, "embedding",
             cli_url_shown(average->embedding[average->tree[t].embedding], shown));
        text(json, "linkage", score_linkage_name(average->tree[t].linkage));
        number(json, "clusters", row->topics);
        number(json, "mean", row->score);
        number(json, "log_evidence", row->log_evidence);
        number(json, "weight", score_tree_weight(answer, k, t));
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    assay_json_end_object(json);
}

static void json_models(assay_json *json, const struct score_answer *answer)
{
    assay_json_key(json, "models");
    assay_json_begin_array(json);
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        assay_json_begin_object(json);
        text(json, "model", score_model_name(answer, k));
        number(json, "n", score_value(answer, k, ASSAY_SCORE_PROMPTS));
        number(json, "trials", score_value(answer, k, ASSAY_SCORE_RUNS));
        json_raw(json, answer, k);
        print_score_missing_json(json, answer, k);
        json_corrected(json, answer, k);
        json_hyper(json, answer, k);
        json_extensions(json, answer, k);
        json_sizes(json, answer, k);
        json_ties_of_model(json, answer, k);
        if (answer->request->hit > 0.0)
            number(json, "hit", assay_score_hit(answer->fit, k, answer->request->hit));
        number(json, "log_evidence", score_value(answer, k, ASSAY_SCORE_LOG_EVIDENCE));
        json_choices(json, answer, k);
        json_average(json, answer, k);
        json_validation(json, answer, k);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_joint(assay_json *json, const struct score_answer *answer)
{
    open_object(json, "joint");
    open_object(json, "clusters");
    number(json, "mean", assay_score_joint(answer->fit, ASSAY_SCORE_JOINT_TOPICS));
    number(json, "low", assay_score_joint(answer->fit, ASSAY_SCORE_JOINT_TOPICS_LOW));
    number(json, "high", assay_score_joint(answer->fit, ASSAY_SCORE_JOINT_TOPICS_HIGH));
    number(json, "map", assay_score_joint(answer->fit, ASSAY_SCORE_JOINT_TOPICS_MAP));
    pair(json, "range_over_models", assay_score_joint(answer->fit, ASSAY_SCORE_JOINT_LEAST),
         assay_score_joint(answer->fit, ASSAY_SCORE_JOINT_MOST));
    assay_json_end_object(json);
    assay_json_end_object(json);
}

static void json_hopkins(assay_json *json, const struct score_answer *answer)
{
    static const char *const kinds[] = { "permutation", "gaussian" };
    const assay_hopkins *h = &answer->measured;

    if (!answer->request->hopkins) return;
    if (answer->not_measured[0]) {
        cli_json_estimate(json, "hopkins", NAN, answer->not_measured);
        return;
    }
    open_object(json, "hopkins");
    number(json, "value", h->mean);
    number(json, "se", h->se);
    text(json, "variant", "box, Euclidean, d = 1, m = n / 10");
    count(json, "repeats", h->repeats);
    count(json, "data_sets", h->data_sets);
    assay_json_key(json, "nulls");
    assay_json_begin_array(json);
    for (size_t k = 0; k < ASSAY_HOPKINS_N_NULLS; k++) {
        assay_json_begin_object(json);
        text(json, "kind", kinds[k]);
        number(json, "mean", h->against[k].mean);
        number(json, "sd", h->against[k].sd);
        number(json, "z", h->against[k].z);
        number(json, "p", h->against[k].p);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    assay_json_end_object(json);
}

/* Over random orders of tied merges and over the models: how far the answer moves. */
static void json_ties(assay_json *json, const struct score_answer *answer)
{
    size_t n_models = assay_trials_n_models(answer->trials);
    double mean = 0.0, low = INFINITY, high = 0.0, spread = 0.0;

    for (size_t k = 0; k < n_models; k++) {
        mean += score_value(answer, k, ASSAY_SCORE_TREES_TOPICS) / (double)n_models;
        low = fmin(low, score_value(answer, k, ASSAY_SCORE_TREES_TOPICS_LEAST));
        high = fmax(high, score_value(answer, k, ASSAY_SCORE_TREES_TOPICS_MOST));
        spread = fmax(spread, score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_MOST) -
                                  score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_LEAST));
    }
    open_object(json, "ties");
    count(json, "tied_merges", assay_dendrogram_n_tied(answer->tree));
    count(json, "orders", answer->n_orders);
    if (answer->n_orders) {
        open_object(json, "clusters");
        number(json, "mean", mean);
        number(json, "low", low);
        number(json, "high", high);
        assay_json_end_object(json);
        number(json, "mean_spread", spread);
    } else {
        cli_json_estimate(json, "clusters", NAN, no_orders);
        cli_json_estimate(json, "mean_spread", NAN, no_orders);
    }
    assay_json_end_object(json);
}

static void json_prompts(assay_json *json, const struct score_answer *answer)
{
    open_object(json, "prompts");
    count(json, "n", assay_prompts_n(answer->prompts));
    count(json, "distinct_text", assay_prompts_n_distinct(answer->prompts));
    count(json, "distinct_vectors", assay_vectors_n_distinct(answer->vectors));
    count(json, "zero_vectors", assay_vectors_n_zero(answer->vectors));
    print_score_truncated_json(json, answer);
    print_score_turns_json(json, answer);
    count(json, "unscored", assay_trials_n_unscored_prompts(answer->trials));
    count(json, "unknown_items", assay_trials_n_unknown_items(answer->trials));
    json_hopkins(json, answer);
    assay_json_end_object(json);
}

void json_score(assay_json *json, const struct score_answer *answer)
{
    number(json, "level", answer->request->analysis.level);
    json_models(json, answer);
    print_score_policy_json(json, answer);
    json_joint(json, answer);
    json_ties(json, answer);
    text(json, "prior", answer->request->prior);
    text(json, "linkage", score_linkage_name(answer->request->linkage));
    print_score_embedding_json(json, answer);
    json_prompts(json, answer);
}

assay_status print_score_json(FILE *to, const void *data)
{
    const struct score_answer *answer = data;
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    cli_json_head(&json, "assay.score/1", "score", answer->request->analysis.seed, answer->results);
    json_score(&json, answer);
    assay_json_end_object(&json);
    putc('\n', to);
    return ASSAY_OK;
}
