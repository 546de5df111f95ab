/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/chosen_template.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "stats/distributions.h"
#include "stats/linalg.h"
#include "stats/quantile.h"
#include "templates/resampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_chosen_template {
    size_t index;
    double raw, corrected[ASSAY_CORRECTIONS], low, high;
    size_t *inseparable, n_inseparable;
};

/* A choice while it is made. */
typedef struct work {
    const assay_grid *grid;
    assay_templates_options estimator;
    assay_chosen_template_options options;
    assay_resampling resampling;
    size_t n; /* templates */
    double *scores;
    double *halves; /* n_splits x 2: scores of what was chosen in the other half, or NaN */
    double *errors; /* n_draws x n: e_i, NaN without a cell */
    double *means;  /* n_draws: of the e_i of a draw */
    double *most;   /* n_draws: the largest e_i of a draw */
    double *room;   /* n_draws: what a quantile is taken of */
    assay_chosen_template *chosen;
} work;

enum { MOST_RESAMPLES = 1000000, MOST_THREADS = 1024 };

static assay_status resolve(const assay_templates_options *estimator,
                            const assay_chosen_template_options *given, work *w);
static assay_status check_items(const work *w);
static assay_status make_room(work *w);
static assay_status score_all(work *w);
static assay_status run_piece(void *user, size_t k, int thread);
static void find_errors(work *w);
static double correct_by_bootstrap(const work *w);
static double correct_by_splits(const work *w);
static void shrink(work *w);
static void find_inseparable(work *w);

