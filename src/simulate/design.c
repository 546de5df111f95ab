/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the model: cluster sizes, loadings, abilities, difficulties, templates. */
#include "core/error.h"
#include "core/memory.h"
#include "simulate/simulation.h"

#include <math.h>
#include <stdlib.h>

static assay_status allocate(assay_simulation *sim);
static void size_clusters(assay_simulation *sim);
static void place_items(assay_simulation *sim);
static void load_clusters(assay_simulation *sim);
static void draw_abilities(assay_simulation *sim);
static assay_status draw_difficulties(assay_simulation *sim);
static void draw_templates(assay_simulation *sim);
static void start_part(const assay_simulation *sim, assay_random *random, uint64_t part);

assay_status assay_simulation_draw_design(assay_simulation *sim)
{
    assay_status status = allocate(sim);

    if (status != ASSAY_OK) return status;
    size_clusters(sim);
    place_items(sim);
    load_clusters(sim);
    draw_abilities(sim);
    if ((status = draw_difficulties(sim)) != ASSAY_OK) return status;
    draw_templates(sim);
    return ASSAY_OK;
}

static assay_status allocate(assay_simulation *sim)
{
    const assay_simulate_options *opt = &sim->options;

    sim->cluster_size = assay_alloc(opt->n_clusters, sizeof *sim->cluster_size);
    sim->item_cluster = assay_alloc(opt->n_items, sizeof *sim->item_cluster);
    sim->loading = assay_alloc(opt->n_clusters * opt->n_dimensions, sizeof *sim->loading);
    sim->ability = assay_alloc(opt->n_models * opt->n_dimensions, sizeof *sim->ability);
    sim->skill = assay_alloc(opt->n_models * opt->n_clusters, sizeof *sim->skill);
    sim->difficulty = assay_alloc(opt->n_items, sizeof *sim->difficulty);
    sim->template_effect = assay_alloc_zero(opt->n_templates, sizeof *sim->template_effect);
    sim->interaction = assay_alloc_zero(opt->n_models * opt->n_templates, sizeof *sim->interaction);
    if (!sim->cluster_size || !sim->item_cluster || !sim->loading || !sim->ability || !sim->skill ||
        !sim->difficulty || !sim->template_effect || !sim->interaction)
        return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for %zu models and %zu items",
                          opt->n_models, opt->n_items);
    return ASSAY_OK;
}

/* One item each, and the rest by weight. Rounding the running total, not the shares, makes the
   sizes sum exactly, and those of equal weights differ by 1 at most. */
static void size_clusters(assay_simulation *sim)
{
    size_t n_clusters = sim->options.n_clusters, spare = sim->options.n_items - n_clusters;
    size_t given = 0;
    double total = 0.0, running = 0.0;

    for (size_t c = 0; c < n_clusters; c++)
        total += pow((double)(c + 1), -sim->options.size_exponent);
    for (size_t c = 0; c < n_clusters; c++) {
        running += pow((double)(c + 1), -sim->options.size_exponent);
        size_t until = (size_t)((double)spare * (running / total) + 0.5);
        if (until > spare || c + 1 == n_clusters) until = spare;
        sim->cluster_size[c] = 1 + until - given;
        given = until;
    }
}

static void place_items(assay_simulation *sim)
{
    assay_random random;
    size_t item = 0;

    for (size_t c = 0; c < sim->options.n_clusters; c++)
        for (size_t k = 0; k < sim->cluster_size[c]; k++) sim->item_cluster[item++] = c;
    start_part(sim, &random, ASSAY_DESIGN_ITEMS);
    assay_simulation_shuffle(&random, sim->item_cluster, item, item);
}

/* Loadings have length 1, so that a . theta has the same spread in every cluster. */
static void load_clusters(assay_simulation *sim)
{
    size_t n_dimensions = sim->options.n_dimensions;
    double off = n_dimensions > 1 ? sim->options.cross_loading : 0.0;

    for (size_t c = 0; c < sim->options.n_clusters; c++) {
        double *a = sim->loading + c * n_dimensions;
        for (size_t d = 0; d < n_dimensions; d++)
            a[d] = d == c % n_dimensions ? sqrt(1.0 - off) : sqrt(off / (double)(n_dimensions - 1));
    }
}

static void draw_abilities(assay_simulation *sim)
{
    size_t n_dimensions = sim->options.n_dimensions, n_clusters = sim->options.n_clusters;
    assay_random random;

    start_part(sim, &random, ASSAY_DESIGN_ABILITY);
    for (size_t m = 0; m < sim->options.n_models; m++) {
        double *theta = sim->ability + m * n_dimensions;
        for (size_t d = 0; d < n_dimensions; d++)
            theta[d] = sim->options.ability_sd * assay_random_normal(&random);
        for (size_t c = 0; c < n_clusters; c++) {
            double *skill = &sim->skill[m * n_clusters + c];
            *skill = 0.0;
            for (size_t d = 0; d < n_dimensions; d++)
                *skill += sim->loading[c * n_dimensions + d] * theta[d];
        }
    }
}

static assay_status draw_difficulties(assay_simulation *sim)
{
    const assay_simulate_options *opt = &sim->options;
    double between = opt->difficulty_sd * sqrt(opt->cluster_share);
    double within = opt->difficulty_sd * sqrt(1.0 - opt->cluster_share);
    double *cluster_part = assay_alloc(opt->n_clusters, sizeof *cluster_part);
    assay_random random;

    if (!cluster_part) return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for the clusters");
    start_part(sim, &random, ASSAY_DESIGN_DIFFICULTY);
    for (size_t c = 0; c < opt->n_clusters; c++)
        cluster_part[c] = opt->difficulty_mean + between * assay_random_normal(&random);
    for (size_t i = 0; i < opt->n_items; i++)
        sim->difficulty[i] =
            cluster_part[sim->item_cluster[i]] + within * assay_random_normal(&random);
    free(cluster_part);
    return ASSAY_OK;
}

/* The only template is the benchmark itself: there is nothing that it could differ from. */
static void draw_templates(assay_simulation *sim)
{
    const assay_simulate_options *opt = &sim->options;
    assay_random random;

    if (opt->n_templates == 1) return;
    start_part(sim, &random, ASSAY_DESIGN_TEMPLATE);
    for (size_t t = 0; t < opt->n_templates; t++)
        sim->template_effect[t] = opt->template_sd * assay_random_normal(&random);
    start_part(sim, &random, ASSAY_DESIGN_INTERACTION);
    for (size_t k = 0; k < opt->n_models * opt->n_templates; k++)
        sim->interaction[k] = opt->template_model_sd * assay_random_normal(&random);
}

static void start_part(const assay_simulation *sim, assay_random *random, uint64_t part)
{
    assay_random_start(random, sim->options.seed, ASSAY_PURPOSE_SIMULATE_DESIGN, part);
}

void assay_simulation_shuffle(assay_random *random, size_t *indices, size_t n, size_t n_wanted)
{
    for (size_t i = 0; i < n_wanted; i++) {
        size_t j = i + (size_t)assay_random_below(random, n - i);
        size_t held = indices[i];
        indices[i] = indices[j];
        indices[j] = held;
    }
}
