/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/chosen_template.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/random.h"
#include "core/threads.h"
#include "stats/linalg.h"
#include "stats/quantile.h"
#include "stats/distributions.h"
#include "templates/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_chosen_template {
    size_t index;
    double raw;
    assay_corrected_score corrected[5];
    size_t *contenders, n_contenders;
};

typedef struct work {
    const assay_grid *grid;
    assay_templates_options estimator;
    assay_chosen_template_options options;
    assay_columns columns;
    size_t n_templates, n_items;
    double *scores;
    double *errors; /* n_draws x n_templates; NaN: without a cell in the draw */
    double *halves; /* n_splits x 2 directions x 2 evaluations */
    assay_chosen_template *selection;
} work;

void assay_chosen_template_options_init(assay_chosen_template_options *options, size_t struct_size)
{
    const assay_chosen_template_options defaults = {
        .struct_size = struct_size, .n_splits = 50, .n_draws = 400, .level = 0.95, .seed = 1
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status fit_scores(const work *w, const assay_grid *grid, const size_t *items, size_t n,
                               double *out)
{
    assay_templates_options options = w->estimator;
    assay_templates *fit = NULL;
    double *z = NULL;
    assay_status status;
    size_t n_scores;

    if (options.z) {
        z = assay_alloc(n, options.n_z * sizeof *z);
        if (!z) return assay_fail(ASSAY_E_NOMEM, "no memory");
        for (size_t k = 0; k < n; k++)
            memcpy(z + k * options.n_z, w->estimator.z + items[k] * options.n_z,
                   options.n_z * sizeof *z);
        options.z = z;
    }
    status = assay_templates_fit(grid, &options, &fit);
    free(z);
    if (status != ASSAY_OK) return status;
    memcpy(out, assay_templates_scores(fit, &n_scores), w->n_templates * sizeof *out);
    assay_templates_free(fit);
    return ASSAY_OK;
}

static size_t choose(const assay_grid *grid, const double *scores)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < assay_grid_n_templates(grid); i++) {
        if (assay_grid_row(grid, i, NULL, NULL) == 0) continue;
        if (best == SIZE_MAX || scores[i] > scores[best]) best = i;
    }
    return best;
}

static double mean_of_row(const assay_grid *grid, size_t i)
{
    const double *y;
    size_t n = assay_grid_row(grid, i, NULL, &y);
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) sum += y[k];
    return n > 0 ? sum / (double)n : NAN;
}

static assay_status run_split(const work *w, size_t k)
{
    size_t n = w->n_items, half = n / 2, *items = assay_alloc(n, sizeof *items);
    double *scores[2] = { assay_alloc(w->n_templates, sizeof(double)),
                          assay_alloc(w->n_templates, sizeof(double)) };
    double *to = w->halves + 4 * k;
    assay_grid *grids[2] = { NULL, NULL };
    assay_random random;
    assay_status status = ASSAY_OK;

    for (int d = 0; d < 4; d++) to[d] = NAN;
    if (!items || !scores[0] || !scores[1]) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory");
        goto done;
    }
    assay_random_start(&random, w->options.seed, ASSAY_PURPOSE_SPLIT, k);
    for (size_t j = 0; j < n; j++) items[j] = j;
    for (size_t j = n; j-- > 1;) {
        size_t other = assay_random_below(&random, j + 1), swap = items[j];

        items[j] = items[other];
        items[other] = swap;
    }
    if (assay_columns_n_cells(&w->columns, items, half) == 0 ||
        assay_columns_n_cells(&w->columns, items + half, n - half) == 0)
        goto done;
    for (int s = 0; s < 2 && status == ASSAY_OK; s++) {
        const size_t *mine = s ? items + half : items;
        size_t n_mine = s ? n - half : half;

        status = assay_columns_take(&w->columns, mine, n_mine, &grids[s]);
        if (status == ASSAY_OK) status = fit_scores(w, grids[s], mine, n_mine, scores[s]);
    }
    for (int s = 0; s < 2 && status == ASSAY_OK; s++) {
        size_t chosen = choose(grids[s], scores[s]);

        if (assay_grid_row(grids[1 - s], chosen, NULL, NULL) == 0) continue;
        to[2 * s] = mean_of_row(grids[1 - s], chosen);
        to[2 * s + 1] = scores[1 - s][chosen];
    }
