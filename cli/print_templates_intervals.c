/* SPDX-License-Identifier: Apache-2.0 */
/* The intervals of an estimate of `assay templates`, for people and as JSON. */
#include "print_templates.h"

#include <math.h>

/* ---- the table ---- */

/* Low and high of quantile l, NaN where there is no interval. */
static void quantile_interval(const struct templates_answer *answer, const assay_templates *fit,
                              size_t l, double *low_high)
{
    if (assay_templates_quantile_interval(fit, answer->levels[l],
                                          (assay_quantile_rule)answer->request->convention,
                                          low_high) != ASSAY_OK)
        low_high[0] = low_high[1] = NAN;
}

static void print_end(FILE *to, double x)
{
    if (isnan(x))
        fprintf(to, " %8s", "-");
    else
        fprintf(to, " %8.4f", x);
}

void print_templates_intervals(FILE *to, const struct templates_answer *answer,
                               const assay_templates *fit)
{
    static const char *const ends[] = { "from", "to" };
    double mean[2];

    if (assay_templates_mean_interval(fit, mean) != ASSAY_OK) return;
    for (int end = 0; end < 2; end++) {
        char label[32];

        snprintf(label, sizeof label, "  %.4g %% %s", 100.0 * answer->request->analysis.level,
                 ends[end]);
        fprintf(to, "%-14s", label);
        print_end(to, mean[end]);
        for (size_t l = 0; l < answer->n_levels; l++) {
            double low_high[2];

            quantile_interval(answer, fit, l, low_high);
            print_end(to, low_high[end]);
        }
        putc('\n', to);
    }
}

/* ---- JSON ---- */

static void json_pair(assay_json *json, const double *low_high)
{
    assay_json_begin_array_in_line(json);
    assay_json_number(json, low_high[0]);
    assay_json_number(json, low_high[1]);
    assay_json_end_array(json);
}

/* n pairs, or null and the reason. */
static void json_pairs(assay_json *json, const char *key, assay_status status,
                       const double *low_high, size_t n)
{
    if (status != ASSAY_OK) {
        cli_json_estimate(json, key, NAN, assay_last_error());
        return;
    }
    assay_json_key(json, key);
    assay_json_begin_array_in_line(json);
    for (size_t i = 0; i < n; i++) json_pair(json, &low_high[2 * i]);
    assay_json_end_array(json);
}

static void json_quantiles(assay_json *json, const struct templates_answer *answer,
                           const assay_templates *fit)
{
    assay_json_key(json, "quantiles");
    assay_json_begin_object(json);
    for (size_t l = 0; l < answer->n_levels; l++) {
        double low_high[2];
        assay_status status = assay_templates_quantile_interval(
            fit, answer->levels[l], (assay_quantile_rule)answer->request->convention, low_high);

        if (status != ASSAY_OK) {
            json_templates_at_level(json, answer->levels[l], NAN, assay_last_error());
            continue;
        }
        json_templates_level(json, answer->levels[l]);
        json_pair(json, low_high);
    }
    assay_json_end_object(json);
}

void json_templates_interval(assay_json *json, const struct templates_answer *answer,
                             const assay_templates *fit)
{
    size_t n;
    const double *low_high;
    double mean[2];
    assay_status status = assay_templates_mean_interval(fit, mean);

    assay_templates_distribution(fit, &n);
    if (status != ASSAY_OK) {
        cli_json_estimate(json, "interval", NAN, assay_last_error());
        return;
    }
    assay_json_key(json, "interval");
    assay_json_begin_object(json);
    assay_json_key(json, "level");
    assay_json_number(json, answer->request->analysis.level);
    assay_json_key(json, "mean");
    json_pair(json, mean);
    json_quantiles(json, answer, fit);
    status = assay_templates_score_intervals(fit, &low_high);
    json_pairs(json, "scores", status, low_high, n);
    status = assay_templates_band(fit, &low_high);
    json_pairs(json, "band", status, low_high, n);
    assay_json_end_object(json);
}
