/* SPDX-License-Identifier: Apache-2.0 */
#include "print_signals.h"

#include "signals_tetrachoric.h"

#include <assay/plot.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- doubts ---- */

void print_signals_doubts(const assay_matrix *matrix, const char *of)
{
    enum { SHOWN = 8 };
    size_t n = 0;

    for (size_t i = 0; i < assay_matrix_n_items(matrix); i++) {
        const char *name = assay_matrix_item(matrix, i), *doubt = assay_matrix_doubt(matrix, i);
        char safe[80], table[300];

        if (!doubt || n++ >= SHOWN) continue;
        if (n == 1 && of)
            fprintf(stderr, "assay: %s: ", assay_printable(table, sizeof table, of, strlen(of)));
        else
            fputs(n == 1 ? "assay: " : "; ", stderr);
        fprintf(stderr, "\"%s\" %s", assay_printable(safe, sizeof safe, name, strlen(name)), doubt);
    }
    if (n > SHOWN) fprintf(stderr, "; and %zu more", n - SHOWN);
    if (n) fputs(": if they are no items, --drop them\n", stderr);
}

/* ---- the table ---- */

static double value(const struct signals_answer *answer, assay_signals_number number)
{
    return assay_signals_value(answer->fit, number);
}

/* "  label      12.34", or the reason why there is no number. */
static void row(FILE *to, const struct signals_answer *answer, const char *label,
                assay_signals_number number, int decimals)
{
    double x = value(answer, number);

    if (isnan(x))
        fprintf(to, "  %-34s        -   (%s)", label, assay_signals_reason(answer->fit, number));
    else
        fprintf(to, "  %-34s %8.*f", label, decimals, x);
}

static void print_shape(FILE *to, const struct signals_answer *answer)
{
    size_t n = assay_matrix_n_models(answer->matrix), t = assay_matrix_n_items(answer->matrix);
    uint64_t holes = (uint64_t)n * t - assay_matrix_n_observed(answer->matrix);
    size_t models_out = assay_matrix_n_models_left_out(answer->matrix);
    size_t items_out = assay_matrix_n_items_left_out(answer->matrix);
    double constant = value(answer, ASSAY_SIGNALS_CONSTANT_ITEMS);

    fprintf(to, "%zu models x %zu item%s", n, t, t == 1 ? "" : "s");
    if (holes)
        fprintf(to, "; cells without a score that stand at their item's mean: %" PRIu64, holes);
    if (models_out || items_out)
        fprintf(to, "; left out for having no score: %zu models, %zu items", models_out, items_out);
    if (constant > 0.0)
        fprintf(to, "\n%.0f item%s the same score for every model", constant,
                constant == 1.0 ? " has" : "s have");
    if (holes > (uint64_t)n * t / 2)
        fputs("\nmost cells have no score: models that share no items look unrelated, and are not "
              "known to be",
              to);
    putc('\n', to);
    print_signals_copies(to, answer->copies);
    putc('\n', to);
}

struct signals_interval signals_interval(const struct signals_answer *answer)
{
    const assay_half_sample *half = &answer->subsets->half_sample;

    if (answer->subsets->request->half_sample)
        return (struct signals_interval){ half->low, half->high, half->reason,
                                          "half-sample-models" };
    return (struct signals_interval){ value(answer, ASSAY_SIGNALS_ED_LOW),
                                      value(answer, ASSAY_SIGNALS_ED_HIGH),
                                      assay_signals_reason(answer->fit, ASSAY_SIGNALS_ED_LOW),
                                      "jackknife-models" };
}

static void print_dimension(FILE *to, const struct signals_answer *answer)
{
    size_t n = assay_matrix_n_models(answer->matrix), t = assay_matrix_n_items(answer->matrix);
    struct signals_interval interval = signals_interval(answer);

    fprintf(to, "effective dimensionality (ED), at most %zu\n", t < n ? t : n - 1);
    row(to, answer, "items' means out (BenchScope)", ASSAY_SIGNALS_ED_TASK, 2);
    if (!isnan(interval.low))
        fprintf(to, "   %g %% interval %.2f to %.2f", 100.0 * answer->analysis->level, interval.low,
                interval.high);
    putc('\n', to);
    row(to, answer, "models' means out", ASSAY_SIGNALS_ED_MODEL, 2);
    putc('\n', to);
    row(to, answer, "both out", ASSAY_SIGNALS_ED_DOUBLE, 2);
    putc('\n', to);
    row(to, answer, "items' means out, standardised", ASSAY_SIGNALS_ED_STANDARDISED, 2);
    if (answer->subsets->small_shape)
        fprintf(to, "\n  only %zu %s: %d or less is too few to compare ED with other matrices'",
                t < n ? t : n,
                t == 1  ? "item"
                : t < n ? "items"
                        : "models",
                ASSAY_SMALL_SHAPE);
    fputs("\n\n", to);
}

