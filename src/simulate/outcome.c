/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells are there, and what was answered in them. */
#include "core/error.h"
#include "core/memory.h"
#include "simulate/simulation.h"

#include <stdint.h>

static void draw_model(assay_simulation *sim, size_t model);
static void mark_missing(assay_simulation *sim, size_t model);

assay_status assay_simulation_draw_outcomes(assay_simulation *sim)
{
    const assay_simulate_options *opt = &sim->options;
    size_t cells = opt->n_models * opt->n_items, repeats = opt->n_templates * opt->n_runs;

    if (cells <= SIZE_MAX / repeats) sim->outcome = assay_alloc(cells * repeats, 1);
    if (!sim->outcome)
        return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for %zu cells with %zu outcomes each",
                          cells, repeats);
    for (size_t m = 0; m < opt->n_models; m++) {
        draw_model(sim, m);
        mark_missing(sim, m);
    }
    return ASSAY_OK;
}

static signed char *cell_of(const assay_simulation *sim, size_t model, size_t item,
                            size_t template_index)
{
    const assay_simulate_options *opt = &sim->options;
    size_t cell = (model * opt->n_items + item) * opt->n_templates + template_index;

    return sim->outcome + cell * opt->n_runs;
}

/* Runs outermost, so that further runs leave the earlier ones as they are. */
static void draw_model(assay_simulation *sim, size_t model)
{
    const assay_simulate_options *opt = &sim->options;
    assay_random random;

    assay_random_start(&random, opt->seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, model);
    for (size_t run = 0; run < opt->n_runs; run++) {
        for (size_t k = 0; k < opt->n_templates * opt->n_items; k++) {
            size_t t = k / opt->n_items, i = k % opt->n_items;
            double p = assay_simulation_probability(sim, model, i, t);
            cell_of(sim, model, i, t)[run] = assay_random_uniform(&random) < p;
        }
    }
}

/* After the outcomes and from another stream: what is missing tells nothing about them. */
static void mark_missing(assay_simulation *sim, size_t model)
{
    const assay_simulate_options *opt = &sim->options;
    assay_random random;

    assay_random_start(&random, opt->seed, ASSAY_PURPOSE_SIMULATE_DESIGN,
                       ASSAY_DESIGN_MISSING + (uint64_t)model);
    for (size_t k = 0; k < opt->n_templates * opt->n_items; k++) {
        signed char *cell = cell_of(sim, model, k % opt->n_items, k / opt->n_items);
        if (assay_random_uniform(&random) >= opt->missing_rate) continue;
        for (size_t run = 0; run < opt->n_runs; run++) cell[run] = ASSAY_OUTCOME_MISSING;
    }
}

int assay_simulation_outcome(const assay_simulation *sim, size_t model, size_t item,
                             size_t template_index, size_t run)
{
    return cell_of(sim, model, item, template_index)[run];
}
