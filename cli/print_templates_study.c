/* SPDX-License-Identifier: Apache-2.0 */
/* The study of `assay templates`, for people and as JSON. */
#include "print_templates.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_WIDTH = 32 };

static const char simulated[] =
    "The cells are simulated from published row means: each template answers as many items\n"
    "as was published, and which ones is drawn";

static size_t *models_of_grids(const struct templates_answer *answer, size_t *n_models);
static void print_head(FILE *to, const struct templates_answer *answer);
static void print_grids(FILE *to, const struct templates_answer *answer);
static assay_status print_means(FILE *to, const struct templates_answer *answer,
                                const size_t *models, int with_models);
static void json_row(assay_json *json, const struct templates_answer *answer, size_t b, size_t m,
                     size_t k);
static assay_status json_mean(assay_json *json, const struct templates_answer *answer, size_t b,
                              size_t m, const size_t *models);

/* ---- published scores ---- */

void print_templates_published(FILE *to, const struct templates_answer *answer)
{
    const assay_published *published = answer->published;

    fprintf(to,
            "read %" PRIu64 " published scores of templates: %zu pair%s of task and model\n"
            "%s (seeds from %" PRIu64 ", concentration %g).\n",
            assay_published_input(published).rows, assay_published_n(published),
            assay_published_n(published) == 1 ? "" : "s", simulated, answer->request->analysis.seed,
            answer->request->published.concentration);
}

void json_templates_published(assay_json *json, const struct templates_answer *answer)
{
    const struct templates_published *of = &answer->request->published;
    const uint64_t seed = answer->request->analysis.seed;
    assay_input input = assay_published_input(answer->published);
    const assay_coverage coverage = { .rows = input.rows, .used = input.rows };

    cli_json_head_of(json, "assay.templates/1", "templates", seed, &input, 1, coverage);
    assay_json_key(json, "simulation");
    assay_json_begin_object(json);
    assay_json_key(json, "from");
    assay_json_text(json, "published row means");
    assay_json_key(json, "concentration");
    assay_json_number(json, of->concentration);
    assay_json_key(json, "grids");
    assay_json_count(json, answer->n_grids);
    assay_json_key(json, "sample");
    if (of->sample)
        assay_json_count(json, of->sample);
    else
        assay_json_text(json, NULL);
    assay_json_end_object(json);
}

/* ---- the table ---- */

assay_status print_templates_study(FILE *to, const struct templates_answer *answer)
{
    size_t n_models = 0, *models = models_of_grids(answer, &n_models);
    assay_status status;

    if (!models) return cli_no_memory();
    print_head(to, answer);
    if (answer->n_grids > 1) print_grids(to, answer);
    status = print_means(to, answer, models, n_models > 1 && n_models < answer->n_grids);
    free(models);
    return status;
}

/* The model of each grid as a number, by first appearance; for free(). */
static size_t *models_of_grids(const struct templates_answer *answer, size_t *n_models)
{
    size_t *models = malloc(answer->n_grids * sizeof *models);

    *n_models = 0;
    for (size_t k = 0; models && k < answer->n_grids; k++) {
        size_t like = 0;

        while (like < k && strcmp(assay_grids_model(answer->grids, like),
                                  assay_grids_model(answer->grids, k)) != 0)
            like++;
        models[k] = like < k ? models[like] : (*n_models)++;
    }
    return models;
}

/* Over all grids. */
static void print_left_out(FILE *to, const struct templates_answer *answer)
{
    assay_left_out all = { 0, 0, 0, 0 };

    for (size_t k = 0; k < answer->n_grids; k++) {
        const assay_left_out *of = &answer->each[k].left_out;

        all.templates_never_run += of->templates_never_run;
        all.items_never_run += of->items_never_run;
        all.templates += of->templates;
        all.items += of->items;
    }
    if (all.templates_never_run + all.items_never_run > 0)
        fprintf(to, "left out as never run: templates %zu, items %zu\n", all.templates_never_run,
                all.items_never_run);
    if (all.templates + all.items > 0)
        fprintf(to, "left out for a cell that was not run: %s %zu\n",
                all.templates > 0 ? "templates" : "items", all.templates + all.items);
}