static void print_components(FILE *to, const struct signals_answer *answer)
{
    fprintf(to, "components\n  %-34s %8.1f %%\n", "share of the first",
            100.0 * value(answer, ASSAY_SIGNALS_PC1_SHARE));
    row(to, answer, "above the mean (Kaiser)", ASSAY_SIGNALS_KAISER, 0);
    putc('\n', to);
    row(to, answer, "above shuffled (parallel analysis)", ASSAY_SIGNALS_PARALLEL_ANALYSIS, 0);
    fputs("\n\n", to);
}

static void print_nulls(FILE *to, const struct signals_answer *answer)
{
    fputs("ED if the models carried no signal\n", to);
    row(to, answer, "pure noise (Marchenko-Pastur)", ASSAY_SIGNALS_MARCHENKO_PASTUR, 2);
    putc('\n', to);
    row(to, answer, "shuffled, at the exact mean", ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN, 2);
    putc('\n', to);
    row(to, answer, "shuffled, Monte Carlo mean", ASSAY_SIGNALS_PERMUTATION_MEAN, 2);
    if (!isnan(value(answer, ASSAY_SIGNALS_PERMUTATION_MEAN_SE)))
        fprintf(to, "   +- %.3f (SE, %.0f shuffles)",
                value(answer, ASSAY_SIGNALS_PERMUTATION_MEAN_SE),
                value(answer, ASSAY_SIGNALS_PERMUTATIONS));
    putc('\n', to);
    row(to, answer, "ED / pure noise", ASSAY_SIGNALS_ED_OVER_NULL, 4);
    putc('\n', to);
    row(to, answer, "ED / shuffled, at the exact mean", ASSAY_SIGNALS_ED_OVER_PERMUTATION, 4);
    fputs("\n\n", to);
}

assay_status print_signals_table(FILE *to, const void *data)
{
    const struct signals_answer *answer = data;

    cli_print_coverage(to, answer->results);
    if (answer->n_as_wrong)
        fprintf(to, "cells without a score, counted as 0: %" PRIu64 "\n", answer->n_as_wrong);
    print_shape(to, answer);
    if (answer->audit->asked) {
        print_signals_audit(to, answer);
        return ASSAY_OK;
    }
    print_dimension(to, answer);
    signals_replicate_print(to, answer->replicate, answer->analysis->level);
    print_components(to, answer);
    print_nulls(to, answer);
    print_signals_tetrachoric(to, answer->tetrachoric);
    print_signals_subsets(to, answer->subsets);
    print_signals_models(to, answer->models);
    print_signals_suite(to, answer->suite);
    print_signals_short_form(to, answer->short_form, answer->reading);
    if (assay_matrix_n_items(answer->matrix) == 1)
        fputs("Note: one item is one signal by definition.\n", to);
    fputs(
        "ED is an upper bound for screening, not a sample size: on single runs much of it is the\n"
        "noise of the outcomes. Near 1, one ability explains the table; near the null, nothing\n"
        "does.\n",
        to);
    return ASSAY_OK;
}

/* ---- JSON ---- */

static void estimate(assay_json *json, const struct signals_answer *answer, const char *key,
                     assay_signals_number number)
{
    cli_json_estimate(json, key, value(answer, number), assay_signals_reason(answer->fit, number));
}

/* Eigenvalues are squares of scores. */
static const char no_double[] = "the squares of scores so large are no double";

static void json_shape(assay_json *json, const struct signals_answer *answer)
{
    const assay_matrix *matrix = answer->matrix;
    uint64_t observed = assay_matrix_n_observed(matrix);
    uint64_t cells = (uint64_t)assay_matrix_n_models(matrix) * assay_matrix_n_items(matrix);
    const struct {
        const char *key;
        uint64_t n;
    } counts[] = {
        { "models", assay_matrix_n_models(matrix) },
        { "items", assay_matrix_n_items(matrix) },
        { "observed", observed },
        { "missing", cells - observed },
        { "counted_as_0", answer->n_as_wrong },
        { "models_left_out", assay_matrix_n_models_left_out(matrix) },
        { "items_left_out", assay_matrix_n_items_left_out(matrix) },
    };

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assay_json_key(json, counts[i].key);
        assay_json_count(json, counts[i].n);
    }
    estimate(json, answer, "constant_items", ASSAY_SIGNALS_CONSTANT_ITEMS);
}