void assay_chosen_template_options_init(assay_chosen_template_options *options, size_t struct_size)
{
    const assay_chosen_template_options defaults = {
        .struct_size = struct_size, .n_splits = 50, .n_draws = 400, .level = 0.95, .seed = 1
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_chosen_template_find(const assay_grid *grid,
                                        const assay_templates_options *estimator,
                                        const assay_chosen_template_options *options,
                                        assay_chosen_template **out)
{
    work w = { .grid = grid, .n = assay_grid_n_templates(grid) };
    assay_status status;

    *out = NULL;
    if ((status = resolve(estimator, options, &w)) != ASSAY_OK) return status;
    if ((status = check_items(&w)) != ASSAY_OK) return status;
    if ((status = make_room(&w)) != ASSAY_OK) goto done;
    if ((status = score_all(&w)) != ASSAY_OK) goto done;
    w.chosen->index = assay_resampling_choose(grid, w.scores);
    w.chosen->raw = w.scores[w.chosen->index];
    assay_blas_hold();
    status =
        assay_do_pieces(w.options.n_splits + w.options.n_draws, assay_threads(w.options.threads),
                        "resampling", w.options.progress, run_piece, &w);
    assay_blas_release();
    if (status != ASSAY_OK) goto done;
    find_errors(&w);
    w.chosen->corrected[ASSAY_CORRECTION_BOOTSTRAP] = correct_by_bootstrap(&w);
    w.chosen->corrected[ASSAY_CORRECTION_SPLIT] = correct_by_splits(&w);
    shrink(&w);
    find_inseparable(&w);
    *out = w.chosen;
    w.chosen = NULL;
done:
    assay_chosen_template_free(w.chosen);
    assay_columns_free(&w.resampling.columns);
    free(w.scores);
    free(w.halves);
    free(w.errors);
    free(w.means);
    free(w.most);
    free(w.room);
    return status;
}

/* ---- the door ---- */

static assay_status resolve(const assay_templates_options *estimator,
                            const assay_chosen_template_options *given, work *w)
{
    assay_chosen_template_options *opt = &w->options;
    assay_status status;

    assay_chosen_template_options_init(opt, sizeof *opt);
    assay_templates_options_init(&w->estimator, sizeof w->estimator);
    status = assay_options_take("choice of a template", given, opt, sizeof *opt);
    if (status == ASSAY_OK)
        status = assay_options_take("choice of a template", estimator, &w->estimator,
                                    sizeof w->estimator);
    if (status != ASSAY_OK) return status;
    if (opt->n_splits < 1 || opt->n_splits > MOST_RESAMPLES || opt->n_draws < 1 ||
        opt->n_draws > MOST_RESAMPLES)
        return assay_fail(ASSAY_E_VALUE, "%zu splits and %zu draws, expected 1 to %d of each",
                          opt->n_splits, opt->n_draws, MOST_RESAMPLES);
    if (!(opt->level > 0.0 && opt->level < 1.0) || opt->threads < 0 || opt->threads > MOST_THREADS)
        return assay_fail(ASSAY_E_VALUE,
                          "a level of %g on %d threads, expected between 0 and 1, and 0 to %d",
                          opt->level, opt->threads, MOST_THREADS);
    return ASSAY_OK;
}

static assay_status check_items(const work *w)
{
    size_t n = 0;

    for (size_t j = 0; j < assay_grid_n_items(w->grid) && n < 2; j++)
        n += assay_grid_n_of_item(w->grid, j) > 0;
    if (n < 2)
        return assay_fail(ASSAY_E_DEGENERATE,
                          "all cells are of one item, expected two or more: how far a score comes "
                          "from the items cannot be seen");
    return ASSAY_OK;
}

static assay_status make_room(work *w)
{
    assay_status status = assay_columns_new(w->grid, &w->resampling.columns);

    if (status != ASSAY_OK) return status;
    w->resampling.estimator = &w->estimator;
    w->resampling.n_templates = w->n;
    w->resampling.n_items = assay_grid_n_items(w->grid);
    w->resampling.seed = w->options.seed;
    w->scores = assay_alloc(w->n, sizeof *w->scores);
    w->halves = assay_alloc(w->options.n_splits, 2 * sizeof *w->halves);
    w->errors = assay_alloc(w->options.n_draws, w->n * sizeof *w->errors);
    w->means = assay_alloc(w->options.n_draws, sizeof *w->means);
    w->most = assay_alloc(w->options.n_draws, sizeof *w->most);
    w->room = assay_alloc(w->options.n_draws, sizeof *w->room);
    w->chosen = assay_alloc_zero(1, sizeof *w->chosen);
    if (w->chosen) w->chosen->inseparable = assay_alloc(w->n, sizeof(size_t));
    if (!w->scores || !w->halves || !w->errors || !w->means || !w->most || !w->room || !w->chosen ||
        !w->chosen->inseparable)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu draws of %zu templates",
                          w->options.n_draws, w->n);
    return ASSAY_OK;
}

/* On all items. With every cell run S_i is the mean, whatever the model, on any of the items. */
static assay_status score_all(work *w)
{
    size_t n_items = w->resampling.n_items, *items;
    assay_status status;

    if (assay_grid_n_cells(w->grid) == w->n * n_items) {
        assay_templates_options_init(&w->estimator, sizeof w->estimator);
        w->estimator.method = ASSAY_TEMPLATES_AVG;
    }
    items = assay_alloc(n_items, sizeof *items);
    if (!items) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu items", n_items);
    for (size_t j = 0; j < n_items; j++) items[j] = j;
    status = assay_resampling_fit(&w->resampling, w->grid, items, n_items, w->scores);
    free(items);
    return status;
}

static assay_status run_piece(void *user, size_t k, int thread)
{
    const work *w = user;
    size_t n_splits = w->options.n_splits;

    (void)thread;
    if (k < n_splits) return assay_resampling_split(&w->resampling, k, w->halves + 2 * k);
    return assay_resampling_draw(&w->resampling, k - n_splits, w->errors + (k - n_splits) * w->n);
}

/* ---- the bootstrap ---- */

/* From scores to errors; their mean and the largest of each draw. */
static void find_errors(work *w)
{
    for (size_t b = 0; b < w->options.n_draws; b++) {
        double *errors = w->errors + b * w->n, sum = 0.0;
        size_t n = 0;

        w->most[b] = -INFINITY;
        for (size_t i = 0; i < w->n; i++) {
            errors[i] -= w->scores[i];
            if (isnan(errors[i])) continue;
            if (errors[i] > w->most[b]) w->most[b] = errors[i];
            sum += errors[i];
            n++;
        }
        w->means[b] = sum / (double)n;
    }
}

static double correct_by_bootstrap(const work *w)
{
    double sum = 0.0;

    for (size_t b = 0; b < w->options.n_draws; b++) {
        const double *errors = w->errors + b * w->n;
        double highest = -INFINITY, error = 0.0;

        for (size_t i = 0; i < w->n; i++) {
            if (!(w->scores[i] + errors[i] > highest + ASSAY_SCORE_TIE)) continue;
            highest = w->scores[i] + errors[i];
            error = errors[i];
        }
        sum += error;
    }
    return w->chosen->raw - sum / (double)w->options.n_draws;
}

/* ---- splits ---- */

static size_t with_cells(const work *w)
{
    size_t n = 0;

    for (size_t i = 0; i < w->n; i++) n += assay_grid_row(w->grid, i, NULL, NULL) > 0;
    return n;
}

static double correct_by_splits(const work *w)
{
    double sum = 0.0;
    size_t n = 0;

    if (with_cells(w) == 1) return w->chosen->raw;
    for (size_t k = 0; k < 2 * w->options.n_splits; k++) {
        if (isnan(w->halves[k])) continue;
        sum += w->halves[k];
        n++;
    }
    return n > 0 ? sum / (double)n : NAN;
}

/* ---- shrinking, and the interval ---- */

/* m and u: mean and variance (n - 1) of the scores of templates with cells; 0 of one. */
static void moments(const work *w, double *mean, double *variance)
{
    size_t n = with_cells(w);
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < w->n; i++)
        if (assay_grid_row(w->grid, i, NULL, NULL) > 0) sum += w->scores[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < w->n; i++) {
        double d = w->scores[i] - *mean;

        if (assay_grid_row(w->grid, i, NULL, NULL) > 0) squares += d * d;
    }
    *variance = n > 1 ? squares / (double)(n - 1) : 0.0;
}

