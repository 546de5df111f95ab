/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/correlations.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/unit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- a column ---- */

struct ranked {
    double value;
    size_t model;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->model > y->model) - (x->model < y->model);
}

assay_status assay_column_settle(assay_column *column, size_t n_models)
{
    struct ranked *sorted = assay_alloc(n_models, sizeof *sorted);
    double unit = assay_unit_of(column->value, n_models);

    if (!sorted) return assay_fail(ASSAY_E_NOMEM, "no memory to sort %zu models", n_models);
    column->n = 0;
    for (size_t m = 0; m < n_models; m++) {
        column->value[m] /= unit;
        if (!isnan(column->value[m])) sorted[column->n++] = (struct ranked){ column->value[m], m };
    }
    qsort(sorted, column->n, sizeof *sorted, by_value);
    for (size_t i = 0; i < column->n; i++) column->order[i] = sorted[i].model;
    free(sorted);
    return ASSAY_OK;
}

/* ---- a panel ---- */

assay_status assay_panel_new(size_t n_models, size_t n_columns, assay_panel *panel)
{
    int failed;

    *panel = (assay_panel){ .n_columns = n_columns };
    panel->model = assay_alloc(n_models, sizeof *panel->model);
    panel->weight = assay_alloc(n_models, sizeof *panel->weight);
    panel->place = assay_alloc(n_models, sizeof *panel->place);
    failed = !panel->model || !panel->weight || !panel->place;
    for (size_t c = 0; c < n_columns; c++) {
        panel->value[c] = assay_alloc(n_models, sizeof(double));
        panel->rank[c] = assay_alloc(n_models, sizeof(double));
        panel->order[c] = assay_alloc(n_models, sizeof(size_t));
        failed |= !panel->value[c] || !panel->rank[c] || !panel->order[c];
    }
    return failed ? assay_fail(ASSAY_E_NOMEM, "no memory to correlate %zu models", n_models)
                  : ASSAY_OK;
}

void assay_panel_free(assay_panel *panel)
{
    free(panel->model);
    free(panel->weight);
    free(panel->place);
    for (size_t c = 0; c < panel->n_columns; c++) {
        free(panel->value[c]);
        free(panel->rank[c]);
        free(panel->order[c]);
    }
    *panel = (assay_panel){ 0 };
}

void assay_panel_fill(assay_panel *panel, const assay_column *const *columns, size_t n_models)
{
    panel->n = 0;
    for (size_t m = 0; m < n_models; m++) {
        int has_all = 1;

        for (size_t c = 0; c < panel->n_columns; c++) has_all &= !isnan(columns[c]->value[m]);
        panel->place[m] = has_all ? panel->n : SIZE_MAX;
        if (has_all) panel->model[panel->n++] = m;
    }
    for (size_t c = 0; c < panel->n_columns; c++) {
        size_t k = 0;

        for (size_t i = 0; i < panel->n; i++)
            panel->value[c][i] = columns[c]->value[panel->model[i]];
        for (size_t i = 0; i < columns[c]->n; i++) {
            size_t place = panel->place[columns[c]->order[i]];

            if (place != SIZE_MAX) panel->order[c][k++] = place;
        }
    }
}

/* Twice the mid-rank of each place among all that were drawn, less its mean: whole numbers, so that
   sums of products are exact for up to 200,000 models. */
static void rank_column(assay_panel *panel, size_t c, double total)
{
    const double *value = panel->value[c], *weight = panel->weight;
    const size_t *order = panel->order[c];
    double below = 0.0;

    for (size_t i = 0, end; i < panel->n; i = end) {
        double here = 0.0;

        for (end = i; end < panel->n && value[order[end]] == value[order[i]]; end++)
            here += weight[order[end]];
        for (size_t k = i; k < end; k++) panel->rank[c][order[k]] = 2.0 * below + here - total;
        below += here;
    }
}

/* sum of w (x - x0) (y - y0). */
static double product(const double *w, const double *x, double x0, const double *y, double y0,
                      size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) sum += w[i] * (x[i] - x0) * (y[i] - y0);
    return sum;
}

static double within_one(double r)
{
    return r > 1.0 ? 1.0 : r < -1.0 ? -1.0 : r;
}

/* Each pair's cosine: r[0] of columns 0 and 1, r[1] of 0 and 2, r[2] of 1 and 2. */
static void cosines(const assay_panel *panel, double *const *x, const double *mean, double r[3])
{
    static const size_t first[] = { 0, 0, 1 }, second[] = { 1, 2, 2 };
    double squares[ASSAY_PANEL_COLUMNS];

    for (size_t c = 0; c < panel->n_columns; c++)
        squares[c] = product(panel->weight, x[c], mean[c], x[c], mean[c], panel->n);
    for (size_t p = 0; p < (panel->n_columns == 2 ? 1 : 3); p++) {
        size_t a = first[p], b = second[p];

        r[p] = within_one(product(panel->weight, x[a], mean[a], x[b], mean[b], panel->n) /
                          sqrt(squares[a] * squares[b]));
    }
}

/* Of one pair given the third column; a correlation this near 1 leaves only rounding. */
static double partial(const double r[3])
{
    double left = 1.0 - r[1] * r[1], right = 1.0 - r[2] * r[2];

    if (!(left > 1e-12 && right > 1e-12)) return NAN;
    return within_one((r[0] - r[1] * r[2]) / sqrt(left * right));
}

static double mean_of(const assay_panel *panel, size_t c, double total)
{
    double sum = 0.0;

    for (size_t i = 0; i < panel->n; i++) sum += panel->weight[i] * panel->value[c][i];
    return sum / total;
}

assay_two_correlations assay_panel_correlate(assay_panel *panel, const unsigned char *count)
{
    static const double no_mean[ASSAY_PANEL_COLUMNS] = { 0.0 };
    assay_two_correlations none = { NAN, NAN };
    double mean[ASSAY_PANEL_COLUMNS] = { 0.0 }, scores[3], ranks[3], total = 0.0;

    for (size_t i = 0; i < panel->n; i++)
        total += panel->weight[i] = count ? (double)count[panel->model[i]] : 1.0;
    for (size_t c = 0; c < panel->n_columns; c++) {
        rank_column(panel, c, total);
        /* Ranks tell exactly whether a column is constant; scores would by their rounding. */
        if (!(product(panel->weight, panel->rank[c], 0.0, panel->rank[c], 0.0, panel->n) > 0.0))
            return none;
        mean[c] = mean_of(panel, c, total);
    }
    cosines(panel, panel->value, mean, scores);
    cosines(panel, panel->rank, no_mean, ranks);
    if (panel->n_columns == 2) return (assay_two_correlations){ scores[0], ranks[0] };
    return (assay_two_correlations){ partial(scores), partial(ranks) };
}
