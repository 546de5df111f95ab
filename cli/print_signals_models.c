/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"
#include "signals_models.h"

#include <math.h>
#include <string.h>

/* ---- the table ---- */

static const char *safe_name(char *out, size_t size, const char *name)
{
    return assay_printable(out, size, name, strlen(name));
}

static const char *date_of(const struct signals_models *models, size_t model)
{
    return assay_model_column_text(models->date, assay_matrix_model_source(models->matrix, model));
}

static const char nothing_varies[] = "nothing varies in the window";

static void print_change(FILE *to, const char *label, assay_change change, int decimals)
{
    if (change.reason) {
        fprintf(to, "  %-34s        -   (%s)\n", label, change.reason);
        return;
    }
    fprintf(to, "  %-34s %8.*f -> %.*f", label, decimals, change.early, decimals, change.late);
    if (isfinite(change.share)) fprintf(to, "   %+.1f %%", 100.0 * change.share);
    if (!isnan(change.p)) fprintf(to, "   p %.3f", change.p);
    putc('\n', to);
}

static void print_ageing(FILE *to, const struct signals_models *models)
{
    const assay_ageing *ageing = &models->ageing;
    char safe[4][40];

    fprintf(to, "the first and the last %zu models by date: %s to %s, %s to %s\n", ageing->n_half,
            safe_name(safe[0], sizeof safe[0], date_of(models, ageing->early_from)),
            safe_name(safe[1], sizeof safe[1], date_of(models, ageing->early_to)),
            safe_name(safe[2], sizeof safe[2], date_of(models, ageing->late_from)),
            safe_name(safe[3], sizeof safe[3], date_of(models, ageing->late_to)));
    if (ageing->n_undated)
        fprintf(to, "  models without a date, left out: %zu\n", ageing->n_undated);
    if (ageing->is_tied)
        fputs("  models of one date stand in both: which ones is the order of the input\n", to);
    print_change(to, "mean score", ageing->solve_rate, 3);
    print_change(to, "mean r of two models", ageing->pairwise_r, 3);
    for (int f = 0; f < ASSAY_AGEING_N_FILTERS; f++) {
        const assay_ageing_ed *ed = &ageing->ed[f];

        if (f == 0)
            fputs("  ED, all items\n", to);
        else
            fprintf(to, "  ED, items that %.0f to %.0f %% solve in both halves: %zu\n",
                    100.0 * ed->low, 100.0 * ed->high, ed->n_items);
        print_change(to, "  items' means out", ed->task, 2);
        print_change(to, "  models' means out", ed->model, 2);
        print_change(to, "  both out", ed->both, 2);
    }
    putc('\n', to);
}

/* ED of a window; a dash where nothing varies in it. */
static void print_window(FILE *to, const char *format, const char *dash, double ed)
{
    if (isnan(ed))
        fputs(dash, to);
    else
        fprintf(to, format, ed);
}

static void print_summary(FILE *to, const struct signals_models *models, assay_windows_scale scale,
                          const char *label)
{
    assay_windows_summary summary = assay_windows_summarise(models->windows, scale);

    if (summary.reason) {
        fprintf(to, "  %-34s        -   (%s)\n", label, summary.reason);
        return;
    }
    fprintf(to, "  %-34s", label);
    print_window(to, " %8.2f first", "        - first", summary.first);
    fprintf(to, ", %.2f least at mean score %.4g", summary.least,
            assay_windows_at(models->windows, summary.at_least).score_mean);
    print_window(to, ", %.2f last", ", - last", summary.last);
    if (!isnan(summary.p_last_above)) fprintf(to, "; P(last > least) %.3f", summary.p_last_above);
    putc('\n', to);
}

