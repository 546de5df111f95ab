/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/study.h"

#include "assay/sampling.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "stats/linalg.h"
#include "stats/quantile.h"
#include "templates/distance.h"
#include "templates/study_inputs.h"
#include "templates/study_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_study {
    size_t n_grids, n_methods, n_budgets, n_levels, n_seeds;
    size_t *budgets;
    double *levels;
    double *values;   /* budget, method, measure, grid, seed: the last fastest */
    double *coverage; /* the same, the measure being an interval; NaN where there is none */
};

/* A study while it runs. */
typedef struct work {
    const assay_grid *const *grids;
    const assay_templates_options *methods;
    const assay_study_options *options;
    double **truth, **sorted; /* by grid: the templates' scores, and in order */
    assay_study *study;
} work;

static assay_status resolve(const assay_study_options *given, assay_study_options *opt);
static assay_study *new_study(size_t n_grids, size_t n_methods, const assay_study_options *opt);
static assay_status find_truths(work *w);
static assay_status run_piece(void *user, size_t k, int thread);
static assay_status run_budget(const work *w, size_t g, size_t seed, size_t b,
                               const assay_plan *plan);
static void measure(const work *w, const assay_templates *fit, size_t g, double *out);
static assay_status measure_coverage(const work *w, const assay_templates *fit, size_t g,
                                     double *out);

static const double usual_levels[] = { .05, .25, .5, .75, .95 };

