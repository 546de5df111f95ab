/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_suite.h"

#include "session.h"

#include <math.h>

static void json_key_text(assay_json *json, const char *key, const char *text)
{
    assay_json_key(json, key);
    assay_json_text(json, text);
}

static void json_key_count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void json_key_number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

/* "<name>": value, "<name>_interval": [low, high], and why one of them is null. */
static void json_correlation(assay_json *json, const char *name, const assay_correlation *r)
{
    const double interval[] = { r->low, r->high };
    char key[64];

    cli_json_estimate(json, name, r->value, r->reason);
    snprintf(key, sizeof key, "%s_interval", name);
    cli_json_estimates(json, key, interval, isnan(r->low) ? 0 : 2, r->reason);
}

static void json_redundant(assay_json *json, const struct signals_suite *suite,
                           const assay_correlation *rho)
{
    if (isnan(rho->value)) {
        cli_json_estimate(json, "redundant", NAN, rho->reason);
        return;
    }
    assay_json_key(json, "redundant");
    assay_json_bool(json, signals_is_redundant(suite, rho->value));
    assay_json_key(json, "opposite");
    assay_json_bool(json, rho->value < 0.0 && signals_is_redundant(suite, rho->value));
}

static void json_pair(assay_json *json, const struct signals_suite *suite, size_t a, size_t b)
{
    assay_pair pair = assay_redundancy_pair(suite->fit, a, b);

    assay_json_begin_object(json);
    json_key_text(json, "a", assay_matrix_item(suite->matrix, a));
    json_key_text(json, "b", assay_matrix_item(suite->matrix, b));
    json_key_count(json, "n", pair.n);
    json_correlation(json, "pearson", &pair.pearson);
    json_correlation(json, "spearman", &pair.spearman);
    if (suite->given) {
        json_key_count(json, "partial_n", pair.n_given);
        json_correlation(json, "partial_pearson", &pair.partial_pearson);
        json_correlation(json, "partial_spearman", &pair.partial_spearman);
    }
    cli_json_estimate(json, "ceiling", assay_composite_ceiling(pair.pearson.value),
                      pair.pearson.reason);
    cli_json_estimate(json, "ceiling_spearman", assay_composite_ceiling(pair.spearman.value),
                      pair.spearman.reason);
    json_redundant(json, suite, &pair.spearman);
    assay_json_end_object(json);
}

static void json_pairs(assay_json *json, const struct signals_suite *suite)
{
    enum { MOST_COLUMNS = 200 };
    size_t t = assay_redundancy_n_columns(suite->fit), n_left_out = 0;

    assay_json_key(json, "pairs");
    assay_json_begin_array(json);
    for (size_t a = 0; a < t; a++) {
        for (size_t b = a + 1; b < t; b++) {
            if (t > MOST_COLUMNS &&
                !signals_is_redundant(suite,
                                      assay_redundancy_pair(suite->fit, a, b).spearman.value))
                n_left_out++;
            else
                json_pair(json, suite, a, b);
        }
    }
    assay_json_end_array(json);
    json_key_count(json, "pairs_left_out", n_left_out);
    if (t > MOST_COLUMNS)
        json_key_text(json, "pairs_left_out_reason", "more than 200 columns: redundant pairs only");
    json_key_number(json, "redundant_above", suite->redundant);
    json_key_count(json, "resamples", assay_redundancy_resamples(suite->fit));
    if (assay_redundancy_no_resamples(suite->fit))
        json_key_text(json, "resamples_reason", assay_redundancy_no_resamples(suite->fit));
}

/* By threshold: "threshold", then how many groups there are by each linkage. */
static void json_scan(assay_json *json, const struct signals_suite *suite)
{
    assay_json_key(json, "groups_scan");
    assay_json_begin_object(json);
    assay_json_key(json, "threshold");
    assay_json_begin_array_in_line(json);
    for (int i = 0; i < SIGNALS_N_THRESHOLDS; i++) assay_json_number(json, signals_threshold(i));
    assay_json_end_array(json);
    for (int l = 0; l < SIGNALS_N_LINKAGES; l++) {
        assay_json_key(json, signals_linkage_names[l]);
        assay_json_begin_array_in_line(json);
        for (int i = 0; i < SIGNALS_N_THRESHOLDS; i++) assay_json_count(json, suite->scan[i][l]);
        assay_json_end_array(json);
    }
    assay_json_end_object(json);
}

