/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_subsets.h"

#include "session.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void signals_subsets_options(struct signals_subsets_request *request,
                             struct cli_option options[SIGNALS_SUBSETS_N_OPTIONS])
{
    const struct cli_option all[SIGNALS_SUBSETS_N_OPTIONS] = {
        { "saturation", 0, CLI_FLAG, &request->saturation, NULL,
          "ED of random subsets by their size, and where that would end" },
        { "split-half", 0, CLI_FLAG, &request->split_half, NULL,
          "ED of random halves of the items, and of the models" },
        { "matched", 0, CLI_TEXT, &request->matched, "ITEMSxMODELS",
          "mean ED of random parts of that size, such as 300x50" },
        { "interval", 0, CLI_CHOICE, &request->half_sample, "jackknife|subsample",
          "where the interval of ED comes from" },
        { "draws", 0, CLI_INTEGER, &request->draws, "N",
          "subsets, windows or shuffled dates behind each figure; 0 as usual" },
    };

    *request = (struct signals_subsets_request){ 0 };
    memcpy(options, all, sizeof all);
}

assay_status signals_subsets_check(struct signals_subsets_request *request)
{
    const char *text = request->matched;
    uint64_t items, models;
    int used = 0;

    if (request->draws < 0 || request->draws > 100000)
        return cli_fail(ASSAY_E_VALUE, "signals: draws is %" PRId64 ", expected 0 to 100000",
                        request->draws);
    if (!text) return ASSAY_OK;
    /* No sign, no space, and few enough digits for both numbers. */
    if (strlen(text) > 40 || strspn(text, "0123456789x") != strlen(text) ||
        sscanf(text, "%12" SCNu64 "x%12" SCNu64 "%n", &items, &models, &used) != 2 || text[used] ||
        items < 1 || models < 2)
        return cli_fail(ASSAY_E_VALUE,
                        "signals: matched is \"%.60s\", expected items x models, such as 300x50",
                        text);
    request->matched_items = (size_t)items;
    request->matched_models = (size_t)models;
    return ASSAY_OK;
}

assay_status signals_subsets(const assay_matrix *matrix,
                             const struct signals_subsets_request *request, double level,
                             const assay_subsets_options *options, struct signals_subsets *out)
{
    size_t n = assay_matrix_n_models(matrix), t = assay_matrix_n_items(matrix);
    assay_saturation_options curves;
    assay_status status = ASSAY_OK;

    *out = (struct signals_subsets){ .request = request };
    out->small_shape = (n < t ? n : t) <= ASSAY_SMALL_SHAPE;
    assay_saturation_options_init(&curves, sizeof curves);
    curves.seed = options->seed;
    curves.threads = options->threads;
    curves.progress = options->progress;
    if (options->draws) curves.draws = options->draws;
    if (request->half_sample)
        status = assay_half_sample_interval(matrix, level, options, &out->half_sample);
    if (status == ASSAY_OK && request->saturation)
        status = assay_saturation_curves(matrix, &curves, &out->saturation);
    if (status == ASSAY_OK && request->split_half)
        status = assay_split_halves(matrix, options, &out->halves);
    if (status == ASSAY_OK && request->matched)
        status = assay_matched_dimension(matrix, request->matched_items, request->matched_models,
                                         options, &out->matched);
    return status;
}

/* ---- the table ---- */

static void print_curve(FILE *to, const assay_saturation_curve *curve, const char *of)
{
    fprintf(to, "ED by the number of %s\n", of);
    for (size_t k = 0; k < curve->n; k++) {
        fprintf(to, "  %-34.0f ", curve->size[k]);
        if (isnan(curve->mean[k]))
            fputs("       -", to);
        else
            fprintf(to, "%8.2f", curve->mean[k]);
        if (!isnan(curve->sd[k]))
            fprintf(to, "   +- %.2f (sd, %zu subsets)", curve->sd[k], curve->subsets[k]);
        putc('\n', to);
    }
    fputs("  where it would end, by form\n", to);
    for (int form = 0; form < ASSAY_SATURATION_N_FORMS; form++) {
        static const char *const formulas[] = { "a n / (n + b)", "a (1 - exp(-n / b))",
                                                "a - b n^-c" };
        const assay_saturation_fit *fit = &curve->fit[form];

        if (fit->reason)
            fprintf(to, "    %-32s        -   (%s)\n", formulas[form], fit->reason);
        else
            fprintf(to, "    %-32s %8.2f   rmse %.2f\n", formulas[form], fit->ed_inf, fit->rmse);
    }
    putc('\n', to);
}