done:
    free(items);
    for (int s = 0; s < 2; s++) {
        free(scores[s]);
        assay_grid_free(grids[s]);
    }
    return status;
}

static assay_status run_draw(const work *w, size_t k)
{
    size_t n = w->n_items, *items = assay_alloc(n, sizeof *items);
    double *to = w->errors + k * w->n_templates;
    assay_grid *grid = NULL;
    assay_random random;
    assay_status status = ASSAY_OK;

    if (!items) return assay_fail(ASSAY_E_NOMEM, "no memory");
    assay_random_start(&random, w->options.seed, ASSAY_PURPOSE_BOOTSTRAP, k);
    do {
        for (size_t j = 0; j < n; j++) items[j] = assay_random_below(&random, n);
    } while (assay_columns_n_cells(&w->columns, items, n) == 0);
    status = assay_columns_take(&w->columns, items, n, &grid);
    if (status == ASSAY_OK) status = fit_scores(w, grid, items, n, to);
    for (size_t i = 0; i < w->n_templates && status == ASSAY_OK; i++)
        to[i] = assay_grid_row(grid, i, NULL, NULL) > 0 ? to[i] - w->scores[i] : NAN;
    free(items);
    assay_grid_free(grid);
    return status;
}

static assay_status run_piece(void *user, size_t k, int thread)
{
    const work *w = user;

    (void)thread;
    return k < w->options.n_splits ? run_split(w, k) : run_draw(w, k - w->options.n_splits);
}

static double mean_halves(const work *w, int which)
{
    double sum = 0.0;
    size_t n = 0;

    for (size_t k = 0; k < 2 * w->options.n_splits; k++) {
        double v = w->halves[2 * k + (size_t)which];
        if (isnan(v)) continue;
        sum += v;
        n++;
    }
    return n ? sum / (double)n : NAN;
}

static void combine(work *w)
{
    assay_chosen_template *sel = w->selection;
    size_t I = w->n_templates, D = w->options.n_draws, n_with = 0;
    double *pivot = malloc(D * sizeof *pivot), *most = malloc(D * sizeof *most);
    double noise = 0.0, mean = 0.0, var = 0.0, keep;

    sel->index = choose(w->grid, w->scores);
    sel->raw = w->scores[sel->index];
    for (size_t i = 0; i < I; i++) {
        double sum = 0.0, sq = 0.0;
        size_t n = 0;
        if (assay_grid_row(w->grid, i, NULL, NULL) == 0) continue;
        n_with++;
        mean += w->scores[i];
        for (size_t b = 0; b < D; b++) {
            double c = 0; size_t nc = 0;
            const double *e = w->errors + b * I;
            if (isnan(e[i])) continue;
            for (size_t k = 0; k < I; k++) if (!isnan(e[k])) c += e[k], nc++;
            c = e[i] - c / (double)nc;
            sum += c; sq += c * c; n++;
        }
        if (n) noise += sq / (double)n;
    }
    mean /= (double)n_with;
    noise /= (double)n_with;
    for (size_t i = 0; i < I; i++)
        if (assay_grid_row(w->grid, i, NULL, NULL) > 0) var += (w->scores[i] - mean) * (w->scores[i] - mean);
    var /= (double)(n_with > 1 ? n_with - 1 : 1);
    keep = var > noise ? 1.0 - noise / var : 0.0;
    for (int method = 2; method < 4; method++) {
        double a = method == 2 ? 1.0 : sqrt(keep), total = 0.0;
        double alpha = 1.0 - w->options.level;
        for (size_t b = 0; b < D; b++) {
            const double *e = w->errors + b * I;
            size_t best = SIZE_MAX; double top = -INFINITY;
            most[b] = -INFINITY;
            for (size_t i = 0; i < I; i++) {
                double s = mean + a * (w->scores[i] - mean) + e[i];
                if (isnan(s)) continue;
                if (e[i] > most[b]) most[b] = e[i];
                if (s > top) top = s, best = i;
            }
            pivot[b] = e[best];
            total += pivot[b] / (double)D;
        }
        sel->corrected[method].score = sel->raw - total;
        sel->corrected[method].high = sel->raw - assay_quantile(pivot, D, alpha / 2);
        sel->corrected[method].low = sel->raw - assay_quantile(pivot, D, 1 - alpha / 2);
    }
    sel->corrected[4].score = mean + keep * (sel->raw - mean);
    {
        double z = assay_normal_quantile(0.5 + w->options.level / 2), common = 0.0;
        for (size_t b = 0; b < D; b++) {
            const double *e = w->errors + b * I;
            double c = 0; size_t nc = 0;
            for (size_t k = 0; k < I; k++) if (!isnan(e[k])) c += e[k], nc++;
            c /= (double)nc;
            common += c * c / (double)D;
        }
        double sd = sqrt(keep * noise + common);
        sel->corrected[4].low = sel->corrected[4].score - z * sd;
        sel->corrected[4].high = sel->corrected[4].score + z * sd;
    }
    for (int k = 0; k < 2; k++) {
        sel->corrected[k].score = mean_halves(w, k);
        double shift = sel->corrected[k].score - sel->corrected[3].score;
        sel->corrected[k].low = sel->corrected[3].low + shift;
        sel->corrected[k].high = sel->corrected[3].high + shift;
    }
    for (size_t i = 0; i < I; i++) {
        size_t n = 0;
        if (assay_grid_row(w->grid, i, NULL, NULL) == 0) continue;
        for (size_t b = 0; b < D; b++) {
            double e = w->errors[b * I + i];
            if (!isnan(e)) pivot[n++] = most[b] - e;
        }
        if (n == 0 || sel->raw - w->scores[i] <= assay_quantile(pivot, n, w->options.level))
            sel->contenders[sel->n_contenders++] = i;
    }
    free(pivot);
    free(most);
}

