/* SPDX-License-Identifier: Apache-2.0 */
/* truth.json, schema "assay.simulation/1": its keys are stable and described in docs/simulate.md.
 */
#include "assay/json_writer.h"
#include "simulate/write.h"

static void write_options(assay_json *json, const assay_simulate_options *opt);
static void write_clusters(assay_json *json, const assay_simulation *sim);
static void write_items(assay_json *json, const assay_simulation *sim);
static void write_templates(assay_json *json, const assay_simulation *sim);
static void write_models(assay_json *json, const assay_simulation *sim);

void assay_simulation_write_truth(const assay_simulation *sim, FILE *to)
{
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    assay_json_key(&json, "schema");
    assay_json_text(&json, "assay.simulation/1");
    assay_json_key(&json, "assay_version");
    assay_json_text(&json, assay_version());
    assay_json_key(&json, "seed");
    assay_json_count(&json, sim->options.seed);
    write_options(&json, &sim->options);
    assay_json_key(&json, "texts_distinct");
    assay_json_bool(&json, sim->texts_distinct);
    assay_json_key(&json, "ed_task");
    assay_json_number(&json, sim->dimension);
    write_clusters(&json, sim);
    write_items(&json, sim);
    write_templates(&json, sim);
    write_models(&json, sim);
    assay_json_end_object(&json);
    putc('\n', to);
}

static void write_count(assay_json *json, const char *key, size_t value)
{
    assay_json_key(json, key);
    assay_json_count(json, value);
}

static void write_number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

static void write_numbers(assay_json *json, const char *key, const double *values, size_t n)
{
    assay_json_key(json, key);
    assay_json_begin_array_in_line(json);
    for (size_t i = 0; i < n; i++) assay_json_number(json, values[i]);
    assay_json_end_array(json);
}

static void write_options(assay_json *json, const assay_simulate_options *opt)
{
    assay_json_key(json, "options");
    assay_json_begin_object(json);
    write_count(json, "items", opt->n_items);
    write_count(json, "clusters", opt->n_clusters);
    write_count(json, "models", opt->n_models);
    write_count(json, "dimensions", opt->n_dimensions);
    write_count(json, "templates", opt->n_templates);
    write_count(json, "runs", opt->n_runs);
    assay_json_key(json, "members");
    assay_json_text(json,
                    opt->members == ASSAY_MEMBERS_SHARE_WORDS ? "share-words" : "paraphrases");
    write_number(json, "size_exponent", opt->size_exponent);
    write_number(json, "difficulty_mean", opt->difficulty_mean);
    write_number(json, "difficulty_sd", opt->difficulty_sd);
    write_number(json, "cluster_share", opt->cluster_share);
    write_number(json, "ability_sd", opt->ability_sd);
    write_number(json, "cross_loading", opt->cross_loading);
    write_number(json, "template_sd", opt->template_sd);
    write_number(json, "template_model_sd", opt->template_model_sd);
    write_number(json, "missing_rate", opt->missing_rate);
    assay_json_end_object(json);
}

static void write_clusters(assay_json *json, const assay_simulation *sim)
{
    size_t n_dimensions = sim->options.n_dimensions;

    assay_json_key(json, "clusters");
    assay_json_begin_array(json);
    for (size_t c = 0; c < sim->options.n_clusters; c++) {
        assay_json_begin_object(json);
        assay_json_key(json, "cluster");
        assay_json_text(json, sim->cluster_name[c].text);
        assay_json_key(json, "topic");
        assay_json_text(json, sim->topic_label[c]);
        assay_json_key(json, "task");
        assay_json_text(json, sim->task_label[c]);
        write_count(json, "size", sim->cluster_size[c]);
        write_numbers(json, "loading", sim->loading + c * n_dimensions, n_dimensions);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void write_items(assay_json *json, const assay_simulation *sim)
{
    write_numbers(json, "difficulty", sim->difficulty, sim->options.n_items);
}

static void write_templates(assay_json *json, const assay_simulation *sim)
{
    assay_json_key(json, "templates");
    assay_json_begin_array(json);
    for (size_t t = 0; t < sim->options.n_templates; t++) {
        assay_json_begin_object(json);
        assay_json_key(json, "template");
        assay_json_text(json, sim->template_name[t].text);
        write_number(json, "effect", sim->template_effect[t]);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void write_models(assay_json *json, const assay_simulation *sim)
{
    const assay_simulate_options *opt = &sim->options;

    assay_json_key(json, "models");
    assay_json_begin_array(json);
    for (size_t m = 0; m < opt->n_models; m++) {
        assay_json_begin_object(json);
        assay_json_key(json, "model");
        assay_json_text(json, sim->model_name[m].text);
        write_number(json, "score", sim->score[m]);
        write_number(json, "score_of_clusters", sim->score_of_clusters[m]);
        write_numbers(json, "ability", sim->ability + m * opt->n_dimensions, opt->n_dimensions);
        write_numbers(json, "cluster_scores", sim->cluster_score + m * opt->n_clusters,
                      opt->n_clusters);
        write_numbers(json, "template_scores", sim->template_score + m * opt->n_templates,
                      opt->n_templates);
        write_numbers(json, "template_interactions", sim->interaction + m * opt->n_templates,
                      opt->n_templates);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}