static void print_head(FILE *to, const struct templates_answer *answer)
{
    size_t n_seeds = assay_study_n_seeds(answer->study);
    const assay_grid *grid = answer->each[0].grid;
    size_t n_templates = assay_grid_n_templates(grid), n_items = assay_grid_n_items(grid);
    int is_same = 1;

    for (size_t k = 1; k < answer->n_grids; k++)
        is_same = is_same && assay_grid_n_templates(answer->each[k].grid) == n_templates &&
                  assay_grid_n_items(answer->each[k].grid) == n_items;
    fprintf(to, "%zu grid%s of ", answer->n_grids, answer->n_grids == 1 ? "" : "s");
    if (!is_same) fputs("several sizes, the first ", to);
    fprintf(to, "%zu template%s x %zu item%s; %zu seed%s a budget%s\n", n_templates,
            n_templates == 1 ? "" : "s", n_items, n_items == 1 ? "" : "s", n_seeds,
            n_seeds == 1 ? "" : "s", answer->request->faithful ? "; faithful" : "");
    print_left_out(to, answer);
}

/* ---- each grid ---- */

static int width_of(const char *name)
{
    char safe[200];
    size_t n = name ? strlen(assay_printable(safe, sizeof safe, name, strlen(name))) : 0;

    return n < NAME_MAX_WIDTH ? (int)n : NAME_MAX_WIDTH;
}

static void print_name(FILE *to, const char *name, int width)
{
    char safe[NAME_MAX_WIDTH + 1] = "";

    if (name) assay_printable(safe, sizeof safe, name, strlen(name));
    fprintf(to, "%-*s  ", width, safe);
}

static void print_grids(FILE *to, const struct templates_answer *answer)
{
    int model_width = 5, task_width = 0;

    for (size_t k = 0; k < answer->n_grids; k++) {
        int model = width_of(assay_grids_model(answer->grids, k));
        int task = width_of(assay_grids_task(answer->grids, k));

        if (model > model_width) model_width = model;
        if (task > task_width) task_width = task;
    }
    if (task_width > 0 && task_width < 4) task_width = 4;
    fputs("\nW1 of each grid, by budget\n", to);
    print_name(to, "model", model_width);
    if (task_width) print_name(to, "task", task_width);
    fprintf(to, "%-14s", "method");
    for (size_t b = 0; b < answer->n_budgets; b++) fprintf(to, " %8zu", answer->budgets[b]);
    putc('\n', to);
    for (size_t k = 0; k < answer->n_grids; k++) {
        for (size_t m = 0; m < answer->n_methods; m++) {
            print_name(to, assay_grids_model(answer->grids, k), model_width);
            if (task_width) print_name(to, assay_grids_task(answer->grids, k), task_width);
            fprintf(to, "%-14s", answer->methods[m]);
            for (size_t b = 0; b < answer->n_budgets; b++)
                fprintf(to, " %8.4f",
                        assay_study_summarise_grid(answer->study, b, m, ASSAY_STUDY_W1, k).mean);
            putc('\n', to);
        }
    }
}

/* ---- means over grids ---- */

static void print_levels(FILE *to, const struct templates_answer *answer)
{
    for (size_t l = 0; l < answer->n_levels; l++) {
        char label[32];

        snprintf(label, sizeof label, "%.4g %%", 100.0 * answer->levels[l]);
        fprintf(to, " %8s", label);
    }
}

static void print_means_head(FILE *to, const struct templates_answer *answer, int with_models)
{
    if (answer->n_grids > 1) fprintf(to, "\nmean over %zu grids", answer->n_grids);
    fprintf(to, "\n%-8s %-14s %8s %8s", "budget", "method", "W1", "sd");
    if (answer->n_grids > 1) fprintf(to, " %8s", "grids sd");
    if (with_models) fprintf(to, " %9s", "models sd");
    print_levels(to, answer);
    putc('\n', to);
}

static void print_sd(FILE *to, double sd, int width)
{
    if (isnan(sd))
        fprintf(to, " %*s", width, "-");
    else
        fprintf(to, " %*.4f", width, sd);
}

