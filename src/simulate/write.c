/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a simulated benchmark, but for the truth. */
#include "simulate/write.h"

#include "assay/json_writer.h"
#include "core/number.h"
#include "simulate/folder.h"

#include <stdio.h>

typedef void (*file_writer)(const assay_simulation *sim, FILE *to);
typedef struct written {
    const assay_simulation *sim;
    file_writer write;
} written;
typedef struct observation {
    size_t model, item, template_index, run;
    int outcome;
} observation;
typedef void (*row_writer)(const assay_simulation *sim, FILE *to, const observation *seen);

static void write_named(const void *what, FILE *to);
static void write_results_csv(const assay_simulation *sim, FILE *to);
static void write_results_jsonl(const assay_simulation *sim, FILE *to);
static void write_matrix_csv(const assay_simulation *sim, FILE *to);
static void write_prompts_jsonl(const assay_simulation *sim, FILE *to);

assay_status assay_simulation_write(const assay_simulation *sim, const char *folder)
{
    static const struct {
        const char *name;
        file_writer write;
    } files[] = {
        { "results.csv", write_results_csv },
        { "results.jsonl", write_results_jsonl },
        { "matrix.csv", write_matrix_csv },
        { "prompts.jsonl", write_prompts_jsonl },
        { "truth.json", assay_simulation_write_truth },
    };
    assay_status status = assay_folder_make(folder);

    for (size_t i = 0; status == ASSAY_OK && i < sizeof files / sizeof files[0]; i++)
        status = assay_folder_write(folder, files[i].name, write_named,
                                    &(written){ sim, files[i].write });
    return status;
}

static void write_named(const void *what, FILE *to)
{
    const written *file = what;

    file->write(file->sim, to);
}

static void write_rows(const assay_simulation *sim, FILE *to, row_writer write)
{
    const assay_simulate_options *opt = &sim->options;
    size_t per_item = opt->n_templates * opt->n_runs, per_model = opt->n_items * per_item;

    for (size_t k = 0; k < opt->n_models * per_model; k++) {
        observation seen = { k / per_model, k % per_model / per_item, k % per_item / opt->n_runs,
                             k % opt->n_runs, sim->outcome[k] };
        write(sim, to, &seen);
    }
}

static void write_csv_row(const assay_simulation *sim, FILE *to, const observation *seen)
{
    static const char *const scores[] = { "", "0", "1" }; /* missing, wrong, correct */

    fprintf(to, "%s,%s,", sim->model_name[seen->model].text, sim->item_name[seen->item].text);
    if (sim->options.n_templates > 1)
        fprintf(to, "%s,", sim->template_name[seen->template_index].text);
    if (sim->options.n_runs > 1) fprintf(to, "%zu,", seen->run + 1);
    fprintf(to, "%s\n", scores[seen->outcome + 1]);
}

static void write_results_csv(const assay_simulation *sim, FILE *to)
{
    fputs("model,item,", to);
    if (sim->options.n_templates > 1) fputs("template,", to);
    if (sim->options.n_runs > 1) fputs("run,", to);
    fputs("score\n", to);
    write_rows(sim, to, write_csv_row);
}

static void write_json_row(const assay_simulation *sim, FILE *to, const observation *seen)
{
    assay_json json;

    assay_json_start(&json, to, 0);
    assay_json_begin_object(&json);
    assay_json_key(&json, "model");
    assay_json_text(&json, sim->model_name[seen->model].text);
    assay_json_key(&json, "item");
    assay_json_text(&json, sim->item_name[seen->item].text);
    if (sim->options.n_templates > 1) {
        assay_json_key(&json, "template");
        assay_json_text(&json, sim->template_name[seen->template_index].text);
    }
    if (sim->options.n_runs > 1) {
        assay_json_key(&json, "run");
        assay_json_count(&json, seen->run + 1);
    }
    assay_json_key(&json, "score");
    if (seen->outcome == ASSAY_OUTCOME_MISSING)
        assay_json_null(&json);
    else
        assay_json_count(&json, (uint64_t)seen->outcome);
    assay_json_end_object(&json);
    putc('\n', to);
}

static void write_results_jsonl(const assay_simulation *sim, FILE *to)
{
    write_rows(sim, to, write_json_row);
}

/* The mean of what was observed of an item, or nothing. */
static void write_mean(FILE *to, const signed char *outcomes, size_t n)
{
    char text[ASSAY_NUMBER_SIZE];
    size_t correct = 0, observed = 0;

    for (size_t k = 0; k < n; k++) {
        correct += outcomes[k] == 1;
        observed += outcomes[k] != ASSAY_OUTCOME_MISSING;
    }
    if (observed == 0) return;
    assay_number_format((double)correct / (double)observed, text);
    fputs(text, to);
}

static void write_matrix_csv(const assay_simulation *sim, FILE *to)
{
    const assay_simulate_options *opt = &sim->options;
    size_t per_item = opt->n_templates * opt->n_runs;
    const signed char *outcomes = sim->outcome;

    fputs("model", to);
    for (size_t i = 0; i < opt->n_items; i++) fprintf(to, ",%s", sim->item_name[i].text);
    putc('\n', to);
    for (size_t m = 0; m < opt->n_models; m++) {
        fputs(sim->model_name[m].text, to);
        for (size_t i = 0; i < opt->n_items; i++, outcomes += per_item) {
            putc(',', to);
            write_mean(to, outcomes, per_item);
        }
        putc('\n', to);
    }
}

static void write_prompts_jsonl(const assay_simulation *sim, FILE *to)
{
    for (size_t i = 0; i < sim->options.n_items; i++) {
        assay_json json;

        assay_json_start(&json, to, 0);
        assay_json_begin_object(&json);
        assay_json_key(&json, "id");
        assay_json_text(&json, sim->item_name[i].text);
        assay_json_key(&json, "prompt");
        assay_json_text(&json, assay_simulation_item_text(sim, i));
        assay_json_key(&json, "cluster");
        assay_json_text(&json, sim->cluster_name[sim->item_cluster[i]].text);
        assay_json_end_object(&json);
        putc('\n', to);
    }
}
