/* SPDX-License-Identifier: Apache-2.0 */
#include "print_best.h"

#include <assay/plot.h>
#include <assay/searched_cells.h>
#include <math.h>
#include <string.h>

enum { MOST_NAMES = 12, WIDTH = 100 };

static const char no_split[] =
    "no template that was chosen on one half of the items has a cell in the other";

/* ---- the choice ---- */

static const char *name_of(const struct templates_answer *answer, size_t k, size_t i, char *safe,
                           size_t size)
{
    const char *id = assay_grids_template(answer->grids, k, i);

    if (!id) {
        snprintf(safe, size, "%zu", i);
        return safe;
    }
    return assay_printable(safe, size, id, strlen(id));
}

/* The ids of the templates that may be the best, as many as a few lines hold. */
static void print_names(FILE *to, const struct templates_answer *answer, size_t k)
{
    size_t n, column = 0;
    const size_t *which = assay_chosen_template_inseparable(answer->each[k].chosen, &n);

    for (size_t m = 0; m < n && m < MOST_NAMES; m++) {
        char safe[60];
        const char *name = name_of(answer, k, which[m], safe, sizeof safe);

        if (column + strlen(name) + 2 > WIDTH) {
            fputs(",\n", to);
            column = 0;
        } else if (m > 0) {
            fputs(", ", to);
        }
        fputs(name, to);
        column += strlen(name) + 2;
    }
    if (n > MOST_NAMES) fprintf(to, " and %zu more (--json lists them)", n - MOST_NAMES);
    putc('\n', to);
}

static void print_score(FILE *to, const assay_chosen_template *chosen, double level)
{
    double split = assay_chosen_template_corrected(chosen, ASSAY_CORRECTION_SPLIT), low, high;

    assay_chosen_template_interval(chosen, &low, &high);
    fputs("score corrected for its having been chosen: ", to);
    if (isnan(split))
        fprintf(to, "not estimable: %s\n", no_split);
    else
        fprintf(to, "%.4f (split), optimism %.4f\n", split,
                assay_chosen_template_raw(chosen) - split);
    fprintf(
        to, "%.4g %% interval %.4f to %.4f; shrunk %.4f; bootstrap %.4f, known to be too high\n",
        100.0 * level, low, high, assay_chosen_template_corrected(chosen, ASSAY_CORRECTION_SHRUNK),
        assay_chosen_template_corrected(chosen, ASSAY_CORRECTION_BOOTSTRAP));
}

/* The template of which ours expects most, among those with cells; its estimate. NULL where nothing was
   fitted. */
static const struct templates_estimate *best_of_ours(const struct templates_answer *answer,
                                                     size_t k, size_t *best)
{
    const struct templates_grid *each = &answer->each[k];
    const struct templates_estimate *of = NULL;
    const double rounding = 1e-9; /* of equals the first is the best */
    int is_found = 0;

    for (size_t m = 0; m < answer->n_methods; m++)
        if (each->methods[m].method == ASSAY_TEMPLATES_MARGINAL) of = &each->estimates[m];
    if (!of || !of->fit) return NULL;
    for (size_t i = 0; i < assay_grid_n_templates(each->grid); i++) {
        if (assay_grid_row(each->grid, i, NULL, NULL) == 0) continue;
        if (!is_found || of->scores[i] > of->scores[*best] + rounding) *best = i;
        is_found = 1;
    }
    return of;
}

static void print_ours(FILE *to, const struct templates_answer *answer, size_t k)
{
    size_t best;
    const struct templates_estimate *of = best_of_ours(answer, k, &best);
    const double *intervals;
    char safe[120];

    if (!of) return;
    fprintf(to, "assay expects most of %s: %.4f", name_of(answer, k, best, safe, sizeof safe),
            of->scores[best]);
    if (assay_templates_score_intervals(of->fit, &intervals) == ASSAY_OK)
        fprintf(to, ", %.4g %% interval %.4f to %.4f", 100.0 * answer->request->analysis.level,
                intervals[2 * best], intervals[2 * best + 1]);
    putc('\n', to);
}

