/* SPDX-License-Identifier: Apache-2.0 */
/* What callers may look up in a simulation. */
#include "simulate/simulation.h"

const assay_simulate_options *assay_simulation_options(const assay_simulation *sim)
{
    return &sim->options;
}

const char *assay_simulation_item(const assay_simulation *sim, size_t item)
{
    return sim->item_name[item].text;
}

const char *assay_simulation_item_text(const assay_simulation *sim, size_t item)
{
    return sim->texts + sim->text_at[item];
}

size_t assay_simulation_item_cluster(const assay_simulation *sim, size_t item)
{
    return sim->item_cluster[item];
}

const char *assay_simulation_cluster(const assay_simulation *sim, size_t cluster)
{
    return sim->cluster_name[cluster].text;
}

size_t assay_simulation_cluster_size(const assay_simulation *sim, size_t cluster)
{
    return sim->cluster_size[cluster];
}

const char *assay_simulation_model(const assay_simulation *sim, size_t model)
{
    return sim->model_name[model].text;
}

const char *assay_simulation_template(const assay_simulation *sim, size_t template_index)
{
    return sim->template_name[template_index].text;
}

int assay_simulation_texts_distinct(const assay_simulation *sim)
{
    return sim->texts_distinct;
}

double assay_simulation_ability(const assay_simulation *sim, size_t model, size_t dimension)
{
    return sim->ability[model * sim->options.n_dimensions + dimension];
}

double assay_simulation_loading(const assay_simulation *sim, size_t cluster, size_t dimension)
{
    return sim->loading[cluster * sim->options.n_dimensions + dimension];
}

double assay_simulation_difficulty(const assay_simulation *sim, size_t item)
{
    return sim->difficulty[item];
}

double assay_simulation_template_effect(const assay_simulation *sim, size_t template_index)
{
    return sim->template_effect[template_index];
}

double assay_simulation_interaction(const assay_simulation *sim, size_t model,
                                    size_t template_index)
{
    return sim->interaction[model * sim->options.n_templates + template_index];
}

double assay_simulation_score(const assay_simulation *sim, size_t model)
{
    return sim->score[model];
}

double assay_simulation_score_of_clusters(const assay_simulation *sim, size_t model)
{
    return sim->score_of_clusters[model];
}

double assay_simulation_cluster_score(const assay_simulation *sim, size_t model, size_t cluster)
{
    return sim->cluster_score[model * sim->options.n_clusters + cluster];
}

double assay_simulation_template_score(const assay_simulation *sim, size_t model,
                                       size_t template_index)
{
    return sim->template_score[model * sim->options.n_templates + template_index];
}

double assay_simulation_dimension(const assay_simulation *sim)
{
    return sim->dimension;
}
