/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay templates` for people: tables, CSV and the figure. */
#include "print_templates.h"

#include "print_best.h"
#include "print_score.h"

#include <assay/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_grid(FILE *to, const struct templates_answer *answer, size_t k);
static void print_winners(FILE *to, const struct templates_answer *answer);
static void print_remarks(FILE *to, const struct templates_answer *answer);

assay_status print_templates_table(FILE *to, const void *data)
{
    const struct templates_answer *answer = data;

    if (answer->published)
        print_templates_published(to, answer);
    else
        cli_print_coverage(to, answer->results);
    if (answer->best_study) {
        print_best_study(to, answer);
    } else if (answer->study) {
        return print_templates_study(to, answer);
    } else {
        for (size_t k = 0; k < answer->n_grids; k++) print_grid(to, answer, k);
        print_winners(to, answer);
        print_remarks(to, answer);
    }
    return ASSAY_OK;
}

static void print_name(FILE *to, const char *before, const char *name)
{
    char safe[120];

    fprintf(to, "%s%s", before, assay_printable(safe, sizeof safe, name, strlen(name)));
}

static void print_size(FILE *to, const assay_grid *grid)
{
    size_t n_templates = assay_grid_n_templates(grid), n_items = assay_grid_n_items(grid);

    fprintf(to, "%zu template%s x %zu item%s", n_templates, n_templates == 1 ? "" : "s", n_items,
            n_items == 1 ? "" : "s");
}

/* ---- estimates ---- */

static size_t templates_without(const assay_grid *grid)
{
    size_t n = 0;

    for (size_t i = 0; i < assay_grid_n_templates(grid); i++)
        n += assay_grid_row(grid, i, NULL, NULL) == 0;
    return n;
}

static size_t items_without(const assay_grid *grid)
{
    size_t n = 0;

    for (size_t j = 0; j < assay_grid_n_items(grid); j++) n += assay_grid_n_of_item(grid, j) == 0;
    return n;
}

static void print_shape(FILE *to, const struct templates_answer *answer, size_t k)
{
    const assay_grid *grid = answer->each[k].grid;
    size_t n = assay_grid_n_cells(grid), lost = templates_without(grid),
           items = items_without(grid);
    double all = (double)assay_grid_n_templates(grid) * (double)assay_grid_n_items(grid);

    if (answer->n_grids > 1) {
        print_name(to, "\n", assay_grids_model(answer->grids, k));
        if (assay_grids_task(answer->grids, k))
            print_name(to, " on ", assay_grids_task(answer->grids, k));
        putc('\n', to);
    }
    print_size(to, grid);
    if (answer->each[k].is_full)
        fputs("; all of these cells were run: the scores are known", to);
    else
        fprintf(to, "; %zu of %.0f cells run (%.3g %%)", n, all, 100.0 * (double)n / all);
    if (lost) fprintf(to, "; templates without any: %zu", lost);
    if (items) fprintf(to, "; items without any: %zu", items);
    if (!answer->each[k].is_full && !assay_grid_is_binary(grid))
        fputs(
            "\nscores between 0 and 1: assay takes them as they are; the published fits (pe-*) "
            "count "
            "them as 1\nfrom .5 on, and so estimate the share of such scores where a cell was not "
            "run",
            to);
    fputs("\n\n", to);
}

static void print_head(FILE *to, const struct templates_answer *answer)
{
    fprintf(to, "%-14s %8s", "method", "mean");
    for (size_t l = 0; l < answer->n_levels; l++) {
        char label[32];

        snprintf(label, sizeof label, "%.4g %%", 100.0 * answer->levels[l]);
        fprintf(to, " %8s", label);
    }
    if (answer->n_levels > 1) fprintf(to, " %8s", "spread");
    putc('\n', to);
}

static void print_sd_or_not(FILE *to, double variance, const char *of)
{
    if (isnan(variance))
        fprintf(to, "not estimable (%s)", of);
    else if (variance == 0.0)
        fprintf(to, "0, none is seen above the noise (%s)", of);
    else
        fprintf(to, "%.4f (%s)", sqrt(variance), of);
}

static void print_spread(FILE *to, const struct templates_grid *each)
{
    const assay_spread *spread = &each->spread;

    fputs("\nsd of the templates' scores: ", to);
    if (each->no_spread[0]) {
        fprintf(to, "not estimable: %s\n", each->no_spread);
        return;
    }
    fprintf(to, "observed %.4f; without the noise of few items\n", sqrt(spread->observed));
    print_sd_or_not(to, spread->these_items, "these items");
    fputs(", ", to);
    print_sd_or_not(to, spread->any_items, "items like these");
    putc('\n', to);
}

static void print_grid(FILE *to, const struct templates_answer *answer, size_t k)
{
    print_shape(to, answer, k);
    print_head(to, answer);
    for (size_t m = 0; m < answer->n_methods; m++) {
        const struct templates_estimate *of = &answer->each[k].estimates[m];

        if (!of->fit) continue;
        fprintf(to, "%-14s %8.4f", answer->methods[m], of->mean);
        for (size_t l = 0; l < answer->n_levels; l++) fprintf(to, " %8.4f", of->quantiles[l]);
        if (answer->n_levels > 1)
            fprintf(to, " %8.4f", of->quantiles[answer->n_levels - 1] - of->quantiles[0]);
        putc('\n', to);
        print_templates_intervals(to, answer, of->fit);
    }
    print_spread(to, &answer->each[k]);
    if (answer->request->best) print_best(to, answer, k);
}

static void print_winners(FILE *to, const struct templates_answer *answer)
{
    for (size_t w = 0; w < answer->n_winners; w++) {
        const struct templates_winner *winner = &answer->winners[w];
        const char *task = assay_grids_task(answer->grids, winner->first);

        fputs(w == 0 ? "\nthe best model" : "the best model", to);
        if (task) print_name(to, " on ", task);
        if (winner->reason[0]) {
            fprintf(to, " changes with the templates: not estimable: %s\n", winner->reason);
            continue;
        }
        print_name(to, ", ", assay_grids_model(answer->grids, winner->best));
        fprintf(to, ", changes with %.3g %% of the templates; observed, noise included, %.3g %%\n",
                100.0 * winner->p, 100.0 * winner->observed);
    }
}

static void print_remarks(FILE *to, const struct templates_answer *answer)
{
    size_t n_full = 0;

    for (size_t k = 0; k < answer->n_grids; k++) n_full += (size_t)answer->each[k].is_full;
    if (n_full == answer->n_grids) return;
    fputs("\nQuantiles of the templates' scores over all items. assay: ours, with intervals; avg: "
          "the "
          "mean of\nwhat was run; pe-*: as published (PromptEval), without intervals. With few "
          "cells a "
          "template avg\nand pe-rasch spread too widely.\n",
          to);
}

/* ---- a row a template ---- */

static void write_id(FILE *to, const struct templates_answer *answer, size_t k, size_t i)
{
    const char *id = assay_grids_template(answer->grids, k, i);

    if (id) print_score_field(to, id);
}

static int has_interval(const struct templates_answer *answer, size_t m)
{
    return answer->each[0].methods[m].method == ASSAY_TEMPLATES_MARGINAL;
}

/* The score of template i, with its interval; blank where there is none. */
static void write_scores(FILE *to, const struct templates_answer *answer, size_t k, size_t m,
                         size_t i)
{
    const struct templates_estimate *of = &answer->each[k].estimates[m];
    const double *intervals;

    putc(',', to);
    if (of->fit) fprintf(to, "%.10g", of->scores[i]);
    if (!has_interval(answer, m)) return;
    if (of->fit && assay_templates_score_intervals(of->fit, &intervals) == ASSAY_OK)
        fprintf(to, ",%.10g,%.10g", intervals[2 * i], intervals[2 * i + 1]);
    else
        fputs(",,", to);
}

assay_status print_templates_csv(FILE *to, const void *data)
{
    const struct templates_answer *answer = data;

    fputs("model,task,template,cells", to);
    for (size_t m = 0; m < answer->n_methods; m++) {
        fprintf(to, ",%s", answer->methods[m]);
        if (has_interval(answer, m))
            fprintf(to, ",%s_low,%s_high", answer->methods[m], answer->methods[m]);
    }
    putc('\n', to);
    for (size_t k = 0; k < answer->n_grids; k++) {
        const struct templates_grid *each = &answer->each[k];
        const char *task = assay_grids_task(answer->grids, k);

        for (size_t i = 0; i < assay_grid_n_templates(each->grid); i++) {
            print_score_field(to, assay_grids_model(answer->grids, k));
            putc(',', to);
            if (task) print_score_field(to, task);
            putc(',', to);
            write_id(to, answer, k, i);
            fprintf(to, ",%zu", assay_grid_row(each->grid, i, NULL, NULL));
            for (size_t m = 0; m < answer->n_methods; m++) write_scores(to, answer, k, m, i);
            putc('\n', to);
        }
    }
    return ASSAY_OK;
}

/* ---- the figure ---- */

assay_status print_templates_plot(FILE *to, const void *data)
{
    const struct templates_answer *answer = data;
    const char *path = answer->published ? assay_published_input(answer->published).path
                                         : assay_results_input(answer->results, 0).path;
    const char *slash = strrchr(path, '/');

    if (answer->best_study)
        plot_best_study(to, answer, slash && slash[1] ? slash + 1 : path);
    else
        assay_plot_study(answer->study, answer->methods, slash && slash[1] ? slash + 1 : path, to);
    return ASSAY_OK;
}
