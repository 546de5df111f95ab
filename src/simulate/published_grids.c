/* SPDX-License-Identifier: Apache-2.0 */
/* The grids behind published scores, drawn side by side. */
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "simulate/published.h"
#include "simulate/template_simulation.h"
#include "templates/grids.h"

#include <stdlib.h>
#include <string.h>

typedef struct work {
    const assay_published *published;
    assay_simulate_templates_options options;
    assay_grids *grids;
} work;

static assay_status name_grid(const assay_published_table *table, assay_named_grid *out);
static assay_status draw(void *user, size_t k, int thread);

assay_status assay_grids_simulate(const assay_published *published,
                                  const assay_simulate_templates_options *options, int threads,
                                  assay_progress progress, assay_grids **out)
{
    work w = { .published = published };
    assay_status status;

    *out = NULL;
    assay_simulate_templates_options_init(&w.options, sizeof w.options);
    status = assay_options_take("simulate templates", options, &w.options, sizeof w.options);
    w.options.struct_size = sizeof w.options;
    if (status == ASSAY_OK) status = assay_grids_new(published->n, &w.grids);
    for (size_t k = 0; k < published->n && status == ASSAY_OK; k++)
        status = name_grid(&published->tables[k], &w.grids->grids[k]);
    if (status == ASSAY_OK)
        status =
            assay_do_pieces(published->n, assay_threads(threads), "simulating", progress, draw, &w);
    if (status == ASSAY_OK)
        *out = w.grids;
    else
        assay_grids_free(w.grids);
    return status;
}

static assay_status name_grid(const assay_published_table *table, assay_named_grid *out)
{
    const char *model = table->model ? table->model : "";

    out->task = table->task;
    out->model = assay_copy_text(model, strlen(model));
    out->templates.n = table->templates.count;
    out->items.n = table->n_items;
    out->templates.name = assay_alloc(out->templates.n, sizeof *out->templates.name);
    out->items.name = assay_alloc_zero(out->items.n, sizeof *out->items.name);
    if (!out->model || !out->templates.name || !out->items.name)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the names of %zu templates x %zu items",
                          out->templates.n, out->items.n);
    for (size_t i = 0; i < out->templates.n; i++) out->templates.name[i] = table->templates.text[i];
    return ASSAY_OK;
}

static assay_status draw(void *user, size_t k, int thread)
{
    const work *w = user;
    const assay_published_table *table = &w->published->tables[k];
    assay_simulate_templates_options options = w->options;
    assay_template_simulation *sim = NULL;
    assay_status status;

    (void)thread;
    options.seed += table->place;
    status = assay_simulate_templates(table->counts, table->templates.count, table->n_items,
                                      &options, &sim);
    if (status != ASSAY_OK) return status;
    w->grids->grids[k].grid = sim->grid;
    sim->grid = NULL; /* handed on */
    assay_template_simulation_free(sim);
    return ASSAY_OK;
}