static assay_status print_mean(FILE *to, const struct templates_answer *answer, size_t b, size_t m,
                               const size_t *models, int with_models)
{
    assay_study_summary w1 = assay_study_summarise(answer->study, b, m, ASSAY_STUDY_W1);
    double sd = NAN;
    assay_status status =
        assay_study_sd_over_groups(answer->study, b, m, ASSAY_STUDY_W1, models, &sd);

    fprintf(to, "%-8zu %-14s %8.4f", answer->budgets[b], answer->methods[m], w1.mean);
    print_sd(to, w1.sd_seeds, 8);
    if (answer->n_grids > 1) print_sd(to, w1.sd_grids, 8);
    if (with_models) print_sd(to, sd, 9);
    for (size_t l = 0; l < answer->n_levels; l++)
        fprintf(to, " %8.4f",
                assay_study_summarise(answer->study, b, m, ASSAY_STUDY_QUANTILE + l).mean);
    putc('\n', to);
    return status;
}

static void print_share(FILE *to, double share)
{
    if (isnan(share))
        fprintf(to, " %8s", "-");
    else
        fprintf(to, " %8.3f", share);
}

/* How often the intervals of a method held, where it gives any. */
static void print_coverage(FILE *to, const struct templates_answer *answer)
{
    static const char *const kinds[] = { "scores", "mean", "band" };
    int is_first = 1;

    for (size_t b = 0; b < answer->n_budgets; b++) {
        for (size_t m = 0; m < answer->n_methods; m++) {
            if (isnan(assay_study_mean_coverage(answer->study, b, m, ASSAY_STUDY_COVER_MEAN, 0,
                                                answer->n_grids)))
                continue;
            if (is_first) {
                fprintf(to, "\nshare of %.4g %% intervals that hold\n%-8s %-14s",
                        100.0 * answer->request->analysis.level, "budget", "method");
                for (size_t k = 0; k < ASSAY_STUDY_COVER_QUANTILE; k++)
                    fprintf(to, " %8s", kinds[k]);
                print_levels(to, answer);
                putc('\n', to);
                is_first = 0;
            }
            fprintf(to, "%-8zu %-14s", answer->budgets[b], answer->methods[m]);
            for (size_t k = 0; k < ASSAY_STUDY_COVER_QUANTILE + answer->n_levels; k++)
                print_share(to,
                            assay_study_mean_coverage(answer->study, b, m, k, 0, answer->n_grids));
            putc('\n', to);
        }
    }
}

static assay_status print_means(FILE *to, const struct templates_answer *answer,
                                const size_t *models, int with_models)
{
    assay_status status = ASSAY_OK;

    print_means_head(to, answer, with_models);
    for (size_t b = 0; b < answer->n_budgets; b++)
        for (size_t m = 0; m < answer->n_methods && status == ASSAY_OK; m++)
            status = print_mean(to, answer, b, m, models, with_models);
    print_coverage(to, answer);
    fputs(
        "\nW1: mean distance between the sorted true and estimated scores of the templates; its sd "
        "is\nover seeds. The last columns: |true - estimated quantile|.\n",
        to);
    return status;
}

/* ---- JSON ---- */

assay_status json_templates_study(assay_json *json, const struct templates_answer *answer)
{
    size_t n_models, *models = models_of_grids(answer, &n_models);
    assay_status status = ASSAY_OK;

    if (!models) return cli_no_memory();
    assay_json_key(json, "seeds");
    assay_json_count(json, assay_study_n_seeds(answer->study));
    assay_json_key(json, "study");
    assay_json_begin_array(json);
    for (size_t k = 0; k < answer->n_grids; k++)
        for (size_t b = 0; b < answer->n_budgets; b++)
            for (size_t m = 0; m < answer->n_methods; m++) json_row(json, answer, b, m, k);
    assay_json_end_array(json);
    assay_json_key(json, "study_summary");
    assay_json_begin_array(json);
    for (size_t b = 0; b < answer->n_budgets; b++)
        for (size_t m = 0; m < answer->n_methods && status == ASSAY_OK; m++)
            status = json_mean(json, answer, b, m, models);
    assay_json_end_array(json);
    free(models);
    return status;
}