void print_best(FILE *to, const struct templates_answer *answer, size_t k)
{
    const assay_chosen_template *chosen = answer->each[k].chosen;
    assay_searched_cells cells = assay_searched_cells_of(answer->each[k].grid);
    size_t n;
    char safe[120];

    if (!chosen) {
        fprintf(to, "\nthe best template: not estimable: %s\n", answer->each[k].no_choice);
        return;
    }
    fprintf(to, "\nthe best by %s: %s, estimated at %.4f, %s\n",
            answer->methods[templates_best_method(answer, k)],
            name_of(answer, k, assay_chosen_template_index(chosen), safe, sizeof safe),
            assay_chosen_template_raw(chosen),
            cells.n_templates == 1 ? "the only one with cells"
                                   : "which is too high, being the highest");
    print_score(to, chosen, answer->request->analysis.level);
    print_ours(to, answer, k);
    assay_chosen_template_inseparable(chosen, &n);
    fprintf(to, "not separable from the best: %zu of %zu template%s:\n", n, cells.n_templates,
            cells.n_templates == 1 ? "" : "s");
    print_names(to, answer, k);
    if (cells.looks_searched)
        fprintf(to,
                "Templates have from %zu to %zu cells. If scores decided which were run, none of "
                "this holds:\nscore the template on items that the choice has not seen.\n",
                cells.least, cells.most);
}

/* ---- the choice as JSON ---- */

static void number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

static void count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void json_pair(assay_json *json, const char *key, double a, double b)
{
    assay_json_key(json, key);
    assay_json_begin_array_in_line(json);
    assay_json_number(json, a);
    assay_json_number(json, b);
    assay_json_end_array(json);
}

static void json_inseparable(assay_json *json, const struct templates_answer *answer, size_t k)
{
    size_t n;
    const size_t *which = assay_chosen_template_inseparable(answer->each[k].chosen, &n);

    count(json, "inseparable", n);
    assay_json_key(json, "inseparable_templates");
    assay_json_begin_array_in_line(json);
    for (size_t m = 0; m < n; m++)
        assay_json_text(json, assay_grids_template(answer->grids, k, which[m]));
    assay_json_end_array(json);
}

static void json_ours(assay_json *json, const struct templates_answer *answer, size_t k)
{
    size_t best;
    const struct templates_estimate *of = best_of_ours(answer, k, &best);
    const double *intervals;

    if (!of) {
        cli_json_estimate(json, "by_assay", NAN, "all cells were run");
        return;
    }
    assay_json_key(json, "by_assay");
    assay_json_begin_object(json);
    assay_json_key(json, "template");
    assay_json_text(json, assay_grids_template(answer->grids, k, best));
    count(json, "index", best);
    number(json, "score", of->scores[best]);
    if (assay_templates_score_intervals(of->fit, &intervals) == ASSAY_OK)
        json_pair(json, "interval", intervals[2 * best], intervals[2 * best + 1]);
    else
        cli_json_estimate(json, "interval", NAN, assay_last_error());
    assay_json_end_object(json);
}

void json_best(assay_json *json, const struct templates_answer *answer, size_t k)
{
    const assay_chosen_template *chosen = answer->each[k].chosen;
    assay_searched_cells cells = assay_searched_cells_of(answer->each[k].grid);
    double low, high, split;

    if (!chosen) {
        cli_json_estimate(json, "best", NAN, answer->each[k].no_choice);
        return;
    }
    split = assay_chosen_template_corrected(chosen, ASSAY_CORRECTION_SPLIT);
    assay_chosen_template_interval(chosen, &low, &high);
    assay_json_key(json, "best");
    assay_json_begin_object(json);
    assay_json_key(json, "template");
    assay_json_text(json,
                    assay_grids_template(answer->grids, k, assay_chosen_template_index(chosen)));
    count(json, "index", assay_chosen_template_index(chosen));
    assay_json_key(json, "method");
    assay_json_text(json, answer->methods[templates_best_method(answer, k)]);
    number(json, "raw", assay_chosen_template_raw(chosen));
    cli_json_estimate(json, "score", split, no_split);
    cli_json_estimate(json, "optimism", assay_chosen_template_raw(chosen) - split, no_split);
    json_pair(json, "interval", low, high);
    number(json, "level", answer->request->analysis.level);
    number(json, "shrunk", assay_chosen_template_corrected(chosen, ASSAY_CORRECTION_SHRUNK));
    number(json, "bootstrap", assay_chosen_template_corrected(chosen, ASSAY_CORRECTION_BOOTSTRAP));
    json_ours(json, answer, k);
    json_inseparable(json, answer, k);
    json_pair(json, "cells_a_template", (double)cells.least, (double)cells.most);
    assay_json_key(json, "looks_searched");
    assay_json_bool(json, cells.looks_searched);
    assay_json_end_object(json);
}

