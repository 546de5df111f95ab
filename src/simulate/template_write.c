/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a simulated grid of templates: grid.csv, and truth.json, schema
   "assay.template_simulation/1", whose keys are stable and described in docs/simulate.md. */
#include "assay/json_writer.h"
#include "core/error.h"
#include "simulate/folder.h"
#include "simulate/template_simulation.h"

#include <string.h>

typedef struct pair {
    const assay_template_simulation *sim;
    const assay_accuracies *accuracies;
} pair;

static void write_grid(const void *what, FILE *to);
static void write_truth(const void *what, FILE *to);

assay_status assay_template_simulation_write(const assay_template_simulation *sim,
                                             const assay_accuracies *accuracies, const char *folder)
{
    const pair what = { sim, accuracies };
    assay_status status;

    if (assay_accuracies_n_templates(accuracies) != assay_grid_n_templates(sim->grid) ||
        assay_accuracies_n_items(accuracies) != assay_grid_n_items(sim->grid))
        return assay_fail(ASSAY_E_SHAPE, "simulate: accuracies of %zu templates, expected %zu",
                          assay_accuracies_n_templates(accuracies),
                          assay_grid_n_templates(sim->grid));
    status = assay_folder_make(folder);
    if (status == ASSAY_OK) status = assay_folder_write(folder, "grid.csv", write_grid, &what);
    if (status == ASSAY_OK) status = assay_folder_write(folder, "truth.json", write_truth, &what);
    return status;
}

static void write_name(FILE *to, const char *name)
{
    if (!name[strcspn(name, ",;\t\"\r\n")]) {
        fputs(name, to);
        return;
    }
    putc('"', to);
    for (; *name; name++) {
        if (*name == '"') putc('"', to);
        putc(*name, to);
    }
    putc('"', to);
}

static void write_grid(const void *what, FILE *to)
{
    const pair *p = what;
    size_t n_items = assay_grid_n_items(p->sim->grid);

    fputs("template", to);
    for (size_t j = 0; j < n_items; j++) fprintf(to, ",e%zu", j);
    putc('\n', to);
    for (size_t i = 0; i < assay_grid_n_templates(p->sim->grid); i++) {
        const double *scores;

        assay_grid_row(p->sim->grid, i, NULL, &scores);
        write_name(to, assay_accuracies_template(p->accuracies, i));
        for (size_t j = 0; j < n_items; j++) fputs(scores[j] > 0.0 ? ",1" : ",0", to);
        putc('\n', to);
    }
}

static void write_templates(assay_json *json, const pair *p)
{
    const size_t *counts = assay_accuracies_counts(p->accuracies);

    assay_json_key(json, "templates");
    assay_json_begin_array(json);
    for (size_t i = 0; i < assay_accuracies_n_templates(p->accuracies); i++) {
        assay_json_begin_object(json);
        assay_json_key(json, "template");
        assay_json_text(json, assay_accuracies_template(p->accuracies, i));
        assay_json_key(json, "correct");
        assay_json_count(json, counts[i]);
        assay_json_key(json, "score");
        assay_json_number(json,
                          (double)counts[i] / (double)assay_accuracies_n_items(p->accuracies));
        assay_json_key(json, "group");
        assay_json_count(json, p->sim->group[i]);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void write_truth(const void *what, FILE *to)
{
    const pair *p = what;
    const assay_simulate_templates_options *opt = &p->sim->options;
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    assay_json_key(&json, "schema");
    assay_json_text(&json, "assay.template_simulation/1");
    assay_json_key(&json, "assay_version");
    assay_json_text(&json, assay_version());
    assay_json_key(&json, "seed");
    assay_json_count(&json, opt->seed);
    assay_json_key(&json, "options");
    assay_json_begin_object(&json);
    assay_json_key(&json, "concentration");
    assay_json_number(&json, opt->concentration);
    assay_json_key(&json, "interaction");
    assay_json_number(&json, opt->interaction);
    assay_json_key(&json, "groups");
    assay_json_count(&json, opt->n_groups);
    assay_json_end_object(&json);
    assay_json_key(&json, "items");
    assay_json_count(&json, assay_grid_n_items(p->sim->grid));
    write_templates(&json, p);
    assay_json_key(&json, "easiness");
    assay_json_begin_array_in_line(&json);
    for (size_t j = 0; j < assay_grid_n_items(p->sim->grid); j++)
        assay_json_number(&json, p->sim->easiness[j]);
    assay_json_end_array(&json);
    assay_json_end_object(&json);
    putc('\n', to);
}
