/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_models.h"

#include "session.h"

#include <assay/dates.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char the_models_mean[] = "score";

static assay_status age(const assay_results *results, const struct signals_models_setting *setting,
                        double *values, struct signals_models *out);
static assay_status find_skill(const assay_results *results, double *values,
                               struct signals_models *out);
static assay_status slide(const struct signals_models_setting *setting, const double *values,
                          struct signals_models *out);
static assay_status halve(const struct signals_models_setting *setting, const double *values,
                          struct signals_models *out);
static assay_status tell_apart(const assay_results *results,
                               const struct signals_models_setting *setting, int *kinds,
                               struct signals_models *out);

void signals_models_options(struct signals_models_request *request,
                            struct cli_option options[SIGNALS_MODELS_N_OPTIONS])
{
    assay_windows_options windows;
    const struct cli_option all[SIGNALS_MODELS_N_OPTIONS] = {
        { "dates", 0, CLI_TEXT, &request->dates, "FILE[:COLUMN]|COLUMN",
          "the models' dates: the first half beside the last half" },
        { "by", 0, CLI_TEXT, &request->by, "score|FILE[:COLUMN]|COLUMN",
          "ED of windows of models in the order of their mean, or a number" },
        { "window", 0, CLI_INTEGER, &request->window, "N",
          "models in a window; by itself a third of them, 3 to 500" },
        { "step", 0, CLI_INTEGER, &request->step, "N",
          "from one window to the next; by itself a 20th of a window, 1 to 25" },
        { "attribute", 0, CLI_TEXT, &request->attribute, "FILE[:COLUMN]|COLUMN",
          "AUC of the first 5 components for a property with two values" },
    };

    assay_windows_options_init(&windows, sizeof windows);
    *request = (struct signals_models_request){ .window = (int64_t)windows.window,
                                                .step = (int64_t)windows.step };
    memcpy(options, all, sizeof all);
}

assay_status signals_models_check(const struct signals_models_request *request)
{
    if (cli_was_said(&request->window) && (request->window < 3 || request->window > INT32_MAX))
        return cli_fail(ASSAY_E_VALUE, "signals: window is %" PRId64 ", expected 3 or more",
                        request->window);
    if (cli_was_said(&request->step) && (request->step < 1 || request->step > INT32_MAX))
        return cli_fail(ASSAY_E_VALUE, "signals: step is %" PRId64 ", expected 1 or more",
                        request->step);
    if (!request->by && cli_was_said(&request->window))
        return cli_fail(ASSAY_E_VALUE, "--window is for --by");
    if (!request->by && cli_was_said(&request->step))
        return cli_fail(ASSAY_E_VALUE, "--step is for --by");
    return ASSAY_OK;
}

assay_status signals_models(const assay_results *results, const assay_matrix *matrix,
                            const struct signals_models_request *request,
                            const struct signals_models_setting *setting,
                            struct signals_models *out)
{
    size_t n = assay_matrix_n_models(matrix);
    double *values = malloc(n * sizeof *values);
    int *kinds = malloc(n * sizeof *kinds);
    assay_status status = values && kinds ? ASSAY_OK : cli_no_memory();

    *out = (struct signals_models){ .request = request, .matrix = matrix };
    if (status == ASSAY_OK && request->dates) status = age(results, setting, values, out);
    if (status == ASSAY_OK && (request->by || request->halves))
        status = find_skill(results, values, out);
    if (status == ASSAY_OK && request->by) status = slide(setting, values, out);
    if (status == ASSAY_OK && request->halves) status = halve(setting, values, out);
    if (status == ASSAY_OK && request->attribute) status = tell_apart(results, setting, kinds, out);
    free(values);
    free(kinds);
    return status;
}

void signals_models_free(struct signals_models *models)
{
    assay_model_column_free(models->date);
    assay_model_column_free(models->score);
    assay_model_column_free(models->property);
    assay_windows_free(models->windows);
}

const char *signals_models_by(const struct signals_models *models)
{
    return models->score ? assay_model_column_name(models->score) : the_models_mean;
}

static const char *text_of(const assay_model_column *column, const assay_matrix *matrix,
                           size_t model)
{
    return assay_model_column_text(column, assay_matrix_model_source(matrix, model));
}

static assay_status age(const assay_results *results, const struct signals_models_setting *setting,
                        double *values, struct signals_models *out)
{
    assay_ageing_options options;
    assay_status status =
        assay_model_column_find(results, out->request->dates, ASSAY_COLUMN_DATE, &out->date);

    if (status != ASSAY_OK) return status;
    for (size_t m = 0; m < assay_matrix_n_models(out->matrix); m++) {
        const char *text = text_of(out->date, out->matrix, m);

        values[m] = NAN;
        if (text && assay_date_days(text, &values[m]) != ASSAY_OK)
            return cli_fail(ASSAY_E_FORMAT, "the date of model \"%.60s\": %s",
                            assay_matrix_model(out->matrix, m), assay_last_error());
    }
    assay_ageing_options_init(&options, sizeof options);
    options.seed = setting->seed;
    options.threads = setting->threads;
    options.progress = setting->progress;
    if (setting->draws) options.permutations = setting->draws;
    return assay_ageing_fit(out->matrix, values, &options, &out->ageing);
}