static void print_skill(FILE *to, const struct signals_models *models)
{
    char safe[60];

    fprintf(to, "ED of windows of %zu models by %s: %zu of them, %zu apart\n",
            assay_windows_size(models->windows),
            safe_name(safe, sizeof safe, signals_models_by(models)),
            assay_windows_n(models->windows), assay_windows_step(models->windows));
    if (models->n_unscored)
        fprintf(to, "  models without a number, left out: %zu\n", models->n_unscored);
    print_summary(to, models, ASSAY_WINDOWS_AS_IT_IS, "items' means out");
    print_summary(to, models, ASSAY_WINDOWS_UNIT_VARIANCE, "items' means out, standardised");
    putc('\n', to);
}

static void print_attribute(FILE *to, const struct signals_models *models)
{
    const assay_attribute_auc *auc = &models->auc;
    char name[60], one[60], zero[60];

    fprintf(to, "components that tell %s \"%s\" (%zu models) from \"%s\" (%zu)",
            safe_name(name, sizeof name, assay_model_column_name(models->property)),
            safe_name(one, sizeof one, models->one), auc->n_one,
            safe_name(zero, sizeof zero, models->zero), auc->n_zero);
    if (auc->n_left_out) fprintf(to, "; left out: %zu", auc->n_left_out);
    putc('\n', to);
    for (int k = 0; k < ASSAY_ATTRIBUTE_COMPONENTS; k++) {
        const assay_component_auc *component = &auc->component[k];

        if (component->reason) continue;
        fprintf(to, "  %d, %4.1f %% of the variance %7s AUC %8.3f   p %.2g, of all five %.2g%s\n",
                k + 1, 100.0 * component->share, "", component->auc, component->p,
                component->p_holm, component->is_exact ? "" : " (normal)");
    }
    putc('\n', to);
}

void print_signals_models(FILE *to, const struct signals_models *models)
{
    if (models->request->dates) print_ageing(to, models);
    if (models->request->by) print_skill(to, models);
    if (models->request->attribute) print_attribute(to, models);
}

/* ---- JSON ---- */

static void number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

static void count(assay_json *json, const char *key, size_t value)
{
    assay_json_key(json, key);
    assay_json_count(json, value);
}

static void text(assay_json *json, const char *key, const char *value)
{
    assay_json_key(json, key);
    assay_json_text(json, value);
}

static void json_change(assay_json *json, const char *key, assay_change change)
{
    assay_json_key(json, key);
    assay_json_begin_object(json);
    number(json, "early", change.early);
    number(json, "late", change.late);
    cli_json_estimate(json, "change", change.share,
                      change.reason ? change.reason : "the early number is not above 0");
    number(json, "p", change.p);
    if (change.reason) text(json, "reason", change.reason);
    assay_json_end_object(json);
}

static void json_span(assay_json *json, const char *key, const struct signals_models *models,
                      size_t from, size_t to)
{
    assay_json_key(json, key);
    assay_json_begin_object(json);
    text(json, "from", date_of(models, from));
    text(json, "to", date_of(models, to));
    text(json, "first_model", assay_matrix_model(models->matrix, from));
    text(json, "last_model", assay_matrix_model(models->matrix, to));
    assay_json_end_object(json);
}