static void print_halves(FILE *to, const assay_halves *halves, const char *of)
{
    if (halves->reason)
        fprintf(to, "  %-34s        -   (%s)\n", of, halves->reason);
    else
        fprintf(to, "  %-34s %8.2f   +- %.2f (sd), apart by %.2f: they agree to %.2f\n", of,
                halves->mean, halves->sd, halves->difference, halves->agreement);
}

static void print_matched(FILE *to, const assay_matched *matched)
{
    fprintf(to, "ED of random parts of %zu items x %zu models\n", matched->n_items,
            matched->n_models);
    if (matched->reason)
        fprintf(to, "  %-34s        -   (%s)\n\n", "mean", matched->reason);
    else if (isnan(matched->sd))
        fprintf(to, "  %-34s %8.2f   (1 part)\n\n", "mean", matched->mean);
    else
        fprintf(to, "  %-34s %8.2f   +- %.2f (sd, %zu parts)\n\n", "mean", matched->mean,
                matched->sd, matched->draws);
}

void print_signals_subsets(FILE *to, const struct signals_subsets *subsets)
{
    if (subsets->request->saturation) {
        print_curve(to, &subsets->saturation.items, "items");
        print_curve(to, &subsets->saturation.models, "models");
    }
    if (subsets->request->split_half) {
        fputs("ED of random halves\n", to);
        print_halves(to, &subsets->halves.items, "of the items");
        print_halves(to, &subsets->halves.models, "of the models");
        putc('\n', to);
    }
    if (subsets->request->matched) print_matched(to, &subsets->matched);
}

/* ---- JSON ---- */

static void number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

static void reason(assay_json *json, const char *text)
{
    if (!text) return;
    assay_json_key(json, "reason");
    assay_json_text(json, text);
}

static const char no_size[] = "there is no size to try";
static const char no_subset[] = "of this size no subset has an ED";
static const char no_two[] = "of this size there are no two subsets with an ED";

static void json_curve(assay_json *json, const char *key, const assay_saturation_curve *curve)
{
    assay_json_key(json, key);
    assay_json_begin_object(json);
    cli_json_estimates(json, "sizes", curve->size, curve->n, no_size);
    cli_json_estimates(json, "mean", curve->mean, curve->n, no_subset);
    cli_json_estimates(json, "sd", curve->sd, curve->n, no_two);
    assay_json_key(json, "subsets");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < curve->n; k++) assay_json_count(json, curve->subsets[k]);
    assay_json_end_array(json);
    assay_json_key(json, "fits");
    assay_json_begin_array(json);
    for (int form = 0; form < ASSAY_SATURATION_N_FORMS; form++) {
        const assay_saturation_fit *fit = &curve->fit[form];

        assay_json_begin_object(json);
        assay_json_key(json, "form");
        assay_json_text(json, assay_saturation_form_name((assay_saturation_form)form));
        number(json, "ed_inf", fit->ed_inf);
        number(json, "b", fit->b);
        if (form == ASSAY_SATURATION_POWER) number(json, "c", fit->c);
        number(json, "rmse", fit->rmse);
        reason(json, fit->reason);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
    assay_json_end_object(json);
}

static void json_halves(assay_json *json, const char *key, const assay_halves *halves)
{
    assay_json_key(json, key);
    assay_json_begin_object(json);
    number(json, "mean", halves->mean);
    number(json, "sd", halves->sd);
    number(json, "difference", halves->difference);
    number(json, "agreement", halves->agreement);
    assay_json_key(json, "draws");
    assay_json_count(json, halves->draws);
    reason(json, halves->reason);
    assay_json_end_object(json);
}

static void json_matched(assay_json *json, const assay_matched *matched)
{
    assay_json_key(json, "matched");
    assay_json_begin_object(json);
    assay_json_key(json, "items");
    assay_json_count(json, matched->n_items);
    assay_json_key(json, "models");
    assay_json_count(json, matched->n_models);
    number(json, "mean", matched->mean);
    number(json, "sd", matched->sd);
    assay_json_key(json, "draws");
    assay_json_count(json, matched->draws);
    reason(json, matched->reason);
    assay_json_end_object(json);
}

void json_signals_subsets(assay_json *json, const struct signals_subsets *subsets)
{
    assay_json_key(json, "shape_flag");
    assay_json_bool(json, subsets->small_shape);
    if (subsets->request->saturation) {
        assay_json_key(json, "saturation");
        assay_json_begin_object(json);
        json_curve(json, "items", &subsets->saturation.items);
        json_curve(json, "models", &subsets->saturation.models);
        assay_json_end_object(json);
    }
    if (subsets->request->split_half) {
        assay_json_key(json, "split_half");
        assay_json_begin_object(json);
        json_halves(json, "items", &subsets->halves.items);
        json_halves(json, "models", &subsets->halves.models);
        assay_json_end_object(json);
    }
    if (subsets->request->matched) json_matched(json, &subsets->matched);
}