static assay_status number_of(const assay_matrix *matrix, size_t model, const char *text,
                              double *value)
{
    char *end;

    *value = NAN;
    if (!text) return ASSAY_OK;
    *value = strtod(text, &end);
    /* Sums and figures stay finite below that. */
    if (end != text && !*end && fabs(*value) <= 1e100) return ASSAY_OK;
    return cli_fail(ASSAY_E_FORMAT, "model \"%.60s\" has \"%.60s\", expected a number to sort by",
                    assay_matrix_model(matrix, model), text);
}

/* What the models are sorted by: their mean score where nothing else was said. */
static assay_status find_skill(const assay_results *results, double *values,
                               struct signals_models *out)
{
    const char *by = out->request->by;
    int by_mean = !by || strcmp(by, the_models_mean) == 0;
    assay_status status = ASSAY_OK;

    if (!by_mean) status = assay_model_column_find(results, by, ASSAY_COLUMN_NUMBER, &out->score);
    for (size_t m = 0; m < assay_matrix_n_models(out->matrix) && status == ASSAY_OK; m++) {
        if (by_mean)
            values[m] = assay_matrix_mean_score(out->matrix, m);
        else
            status = number_of(out->matrix, m, text_of(out->score, out->matrix, m), &values[m]);
        out->n_unscored += isnan(values[m]) != 0;
    }
    return status;
}

static assay_status slide(const struct signals_models_setting *setting, const double *values,
                          struct signals_models *out)
{
    assay_windows_options options;

    assay_windows_options_init(&options, sizeof options);
    options.seed = setting->seed;
    options.threads = setting->threads;
    options.progress = setting->progress;
    options.window = (size_t)out->request->window;
    options.step = (size_t)out->request->step;
    if (setting->draws) options.draws = setting->draws;
    return assay_windows_fit(out->matrix, values, &options, &out->windows);
}

/* Each permutation takes long with thousands of models; p down to .005 is enough. */
static size_t halves_permutations(size_t n_models, size_t draws)
{
    enum { MANY_MODELS = 1000, ENOUGH = 199 };
    assay_ageing_options options;

    assay_ageing_options_init(&options, sizeof options);
    if (draws) return draws;
    return n_models > MANY_MODELS ? ENOUGH : options.permutations;
}

/* The weaker half of the models beside the better one. That there are too few is no failure. */
static assay_status halve(const struct signals_models_setting *setting, const double *values,
                          struct signals_models *out)
{
    assay_ageing_options options;
    assay_status status;

    assay_ageing_options_init(&options, sizeof options);
    options.seed = setting->seed;
    options.threads = setting->threads;
    options.progress = setting->progress;
    options.permutations = halves_permutations(assay_matrix_n_models(out->matrix), setting->draws);
    status = assay_ageing_fit(out->matrix, values, &options, &out->skill);
    out->has_skill = status == ASSAY_OK;
    return status == ASSAY_E_SHAPE || status == ASSAY_E_DEGENERATE ? ASSAY_OK : status;
}

/* The values in the order of their bytes: the second is the one that is looked for. */
static assay_status find_values(struct signals_models *out)
{
    const char *third = NULL;

    for (size_t m = 0; m < assay_matrix_n_models(out->matrix); m++) {
        const char *text = text_of(out->property, out->matrix, m);

        if (!text || (out->zero && strcmp(text, out->zero) == 0) ||
            (out->one && strcmp(text, out->one) == 0))
            continue;
        if (!out->zero)
            out->zero = text;
        else if (!out->one)
            out->one = text;
        else if (!third)
            third = text;
    }
    if (third)
        return cli_fail(
            ASSAY_E_DEGENERATE,
            "\"%.60s\" has \"%.40s\", \"%.40s\" and \"%.40s\" among the models, expected "
            "two values (an empty one leaves a model out)",
            out->request->attribute, out->zero, out->one, third);
    if (!out->one)
        return cli_fail(ASSAY_E_DEGENERATE, "\"%.60s\" has one value for all models, expected two",
                        out->request->attribute);
    if (strcmp(out->zero, out->one) > 0) {
        const char *swapped = out->zero;

        out->zero = out->one;
        out->one = swapped;
    }
    return ASSAY_OK;
}

static assay_status tell_apart(const assay_results *results,
                               const struct signals_models_setting *setting, int *kinds,
                               struct signals_models *out)
{
    assay_status status = assay_model_column_find(results, out->request->attribute,
                                                  ASSAY_COLUMN_TEXT, &out->property);

    if (status == ASSAY_OK) status = find_values(out);
    if (status != ASSAY_OK) return status;
    for (size_t m = 0; m < assay_matrix_n_models(out->matrix); m++) {
        const char *text = text_of(out->property, out->matrix, m);

        kinds[m] = !text ? -1 : strcmp(text, out->one) == 0;
    }
    return assay_attribute_auc_fit(out->matrix, kinds, setting->threads, &out->auc);
}
