/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/interval.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/quantile.h"
#include "templates/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much wider than the draws' own intervals are, about their medians; middle and tail: of the median and of
   the ends. The draws know too little of how uncertain the spread of the templates is: measured on the
   study's grids (docs/templates.md). */
static const struct widening {
    double mean, middle, tail, band;
} wider = { 1.07, 1.3, 1.48, 1.57 };

/* The central interval of n values (sorted in place), widened about their median, within 0..1. */
static void interval_of(double *values, size_t n, double level, double factor, double *interval)
{
    double tail = 0.5 * (1.0 - level), median = assay_quantile(values, n, 0.5);
    double low = median - factor * (median - assay_quantile_of_sorted(values, n, tail));
    double high = median + factor * (assay_quantile_of_sorted(values, n, 1.0 - tail) - median);

    interval[0] = low < 0.0 ? 0.0 : low;
    interval[1] = high > 1.0 ? 1.0 : high;
}

static void take_scores(assay_templates *fit, const double *draws, const size_t *template_at,
                        double *column)
{
    for (size_t i = 0; i < fit->n_templates; i++) {
        for (size_t d = 0; d < fit->n_draws; d++) column[d] = draws[d * fit->n_templates + i];
        interval_of(column, fit->n_draws, fit->level, 1.0,
                    fit->score_intervals + 2 * template_at[i]);
    }
}

static void take_mean(assay_templates *fit, const double *draws, double *column)
{
    for (size_t d = 0; d < fit->n_draws; d++) {
        column[d] = 0.0;
        for (size_t i = 0; i < fit->n_templates; i++)
            column[d] += draws[d * fit->n_templates + i] / (double)fit->n_templates;
    }
    interval_of(column, fit->n_draws, fit->level, wider.mean, fit->mean_interval);
}

/* Around each rank's median so many of its standard deviations as hold all ranks of a draw at once. */
static void take_band(assay_templates *fit, double *column, double *sd, double *most)
{
    const double least_sd = 1e-3;
    size_t n = fit->n_templates, n_draws = fit->n_draws;
    double reach;

    for (size_t r = 0; r < n; r++) {
        double mean = 0.0, sum = 0.0;

        for (size_t d = 0; d < n_draws; d++)
            mean += (column[d] = fit->sorted_draws[d * n + r]) / (double)n_draws;
        for (size_t d = 0; d < n_draws; d++) sum += (column[d] - mean) * (column[d] - mean);
        sd[r] = sqrt(sum / (double)n_draws) + least_sd;
        fit->sorted[r] = assay_quantile(column, n_draws, 0.5);
    }
    for (size_t d = 0; d < n_draws; d++) {
        most[d] = 0.0;
        for (size_t r = 0; r < n; r++) {
            double away = fabs(fit->sorted_draws[d * n + r] - fit->sorted[r]) / sd[r];

            if (away > most[d]) most[d] = away;
        }
    }
    reach = wider.band * assay_quantile(most, n_draws, fit->level);
    for (size_t r = 0; r < n; r++) {
        fit->band[2 * r] = fmax(0.0, fit->sorted[r] - reach * sd[r]);
        fit->band[2 * r + 1] = fmin(1.0, fit->sorted[r] + reach * sd[r]);
    }
}

assay_status assay_templates_take_draws(assay_templates *fit, const double *draws,
                                        const size_t *template_at,
                                        const assay_templates_options *options)
{
    size_t n = fit->n_templates, n_draws = options->n_draws;
    double *column = assay_alloc(2 * n_draws + n, sizeof *column);
    assay_status status = ASSAY_OK;

    fit->level = options->level;
    fit->n_draws = n_draws;
    fit->score_intervals = assay_alloc(n, 2 * sizeof *fit->score_intervals);
    fit->band = assay_alloc(n, 2 * sizeof *fit->band);
    fit->sorted_draws = assay_alloc(n_draws, n * sizeof *fit->sorted_draws);
    if (!column || !fit->score_intervals || !fit->band || !fit->sorted_draws) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu draws of %zu scores", n_draws, n);
        goto done;
    }
    memcpy(fit->sorted_draws, draws, n_draws * n * sizeof *draws);
    for (size_t d = 0; d < n_draws; d++) assay_sort_numbers(fit->sorted_draws + d * n, n);
    take_scores(fit, draws, template_at, column);
    take_mean(fit, draws, column);
    take_band(fit, column, column + 2 * n_draws, column + n_draws);
done:
    free(column);
    return status;
}

/* ---- getters ---- */

static assay_status check_draws(const assay_templates *fit)
{
    if (fit->method != ASSAY_TEMPLATES_MARGINAL)
        return assay_fail(ASSAY_E_DEGENERATE, "the published estimators give no interval");
    if (fit->n_draws == 0) return assay_fail(ASSAY_E_DEGENERATE, "no interval without draws");
    return ASSAY_OK;
}

/* Of a quantile and the band: with many templates little is left of chance in them, and what the model
   gets wrong of their shape shows. */
static assay_status check_shape(const assay_templates *fit)
{
    const size_t most = 200;
    assay_status status = check_draws(fit);

    if (status == ASSAY_OK && fit->n_templates > most)
        return assay_fail(ASSAY_E_DEGENERATE,
                          "with more than %zu templates such intervals were measured to hold too "
                          "seldom",
                          most);
    return status;
}

assay_status assay_templates_score_intervals(const assay_templates *fit, const double **low_high)
{
    assay_status status = check_draws(fit);

    if (status == ASSAY_OK && fit->n_cells < fit->n_templates)
        status = assay_fail(ASSAY_E_DEGENERATE,
                            "with fewer cells than templates such intervals were measured to hold "
                            "too seldom");
    *low_high = status == ASSAY_OK ? fit->score_intervals : NULL;
    return status;
}

assay_status assay_templates_mean_interval(const assay_templates *fit, double *low_high)
{
    assay_status status = check_draws(fit);

    if (status == ASSAY_OK) memcpy(low_high, fit->mean_interval, sizeof fit->mean_interval);
    return status;
}

assay_status assay_templates_band(const assay_templates *fit, const double **low_high)
{
    assay_status status = check_shape(fit);

    *low_high = status == ASSAY_OK ? fit->band : NULL;
    return status;
}

assay_status assay_templates_quantile_interval(const assay_templates *fit, double p,
                                               assay_quantile_rule rule, double *low_high)
{
    assay_status status = check_shape(fit);
    double *column;

    if (status != ASSAY_OK) return status;
    if ((status = assay_check_quantile(p, rule)) != ASSAY_OK) return status;
    column = assay_alloc(fit->n_draws, sizeof *column);
    if (!column) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu draws", fit->n_draws);
    for (size_t d = 0; d < fit->n_draws; d++)
        column[d] = assay_sorted_quantile(fit->sorted_draws + d * fit->n_templates,
                                          fit->n_templates, p, rule);
    interval_of(column, fit->n_draws, fit->level,
                wider.middle + (wider.tail - wider.middle) * fabs(2.0 * p - 1.0), low_high);
    free(column);
    return ASSAY_OK;
}
