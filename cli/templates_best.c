/* SPDX-License-Identifier: Apache-2.0 */
/* `assay templates --best`: the template that looks best on each grid, or the regret of each way to
   the best one. */
#include "templates_answer.h"

#include <stdlib.h>
#include <string.h>

static assay_status choose(struct templates_answer *answer, size_t k);
static assay_status run_study(struct templates_answer *answer);
static size_t list_ways(struct templates_answer *answer, size_t k, assay_best_method *methods);

assay_status templates_find_best(struct templates_answer *answer)
{
    assay_status status = ASSAY_OK;

    if (answer->request->study) {
        status = run_study(answer);
    } else {
        for (size_t k = 0; k < answer->n_grids && status == ASSAY_OK; k++)
            status = choose(answer, k);
    }
    cli_progress_done();
    return status;
}

/* The index of a method, n_methods where it was not asked for. */
static size_t method_of(const struct templates_answer *answer, const char *name)
{
    size_t m = 0;

    while (m < answer->n_methods && strcmp(answer->methods[m], name) != 0) m++;
    return m;
}

/* The published fits are of scores that are 0 or 1: of others the averages choose. */
size_t templates_best_method(const struct templates_answer *answer, size_t k)
{
    size_t covariates = method_of(answer, "pe-covariates");

    if (!assay_grid_is_binary(answer->each[k].grid)) return method_of(answer, "avg");
    return covariates < answer->n_methods ? covariates : method_of(answer, "pe-rasch");
}

static int threads_of(const struct templates_answer *answer)
{
    return (int)answer->request->analysis.threads; /* checked: 0 to 1024 */
}

/* Where the library refuses, its reason. */
static assay_status choose(struct templates_answer *answer, size_t k)
{
    struct templates_grid *each = &answer->each[k];
    assay_chosen_template_options options;
    assay_status status;

    if (assay_grid_n_templates(each->grid) == 1) {
        snprintf(each->no_choice, sizeof each->no_choice, "there is one template only");
        return ASSAY_OK;
    }
    assay_chosen_template_options_init(&options, sizeof options);
    options.level = answer->request->analysis.level;
    options.seed = answer->request->analysis.seed;
    options.threads = threads_of(answer);
    options.progress = cli_progress(answer->request->common.quiet);
    status = assay_chosen_template_find(
        each->grid, &each->methods[templates_best_method(answer, k)], &options, &each->chosen);
    if (status != ASSAY_E_DEGENERATE) return status;
    snprintf(each->no_choice, sizeof each->no_choice, "%s", assay_last_error());
    return ASSAY_OK;
}

/* ---- the study ---- */

static assay_status run_study(struct templates_answer *answer)
{
    size_t n = answer->n_grids;
    const assay_grid **grids = malloc(n * sizeof *grids);
    assay_best_method *methods = malloc(n * TEMPLATES_MOST_BEST * sizeof *methods);
    assay_best_study_options options;
    assay_status status = templates_check_budgets(answer);

    if (!grids || !methods) status = cli_no_memory();
    for (size_t k = 0, at = 0; k < n && status == ASSAY_OK; k++) {
        grids[k] = answer->each[k].grid;
        at += list_ways(answer, k, methods + at);
    }
    assay_best_study_options_init(&options, sizeof options);
    options.budgets = answer->budgets;
    options.n_budgets = answer->n_budgets;
    options.n_seeds = (size_t)answer->request->seeds;
    options.seed = answer->request->analysis.seed;
    options.threads = threads_of(answer);
    options.progress = cli_progress(answer->request->common.quiet);
    if (status == ASSAY_OK)
        status =
            assay_best_study_run(grids, n, methods, answer->n_best, &options, &answer->best_study);
    free(grids);
    free(methods);
    return status;
}

static void add_way(struct templates_answer *answer, const struct templates_best_way *way,
                    const assay_templates_options *estimator, assay_best_method *methods)
{
    methods[answer->n_best] = (assay_best_method){
        .rule = strcmp(way->cells, "halving") == 0 ? ASSAY_BEST_HALVING : ASSAY_BEST_BALANCED,
        .estimator = *estimator,
    };
    answer->best_ways[answer->n_best++] = *way;
}

/* The ways of grid k, the same on every grid; returns how many these are. */
static size_t list_ways(struct templates_answer *answer, size_t k, assay_best_method *methods)
{
    static const struct templates_best_way pe = { "halving", "pe-rasch" },
                                           pe_x = { "halving", "pe-covariates" },
                                           gse = { "halving", "gse" },
                                           gse_x = { "halving", "gse-covariates" },
                                           mean = { "balanced", "avg" },
                                           plain = { "balanced", "pe-rasch" };
    const struct templates_grid *each = &answer->each[k];
    const assay_templates_options *avg = &each->methods[method_of(answer, "avg")];
    const assay_templates_options *rasch = &each->methods[method_of(answer, "pe-rasch")];
    const assay_templates_options *covariates = &each->methods[templates_best_method(answer, k)];
    assay_templates_options effects = *rasch, features = *rasch;

    effects.method = features.method = ASSAY_TEMPLATES_LOGREG;
    features.x = each->x;
    features.n_x = each->n_x;
    answer->n_best = 0;
    add_way(answer, &pe, rasch, methods);
    if (covariates != rasch) add_way(answer, &pe_x, covariates, methods);
    add_way(answer, &gse, &effects, methods);
    if (each->x) add_way(answer, &gse_x, &features, methods);
    add_way(answer, &plain, rasch, methods);
    add_way(answer, &mean, avg, methods);
    return answer->n_best;
}
