/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/spread.h"

#include "core/error.h"
#include "core/memory.h"
#include "templates/template_variance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *copy_scores(const assay_grid *grid);
static double mean_of(const double *y, size_t n);
static size_t template_means(const assay_grid *cells, const double *y, double *means);
static double variance_of(const double *x, size_t n);
static assay_status check_cells(const assay_grid *const *grids, size_t n_models);
static assay_status find_winner(const assay_grid *const *grids, size_t n_models, double *room,
                                size_t *winner);
static assay_status compare(const assay_grid *winner, const assay_grid *other, double *margins,
                            assay_winner_margin *out);
static double drawn_in(double margin, const assay_winner_margin *of);
static double share_below_0(const double *margins, size_t n);
static double weight_below_0(double margin);

assay_status assay_grid_spread(const assay_grid *grid, assay_spread *out)
{
    assay_spread spread = { 0 };
    size_t n_cells = assay_grid_n_cells(grid);
    double *y = NULL, *means = NULL;
    assay_template_variance found;
    assay_status status;

    y = copy_scores(grid);
    means = assay_alloc(assay_grid_n_templates(grid), sizeof *means);
    if (!y || !means) {
        status = assay_fail(ASSAY_E_NOMEM, "spread: no memory for %zu cells", n_cells);
        goto done;
    }
    spread.mean = mean_of(y, n_cells);
    spread.n_templates = template_means(grid, y, means);
    if (spread.n_templates < 2) {
        status =
            assay_fail(ASSAY_E_DEGENERATE, "spread: one template has cells, expected two or more");
        goto done;
    }
    spread.observed = variance_of(means, spread.n_templates);
    if ((status = assay_template_variance_find(grid, y, &found)) != ASSAY_OK) goto done;
    if (isnan(found.any) && isnan(found.these)) {
        status = assay_fail(ASSAY_E_DEGENERATE,
                            "spread: no template has two cells, so that noise cannot be told from "
                            "a difference");
        goto done;
    }
    spread.any_signed = found.any;
    spread.these_signed = found.these;
    spread.any_items = found.any < 0.0 ? 0.0 : found.any;
    spread.these_items = found.these < 0.0 ? 0.0 : found.these;
    *out = spread;
done:
    free(means);
    free(y);
    return status;
}

static double *copy_scores(const assay_grid *grid)
{
    double *y = assay_alloc(assay_grid_n_cells(grid), sizeof *y);
    size_t k = 0;

    for (size_t i = 0; y && i < assay_grid_n_templates(grid); i++) {
        const double *scores;
        size_t n = assay_grid_row(grid, i, NULL, &scores);

        if (n > 0) memcpy(y + k, scores, n * sizeof *y);
        k += n;
    }
    return y;
}

static double mean_of(const double *y, size_t n)
{
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) sum += y[k];
    return sum / (double)n;
}

/* Of the templates with a cell, in order; returns how many these are. */
static size_t template_means(const assay_grid *cells, const double *y, double *means)
{
    size_t n_means = 0;

    for (size_t i = 0; i < assay_grid_n_templates(cells); i++) {
        size_t n = assay_grid_row(cells, i, NULL, NULL);

        if (n > 0) means[n_means++] = mean_of(y, n);
        y += n;
    }
    return n_means;
}

static double variance_of(const double *x, size_t n)
{
    double mean = mean_of(x, n), squares = 0.0;

    for (size_t k = 0; k < n; k++) squares += (x[k] - mean) * (x[k] - mean);
    return squares / (double)(n - 1);
}

assay_status assay_winner_change(const assay_grid *const *grids, size_t n_models, size_t *winner,
                                 double *p_observed, double *p, assay_winner_margin *margins)
{
    size_t n_templates, n = 0;
    double *room = NULL, *least_observed, *least;
    assay_status status = check_cells(grids, n_models);

    if (status != ASSAY_OK) return status;
    n_templates = assay_grid_n_templates(grids[0]);
    room = assay_alloc(3 * n_templates, sizeof *room);
    if (!room) return assay_fail(ASSAY_E_NOMEM, "winner: no memory for %zu templates", n_templates);
    least_observed = room + n_templates;
    least = least_observed + n_templates;
    for (size_t i = 0; i < n_templates; i++) least_observed[i] = least[i] = INFINITY;
    for (size_t i = 0; i < n_templates; i++) n += assay_grid_row(grids[0], i, NULL, NULL) > 0;
    if ((status = find_winner(grids, n_models, room, winner)) != ASSAY_OK) goto done;
    for (size_t k = 0; k < n_models; k++) {
        assay_winner_margin margin = { 0 };

        if (k != *winner) {
            if ((status = compare(grids[*winner], grids[k], room, &margin)) != ASSAY_OK) goto done;
            for (size_t i = 0; i < n; i++) {
                least_observed[i] = fmin(least_observed[i], room[i]);
                least[i] = fmin(least[i], drawn_in(room[i], &margin));
            }
        }
        if (margins) margins[k] = margin;
    }
    *p_observed = share_below_0(least_observed, n);
    *p = share_below_0(least, n);
done:
    free(room);
    return status;
}