/* v: what a draw does to all templates is left out, since it moves no choice. */
static double noise_of(const work *w)
{
    double total = 0.0;
    size_t n_templates = 0;

    for (size_t i = 0; i < w->n; i++) {
        double squares = 0.0;
        size_t n = 0;

        for (size_t b = 0; b < w->options.n_draws; b++) {
            double e = w->errors[b * w->n + i] - w->means[b];

            if (isnan(e)) continue;
            squares += e * e;
            n++;
        }
        if (n == 0) continue;
        total += squares / (double)n;
        n_templates++;
    }
    return total / (double)n_templates;
}

static double held(double bound)
{
    return fmin(1.0, fmax(0.0, bound));
}

static void shrink(work *w)
{
    assay_chosen_template *chosen = w->chosen;
    double mean, variance, noise = noise_of(w), of_draws = 0.0, keep, beyond, shrunk, split;

    moments(w, &mean, &variance);
    for (size_t b = 0; b < w->options.n_draws; b++)
        of_draws += w->means[b] * w->means[b] / (double)w->options.n_draws;
    keep = variance > noise ? 1.0 - noise / variance : 0.0;
    shrunk = mean + keep * (chosen->raw - mean);
    split = chosen->corrected[ASSAY_CORRECTION_SPLIT];
    beyond = assay_normal_quantile(0.5 + 0.5 * w->options.level) * sqrt(keep * noise + of_draws);
    chosen->corrected[ASSAY_CORRECTION_SHRUNK] = shrunk;
    chosen->low = held(fmin(shrunk, split) - beyond); /* fmin and fmax pass over NaN */
    chosen->high = held(fmax(shrunk, split) + beyond);
}

/* ---- the templates that may be the best ---- */

/* Behind those of at least its score. */
static void add_inseparable(work *w, size_t i)
{
    size_t *which = w->chosen->inseparable, k = w->chosen->n_inseparable++;

    for (; k > 0 && w->scores[which[k - 1]] < w->scores[i] - ASSAY_SCORE_TIE; k--)
        which[k] = which[k - 1];
    which[k] = i;
}

static void find_inseparable(work *w)
{
    const assay_chosen_template *chosen = w->chosen;

    for (size_t i = 0; i < w->n; i++) {
        size_t n = 0;

        if (assay_grid_row(w->grid, i, NULL, NULL) == 0) continue;
        for (size_t b = 0; b < w->options.n_draws; b++) {
            double e = w->errors[b * w->n + i];

            if (!isnan(e)) w->room[n++] = w->most[b] - e;
        }
        if (i == chosen->index || n == 0 ||
            chosen->raw - w->scores[i] <=
                assay_quantile(w->room, n, w->options.level) + ASSAY_SCORE_TIE)
            add_inseparable(w, i);
    }
}

/* ---- getters ---- */

void assay_chosen_template_free(assay_chosen_template *chosen)
{
    if (!chosen) return;
    free(chosen->inseparable);
    free(chosen);
}

size_t assay_chosen_template_index(const assay_chosen_template *chosen)
{
    return chosen->index;
}

double assay_chosen_template_raw(const assay_chosen_template *chosen)
{
    return chosen->raw;
}

double assay_chosen_template_corrected(const assay_chosen_template *chosen,
                                       assay_correction correction)
{
    return chosen->corrected[correction];
}

void assay_chosen_template_interval(const assay_chosen_template *chosen, double *low, double *high)
{
    *low = chosen->low;
    *high = chosen->high;
}

const size_t *assay_chosen_template_inseparable(const assay_chosen_template *chosen, size_t *n)
{
    *n = chosen->n_inseparable;
    return chosen->inseparable;
}
