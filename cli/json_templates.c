/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay templates` as JSON: the contract is in docs/templates.md. */
#include "print_templates.h"

#include "print_best.h"

#include <math.h>

static const char all_run[] = "all cells were run: the scores are known, and nothing is fitted";
static const char no_cells[] = "the scores are published: the cells are simulated, and not fitted";

static void json_winners(assay_json *json, const struct templates_answer *answer);

assay_status print_templates_json(FILE *to, const void *data)
{
    static const char *const conventions[] = { "seed", "linear", "inverse" };
    const struct templates_answer *answer = data;
    const struct templates_request *request = answer->request;
    assay_status status = ASSAY_OK;
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    if (answer->published)
        json_templates_published(&json, answer);
    else
        cli_json_head(&json, "assay.templates/1", "templates", request->analysis.seed,
                      answer->results);
    assay_json_key(&json, "faithful");
    assay_json_bool(&json, request->faithful);
    assay_json_key(&json, "c");
    assay_json_number(&json, request->c);
    assay_json_key(&json, "convention");
    assay_json_text(&json, conventions[request->convention]);
    if (answer->n_grids == 1) {
        json_templates_grid(&json, answer, 0);
    } else {
        assay_json_key(&json, "grids");
        assay_json_begin_array(&json);
        for (size_t k = 0; k < answer->n_grids; k++) {
            assay_json_begin_object(&json);
            json_templates_grid(&json, answer, k);
            assay_json_end_object(&json);
        }
        assay_json_end_array(&json);
    }
    json_winners(&json, answer);
    if (answer->study) status = json_templates_study(&json, answer);
    if (answer->best_study) json_best_study(&json, answer);
    assay_json_end_object(&json);
    putc('\n', to);
    return status;
}

static void count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static const char *level_key(double level, char key[32])
{
    snprintf(key, 32, "%.12g", level);
    return key;
}

void json_templates_level(assay_json *json, double level)
{
    char key[32];

    assay_json_key(json, level_key(level, key));
}

void json_templates_at_level(assay_json *json, double level, double value, const char *reason)
{
    char key[32];

    cli_json_estimate(json, level_key(level, key), value, reason);
}

static void json_ids(assay_json *json, const struct templates_answer *answer, size_t k)
{
    assay_json_key(json, "template_ids");
    assay_json_begin_array_in_line(json);
    for (size_t i = 0; i < assay_grid_n_templates(answer->each[k].grid); i++)
        assay_json_text(json, assay_grids_template(answer->grids, k, i));
    assay_json_end_array(json);
}

/* All scores in order: what quantiles are of. Of a published method they are its scores. */
static void json_distribution(assay_json *json, const assay_templates *fit)
{
    size_t n;
    const double *distribution = assay_templates_distribution(fit, &n);

    assay_json_key(json, "distribution");
    assay_json_begin_array_in_line(json);
    for (size_t i = 0; i < n; i++) assay_json_number(json, distribution[i]);
    assay_json_end_array(json);
}

static void json_estimate(assay_json *json, const struct templates_answer *answer, size_t k,
                          size_t m)
{
    const struct templates_estimate *of = &answer->each[k].estimates[m];

    assay_json_begin_object(json);
    assay_json_key(json, "method");
    assay_json_text(json, answer->methods[m]);
    assay_json_key(json, "scores");
    assay_json_begin_array_in_line(json);
    for (size_t i = 0; i < assay_grid_n_templates(answer->each[k].grid); i++)
        assay_json_number(json, of->scores[i]);
    assay_json_end_array(json);
    json_distribution(json, of->fit);
    assay_json_key(json, "mean");
    assay_json_number(json, of->mean);
    assay_json_key(json, "quantiles");
    assay_json_begin_object(json);
    for (size_t l = 0; l < answer->n_levels; l++) {
        json_templates_level(json, answer->levels[l]);
        assay_json_number(json, of->quantiles[l]);
    }
    assay_json_end_object(json);
    assay_json_key(json, "binarised"); /* scores between 0 and 1, for the fit */
    assay_json_bool(json, !assay_grid_is_binary(answer->each[k].grid) &&
                              (answer->each[k].methods[m].method == ASSAY_TEMPLATES_PE ||
                               answer->each[k].methods[m].method == ASSAY_TEMPLATES_LOGREG));
    assay_json_key(json, "converged");
    assay_json_bool(json, assay_templates_converged(of->fit));
    json_templates_interval(json, answer, of->fit);
    assay_json_end_object(json);
}

static void json_spread(assay_json *json, const struct templates_grid *each)
{
    static const char no_item[] = "no item has cells of two templates";
    static const char no_template[] = "no template has two cells";
    const assay_spread *spread = &each->spread;

    if (each->no_spread[0]) {
        cli_json_estimate(json, "spread", NAN, each->no_spread);
        return;
    }
    assay_json_key(json, "spread");
    assay_json_begin_object(json);
    assay_json_key(json, "observed_sd");
    assay_json_number(json, sqrt(spread->observed));
    cli_json_estimate(json, "noise_free_sd", sqrt(spread->these_items), no_item);
    cli_json_estimate(json, "noise_free_sd_like", sqrt(spread->any_items), no_template);
    cli_json_estimate(json, "signed_variance", spread->these_signed, no_item);
    cli_json_estimate(json, "signed_variance_like", spread->any_signed, no_template);
    assay_json_end_object(json);
}

static void json_left_out(assay_json *json, const assay_left_out *left_out)
{
    assay_json_key(json, "left_out");
    assay_json_begin_object(json);
    count(json, "templates_never_run", left_out->templates_never_run);
    count(json, "items_never_run", left_out->items_never_run);
    count(json, "templates", left_out->templates);
    count(json, "items", left_out->items);
    assay_json_end_object(json);
}

void json_templates_grid(assay_json *json, const struct templates_answer *answer, size_t k)
{
    const assay_grid *grid = answer->each[k].grid;

    assay_json_key(json, "model");
    assay_json_text(json, assay_grids_model(answer->grids, k));
    assay_json_key(json, "task");
    assay_json_text(json, assay_grids_task(answer->grids, k));
    count(json, "templates", assay_grid_n_templates(grid));
    count(json, "items", assay_grid_n_items(grid));
    count(json, "observed", assay_grid_n_cells(grid));
    if (answer->published)
        count(json, "simulation_seed",
              answer->request->analysis.seed + assay_published_place(answer->published, k));
    else if (answer->request->study)
        json_left_out(json, &answer->each[k].left_out);
    json_ids(json, answer, k);
    assay_json_key(json, "estimates");
    assay_json_begin_array(json);
    for (size_t m = 0; m < answer->n_methods; m++)
        if (answer->each[k].estimates[m].fit) json_estimate(json, answer, k, m);
    assay_json_end_array(json);
    if (answer->each[k].is_full) {
        assay_json_key(json, "estimates_reason");
        assay_json_text(json, answer->published ? no_cells : all_run);
    }
    json_spread(json, &answer->each[k]);
    if (answer->request->best && !answer->best_study) json_best(json, answer, k);
}

/* ---- the winners ---- */

static void json_winner(assay_json *json, const struct templates_answer *answer, size_t w)
{
    const struct templates_winner *winner = &answer->winners[w];
    int is_known = !winner->reason[0];

    assay_json_begin_object(json);
    assay_json_key(json, "task");
    assay_json_text(json, assay_grids_task(answer->grids, winner->first));
    count(json, "models", winner->n_models);
    assay_json_key(json, "winner");
    assay_json_text(json, is_known ? assay_grids_model(answer->grids, winner->best) : NULL);
    if (!is_known) {
        assay_json_key(json, "winner_reason");
        assay_json_text(json, winner->reason);
    }
    cli_json_estimate(json, "probability", is_known ? winner->p : NAN, winner->reason);
    cli_json_estimate(json, "raw", is_known ? winner->observed : NAN, winner->reason);
    assay_json_end_object(json);
}

static void json_winners(assay_json *json, const struct templates_answer *answer)
{
    assay_json_key(json, "winner_change");
    assay_json_begin_array(json);
    for (size_t w = 0; w < answer->n_winners; w++) json_winner(json, answer, w);
    assay_json_end_array(json);
}