/* ---- the study ---- */

static void print_sd(FILE *to, double sd)
{
    if (isnan(sd))
        fprintf(to, " %8s", "-");
    else
        fprintf(to, " %8.4f", sd);
}

static void print_regret(FILE *to, const struct templates_answer *answer, assay_regret regret)
{
    fprintf(to, " %8.4f", regret.mean);
    print_sd(to, regret.sd_seeds);
    if (answer->n_grids > 1) print_sd(to, regret.sd_grids);
    putc('\n', to);
}

void print_best_study(FILE *to, const struct templates_answer *answer)
{
    size_t n_seeds = assay_best_study_n_seeds(answer->best_study);

    fprintf(to, "%zu grid%s; %zu seed%s a budget%s\n\n", answer->n_grids,
            answer->n_grids == 1 ? "" : "s", n_seeds, n_seeds == 1 ? "" : "s",
            answer->request->faithful ? "; faithful" : "");
    fprintf(to, "%-8s %-9s %-14s %8s %8s%s\n", "budget", "cells", "best by", "regret", "sd",
            answer->n_grids > 1 ? " grids sd" : "");
    for (size_t b = 0; b < answer->n_budgets; b++) {
        for (size_t m = 0; m < answer->n_best; m++) {
            fprintf(to, "%-8zu %-9s %-14s", answer->budgets[b], answer->best_ways[m].cells,
                    answer->best_ways[m].method);
            print_regret(to, answer, assay_best_study_regret(answer->best_study, b, m));
        }
    }
    fprintf(to, "%-8s %-9s %-14s", "0", "none", "at random");
    print_regret(to, answer, assay_best_study_random(answer->best_study));
    fputs("\nregret: the highest true score less that of the template found; its sd is over seeds. "
          "halving: a\nsearch that drops the worse half round by round, by the score named; "
          "balanced: all templates alike.\n",
          to);
}

static void json_regret(assay_json *json, assay_regret regret)
{
    number(json, "regret", regret.mean);
    cli_json_estimate(json, "regret_sd", regret.sd_seeds, "one seed");
    cli_json_estimate(json, "regret_sd_grids", regret.sd_grids, "one grid");
}

void json_best_study(assay_json *json, const struct templates_answer *answer)
{
    count(json, "seeds", assay_best_study_n_seeds(answer->best_study));
    assay_json_key(json, "best_study");
    assay_json_begin_array(json);
    for (size_t b = 0; b < answer->n_budgets; b++) {
        for (size_t m = 0; m < answer->n_best; m++) {
            assay_json_begin_object(json);
            count(json, "budget", answer->budgets[b]);
            assay_json_key(json, "cells");
            assay_json_text(json, answer->best_ways[m].cells);
            assay_json_key(json, "method");
            assay_json_text(json, answer->best_ways[m].method);
            json_regret(json, assay_best_study_regret(answer->best_study, b, m));
            assay_json_end_object(json);
        }
    }
    assay_json_end_array(json);
    assay_json_key(json, "at_random");
    assay_json_begin_object(json);
    json_regret(json, assay_best_study_random(answer->best_study));
    assay_json_end_object(json);
}

void plot_best_study(FILE *to, const struct templates_answer *answer, const char *title)
{
    char names[TEMPLATES_MOST_BEST][40];
    const char *list[TEMPLATES_MOST_BEST];

    for (size_t m = 0; m < answer->n_best; m++) {
        snprintf(names[m], sizeof names[m], "%s, %s", answer->best_ways[m].method,
                 answer->best_ways[m].cells);
        list[m] = names[m];
    }
    assay_plot_regret(answer->best_study, list, title, to);
}