void assay_study_options_init(assay_study_options *options, size_t struct_size)
{
    const assay_study_options defaults = {
        .struct_size = struct_size,
        .budgets = assay_usual_budgets,
        .n_budgets = ASSAY_N_USUAL_BUDGETS,
        .levels = usual_levels,
        .n_levels = sizeof usual_levels / sizeof *usual_levels,
        .n_seeds = 20,
        .seed = 1,
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_study_run(const assay_grid *const *grids, size_t n_grids,
                             const assay_templates_options *methods, size_t n_methods,
                             const assay_study_options *options, assay_study **out)
{
    assay_study_options opt;
    work w = { .grids = grids, .methods = methods, .options = &opt };
    assay_status status;

    *out = NULL;
    if ((status = resolve(options, &opt)) != ASSAY_OK) return status;
    if ((status = assay_study_check_grids(grids, n_grids, n_methods,
                                          opt.budgets[opt.n_budgets - 1])) != ASSAY_OK)
        return status;

    w.study = new_study(n_grids, n_methods, &opt);
    w.truth = assay_alloc_zero(n_grids, sizeof *w.truth);
    w.sorted = assay_alloc_zero(n_grids, sizeof *w.sorted);
    if (!w.study || !w.truth || !w.sorted)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a study of %zu grids", n_grids);
    if (status == ASSAY_OK) status = find_truths(&w);
    assay_blas_hold();
    if (status == ASSAY_OK)
        status = assay_do_pieces(n_grids * opt.n_seeds, assay_threads(opt.threads), "study",
                                 opt.progress, run_piece, &w);
    assay_blas_release();
    if (status == ASSAY_OK) {
        *out = w.study;
        w.study = NULL;
    }
    for (size_t g = 0; w.truth && g < n_grids; g++) free(w.truth[g]);
    for (size_t g = 0; w.sorted && g < n_grids; g++) free(w.sorted[g]);
    free(w.truth);
    free(w.sorted);
    assay_study_free(w.study);
    return status;
}

static assay_status resolve(const assay_study_options *given, assay_study_options *opt)
{
    assay_status status;

    assay_study_options_init(opt, sizeof *opt);
    status = assay_options_take("study", given, opt, sizeof *opt);
    if (status != ASSAY_OK) return status;
    if (!opt->budgets) {
        opt->budgets = assay_usual_budgets;
        opt->n_budgets = ASSAY_N_USUAL_BUDGETS;
    }
    if (!opt->levels) {
        opt->levels = usual_levels;
        opt->n_levels = sizeof usual_levels / sizeof *usual_levels;
    }
    status = assay_study_check(opt->budgets, opt->n_budgets, opt->n_seeds, opt->threads);
    if (status != ASSAY_OK) return status;
    if (opt->n_levels == 0) return assay_fail(ASSAY_E_SHAPE, "a study of no quantiles");
    for (size_t l = 0; l < opt->n_levels; l++)
        if (!(opt->levels[l] >= 0.0 && opt->levels[l] <= 1.0))
            return assay_fail(ASSAY_E_VALUE, "the quantile at %g, expected 0 to 1", opt->levels[l]);
    if ((unsigned)opt->rule > ASSAY_QUANTILE_INVERSE)
        return assay_fail(ASSAY_E_VALUE, "quantiles by rule %d, expected 0 to 2", (int)opt->rule);
    return ASSAY_OK;
}

static assay_study *new_study(size_t n_grids, size_t n_methods, const assay_study_options *opt)
{
    assay_study *study = assay_alloc_zero(1, sizeof *study);
    size_t runs = n_grids * opt->n_seeds, per_run = opt->n_budgets * n_methods;
    size_t n_measures = ASSAY_STUDY_QUANTILE + opt->n_levels;
    size_t n_intervals = ASSAY_STUDY_COVER_QUANTILE + opt->n_levels;

    if (!study || per_run * n_intervals > SIZE_MAX / 16 / runs) {
        free(study);
        return NULL;
    }
    study->n_grids = n_grids;
    study->n_methods = n_methods;
    study->n_budgets = opt->n_budgets;
    study->n_levels = opt->n_levels;
    study->n_seeds = opt->n_seeds;
    study->budgets = assay_alloc(opt->n_budgets, sizeof *study->budgets);
    study->levels = assay_alloc(opt->n_levels, sizeof *study->levels);
    study->values = assay_alloc(per_run * n_measures * runs, sizeof *study->values);
    study->coverage = assay_alloc(per_run * n_intervals * runs, sizeof *study->coverage);
    if (!study->budgets || !study->levels || !study->values || !study->coverage) {
        assay_study_free(study);
        return NULL;
    }
    memcpy(study->budgets, opt->budgets, opt->n_budgets * sizeof *study->budgets);
    memcpy(study->levels, opt->levels, opt->n_levels * sizeof *study->levels);
    return study;
}

static assay_status find_truths(work *w)
{
    for (size_t g = 0; g < w->study->n_grids; g++) {
        size_t n = assay_grid_n_templates(w->grids[g]);

        w->truth[g] = assay_full_scores(w->grids[g]);
        if (!w->truth[g]) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu scores", n);
        w->sorted[g] = assay_sorted_copy(w->truth[g], n);
        if (!w->sorted[g]) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu scores", n);
    }
    return ASSAY_OK;
}

/* One grid and seed: a plan that grows. */
static assay_status run_piece(void *user, size_t k, int thread)
{
    const work *w = user;
    size_t g = k / w->study->n_seeds, seed = k % w->study->n_seeds;
    const assay_grid *full = w->grids[g];
    assay_plan_options options;
    assay_plan *plan = NULL;
    assay_status status;

    (void)thread;
    assay_plan_options_init(&options, sizeof options);
    options.seed = w->options->seed + seed;
    status =
        assay_plan_new(assay_grid_n_templates(full), assay_grid_n_items(full), &options, &plan);
    for (size_t b = 0; b < w->study->n_budgets && status == ASSAY_OK; b++) {
        status = assay_plan_extend(plan, w->study->budgets[b]);
        if (status == ASSAY_OK) status = run_budget(w, g, seed, b, plan);
    }
    assay_plan_free(plan);
    return status;
}

/* Of one measure among n. */
static size_t place_of(const assay_study *study, size_t n, size_t budget, size_t method,
                       size_t measure, size_t grid, size_t seed)
{
    size_t at = (budget * study->n_methods + method) * n + measure;

    return (at * study->n_grids + grid) * study->n_seeds + seed;
}

static size_t n_measures(const assay_study *study)
{
    return ASSAY_STUDY_QUANTILE + study->n_levels;
}

static size_t n_intervals(const assay_study *study)
{
    return ASSAY_STUDY_COVER_QUANTILE + study->n_levels;
}

/* What one method makes of the cells seen. */
static assay_status run_method(const work *w, const assay_grid *seen, size_t g, size_t seed,
                               size_t b, size_t m, double *measured)
{
    assay_study *study = w->study;
    size_t step = study->n_grids * study->n_seeds; /* from a measure to the next */
    double *values = &study->values[place_of(study, n_measures(study), b, m, 0, g, seed)];
    double *coverage = &study->coverage[place_of(study, n_intervals(study), b, m, 0, g, seed)];
    assay_templates_options method = w->methods[g * study->n_methods + m];
    assay_templates *fit = NULL;
    assay_status status;

    /* Draws of its own for every fit, so that their error averages out. */
    method.progress = (assay_progress){ NULL, NULL };
    method.seed += (g * study->n_seeds + seed) * study->n_budgets + b;
    status = assay_templates_fit(seen, &method, &fit);

    if (status == ASSAY_OK) measure(w, fit, g, measured);
    for (size_t k = 0; k < n_measures(study) && status == ASSAY_OK; k++)
        values[k * step] = measured[k];
    if (status == ASSAY_OK) status = measure_coverage(w, fit, g, measured);
    for (size_t k = 0; k < n_intervals(study) && status == ASSAY_OK; k++)
        coverage[k * step] = measured[k];
    assay_templates_free(fit);
    return status;
}

/* All methods on the same cells. */
static assay_status run_budget(const work *w, size_t g, size_t seed, size_t b,
                               const assay_plan *plan)
{
    const size_t *templates, *items;
    size_t n = assay_plan_cells(plan, &templates, &items);
    double *measured = assay_alloc(n_intervals(w->study), sizeof *measured);
    assay_grid *seen = NULL;
    assay_status status =
        measured ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory for a measure");

    if (status == ASSAY_OK) status = assay_grid_take(w->grids[g], n, templates, items, &seen);
    for (size_t m = 0; m < w->study->n_methods && status == ASSAY_OK; m++)
        status = run_method(w, seen, g, seed, b, m, measured);
    assay_grid_free(seen);
    free(measured);
    return status;
}

/* W1, and how far each quantile is from the truth's. */
static void measure(const work *w, const assay_templates *fit, size_t g, double *out)
{
    size_t n;
    const double *scores = assay_templates_distribution(fit, &n), *truth = w->sorted[g];
    assay_quantile_rule rule = w->options->rule;

    out[ASSAY_STUDY_W1] = assay_sorted_w1(scores, truth, n);
    for (size_t l = 0; l < w->study->n_levels; l++) {
        double level = w->study->levels[l];

        out[ASSAY_STUDY_QUANTILE + l] = fabs(assay_sorted_quantile(scores, n, level, rule) -
                                             assay_sorted_quantile(truth, n, level, rule));
    }
}

/* 1 where a number is within its interval, to rounding. */
static int holds(const double *interval, double x)
{
    const double rounding = 1e-9;

    return x >= interval[0] - rounding && x <= interval[1] + rounding;
}

static double share_that_hold(assay_status status, const double *intervals, const double *truth,
                              size_t n)
{
    size_t n_held = 0;

    if (status != ASSAY_OK) return NAN;
    for (size_t i = 0; i < n; i++) n_held += (size_t)holds(&intervals[2 * i], truth[i]);
    return (double)n_held / (double)n;
}

/* The share of the templates whose interval holds; 1 or 0 for mean, band and quantiles; NaN where there is
   no interval. */
static assay_status measure_coverage(const work *w, const assay_templates *fit, size_t g,
                                     double *out)
{
    size_t n = assay_grid_n_templates(w->grids[g]);
    const double *truth = w->truth[g], *sorted = w->sorted[g], *intervals;
    double mean = 0.0, interval[2], held;
    assay_status status = assay_templates_score_intervals(fit, &intervals);

    out[ASSAY_STUDY_COVER_SCORES] = share_that_hold(status, intervals, truth, n);
    status = assay_templates_band(fit, &intervals);
    held = share_that_hold(status, intervals, sorted, n);
    out[ASSAY_STUDY_COVER_BAND] = isnan(held) ? NAN : held == 1.0;
    for (size_t i = 0; i < n; i++) mean += truth[i] / (double)n;
    status = assay_templates_mean_interval(fit, interval);
    out[ASSAY_STUDY_COVER_MEAN] = share_that_hold(status, interval, &mean, 1);
    for (size_t l = 0; l < w->study->n_levels; l++) {
        double level = w->study->levels[l];
        double quantile = assay_sorted_quantile(sorted, n, level, w->options->rule);

        status = assay_templates_quantile_interval(fit, level, w->options->rule, interval);
        if (status == ASSAY_E_NOMEM) return status;
        out[ASSAY_STUDY_COVER_QUANTILE + l] = share_that_hold(status, interval, &quantile, 1);
    }
    return ASSAY_OK;
}

/* ---- getters ---- */

void assay_study_free(assay_study *study)
{
    if (!study) return;
    free(study->budgets);
    free(study->levels);
    free(study->values);
    free(study->coverage);
    free(study);
}

const size_t *assay_study_budgets(const assay_study *study, size_t *n)
{
    *n = study->n_budgets;
    return study->budgets;
}

const double *assay_study_levels(const assay_study *study, size_t *n)
{
    *n = study->n_levels;
    return study->levels;
}

size_t assay_study_n_grids(const assay_study *study)
{
    return study->n_grids;
}

size_t assay_study_n_methods(const assay_study *study)
{
    return study->n_methods;
}

size_t assay_study_n_seeds(const assay_study *study)
{
    return study->n_seeds;
}

double assay_study_value(const assay_study *study, size_t budget, size_t method, size_t measure,
                         size_t grid, size_t seed)
{
    return study->values[place_of(study, n_measures(study), budget, method, measure, grid, seed)];
}

double assay_study_coverage(const assay_study *study, size_t budget, size_t method, size_t interval,
                            size_t grid, size_t seed)
{
    return study
        ->coverage[place_of(study, n_intervals(study), budget, method, interval, grid, seed)];
}

double assay_study_mean_coverage(const assay_study *study, size_t budget, size_t method,
                                 size_t interval, size_t first, size_t n_grids)
{
    const double *values =
        &study->coverage[place_of(study, n_intervals(study), budget, method, interval, first, 0)];
    size_t n = n_grids * study->n_seeds, n_given = 0;
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) {
        if (isnan(values[k])) continue;
        sum += values[k];
        n_given++;
    }
    return n_given ? sum / (double)n_given : NAN;
}

assay_study_summary assay_study_summarise(const assay_study *study, size_t budget, size_t method,
                                          size_t measure)
{
    const double *values =
        &study->values[place_of(study, n_measures(study), budget, method, measure, 0, 0)];
    size_t n_grids = study->n_grids, n_seeds = study->n_seeds, n = n_grids * n_seeds;
    assay_study_summary summary = { 0.0, NAN, NAN };

    for (size_t k = 0; k < n; k++) summary.mean += values[k] / (double)n;
    summary.sd_seeds = assay_sd_of_means(values, n_seeds, 1, n_grids, n_seeds, summary.mean);
    summary.sd_grids = assay_sd_of_means(values, n_grids, n_seeds, n_seeds, 1, summary.mean);
    return summary;
}