assay_status assay_chosen_template_find(const assay_grid *grid, const assay_templates_options *estimator,
                                  const assay_chosen_template_options *given, assay_chosen_template **out)
{
    work w = { .grid = grid };
    assay_status status;

    *out = NULL;
    assay_chosen_template_options_init(&w.options, sizeof w.options);
    assay_templates_options_init(&w.estimator, sizeof w.estimator);
    if ((status = assay_options_take("best template", given, &w.options, sizeof w.options)) != ASSAY_OK) return status;
    if ((status = assay_options_take("best template", estimator, &w.estimator, sizeof w.estimator)) != ASSAY_OK) return status;
    w.n_templates = assay_grid_n_templates(grid);
    w.n_items = assay_grid_n_items(grid);
    if (assay_grid_n_cells(grid) == w.n_templates * w.n_items) {
        w.estimator.method = ASSAY_TEMPLATES_AVG;
        w.estimator.z = w.estimator.x = NULL;
    }
    if ((status = assay_columns_new(grid, &w.columns)) != ASSAY_OK) return status;
    w.scores = assay_alloc(w.n_templates, sizeof(double));
    w.errors = assay_alloc(w.n_templates * w.options.n_draws, sizeof(double));
    w.halves = assay_alloc(4 * w.options.n_splits, sizeof(double));
    w.selection = assay_alloc_zero(1, sizeof *w.selection);
    w.selection->contenders = assay_alloc(w.n_templates, sizeof(size_t));
    {
        size_t *all = assay_alloc(w.n_items, sizeof *all);
        for (size_t j = 0; j < w.n_items; j++) all[j] = j;
        status = fit_scores(&w, grid, all, w.n_items, w.scores);
        free(all);
    }
    assay_blas_hold();
    if (status == ASSAY_OK)
        status = assay_do_pieces(w.options.n_splits + w.options.n_draws,
                                 assay_threads(w.options.threads), "best", w.options.progress,
                                 run_piece, &w);
    assay_blas_release();
    if (status == ASSAY_OK) {
        combine(&w);
        *out = w.selection;
        w.selection = NULL;
    }
    assay_columns_free(&w.columns);
    free(w.scores);
    free(w.errors);
    free(w.halves);
    assay_chosen_template_free(w.selection);
    return status;
}

void assay_chosen_template_free(assay_chosen_template *selection)
{
    if (!selection) return;
    free(selection->contenders);
    free(selection);
}
size_t assay_chosen_template_index(const assay_chosen_template *s) { return s->index; }
double assay_chosen_template_raw(const assay_chosen_template *s) { return s->raw; }
assay_corrected_score assay_chosen_template_corrected(const assay_chosen_template *s, assay_chosen_template_method m) { return s->corrected[m]; }
const size_t *assay_chosen_template_contenders(const assay_chosen_template *s, size_t *n) { *n = s->n_contenders; return s->contenders; }
