/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/simulate.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "simulate/simulation.h"

#include <stdlib.h>
#include <string.h>

static assay_status resolve_options(const assay_simulate_options *given,
                                    assay_simulate_options *opt);
static assay_status check_counts(const assay_simulate_options *opt);
static assay_status check_reals(const assay_simulate_options *opt);

assay_status assay_simulate(const assay_simulate_options *options, assay_simulation **out)
{
    assay_status status;
    assay_simulate_options opt;
    assay_simulation *sim = NULL;

    *out = NULL;
    if ((status = resolve_options(options, &opt)) != ASSAY_OK) goto done;
    sim = assay_alloc_zero(1, sizeof *sim);
    if (!sim) {
        status = assay_fail(ASSAY_E_NOMEM, "simulate: no memory");
        goto done;
    }
    sim->options = opt;
    if ((status = assay_simulation_make_names(sim)) != ASSAY_OK) goto done;
    if ((status = assay_simulation_draw_design(sim)) != ASSAY_OK) goto done;
    if ((status = assay_simulation_write_prompts(sim)) != ASSAY_OK) goto done;
    if ((status = assay_simulation_draw_outcomes(sim)) != ASSAY_OK) goto done;
    if ((status = assay_simulation_find_truth(sim)) != ASSAY_OK) goto done;
    *out = sim;
    sim = NULL;
done:
    assay_simulation_free(sim);
    return status;
}

void assay_simulate_options_init(assay_simulate_options *options, size_t struct_size)
{
    const assay_simulate_options defaults = {
        .struct_size = struct_size,
        .seed = 1,
        .n_items = 200,
        .n_clusters = 40,
        .n_models = 40,
        .n_dimensions = 2,
        .n_templates = 1,
        .n_runs = 1,
        .members = ASSAY_MEMBERS_SHARE_WORDS,
        .size_exponent = 1.0,
        .difficulty_mean = -0.5,
        .difficulty_sd = 1.5,
        .cluster_share = 0.8,
        .ability_sd = 1.0,
        .cross_loading = 0.1,
        .template_sd = 0.3,
        .template_model_sd = 0.2,
        .missing_rate = 0.02,
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* Defaults first, then as much of the caller's struct as it knew about when compiled. */
static assay_status resolve_options(const assay_simulate_options *given,
                                    assay_simulate_options *opt)
{
    assay_status status;

    assay_simulate_options_init(opt, sizeof *opt);
    status = assay_options_take("simulate", given, opt, sizeof *opt);
    if (status != ASSAY_OK) return status;
    if ((status = check_counts(opt)) != ASSAY_OK) return status;
    return check_reals(opt);
}

static assay_status check_counts(const assay_simulate_options *opt)
{
    /* Products of two counts cannot overflow, and names fit. */
    const size_t most = 10000000;
    const size_t max_clusters =
        opt->n_items < ASSAY_SIMULATE_MAX_CLUSTERS ? opt->n_items : ASSAY_SIMULATE_MAX_CLUSTERS;
    const struct {
        const char *name;
        size_t value, most;
    } counts[] = {
        { "n_items", opt->n_items, most },
        { "n_clusters", opt->n_clusters, max_clusters },
        { "n_models", opt->n_models, most },
        { "n_dimensions", opt->n_dimensions, opt->n_clusters },
        { "n_templates", opt->n_templates, most },
        { "n_runs", opt->n_runs, most },
    };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i].value < 1 || counts[i].value > counts[i].most)
            return assay_fail(ASSAY_E_VALUE, "simulate: %s is %zu, want 1 to %zu", counts[i].name,
                              counts[i].value, counts[i].most);
    }
    if (opt->members != ASSAY_MEMBERS_SHARE_WORDS && opt->members != ASSAY_MEMBERS_PARAPHRASES)
        return assay_fail(ASSAY_E_VALUE, "simulate: members is %d, want 0 or 1", (int)opt->members);
    return ASSAY_OK;
}

static assay_status check_reals(const assay_simulate_options *opt)
{
    /* Beyond a hundred logits every probability is 0 or 1; a hundredth power leaves one cluster. */
    const double wide = 100.0;
    const struct {
        const char *name;
        double value, least, most;
    } reals[] = {
        { "size_exponent", opt->size_exponent, 0.0, wide },
        { "difficulty_mean", opt->difficulty_mean, -wide, wide },
        { "difficulty_sd", opt->difficulty_sd, 0.0, wide },
        { "cluster_share", opt->cluster_share, 0.0, 1.0 },
        { "ability_sd", opt->ability_sd, 0.0, wide },
        { "cross_loading", opt->cross_loading, 0.0, 0.5 },
        { "template_sd", opt->template_sd, 0.0, wide },
        { "template_model_sd", opt->template_model_sd, 0.0, wide },
    };

    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        if (!(reals[i].value >= reals[i].least && reals[i].value <= reals[i].most))
            return assay_fail(ASSAY_E_VALUE, "simulate: %s is %g, want %g to %g", reals[i].name,
                              reals[i].value, reals[i].least, reals[i].most);
    }
    if (!(opt->missing_rate >= 0.0 && opt->missing_rate < 1.0))
        return assay_fail(ASSAY_E_VALUE, "simulate: missing_rate is %g, want 0 to below 1",
                          opt->missing_rate);
    return ASSAY_OK;
}

void assay_simulation_free(assay_simulation *sim)
{
    if (!sim) return;
    free(sim->item_name);
    free(sim->cluster_name);
    free(sim->model_name);
    free(sim->template_name);
    free(sim->cluster_size);
    free(sim->item_cluster);
    free(sim->loading);
    free(sim->ability);
    free(sim->skill);
    free(sim->difficulty);
    free(sim->template_effect);
    free(sim->interaction);
    free(sim->texts);
    free(sim->text_at);
    free(sim->topic_label);
    free(sim->task_label);
    free(sim->outcome);
    free(sim->score);
    free(sim->score_of_clusters);
    free(sim->cluster_score);
    free(sim->template_score);
    free(sim);
}