static void json_method(assay_json *json, const struct templates_answer *answer, size_t b, size_t m)
{
    assay_json_key(json, "budget");
    assay_json_count(json, answer->budgets[b]);
    assay_json_key(json, "method");
    assay_json_text(json, answer->methods[m]);
}

/* The share of a method's intervals that held, over the grids from first on. */
static void json_coverage(assay_json *json, const struct templates_answer *answer, size_t b,
                          size_t m, size_t first, size_t n)
{
    static const char *const kinds[] = { "scores", "mean", "band" };
    static const char withheld[] = "no such interval is given there";
    const assay_study *study = answer->study;

    if (isnan(assay_study_mean_coverage(study, b, m, ASSAY_STUDY_COVER_MEAN, first, n))) {
        cli_json_estimate(json, "coverage", NAN, "the method gives no interval");
        return;
    }
    assay_json_key(json, "coverage");
    assay_json_begin_object(json);
    for (size_t k = 0; k < ASSAY_STUDY_COVER_QUANTILE; k++) {
        cli_json_estimate(json, kinds[k], assay_study_mean_coverage(study, b, m, k, first, n),
                          withheld);
    }
    assay_json_key(json, "quantiles");
    assay_json_begin_object(json);
    for (size_t l = 0; l < answer->n_levels; l++)
        json_templates_at_level(
            json, answer->levels[l],
            assay_study_mean_coverage(study, b, m, ASSAY_STUDY_COVER_QUANTILE + l, first, n),
            withheld);
    assay_json_end_object(json);
    assay_json_end_object(json);
}

/* One grid. */
static void json_row(assay_json *json, const struct templates_answer *answer, size_t b, size_t m,
                     size_t k)
{
    assay_study_summary w1 = assay_study_summarise_grid(answer->study, b, m, ASSAY_STUDY_W1, k);

    assay_json_begin_object(json);
    assay_json_key(json, "model");
    assay_json_text(json, assay_grids_model(answer->grids, k));
    assay_json_key(json, "task");
    assay_json_text(json, assay_grids_task(answer->grids, k));
    json_method(json, answer, b, m);
    assay_json_key(json, "w1");
    assay_json_number(json, w1.mean);
    cli_json_estimate(json, "w1_sd", w1.sd_seeds, "one seed");
    assay_json_key(json, "quantile_error");
    assay_json_begin_object(json);
    for (size_t l = 0; l < answer->n_levels; l++) {
        json_templates_level(json, answer->levels[l]);
        assay_json_number(
            json,
            assay_study_summarise_grid(answer->study, b, m, ASSAY_STUDY_QUANTILE + l, k).mean);
    }
    assay_json_end_object(json);
    json_coverage(json, answer, b, m, k, 1);
    assay_json_end_object(json);
}

/* All grids. */
static assay_status json_mean(assay_json *json, const struct templates_answer *answer, size_t b,
                              size_t m, const size_t *models)
{
    assay_study_summary w1 = assay_study_summarise(answer->study, b, m, ASSAY_STUDY_W1);
    double sd = NAN;
    assay_status status =
        assay_study_sd_over_groups(answer->study, b, m, ASSAY_STUDY_W1, models, &sd);

    assay_json_begin_object(json);
    json_method(json, answer, b, m);
    assay_json_key(json, "grids");
    assay_json_count(json, answer->n_grids);
    assay_json_key(json, "w1");
    assay_json_number(json, w1.mean);
    cli_json_estimate(json, "w1_sd", w1.sd_seeds, "one seed");
    cli_json_estimate(json, "w1_sd_grids", w1.sd_grids, "one grid");
    cli_json_estimate(json, "w1_sd_models", sd, "one model");
    assay_json_key(json, "quantile_error");
    assay_json_begin_object(json);
    for (size_t l = 0; l < answer->n_levels; l++) {
        json_templates_level(json, answer->levels[l]);
        assay_json_number(
            json, assay_study_summarise(answer->study, b, m, ASSAY_STUDY_QUANTILE + l).mean);
    }
    assay_json_end_object(json);
    json_coverage(json, answer, b, m, 0, answer->n_grids);
    assay_json_end_object(json);
    return status;
}