/* That all grids have the cells of the first. */
static assay_status check_cells(const assay_grid *const *grids, size_t n_models)
{
    if (n_models < 2)
        return assay_fail(ASSAY_E_SHAPE, "winner: %zu model%s, expected two or more", n_models,
                          n_models == 1 ? "" : "s");
    for (size_t k = 1; k < n_models; k++) {
        size_t n_templates = assay_grid_n_templates(grids[0]), unlike;

        if (assay_grid_n_templates(grids[k]) != n_templates ||
            assay_grid_n_items(grids[k]) != assay_grid_n_items(grids[0]))
            return assay_fail(ASSAY_E_SHAPE,
                              "winner: model %zu has %zu templates x %zu items, expected %zu x %zu "
                              "as model 0",
                              k, assay_grid_n_templates(grids[k]), assay_grid_n_items(grids[k]),
                              n_templates, assay_grid_n_items(grids[0]));
        unlike = assay_grid_first_unlike(grids[0], grids[k]);
        if (unlike != SIZE_MAX)
            return assay_fail(ASSAY_E_SHAPE,
                              "winner: model %zu has other cells of template %zu than model 0, "
                              "expected the same",
                              k, unlike);
    }
    return ASSAY_OK;
}

static assay_status find_winner(const assay_grid *const *grids, size_t n_models, double *room,
                                size_t *winner)
{
    double best = -INFINITY;

    for (size_t k = 0; k < n_models; k++) {
        double *y = copy_scores(grids[k]), mean;

        if (!y)
            return assay_fail(ASSAY_E_NOMEM, "winner: no memory for %zu cells",
                              assay_grid_n_cells(grids[k]));
        mean = mean_of(room, template_means(grids[k], y, room));
        free(y);
        if (mean > best) {
            best = mean;
            *winner = k;
        }
    }
    return ASSAY_OK;
}

/* The margins of the templates with a cell, in order, and what is said of them. */
static assay_status compare(const assay_grid *winner, const assay_grid *other, double *margins,
                            assay_winner_margin *out)
{
    double *y = copy_scores(winner), *subtract = copy_scores(other);
    size_t n_cells = assay_grid_n_cells(winner), n;
    double sum_p = 0.0;
    assay_template_variance found;
    assay_status status;

    if (!y || !subtract) {
        status = assay_fail(ASSAY_E_NOMEM, "winner: no memory for %zu cells", n_cells);
        goto done;
    }
    for (size_t k = 0; k < n_cells; k++) y[k] -= subtract[k];
    n = template_means(winner, y, margins);
    if (n >= 2 && (status = assay_template_variance_find(winner, y, &found)) != ASSAY_OK) goto done;
    if (n < 2 || isnan(found.any)) {
        status = assay_fail(ASSAY_E_DEGENERATE,
                            n < 2 ? "winner: one template has cells, expected two or more"
                                  : "winner: no template has two cells, so that noise cannot be "
                                    "told from a difference");
        goto done;
    }
    out->mean = mean_of(margins, n);
    out->observed = variance_of(margins, n);
    out->spread = found.any < 0.0 ? 0.0 : found.any;
    out->p_observed = share_below_0(margins, n);
    for (size_t i = 0; i < n; i++) sum_p += weight_below_0(drawn_in(margins[i], out));
    out->p = sum_p / (double)n;
    out->p_normal = out->spread > 0.0 ? 0.5 * erfc(out->mean / sqrt(2.0 * out->spread))
                    : out->mean > 0.0 ? 0.0
                                      : 0.5;
done:
    free(subtract);
    free(y);
    return status;
}

/* A margin as near its mean as it would be without the noise. */
static double drawn_in(double margin, const assay_winner_margin *of)
{
    if (of->observed <= of->spread) return margin;
    return of->mean + sqrt(of->spread / of->observed) * (margin - of->mean);
}

static double share_below_0(const double *margins, size_t n)
{
    double below = 0.0;

    for (size_t i = 0; i < n; i++) below += weight_below_0(margins[i]);
    return below / (double)n;
}

static double weight_below_0(double margin)
{
    return margin < 0.0 ? 1.0 : margin == 0.0 ? 0.5 : 0.0;
}