/* What print_signals_doubts() says on standard error. */
static void json_doubts(assay_json *json, const assay_matrix *matrix)
{
    assay_json_key(json, "doubts");
    assay_json_begin_array(json);
    for (size_t i = 0; i < assay_matrix_n_items(matrix); i++) {
        if (!assay_matrix_doubts(matrix, i)) continue;
        assay_json_begin_object(json);
        assay_json_key(json, "item");
        assay_json_text(json, assay_matrix_item(matrix, i));
        assay_json_key(json, "reason");
        assay_json_text(json, assay_matrix_doubt(matrix, i));
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_dimension(assay_json *json, const struct signals_answer *answer)
{
    struct signals_interval interval = signals_interval(answer);

    assay_json_key(json, "ed");
    assay_json_begin_object(json);
    estimate(json, answer, "task", ASSAY_SIGNALS_ED_TASK);
    estimate(json, answer, "model", ASSAY_SIGNALS_ED_MODEL);
    estimate(json, answer, "double", ASSAY_SIGNALS_ED_DOUBLE);
    assay_json_end_object(json);
    assay_json_key(json, "ed_interval");
    assay_json_begin_object(json);
    assay_json_key(json, "low");
    assay_json_number(json, interval.low);
    assay_json_key(json, "high");
    assay_json_number(json, interval.high);
    if (interval.reason) {
        assay_json_key(json, "reason");
        assay_json_text(json, interval.reason);
    }
    assay_json_key(json, "level");
    assay_json_number(json, answer->analysis->level);
    assay_json_key(json, "method");
    assay_json_text(json, interval.method);
    assay_json_end_object(json);
    estimate(json, answer, "ed_standardised", ASSAY_SIGNALS_ED_STANDARDISED);
}

static void json_nulls(assay_json *json, const struct signals_answer *answer)
{
    size_t n;
    const double *q95 = assay_signals_null_q95(answer->fit, &n);

    assay_json_key(json, "null");
    assay_json_begin_object(json);
    estimate(json, answer, "marchenko_pastur", ASSAY_SIGNALS_MARCHENKO_PASTUR);
    estimate(json, answer, "permutation_ed_at_mean", ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN);
    estimate(json, answer, "permutation_mean", ASSAY_SIGNALS_PERMUTATION_MEAN);
    estimate(json, answer, "permutation_mean_se", ASSAY_SIGNALS_PERMUTATION_MEAN_SE);
    estimate(json, answer, "permutations", ASSAY_SIGNALS_PERMUTATIONS);
    cli_json_estimates(json, "permutation_q95", q95, n,
                       n ? no_double
                         : assay_signals_reason(answer->fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS));
    assay_json_end_object(json);
    estimate(json, answer, "ed_over_null", ASSAY_SIGNALS_ED_OVER_NULL);
    estimate(json, answer, "ed_over_permutation", ASSAY_SIGNALS_ED_OVER_PERMUTATION);
}

void json_signals(assay_json *json, const struct signals_answer *answer)
{
    size_t n;
    const double *spectrum = assay_signals_spectrum(answer->fit, &n);

    json_shape(json, answer);
    json_doubts(json, answer->matrix);
    json_signals_copies(json, answer->copies);
    json_dimension(json, answer);
    signals_replicate_json(json, answer->replicate, answer->analysis->level);
    estimate(json, answer, "pc1_share", ASSAY_SIGNALS_PC1_SHARE);
    estimate(json, answer, "kaiser", ASSAY_SIGNALS_KAISER);
    estimate(json, answer, "parallel_analysis", ASSAY_SIGNALS_PARALLEL_ANALYSIS);
    json_nulls(json, answer);
    json_signals_tetrachoric(json, answer->tetrachoric);
    json_signals_subsets(json, answer->subsets);
    json_signals_models(json, answer->models);
    json_signals_suite(json, answer->suite);
    json_signals_short_form(json, answer->short_form, answer->reading);
    json_signals_audit(json, answer);
    cli_json_estimates(json, "spectrum", spectrum, n, no_double);
}

assay_status print_signals_json(FILE *to, const void *data)
{
    const struct signals_answer *answer = data;
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    cli_json_head(&json, "assay.signals/1", "signals", answer->analysis->seed, answer->results);
    json_signals(&json, answer);
    assay_json_end_object(&json);
    putc('\n', to);
    return ASSAY_OK;
}

/* ---- figures ---- */

/* The name of the first input, without its folder. */
static const char *title_of(const struct signals_answer *answer)
{
    const char *path = assay_results_input(answer->results, 0).path, *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

assay_status print_signals_plot(FILE *to, const void *data)
{
    const struct signals_answer *answer = data;

    assay_plot_scree(answer->fit, title_of(answer), to);
    return ASSAY_OK;
}

assay_status print_signals_saturation_plot(FILE *to, const void *data)
{
    const struct signals_answer *answer = data;

    assay_plot_saturation(&answer->subsets->saturation, title_of(answer), to);
    return ASSAY_OK;
}

assay_status print_signals_skill_plot(FILE *to, const void *data)
{
    const struct signals_answer *answer = data;

    assay_plot_windows(answer->models->windows, signals_models_by(answer->models), title_of(answer),
                       to);
    return ASSAY_OK;
}