static void json_ageing(assay_json *json, const struct signals_models *models)
{
    const assay_ageing *ageing = &models->ageing;

    assay_json_key(json, "ageing");
    assay_json_begin_object(json);
    text(json, "by", assay_model_column_name(models->date));
    count(json, "models_each", ageing->n_half);
    count(json, "models_left_out", ageing->n_undated + (ageing->has_middle ? 1 : 0));
    assay_json_key(json, "tied");
    assay_json_bool(json, ageing->is_tied);
    json_span(json, "early", models, ageing->early_from, ageing->early_to);
    json_span(json, "late", models, ageing->late_from, ageing->late_to);
    json_change(json, "mean_score", ageing->solve_rate);
    json_change(json, "pairwise_r", ageing->pairwise_r);
    assay_json_key(json, "ed");
    assay_json_begin_array(json);
    for (int f = 0; f < ASSAY_AGEING_N_FILTERS; f++) {
        assay_json_begin_object(json);
        assay_json_key(json, "pass_rate");
        assay_json_begin_array_in_line(json);
        assay_json_number(json, ageing->ed[f].low);
        assay_json_number(json, ageing->ed[f].high);
        assay_json_end_array(json);
        count(json, "items", ageing->ed[f].n_items);
        json_change(json, "task", ageing->ed[f].task);
        json_change(json, "model", ageing->ed[f].model);
        json_change(json, "double", ageing->ed[f].both);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    assay_json_end_object(json);
}

static void json_summary(assay_json *json, const char *key, const struct signals_models *models,
                         assay_windows_scale scale)
{
    assay_windows_summary summary = assay_windows_summarise(models->windows, scale);

    assay_json_key(json, key);
    assay_json_begin_object(json);
    cli_json_estimate(json, "first", summary.first, nothing_varies);
    cli_json_estimate(json, "minimum", summary.least, nothing_varies);
    assay_json_key(json, "minimum_window");
    if (summary.reason)
        assay_json_null(json);
    else
        assay_json_count(json, summary.at_least);
    cli_json_estimate(json, "last", summary.last, nothing_varies);
    cli_json_estimate(json, "p_last_above_minimum", summary.p_last_above,
                      summary.reason ? summary.reason
                      : isnan(summary.last)
                          ? "the last window has no ED"
                          : "the last window is the minimum, or there were no draws");
    if (summary.reason) text(json, "reason", summary.reason);
    assay_json_end_object(json);
}

static void json_skill(assay_json *json, const struct signals_models *models)
{
    assay_json_key(json, "skill");
    assay_json_begin_object(json);
    text(json, "by", signals_models_by(models));
    count(json, "models", assay_windows_n_models(models->windows));
    count(json, "models_left_out", models->n_unscored);
    count(json, "window", assay_windows_size(models->windows));
    count(json, "step", assay_windows_step(models->windows));
    json_summary(json, "ed", models, ASSAY_WINDOWS_AS_IT_IS);
    json_summary(json, "ed_standardised", models, ASSAY_WINDOWS_UNIT_VARIANCE);
    assay_json_key(json, "windows");
    assay_json_begin_array(json);
    for (size_t k = 0; k < assay_windows_n(models->windows); k++) {
        assay_window window = assay_windows_at(models->windows, k);

        assay_json_begin_object(json);
        count(json, "first", window.first);
        number(json, "score_from", window.score_from);
        number(json, "score_mean", window.score_mean);
        number(json, "score_to", window.score_to);
        cli_json_estimate(json, "ed", window.ed[ASSAY_WINDOWS_AS_IT_IS], nothing_varies);
        cli_json_estimate(json, "ed_standardised", window.ed[ASSAY_WINDOWS_UNIT_VARIANCE],
                          nothing_varies);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    assay_json_end_object(json);
}

static void json_attribute(assay_json *json, const struct signals_models *models)
{
    assay_json_key(json, "attribute");
    assay_json_begin_object(json);
    text(json, "name", assay_model_column_name(models->property));
    text(json, "one", models->one);
    text(json, "other", models->zero);
    count(json, "models_one", models->auc.n_one);
    count(json, "models_other", models->auc.n_zero);
    count(json, "models_left_out", models->auc.n_left_out);
    assay_json_key(json, "components");
    assay_json_begin_array(json);
    for (int k = 0; k < ASSAY_ATTRIBUTE_COMPONENTS; k++) {
        const assay_component_auc *component = &models->auc.component[k];

        assay_json_begin_object(json);
        number(json, "share", component->share);
        number(json, "auc", component->auc);
        number(json, "p", component->p);
        number(json, "p_holm", component->p_holm);
        if (component->reason)
            text(json, "reason", component->reason);
        else
            text(json, "p_method", component->is_exact ? "exact" : "normal");
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    assay_json_end_object(json);
}

void json_signals_models(assay_json *json, const struct signals_models *models)
{
    if (models->request->dates) json_ageing(json, models);
    if (models->request->by) json_skill(json, models);
    if (models->request->attribute) json_attribute(json, models);
}