static void json_groups(assay_json *json, const struct signals_suite *suite)
{
    assay_json_key(json, "groups");
    assay_json_begin_array(json);
    for (size_t g = 0; g < suite->n_groups; g++) {
        assay_json_begin_array_in_line(json);
        for (size_t c = 0; c < assay_redundancy_n_columns(suite->fit); c++)
            if (suite->labels[c] == g) assay_json_text(json, assay_matrix_item(suite->matrix, c));
        assay_json_end_array(json);
    }
    assay_json_end_array(json);
    json_key_number(json, "group_threshold", suite->group_threshold);
    json_key_text(json, "group_linkage", signals_linkage_names[suite->linkage]);
    json_scan(json, suite);
}

static void json_decision(assay_json *json, const struct signals_suite *suite,
                          const struct signals_admission *one)
{
    static const char within[] = "the interval has the limit within";
    const assay_admission *answer = &one->answer;
    assay_finding finding = signals_admission_finding(suite, one);
    int is_decided = finding == ASSAY_FINDING_BELOW || finding == ASSAY_FINDING_ABOVE;

    if (answer->reason) {
        cli_json_estimate(json, "admitted", NAN, answer->reason);
    } else {
        assay_json_key(json, "admitted");
        assay_json_bool(json, answer->admitted);
    }
    json_key_text(json, "decision",
                  !is_decided                      ? "undecided"
                  : finding == ASSAY_FINDING_BELOW ? "admitted"
                                                   : "refused");
    if (is_decided) return;
    json_key_text(json, "decision_reason",
                  answer->reason                ? answer->reason
                  : isnan(answer->spearman.low) ? answer->spearman.reason
                                                : within);
}

static void json_admission(assay_json *json, const struct signals_suite *suite,
                           const struct signals_admission *one)
{
    const assay_admission *answer = &one->answer;

    assay_json_begin_object(json);
    json_key_text(json, "column", assay_matrix_item(suite->matrix, one->column));
    json_decision(json, suite, one);
    if (answer->reason)
        cli_json_estimate(json, "nearest", NAN, answer->reason);
    else
        json_key_text(json, "nearest", assay_matrix_item(suite->matrix, answer->nearest));
    json_key_count(json, "n", answer->n_models);
    json_correlation(json, "spearman", &answer->spearman);
    json_key_number(json, "below", suite->admit_below);
    json_key_count(json, "others", answer->n_others);
    json_key_count(json, "others_without_correlation", answer->n_unknown);
    assay_json_end_object(json);
}

static void json_admissions(assay_json *json, const struct signals_suite *suite)
{
    if (suite->admits_file) {
        assay_json_key(json, "admission_models");
        assay_json_begin_object(json);
        json_key_count(json, "of_file", suite->n_models_of_file);
        json_key_count(json, "matched", suite->n_matched);
        json_key_count(json, "of_suite", suite->n_models);
        assay_json_end_object(json);
    }
    assay_json_key(json, "admission");
    assay_json_begin_array(json);
    for (size_t i = 0; i < suite->n_admissions; i++)
        json_admission(json, suite, &suite->admissions[i]);
    assay_json_end_array(json);
}

void json_signals_suite(assay_json *json, const struct signals_suite *suite)
{
    if (!suite->fit) {
        assay_json_key(json, "pairs");
        assay_json_null(json);
        json_key_text(json, "pairs_reason", suite->reason);
        assay_json_key(json, "groups");
        assay_json_null(json);
        json_key_text(json, "groups_reason", suite->reason);
        return;
    }
    if (suite->given) {
        assay_json_key(json, "given");
        assay_json_begin_object(json);
        json_key_text(json, "covariate", suite->given_name);
        assay_json_key(json, "log");
        assay_json_bool(json, suite->as_log);
        json_key_count(json, "models_without", suite->n_without_given);
        assay_json_end_object(json);
    }
    json_pairs(json, suite);
    json_groups(json, suite);
    if (suite->admit) json_admissions(json, suite);
}
