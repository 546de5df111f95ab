/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/best_study.h"

#include "assay/best_template.h"
#include "assay/sampling.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "stats/linalg.h"
#include "templates/resampling.h"
#include "templates/study_inputs.h"
#include "templates/study_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_best_study {
    size_t n_grids, n_methods, n_budgets, n_seeds;
    size_t *budgets;
    double *values;    /* budget, method, grid, seed: the last fastest */
    double *random;    /* by grid: the mean regret of a random template */
    double *random_sd; /* and its standard deviation */
};

/* A study while it runs. */
typedef struct work {
    const assay_grid *const *grids;
    const assay_best_method *methods;
    const assay_best_study_options *options;
    double **regrets; /* by grid, of its templates */
    assay_best_study *study;
} work;

static assay_status resolve(const assay_best_study_options *given, assay_best_study_options *opt);
static assay_best_study *new_study(size_t n_grids, size_t n_methods,
                                   const assay_best_study_options *opt);
static assay_status find_regrets(work *w);
static assay_status run_piece(void *user, size_t k, int thread);

void assay_best_study_options_init(assay_best_study_options *options, size_t struct_size)
{
    const assay_best_study_options defaults = {
        .struct_size = struct_size,
        .budgets = assay_usual_budgets,
        .n_budgets = ASSAY_N_USUAL_BUDGETS,
        .n_seeds = 20,
        .seed = 1,
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_best_study_run(const assay_grid *const *grids, size_t n_grids,
                                  const assay_best_method *methods, size_t n_methods,
                                  const assay_best_study_options *options, assay_best_study **out)
{
    assay_best_study_options opt;
    work w = { .grids = grids, .methods = methods, .options = &opt };
    assay_status status;

    *out = NULL;
    if ((status = resolve(options, &opt)) != ASSAY_OK) return status;
    if ((status = assay_study_check_grids(grids, n_grids, n_methods,
                                          opt.budgets[opt.n_budgets - 1])) != ASSAY_OK)
        return status;

    w.study = new_study(n_grids, n_methods, &opt);
    w.regrets = assay_alloc_zero(n_grids, sizeof *w.regrets);
    if (!w.study || !w.regrets)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a study of %zu grids", n_grids);
    if (status == ASSAY_OK) status = find_regrets(&w);
    assay_blas_hold();
    if (status == ASSAY_OK)
        status = assay_do_pieces(n_grids * opt.n_seeds, assay_threads(opt.threads), "study",
                                 opt.progress, run_piece, &w);
    assay_blas_release();
    if (status == ASSAY_OK) {
        *out = w.study;
        w.study = NULL;
    }
    for (size_t g = 0; w.regrets && g < n_grids; g++) free(w.regrets[g]);
    free(w.regrets);
    assay_best_study_free(w.study);
    return status;
}

static assay_status resolve(const assay_best_study_options *given, assay_best_study_options *opt)
{
    assay_status status;

    assay_best_study_options_init(opt, sizeof *opt);
    status = assay_options_take("study of the best", given, opt, sizeof *opt);
    if (status != ASSAY_OK) return status;
    if (!opt->budgets) {
        opt->budgets = assay_usual_budgets;
        opt->n_budgets = ASSAY_N_USUAL_BUDGETS;
    }
    return assay_study_check(opt->budgets, opt->n_budgets, opt->n_seeds, opt->threads);
}

static assay_best_study *new_study(size_t n_grids, size_t n_methods,
                                   const assay_best_study_options *opt)
{
    assay_best_study *study = assay_alloc_zero(1, sizeof *study);
    size_t runs = n_grids * opt->n_seeds, kinds = opt->n_budgets * n_methods;

    if (!study || kinds > SIZE_MAX / 16 / runs) {
        free(study);
        return NULL;
    }
    study->n_grids = n_grids;
    study->n_methods = n_methods;
    study->n_budgets = opt->n_budgets;
    study->n_seeds = opt->n_seeds;
    study->budgets = assay_alloc(opt->n_budgets, sizeof *study->budgets);
    study->values = assay_alloc(kinds * runs, sizeof *study->values);
    study->random = assay_alloc(n_grids, sizeof *study->random);
    study->random_sd = assay_alloc(n_grids, sizeof *study->random_sd);
    if (!study->budgets || !study->values || !study->random || !study->random_sd) {
        assay_best_study_free(study);
        return NULL;
    }
    memcpy(study->budgets, opt->budgets, opt->n_budgets * sizeof *study->budgets);
    return study;
}

/* max_k S_k - S_i of each template, and their mean and sd: those of a random one. */
static assay_status find_regrets(work *w)
{
    for (size_t g = 0; g < w->study->n_grids; g++) {
        size_t n = assay_grid_n_templates(w->grids[g]);
        double *regret = w->regrets[g] = assay_full_scores(w->grids[g]);
        double most = 0.0, mean = 0.0, squares = 0.0;

        if (!regret) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu scores", n);
        for (size_t i = 0; i < n; i++) most = fmax(most, regret[i]);
        for (size_t i = 0; i < n; i++) regret[i] = most - regret[i];
        for (size_t i = 0; i < n; i++) mean += regret[i] / (double)n;
        for (size_t i = 0; i < n; i++) squares += (regret[i] - mean) * (regret[i] - mean);
        w->study->random[g] = mean;
        w->study->random_sd[g] = sqrt(squares / (double)n);
    }
    return ASSAY_OK;
}

/* ---- one grid and seed ---- */

static assay_status halve(const work *w, size_t g, size_t seed, size_t budget,
                          const assay_templates_options *estimator, double *regret)
{
    assay_best_template_options options;
    assay_best_template *best;
    assay_status status;

    assay_best_template_options_init(&options, sizeof options);
    options.seed = w->options->seed + seed;
    options.score = estimator->method;
    options.faithful = estimator->faithful;
    options.c = estimator->c;
    options.x = estimator->x;
    options.n_x = estimator->n_x;
    options.z = estimator->z;
    options.n_z = estimator->n_z;
    status = assay_best_template_study(w->grids[g], budget, &options, &best);
    if (status != ASSAY_OK) return status;
    *regret = w->regrets[g][assay_best_template_index(best)];
    assay_best_template_free(best);
    return ASSAY_OK;
}

/* The mean regret of the templates with a cell that have the highest score, rounding aside. */
static double regret_of(const assay_grid *seen, const double *scores, const double *regrets)
{
    size_t n_templates = assay_grid_n_templates(seen), n = 0;
    double most = scores[assay_resampling_choose(seen, scores)], sum = 0.0;

    for (size_t i = 0; i < n_templates; i++) {
        if (assay_grid_row(seen, i, NULL, NULL) == 0) continue;
        if (!(fabs(scores[i] - most) <= ASSAY_SCORE_TIE)) continue;
        sum += regrets[i];
        n++;
    }
    return sum / (double)n;
}

static assay_status choose(const work *w, size_t g, const assay_grid *seen,
                           const assay_templates_options *estimator, double *regret)
{
    assay_templates *fit;
    size_t n;
    assay_status status = assay_templates_fit(seen, estimator, &fit);

    if (status != ASSAY_OK) return status;
    *regret = regret_of(seen, assay_templates_scores(fit, &n), w->regrets[g]);
    assay_templates_free(fit);
    return ASSAY_OK;
}

static size_t place_of(const assay_best_study *study, size_t budget, size_t method, size_t grid,
                       size_t seed)
{
    return ((budget * study->n_methods + method) * study->n_grids + grid) * study->n_seeds + seed;
}

static assay_status run_budget(const work *w, size_t g, size_t seed, size_t b, assay_plan *plan)
{
    const assay_best_study *study = w->study;
    size_t budget = study->budgets[b], n;
    const size_t *templates, *items;
    assay_grid *seen = NULL;
    assay_status status = assay_plan_extend(plan, budget);

    if (status != ASSAY_OK) return status;
    n = assay_plan_cells(plan, &templates, &items);
    status = assay_grid_take(w->grids[g], n, templates, items, &seen);
    for (size_t m = 0; m < study->n_methods && status == ASSAY_OK; m++) {
        const assay_best_method *method = &w->methods[g * study->n_methods + m];
        double *to = &study->values[place_of(study, b, m, g, seed)];

        status = method->rule == ASSAY_BEST_HALVING
                     ? halve(w, g, seed, budget, &method->estimator, to)
                     : choose(w, g, seen, &method->estimator, to);
    }
    assay_grid_free(seen);
    return status;
}

static assay_status run_piece(void *user, size_t k, int thread)
{
    const work *w = user;
    size_t g = k / w->study->n_seeds, seed = k % w->study->n_seeds;
    assay_plan_options options;
    assay_plan *plan = NULL;
    assay_status status;

    (void)thread;
    assay_plan_options_init(&options, sizeof options);
    options.seed = w->options->seed + seed;
    status = assay_plan_new(assay_grid_n_templates(w->grids[g]), assay_grid_n_items(w->grids[g]),
                            &options, &plan);
    for (size_t b = 0; b < w->study->n_budgets && status == ASSAY_OK; b++)
        status = run_budget(w, g, seed, b, plan);
    assay_plan_free(plan);
    return status;
}

/* ---- getters ---- */

void assay_best_study_free(assay_best_study *study)
{
    if (!study) return;
    free(study->budgets);
    free(study->values);
    free(study->random);
    free(study->random_sd);
    free(study);
}

const size_t *assay_best_study_budgets(const assay_best_study *study, size_t *n)
{
    *n = study->n_budgets;
    return study->budgets;
}

size_t assay_best_study_n_grids(const assay_best_study *study)
{
    return study->n_grids;
}

size_t assay_best_study_n_methods(const assay_best_study *study)
{
    return study->n_methods;
}

size_t assay_best_study_n_seeds(const assay_best_study *study)
{
    return study->n_seeds;
}

double assay_best_study_value(const assay_best_study *study, size_t budget, size_t method,
                              size_t grid, size_t seed)
{
    return study->values[place_of(study, budget, method, grid, seed)];
}

assay_regret assay_best_study_regret(const assay_best_study *study, size_t budget, size_t method)
{
    const double *values = &study->values[place_of(study, budget, method, 0, 0)];
    size_t n_grids = study->n_grids, n_seeds = study->n_seeds, n = n_grids * n_seeds;
    assay_regret regret = { 0.0, NAN, NAN };

    for (size_t k = 0; k < n; k++) regret.mean += values[k] / (double)n;
    regret.sd_seeds = assay_sd_of_means(values, n_seeds, 1, n_grids, n_seeds, regret.mean);
    regret.sd_grids = assay_sd_of_means(values, n_grids, n_seeds, n_seeds, 1, regret.mean);
    return regret;
}

assay_regret assay_best_study_random(const assay_best_study *study)
{
    double n = (double)study->n_grids, variance = 0.0;
    assay_regret regret = { 0.0, NAN, NAN };

    for (size_t g = 0; g < study->n_grids; g++) {
        regret.mean += study->random[g] / n;
        variance += study->random_sd[g] * study->random_sd[g];
    }
    regret.sd_seeds = sqrt(variance) / n;
    regret.sd_grids = assay_sd_of_means(study->random, study->n_grids, 1, 1, 1, regret.mean);
    return regret;
}
